"""How answers are judged, and what a benchmark says of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from seqniah_scorers.rules import Aligned, align
from seqniah_scorers.verdict import Case, Verdict
from seqniah_tasks.kinds import natural

Facts = Mapping[str, Any]
"""Named values as JSON has them, of a sample or of a run."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer beside what was asked."""

    question: str
    reference: str
    facts: Facts
    response: str
    cut_off: bool = False
    """The output limit ended the answer."""
    depths: Sequence[float] = ()
    """Of the needles in the prompt, 0 to 1, where they are known."""
    prompt: str = ""
    """What the model was shown, where it is at hand; of rounds, in the last one."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a benchmark says of an answer."""

    score: bool | float | None
    """Right or wrong, or a number from 0 to 1; None: it could not be judged."""
    reason: str
    """In a sentence."""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """Beside the score; None where the sample has no such figure."""
    told: Facts = field(default_factory=dict)
    """What logs keep beside these: failure modes, what became of each item."""
    explanation: str = ""
    """The verdict as a person reads it; it reads alike as plain text and as markdown."""
    in_short: str = ""
    """The figures in a sentence."""


@dataclass(frozen=True, slots=True)
class ByMeasure:
    """Answers are scored by a pure function."""

    score: Callable[[Answered], Scored]
    judge: str
    """Its name and version, as logs tell who judged."""
    reads_prompt: bool = False
    """Whether it looks at the prompt, where that is at hand."""


@dataclass(frozen=True, slots=True)
class ByCase:
    """Answers are lists of items, which the rule judge or a model judges."""

    case: Callable[[Answered], Case]
    scored: Callable[[Answered, Aligned | None, Verdict, str], Scored]
    """From what the rules found (None where only the verdict is known), the verdict that counts,
    and the model that gave it (empty: the rules)."""

    def score(self, answered: Answered, aligned: Callable[[Case], Aligned] = align) -> Scored:
        """What the rules say of an answer."""
        found = aligned(self.case(answered))
        return self.scored(answered, found, found.verdict, "")


@dataclass(frozen=True, slots=True)
class Suite:
    """Figures that only all answers of a run together have."""

    names: tuple[str, ...]
    outcome: Callable[[Facts, bool | None], Any]
    """A sample and its verdict as JSON; None where the sample is not of the suite."""
    figures: Callable[[Sequence[Any]], dict[str, float]]
    """The figures, by name, from the outcomes."""
    lower_is_better: Callable[[str], bool] = lambda name: False


@dataclass(frozen=True, slots=True)
class Group:
    """Something that a run's score is broken down by."""

    name: str
    """As summaries call it, e.g. "needles"."""
    of: Callable[[Facts], str | None]
    """A sample's stratum, from its facts or the fields of its record; None: it has none."""
    order: tuple[str, ...] = ()
    """Strata in their order; empty: by number, then by name."""
    metric: str = "{}"
    """A stratum's name among the metrics of a harness."""

    def ordered(self, strata: Iterable[str]) -> list[str]:
        """These strata in their order; those that `order` lacks come last."""
        places = {name: place for place, name in enumerate(self.order)}
        return sorted(strata, key=lambda name: (places.get(name, len(places)), natural(name)))


LENGTHS = Group("length", lambda facts: facts.get("length_bin") or None)
LANGUAGES = Group("language", lambda facts: facts.get("lang") or None)


@dataclass(frozen=True, slots=True)
class Cluster:
    """What several samples have in common, so that they are no independent draws."""

    trait: str
    """The fact of a sample, and the trait of its record, whose value they share."""
    plural: str
    """What reports call its values, e.g. "questions"."""


@dataclass(frozen=True, slots=True)
class Told:
    """A figure that summaries tell beside the score."""

    figure: str
    """Name among the figures of a record."""
    name: str
    """As summaries call it."""
    words: str
    """What its mean tells."""


MOST_TIMES = 1_000
"""How often a sample counts at most, whatever a file says of it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure beside the score, as log viewers show it."""

    label: str
    palette: Literal["good-high", "good-low", "neutral"] = "good-high"
    """Whether high or low values are good; neutral: neither is."""
    low: float = 0
    """The least value that there is."""
    high: float = 1
    counts: str = ""
    """The fact, and the trait of a record, that tells how often a sample counts in the mean, such
    as the turns of a conversation; empty, or not told, or 0: once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How answers are judged, and by what names harnesses know it."""

    by: ByMeasure | ByCase
    name: str
    """Of the scorer that decides (`ByCase`: of the rules; judge and cascade are others)."""
    beside: str = ""
    """Of the scorer that gives the figures; empty: there are none."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """All figures that an answer may have, by name."""
    view: str = "Scores"
    """What log viewers call the table of samples."""
    binary: bool = False
    """Whether a score is right or wrong (accuracy) or a number (mean score)."""
    groups: tuple[Group, ...] = (LENGTHS, LANGUAGES)
    cluster: Cluster | None = None
    """What intervals and tests resample; None: the samples."""
    told: tuple[Told, ...] = ()
    suite: Suite | None = None
    shown: Callable[[Facts], Mapping[str, bool]] = lambda facts: {}
    """From a run's facts, figures that log viewers show or hide; others are shown."""

    def times(self, figure: str, facts: Facts) -> int:
        """How often a sample of these facts counts in the mean of a figure."""
        declared = self.figures.get(figure)
        told = facts.get(declared.counts) if declared and declared.counts else 1
        return min(max(told, 1), MOST_TIMES) if isinstance(told, int) else 1
