"""Real-logical questions: the steps of an authored procedure, in strict order (paper, 3.1.3).

A procedure belongs to one split; its slots make variants, of which test takes at most four. Each
step stands in a sentence that carries the subject and tells no number; order is always demanded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, Needle, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import lures, tables
from seqniah_datasets.sources.base import Allotted, Demand, Ticket
from seqniah_datasets.sources.step_sentences import INTROS, LEADS, QUESTIONS
from seqniah_datasets.sources.wording import capital

VERSION = 1
"""Of this source; any change of its bytes raises it."""

MOST_IN_TEST = 4
"""Variants of one procedure among the test samples of a language."""

_SHARES: dict[Split, tuple[int, int]] = {"test": (0, 8), "dev": (8, 11), "train": (11, 20)}
"""Each split's part of all procedures, in twentieths; test takes only four of each."""

SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a procedure."""

    text: str
    """What is done, as a verb phrase with slots; fits behind every lead of its language."""
    optional: bool
    """Whether the procedure is whole without it."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in strict order: no two of them could change places."""

    id: str
    lang: Lang
    subject: str
    """The undertaking as a verb phrase with slots, e.g. "repot {plant}"."""
    gerund: str
    """The same as a gerund; in Chinese the same as `subject`."""
    steps: tuple[Step, ...]
    slots: dict[str, tuple[str, ...]]

    @property
    def fewest(self) -> int:
        """Steps that are always told."""
        return sum(not step.optional for step in self.steps)

    @property
    def variants(self) -> int:
        """Different subjects that its slots make."""
        return prod(len(self.slots[name]) for name in self.subject_slots)

    @property
    def subject_slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(SLOT.findall(self.subject)))


@lru_cache(maxsize=2)
def procedures(lang: Lang) -> tuple[Procedure, ...]:
    """The authored procedures of a language, in an order that never changes."""
    found = [
        _procedure(raw, lang)
        for name in tables.names(f"procedures/{lang}")
        for raw in tables.table(name)["procedure"]
    ]
    return tuple(sorted(found, key=lambda one: rng.digest("procedure", lang, one.id)))


def _procedure(raw: dict[str, Any], lang: Lang) -> Procedure:
    steps = tuple(
        Step(one, False) if isinstance(one, str) else Step(one["optional"], True)
        for one in raw["steps"]
    )
    subject = raw["infinitive"] if lang == "en" else raw["subject"]
    slots = {name: tuple(values) for name, values in raw["slots"].items()}
    return Procedure(raw["id"], lang, subject, raw.get("gerund", subject), steps, slots)


