"""A table's rows read as items, whichever way round the table stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seqniah_scorers.reading.cues import is_title
from seqniah_scorers.reading.dates import FoundDate
from seqniah_scorers.reading.items import Item, split_date
from seqniah_scorers.reading.lines import Line
from seqniah_scorers.text import fold

MAX_CELLS = 100
"""Cells of a row that are read; a wider row is no table."""


@dataclass(slots=True)
class Table:
    """The rows of a table as they come in."""

    rows: list[Line]
    """Not yet read."""
    ruled: bool = False
    """A line of dashes stands below the first row, which thus is a header."""


def read_table(table: Table) -> list[Item]:
    """The items of the table in its order; numbers and titles are left out of their text."""
    grid = [[c.strip() for c in _inner(r.text).split("|", MAX_CELLS)] for r in table.rows]
    dated = [_only_date(c) for c in grid[0]]
    if sum(d is not None for d in dated) > 1:
        return _columns(table.rows, grid, dated)
    out = [_row(line, cells) for line, cells in zip(table.rows, grid, strict=True)]
    for n in range(1, len(out)):
        if out[n].date is None and out[n - 1].date is not None and not fold(grid[n][0]):
            out[n] = replace(out[n], date=out[n - 1].date)  # a day that is named once for its rows
    if out[0].date is None and len(out) > 1 and (table.ruled or out[1].date is not None):
        out = out[1:]
    return [r for r in out if r.text or r.date]


def _inner(text: str) -> str:
    """The row without its outer bars; an empty first cell stays."""
    text = text[1:] if text[0] == "|" else text
    return text[:-1] if text[-1:] == "|" else text


def _only_date(cell: str) -> FoundDate | None:
    date, rest = split_date(cell)
    return date if date is not None and not fold(rest) else None


def _row(line: Line, cells: list[str]) -> Item:
    filled = [c for c in cells if fold(c)]
    date: FoundDate | None = None
    parts: list[str] = []
    for cell in filled:
        found, rest = split_date(cell) if date is None else (None, cell)
        date = date or found
        number = rest.strip("().# ").isdecimal() and len(filled) > 1
        if fold(rest) and not number and not is_title(rest):
            parts.append(rest)
    return Item(". ".join(parts), date, (line.start, line.end))


def _columns(rows: list[Line], grid: list[list[str]], dates: list[FoundDate | None]) -> list[Item]:
    """A table with one column a day: each column is an item."""
    out = []
    for at, date in enumerate(dates):
        if date is not None:
            texts = [cells[at] for cells in grid[1:] if at < len(cells) and fold(cells[at])]
            out.append(Item(". ".join(texts), date, (rows[0].start, rows[-1].end)))
    return out
