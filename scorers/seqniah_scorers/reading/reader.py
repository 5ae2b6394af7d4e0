"""One pass over the lines of an answer: list items opened, added to, dated and closed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from seqniah_scorers.reading.cues import (
    closes_answer,
    is_title,
    opens_final_list,
    opens_remarks,
    without_label,
)
from seqniah_scorers.reading.dates import FoundDate
from seqniah_scorers.reading.items import Item
from seqniah_scorers.reading.lines import Kind, Line
from seqniah_scorers.reading.lists import Table, read_item, read_table, several
from seqniah_scorers.reading.opened import OpenItem, Passage, is_child

_MARKED = (Kind.NUMBER, Kind.BULLET)
_EDGE = " :.-"


@dataclass(slots=True)
class Reader:
    """State of the pass."""

    trusted: bool = False
    """The text is a reference: each list line is one item."""
    items: list[Item] = field(default_factory=list)
    """What the list lines and tables state."""
    prose: list[Passage] = field(default_factory=list)
    """Lines of running text."""
    finals: list[int] = field(default_factory=list)
    """Where lists begin that are announced as the final ones, as offsets in the answer."""
    context: FoundDate | None = None
    """Year and month that headings give to the items below."""
    drafted: int = 0
    """Lines of running text that stand above an announcement of the final list."""
    current: OpenItem | None = None
    remarks: bool = False
    """What follows comments on the list."""
    introduces: bool = False  # the line announces what follows
    introduced: bool = False  # the line above did
    blank: bool = True
    """The line above is empty."""
    parents: int = 0
    table: Table | None = None

    def read(self, line: Line) -> None:
        """Take the next line."""
        kind = line.kind
        if kind is Kind.BLANK:
            if self.table is not None and line.marker and len(self.table.rows) == 1:
                self.table.ruled = True
        elif kind is Kind.ROW:
            if self.table is None:
                self.close()
                self.table = Table([])
            self.table.rows.append(line)
        else:
            self._end_table()
            if kind in _MARKED:
                self._marked(line)
            elif kind is Kind.HEADING:
                self._heading(line)
            else:
                self._text(line)
        self.blank = kind is Kind.BLANK
        if not self.blank:
            self.introduced, self.introduces = self.introduces, False

    def close(self) -> None:
        """Finish the table and the open list item."""
        self._end_table()
        entry, self.current = self.current, None
        if entry is None or (entry.gave_children and not entry.text):
            return
        if entry.text or entry.date is not None:
            span = (entry.line.start, max(entry.end, entry.line.end))
            numbered = entry.line.kind is Kind.NUMBER
            self.items.append(Item(entry.text, entry.date, span, numbered=numbered))

    def _open(self, line: Line, text: str, date: FoundDate | None) -> OpenItem:
        self.close()
        self.parents += 1
        date = date.filled(self.context) if date else self.context
        if date is not None and date is self.context and date.month is None:
            date = None
        self.current = OpenItem(line, without_label(text), date, self.parents)
        return self.current

    def _heading(self, line: Line) -> None:
        date, text = read_item(line.text, None)
        if date is not None and not text.strip(_EDGE):
            self._dated_line(line, date)
        elif date is not None and date.day is not None and not line.text.endswith(":"):
            self.remarks = False
            self._open(line, text, date)
        else:
            self.close()
            self._introduce(line)
            if date is not None and date.day is None:
                self.context = date.filled(self.context)

    def _dated_line(self, line: Line, date: FoundDate) -> None:
        """A line that is only a date: a day waits for its content, a month is carried down."""
        date = date.filled(self.context)
        if date.day is not None:
            self._open(line, "", date)
        else:
            self.close()
            self.context = date

    def _introduce(self, line: Line) -> None:
        """A heading or a line with a colon: what follows is a list, a final list or remarks."""
        self.remarks = bool(self.items) and opens_remarks(line.text)
        self.introduces = not self.remarks
        if opens_final_list(line.text) and self.items:
            self.finals.append(line.start)
        elif opens_final_list(line.text) and len(self.prose) > 1:
            self.drafted = len(self.prose)

    def _marked(self, line: Line) -> None:
        """A numbered or bulleted line: a new item, or a detail of the one above."""
        date, text = read_item(line.text, self.context)
        entry = self.current
        if entry is not None and is_child(entry, line):
            self._child(entry, line, date, text)
            return
        if self.remarks:
            self.close()
        elif date is not None and not text.strip(_EDGE):
            self._dated_line(line, date)
        elif date is not None and (parts := self._several(line, date, text)):
            for when, what in parts:
                self._open(line, what, when)
        else:
            self._open(line, text, date)

    def _several(self, line: Line, date: FoundDate, text: str) -> list[tuple[FoundDate, str]]:
        return [] if self.trusted else several(line.text, date, text)

    def _child(self, entry: OpenItem, line: Line, date: FoundDate | None, text: str) -> None:
        dated = date if date is not None and date.day is not None else None
        if dated is not None and not entry.has_day():
            if not text.strip(_EDGE):
                entry.dated(dated.filled(entry.date or self.context))
                return
            # A group line such as "Events in November:" dates its children and is no item.
            entry.text, entry.gave_children = "", True
            span = (line.start, line.end)
            for when, what in self._several(line, dated, text) or [(dated, text)]:
                filled = when.filled(entry.date or self.context)
                self.items.append(Item(without_label(what), filled, span))
        elif entry.date is not None and not entry.text:
            entry.gave_children = True
            span = (entry.line.start, line.end)
            own = dated.filled(entry.date) if dated is not None else entry.date
            self.items.append(Item(without_label(text), own, span, entry.number))
        else:
            entry.add(line, without_label(line.text))

    def _text(self, line: Line) -> None:
        date, text = read_item(line.text, self.context)
        dated = date is not None and date.day is not None
        entry = self.current if date and dated and not self._several(line, date, text) else None
        if entry is not None and not entry.takes_date(line, self.blank):
            entry = None
        if date is not None and entry is not None:
            entry.dated(date.filled(self.context))
            entry.add(line, without_label(text.strip(_EDGE)))
        elif date is not None and not text.strip(_EDGE):
            self.remarks = False
            self._dated_line(line, date)
        elif line.text.endswith((":", "如下")):
            self.close()
            if date is not None and dated and date.start < 6:
                self._open(line, "", date)  # "On May 2, Ann wrote:" above a bullet
            self._introduce(line)
        else:
            self._running_text(line, dated, text)

    def _running_text(self, line: Line, dated: bool, text: str) -> None:
        entry = None if dated or is_title(line.text) else self.current
        if entry is not None and not entry.text and not entry.gave_children:
            entry.add(line, without_label(text))
            return
        if entry is not None and entry.text and (line.indent > 1 or not self.blank):
            if not closes_answer(line.text):
                entry.add(line, line.text)
            return
        self.close()
        if self.remarks:
            return
        announced = self.introduced and bool(self.items)
        self.prose.append(Passage(line, self.context, announced))

    def _end_table(self) -> None:
        """Take the items of the table, if one is open."""
        table, self.table = self.table, None
        for item in read_table(table) if table and not self.remarks else ():
            date = item.date.filled(self.context) if item.date else None
            self.items.append(replace(item, date=date))
