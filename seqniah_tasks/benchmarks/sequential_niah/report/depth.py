"""Which needles are found: by depth in the text and by place in the true order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seqniah_datasets.splits import GROUPS
from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.benchmarks.sequential_niah.report.recall import (
    TENTHS,
    Needles,
    Recall,
    needles_of,
)
from seqniah_tasks.report.figures import map_of_run, over_places
from seqniah_tasks.report.measures import ordered, tabled
from seqniah_tasks.report.parts import (
    Cell,
    Column,
    Figure,
    Heatmap,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import percent

_FEW = 30
"""Needles at a depth below which nothing is said of it in words."""

_LEAD = (
    "Needle recall is the share of needles that an answer states rightly, whether or not the "
    "answer as a whole is right. Depth is where a needle stands in the text, 0 % at its start; the "
    "place in the true order is another matter, since the text tells the needles in any order. A "
    "model that reads all of a text alike has the same recall everywhere."
)

_INTERVALS = (
    "Intervals are 95 % and let needles of one sample be found or missed together: samples are "
    "taken for independent, not needles (cluster-robust). Where all samples agree, they are "
    "Wilson's with each sample counted once; a single sample has none."
)

_TENTHS = tuple(f"{10 * one}-{10 * one + 10}" for one in range(TENTHS))
_FIFTHS = ("first", "second", "middle", "fourth", "last")
_GROUPS = tuple(group.name for group in GROUPS)
_POSITIONS = tuple(str(place) for place in range(1, max(group.high for group in GROUPS) + 1))

_DEPTH = "depth in the text, % from its start"


@dataclass(frozen=True, slots=True)
class _View:
    """Where needles stand: at places of a line, or of a grid, of which each run has a map."""

    by: str
    """As figures and tables are named."""
    titles: tuple[str, str]
    """Of figures and of the table, after "Needle recall by"."""
    x_title: str
    places: Sequence[str]
    told: str
    """A place in words, with its `row` of a grid."""
    at: Callable[[Needles], tuple[NDArray[np.int64], NDArray[np.int64]]]
    """Row and place of each needle; below 0 it has none."""
    columns: tuple[Column, ...]
    cells: Callable[[int, int], tuple[Cell, ...]]
    """What stands in these columns, by row and place."""
    y_title: str = ""
    rows: Sequence[str] = ("",)

    def found(self, needles: Needles) -> list[list[Recall | None]]:
        """Recall by row and place."""
        row, place = self.at(needles)
        wide = len(self.places)
        known = (row >= 0) & (place >= 0) & (place < wide)
        shares = needles.shares(np.where(known, row * wide + place, -1), len(self.rows) * wide)
        return [shares[first : first + wide] for first in range(0, len(shares), wide)]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a run found."""

    number: int
    """Its place among all runs, from 1."""
    run: Run
    recall: list[list[list[Recall | None]]]
    """By view, row and place."""


def _views(lengths: Sequence[str], benchmark: Benchmark) -> list[_View]:
    ends = of_kind(Kind.SHARE, depth_from="Depth from", depth_to="to")
    order, fifth = "place in the true order", "fifth of the true order"
    by_depth = _View(
        by="depth",
        titles=("depth", "depth"),
        x_title=_DEPTH,
        places=_TENTHS,
        told="at {} %",
        at=lambda needles: (np.zeros_like(needles.tenth), needles.tenth),
        columns=ends,
        cells=lambda _, tenth: (tenth / TENTHS, (tenth + 1) / TENTHS),
    )
    by_depth_and_length = _View(
        by="depth-and-length",
        titles=("depth and length", "depth and length"),
        x_title="tokens of the prompt",
        places=tuple(map(benchmark.labelled, lengths)),
        told="at {row} % of {0}",
        at=lambda needles: (needles.tenth, needles.by_sample(needles.lengths, lengths)),
        columns=(Column("length", "Length"), *ends),
        cells=lambda tenth, at: (lengths[at], *by_depth.cells(0, tenth)),
        y_title=_DEPTH,
        rows=_TENTHS,
    )
    by_fifth = _View(
        by="position",
        titles=(order, fifth),
        x_title=fifth,
        places=_FIFTHS,
        told="in the {} fifth",
        at=lambda needles: (np.zeros_like(needles.fifth), needles.fifth),
        columns=(Column("fifth", fifth.capitalize()),),
        cells=lambda _, at: (_FIFTHS[at],),
    )
    by_position = _View(
        by="position-and-needles",
        titles=(f"{order} and needles", f"{order} and number of needles"),
        x_title=order,
        places=_POSITIONS,
        told="at place {0} of {row} needles",
        at=lambda needles: (needles.by_sample(needles.groups, _GROUPS), needles.position),
        columns=(
            Column("needle_group", "Needles of the sample"),
            Column("position", order.capitalize(), Kind.COUNT),
        ),
        cells=lambda group, at: (_GROUPS[group], at + 1),
        y_title="needles",
        rows=_GROUPS,
    )
    return [by_depth, *([by_depth_and_length] if lengths else []), by_fifth, by_position]


