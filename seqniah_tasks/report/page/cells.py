"""Values of a report's tables as a person reads them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from seqniah_tasks.report.parts import Cell, Kind

NOTHING = "–"
"""Stands where there is nothing to tell."""

_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as the page has it."""

    text: str
    number: bool
    """Whether it is right-aligned."""
    missing: bool = False


def shown(value: Cell, kind: Kind) -> Shown:
    """A cell's value by its column's kind; a number that is none counts as nothing to tell."""
    number = kind is not Kind.TEXT
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return Shown(NOTHING, number, missing=True)
    if kind is Kind.TEXT or isinstance(value, str):
        return Shown(str(value), number)
    return Shown(_number(value, kind).replace("-", _MINUS), number)


def _number(value: float, kind: Kind) -> str:
    match kind:
        case Kind.COUNT:
            return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
        case Kind.SHARE:
            return percent(value)
        case Kind.DOLLARS:
            return _dollars(value)
        case Kind.SECONDS:
            return f"{value:,.2f} s" if abs(value) < 10 else f"{value:,.1f} s"
        case Kind.PROBABILITY:
            return "<0.001" if 0 <= value < 0.001 else f"{value:.3f}"
        case _:
            return f"{value:,.2f}"


def percent(value: float) -> str:
    """A share as text with one decimal; a tiny negative one is no -0.0 %."""
    return f"{round(100 * value, 1) + 0.0:,.1f} %"


def _dollars(value: float) -> str:
    """Cents are enough for sums; a price of one sample needs its first two digits."""
    sign, amount = "-" if value < 0 else "", abs(value)
    if amount == 0 or amount >= 1:
        return f"{sign}${amount:,.2f}"
    decimals = max(2, 1 - math.floor(math.log10(amount)))
    return f"{sign}${amount:.{decimals}f}"
