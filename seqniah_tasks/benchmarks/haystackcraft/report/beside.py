"""Charts of F1 with the published models beside the runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median

from seqniah_tasks.benchmarks.haystackcraft.report.published import WORDS, similar
from seqniah_tasks.report.measures import extremes, extremes_by_run, told_at
from seqniah_tasks.report.parts import Axis, Chart, DotRow, Dots, Heatmap, Lines, Point, Series
from seqniah_tasks.report.runs import MOST_LINES, Run

Points = Sequence[Point | None]
"""One for each place of a chart; None: nothing is known there."""

_AXIS = Axis("F1")


@dataclass(frozen=True, slots=True)
class Over:
    """What a chart goes over, in order."""

    title: str
    """Of the axis."""
    places: tuple[str, ...]
    at: str
    """A place in a sentence."""
    joined: bool = True
    """Whether the places have an order that a line may join."""


Named = Sequence[tuple[str, Points]]
"""Lines by name."""


def alike(runs: Sequence[Run], models: Collection[str]) -> frozenset[str]:
    """The published models that runs are of by their names."""
    return frozenset(name for run in runs if (name := similar(run.model, models)))


def words(theirs: Named) -> str:
    """What a title says of published models; empty without any."""
    return f" beside the paper's models ({WORDS})" if theirs else ""


def chart(
    over: Over, what: str, ours: Named, theirs: Named = (), shown: Collection[str] = ()
) -> Chart:
    """F1 of each of `ours`: lines, dots at a single place, or a map of many.

    Lines have those of the published models that are `shown` beside them, or without any what the
    middle one of all has; the other charts have every model. `what` is what `ours` are.
    """
    if len(over.places) == 1:
        rows = [DotRow(label, points[0]) for label, points in ours]
        rows += [DotRow(model, points[0], published=True) for model, points in theirs]
        return Dots(_AXIS, tuple(rows), words=WORDS)
    others = [(f"{name} ({WORDS})", points) for name, points in theirs if name in shown]
    lines = [*ours, *(others or ([_middle(theirs)] if theirs else []))]
    if len(lines) <= MOST_LINES:
        series = tuple(Series(label, tuple(points)) for label, points in lines)
        return Lines(over.title, over.places, _AXIS, series, over.joined)
    every = [*ours, *theirs]
    return Heatmap(
        over.title,
        over.places,
        what,
        tuple(label for label, _ in every),
        tuple(tuple(points) for _, points in every),
        published=frozenset(range(len(ours), len(every))),
    )


def _middle(theirs: Named) -> tuple[str, Points]:
    """The median of the published models, with the lowest and the highest of them as its ends."""
    columns = zip(*(points for _, points in theirs), strict=True)
    known = ([one.value for one in column if one] for column in columns)
    points = [
        Point(median(values), min(values), max(values)) if values else None for values in known
    ]
    return f"{len(theirs)} published models: median, lowest, highest", points


def told(over: Over, ours: Named, theirs: Named = ()) -> str:
    """The same in a sentence or two."""
    values = {label: told_at(over.at.format, over.places, points) for label, points in ours}
    words = extremes_by_run("F1", values) or "No answer is scored."
    if not theirs:
        return words
    middle = told_at(over.at.format, over.places, _middle(theirs)[1])
    return f"{words} {extremes(f'The median of {len(theirs)} published models', middle)}"
