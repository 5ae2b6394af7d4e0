"""A scene as SVG: for the page, in its variables, and as a file of its own, in fixed colours."""

from __future__ import annotations

from collections.abc import Callable
from xml.sax.saxutils import escape

from seqniah_tasks.report.drawing.lettering import plain
from seqniah_tasks.report.drawing.scene import (
    TEXT,
    Box,
    Disc,
    Item,
    Moved,
    Place,
    Scene,
    Shape,
    Text,
    Told,
)
from seqniah_tasks.report.drawing.theme import THEME

FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, Noto Sans, sans-serif"
"""What stands first is there on most systems; none is wider than the layout counts with."""

_LARGEST = 1.4
"""How far the page may enlarge a figure."""

_FILE = 2
"""How much larger than on the page a file is shown."""

_HIT = {"fill": "none", "pointer-events": "all"}

Paint = Callable[[str], str]


def inline(scene: Scene, name: str, title: str, told: str) -> str:
    """For the page: as wide as its place, in the page's variables; `name` makes its ids unique."""
    style = f"width:100%;max-width:{_number(scene.width * _LARGEST)}px;height:auto"
    return _root(scene, name, title, told, _variable, {"style": style})


def file(scene: Scene, name: str, title: str, told: str) -> bytes:
    """A file of its own, in the light colours."""
    size = {
        "width": _number(scene.width * _FILE),
        "height": _number(scene.height * _FILE),
        "style": "font-variant-numeric:tabular-nums",
    }
    text = _root(scene, name, title, told, fixed, size)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def fixed(colour: str) -> str:
    """A colour of the light theme."""
    return colour if colour.startswith("#") else THEME["light"][f"--{colour}"]


def _variable(colour: str) -> str:
    return colour if colour.startswith("#") else f"var(--{colour})"


def _root(
    scene: Scene, name: str, title: str, told: str, paint: Paint, more: dict[str, str]
) -> str:
    title_id, told_id = f"drawn-{name}-title", f"drawn-{name}-told"
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "chart",
        "viewBox": f"0 0 {_number(scene.width)} {_number(scene.height)}",
        "role": "img",
        "aria-labelledby": f"{title_id} {told_id}",
        "font-family": FONTS,
        "font-size": _number(TEXT),
        **more,
    }
    return _element(
        "svg",
        attributes,
        _element("title", {"id": title_id}, _text(title)),
        _element("desc", {"id": told_id}, _text(told)),
        *(_item(item, paint) for item in scene.items),
    )


def _item(item: Item, paint: Paint) -> str:
    match item:
        case Told(told, parts):
            inner = (_item(part, paint) for part in parts)
            return _element("g", {}, _element("title", {}, _text(told)), *inner)
        case Moved(x, y, parts):
            shift = {"transform": f"translate({_number(x)} {_number(y)})"}
            return _element("g", shift, *(_item(part, paint) for part in parts))
        case Text():
            return _lettered(item, paint)
        case Shape(places, fill, stroke, width, dash, closed):
            look = _look(fill, stroke, width, paint)
            if dash:
                look["stroke-dasharray"] = " ".join(map(_number, dash))
            if stroke and not closed and len(places) > 2:
                look["stroke-linejoin"] = "round"
            return _element("path", {"d": _path(places, closed), **look})
        case Disc(x, y, radius, fill, stroke, width):
            where = {"cx": _number(x), "cy": _number(y), "r": _number(radius)}
            return _element("circle", where | _look(fill, stroke, width, paint))
        case Box(x, y, width, height, fill, stroke, line):
            where = {"x": _number(x), "y": _number(y)}
            size = {"width": _number(width), "height": _number(height)}
            return _element("rect", where | size | _look(fill, stroke, line, paint))


def _lettered(item: Text, paint: Paint) -> str:
    attributes = {"x": _number(item.x), "y": _number(item.y), "fill": paint(item.fill)}
    if item.size != TEXT:
        attributes["font-size"] = _number(item.size)
    if item.anchor != "start":
        attributes["text-anchor"] = item.anchor
    if item.bold:
        attributes["font-weight"] = "600"
    if item.italic:
        attributes["font-style"] = "italic"
    if item.angle:
        turn = f"rotate({_number(item.angle)} {attributes['x']} {attributes['y']})"
        attributes["transform"] = turn
    return _element("text", attributes, _text(item.text))


def _look(fill: str, stroke: str, width: float, paint: Paint) -> dict[str, str]:
    if not fill and not stroke:
        return dict(_HIT)
    look = {"fill": paint(fill) if fill else "none"}
    if stroke:
        look |= {"stroke": paint(stroke), "stroke-width": _number(width)}
    return look


def _path(places: tuple[Place, ...], closed: bool) -> str:
    steps = (f"{_number(x)} {_number(y)}" for x, y in places)
    return "M" + "L".join(steps) + ("Z" if closed else "")


def _element(name: str, attributes: dict[str, str], *inner: str) -> str:
    given = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(inner)}</{name}>" if inner else f"<{name}{given}/>"


def _text(text: str) -> str:
    return escape(plain(text, 2_000))


def _attribute(value: str) -> str:
    return escape(value, {'"': "&quot;"})


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
