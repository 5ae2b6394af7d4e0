"""What charts have in common: headings, legends, names of rows and of places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_tasks.report.drawing.lettering import fit, plain, width_of, wrap
from seqniah_tasks.report.drawing.scene import (
    SMALL,
    TEXT,
    WIDTH,
    Anchor,
    Box,
    Item,
    Moved,
    Place,
    Scene,
    Shape,
    Text,
    Told,
)

LEADING = 13.0
"""From one baseline to the next."""

_DROP = 3.8
"""From the middle of a line of text to its baseline."""

_TILT = math.radians(50)
_LONGEST_TILTED = 126.0
_TIGHT = 12.0
"""Width of a slot below which tilted names would cover each other."""

Layout = tuple[list[Item], float]
"""Parts, and how high they are together."""


def empty() -> Scene:
    """In place of a chart that has nothing to draw."""
    frame = Box(0.5, 0.5, WIDTH - 1, 47, stroke="grid")
    return Scene((frame, Text(WIDTH / 2, 28, "Nothing to show", "muted", anchor="middle")), 48)


def titled(scene: Scene, title: str) -> Scene:
    """The scene as a file shows it: under its title, with a margin."""
    margin, size = 14.0, 13.0
    lines = wrap(with_unit(plain(title)), scene.width, size, bold=True)
    top = margin + 17 * len(lines) + 7
    heads = (
        Text(margin, margin + 12 + 17 * place, text, size=size, bold=True)
        for place, text in enumerate(lines)
    )
    moved = Moved(margin, top, scene.items)
    return Scene((*heads, moved), top + scene.height + margin, scene.width + 2 * margin)


def with_unit(text: str) -> str:
    """Text whose numbers stay with their unit where lines are broken."""
    return text.replace(" %", "\u00a0%")


def remark(text: str, x: float, y: float, width: float, *, italic: bool = False) -> Layout:
    """Muted words, in as many lines as they need."""
    lines = wrap(with_unit(plain(text)), width, SMALL)
    items: list[Item] = [
        Text(x, y + 10 + LEADING * place, words, "muted", SMALL, italic=italic)
        for place, words in enumerate(lines)
    ]
    return items, LEADING * len(lines)


def headed(title: str) -> str:
    """The title of an axis as a chart has it, with a capital."""
    return title[:1].upper() + title[1:]


@dataclass(frozen=True, slots=True)
class Symbol:
    """What stands before a name in a legend."""

    width: float
    drawn: Callable[[float, float], Sequence[Item]]
    """From this place on, at this height."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a legend."""

    label: str
    symbol: Symbol


def legend(entries: Sequence[Entry], y: float) -> Layout:
    """Symbols and their names, as many beside each other as have room."""
    items: list[Item] = []
    x, row = 0.0, 0
    for entry in entries:
        start = entry.symbol.width + 5
        (label,) = fit(entry.label, WIDTH - start - 1)
        wide = start + width_of(label, TEXT)
        if x and x + wide > WIDTH:
            x, row = 0.0, row + 1
        middle = y + 8 + 17 * row
        words = Text(x + start, middle + _DROP, label)
        items.append(Told(entry.label, (*entry.symbol.drawn(x, middle), words)))
        x += wide + 14
    return items, 17.0 * (row + 1) + 2 if entries else 0.0


def names(
    labels: Sequence[str], widest: float, lines: int = 2, size: float = TEXT
) -> list[tuple[str, ...]]:
    """Names of rows, each in so many lines at most."""
    return [fit(label, widest, size, lines) for label in labels]


def room(labels: Sequence[Sequence[str]], size: float = TEXT) -> float:
    """How wide the widest of these names is."""
    return max((width_of(line, size) for lines in labels for line in lines), default=0.0)


def name(
    lines: Sequence[str],
    x: float,
    middle: float,
    *,
    size: float = TEXT,
    anchor: Anchor = "end",
    published: bool = False,
) -> list[Item]:
    """The name of a row, in the middle of its height."""
    leading = size + 1.5
    first = middle + _DROP - leading * (len(lines) - 1) / 2
    fill = "muted" if published else "ink"
    return [
        Text(x, first + leading * place, line, fill, size, anchor, italic=published)
        for place, line in enumerate(lines)
    ]


def beneath(labels: Sequence[str], left: float, slot: float, y: float) -> Layout:
    """Names of places under a chart, each under its own slot of this width."""
    if slot < _TIGHT:
        return some_names(labels, left, slot, y)
    centres = [left + slot * (place + 0.5) for place in range(len(labels))]
    if upright := _upright(labels, slot):
        items = [
            part
            for lines, centre in zip(upright, centres, strict=True)
            for part in _stacked(lines, centre, y + 10)
        ]
        return items, LEADING * max(map(len, upright))
    if _staggers(labels, left, slot):
        items = [
            Text(min(x, edge), y + 10 + LEADING * (place % 2), text, "muted", SMALL, "middle")
            for place, (text, x) in enumerate(zip(map(plain, labels), centres, strict=True))
            for edge in [WIDTH - width_of(text, SMALL) / 2]
        ]
        return items, LEADING * 2
    # Those on the left have no more room than there is before them.
    return _tilted(labels, centres, y, [x / math.cos(_TILT) for x in centres], "end")


