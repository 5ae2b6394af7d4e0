"""Line charts: values over places in order, a line a series; or marks alone, side by side."""

from __future__ import annotations

import math
from collections.abc import Callable

from seqniah_tasks.report.drawing.amounts import ends, known, limits, tick_text, ticks, told
from seqniah_tasks.report.drawing.furniture import (
    Entry,
    Symbol,
    beneath,
    empty,
    headed,
    legend,
    remark,
)
from seqniah_tasks.report.drawing.lettering import fit, width_of
from seqniah_tasks.report.drawing.scene import (
    SMALL,
    WIDTH,
    Disc,
    Item,
    Place,
    Scene,
    Shape,
    Text,
    Told,
    line,
)
from seqniah_tasks.report.drawing.theme import DASHES, SERIES
from seqniah_tasks.report.parts import Lines, Point, Series

_HIGH = 176.0
_RIGHT = WIDTH - 3
_RADIUS = 3.8
_RING = 7.5
_JOINED_APART, _ALONE_APART = 4.0, 9.0
"""How far marks of two series at one place stand apart, so that no interval hides another."""


def layout(chart: Lines) -> Scene:
    """The legend, what is measured, the lines, the names of the places."""
    if not any(known(point) for one in chart.series for point in one.points):
        return empty()
    entries = [_entry(chart, number, one) for number, one in enumerate(chart.series)]
    items, top = legend([*entries, *_level_entries(chart)], 0)
    title, high = remark(headed(chart.axis.title), 0, top + 4, WIDTH)
    items += title
    drawing = _Drawing(chart, top + high + 14)
    items += drawing.grid()
    if chart.joined:
        for number, one in enumerate(chart.series):
            items += drawing.line(number, one)
    for number, one in enumerate(chart.series):
        items += drawing.marks(number, one)
    bottom = drawing.top + _HIGH
    below, high = beneath(chart.places, drawing.left, drawing.slot, bottom + 4)
    items += below
    height = bottom + 4 + high
    if chart.x_title:
        centre = (drawing.left + _RIGHT) / 2
        (text,) = fit(headed(chart.x_title), 2 * (WIDTH - centre), SMALL)
        items.append(Text(centre, height + 13, text, "muted", SMALL, "middle"))
        height += 16
    return Scene(tuple(items), height + 2)


def _entry(chart: Lines, number: int, one: Series) -> Entry:
    colour, dash = SERIES[number % len(SERIES)], DASHES[number % len(DASHES)]

    def symbol(x: float, y: float) -> list[Item]:
        mark = _mark(number, x + (13 if chart.joined else 5), y)
        if not chart.joined:
            return [mark]
        return [Shape(((x, y), (x + 26, y)), stroke=colour, width=1.8, dash=dash), mark]

    return Entry(one.label, Symbol(26 if chart.joined else 10, symbol))


def _level_entries(chart: Lines) -> list[Entry]:
    """The line across, and the rings."""
    if chart.level is None:
        return []
    across = Symbol(26, lambda x, y: [_across(x, x + 26, y)])
    ring = Symbol(2 * _RING, lambda x, y: [Disc(x + _RING, y, _RING - 1, stroke="ink", width=1.4)])
    return [Entry(chart.level.name, across), Entry(chart.level.ring, ring)]


def _across(left: float, right: float, y: float) -> Shape:
    return Shape(((left, y), (right, y)), stroke="ink", width=1.2, dash=(4, 3))


