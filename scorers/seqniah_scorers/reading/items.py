"""One item of an answer, and its date taken apart from its content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.reading.cues import without_title
from seqniah_scorers.reading.dates import FoundDate, form, item_dates, leading_date

_BEFORE_DATE, _AFTER_DATE = map(form, ("before_date", "after_date"))
_MAYBE_DATE = re.compile("[0-9]|[一二三四五六七八九十][年月日号號]")
_HEADING = 30
"""Characters up to which a text may be no more than the name of a month."""
_RANGE_WORDS = ("to ", "and ", "until ", "through ", "至", "到", "—", "–")


@dataclass(frozen=True, slots=True)
class Item:
    """One event or step that an answer states."""

    text: str
    """Its content, without list marker, markup and date."""
    date: FoundDate | None
    """Its date, with what headings above it add; None where none is stated."""
    span: tuple[int, int]
    """Start and end, in the answer, of the line or lines it was read from."""
    parent: int = -1
    """Number of the dated line under which it stands with others; -1: it stands alone."""
    loose: bool = False
    """Read from running text, where a sentence may hold more than one item."""
    numbered: bool = False
    """It opens with a number of a list."""


def split_date(text: str) -> tuple[FoundDate | None, str]:
    """The date of an item and its content without the date; day-only dates must lead."""
    # An answer repeats the reference's lines, or its own over and over.
    return _split_short(text) if len(text) < _SHORT else _split(text)


def _split(text: str) -> tuple[FoundDate | None, str]:
    first = leading_date(text)
    if first is not None:
        # Most items open with a plain date; then the rest need not be searched.
        rest = text[_tied(text, first)[1] :]
        if not rest.startswith(_RANGE_WORDS):
            return first, without_title(rest.strip(" ,;|"))
    if len(text) > _HEADING and not _MAYBE_DATE.search(text):
        return None, text.strip()
    dates = item_dates(text)
    for date in dates:
        head, _ = _tied(text, date)
        if date.month is None and date.year is None and head > 0:
            continue
        if date.day is None:
            if head > 0 and (len(dates) > 1 or text[date.end :].strip(" :.,()[]")):
                continue
            if date.month is None and date.end < len(text.rstrip(" :.,")):
                continue
        return date, without_date(text, date)
    return None, text.strip()


_SHORT = 300
_split_short = lru_cache(maxsize=1024)(_split)


def _tied(text: str, date: FoundDate) -> tuple[int, int]:
    """Where a date begins and ends, with what only ties it to the text."""
    before = _BEFORE_DATE.search(text, max(0, date.start - 40), date.start)
    after = _AFTER_DATE.match(text, date.end)
    return before.start() if before else date.start, after.end() if after else date.end


def without_date(text: str, date: FoundDate) -> str:
    """The text without a date in it, and without what only ties the date to the text."""
    begin, end = _tied(text, date)
    head, rest = without_title(text[:begin].strip()), text[end:]
    if not head:
        rest = without_title(rest.strip())
    return f"{head} {rest}".strip(" ,;|")


def appended(text: str, more: str) -> str:
    """The text with a further sentence."""
    if not text or not more:
        return text or more
    return f"{text} {more}" if text[-1] in ".!?。;:" else f"{text}. {more}"
