"""What a list line or a table holds: dates, contents, and at times several dated items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from seqniah_scorers.reading.clauses import Piece, pieces
from seqniah_scorers.reading.cues import announces, is_title
from seqniah_scorers.reading.dates import FoundDate, compatible, form
from seqniah_scorers.reading.items import Item, split_date
from seqniah_scorers.reading.lines import Line
from seqniah_scorers.text import fold

_MAYBE_DATE = form("maybe_date")
_SHORT, _LONE_DAY = map(form, ("month_and_day", "lone_day"))
MAX_CELLS = 100
"""Cells of a row that are read; a wider row is no table."""
_AFTER = " \t:,;.-\u2013\u2014)"


def read_item(text: str, context: FoundDate | None) -> tuple[FoundDate | None, str]:
    """Date and content of a list line below headings that give year and month."""
    date, rest = split_date(text)
    if date is None and text[:12].strip("(on the)")[:1].isdigit():
        match = _SHORT.match(text)
        if match and 1 <= int(match["m"]) <= 12 and 1 <= int(match["d"]) <= 31:
            date = FoundDate(None, int(match["m"]), int(match["d"]), 0, match.end())
        elif context is not None and context.month is not None:
            match = _LONE_DAY.match(text)
            if match and 1 <= int(match["d"]) <= 31:
                date = FoundDate(None, None, int(match["d"]), 0, match.end())
        if date is not None:
            rest = text[date.end :].lstrip(_AFTER)
    return date, rest


def several(text: str, date: FoundDate, rest: str) -> list[tuple[FoundDate, str]]:
    """The items of a line that states more than one, each with its own date; else nothing.

    A date within an item's content ("a ticket for May 10") makes no second item: all dates must
    open their clauses, or all must close them, and each must be as exact as the first.
    """
    if date.day is None or not _MAYBE_DATE.search(rest):
        return []
    label, colon, told = text.partition(":")
    if not colon or _MAYBE_DATE.search(label) or announces(label):
        label, told = "", text
    found = pieces(told)
    dated = [p for p in found if p.date is not None and p.date.day is not None]
    if len(dated) < 2 or not _alike(dated):
        return []
    out: list[tuple[FoundDate, str]] = []
    for piece in found:
        if piece.date is None or piece.date.day is None:
            if not out:
                return []
            out[-1] = (out[-1][0], f"{out[-1][1]} {piece.text}")
        else:
            out.append((piece.date, piece.text))
    if not all(fold(told) for _, told in out):
        return []
    return [(d, f"{label}: {t}") for d, t in out] if label else out


def _alike(dated: list[Piece]) -> bool:
    if not all(one.sure and one.leads is dated[0].leads for one in dated):
        return False
    dates = [one.date for one in dated if one.date]
    return not any(compatible(*pair) for pair in combinations(dates, 2))


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
