"""The noise suite: the paper's Table 5 for every run, and its Figure 7."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import VARIANTS, Line, NoiseFigures, by_group, figures
from seqniah_scorers.noise import Figure as Measured
from seqniah_tasks.benchmarks.sequential_niah.noise_view import left_out_lines, outcomes
from seqniah_tasks.benchmarks.sequential_niah.report import published
from seqniah_tasks.records import Record
from seqniah_tasks.report.figures import over_places
from seqniah_tasks.report.measures import extremes, ordered
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    Figure,
    Kind,
    Point,
    Section,
    Stacks,
    Table,
    of_kind,
    of_run,
)
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import percent

_LEAD = (
    "Samples are asked again in three variants of each type of noise: TM moves every needle by a "
    "sentence or two, SM moves it far, RO lets the needles change places, SN adds passages that "
    "resemble needles. Accuracy is the mean over the sample set as it is (Ref) and its variant "
    "sets, 4 of a type and 13 of all; agreement is the share of samples that are right in all of "
    "these sets or wrong in all. Noise that does no harm leaves accuracy at Ref and agreement high."
)

_SPREAD = (
    "Spread is the sample standard deviation of the sets' accuracies, in points: Cons. of the "
    "paper's second version (Table 5); an interval from 0 says that chance alone may account for "
    "it. Agreement is Cons. of its first version. Intervals are 95 %, by resampling the samples; "
    "of several epochs counts what at least half of them were."
)

_FIGURE_7 = (
    "The paper's Figure 7 prints no numbers, so that nothing published stands beside what is "
    "right or wrong in all sets."
)

_REF, _ALL, _UNKNOWN = "Ref", "All", "not told"
_TYPES = tuple(noise.upper() for noise in NoiseType)
_PARTS = ("right in all sets", "changing", "wrong in all sets")

_BY: dict[str, tuple[Callable[[Record], str | None], str]] = {
    "length": (lambda row: row.length_bin, "tokens"),
    "needles": (lambda row: row.traits.get("needle_group"), "needles"),
}
"""What samples are divided by: the stratum of each, and what is counted in its name."""


@dataclass(frozen=True, slots=True)
class _Suite:
    """A run's answers to the suite, in figures."""

    number: int
    """Its place among all runs, from 1."""
    run: Run
    found: NoiseFigures
    groups: Mapping[str, Mapping[str, NoiseFigures]]
    """By what the base samples are divided by, then by stratum, in order."""
    strange: int
    """Answers to variants of no known number; they are in no figure."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Those of the types, then that of all."""
        return *self.found.types, self.found.all


def section(study: Study) -> Section | None:
    """The noise suite of the runs that were asked it; None where none was."""
    suites = [_suite(number, run) for number, run in enumerate(study.runs, 1) if run.suite]
    if not suites:
        return None
    shown = Study(tuple(one.run for one in suites))
    facets = suites[: len(shown.facets)]
    notes = (*map(_summed_up, facets), *map(_left_out, suites), shown.left_out, _SPREAD, _FIGURE_7)
    accuracies = [(one.run.label, _accuracies(one)) for one in suites]
    agreements = [
        (one.run.label, [_point(line.agreement, line.complete) for line in one.lines])
        for one in suites
    ]
    return Section(
        name="noise",
        title="Under noise",
        lead=_LEAD,
        figures=(
            _by_type("Accuracy", (_REF, *_TYPES, _ALL), "mean accuracy", accuracies),
            _by_type("Agreement", (*_TYPES, _ALL), "samples that agree", agreements),
            *filter(None, (_stacks(one, by) for by in _BY for one in facets)),
        ),
        tables=(_table(suites), _table_of_groups(suites)),
        notes=tuple(filter(None, notes)),
    )


def _suite(number: int, run: Run) -> _Suite:
    known = range(1, VARIANTS + 1)
    rows = [
        row
        for row in run.suite
        if (row.variant in known if "noise" in row.traits else not row.is_variant)
    ]
    asked = outcomes(rows)
    groups: dict[str, dict[str, NoiseFigures]] = {}
    for by, (stratum, _) in _BY.items():
        name = {row.base or row.id: stratum(row) or _UNKNOWN for row in rows}
        found = by_group(asked, name)
        groups[by] = {one: found[one] for one in ordered(found)}
    return _Suite(number, run, figures(asked), groups, len(run.suite) - len(rows))


def _accuracies(one: _Suite) -> list[Point | None]:
    """Of the samples as they are, and of the lines."""
    reference = _point(one.found.reference, one.found.reference_of)
    return [reference, *(_point(line.accuracy, line.bases) for line in one.lines)]


def _by_type(
    what: str, places: Sequence[str], axis: str, lines: Sequence[tuple[str, Sequence[Point | None]]]
) -> Figure:
    by, nothing = "type of noise", "No sample was scored."
    figure = partial(over_places, axis=Axis(axis), joined=False, together=True, nothing=nothing)
    return figure(f"noise-{what.lower()}", what, by, by, places, lines, "for {}")


def _stacks(one: _Suite, by: str) -> Figure | None:
    """Figure 7 of a run; None where no sample was scored in all sets."""
    rows = [
        (one.run.benchmark.labelled(name), _parts(found.all), found.all.complete)
        for name, found in one.groups[by].items()
        if found.all.complete
    ]
    if not rows:
        return None
    shares = (
        extremes(
            f"The share of samples {_PARTS[part]}",
            ((f"for {name} {_BY[by][1]}", parts[part]) for name, parts, _ in rows),
        )
        for part in (0, -1)
    )
    return of_run(
        name=f"noise-by-{by}",
        title=f"Right or wrong in all sets, by {by}",
        number=one.number,
        run=one.run.label,
        told=" ".join(shares),
        chart=Stacks(_PARTS, tuple(rows)),
    )


