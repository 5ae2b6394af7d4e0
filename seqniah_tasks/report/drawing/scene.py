"""What a drawn chart is made of, before it is SVG or PNG: shapes and texts in CSS pixels.

A chart is laid out once; the page's figure, the SVG file and the PNG file show the same scene. A
colour is a name of the theme without its dashes ("ink", "s1") or a fixed one ("#2f6690").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

WIDTH = 340.0
"""Of every chart, so that it stands unscaled on a phone and in a grid on wide screens."""

TEXT = 11.0
"""Size of texts; labels of axes are a little smaller."""
SMALL = 10.6

Place = tuple[float, float]
"""From the left, from the top."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A line through places, or the area within them."""

    places: tuple[Place, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dash: tuple[float, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, or its outline."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; with neither fill nor stroke it is unseen, and widens what a pointer hits."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    line: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    fill: str = "ink"
    size: float = TEXT
    anchor: Anchor = "start"
    bold: bool = False
    italic: bool = False
    angle: float = 0.0
    """Degrees, clockwise."""


@dataclass(frozen=True, slots=True)
class Told:
    """Parts that say something when pointed at."""

    told: str
    parts: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Parts that were laid out elsewhere."""

    x: float
    y: float
    parts: tuple[Item, ...]


Item = Shape | Disc | Box | Text | Told | Moved


@dataclass(frozen=True, slots=True)
class Scene:
    """A chart, laid out."""

    items: tuple[Item, ...]
    height: float
    width: float = WIDTH


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1.0) -> Shape:
    """A straight line."""
    return Shape(((x1, y1), (x2, y2)), stroke=stroke, width=width)


def flat(items: tuple[Item, ...], x: float = 0.0, y: float = 0.0) -> Iterator[tuple[Item, Place]]:
    """Shapes and texts in the order they are drawn in, each with how far it is moved."""
    for item in items:
        if isinstance(item, Told):
            yield from flat(item.parts, x, y)
        elif isinstance(item, Moved):
            yield from flat(item.parts, x + item.x, y + item.y)
        else:
            yield item, (x, y)
