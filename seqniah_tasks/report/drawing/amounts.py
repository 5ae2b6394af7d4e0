"""Values as a chart tells them, and the round values that its axis is marked with."""

from __future__ import annotations

import math
from collections.abc import Iterable

from seqniah_tasks.report.parts import Axis, Point

MINUS = "\u2212"

_LEAST = 1e-6
"""Ticks have no more decimals, so that an axis up to less would be marked with 0 alone."""


def known(point: Point | None) -> Point | None:
    """The point, unless its value is no number."""
    return point if point is not None and math.isfinite(point.value) else None


def ends(point: Point) -> tuple[float, float] | None:
    """The interval, or None where it has not two ends."""
    if point.low is None or point.high is None:
        return None
    return (point.low, point.high) if math.isfinite(point.low + point.high) else None


def amount(value: float, *, percent: bool, signed: bool = False) -> str:
    """A value without its unit: 57.5, 1,240, 0.042; `signed`: +3.1."""
    scaled = 100 * value if percent else value
    size = abs(scaled)
    if percent:
        text = f"{size:.1f}"
    elif size >= 100 or (size == int(size) and size >= 1):
        text = f"{size:,.0f}"
    elif size >= 1:
        text = f"{size:.1f}" if size >= 10 else f"{size:.2f}"
    else:
        text = f"{size:.2g}"
    if not text.strip("0."):
        return text
    return f"{MINUS if value < 0 else '+' if signed else ''}{text}"


def in_cell(value: float, *, fine: bool) -> str:
    """A share in percent, whole where not `fine`; what is not all or nothing never looks so."""
    percent = 100 * value
    text = f"{percent:.1f}" if fine else f"{percent:.0f}"
    if value > 0 and not text.strip("0."):
        return "<0.1" if fine else "<1"
    return ">99" if 0 < value < 1 and text == "100" else text


def told(name: str, point: Point | None, *, percent: bool = True, signed: bool = False) -> str:
    """A value in full, for a tooltip: "lexical, 8k-16k: 41.2 % (37.5 to 45.0), of 610"."""
    if point is None:
        return f"{name}: nothing measured"
    unit = (" points" if signed else " %") if percent else ""
    text = f"{name}: {amount(point.value, percent=percent, signed=signed)}{unit}"
    if span := ends(point):
        low, high = (amount(end, percent=percent, signed=signed) for end in span)
        text += f" ({low} to {high})"
    return text if point.of is None else f"{text}, of {point.of:,}"


def limits(axis: Axis, points: Iterable[Point | None]) -> tuple[float, float]:
    """From where to where an axis goes: as far as it says, or as far as the values do."""
    if axis.high is not None and axis.high > axis.low:
        return axis.low, axis.high
    highest = axis.low
    for point in filter(None, map(known, points)):
        highest = max(highest, point.value, *(ends(point) or ()))
    if highest < axis.low + _LEAST:
        return axis.low, axis.low + 1.0
    step = _step((highest - axis.low) / 4)
    return axis.low, axis.low + step * math.ceil((highest - axis.low) / step - 1e-9)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from low to high, at most so many."""
    step = _step((high - low) / max(most - 1, 1))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _step(least: float) -> float:
    """The smallest round step that is no smaller: 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    steps = (times * power for times in (1, 2, 2.5, 5, 10))
    return next(step for step in steps if step >= least * (1 - 1e-9))


def tick_text(value: float, axis: Axis, *, signed: bool = False) -> str:
    """What a tick of an axis says."""
    scaled = 100 * value if axis.percent else value
    text = f"{abs(scaled):,.6f}".rstrip("0").rstrip(".")
    sign = "" if text == "0" else MINUS if scaled < 0 else "+" if signed else ""
    return f"{sign}{text}{' %' if axis.percent and not signed else ''}"
