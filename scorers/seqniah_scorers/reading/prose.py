"""Running text cut into the pieces that can each state one item."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.reading.cues import cue
from seqniah_scorers.reading.dates import FoundDate, common, find_dates, form

_SENTENCE_END, _ABBREVIATION = map(cue, ("sentence_end", "abbreviation"))
_RANGE_LINK, _RANGE_OPENING = map(form, ("range_link", "range_opening"))
_SECOND_DAY = form("second_day")
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)


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
        if out and _is_range(text, out[-1], date):
            out[-1] = common(out[-1], date)
        else:
            out.append(date)
    return out


def _is_range(text: str, first: FoundDate, last: FoundDate) -> bool:
    """Whether two neighbouring dates are the ends of a range."""
    between = text[first.end : last.start]
    if len(between) >= 12 or not _RANGE_LINK.fullmatch(between):
        return False
    before, word = text[max(0, first.start - 12) : first.start], between.strip().lower()
    if word == "-" and last.day is None:
        return bool(_RANGE_OPENING.search(before))
    return not word.startswith("and") or bool(_BETWEEN.search(before))
