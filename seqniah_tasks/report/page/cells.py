"""Values of a report's tables as a person reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_tasks.report.parts import Cell, Kind, Table
from seqniah_tasks.report.words import percent

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


def decimals_of(table: Table) -> list[int]:
    """By column, decimals of its plain numbers: the same for all, the fewer the larger they are."""
    return [
        _decimals([row[place] for row in table.rows]) if column.kind is Kind.NUMBER else 2
        for place, column in enumerate(table.columns)
    ]


def _decimals(values: Sequence[Cell]) -> int:
    sizes = (abs(one) for one in values if not isinstance(one, str | None))
    largest = max(filter(math.isfinite, sizes), default=0.0)
    return 0 if largest >= 1_000 else 1 if largest >= 100 else 2


def shown(value: Cell, kind: Kind, decimals: int = 2) -> Shown:
    """A cell's value by its column's kind; a number that is none counts as nothing to tell."""
    number = kind is not Kind.TEXT
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return Shown(NOTHING, number, missing=True)
    if kind is Kind.TEXT or isinstance(value, str):
        return Shown(str(value), number)
    return Shown(_number(value, kind, decimals).replace("-", _MINUS), number)


def _number(value: float, kind: Kind, decimals: int) -> str:
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
            return f"{value:,.{decimals}f}"


def _dollars(value: float) -> str:
    """Cents are enough for sums; a price of one sample needs its first two digits."""
    sign, amount = "-" if value < 0 else "", abs(value)
    if amount == 0 or amount >= 1:
        return f"{sign}${amount:,.2f}"
    decimals = max(2, 1 - math.floor(math.log10(amount)))
    return f"{sign}${amount:.{decimals}f}"
