"""An answer in free form, read as the list of items that it states."""

from __future__ import annotations

from dataclasses import dataclass, field

from seqniah_scorers.assemble import final_list, steps_under_headings, with_prose
from seqniah_scorers.cues import (
    closes_answer,
    is_excluded,
    is_placeholder,
    opens_final_list,
    opens_remarks,
    without_label,
)
from seqniah_scorers.dates import FoundDate
from seqniah_scorers.items import Item, appended, split_date
from seqniah_scorers.lines import Kind, Line, read_lines
from seqniah_scorers.text import fold
from seqniah_scorers.weeks import framed, range_heading

__all__ = ["Item", "parse"]


@dataclass(slots=True)
class _Open:
    """The list item that is being read; lines below may still add to it."""

    line: Line
    text: str
    date: FoundDate | None
    number: int
    gave_children: bool = False
    end: int = 0

    def add(self, line: Line, text: str) -> None:
        self.text = appended(self.text, text)
        self.end = line.end


@dataclass(slots=True)
class _Reader:
    """State of one pass over the lines."""

    items: list[Item] = field(default_factory=list)
    prose: list[tuple[int, Line]] = field(default_factory=list)
    context: FoundDate | None = None
    current: _Open | None = None
    finals: list[int] = field(default_factory=list)
    prose_final: int = 0
    remarks: bool = False
    blank: bool = True
    parents: int = 0
    header: list[str] | None = None
    headings: list[tuple[int, str]] = field(default_factory=list)


def parse(response: str, trusted: bool = False) -> list[Item]:
    """Read the items; headings, preamble, closing remarks and "not mentioned" are none.

    A trusted text, that is a reference, has none of these below its first line, so there no
    item is taken for one.
    """
    reader = _Reader()
    for line in read_lines(response):
        if line.kind is not Kind.ROW:
            reader.header = None
        if line.kind in _HEADS and (
            frame := range_heading(line.text, line.kind in (Kind.NUMBER, Kind.BULLET))
        ):
            _close(reader)
            reader.remarks = False
            reader.context = framed(frame, reader.context)
        else:
            _STEPS[line.kind](reader, line)
        reader.blank = line.kind is Kind.BLANK
    _close(reader)
    if trusted and reader.items:
        return reader.items
    items = steps_under_headings(reader.items, reader.headings)
    items = final_list(items, reader.finals)
    kept = [i for i in items if not is_placeholder(i.text) and not is_excluded(i.text)]
    if not kept or reader.prose:
        final = [] if items else reader.prose[reader.prose_final :]
        kept = with_prose(kept, final or reader.prose, bool(items))
    return kept


def _close(reader: _Reader) -> None:
    """Finish the open list item."""
    entry = reader.current
    reader.current = None
    if entry is None or (entry.gave_children and not entry.text):
        return
    span = (entry.line.start, max(entry.end, entry.line.end))
    if entry.text or entry.date is not None:
        reader.items.append(Item(entry.text, entry.date, span))


def _open(reader: _Reader, line: Line, text: str, date: FoundDate | None) -> None:
    _close(reader)
    reader.parents += 1
    date = date.filled(reader.context) if date else reader.context
    if date is not None and date is reader.context and date.day is None:
        date = None if date.month is None else date
    reader.current = _Open(line, without_label(text), date, reader.parents)


def _on_blank(reader: _Reader, line: Line) -> None:
    return None


def _on_heading(reader: _Reader, line: Line) -> None:
    date, text = split_date(line.text)
    if date is not None and not text.strip(" :.-"):
        _dated_line(reader, line, date)
    elif date is not None and date.day is not None and not line.text.endswith(":"):
        reader.remarks = False
        _open(reader, line, text, date)
    else:
        _close(reader)
        _introduce(reader, line)
        if date is not None and date.day is None:
            reader.context = date
        reader.headings.append((len(reader.items), line.text.rstrip(":")))


def _dated_line(reader: _Reader, line: Line, date: FoundDate) -> None:
    """A line that is only a date: a day waits for its content, a month or year is carried down."""
    date = date.filled(reader.context)
    if date.day is None:
        _close(reader)
        reader.context = date
        return
    _open(reader, line, "", date)


