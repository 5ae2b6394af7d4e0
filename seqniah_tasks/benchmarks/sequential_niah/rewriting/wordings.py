"""Two wordings of one text: whether the new one is well formed and states the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache

from seqniah_datasets.schema import QAItem
from seqniah_scorers.reading.dates import FoundDate, find_dates


class Refusal(StrEnum):
    """Why a part of a reply is not taken."""

    TOO_LONG_REPLY = "the reply is too long"
    UNREADABLE = "the reply holds no JSON object as asked for"
    COUNT = "another number of passages"
    NOT_TEXT = "missing, or no text"
    LINE_BREAK = "holds a line break"
    CHARACTERS = "holds characters that do not print"
    LENGTH = "too long"
    NUMBERED = "numbered, bulleted, or tells its place"
    DATES = "dates changed"
    NUMBERS = "numbers changed"
    NAMES = "names dropped or in another order"
    SUBJECT = "does not carry the question's subject"
    TWICE = "the same as another passage or question"
    ORDER = "the demand for order changed"
    FACTS = "states another fact"


_MARK = re.compile(
    r"[-*•·#>|–—]|[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.)、．）](?!\d)"
    r"|[①-⑳⑴-⒛Ⅰ-ⅿ]"
)
"""What stands in front of an item of a list."""

_PLACE = re.compile(
    r"\b(?:step|stage|phase|item|no\.?)\s+(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|last|final|next|previous)\s+step\b"
    r"|^(?:first|second|third|fourth|fifth|last|final)(?:ly)?\b|^(?:next|then|afterwards?)\b"
    r"|第[一二三四五六七八九十百]+(?:步|个步骤|项|条)|步骤[一二三四五六七八九十]"
    r"|(?:^|[，,。；])(?:首先|其次|再次|然后|接着|接下来|随后|最后)",
    re.IGNORECASE,
)
"""Words that tell a passage's place among the others."""

_DAY_NAME = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:星期|礼拜|周)[一二三四五六日天]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def text_of(given: object, most: int, before: str) -> str | Refusal:
    """A single line of printing characters, not too long, without a mark in front."""
    if not isinstance(given, str) or not given.strip():
        return Refusal.NOT_TEXT
    text = unicodedata.normalize("NFC", given.replace("\u00a0", " ").replace("\u3000", " ")).strip()
    if len(text.splitlines()) > 1:
        return Refusal.LINE_BREAK
    if not text.isprintable():
        return Refusal.CHARACTERS
    if len(text) > most:
        return Refusal.LENGTH
    if _MARK.match(text) or (_PLACE.search(text) and not _PLACE.search(before)):
        return Refusal.NUMBERED
    return text


def stated(text: str) -> tuple[frozenset[tuple[int | None, ...]], frozenset[str]]:
    """The dates of a text, and its other numbers; a year alone counts as a number."""
    dates: set[tuple[int | None, ...]] = set()
    numbers: set[str] = set()
    last: FoundDate | None = None
    end, rest = 0, ""
    for found in find_dates(text):
        rest += text[end : found.start] + " "
        end = found.end
        last = found.filled(last)
        if last.month is None and last.day is None:
            numbers.add(str(last.year))
        else:
            dates.add(last.key())
    numbers.update(_NUMBER.findall(rest + text[end:]))
    return frozenset(dates), frozenset(numbers)


def changed_facts(new: str, old: str) -> Refusal | None:
    (dates, numbers), (dates_before, numbers_before) = stated(new), stated(old)
    day_names, before = (
        {word.casefold() for word in _DAY_NAME.findall(text)} for text in (new, old)
    )
    if dates != dates_before or not day_names <= before:
        return Refusal.DATES
    return Refusal.NUMBERS if numbers != numbers_before else None


_LETTER = "[A-Za-z0-9\u00c0-\u024f]"


