"""Single answers as the page shows them: what can be chosen by, where needles lie, what fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from seqniah_tasks import benchmarks
from seqniah_tasks.kinds import natural
from seqniah_tasks.records import Record
from seqniah_tasks.report.cases import Example, Line, LineFate
from seqniah_tasks.report.declared import report_of
from seqniah_tasks.report.runs import Run
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
        """How much of the reference was found, or the score where it is a number."""
        row = self.example.row
        if found := report_of(row.benchmark).found:
            return found(row)
        binary = benchmarks.known()[row.benchmark].scoring.binary
        return "" if binary or row.score is None else f"score {percent(row.score)}"


def prepare(examples: Sequence[Example], runs: Sequence[Run]) -> tuple[list[Single], list[Filter]]:
    """The answers in their order, with the filters that have something to choose."""
    labels = {_key(row): run.label for run in runs for row in (*run.answers, *run.suite)}
    rows = [one.row for one in examples]
    strata = {
        name: title for row in rows for name, title in report_of(row.benchmark).strata.items()
    }
    traits = [_traits(row, strata, labels) for row in rows]
    places = [list(benchmarks.known()).index(row.benchmark) for row in rows]
    values = {
        name: _values(name, [(at, one[name]) for at, one in zip(places, traits, strict=True)])
        for name in ("run", "lang", *strata, "length", "mode")
    }
    # A bare number says nothing without its title, and stands after what has a name.
    texts = {name: one for name, one in strata.items() if all(natural(v)[0] for v in values[name])}
    numbers = {name: one for name, one in strata.items() if name not in texts}
    titles = {"run": "Run", "lang": "Language", **texts, "length": "Length", **numbers}
    titles["mode"] = "Failure"
    filters = [
        Filter(name, title, values[name]) for name, title in titles.items() if len(values[name]) > 1
    ]
    told = "lang", *texts, "length"
    return [_single(*one, told, filters) for one in zip(examples, traits, strict=True)], filters


def by_score(examples: Sequence[Example]) -> list[str]:
    """Titles of the benchmarks whose answers are wrong for want of the full score."""
    held = {one.row.benchmark for one in examples}
    found = [one for name, one in benchmarks.known().items() if name in held]
    return [one.title for one in found if not one.scoring.binary]


def _key(row: Record) -> tuple[object, ...]:
    return row.source, row.task, row.model, row.judge, row.id, row.epoch


def _traits(
    row: Record, strata: Iterable[str], labels: Mapping[tuple[object, ...], str]
) -> dict[str, list[str]]:
    """By filter; an answer may have several failure modes, and of what is not told none."""
    labelled = benchmarks.known()[row.benchmark].labelled
    one = {
        "run": labels.get(_key(row), row.model or "unnamed"),
        "lang": LANGUAGES.get(row.lang or "", row.lang),
        **{name: row.traits.get(name) for name in strata},
        "length": labelled(row.length_bin) if row.length_bin else None,
    }
    modes = [mode.replace("_", " ") for mode in row.failure_modes or ()]
    return {**{name: [value] if value else [] for name, value in one.items()}, "mode": modes}


def _values(name: str, held: Sequence[tuple[int, Sequence[str]]]) -> tuple[str, ...]:
    """All values that are there, benchmark by benchmark: numbers and failure modes in their order,
    others as they come."""
    known = [one for each in benchmarks.known().values() for one in each.columns.failure_modes]
    modes = {mode.replace("_", " "): at for at, mode in reversed([*enumerate(known)])}
    order: dict[str, tuple[float, ...]] = {}
    for at, values in held:
        for value in values:
            by_number = at, *natural("" if name == "run" else value)[:2]
            order.setdefault(value, (modes[value],) if name == "mode" else by_number)
    return tuple(sorted(order, key=order.__getitem__))


def _single(
    example: Example,
    traits: Mapping[str, Sequence[str]],
    told: Sequence[str],
    filters: Sequence[Filter],
) -> Single:
    needles = tuple(_laned(example.lines))
    return Single(
        example=example,
        run=traits["run"][0],
        where=tuple(value for name in told for value in traits[name]),
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