def _introduce(reader: _Reader, line: Line) -> None:
    """A heading or a line with a colon: what follows is a list, a final list or remarks."""
    reader.remarks = bool(reader.items) and opens_remarks(line.text)
    if reader.items and opens_final_list(line.text):
        reader.finals.append(len(reader.items))
    elif len(reader.prose) > 1 and opens_final_list(line.text):
        reader.prose_final = len(reader.prose)


def _on_marked(reader: _Reader, line: Line) -> None:
    """A numbered or bulleted line: a new item, or a detail of the one above."""
    date, text = split_date(line.text)
    entry = reader.current
    if entry is not None and _is_child(entry.line, line):
        _on_child(reader, entry, line, date, text)
    elif reader.remarks:
        _close(reader)
    elif date is not None and not text.strip(" :.-"):
        _dated_line(reader, line, date)
    else:
        _open(reader, line, text, date)


def _is_child(parent: Line, line: Line) -> bool:
    if parent.kind is Kind.BULLET or line.kind is Kind.NUMBER:
        return line.indent > parent.indent + (line.kind is not parent.kind or 1)
    return line.indent >= parent.indent and parent.kind in (Kind.NUMBER, Kind.TEXT, Kind.HEADING)


def _on_child(reader: _Reader, entry: _Open, line: Line, date: FoundDate | None, text: str) -> None:
    own_day = date is not None and date.day is not None
    if own_day and not text.strip(" :.-") and (entry.date is None or entry.date.day is None):
        entry.date = date.filled(entry.date or reader.context) if date else None
    elif own_day and (entry.date is None or entry.date.day is None) and date is not None:
        # A group line such as "Events in November:" dates its children and is no item.
        span = (line.start, line.end)
        entry.text, entry.gave_children = "", True
        filled = date.filled(entry.date or reader.context)
        reader.items.append(Item(without_label(text), filled, span))
    elif entry.date is not None and not entry.text:
        entry.gave_children = True
        span = (entry.line.start, line.end)
        reader.items.append(
            Item(without_label(text), date if own_day else entry.date, span, entry.number)
        )
    else:
        entry.add(line, without_label(line.text))


def _on_text(reader: _Reader, line: Line) -> None:
    date, text = split_date(line.text)
    dated = date is not None and date.day is not None
    empty = not text.strip(" :.-")
    entry = reader.current
    if date is not None and empty:
        _dated_line(reader, line, date)
        reader.remarks = False
    elif line.text.endswith((":", "如下")) and not (dated and len(fold(text)) > 60):
        _close(reader)
        _introduce(reader, line)
    elif entry is not None and not entry.text and not entry.gave_children and not dated:
        entry.add(line, without_label(text))
    elif entry is not None and entry.text and not dated and (line.indent > 1 or not reader.blank):
        if not closes_answer(line.text):
            entry.add(line, line.text)
    else:
        _close(reader)
        if not reader.remarks:
            reader.prose.append((len(reader.items), line))


def _on_row(reader: _Reader, line: Line) -> None:
    """A table row: cells that hold no number and no date are the content."""
    _close(reader)
    cells = [c.strip() for c in line.text.strip("|").split("|")]
    if reader.header is None:
        reader.header = cells
        if not any(split_date(c)[0] for c in cells):
            return
    filled = [c for c in cells if fold(c)]
    date: FoundDate | None = None
    parts: list[str] = []
    for cell in filled:
        found, rest = split_date(cell) if date is None else (None, cell)
        date = date or found
        if fold(rest) and not (rest.strip("().# ").isdecimal() and len(filled) > 1):
            parts.append(rest)
    if (parts or date) and not reader.remarks:
        date = date.filled(reader.context) if date else None
        reader.items.append(Item(". ".join(parts), date, (line.start, line.end)))


_HEADS = frozenset((Kind.HEADING, Kind.TEXT, Kind.NUMBER, Kind.BULLET))
_STEPS = {
    Kind.BLANK: _on_blank,
    Kind.HEADING: _on_heading,
    Kind.NUMBER: _on_marked,
    Kind.BULLET: _on_marked,
    Kind.TEXT: _on_text,
    Kind.ROW: _on_row,
}
