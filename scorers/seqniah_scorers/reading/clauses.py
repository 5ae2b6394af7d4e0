"""A sentence that dates several events, cut so that each piece has one date."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from seqniah_scorers.reading.cues import cue, is_title
from seqniah_scorers.reading.dates import FoundDate, item_dates
from seqniah_scorers.reading.items import split_date, without_date
from seqniah_scorers.text import fold

_LEAD_IN, _LINK, _ENDS = map(cue, ("lead_in", "link", "ends"))
_SENTENCE_END, _ABBREVIATION = map(cue, ("sentence_end", "abbreviation"))
_CLOSING = re.compile(r"[)\]】\"']*\s?[,;、→]?")
_WINDOW = 60
"""Characters before a date in which its lead-in is looked for."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence with at most one date."""

    date: FoundDate | None
    """The date; a month or a year may be missing, or the day."""
    text: str
    """The words without the date."""
    leads: bool = False
    """The date opens the piece."""
    sure: bool = False
    """The cuts around it stand where one clause ends and the next begins."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a date stands in its clause."""

    date: FoundDate
    start: int
    """Where its piece may begin at the earliest."""
    end: int
    """Where its piece ends, if the date closes it; else 0."""
    sure: bool


def pieces(text: str) -> list[Piece]:
    """Each sentence of the text, cut at its dates."""
    out: list[Piece] = []
    for piece in [piece for one in _sentences(text) for piece in dated_pieces(one)]:
        if out and piece.date and out[-1].date is None and not fold(piece.text):
            out[-1] = replace(piece, text=out[-1].text)  # "I swam. (May 2)"
        else:
            out.append(piece)
    return out


def dated_pieces(sentence: str) -> list[Piece]:
    """Cut one sentence so that each piece has one date with a day."""
    found = item_dates(sentence)
    month = next((d for d in found if d.day is None and d.month is not None), None)
    dates = [d for d in found if d.day is not None]
    if month and month.start < 12 and dates and dates[0].start >= month.end:
        # "In March 2012, she ran on the 3rd" and so on: the month is no event's date.
        shift = month.end
        sentence = sentence[shift:]
        dates = [replace(d, start=d.start - shift, end=d.end - shift) for d in dates]
    if not dates:
        date, rest = split_date(sentence)
        return [Piece(date, rest)]
    for n, date in enumerate(dates):
        dates[n] = date.filled(month)
        if n and dates[n].month is None:  # "on May 2 and the 5th"
            dates[n] = date.filled(dates[n - 1])
    places = _places(sentence, dates)
    out: list[Piece] = []
    for n, place in enumerate(places):
        start = max(place.start, places[n - 1].end) if n else 0
        end = len(sentence)
        if n + 1 < len(places):
            end = place.end or max(places[n + 1].start, place.date.end)
        out.append(_piece(sentence, start, end, place))
    return _shared(out)


def _shared(found: list[Piece]) -> list[Piece]:
    """Where two dates share one event, "on May 2 and May 5, he ran", both have its words."""
    for n in range(1, len(found)):
        last, one = found[n - 1 : n + 1]
        if not fold(one.text) and not last.leads:
            found[n] = replace(one, text=last.text, leads=False)
    for n in range(len(found) - 2, -1, -1):
        if not fold(found[n].text):
            found[n] = replace(found[n], text=found[n + 1].text)
    return found


def _piece(sentence: str, start: int, end: int, place: _Place) -> Piece:
    date = place.date
    lead = _LEAD_IN.search(sentence, start, date.start)
    opening = sentence[start : lead.start()].strip() if lead else ""
    leads = lead is not None and (not opening or is_title(opening))
    while start < date.start and sentence[start] in " ,;、→":
        start += 1
    if link := _LINK.match(sentence, start, date.start):
        start = link.end()
    moved = replace(date, start=date.start - start, end=date.end - start)
    text = without_date(sentence[start:end], moved).strip(" ,;、→(")
    return Piece(date, text, leads, place.sure)


def _places(sentence: str, dates: list[FoundDate]) -> list[_Place]:
    places: list[_Place] = []
    for date in dates:
        last = places[-1] if places else None
        # A piece cannot begin within the last date's words.
        floor = (last.end or last.date.end) if last else 0
        lead = _LEAD_IN.search(sentence, max(floor, date.start - _WINDOW), date.start)
        start = lead.start() if lead else date.start
        before = sentence[floor:start].strip(" ,;:(、")
        ends = _ENDS.match(sentence, date.end)
        opens = start == floor or not before or _opens_clause(sentence, start, date.start)
        if opens and before and ends and _closes(sentence, date, ends):
            opens = False
        if not opens and ends and before:
            sure = last is None or bool(last.end)
            closing = _CLOSING.match(sentence, date.end)
            places.append(_Place(date, floor, closing.end() if closing else date.end, sure))
        elif opens:
            places.append(_Place(date, start, 0, last is None or not last.end))
        else:
            places.append(_Place(date, floor, 0, last is None))
    return places


def _opens_clause(sentence: str, start: int, stop: int) -> bool:
    lead = sentence[start:stop]
    if sentence[start - 1] in ",;:.→、" or lead.lstrip()[:1] in tuple(",.;:→、([【*-"):
        return True
    return bool(_LINK.match(lead.lstrip()))


def _closes(sentence: str, date: FoundDate, ends: re.Match[str]) -> bool:
    """Whether a date behind a boundary still ends the clause in front: "I swam (May 2)"."""
    bracket = sentence.startswith((")", "]", "】"), date.end)
    return bracket or ends.group(1) in (".", ";", "。") or ends.end() >= len(sentence)


def _sentences(text: str) -> list[str]:
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
