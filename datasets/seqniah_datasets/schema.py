"""The records that everything else is made of: frozen, small, and free of behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Literal

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = ("train", "dev", "test")

NeedleOrder = Literal["shuffled", "sorted"]
NEEDLE_ORDERS: tuple[NeedleOrder, ...] = ("shuffled", "sorted")


Placement = Literal["lines", "inline"]
PLACEMENTS: tuple[Placement, ...] = ("lines", "inline")
"""Whether a needle has lines of its own, or runs on in the paragraph where it stands."""


class Pipeline(StrEnum):
    """Where a question comes from (paper, section 3.1)."""

    SYNTHETIC_TEMPORAL = "synthetic-temporal"
    REAL_TEMPORAL = "real-temporal"
    REAL_LOGICAL = "real-logical"


class StarTask(StrEnum):
    """What Counting-Stars asks of the stars in a sky."""

    SEARCHING = "searching"
    """List every star's number (paper, section 2.1)."""
    REASONING = "reasoning"
    """Each star was counted wrongly first, then rightly; list the right numbers (repository)."""
    PLAYERS = "players"
    """Several players counted; answer about one of them, or two (section 3.5)."""


class StarAsk(StrEnum):
    """What a question about stars wants to know."""

    LIST = "list"
    """Every number, in the order in which the stars stand."""
    SUM = "sum"
    """Of one player's numbers."""
    LARGEST = "largest"
    """Of one player's numbers."""
    ORDER = "order"
    """The numbers of two players together, in the order in which their stars stand."""

    @property
    def listed(self) -> bool:
        """Whether the answer is a list of numbers, not one number."""
        return self in (StarAsk.LIST, StarAsk.ORDER)

    @property
    def players(self) -> int:
        """How many players it names."""
        return 2 if self is StarAsk.ORDER else 1


@dataclass(frozen=True, slots=True)
class LengthBin:
    """A half-open range of prompt lengths."""

    name: str
    """As options and ids write it, e.g. "16k-32k"."""
    low: int
    """Least tokens of a finished prompt, included; k = 1,000."""
    high: int
    """Most tokens of a finished prompt, excluded."""


@dataclass(frozen=True, slots=True)
class NeedleGroup:
    """A range of needle counts, as the paper's tables group them."""

    name: str
    """As the paper writes it: "3-5", "6-10" or ">10"."""
    low: int
    """Fewest needles, included."""
    high: int
    """Most needles, included."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sample asks of its source."""

    group: NeedleGroup
    """The range that its number of needles must lie in."""
    needles: int
    """The number drawn for it; a pool that has no such item may give another of the group."""


@dataclass(frozen=True, slots=True)
class Needle:
    """One passage to hide, and what it contributes to the answer."""

    text: str
    """The passage exactly as it stands in the prompt; may hold line breaks."""
    item: str
    """The line of the reference answer that it stands for, without its bullet."""
    event: str
    """What happened, without subject and date; must not occur elsewhere in the prompt."""
    date: date | None
    """When it happened; None for steps."""


@dataclass(frozen=True, slots=True)
class QAItem:
    """A question whose answer follows from needles in a haystack."""

    lang: Lang
    pipeline: Pipeline | StarTask
    subject: str
    """Who or what the question is about; must not occur in the document around the needles."""
    question: str
    intro: str
    """First line of the reference answer; of Counting-Stars all of it, as JSON."""
    needles: tuple[Needle, ...]
    """In true order."""
    order_required: bool
    """Whether the question demands the true order."""
    parties: tuple[str, ...] = ()
    """Real names; documents that name all of them are passed over where others serve."""

    @property
    def reference(self) -> str:
        """The reference answer: the intro, then one bulleted item a line in true order."""
        if isinstance(self.pipeline, StarTask):
            return self.intro
        return "\n".join([self.intro, *(f"- {needle.item}" for needle in self.needles)])


class NoiseType(StrEnum):
    """What a variant of a sample changes (paper, section 5.3)."""

    TM = "tm"
    """Tiny movement: every needle moves by one or two sentences."""
    SM = "sm"
    """Significant movement: every needle moves far; their order in the text stays."""
    RO = "ro"
    """Reorder: the places stay, the needles change them among themselves."""
    SN = "sn"
    """Semantic noise: one or two passages are added that resemble needles."""


class LureKind(StrEnum):
    """Why a passage that resembles a needle is no part of the answer."""

    OTHER_PERSON = "other-person"
    """Somebody else's record, of nearly the same name, at nearly the same time."""
    UNDATED = "undated"
    """The same person's record, without a date."""
    OTHER_PARTY = "other-party"
    """Only one of the two sides asked about takes part."""
    OUT_OF_RANGE = "out-of-range"
    """The same subject, outside the time asked about."""
    NO_STEP = "no-step"
    """About the procedure, but nothing that is done in it."""


@dataclass(frozen=True, slots=True)
class Lure:
    """A passage that resembles a needle of an item and is no part of its answer."""

    text: str
    """As it stands in the prompt."""
    kind: LureKind
    subject: str
    """Whom or what it is about."""
    date: date | None
    """When it happened; None where it does not say."""


@dataclass(frozen=True, slots=True)
class Window:
    """The stretch of one corpus document that serves as haystack."""

    shard: str
    """Key of the corpus shard that holds the document."""
    start: int
    """First byte, counted in the shard's text."""
    end: int
    """One past the last byte, counted in the shard's text."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """One needle's place in the window."""

    needle: int
    """Index of the needle in true order."""
    at: int
    """Bytes of the window that stand before it; always a sentence end."""
    after: str
    """A line break, or in a paragraph a blank if any; nothing where the window goes on with one."""
    before: str = "\n"
    """The same in front of it."""


@dataclass(frozen=True, slots=True)
class Stray:
    """One lure's place in the window."""

    text: str
    """The lure's text."""
    at: int
    """Bytes of the window that stand before it; always a sentence end."""
    after: str
    """As of an insertion."""
    before: str = "\n"
    """As of an insertion."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a sample's score may be compared with."""

    version: int
    """Of the benchmark's bytes."""
    edition: str
    """"open" (embedded sources) or "paper" (the paper's kind of sources)."""
    source: str
    """Name and digest of what made the question, e.g. "invented-world 3fa9c1"."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything needed to render one prompt again, byte for byte."""

    id: str
    origin: Origin
    qa: QAItem
    window: Window
    insertions: tuple[Insertion, ...]
    """In order of position."""
    before: str
    """Stands in the prompt before the document."""
    after: str
    """Stands in the prompt after the document, question included."""
    tokenizer: str
    tokens: int = 0
    """Exact length of the rendered prompt in tokens of `tokenizer`; 0 until it is counted."""
    sha256: str = ""
    """Of the rendered prompt's UTF-8 bytes, as hexadecimal digits; empty until then."""
    strays: tuple[Stray, ...] = ()
    """Lures in order of position."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a needle stands in the rendered prompt."""

    needle: int
    """Index of the needle in true order."""
    start: int
    """First byte of its text, counted in the prompt's UTF-8 bytes."""
    end: int
    """One past its last byte."""
    depth: float
    """Share of the window's bytes that stand before it, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One rendered prompt with its answer."""

    id: str
    input: str
    """The whole prompt: document with needles, then the question."""
    spans: tuple[Span, ...]
    """One a needle, in true order."""
    qa: QAItem
    tokens: int
    """Exact length of `input` in tokens of the recipe's tokenizer."""
