"""A scene as PNG, by matplotlib's renderer."""

from __future__ import annotations

import io
import math
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from seqniah_tasks.report.drawing.lettering import plain, width_of
from seqniah_tasks.report.drawing.scene import Box, Disc, Place, Scene, Shape, Text, flat
from seqniah_tasks.report.drawing.svg import fixed

SCALE = 2.75
"""Pixels of the file for one of the page: about 1,000 across."""

_LATIN = ("Arial", "Liberation Sans", "DejaVu Sans")
"""The first that is installed is taken; the last comes with matplotlib."""

_OTHERS = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Noto Sans SC",
    "PingFang SC",
    "Heiti SC",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "DejaVu Sans",
)
"""Asked for what the first does not have: Chinese, and signs."""


@cache
def can_draw() -> bool:
    """Whether matplotlib, which is an extra, is there."""
    try:
        _matplotlib("backends.backend_agg")
    except ImportError:
        return False
    return True


def _matplotlib(name: str) -> Any:
    """A module of matplotlib, which is slow to import, and without types where it is absent."""
    return import_module(f"matplotlib.{name}")


def file(scene: Scene) -> bytes:
    """The scene in the light colours, on white; the same bytes wherever the fonts are the same.

    Only where `can_draw` says so.
    """
    width, height = math.ceil(scene.width * SCALE), math.ceil(scene.height * SCALE)
    # At 72 dots an inch a point is a pixel: line widths and text sizes are those of the scene.
    renderer = _matplotlib("backends.backend_agg").RendererAgg(width, height, 72 * SCALE)
    board = _Board(renderer, height)
    board.box(Box(0, 0, scene.width, scene.height, fill="ground"), (0.0, 0.0))
    for item, by in flat(scene.items):
        match item:
            case Text():
                board.text(item, by)
            case Box():
                board.box(item, by)
            case Shape():
                board.shape(item, by)
            case Disc():
                board.disc(item, by)
    # Pillow comes with matplotlib, whose own way of saving adds metadata, and takes longer.
    pixels = import_module("PIL.Image").frombytes(
        "RGBA", (width, height), bytes(renderer.buffer_rgba())
    )
    target = io.BytesIO()
    pixels.convert("RGB").save(target, "PNG", compress_level=3)
    return target.getvalue()


class _Board:
    """matplotlib's renderer, told in places of the scene."""

    def __init__(self, renderer: Any, height: int) -> None:
        self._renderer = renderer
        self._made = _matplotlib("path").Path
        # The scene counts from the top, the renderer's paths from the bottom.
        self._turned = (
            _matplotlib("transforms").Affine2D().scale(SCALE, -SCALE).translate(0, height)
        )

    def box(self, box: Box, by: Place) -> None:
        left, top = box.x + by[0], box.y + by[1]
        right, bottom = left + box.width, top + box.height
        places = ((left, top), (right, top), (right, bottom), (left, bottom))
        self._path(places, True, box.fill, box.stroke, box.line)

    def shape(self, shape: Shape, by: Place) -> None:
        places = tuple((x + by[0], y + by[1]) for x, y in shape.places)
        self._path(places, shape.closed, shape.fill, shape.stroke, shape.width, shape.dash)

    def disc(self, disc: Disc, by: Place) -> None:
        turns = (2 * math.pi * step / 48 for step in range(48))
        places = tuple(
            (
                disc.x + by[0] + disc.radius * math.cos(turn),
                disc.y + by[1] + disc.radius * math.sin(turn),
            )
            for turn in turns
        )
        self._path(places, True, disc.fill, disc.stroke, disc.width)

    def _path(
        self,
        places: tuple[Place, ...],
        closed: bool,
        fill: str,
        stroke: str,
        width: float,
        dash: tuple[float, ...] = (),
    ) -> None:
        if not places or not (fill or stroke):
            return
        looks = self._renderer.new_gc()
        looks.set_foreground(fixed(stroke or fill))
        looks.set_linewidth(width if stroke else 0.0)
        looks.set_capstyle("butt")
        looks.set_joinstyle("round" if stroke else "miter")
        if dash:
            looks.set_dashes(0, dash)
        path = self._made([*places, places[0]] if closed else places, closed=closed)
        self._renderer.draw_path(looks, path, self._turned, _rgb(fixed(fill)) if fill else None)

    def text(self, text: Text, by: Place) -> None:
        looks = self._renderer.new_gc()
        looks.set_foreground(fixed(text.fill))
        words, properties = _lettering(plain(text.text), text.size, text.bold, text.italic)
        x, y = (text.x + by[0]) * SCALE, (text.y + by[1]) * SCALE
        if not words.strip():
            return
        wide = self._width(words, properties)
        room = width_of(text.text, text.size, bold=text.bold) * SCALE
        if wide > room:  # a line of wide letters: set it smaller still
            properties = properties.copy()
            properties.set_size(properties.get_size() * room / wide)
            wide = self._width(words, properties)
        if text.anchor != "start":
            back = wide / 2 if text.anchor == "middle" else wide
            angle = math.radians(text.angle)
            x, y = x - back * math.cos(angle), y - back * math.sin(angle)
        self._renderer.draw_text(looks, x, y, words, properties, -text.angle)

    def _width(self, words: str, properties: Any) -> float:
        wide: float = self._renderer.get_text_width_height_descent(words, properties, False)[0]
        return wide


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


@lru_cache(maxsize=4_096)
def _lettering(words: str, size: float, bold: bool, italic: bool) -> tuple[str, Any]:
    """The text with a box for each sign that no font here has, and the fonts to write it in."""
    first = _first()
    families = [first]
    if not set(map(ord, words)) <= _signs(first, bold, italic):
        families += [name for name in _OTHERS if name != first and name in _installed()]
        drawn = frozenset[int]().union(*(_signs(name, bold, italic) for name in families))
        words = "".join(char if ord(char) in drawn else "\u25a1" for char in words)
    properties = _properties(families, bold, italic)
    properties.set_size(size)
    return words, properties


def _properties(families: list[str], bold: bool, italic: bool) -> Any:
    weight, style = "bold" if bold else "normal", "italic" if italic else "normal"
    made = _matplotlib("font_manager").FontProperties
    return made(family=families, weight=weight, style=style)


@cache
def _installed() -> frozenset[str]:
    return frozenset(font.name for font in _matplotlib("font_manager").fontManager.ttflist)


@cache
def _first() -> str:
    return next(name for name in _LATIN if name in _installed())


@cache
def _signs(family: str, bold: bool, italic: bool) -> frozenset[int]:
    """Code points that a font can draw."""
    fonts = _matplotlib("font_manager")
    path = fonts.findfont(_properties([family], bold, italic))
    return frozenset(fonts.get_font(path).get_charmap())
