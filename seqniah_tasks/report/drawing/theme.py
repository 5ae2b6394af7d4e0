"""Colours, markers and dashes of charts: the one place where they are chosen."""

from __future__ import annotations

import math

THEME = {
    "light": {
        "--ground": "#ffffff",
        "--ink": "#1b1f26",
        "--muted": "#59626e",
        "--grid": "#e2e5e9",
        "--mark": "#59626e",
        "--s1": "#00589c",
        "--s2": "#d4500c",
        "--s3": "#3fa16d",
        "--s4": "#b169b5",
        "--s5": "#6b4300",
        "--s6": "#1f2633",
    },
    "dark": {
        "--ground": "#15181c",
        "--ink": "#e8eaed",
        "--muted": "#a3abb5",
        "--grid": "#2d3238",
        "--mark": "#b4bcc6",
        "--s1": "#4a90e0",
        "--s2": "#f0692e",
        "--s3": "#8fe6c0",
        "--s4": "#ad6490",
        "--s5": "#fbc02d",
        "--s6": "#aab2c5",
    },
}
"""CSS variables that figures on the page are drawn in. Series differ in lightness as well as hue,
so that they stay apart for the colour-blind; each has 3:1 against its ground, texts 4.5:1."""

SERIES = ("s1", "s2", "s3", "s4", "s5", "s6")
"""Colours of series, by their place; a seventh would start again."""

DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (6, 3),
    (1.5, 2.5),
    (8, 3, 1.5, 3),
    (3.5, 2),
    (10, 3, 1.5, 3, 1.5, 3),
)

RAMP = (
    "#eff3d9",
    "#cce6bd",
    "#a3d9ac",
    "#73caa5",
    "#3abaa5",
    "#00a7a6",
    "#0092a5",
    "#007b9f",
    "#006492",
    "#134e80",
    "#223a68",
)
"""Cells from 0 to the highest value, in even steps of lightness; the same on either ground."""

_PARTS = ("#2f6690", "#8fbcdb", "#d9d9d6", "#f2b27a", "#b5541c")
_CHOSEN = {1: (0,), 2: (0, 4), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4)}


def fills(parts: int) -> tuple[str, ...]:
    """Colours of the parts of a stack, from one end to the other; a sixth would start again."""
    chosen = _CHOSEN.get(parts, _CHOSEN[5])
    return tuple(_PARTS[chosen[place % len(chosen)]] for place in range(parts))


def shade(share: float) -> str:
    """The ramp's colour at a share of it, between its steps as well; shares beyond it end there."""
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    first = min(int(place), len(RAMP) - 2)
    low, high = _channels(RAMP[first]), _channels(RAMP[first + 1])
    mixed = (a + (b - a) * (place - first) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed)


def text_on(colour: str) -> str:
    """Black or white, whichever is read better; one of them always has 4.5:1 (WCAG 2.2)."""
    return max("#000000", "#ffffff", key=lambda text: contrast(text, colour))


def contrast(one: str, other: str) -> float:
    """How much two colours differ in luminance, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
