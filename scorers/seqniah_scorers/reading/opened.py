"""What is being read: headings, text, and a list item with the lines below that belong to it."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_scorers.reading.cues import is_title
from seqniah_scorers.reading.dates import FoundDate
from seqniah_scorers.reading.items import appended
from seqniah_scorers.reading.lines import Kind, Line


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of running text."""

    line: Line
    """The line."""
    context: FoundDate | None
    """What headings above it say of its dates."""
    announced: bool = False
    """It stands below a heading of its own."""


@dataclass(slots=True)
class OpenItem:
    """A list item that lines below may still add to."""

    line: Line
    """The line that opened it."""
    text: str
    """Its content so far."""
    date: FoundDate | None
    """Its date so far."""
    number: int
    """Running number, by which its children name it."""
    gave_children: bool = False
    """Lines below it have become items of their own."""
    end: int = 0
    """Offset after the last line that was added."""

    def add(self, line: Line, text: str) -> None:
        self.text = appended(self.text, text)
        self.end = line.end

    def dated(self, date: FoundDate) -> None:
        """Take the date that a line below gives; words above it may be a record's title."""
        self.date, self.text = date, "" if is_title(self.text) else self.text

    def takes_date(self, line: Line, below_blank: bool) -> bool:
        """Whether a dated line below this item gives its date instead of opening another item."""
        if self.has_day() or self.gave_children or self.line.kind is Kind.TEXT:
            return False
        return not self.text or is_title(self.text) or line.indent > 1 or not below_blank

    def has_day(self) -> bool:
        return self.date is not None and self.date.day is not None


def is_child(entry: OpenItem, line: Line) -> bool:
    """Whether a marked line is a detail of the open item."""
    parent = entry.line
    if parent.kind is Kind.BULLET or line.kind is Kind.NUMBER:
        return line.indent > parent.indent + (line.kind is not parent.kind or 1)
    return line.indent >= parent.indent