@lru_cache(maxsize=4096)
def _name(name: str) -> re.Pattern[str]:
    """Finds a name as a whole, its first letter in either case."""
    first = f"[{re.escape(name[0].lower())}{re.escape(name[0].upper())}]"
    left = f"(?<!{_LETTER})" if re.match(_LETTER, name) else ""
    right = f"(?!{_LETTER})" if re.match(_LETTER, name[-1]) else ""
    return re.compile(left + first + re.escape(name[1:]) + right)


def mentioned(text: str, names: Collection[str]) -> list[str]:
    """Those names that a text has, in the order in which they come."""
    at = {name: found.start() for name in names if (found := _name(name).search(text))}
    return sorted(at, key=lambda name: (at[name], name))


def subject_names(item: QAItem) -> frozenset[str]:
    """Who or what an item is about, as far as it can be told."""
    if item.subject != item.question:
        return frozenset(part for part in item.subject.split(", ") if part)
    return frozenset(_shared_runs(item))


def _shared_runs(item: QAItem) -> list[str]:
    """Runs of the question's words that most needles have too: names, where none are given."""
    english = item.lang == "en"
    # A digit belongs to a date or an amount, which are compared by themselves.
    pieces = re.findall(r"[^\W\d_]+|." if english else ".", item.question)
    enough = 0.6 * len(item.needles)
    runs: list[str] = []
    start = 0
    while start < len(pieces):
        end = start
        while end < len(pieces):
            run = "".join(pieces[start : end + 1])
            if sum(run in needle.text for needle in item.needles) < enough:
                break
            end += 1
        run = re.sub(r"^\W+|\W+$", "", "".join(pieces[start:end]))
        if re.search(r"[A-Z]" if english else r"[^\W\d_]{2}", run) and not find_dates(run):
            runs.append(run)
        start = max(end, start + 1)
    return runs


_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 5
"""Letters by which two forms of an English word are the same."""

_IDLE_WORDS = """
the and that this with from for was were had has have been its their his her they which who
when one day what took place happened occurred dated saw there into about over after also
"""
_IDLE = frozenset(_IDLE_WORDS.split())
"""English words that say nothing of what happened."""

_NEGATION = re.compile(r"\b(?:not|never|no|nor|neither|without|cannot)\b|n['’]t\b|[不没未]", re.I)

_LEAST_KEPT = 0.3
"""Share of a passage's telling words that its new wording has to keep."""


def telling(text: str, names: Collection[str]) -> frozenset[str]:
    """What is left of a text without names and dates: stems in English, pairs of characters in
    Chinese."""
    for found in reversed(find_dates(text)):
        text = f"{text[: found.start]} {text[found.end :]}"
    for name in sorted(names, key=len, reverse=True):
        text = _name(name).sub(" ", text)
    words = {
        word[:_STEM]
        for word in _WORD.findall(text.casefold())
        if word not in _IDLE and not _HAN.search(word) and not _DAY_NAME.fullmatch(word)
    }
    for run in re.findall("[\u3400-\u9fff]+", text):
        words.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    return frozenset(words)


def tells_the_same(new: str, old: str, others: Collection[str], names: Collection[str]) -> bool:
    """Whether a new wording keeps enough of the old one, and no more of any other passage.

    A judge that takes all kinds of wording cannot tell a fact from its neighbour by this much.
    """
    if bool(_NEGATION.search(new)) != bool(_NEGATION.search(old)):
        return False
    words, before = telling(new, names), telling(old, names)
    if not before:
        return True
    kept = len(words & before) / len(before)
    if kept < _LEAST_KEPT:
        return False
    rivals = (telling(other, names) for other in others)
    return all(len(words & rival) <= kept * len(rival) for rival in rivals if rival)


def overlap(text: str, other: str) -> bool:
    """Whether one of two passages holds the other, marks and spaces apart."""
    one, two = (re.sub(r"\W", "", each).casefold() for each in (text, other))
    return one in two or two in one
