"""Headings that name a week or another range of days: a frame for items, never an item."""

from __future__ import annotations

import re

from seqniah_scorers.reading.dates import MONTHS, FoundDate

MAX_CHARS = 80
"""A longer line tells more than a range."""
_NTH = r"(?:first|second|third|fourth|fifth|last|final|[1-5](?:st|nd|rd|th))"
_LABEL = re.compile(
    rf"(?:(?:the\s+)?(?:{_NTH}\s+)?week\b(?:\s*(?:\d{{1,2}}|one|two|three|four|five|six))?(?:\s+of\b)?"
    r"|第[一二三四五六七八九十\d]{1,2}[周週]|本[周週])[\s:,(\[-]*",
    re.IGNORECASE,
)
_NAME = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?!\d)"
_YEAR = r"(?:,?\s*(?P<y{}>[12]\d{{3}}))?"
_TO = r"\s*(?:-|\u2013|\u2014|~|to|through|until|至|到)+\s*"
_FORMS = (
    re.compile(
        rf"(?:from\s+)?(?P<m1>{_NAME})\s+{_DAY}{_YEAR.format(1)}{_TO}(?:(?P<m2>{_NAME})\s+)?{_DAY}"
        rf"{_YEAR.format(2)}"
    ),
    re.compile(
        rf"(?:from\s+)?{_DAY}(?:\s+(?P<m2>{_NAME}))?{_YEAR.format(1)}{_TO}{_DAY}\s+(?P<m1>{_NAME})"
        rf"{_YEAR.format(2)}"
    ),
    re.compile(
        rf"(?:(?P<y1>\d{{4}})年)?(?P<m1>\d{{1,2}})月\d{{1,2}}[日号]?{_TO}(?:(?P<y2>\d{{4}})年)?"
        r"(?:(?P<m2>\d{1,2})月)?\d{1,2}[日号]?"
    ),
    re.compile(
        rf"(?P<y1>\d{{4}})[-/](?P<m1>\d{{1,2}})[-/]\d{{1,2}}{_TO}(?P<y2>\d{{4}})[-/](?P<m2>\d{{1,2}})"
        r"[-/]\d{1,2}"
    ),
)
_BARE = re.compile(rf"{_DAY}{_TO}{_DAY}")


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
    for form in _FORMS:
        match = form.fullmatch(rest)
        if match:
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
