"""Which needles are found: by depth in the text and by place in the true order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from seqniah_datasets.splits import GROUPS
from seqniah_tasks.benchmarks.sequential_niah.report.recall import (
    FIFTHS,
    TENTHS,
    Needles,
    Recall,
    needles_of,
)
from seqniah_tasks.report.measures import by_run, extremes, ordered, tally, tally_kind, told_at
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    Figure,
    Heatmap,
    Kind,
    Point,
    Section,
    Table,
    of_run,
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

_Shares = list[Recall | None]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a run found."""

    number: int
    """Its place among all runs, from 1."""
    run: Run
    by_depth: _Shares
    by_fifth: _Shares
    by_length: list[_Shares]
    """For each tenth of the depth, by length."""
    by_position: list[_Shares]
    """For each needle group, by position."""


def section(study: Study) -> Section | None:
    """Needle recall of the runs whose scored answers tell of their needles; None without any."""
    needles = [needles_of(run.answers) for run in study.runs]
    lengths = ordered(name for one in needles for name in one.lengths if name)
    found = [
        _found(number, run, one, lengths)
        for number, (run, one) in enumerate(zip(study.runs, needles, strict=True), 1)
        if len(one.found)
    ]
    if not found:
        return None
    shown = Study(tuple(one.run for one in found))
    facets = found[: len(shown.facets)]
    untold = map(_untold, study.runs, needles)
    notes = (*map(_best, facets), *untold, shown.left_out, _INTERVALS)
    return Section(
        name="depth",
        title="Where needles are found",
        lead=_LEAD,
        figures=(
            _over_depth(found),
            *(_depth_and_length(one, lengths) for one in facets if any(map(any, one.by_length))),
            _over_order(found),
            *(_position_and_needles(one) for one in facets if any(map(any, one.by_position))),
        ),
        tables=_tables(found, lengths),
        notes=tuple(filter(None, notes)),
    )


def _found(number: int, run: Run, needles: Needles, lengths: Sequence[str]) -> _Found:
    length = needles.by_sample(needles.lengths, lengths)
    group = needles.by_sample(needles.groups, _GROUPS)
    position = needles.position
    bins, places = len(lengths), len(_POSITIONS)
    at_length = needles.tenth * bins + length
    at_length[length < 0] = -1
    at_position = group * places + position
    at_position[(group < 0) | (position >= places)] = -1
    return _Found(
        number=number,
        run=run,
        by_depth=needles.shares(needles.tenth, TENTHS),
        by_fifth=needles.shares(needles.fifth, FIFTHS),
        by_length=_in_rows(needles.shares(at_length, TENTHS * bins), TENTHS),
        by_position=_in_rows(needles.shares(at_position, len(_GROUPS) * places), len(_GROUPS)),
    )


def _in_rows(shares: _Shares, rows: int) -> list[_Shares]:
    wide = len(shares) // rows
    return [shares[row * wide : (row + 1) * wide] for row in range(rows)]


def _points(shares: _Shares) -> tuple[Point | None, ...]:
    return tuple(share.point if share else None for share in shares)


def _over_depth(found: Sequence[_Found]) -> Figure:
    lines = [(one.run.label, one.by_depth) for one in found]
    return _by_run("depth", "depth", _DEPTH, _TENTHS, lines, "at {} %")


def _over_order(found: Sequence[_Found]) -> Figure:
    lines = [(one.run.label, one.by_fifth) for one in found]
    x_title, where = "fifth of the true order", "place in the true order"
    return _by_run("position", where, x_title, _FIFTHS, lines, "in the {} fifth")


def _by_run(
    by: str,
    where: str,
    x_title: str,
    places: Sequence[str],
    lines: Sequence[tuple[str, _Shares]],
    words: str,
) -> Figure:
    shown = [
        (f"{place} by {label}", value)
        for label, shares in lines
        for place, value in told_at(words.format, places, shares)
    ]
    return Figure(
        name=f"recall-by-{by}",
        title=f"Needle recall by {where}",
        told=extremes("Needle recall", shown),
        chart=by_run(
            x_title,
            places,
            Axis("needle recall"),
            [(label, _points(shares)) for label, shares in lines],
        ),
    )