def _parts(line: Line) -> tuple[float, float, float]:
    right, wrong = line.right.value, line.wrong.value
    return right, max(0.0, 1 - right - wrong), wrong


def _summed_up(one: _Suite) -> str:
    """What noise does to a run in a sentence; empty where nothing can be told."""
    found, line = one.found, one.found.all
    if not (found.reference_of and line.bases):
        return ""
    said = (
        f"{one.run.label}: accuracy {percent(found.reference.value)} as the samples are, "
        f"{percent(line.accuracy.value)} over {line.sets} of {line.sets_wanted} sets"
    )
    if line.complete:
        said += (
            f"; of {line.complete:,} samples {percent(line.right.value)} are right and "
            f"{percent(line.wrong.value)} wrong in all of them"
        )
    return f"{said}."


def _left_out(one: _Suite) -> str:
    """Samples that are not in a run's figures, in a sentence; empty where all are."""
    told = ["{} ({})".format(*line.split(maxsplit=1)) for line in left_out_lines(one.found)]
    if one.strange:
        told.append(f"{one.strange:,} answers to variants of no known number")
    return f"{one.run.label}, left out: {', '.join(told)}." if told else ""


def _table(suites: Sequence[_Suite]) -> Table:
    beside = _published() if any(published.is_beside(one.run) for one in suites) else ()
    return Table(
        name="noise",
        title="Accuracy, spread and agreement by type of noise (Table 5)",
        columns=(
            *of_kind(Kind.TEXT, run="Run", noise="Noise"),
            *_interval("accuracy", "Accuracy", Kind.SHARE),
            *_interval("spread_points", "Spread, points", Kind.NUMBER),
            *_interval("agreement", "Agreement", Kind.SHARE),
            *of_kind(Kind.COUNT, samples="Samples", complete="Scored in all sets", sets="Sets"),
            *of_kind(Kind.COUNT, unscored="Unscored", missing="Not run"),
            Column("source", "Source"),
        ),
        rows=(*(row for one in suites for row in _rows(one)), *beside),
    )


_EMPTY: tuple[Cell, ...] = (None, None, None)


def _rows(one: _Suite) -> Iterator[tuple[Cell, ...]]:
    found, left = one.found, (None,) * 5
    yield one.run.label, _REF, *_cells(found.reference), *_EMPTY * 2, found.reference_of, *left
    for name, line in zip((*_TYPES, _ALL), one.lines, strict=True):
        spread = _cells(line.spread, 100) if line.sets > 1 else _EMPTY
        figures = (*_cells(line.accuracy), *spread, *_cells(line.agreement))
        counts = (line.bases, line.complete, line.sets, line.unscored, line.missing)
        yield one.run.label, name, *figures, *counts, None


def _published() -> Iterator[tuple[Cell, ...]]:
    """The paper's lines, of both versions: no intervals, which it does not print."""
    for one in (*published.TABLE_5, *published.TABLE_5_V1):
        lines: list[tuple[str, float, float | None, float | None]] = [
            (_REF, one.reference, None, None)
        ]
        for kind, accuracy in one.accuracy.items():
            lines += [(kind.upper(), accuracy, one.spread.get(kind), one.agreement.get(kind))]
        lines += [(_ALL, one.accuracy_all, one.spread_all, one.agreement_all)]
        for name, accuracy, spread, agreement in lines:
            points = None if spread is None else round(100 * spread, 2)
            values = (accuracy, None, None, points, None, None, agreement, None, None)
            told = f"{one.source}: {published.WORDS}"
            yield one.model, name, *values, published.NOISE_BASES, *(None,) * 4, told


def _table_of_groups(suites: Sequence[_Suite]) -> Table:
    return Table(
        name="noise-by-group",
        title="Samples right or wrong in all sets, by length and needles (Figure 7)",
        columns=(
            *of_kind(Kind.TEXT, run="Run", by="By", group="Group"),
            Column("samples", "Scored in all sets", Kind.COUNT),
            *_interval("right", "Right in all", Kind.SHARE),
            Column("changing", "Changing", Kind.SHARE),
            *_interval("wrong", "Wrong in all", Kind.SHARE),
            *_interval("agreement", "Agreement", Kind.SHARE),
        ),
        rows=tuple(
            (
                *(one.run.label, by, name, found.all.complete),
                *_cells(found.all.right),
                _parts(found.all)[1] if found.all.complete else None,
                *_cells(found.all.wrong),
                *_cells(found.all.agreement),
            )
            for one in suites
            for by in _BY
            for name, found in one.groups[by].items()
        ),
    )


def _interval(name: str, title: str, kind: Kind) -> tuple[Column, ...]:
    low, high = f"{title}, 95 % from", f"{title}, 95 % to"
    return of_kind(kind, **{name: title, f"{name}_low": low, f"{name}_high": high})


def _cells(found: Measured, unit: int = 1) -> list[float | None]:
    """A figure and its interval; what is not a number is none."""
    values = found.value, found.low, found.high
    return [None if math.isnan(value) else unit * value for value in values]


def _point(found: Measured, of: int) -> Point | None:
    value, low, high = _cells(found)
    return None if value is None else Point(value, low, high, of)
