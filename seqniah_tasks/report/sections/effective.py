"""Effective context lengths: up to which length of the prompt each run keeps most of its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seqniah_tasks.benchmarks.protocol import LENGTHS, Benchmark
from seqniah_tasks.effective import Effective, effective
from seqniah_tasks.isotonic import FEW, RESAMPLES
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import SCORED, by_run, drawn
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    Figure,
    Kind,
    Level,
    Lines,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import MOST_NAMED, Study
from seqniah_tasks.report.words import joined

COLUMNS = of_kind(
    Kind.TEXT,
    effective_length="Effective length",
    effective_low="Its lower end",
    effective_high="Its upper end",
)
"""Of tables of runs."""


def cells(benchmark: Benchmark, answers: Sequence[Record], threshold: float) -> tuple[Cell, ...]:
    """The values of these columns; nothing where there is no effective length."""
    found = effective(benchmark, answers, threshold)
    return found.words if found else (None,) * len(COLUMNS)


def section(study: Study) -> Section | None:
    """Effective lengths of all runs; None where no scored answer tells a length."""
    return of_groups(study, [(run.label, run.answers) for run in study.runs])


def of_groups(study: Study, groups: Sequence[tuple[str, Sequence[Record]]]) -> Section | None:
    """The same of named groups of answers."""
    benchmark, threshold = study.runs[0].benchmark, study.threshold
    measure = "accuracy" if benchmark.scoring.binary else "mean score"
    every = [(label, effective(benchmark, rows, threshold)) for label, rows in groups]
    found = [(label, one) for label, one in every if one]
    if not found:
        return None
    several = [(label, one) for label, one in found if len(one.lengths) > 1]
    return Section(
        name="effective-length",
        title="Effective context length",
        lead=(
            f"The longest length at which the {measure} is at least {_percent(threshold)} of that "
            "at the run's shortest length, after RULER (arXiv 2404.06654), whose threshold is a "
            f"fixed score. The {measure} by length is first made to fall or stay from each length "
            "to the next (isotonic regression, weighted by samples). Ranges of lengths count by "
            'their upper end; "at least" stands before the longest length that was scored. '
            f"Intervals are the 95 % percentiles of {RESAMPLES:,} resamples of each length's "
            f"samples; a length with fewer than {FEW} also draws from those nearest to it."
            f"{drawn(benchmark)}"
        ),
        figures=(_figure(benchmark, measure, threshold, several),) if several else (),
        tables=(_table(benchmark, measure, found),),
        notes=tuple(_lacks(measure, found)),
    )


_Found = Sequence[tuple[str, Effective]]


def _lacks(measure: str, found: _Found) -> list[str]:
    """Why runs have no effective length."""
    lacks = [f"{label} ({one.lack(measure)})" for label, one in found if one.words[0] is None]
    return [f"No effective length: {joined(lacks, MOST_NAMED)}."] if lacks else []


def _percent(threshold: float) -> str:
    return f"{100 * threshold:g} %"


def _figure(benchmark: Benchmark, measure: str, threshold: float, found: _Found) -> Figure:
    by = next(one for one in benchmark.scoring.groups if one.name == LENGTHS.name)
    names = by.ordered({name for _, one in found for name in one.lengths})
    points = [(label, _points(one, names)) for label, one in found]
    axis = Axis(f"share of the {measure} at the shortest length")
    chart = by_run("length of the prompt", list(map(benchmark.labelled, names)), axis, points)
    title = f"{measure.capitalize()} by length, made to fall, as a share of the shortest length's"
    if isinstance(chart, Lines):
        level = Level(threshold, _percent(threshold), "effective length")
        rings = (
            names.index(one.lengths[one.place]) if one.place >= 0 else None for _, one in found
        )
        series = zip(chart.series, rings, strict=True)
        ringed = tuple(replace(one, ringed=place) for one, place in series)
        chart = replace(chart, series=ringed, level=level)
    else:
        rows = tuple(f"{label}: {one.words[0] or 'none'}" for label, one in found)
        chart = replace(chart, y_title="run: effective length", lines=rows)
    told = [
        f"{label} {one.words[0]} ({one.interval})" if one.place >= 0 else f"{label} none"
        for label, one in found
    ]
    return Figure(
        "effective-length", title, f"Effective length: {joined(told, MOST_NAMED)}.", chart
    )


def _points(one: Effective, names: Sequence[str]) -> list[Point | None]:
    """Shares of the first value, by name; nothing where that is 0."""
    first = one.falling[0]
    if not first:
        return [None] * len(names)
    told = zip(one.lengths, one.falling, one.samples, strict=True)
    by_name = {name: Point(value / first, of=of) for name, value, of in told}
    return [by_name.get(name) for name in names]


def _table(benchmark: Benchmark, measure: str, found: _Found) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", length="Length"),
        SCORED,
        Column("accuracy" if measure == "accuracy" else "score", measure.capitalize(), Kind.SHARE),
        *of_kind(Kind.SHARE, falling="Made to fall", kept="Share of the shortest length's"),
    )
    rows = tuple(
        (label, benchmark.labelled(name), of, value, falling, point.value if point else None)
        for label, one in found
        for name, of, value, falling, point in zip(
            one.lengths, one.samples, one.means, one.falling, _points(one, one.lengths), strict=True
        )
    )
    return Table(
        "effective-length", f"{measure.capitalize()} by length, made to fall", columns, rows
    )