def section(study: Study) -> Section | None:
    """Needle recall of the runs whose scored answers tell of their needles; None without any."""
    needles = [needles_of(run.answers) for run in study.runs]
    told = [(*one, number) for number, one in enumerate(zip(study.runs, needles, strict=True), 1)]
    told = [one for one in told if len(one[1].found)]
    if not told:
        return None
    lengths = ordered(name for one in needles for name in one.lengths if name)
    views = _views(lengths, study.runs[0].benchmark)
    found = [_Found(number, run, [view.found(one) for view in views]) for run, one, number in told]
    shown = Study(tuple(one.run for one in found))
    facets = found[: len(shown.facets)]
    untold = map(_untold, study.runs, needles)
    notes = (*map(_best, facets), *untold, shown.left_out, _INTERVALS)
    tables = [_table(view, at, found) for at, view in enumerate(views)]
    return Section(
        name="depth",
        title="Where needles are found",
        lead=_LEAD,
        figures=tuple(
            figure
            for at, view in enumerate(views)
            for figure in (_maps(view, at, facets) if view.y_title else [_line(view, at, found)])
        ),
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(filter(None, notes)),
    )


def _points(shares: Sequence[Recall | None]) -> tuple[Point | None, ...]:
    return tuple(share.point if share else None for share in shares)


def _line(view: _View, at: int, found: Sequence[_Found]) -> Figure:
    name, by = f"recall-by-{view.by}", view.titles[0]
    lines = [(one.run.label, _points(one.recall[at][0])) for one in found]
    return over_places(
        name, "Needle recall", by, view.x_title, view.places, lines, view.told, together=True
    )


def _maps(view: _View, at: int, facets: Sequence[_Found]) -> Iterator[Figure]:
    name, title = f"recall-by-{view.by}", f"Needle recall by {view.titles[0]}"
    for one in facets:
        if any(map(any, one.recall[at])):
            cells = tuple(map(_points, one.recall[at]))
            names = tuple(view.places), view.y_title, tuple(view.rows)
            chart = Heatmap(view.x_title, *names, cells)
            run = one.run.label
            yield map_of_run(name, title, one.number, run, "Needle recall", chart, view.told)


def _best(one: _Found) -> str:
    """A run's best and worst depth in a sentence; empty where only one is known."""
    known = [
        (share.value, place)
        for place, share in enumerate(one.recall[0][0])
        if share and (share.point.of or 0) >= _FEW
    ]
    if len({value for value, _ in known}) < 2:
        return ""
    high, best = max(known, key=lambda pair: pair[0])
    low, worst = min(known, key=lambda pair: pair[0])
    return (
        f"{one.run.label} finds most at {_TENTHS[best]} % of the depth ({percent(high)}) and "
        f"least at {_TENTHS[worst]} % ({percent(low)})."
    )


def _untold(run: Run, needles: Needles) -> str:
    if not needles.untold:
        return ""
    return (
        f"{run.label}: {needles.untold:,} of {needles.answers:,} scored answers do not tell where "
        "their needles stand or which were found; they are in no figure here."
    )


def _table(view: _View, at: int, found: Sequence[_Found]) -> Table:
    columns = (
        Column("run", "Run"),
        *view.columns,
        *of_kind(Kind.COUNT, samples="Samples", needles="Needles", found="Found"),
        *of_kind(Kind.SHARE, recall="Recall", low="95 % from", high="to"),
    )
    rows = [
        (
            *(one.run.label, *view.cells(row, place)),
            *(share.samples, share.needles, share.found, share.value, share.low, share.high),
        )
        for one in found
        for row, shares in enumerate(one.recall[at])
        for place, share in enumerate(shares)
        if share
    ]
    return tabled(f"recall-by-{view.by}", f"Needle recall by {view.titles[1]}", columns, rows)
