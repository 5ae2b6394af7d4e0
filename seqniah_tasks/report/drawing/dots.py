"""Dot charts: a row a value, with its interval."""

from __future__ import annotations

from seqniah_tasks.report.drawing.amounts import amount, ends, known, limits, tick_text, ticks, told
from seqniah_tasks.report.drawing.furniture import (
    Entry,
    Symbol,
    empty,
    headed,
    hollow,
    legend,
    name,
    names,
    remark,
    room,
)
from seqniah_tasks.report.drawing.lettering import width_of
from seqniah_tasks.report.drawing.scene import (
    SMALL,
    WIDTH,
    Box,
    Disc,
    Item,
    Scene,
    Text,
    Told,
    line,
)
from seqniah_tasks.report.parts import DotRow, Dots

_NAME, _LONG_NAME = (128.0, 2), (150.0, 4)
"""How wide names may be, and in how many lines; and where some are too long for that."""
_HIGH = (20.0, 31.0, 43.0, 55.0)
"""A row, by the lines of its name."""
_MANY = 14
"""Rows from which on the axis is marked at both ends."""


def layout(chart: Dots) -> Scene:
    """Names on the left, dots over a common axis, values on the right."""
    if not chart.rows:
        return empty()
    drawing = _Drawing(chart)
    items, top = remark(headed(chart.axis.title), 0, 0, WIDTH)
    top += 3
    if len(chart.rows) > _MANY:
        items += drawing.marks(top + 10)
        top += 16
    bottom = top + sum(drawing.heights)
    items += drawing.grid(top, bottom)
    y = top
    for row, lines, height in zip(chart.rows, drawing.labels, drawing.heights, strict=True):
        items.append(drawing.row(row, lines, y, height))
        y += height
    items += drawing.marks(bottom + 13)
    height = bottom + 18
    if any(row.published for row in chart.rows):
        sign = Entry(chart.words, Symbol(10, lambda x, y: (hollow(x + 5, y),)))
        more, high = legend([sign], height)
        items += more
        height += high
    return Scene(tuple(items), height)


class _Drawing:
    """The measures of one chart."""

    def __init__(self, chart: Dots) -> None:
        self.chart = chart
        labels = [row.label for row in chart.rows]
        self.labels = names(labels, *_NAME)
        if any("…" in line for lines in self.labels for line in lines):
            self.labels = names(labels, *_LONG_NAME)
        self.heights = [_HIGH[len(lines) - 1] for lines in self.labels]
        self.values = [self._value(row) for row in chart.rows]
        self.left = room(self.labels) + 12
        self.right = WIDTH - max(width_of(value, SMALL) for value in self.values) - 12
        points = [row.point for row in chart.rows]
        self.low, self.high = limits(chart.axis, points)

    def _value(self, row: DotRow) -> str:
        point = known(row.point)
        if point is None:
            return "–"
        return amount(point.value, percent=self.chart.axis.percent, signed=self.chart.zero)

    def x(self, value: float) -> float:
        """Where a value stands; what is beyond the axis stands at its end."""
        share = (value - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * min(max(share, 0.0), 1.0)

    def marks(self, y: float) -> list[Item]:
        """The values of the axis."""
        axis, signed = self.chart.axis, self.chart.zero
        return [
            Text(self.x(tick), y, text, "muted", SMALL, "middle")
            for tick in self._ticks()
            if (text := tick_text(tick, axis, signed=signed))
        ]

    def _ticks(self) -> list[float]:
        widest = 42.0
        return ticks(self.low, self.high, max(2, int((self.right - self.left) / widest) + 1))

    def grid(self, top: float, bottom: float) -> list[Item]:
        """Lines at the values of the axis; that of 0 stands out where it is to compare with."""
        items: list[Item] = []
        for tick in self._ticks():
            strong = self.chart.zero and tick == 0
            x = self.x(tick)
            items.append(line(x, top, x, bottom, "muted" if strong else "grid"))
        return items

    def row(self, row: DotRow, lines: tuple[str, ...], top: float, height: float) -> Told:
        middle = top + height / 2
        signed, percent = self.chart.zero, self.chart.axis.percent
        point = known(row.point)
        parts: list[Item] = [Box(0, top, WIDTH, height)]
        parts += name(lines, self.left - 12, middle, published=row.published)
        if point is not None:
            colour = "mark" if row.published else "s1"
            if span := ends(point):
                parts.append(line(self.x(span[0]), middle, self.x(span[1]), middle, colour, 1.6))
            x = self.x(point.value)
            parts.append(hollow(x, middle) if row.published else Disc(x, middle, 3.8, "s1"))
        value = amount(point.value, percent=percent, signed=signed) if point else "–"
        fill = "muted" if row.published or point is None else "ink"
        parts.append(Text(WIDTH, middle + 3.8, value, fill, SMALL, "end"))
        words = self.chart.words
        label = f"{row.label} ({words})" if row.published else row.label
        return Told(told(label, point, percent=percent, signed=signed), tuple(parts))
