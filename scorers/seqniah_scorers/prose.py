"""Running text cut into the pieces that can each state one item."""

from __future__ import annotations

import re
from itertools import pairwise

from seqniah_scorers.dates import FoundDate, common, find_dates

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
_LEAD_IN = re.compile(
    r"[\s,;:(.-]*(?:(?:and|then|next|later|finally|also|first|afterwards|lastly"
    r"|followed by|while|but)[\s,]+){0,3}"
    r"(?:on|in|by|dated)?\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?$"
    r"|[\s,;:(、-]*(?:然后|接着|随后|最后|之后|以及|并且|再|又|而|和|及|并)?(?:于|在|到了?)?$",
    re.IGNORECASE,
)

_LINK = re.compile(
    r"^(?:(?:and|then|next|later|finally|also|but|while)\b[\s,]*|(?:然后|接着|随后|最后|以及)){1,3}",
    re.IGNORECASE,
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


def item_dates(text: str) -> list[FoundDate]:
    """The dates that can date an item: a range counts once, as what all its days share."""
    out: list[FoundDate] = []
    for date in find_dates(text):
        if out:
            last = out[-1]
            between = text[last.end : date.start]
            before = text[max(0, last.start - 12) : last.start]
            word = between.strip().lower()
            opened = word != "and" or re.search(r"\bbetween\s+$", before, re.IGNORECASE)
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


def split_by_dates(sentence: str) -> list[str]:
    """Cut a sentence that dates several events so that each piece has one date."""
    dates = item_dates(sentence)
    if len(dates) > 1 and dates[0].day is None and dates[0].start < 12:
        # "In March 2012, she ran on the 3rd" and so on: the month is no event's date.
        sentence = sentence[dates[0].end :].lstrip(" ,，")
        dates = item_dates(sentence)
    dates = [d for d in dates if d.day is not None]
    if dates:
        lead = _LEAD_IN.search(sentence, max(0, dates[0].start - 60), dates[0].start)
        opening = sentence[: lead.start() + 1] if lead else ""
        if opening.endswith(":"):
            sentence = sentence[len(opening) :]
            dates = [d for d in item_dates(sentence) if d.day is not None]
    if len(dates) < 2:
        return [_LINK.sub("", sentence.strip()) if dates else sentence.strip()]
    follow = _dates_follow(sentence, dates)
    cuts = _cuts_after(sentence, dates) if follow else _cuts_before(sentence, dates)
    bounds = [0, *cuts, len(sentence)]
    pieces = [sentence[a:b].strip(" ,;，、") for a, b in pairwise(bounds)]
    return [_LINK.sub("", p) for p in pieces if p]


def _dates_follow(sentence: str, dates: list[FoundDate]) -> bool:
    """Whether each date stands behind its event: "he ran on May 2 and swam on May 3"."""
    opening = re.split(r"[,:]", sentence[: dates[0].start])[-1]
    tail = sentence[dates[-1].end :].strip(" .。)!")
    return len(opening.strip()) > 12 and len(tail) < 6


def _cuts_after(sentence: str, dates: list[FoundDate]) -> list[int]:
    cuts = []
    for date in dates[:-1]:
        closing = re.match(r"[)\]\"']*[,;，、]?", sentence[date.end : date.end + 4])
        cuts.append(date.end + (closing.end() if closing else 0))
    return cuts


def _cuts_before(sentence: str, dates: list[FoundDate]) -> list[int]:
    cuts = []
    for last, date in pairwise(dates):
        window = max(last.end, date.start - 60)
        lead = _LEAD_IN.search(sentence, window, date.start)
        cuts.append(lead.start() if lead else date.start)
    return cuts
