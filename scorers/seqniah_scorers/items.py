"""One item of an answer, and its date taken apart from its content."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seqniah_scorers.dates import FoundDate, leading_date
from seqniah_scorers.prose import item_dates

_BEFORE_DATE = re.compile(
    r"(?:\b(?:on|dated?|in|at|from|day)\s*:?\s*|日期\s*:\s*|[在于从]|(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*"
    r"|[\s(\[\"',:|-])*$",
    re.IGNORECASE,
)
_AFTER_DATE = re.compile(
    r"(?:[\s)\]\"',:;.|\u2013\u2014-]|(?<=[\s,(:])(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\(?(?:星期|周)[一二三四五六日天]\)?)*",
    re.IGNORECASE,
)

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


def split_date(text: str) -> tuple[FoundDate | None, str]:
    """The date of an item and its content without the date; day-only dates must lead."""
    first = leading_date(text)
    if first is not None:
        # Most items open with a plain date; then the rest need not be searched.
        after = _AFTER_DATE.match(text, first.end)
        rest = text[after.end() if after else first.end :]
        if not rest.startswith(_RANGE_WORDS):
            return first, rest.strip(" ,;|(")
    dates = item_dates(text)
    for date in dates:
        before = _BEFORE_DATE.search(text, 0, date.start)
        head = before.start() if before else date.start
        if date.month is None and date.year is None and head > 0:
            continue
        if date.day is None and head > 0 and len(dates) > 1:
            continue
        if date.day is None and date.month is None and date.end < len(text.rstrip(" :.,")):
            continue
        if date.day is None and text[date.end :].strip(" :.,()[]") and head > 0:
            continue
        after = _AFTER_DATE.match(text, date.end)
        rest = text[after.end() if after else date.end :]
        return date, f"{text[:head]} {rest}".strip(" ,;|(")
    return None, text.strip()


def appended(text: str, more: str) -> str:
    """The text with a further sentence."""
    if not text or not more:
        return text or more
    return f"{text} {more}" if text[-1] in ".!?。;:" else f"{text}. {more}"
