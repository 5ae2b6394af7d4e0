"""Headings that name a week or another range of days: a frame for items, never an item."""

from __future__ import annotations

import re

from seqniah_scorers.reading.dates import MONTHS, FoundDate, form

MAX_CHARS = 80
"""A longer line tells more than a range."""
_LABEL, _BARE = map(form, ("week", "range_bare"))
_RANGES = ("range_month_first", "range_day_first", "range_han", "range_numeric")
_FORMS = tuple(map(form, _RANGES))


def range_heading(text: str, marked: bool) -> tuple[int | None, int | None] | None:
    """Year and month that all days of the range share; None where the line is no such heading.

    `marked`: the line has a list marker, so that only the word "week" makes it a heading.
    """
    if len(text) > MAX_CHARS:
        return None
    label = _LABEL.match(text)
    if label is None and (marked or not any(c.isdigit() for c in text)):
        return None
    rest = text[label.end() if label else 0 :].strip(" :：,.()[]（）").lower()
    for one in _FORMS:
        if match := one.fullmatch(rest):
            return _shared(match)
    return (None, None) if label and _BARE.fullmatch(rest) else None


_ONE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")


def heading_frame(text: str, date: FoundDate | None, above: FoundDate | None) -> FoundDate | None:
    """What a heading among whose words a month or a year may stand gives to the items below."""
    if date is not None:
        return date.filled(above) if date.day is None else above
    years = {int(y) for y in _ONE_YEAR.findall(text)}
    if len(years) == 1:
        return FoundDate(years.pop(), None, None, 0, 0)
    return None if years else above


def _shared(match: re.Match[str]) -> tuple[int | None, int | None]:
    years = {int(y) for y in (match["y1"], match["y2"]) if y}
    months = {_month(m) for m in (match["m1"], match["m2"]) if m}
    same = len(years) < 2 and len(months) == 1
    return (years.pop() if len(years) == 1 else None, months.pop() if same else None)


def _month(name: str) -> int:
    return int(name) if name.isdecimal() else MONTHS[name.rstrip(".")]


def framed(frame: tuple[int | None, int | None], above: FoundDate | None) -> FoundDate | None:
    """What the heading gives to the items below it; the year may stand further above."""
    year, month = frame
    if year is None and above is not None:
        year = above.year
    return FoundDate(year, month, None, 0, 0) if year or month else None
