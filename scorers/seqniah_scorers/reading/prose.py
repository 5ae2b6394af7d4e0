"""Running text cut into the pieces that can each state one item."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.reading.dates import FoundDate, common, find_dates

_SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*\s+|[。!?…]+[\"'」』)]*\s*|;\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|inc|ltd|co|corp|approx|jan|feb|mar|apr|jun|jul|aug"
    r"|sept?|oct|nov|dec|gen|sen|rep|gov|[a-z]|e\.g|i\.e|(?:[a-z]\.)+[a-z])\.$",
    re.IGNORECASE,
)
_RANGE_LINK = re.compile(
    r"\s*(?:-|\u2013|\u2014|~|to|until|through|and|至|到|—+)\s*(?:on\s+|the\s+)?$", re.IGNORECASE
)
_RANGE_OPENING = re.compile(
    r"(?:\b(?:from|between|during|in)|从|自|在)\s*(?:the\s+)?$", re.IGNORECASE
)

_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_SECOND_DAY = re.compile(
    r"\s?(?:and|&)\s(?:the\s)?(\d{1,2})(?:st|nd|rd|th)?"
    r"(?:,?\s(?P<y>[12]\d{3})\b)?(?=[,:.;)]|$|\s(?:I|we|she|he|they|it|the|[A-Z][a-z]+)\b)"
)


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph; an abbreviation or a number's point ends none."""
    out: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match.group()[0] == "." and _no_end(text, start, match):
            continue
        if match.end() < len(text):
            out.append(text[start : match.end()].strip())
            start = match.end()
    out.append(text[start:].strip())
    return [s for s in out if s]


def _no_end(text: str, start: int, match: re.Match[str]) -> bool:
    follows = text[match.end() : match.end() + 2].lstrip("\"'([")
    if follows and follows[0].islower():
        return True
    return bool(_ABBREVIATION.search(text[max(start, match.start() - 12) : match.start() + 1]))


def _with_second_days(dates: list[FoundDate], text: str) -> list[FoundDate]:
    """Read "August 7 and 8" as the two dates that it is."""
    out: list[FoundDate] = []
    for n, date in enumerate(dates):
        out.append(date)
        if date.month is None or date.day is None:
            continue
        match = _SECOND_DAY.match(text, date.end)
        stop = dates[n + 1].start if n + 1 < len(dates) else len(text)
        if match and match.end() <= stop and date.day < int(match[1]) <= 31:
            day, year = int(match[1]), int(match["y"]) if match["y"] else date.year
            out[-1] = replace(date, year=year)
            out.append(FoundDate(year, date.month, day, match.start(1), match.end()))
    return out


def item_dates(text: str) -> list[FoundDate]:
    """The dates that can date an item: a range counts once, as what all its days share."""
    out: list[FoundDate] = []
    for date in _with_second_days(find_dates(text), text):
        if out:
            last = out[-1]
            between = text[last.end : date.start]
            before = text[max(0, last.start - 12) : last.start]
            word = between.strip().lower()
            opened = not word.startswith("and") or _BETWEEN.search(before)
            if (
                len(between) < 12
                and _RANGE_LINK.fullmatch(between)
                and opened
                and (word not in ("-",) or _RANGE_OPENING.search(before) or date.day is not None)
            ):
                out[-1] = common(last, date)
                continue
        out.append(date)
    return out
