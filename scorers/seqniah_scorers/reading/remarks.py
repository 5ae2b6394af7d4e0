"""List items that only comment on the list, and lines that only put its dates in order."""

from __future__ import annotations

import re

from seqniah_scorers.reading.cues import closes_answer, heads_remarks, is_note
from seqniah_scorers.reading.dates import FoundDate, find_dates
from seqniah_scorers.reading.items import Item
from seqniah_scorers.reading.lines import Line

_BETWEEN = re.compile(
    r"[\s,;.:()\d→>=<*、。「」“”-]|\b(?:and|then|finally|lastly)\b|以及|和|及|然后|接着|随后|最后",
    re.IGNORECASE,
)


def ends_list(line: Line, text: str, last: int, trusted: bool) -> bool:
    """Whether a marked line heads remarks, and no step of that name; `last` is the number above."""
    if trusted or line.is_step():
        return False
    return heads_remarks(text, line.number() == last + 1 > 1)


def without_remarks(items: list[Item]) -> list[Item]:
    """Leave out notes, and below dated items what closes the answer."""
    if len(items) < 2:
        return items
    last = items[-1]
    if last.date is None and items[0].date is not None and closes_answer(last.text):
        items = items[:-1]
    return [i for i in items if i.date is not None or not is_note(i.text)]


def dates_in_order(text: str) -> list[FoundDate]:
    """The dates of a line such as "The right order is: May 2, May 5", which holds nothing else."""
    _, colon, rest = text.partition(":")
    if not colon:
        return []
    dates = find_dates(rest)
    if len(dates) < 2 or any(d.day is None for d in dates):
        return []
    end = 0
    for date in dates:
        if _BETWEEN.sub("", rest[end : date.start]):
            return []
        end = date.end
    return [] if _BETWEEN.sub("", rest[end:]) else dates
