"""Figures that several sections have, each with what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from seqniah_tasks.report.measures import by_run, extremes, extremes_by_run, told_at
from seqniah_tasks.report.parts import Axis, Figure, Heatmap, Point, of_run
from seqniah_tasks.report.words import percent

NONE_SCORED = "No answer is scored."


def over_places(
    name: str,
    what: str,
    by: str,
    x_title: str,
    places: Sequence[str],
    lines: Sequence[tuple[str, Sequence[Point | None]]],
    at: str,
    *,
    title: str = "",
    axis: Axis | None = None,
    joined: bool = True,
    together: bool = False,
    words: Callable[[float], str] = percent,
    nothing: str = NONE_SCORED,
) -> Figure:
    """A figure of `what` by `by` for several runs, told by where it is high or low.

    `at` has a place in words. With `together`, the highest and lowest values are those of all runs,
    however few. `nothing` is told where no run has a value.
    """
    shown = {label: told_at(at.format, places, points) for label, points in lines}
    told = extremes_by_run(what, shown, words, together=together)
    chart = by_run(x_title, places, axis or Axis(what.lower()), lines, joined=joined)
    return Figure(name, title or f"{what} by {by}", told or nothing, chart)


def map_of_run(
    name: str, title: str, number: int, run: str, what: str, chart: Heatmap, at: str
) -> Figure:
    """A map of one run, told by where `what` is high or low; `at` has a place and its `row`."""
    shown = [
        one
        for row, points in zip(chart.lines, chart.cells, strict=True)
        for one in told_at(partial(at.format, row=row), chart.places, points)
    ]
    return of_run(name, title, number, run, extremes(what, shown) or NONE_SCORED, chart)


def modes_map(
    name: str,
    title: str,
    x_title: str,
    what: str,
    titles: Mapping[str, str],
    lines: Sequence[tuple[str, Mapping[str, float], int]],
    published: int = 0,
) -> Figure:
    """Shares of answers, each of so many samples, by failure mode: a row a run.

    The last rows may be published ones, of which nothing is told.
    """
    ours = len(lines) - published
    told = [
        (f"for {title} of {label}", shares[mode])
        for label, shares, _ in lines[:ours]
        for mode, title in titles.items()
        if shares.get(mode)
    ]
    labels = tuple(label for label, _, _ in lines)
    cells = tuple(
        tuple(Point(shares[mode], of=of) if mode in shares else None for mode in titles)
        for _, shares, of in lines
    )
    beside = frozenset(range(ours, len(lines)))
    chart = Heatmap(x_title, tuple(titles.values()), "run", labels, cells, published=beside)
    return Figure(name, title, extremes(what, told), chart)
