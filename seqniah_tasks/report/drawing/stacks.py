"""Stacked bars: rows divided into parts that add up to all."""

from __future__ import annotations

import math

from seqniah_tasks.report.drawing.amounts import in_cell, tick_text, told
from seqniah_tasks.report.drawing.furniture import Entry, Symbol, empty, legend, name, names, room
from seqniah_tasks.report.drawing.lettering import width_of
from seqniah_tasks.report.drawing.scene import SMALL, WIDTH, Box, Item, Scene, Text, Told, line
from seqniah_tasks.report.drawing.theme import fills, text_on
from seqniah_tasks.report.parts import Axis, Point, Stacks

_WIDEST_NAME = 112.0
_ROW = 26.0
_TWO_LINES = 31.0
_BAR = 19.0


def layout(chart: Stacks) -> Scene:
    """The legend in the order of the parts, then a bar a row with how many it is of."""
    if not chart.rows or not chart.parts:
        return empty()
    colours = fills(len(chart.parts))
    entries = [Entry(*pair) for pair in zip(chart.parts, map(_patch, colours), strict=True)]
    items, top = legend(entries, 0)
    top += 4
    drawing = _Drawing(chart, colours)
    bottom = top + sum(drawing.heights)
    items += drawing.axis(top, bottom)
    y = top
    for number, height in enumerate(drawing.heights):
        items += drawing.row(number, y + height / 2)
        y += height
    return Scene(tuple(items), bottom + 20)


def _patch(colour: str) -> Symbol:
    return Symbol(11, lambda x, y: (Box(x, y - 5.5, 11, 11, fill=colour),))


class _Drawing:
    """The measures of one chart."""

    def __init__(self, chart: Stacks, colours: tuple[str, ...]) -> None:
        self.chart = chart
        self.colours = colours
        self.labels = names([label for label, _, _ in chart.rows], _WIDEST_NAME)
        self.heights = [_TWO_LINES if len(lines) > 1 else _ROW for lines in self.labels]
        self.counts = [f"n={of:,}" for _, _, of in chart.rows]
        self.left = room(self.labels) + 8
        self.right = WIDTH - max(width_of(count, SMALL) for count in self.counts) - 7

    def axis(self, top: float, bottom: float) -> list[Item]:
        items: list[Item] = []
        for tick in (0.0, 0.5, 1.0):
            x = self.left + (self.right - self.left) * tick
            items.append(line(x, top, x, bottom + 3, "grid"))
            text = tick_text(tick, Axis(""))
            items.append(Text(x, bottom + 14, text, "muted", SMALL, "middle"))
        return items

    def row(self, number: int, middle: float) -> list[Item]:
        label, shares, of = self.chart.rows[number]
        items: list[Item] = [
            Told(label, tuple(name(self.labels[number], self.left - 8, middle))),
            Text(WIDTH, middle + 3.8, self.counts[number], "muted", SMALL, "end"),
        ]
        x = self.left
        for part, share, colour in zip(self.chart.parts, shares, self.colours, strict=False):
            wide = (self.right - self.left) * share if math.isfinite(share) else 0.0
            wide = min(wide, self.right - x)
            if wide <= 0:
                continue
            text = told(f"{label}, {part}", Point(share, of=of))
            items.append(Told(text, tuple(_part(x, middle, wide, share, colour))))
            x += wide
        if x == self.left:
            items.append(Text(x + 4, middle + 3.8, "nothing measured", "muted", SMALL))
        return items


def _part(x: float, middle: float, wide: float, share: float, colour: str) -> list[Item]:
    """A part's stretch of the bar, with its share where that has room."""
    # A sliver stays to be seen; the gap between two parts is taken from the wider ones.
    box = Box(x, middle - _BAR / 2, max(wide - 1, min(wide, 1.0)), _BAR, fill=colour)
    text = in_cell(share, fine=False)
    if width_of(text, SMALL) + 5 > wide:
        return [box]
    centre = x + (wide - 1) / 2
    return [box, Text(centre, middle + 3.8, text, text_on(colour), SMALL, "middle")]
