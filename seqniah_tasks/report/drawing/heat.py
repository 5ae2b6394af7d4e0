"""Heat maps: shares by row and column, darker where higher."""

from __future__ import annotations

from seqniah_tasks.report.drawing.amounts import in_cell, known, tick_text, told
from seqniah_tasks.report.drawing.furniture import (
    Layout,
    above,
    empty,
    headed,
    name,
    names,
    overhang,
    remark,
    room,
    some_names,
    some_of,
)
from seqniah_tasks.report.drawing.lettering import fit, width_of
from seqniah_tasks.report.drawing.scene import SMALL, WIDTH, Box, Item, Scene, Text, Told, line
from seqniah_tasks.report.drawing.theme import shade, text_on
from seqniah_tasks.report.parts import PUBLISHED, Axis, Heatmap, Point

_WIDEST_NAME = 112.0
_WIDEST_CELL = 62.0
_NARROWEST_TEXT = 26.0
_FEW = 10
"""A cell of fewer samples says of how many, in letters of this size."""
_FEW_SIZE = 10.0
_FINE = 0.2
"""Up to this highest value cells have a decimal."""
_MOST_LETTERED = 14
"""Rows up to which a dense chart is drawn like any other, if its cells have room for values."""
_DENSE_HIGH, _LOWEST = 330.0, 6.0
"""Of a dense chart's rows together, and of one."""
_APART = 13.0
"""From the name of a row to the next."""


def layout(chart: Heatmap) -> Scene:
    """Names of columns above, of rows on the left, what the colours mean below."""
    if not chart.lines or not chart.places:
        return empty()
    drawing = _Drawing(chart)
    if chart.dense and not (drawing.lettered and len(chart.lines) <= _MOST_LETTERED):
        drawing = _Dense(chart)
    items, y = remark(headed(chart.x_title), drawing.left, 0, WIDTH - drawing.left)
    heads, high = drawing.heads(y + 2)
    items += heads
    y += 2 + high + 4
    for place, words in enumerate(reversed(fit(headed(chart.y_title), drawing.left - 7, SMALL, 2))):
        items.append(Text(drawing.left - 7, y - 7 - 13 * place, words, "muted", SMALL, "end"))
    for number in range(len(chart.lines)):
        if number and drawing.published(number) != drawing.published(number - 1):
            items.append(line(0, y + 3.5, drawing.right, y + 3.5, "muted", 0.8))
            y += 8
        items += drawing.row(number, y)
        y += drawing.high
    items += drawing.over(y)
    scale, high = drawing.scale(y + 8)
    return Scene((*items, *scale), y + 8 + high)


