"""Whether a model's table is the table that a query gives: the same rows, in any order, as often,
with the columns in one order for all of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

Cell = tuple[str, ...]
"""What makes two cells equal."""

Columns = list[tuple[Cell, ...]]

MOST_TRIED = 2_000
"""Columns that are tried in places; a table that takes more is another one."""

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?", re.ASCII)


def same_table(gold: Any, stated: Any) -> bool:
    """Whether two lists of rows are one table; a flat list is one row."""
    theirs, mine = _columns(gold), _columns(stated)
    if theirs is None or mine is None or len(theirs) != len(mine):
        return False
    return len(theirs[0]) == len(mine[0]) and _Orders(theirs, mine).exists()


def _columns(rows: Any) -> Columns | None:
    """The columns of a table; None where it has no cell, or rows differ in length, or a cell is
    none that a database can hold."""
    if not isinstance(rows, list | tuple) or not rows:
        return None
    if not any(isinstance(row, list | tuple) for row in rows):
        rows = [rows]
    if not all(isinstance(row, list | tuple) for row in rows) or len(set(map(len, rows))) > 1:
        return None
    cells = [[_cell(one) for one in row] for row in rows]
    if not cells[0] or any(one is None for row in cells for one in row):
        return None
    return list(zip(*cells, strict=True))


def _cell(cell: Any) -> Cell | None:
    """Numbers are equal to two decimals and, below .01, to two digits; texts but for case.

    A text is a number where it is written as one; NaN is equal to nothing.
    """
    if isinstance(cell, str):
        cell = cell.strip()
        if not _NUMBER.fullmatch(cell):
            return "text", cell.lower()
        cell = float(cell) if "." in cell else int(cell)
    if cell is None or isinstance(cell, bool):
        return "constant", str(cell)
    if isinstance(cell, int):
        return "number", f"{cell}.00"
    if not isinstance(cell, float) or math.isnan(cell):
        return None
    fine = (f"{cell:.1e}",) if 0 < abs(cell) < 0.01 else ()
    return "number", f"{cell + 0.0:.2f}", *fine


class _Orders:
    """Search for an order of a table's columns in which its rows are those of another."""

    def __init__(self, gold: Columns, stated: Columns) -> None:
        self.gold, self.stated = gold, stated
        self.left = MOST_TRIED

    def exists(self) -> bool:
        rows = len(self.gold[0])
        return self._from(0, [0] * rows, [0] * rows, Counter(self.stated))

    def _from(
        self,
        place: int,
        gold: Sequence[int],
        stated: Sequence[int],
        unused: Counter[tuple[Cell, ...]],
    ) -> bool:
        """Whether the columns from `place` on can be filled with those unused. Rows have a number
        for what the columns before hold, the same in both tables."""
        if place == len(self.gold):
            return True
        for column in [one for one, count in unused.items() if count]:
            self.left -= 1
            if self.left < 0:
                return False
            numbers: dict[tuple[int, Cell], int] = {}
            theirs = _numbered(numbers, gold, self.gold[place])
            mine = _numbered(numbers, stated, column)
            rest = unused - Counter([column])
            if Counter(theirs) == Counter(mine) and self._from(place + 1, theirs, mine, rest):
                return True
        return False


def _numbered(
    numbers: dict[tuple[int, Cell], int], before: Sequence[int], cells: Sequence[Cell]
) -> list[int]:
    pairs = zip(before, cells, strict=True)
    return [numbers.setdefault(pair, len(numbers)) for pair in pairs]