class _Drawing:
    """The measures of one chart."""

    def __init__(self, chart: Lines, top: float) -> None:
        self.chart = chart
        self.top = top
        points = [point for one in chart.series for point in one.points]
        self.low, self.high = limits(chart.axis, points)
        self.ticks = ticks(self.low, self.high, 6)
        texts = [tick_text(tick, chart.axis) for tick in self.ticks]
        self.left = max(width_of(text, SMALL) for text in texts) + 6
        self.slot = (_RIGHT - self.left) / len(chart.places)
        most = _JOINED_APART if chart.joined else _ALONE_APART
        self.apart = min(most, 0.8 * self.slot / len(chart.series))

    def x(self, place: int, number: int) -> float:
        middle = self.left + self.slot * (place + 0.5)
        return middle + self.apart * (number - (len(self.chart.series) - 1) / 2)

    def y(self, value: float) -> float:
        """Where a value stands; what is beyond the axis stands at its end."""
        share = (value - self.low) / (self.high - self.low)
        return self.top + _HIGH * (1 - min(max(share, 0.0), 1.0))

    def grid(self) -> list[Item]:
        """Lines at the values of the axis, and between places that no line joins."""
        items: list[Item] = []
        for tick in self.ticks:
            y = self.y(tick)
            text = tick_text(tick, self.chart.axis)
            items.append(line(self.left, y, _RIGHT, y, "muted" if tick == self.low else "grid"))
            items.append(Text(self.left - 6, y + 3.8, text, "muted", SMALL, "end"))
        if not self.chart.joined:
            for place in range(1, len(self.chart.places)):
                x = self.left + self.slot * place
                items.append(line(x, self.top, x, self.top + _HIGH, "grid"))
        if self.chart.level:
            items.append(_across(self.left, _RIGHT, self.y(self.chart.level.value)))
        return items

    def line(self, number: int, one: Series) -> list[Item]:
        """The series' line, broken where nothing was measured."""
        runs: list[list[Place]] = [[]]
        for place, point in enumerate(one.points):
            if found := known(point):
                x, y = self.x(place, number), self.y(found.value)
                half = self.slot / 2 if self.chart.level else 0.0
                ends = max(x - half, self.left), min(x + half, _RIGHT)
                runs[-1] += [(end, y) for end in dict.fromkeys(ends)]
            else:
                runs.append([])
        colour, dash = SERIES[number % len(SERIES)], DASHES[number % len(DASHES)]
        return [
            Shape(tuple(run), stroke=colour, width=1.8, dash=dash) for run in runs if len(run) > 1
        ]

    def marks(self, number: int, one: Series) -> list[Item]:
        items: list[Item] = []
        for place, point in zip(range(len(self.chart.places)), one.points, strict=False):
            if found := known(point):
                items.append(self._told(number, one.label, place, found))
        return items

    def _told(self, number: int, label: str, place: int, point: Point) -> Told:
        x, y = self.x(place, number), self.y(point.value)
        parts: list[Item] = [Disc(x, y, max(_RADIUS, min(8.0, self.apart)))]
        low, high = map(self.y, ends(point) or (point.value, point.value))
        # What ends under the mark would be specks at its edge.
        if max(low - y, y - high) > _RADIUS + 1:
            parts.append(line(x, low, x, high, SERIES[number % len(SERIES)], 1.2))
        parts.append(_mark(number, x, y))
        if self.chart.series[number].ringed == place:
            parts.append(Disc(x, y, _RING, stroke="ink", width=1.4))
        text = f"{label}, {self.chart.places[place]}"
        return Told(told(text, point, percent=self.chart.axis.percent), tuple(parts))


def _mark(number: int, x: float, y: float) -> Item:
    """The series' own mark; one of the six is a disc, the others have corners."""
    colour = SERIES[number % len(SERIES)]
    outline = _OUTLINES[number % len(_OUTLINES)]
    if outline is None:
        return Disc(x, y, _RADIUS, colour, "ground", 1)
    return Shape(outline(x, y, _RADIUS), colour, "ground", 1, closed=True)


def _square(x: float, y: float, radius: float) -> tuple[Place, ...]:
    half = 0.9 * radius
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _triangle(x: float, y: float, radius: float) -> tuple[Place, ...]:
    wide = 1.15 * radius
    return (x - wide, y + 0.9 * radius), (x + wide, y + 0.9 * radius), (x, y - 1.2 * radius)


def _turned(x: float, y: float, radius: float) -> tuple[Place, ...]:
    return tuple((a, 2 * y - b) for a, b in _triangle(x, y, radius))


def _plus(x: float, y: float, radius: float) -> tuple[Place, ...]:
    long, short = 1.3 * radius, 0.45 * radius
    right = ((long, -short), (long, short), (short, short))
    turns = ((1, 0), (0, 1), (-1, 0), (0, -1))
    return tuple(
        (x + a * cos - b * sin, y + a * sin + b * cos) for cos, sin in turns for a, b in right
    )


def _cross(x: float, y: float, radius: float) -> tuple[Place, ...]:
    half = math.sqrt(0.5)
    return tuple(
        (x + half * (a - x - b + y), y + half * (a - x + b - y)) for a, b in _plus(x, y, radius)
    )


_Outline = Callable[[float, float, float], tuple[Place, ...]]
_OUTLINES: tuple[_Outline | None, ...] = (None, _square, _triangle, _turned, _plus, _cross)