class _Drawing:
    """The measures of one chart."""

    def __init__(self, chart: Heatmap) -> None:
        self.chart = chart
        self.labels = names(chart.lines, _WIDEST_NAME, size=SMALL)
        title = room([fit(headed(chart.y_title), _WIDEST_NAME, SMALL, 2)], SMALL)
        self.left = max(room(self.labels, SMALL), title) + 7
        columns = len(chart.places)
        free = WIDTH - self.left
        self.cell = min(_WIDEST_CELL, free / columns)
        if over := overhang(chart.places, self.cell):
            self.cell = min(_WIDEST_CELL, (free - over) / columns)
        self.right = self.left + self.cell * columns
        self.fine = chart.high <= _FINE
        points = [point for row in chart.cells for one in row if (point := known(one))]
        self.missing = len(points) < len(chart.lines) * columns
        self.few = any(map(_few, points))
        shares = max((width_of(self._share(point), SMALL) for point in points), default=0.0)
        counts = [width_of(_of(point), _FEW_SIZE) for point in points if _few(point)]
        self.lettered = self.cell >= max(_NARROWEST_TEXT, shares + 4, *(one + 2 for one in counts))
        self.sign = " %" if shares + width_of(" %", SMALL) + 4 <= self.cell else ""
        two = any(len(lines) > 1 for lines in self.labels) or (self.few and self.lettered)
        self.high = 29.0 if two else 23.0

    def heads(self, y: float) -> Layout:
        """Names of the columns."""
        return above(self.chart.places, self.left, self.cell, y)

    def over(self, bottom: float) -> list[Item]:
        """What is drawn on all rows, which end here."""
        return []

    def published(self, number: int) -> bool:
        return number in self.chart.published

    def _share(self, point: Point) -> str:
        return in_cell(point.value, fine=self.fine)

    def row(self, number: int, top: float) -> list[Item]:
        """A row's name and its cells."""
        label, published = self.chart.lines[number], self.published(number)
        middle = top + (self.high - 1) / 2
        words = name(self.labels[number], self.left - 7, middle, size=SMALL, published=published)
        full = f"{label} ({PUBLISHED})" if published else label
        items: list[Item] = [Told(full, tuple(words))]
        for column, place in enumerate(self.chart.places):
            point = known(self.chart.cells[number][column])
            parts = self._cell(point, self.left + self.cell * column, top)
            items.append(Told(told(f"{full}, {place}", point), tuple(parts)))
        return items

    def _cell(self, point: Point | None, x: float, top: float) -> list[Item]:
        wide, high = self.cell - 1, self.high - 1
        if point is None:
            frame = Box(x + 0.5, top + 0.5, wide - 1, high - 1, stroke="grid")
            return [Box(x, top, wide, high), frame]
        colour = shade(point.value / self.chart.high if self.chart.high > 0 else 0.0)
        few = _few(point)
        if not self.lettered:
            inset = min(wide, high) / 5 if few else 0.0
            size = wide - 2 * inset, high - 2 * inset
            return [Box(x, top, wide, high), Box(x + inset, top + inset, *size, fill=colour)]
        fill, centre, baseline = text_on(colour), x + wide / 2, top + high / 2 + 3.8
        parts: list[Item] = [Box(x, top, wide, high, fill=colour)]
        if few:
            parts.append(Text(centre, baseline + 6.2, _of(point), fill, _FEW_SIZE, "middle"))
            baseline -= 5.6
        share = f"{self._share(point)}{self.sign}"
        parts.append(Text(centre, baseline, share, fill, SMALL, "middle"))
        return parts

    def scale(self, y: float) -> tuple[list[Item], float]:
        """What the colours mean, and what else has to be said of the cells."""
        x, steps, wide = self.left, 20, 4.0
        axis = Axis("")
        items: list[Item] = [
            Box(x + 22 + wide * step, y + 1, wide + 0.5, 9, fill=shade(step / (steps - 1)))
            for step in range(steps)
        ]
        high = float(f"{self.chart.high:.3g}")
        ends = (x, tick_text(0.0, axis)), (x + 26 + wide * steps, tick_text(high, axis))
        items += [Text(at, y + 9.3, text, "muted", SMALL) for at, text in ends]
        notes = []
        if self.lettered and not self.sign:
            notes.append("Values: percent.")
        if self.few and self.lettered:
            notes.append(f"n: how many a share is of, where under {_FEW}.")
        if self.missing:
            notes.append("Empty: nothing measured.")
        if self.few and not self.lettered:
            notes.append(f"Small: of fewer than {_FEW}.")
        if self.chart.published:
            notes.append(f"In italics: {PUBLISHED}.")
        if not notes:
            return items, 14.0
        words, more = remark(" ".join(notes), 0, y + 17, WIDTH)
        return [*items, *words], 19.0 + more


class _Dense(_Drawing):
    """Of many rows or columns in order: low rows without values, cells alike drawn as one."""

    def __init__(self, chart: Heatmap) -> None:
        super().__init__(chart)
        self.cell = min(_WIDEST_CELL, (WIDTH - self.left) / len(chart.places))
        self.right = self.left + self.cell * len(chart.places)
        self.few = self.lettered = False
        rows = len(chart.lines)
        self.high = max(_LOWEST, min(23.0, _DENSE_HIGH / rows))
        self.named = some_of(rows, _APART / self.high)

    def heads(self, y: float) -> Layout:
        return some_names(self.chart.places, self.left, self.cell, y)

    def over(self, bottom: float) -> list[Item]:
        """Gaps between rows and columns."""
        rows, columns = len(self.chart.lines), len(self.chart.places)
        top = bottom - rows * self.high
        gap = min(1.0, self.high / 10, self.cell / 10)
        across = (top + self.high * row for row in range(1, rows))
        down = (self.left + self.cell * column for column in range(1, columns))
        return [
            *(line(self.left, y, self.right, y, "ground", gap) for y in across),
            *(line(x, top, x, bottom, "ground", gap) for x in down),
        ]

    def row(self, number: int, top: float) -> list[Item]:
        """A row's name, if it is told, and its cells, those alike together."""
        items: list[Item] = []
        if number in self.named:
            middle = top + self.high / 2
            items += name(self.labels[number], self.left - 7, middle, size=SMALL)
        points = [known(point) for point in self.chart.cells[number]]
        first = 0
        for after in range(1, len(points) + 1):
            if after == len(points) or points[after] != points[first]:
                items.append(self._joined(number, first, after, top))
                first = after
        return items

    def _joined(self, number: int, first: int, after: int, top: float) -> Told:
        """The cells of a row from one column to before another, which are alike."""
        places, point = self.chart.places, known(self.chart.cells[number][first])
        span = places[first] if after - first == 1 else f"{places[first]} to {places[after - 1]}"
        x, wide = self.left + self.cell * first, self.cell * (after - first)
        box = Box(x + 0.5, top + 0.5, wide - 1, self.high - 1, stroke="grid")
        if point:
            colour = shade(point.value / self.chart.high if self.chart.high > 0 else 0.0)
            box = Box(x, top, wide, self.high, fill=colour)
        return Told(told(f"{self.chart.lines[number]}, {span}", point), (box,))


def _few(point: Point) -> bool:
    return point.of is not None and point.of < _FEW


def _of(point: Point) -> str:
    return f"n={point.of}"
