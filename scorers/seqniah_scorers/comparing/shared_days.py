"""Days told together: "on May 2 and 3, A and B, respectively", "A, and the next day B"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from seqniah_scorers.comparing.align import Index, same_day
from seqniah_scorers.comparing.facts import TOKEN, base_form
from seqniah_scorers.reading.dates import FoundDate, compatible
from seqniah_scorers.reading.items import Item

_IN_TURN = re.compile(
    r",?\s*\b(?:respectively|in turn|in that order)\b|分别|先后|依次", re.IGNORECASE
)
_NEXT_DAY = re.compile(
    r"[,;]?\s*\b(?:and\s+|then\s+)*,?\s*(?:on\s+)?the\s+(?:next|following)\s+day,?\s+"
    r"|[,，;；]?(?:并在|又在|而在|在)?(?:次日|第二天|翌日|隔天)[,，]?",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"(?:one|another(?:\s+one)?)\s+(?=about|of|on|with|from|at|in|for)", re.IGNORECASE
)
_TIE = re.compile(r"\s(?:about|of|on|with|from|at|in|for)\s", re.IGNORECASE)


def told_apart(items: list[Item], refs: Index) -> list[Item]:
    """The items with each day's own words, where the answer tells two days in one clause."""
    out = _next_days(items, refs)
    for n in range(len(out) - 1):
        one, other = out[n], out[n + 1]
        if one.text == other.text and _IN_TURN.search(one.text):
            out[n], out[n + 1] = _in_turn(one, other, refs)
    return out


def _next_days(items: list[Item], refs: Index) -> list[Item]:
    out: list[Item] = []
    for item in items:
        out.append(item)
        match = _NEXT_DAY.search(item.text) if item.date and item.date.day else None
        if match is None or not 0 < match.start() < match.end() < len(item.text):
            continue
        after = _day_after(item.date, refs)
        if after is None or any(same_day(after, i.date) for i in items):
            continue
        head, tail = item.text[: match.start()], item.text[match.end() :]
        if one := _ONE.match(tail):  # "a film about whales and, the next day, one about ice"
            tie = _TIE.search(head)
            tail = f"{head[: tie.start()] if tie else head} {tail[one.end() :]}"
        out[-1] = replace(item, text=head)
        out.append(replace(item, text=tail, date=after))
    return out


def _day_after(day: FoundDate | None, refs: Index) -> FoundDate | None:
    """The date of the reference that is one day later, if the reference tells both days apart."""
    for item in refs.items:
        own = item.date
        if own is None or day is None or not (own.year and own.month and own.day):
            continue
        try:
            before = date(own.year, own.month, own.day) - timedelta(days=1)
        except ValueError:
            continue
        if compatible(day, replace(own, year=before.year, month=before.month, day=before.day)):
            return own
    return None


def _in_turn(one: Item, other: Item, refs: Index) -> tuple[Item, Item]:
    """Either item with the words of its place: the first has those that come first."""
    mine = next((i for i in refs.items if same_day(i.date, one.date)), None)
    theirs = next((i for i in refs.items if same_day(i.date, other.date)), None)
    if mine is None or theirs is None:
        return one, other
    a, b = _words(mine.text), _words(theirs.text)
    text = _IN_TURN.sub("", one.text, count=1)
    places = [(m.start(), base_form(m.group())) for m in TOKEN.finditer(text.lower())]
    first = min((at for at, word in places if word in a - b), default=None)
    last = min((at for at, word in places if word in b - a), default=None)
    if first is None or last is None:
        return one, other
    front, back = (a - b, b - a) if first < last else (b - a, a - b)
    return replace(one, text=_without(text, back)), replace(other, text=_without(text, front))


def _words(text: str) -> set[str]:
    return {base_form(token) for token in TOKEN.findall(text.lower())}


def _without(text: str, words: set[str]) -> str:
    return TOKEN.sub(lambda m: "" if base_form(m.group().lower()) in words else m.group(), text)
