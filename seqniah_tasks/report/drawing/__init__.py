"""Figures drawn: laid out once, as SVG for the page and as files in SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from seqniah_tasks.report.drawing import dots, heat, lines, png, stacks, svg
from seqniah_tasks.report.drawing.furniture import titled
from seqniah_tasks.report.drawing.png import can_draw
from seqniah_tasks.report.drawing.scene import Scene
from seqniah_tasks.report.drawing.theme import THEME
from seqniah_tasks.report.parts import Chart, Dots, Figure, Heatmap, Lines

__all__ = ["THEME", "Drawn", "can_draw", "draw"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure in its three forms; the same figure has the same bytes."""

    inline: str
    """For the page, in the variables of `THEME`, without its title, which the page shows."""
    svg: bytes
    """A file of its own, in the light colours, under its title."""
    paint: Callable[[], bytes] | None
    """The same as PNG, about 1,000 pixels wide, which takes longer than all else and not every
    report is written; None where matplotlib, an extra, is not installed."""


def draw(figure: Figure) -> Drawn:
    """Draw a figure."""
    scene = _layout(figure.chart)
    alone = titled(scene, figure.title)
    return Drawn(
        inline=svg.inline(scene, figure.name, figure.title, figure.told),
        svg=svg.file(alone, figure.name, figure.title, figure.told),
        paint=partial(png.file, alone) if can_draw() else None,
    )


def _layout(chart: Chart) -> Scene:
    if isinstance(chart, Dots):
        return dots.layout(chart)
    if isinstance(chart, Lines):
        return lines.layout(chart)
    return heat.layout(chart) if isinstance(chart, Heatmap) else stacks.layout(chart)