def above(labels: Sequence[str], left: float, slot: float, y: float) -> Layout:
    """Names of columns over a table, each over its own slot of this width."""
    if slot < _TIGHT:
        return some_names(labels, left, slot, y)
    centres = [left + slot * (place + 0.5) for place in range(len(labels))]
    if upright := _upright(labels, slot):
        most = max(map(len, upright))
        items = [
            part
            for lines, centre in zip(upright, centres, strict=True)
            for part in _stacked(lines, centre, y + 10 + LEADING * (most - len(lines)))
        ]
        return items, LEADING * most
    return _tilted(labels, centres, y, [_LONGEST_TILTED] * len(labels), "start")


def some_of(count: int, apart: float) -> frozenset[int]:
    """Which of so many places in order have names that are told, at least so many places apart.

    The last one has, and those before it at even steps, which divide the count where they can.
    """
    least = max(1, math.ceil(apart))
    step = next((one for one in range(least, 2 * least) if count % one == 0), least)
    return frozenset(range(count - 1, -1, -step))


def some_names(labels: Sequence[str], left: float, slot: float, y: float) -> Layout:
    """Names of places in order: upright, and of as many of them as there is room for."""
    widest = max(width_of(plain(label), SMALL) for label in labels)
    # A name at an end is moved into the chart, towards the next one.
    over = left + slot * (len(labels) - 0.5) + widest / 2 - WIDTH
    under = widest / 2 - left - slot / 2
    apart = (widest + 5 + max(0.0, over) + max(0.0, under)) / slot
    items: list[Item] = []
    for place in sorted(some_of(len(labels), apart)):
        (text,) = fit(labels[place], _LONGEST_TILTED, SMALL)
        half = width_of(text, SMALL) / 2
        centre = min(left + slot * (place + 0.5), WIDTH - half)
        items.append(Text(max(centre, half), y + 10, text, "muted", SMALL, "middle"))
    return items, LEADING


def overhang(labels: Sequence[str], slot: float) -> float:
    """How far the last of the names `above` reaches beyond its slot."""
    if not labels or slot < _TIGHT or _upright(labels, slot):
        return 0.0
    (last,) = fit(labels[-1], _LONGEST_TILTED, SMALL)
    return max(0.0, (width_of(last, SMALL) + 4) * math.cos(_TILT) - slot / 2 + 4)


def _upright(labels: Sequence[str], slot: float) -> list[list[str]] | None:
    """Names in up to three lines, if that cuts no word of them."""
    shown: list[list[str]] = []
    for label in labels:
        words = with_unit(plain(label)).split(" ")
        lines = [words[0]]
        for word in words[1:]:
            if width_of(joined := f"{lines[-1]} {word}", SMALL) <= slot - 3:
                lines[-1] = joined
            else:
                lines.append(word)
        if len(lines) > 3 or room([lines], SMALL) > slot - 3:
            return None
        shown.append(lines)
    return shown


def _staggers(labels: Sequence[str], left: float, slot: float) -> bool:
    """Whether names fit in two rows, every other one in each, as wide as two slots."""
    widths = [width_of(plain(label), SMALL) for label in labels]
    # The last one may be moved to the left by half of what keeps it from that before it.
    ends = widths[0] <= slot + 2 * left and widths[-1] <= slot + 14
    return ends and max(widths) <= 2 * slot - 8


def _stacked(lines: Sequence[str], x: float, y: float) -> list[Item]:
    return [
        Text(x, y + LEADING * place, line, "muted", SMALL, "middle")
        for place, line in enumerate(lines)
    ]


def _tilted(
    labels: Sequence[str],
    centres: Sequence[float],
    y: float,
    longest: Sequence[float],
    anchor: Anchor,
) -> Layout:
    shown = [
        fit(label, min(most, _LONGEST_TILTED), SMALL)[0]
        for label, most in zip(labels, longest, strict=True)
    ]
    widest = max(width_of(text, SMALL) for text in shown)
    high = widest * math.sin(_TILT) + 8
    # The end of a text that leads up to its slot, or the start of one that leads away from it.
    at = (4.0, y + 9) if anchor == "end" else (0.0, y + high - 4)
    items: list[Item] = []
    for label, text, centre in zip(labels, shown, centres, strict=True):
        words = Text(centre + at[0], at[1], text, "muted", SMALL, anchor, angle=-50)
        items.append(words if text == plain(label) else Told(label, (words,)))
    return items, high


def diamond(x: float, y: float, radius: float) -> tuple[Place, ...]:
    """The mark of what is published."""
    return (x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)


def hollow(x: float, y: float) -> Shape:
    """A published value."""
    return Shape(diamond(x, y, 4.6), "ground", "mark", 1.5, closed=True)
