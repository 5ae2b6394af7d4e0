"""Single answers as the page shows them: what can be chosen by, where needles lie, what fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seqniah_scorers.counting import CountingFailure
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.records import STRATA_ORDER, labelled, length_of
from seqniah_tasks.report.cases import Example, Line, LineFate
from seqniah_tasks.report.columns import COUNTING_STARS
from seqniah_tasks.report.runs import Run
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import LANGUAGES, percent

SYMBOLS = {
    LineFate.FOUND: "✓",
    LineFate.CHANGED: "≠",
    LineFate.MISSING: "✗",
    LineFate.MISPLACED: "⇅",
    LineFate.REDUNDANT: "+",
}
"""So that no fate is told by its colour alone."""

_APART = 0.07
"""Share of the strip's width that a marker takes on a phone."""

_MODES = {str(mode): mode.replace("_", " ") for mode in (*FailureMode, *CountingFailure)}


@dataclass(frozen=True, slots=True)
class Needle:
    """A marker on the strip of the text."""

    place: int
    """In the true order, from 1."""
    depth: float
    """0 (start of the text) to 1 (its end)."""
    lane: int
    """From 0; markers that would cover each other stand in lanes of their own."""
    fate: LineFate

    @property
    def told(self) -> str:
        """What the marker says when it is pointed at."""
        return f"Needle {self.place} in the true order, at {percent(self.depth)}: {self.fate}"


@dataclass(frozen=True, slots=True)
class Filter:
    """One thing that single answers can be chosen by."""

    name: str
    """As the script has it."""
    title: str
    values: tuple[str, ...]
    """What is there to choose, in the order of the list."""


@dataclass(frozen=True, slots=True)
class Single:
    """One wrong answer as the page shows it."""

    example: Example
    run: str
    """Its run's label."""
    where: tuple[str, ...]
    """What sort of sample it is, in words."""
    modes: tuple[str, ...]
    """Its failure modes, in words."""
    keys: tuple[tuple[int, ...], ...]
    """By filter, in their order: numbers of the values that it has."""
    needles: tuple[Needle, ...]
    lanes: int

    @property
    def recall(self) -> str:
        """Needles found, of how many; of stars their score."""
        found, row = self.example.row.found, self.example.row
        if row.benchmark == COUNTING_STARS:
            return "" if row.score is None else f"score {percent(row.score)}"
        return f"{sum(found)} of {len(found)} needles found" if found else f"{row.needles} needles"


def prepare(examples: Sequence[Example], runs: Sequence[Run]) -> tuple[list[Single], list[Filter]]:
    """The answers in their order, with the filters that have something to choose."""
    labels = {_key(row): run.label for run in runs for row in (*run.answers, *run.suite)}
    traits = [_traits(one, labels) for one in examples]
    filters = [
        Filter(name, title, _values(name, [trait[name] for trait in traits]))
        for name, title in _FILTERS.items()
    ]
    filters = [one for one in filters if len(one.values) > 1]
    singles = [_single(*pair, filters) for pair in zip(examples, traits, strict=True)]
    return singles, filters


_FILTERS = {
    "run": "Run",
    "lang": "Language",
    "pipeline": "Pipeline",
    "ask": "Asked for",
    "length": "Length",
    "needles": "Needles",
    "noise": "Noise",
    "mode": "Failure",
}


def _key(row: Row) -> tuple[object, ...]:
    return row.source, row.task, row.model, row.judge, row.id, row.epoch


def _traits(example: Example, labels: Mapping[tuple[object, ...], str]) -> dict[str, list[str]]:
    """By filter; an answer may have several failure modes, and of what is not told none."""
    row = example.row
    one = {
        "run": labels.get(_key(row), row.model or "unnamed"),
        "lang": LANGUAGES.get(row.lang or "", row.lang),
        "pipeline": row.pipeline,
        "ask": row.ask,
        "length": labelled(row.length_bin) if row.length_bin else None,
        "needles": row.needle_group,
        "noise": row.noise,
    }
    modes = [_MODES[mode] for mode in row.failure_modes or ()]
    return {**{name: [value] if value else [] for name, value in one.items()}, "mode": modes}


def _values(name: str, held: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All values that are there: strata and failure modes in their order, others as they come."""
    values = list(dict.fromkeys(value for values in held for value in values))
    if name == "mode":
        known = list(_MODES.values())
        return tuple(sorted(values, key=known.index))
    last = len(STRATA_ORDER)
    order = {labelled(stratum): place for stratum, place in STRATA_ORDER.items()}
    if name == "length":
        return tuple(sorted(values, key=lambda one: (order.get(one, last), length_of(one) or 0)))
    return tuple(sorted(values, key=lambda value: order.get(value, last)))


def _single(
    example: Example, traits: Mapping[str, Sequence[str]], filters: Sequence[Filter]
) -> Single:
    needles = tuple(_laned(example.lines))
    told = "lang", "pipeline", "ask", "length", "noise"
    said = [value for name in told for value in traits[name]]
    return Single(
        example=example,
        run=traits["run"][0],
        where=tuple(said),
        modes=tuple(traits["mode"]),
        keys=tuple(tuple(one.values.index(value) for value in traits[one.name]) for one in filters),
        needles=needles,
        lanes=1 + max((needle.lane for needle in needles), default=0),
    )


def _laned(lines: Sequence[Line]) -> list[Needle]:
    """The needles from the start of the text to its end, each in the first lane with room."""
    placed: list[Needle] = []
    taken: list[float] = []
    wanted = [
        (line.depth, place, line.fate)
        for place, line in enumerate(lines, 1)
        if line.reference is not None and line.depth is not None
    ]
    for depth, place, fate in sorted(wanted):
        lane = next((lane for lane, at in enumerate(taken) if depth - at >= _APART), len(taken))
        taken[lane : lane + 1] = [depth]
        placed.append(Needle(place, depth, lane, fate))
    return placed