@lru_cache(maxsize=8)
def of_split(lang: Lang, split: Split) -> tuple[Procedure, ...]:
    """The procedures of a split, whatever the seed."""
    everything = procedures(lang)
    low, high = (len(everything) * share // 20 for share in _SHARES[split])
    return everything[low:high]


Variant = tuple[int, int, int]
"""Number of the procedure in its split, number of the variant, steps told."""


class AuthoredProcedures:
    """The source; its bank serves the published quotas of all splits."""

    pipeline = Pipeline.REAL_LOGICAL
    name = "authored-procedures"

    @cached_property
    def digest(self) -> str:
        banks = [name for lang in LANGS for name in tables.names(f"procedures/{lang}")]
        words = repr((LEADS, QUESTIONS, INTROS))
        return rng.digest(VERSION, words, *map(tables.text, banks)).hex()

    def supply(self, demand: Demand) -> Allotted[Variant]:
        """See `Source.supply`."""
        bank = of_split(demand.lang, demand.split)
        most = MOST_IN_TEST if demand.split == "test" and not demand.reuse else None
        draws = rng.stream("real-logical", VERSION, demand.lang, demand.split, demand.seed)
        given = share_out(bank, demand.wishes, draws, most)
        tickets = [None if one is None else Ticket(one, one[2]) for one in given]
        return Allotted(
            tickets,
            lambda variant, serial: _item(demand, bank, variant, serial),
            lures=lambda variant, serial: _lures(demand, bank, variant, serial),
        )


def share_out(
    bank: Sequence[Procedure], wishes: Sequence[Wish], draws: Stream, most: int | None
) -> list[Variant | None]:
    """A variant for each wish, none of them twice, all procedures used about equally often.

    The wishes that fewest procedures can meet choose first; where none has the wished number of
    steps, another number of its needle group is told.
    """
    limits = [min(one.variants, most or one.variants) for one in bank]
    spans = [(one.fewest, len(one.steps)) for one in bank]
    widths = [high - low for low, high in spans]
    order = draws.shuffled(range(len(bank)))
    used = [0] * len(bank)
    given: list[Variant | None] = [None] * len(wishes)
    able = Counter(n for low, high in spans for n in range(low, high + 1))
    for serial in sorted(range(len(wishes)), key=lambda serial: able[wishes[serial].needles]):
        wish = wishes[serial]
        counts = sorted(
            range(wish.group.low, wish.group.high + 1), key=lambda one: abs(one - wish.needles)
        )
        for needles in counts:
            fit = [
                number
                for number in order
                if spans[number][0] <= needles <= spans[number][1] and used[number] < limits[number]
            ]
            if fit:
                # The one used least; among equals the one that can serve the fewest others.
                number = min(fit, key=lambda number: (used[number], widths[number]))
                given[serial] = (number, used[number], needles)
                used[number] += 1
                break
    return given


def _item(demand: Demand, bank: Sequence[Procedure], variant: Variant, serial: int) -> QAItem:
    number, which, count = variant
    procedure, lang = bank[number], demand.lang
    draws = rng.stream(
        "real-logical", VERSION, lang, demand.split, serial, count, demand.seed, procedure.id
    )
    words = _words(procedure, which, demand, draws)
    subject, gerund = (_fill(text, words) for text in (procedure.subject, procedure.gerund))
    slots = {"subject": subject, "gerund": gerund}
    question = draws.choice(QUESTIONS[lang]).format(**slots)
    intro = draws.choice(INTROS[lang]).format(**slots)
    needles: list[Needle] = []
    for step in _told(procedure, count, draws):
        text = _fill(step.text, words)
        lead = draws.choice(LEADS[lang])
        needles.append(Needle(lead.tell(subject, gerund, text), capital(text), text, None))
    return QAItem(
        lang=lang,
        pipeline=Pipeline.REAL_LOGICAL,
        subject=subject,
        question=capital(question),
        intro=capital(intro),
        needles=tuple(needles),
        order_required=True,
    )


def _lures(
    demand: Demand, bank: Sequence[Procedure], variant: Variant, serial: int
) -> tuple[Lure, ...]:
    number, which, _ = variant
    procedure = bank[number]
    draws = lures.stream("real-logical", demand, serial)
    # Which of the subject's variants it is hangs on no draw, so this is the item's subject.
    words = _words(procedure, which, demand, draws)
    subject, gerund = (_fill(text, words) for text in (procedure.subject, procedure.gerund))
    return lures.remarks(demand.lang, subject, gerund, draws)


def _words(procedure: Procedure, which: int, demand: Demand, draws: Stream) -> dict[str, str]:
    """What the slots stand for in variant `which`: a subject of its own, and drawn details."""
    walk = rng.walk(procedure.variants, "variants", procedure.id, demand.split, demand.seed)
    spot = walk(which)
    words: dict[str, str] = {}
    for name in procedure.subject_slots:
        spot, value = divmod(spot, len(procedure.slots[name]))
        words[name] = procedure.slots[name][value]
    for name, values in procedure.slots.items():
        if name not in words:
            words[name] = draws.choice(values)
    return words


def _told(procedure: Procedure, count: int, draws: Stream) -> list[Step]:
    """`count` of the steps in their order: all that are needed, and some of the others."""
    optional = [number for number, step in enumerate(procedure.steps) if step.optional]
    chosen = {optional[pick] for pick in draws.sample(count - procedure.fewest, len(optional))}
    return [
        step for number, step in enumerate(procedure.steps) if not step.optional or number in chosen
    ]


def _fill(text: str, words: dict[str, str]) -> str:
    return SLOT.sub(lambda found: words[found[1]], text)