def _depth_and_length(one: _Found, lengths: Sequence[str]) -> Figure:
    names = tuple(map(one.run.benchmark.labelled, lengths))
    chart = Heatmap(
        "tokens of the prompt", names, _DEPTH, _TENTHS, tuple(map(_points, one.by_length))
    )
    return _map(one, "depth-and-length", "depth and length", chart, "at {row} % of {0}")


def _position_and_needles(one: _Found) -> Figure:
    where = "place in the true order"
    cells = tuple(map(_points, one.by_position))
    chart = Heatmap(where, _POSITIONS, "needles", _GROUPS, cells)
    told = "at place {0} of {row} needles"
    return _map(one, "position-and-needles", f"{where} and needles", chart, told)


def _map(one: _Found, by: str, where: str, chart: Heatmap, words: str) -> Figure:
    shown = [
        shown
        for row, points in zip(chart.lines, chart.cells, strict=True)
        for shown in told_at(partial(words.format, row=row), chart.places, points)
    ]
    told = extremes("Needle recall", shown)
    name, title = f"recall-by-{by}", f"Needle recall by {where}"
    return of_run(name, title, one.number, one.run.label, told, chart)


def _cells(rows: Sequence[_Shares]) -> list[tuple[int, int, Recall]]:
    return [
        (row, column, share)
        for row, shares in enumerate(rows)
        for column, share in enumerate(shares)
        if share
    ]


def _best(one: _Found) -> str:
    """A run's best and worst depth in a sentence; empty where only one is known."""
    known = [
        (share.value, place)
        for place, share in enumerate(one.by_depth)
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


def _tables(found: Sequence[_Found], lengths: Sequence[str]) -> tuple[Table, ...]:
    depth = (Column("depth_from", "Depth from", Kind.SHARE), Column("depth_to", "to", Kind.SHARE))
    length, group = Column("length", "Length"), Column("needle_group", "Needles of the sample")
    fifth = Column("fifth", "Fifth of the true order")
    position = Column("position", "Place in the true order", Kind.COUNT)
    tables = (
        _table(
            ("depth", "depth"),
            depth,
            _lines(found, lambda one: [one.by_depth], lambda _, at: _tenth(at)),
        ),
        _table(
            ("depth-and-length", "depth and length"),
            (length, *depth),
            _lines(found, lambda one: one.by_length, lambda row, at: (lengths[at], *_tenth(row))),
        ),
        _table(
            ("position", "fifth of the true order"),
            (fifth,),
            _lines(found, lambda one: [one.by_fifth], lambda _, at: (_FIFTHS[at],)),
        ),
        _table(
            ("position-and-needles", "place in the true order and number of needles"),
            (group, position),
            _lines(found, lambda one: one.by_position, lambda row, at: (_GROUPS[row], at + 1)),
        ),
    )
    return tuple(table for table in tables if table.rows)


_Line = tuple[_Found, tuple[Cell, ...], Recall]


def _lines(
    found: Sequence[_Found],
    shares: Callable[[_Found], Sequence[_Shares]],
    place: Callable[[int, int], tuple[Cell, ...]],
) -> list[_Line]:
    return [(one, place(row, at), share) for one in found for row, at, share in _cells(shares(one))]


def _tenth(place: int) -> tuple[Cell, Cell]:
    return place / TENTHS, (place + 1) / TENTHS


def _table(by: tuple[str, str], columns: tuple[Column, ...], lines: Sequence[_Line]) -> Table:
    found = [tally(share.found) for *_, share in lines]
    return Table(
        name=f"recall-by-{by[0]}",
        title=f"Needle recall by {by[1]}",
        columns=(
            Column("run", "Run"),
            *columns,
            Column("samples", "Samples", Kind.COUNT),
            Column("needles", "Needles", Kind.COUNT),
            Column("found", "Found", tally_kind(found)),
            Column("recall", "Recall", Kind.SHARE),
            Column("low", "95 % from", Kind.SHARE),
            Column("high", "to", Kind.SHARE),
        ),
        rows=tuple(
            (
                *(one.run.label, *values, share.samples, share.needles),
                *(count, share.value, share.low, share.high),
            )
            for (one, values, share), count in zip(lines, found, strict=True)
        ),
    )
