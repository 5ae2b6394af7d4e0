"""Counting-Stars as the paper's figures show it: star by star and length by length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from seqniah_datasets.schema import StarAsk
from seqniah_tasks.benchmarks.counting_stars.report import cells as star_cells
from seqniah_tasks.benchmarks.counting_stars.report.cells import (
    MOST_LINES,
    MOST_PLACES,
    Cells,
    Lost,
    Values,
    thirds,
)
from seqniah_tasks.benchmarks.counting_stars.report.runs import Group, by_language, lengths
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import extremes, mean, told_at
from seqniah_tasks.report.parts import (
    Cell,
    Figure,
    Heatmap,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
    of_run,
)
from seqniah_tasks.report.runs import MOST_FACETS, Study
from seqniah_tasks.report.words import percent

_LEAD = (
    "Rows are the stars asked for, in the order in which they stand in the text; columns are the "
    "lengths of the prompt (Figures 3, 4, 6 and 7 of the paper). A cell is dark where the star's "
    "number is listed, pale where it is not, and between the two where several samples or epochs "
    "differ or half a star was earned. Position counts a number only in its own place of the "
    "list, so that one number left out shifts all that follow: where the first map is dark and "
    "the second pale, the order is lost, not the stars."
)

_THIRDS = ("first third of the stars", "middle", "last")
_WHERE = ("at the start", "in the middle", "in the tail")

_LEVEL = 0.05
"""Below this, p is beyond chance."""


@dataclass(frozen=True, slots=True)
class _Facet:
    """Answers of one run in one language to one kind of question that has a list for an answer."""

    number: int
    """From 1."""
    label: str
    rows: list[Record]
    """Those that tell of each star."""
    lengths: list[str]


def _credits(row: Record) -> Sequence[float] | None:
    return row.items.get("credits")


def _placed(row: Record) -> Sequence[float] | None:
    return row.items.get("placed")


_STARS, _DEPTHS = ("star", "for star {}"), ("depth, %", "at {} % of the depth")
"""What lines of a map are, and one of them in a sentence."""

_MAPS = (
    ("stars-found", "Stars found, by star and length", _STARS, star_cells.by_star, _credits),
    ("stars-placed", "Stars in their own place of the list", _STARS, star_cells.by_star, _placed),
    ("stars-by-depth", "Stars found, by depth and length", _DEPTHS, star_cells.by_depth, _credits),
)


def section(study: Study) -> Section | None:
    """The maps of all runs; None where no answer tells of its stars."""
    facets = list(_facets(by_language(study.runs)))
    if not facets:
        return None
    return Section(
        name="stars-maps",
        title="Counting-Stars: star by star",
        lead=_LEAD,
        figures=tuple(figure for one in facets[:MOST_FACETS] for figure in _figures(one)),
        tables=_tables(facets),
        notes=tuple(filter(None, _notes(facets))),
    )


def _facets(groups: Sequence[Group]) -> Iterator[_Facet]:
    number = 0
    for group in groups:
        told = star_cells.told(group.rows, _credits)
        asks = sorted({row.traits.get("ask", "") for row in told})
        for ask in asks:
            rows = [row for row in told if row.traits.get("ask", "") == ask]
            apart = f", {ask}" if len(asks) > 1 or ask == StarAsk.ORDER else ""
            number += 1
            yield _Facet(number, group.label + apart, rows, lengths(rows))


def _figures(one: _Facet) -> Iterator[Figure]:
    for name, title, lines, divided, values in _MAPS:
        if cells := divided(one.rows, values, one.lengths):
            found = mean(one.rows, partial(_average, values))
            beside = f"mean {percent(found.value)}" if found else ""
            shown = star_cells.small(cells)
            told = _told("Position" if values is _placed else "The share found", shown, lines[1])
            chart = _map(shown, lines[0])
            yield of_run(name, title, one.number, one.label, told, chart, beside)


def _map(cells: Cells, y_title: str) -> Heatmap:
    return Heatmap(
        x_title="length of the prompt",
        places=cells.places,
        y_title=y_title,
        lines=cells.lines,
        cells=tuple(tuple(map(_point, row)) for row in cells.means.tolist()),
        dense=True,
    )


def _told(what: str, cells: Cells, line: str) -> str:
    """Which lengths are high or low, and which stars or depths over all lengths."""
    by_length, by_line = star_cells.margins(cells, 0), star_cells.margins(cells, 1)
    told = (
        extremes(what, told_at("at {}".format, cells.places, by_length)),
        extremes("Over all lengths it", told_at(line.format, cells.lines, by_line)),
    )
    return " ".join(filter(None, told))


def _average(values: Values, row: Record) -> float | None:
    given = values(row)
    return math.fsum(given) / len(given) if given else None


def _point(value: float) -> Point | None:
    return None if math.isnan(value) else Point(value)


def _notes(facets: Sequence[_Facet]) -> Iterator[str]:
    for one in facets[:MOST_FACETS]:
        yield _where_lost(one)
    more = len(facets) - MOST_FACETS
    if more > 0:
        yield (
            f"Maps are of the first {MOST_FACETS} runs and languages; the tables have the other "
            f"{more} too, and a report of fewer logs shows them."
        )
    most = max(len(_credits(row) or ()) for one in facets for row in one.rows)
    if most > MOST_LINES or any(len(one.lengths) > MOST_PLACES for one in facets):
        yield "Where a map would have too many rows or columns, neighbours stand in one, by mean."
    yield (
        "Lost at the start, in the middle or in the tail is said where less is found than in the "
        "thirds beside it, and the difference from the mean of the other two is beyond chance (its "
        "95 % interval over samples leaves out 0, p of the permutation test is below 0.05). The "
        "paper finds bad cases more often in the tail than in the middle (section 3.2)."
    )


def _where_lost(one: _Facet) -> str:
    """In which third of the list stars are missed more than in the others, if in any."""
    found = thirds(one.rows, _credits)
    if not found:
        return ""
    values = [value for value, _ in found]
    told = map("{} of the {}".format, map(percent, values), _THIRDS)
    # A third that is less than one beside it and more than the other is on the way down.
    beside = (values[1], min(values[0], values[2]), values[1])
    lost = [
        f"lost {where} ({_less(less)})"
        for (value, less), where, near in zip(found, _WHERE, beside, strict=True)
        if less and less.low > 0 and less.p < _LEVEL and value < near
    ]
    return f"{one.label} finds {', '.join(told)}: {' and '.join(lost) or 'no third stands out'}."


def _less(lost: Lost) -> str:
    told = f"{percent(lost.less)} less than in the others"
    if lost.low == lost.high:
        return f"{told}, in every sample alike"
    return f"{told}, {percent(lost.low)} to {percent(lost.high)}"


def _tables(facets: Sequence[_Facet]) -> tuple[Table, ...]:
    keys = of_kind(Kind.TEXT, run="Run", length="Length")
    measured = *of_kind(Kind.NUMBER, stars="Stars"), *of_kind(Kind.SHARE, found="Found")
    star, placed = of_kind(Kind.COUNT, star="Star"), of_kind(Kind.SHARE, placed="In its own place")
    ends = of_kind(Kind.SHARE, depth_from="Depth from", depth_to="to")
    by_star = tuple(line for one in facets for line in _by_star(one))
    by_depth = tuple(line for one in facets for line in _by_depth(one))
    of_stars, of_depths = (*keys, *star, *measured, *placed), (*keys, *ends, *measured)
    tables = (
        Table("stars-by-star-and-length", "Stars by length", of_stars, by_star),
        Table("stars-by-depth-and-length", "Stars by depth and length", of_depths, by_depth),
    )
    return tuple(table for table in tables if table.rows)


def _by_star(one: _Facet) -> Iterator[tuple[Cell, ...]]:
    found = star_cells.by_star(one.rows, _placed, one.lengths)
    placed = {(line, place): value for line, place, _, value in _lines(found)}
    for line, place, count, value in _lines(star_cells.by_star(one.rows, _credits, one.lengths)):
        yield one.label, one.lengths[place], line + 1, count, value, placed.get((line, place))


def _by_depth(one: _Facet) -> Iterator[tuple[Cell, ...]]:
    for line, place, count, value in _lines(star_cells.by_depth(one.rows, _credits, one.lengths)):
        ends = line / star_cells.TENTHS, (line + 1) / star_cells.TENTHS
        yield one.label, one.lengths[place], *ends, count, value


def _lines(cells: Cells | None) -> Iterator[tuple[int, int, float, float]]:
    """Each cell that holds a star: its line and place, how many stars, and their mean."""
    if cells is not None:
        for (place, line), count in np.ndenumerate(cells.counts.T):
            if count > 0:
                yield line, place, float(count), float(cells.means[line, place])
