"""The numbers of an answer that lists counts: lists, however malformed, and numbers in prose.

One pass over the text, in time that grows with its length: every number goes into one row, and a
list is a stretch of that row, so that nesting costs nothing and nothing is scanned twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby

from seqniah_scorers.text import spoken

Written = Callable[[str], Sequence[int]]
"""The values of a run of number words, e.g. of "twenty-one" or 十五; none where it has none."""

_MOST_DIGITS = 15
"""A longer number is no count that anybody writes."""
_MOST_NAME = 80
"""Characters looked at before a list for its name."""

_SIGNS = ("“”„「」『』‘’【】〔〕−–—\u3000", '"""""""\'\'[][]--- ')
_FORMS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans(*_SIGNS)
_MARKER = re.compile(r"^[ \t>*-]{0,9}\(?(\d{1,5})[.):、][ \t]+(?=\S)", re.MULTILINE)
_NAME = re.compile(r"""["']?([^"'\[\]{},:=\n]{1,64})["']?\s{0,9}[:=]$""")
_NOT_LETTER = re.compile(r"[\W_]+")

_ZH = "〇零一二两三四五六七八九十百千万"
_EN = (
    "(?:zero|one|two|three|four(?:teen)?|five|six(?:teen|ty)?|seven(?:teen|ty)?|eight(?:een|y)?"
    "|nine(?:teen|ty)?|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred"
    "|thousand)"
)
_TOKEN = re.compile(
    rf"""
    (?P<key>"[^"\n]{{0,64}}"\s{{0,9}}:|'[^'\n]{{0,64}}'\s{{0,9}}:)
    |(?P<bracket>[\[\]{{}}])
    |(?P<place>第\s?[\d{_ZH}]{{1,9}}\s?[次个颗回段章]?:?|\d{{1,6}}(?:st|nd|rd|th)\b
        |(?:\#|\b(?:star|count|time|item|no\.?|number)\s?\#?)\d{{1,6}}\s?(?=[:=)]))
    |(?P<number>(?:(?<![\w)\]])-)?\d+(?:,0\d\d(?!\d))?(?:\.\d+)?(?:e[+-]?\d+)?)
        (?P<tail>[a-z_%]\w*)?
    |(?P<zh>[{_ZH}]+)
    |(?P<en>\b{_EN}(?:(?:\s?-\s?|\s(?:and\s)?){_EN}){{0,9}}\b)
    |(?P<no_count>\b(?:true|false)\b)
    |(?P<light>\b(?:stars?|and|or|maybe|perhaps|possibly|then|json|null|none)\b)
    |(?P<word>[a-z_][\w]*)
    |(?P<other>[^\W\da-z_{_ZH}颗星和与及以或第]+)
    """,
    re.VERBOSE,
)
"""Of the text in lower case. What no alternative takes (signs, 颗, 和) says nothing."""

_DENIED = re.compile(
    rf"""
    (?:(?:\bnot|n't|\bnever)
        (?:\s+(?:the|an?|these|those|my|be|in|to|equal|exactly|right|correct|(?:number|count|star
        |list|answer)s?))*
    |(?:不是|并非|不等于|不为)(?![很太非完])[^，。；,.;!?\d\[{{\n{_ZH}]{{0,12}})
    [\s:*_"'`$(]{{0,9}}
    (?:\[[^\[\]]{{0,4000}}\]|\{{[^{{}}]{{0,4000}}\}}|\d+|{_EN}(?:[\s-]{_EN})*|[{_ZH}]+)
    """,
    re.VERBOSE,
)
"""A number or a list that the text says is not the answer."""

_STAR = re.compile(r"\s?(?:stars?\b|[★☆颗星])")
_APART = re.compile(r"""\s?(?:[,;、。.★☆"'\]}和与及|]|and\b|$)""")


@dataclass(slots=True)
class Listed:
    """One list of the text, as a stretch of the row of numbers."""

    name: str
    """What it is called where it stands, letters and digits only; empty for a bare list."""
    begin: int
    foreign: int
    """How many foreign words stand before it."""
    end: int = -1
    complete: bool = False


@dataclass(slots=True)
class Row:
    """All numbers of a text in order, and the lists that they stand in."""

    numbers: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    """For each number, where in the text its sign or word begins."""
    ends: list[int] = field(default_factory=list)
    """For each number, one past its last character."""
    foreign_before: list[int] = field(default_factory=list)
    """For each number, how many foreign words stand before it."""
    foreign: list[int] = field(default_factory=list)
    """For each foreign word, how many numbers stand before it."""
    lists: list[Listed] = field(default_factory=list)
    no_counts: int = 0
    """Entries like 15.5, -3 and true."""

    _open: list[Listed | None] = field(default_factory=list)
    """The brackets that lack their end; None for a brace."""
    _open_lists: int = 0
    """How many of them are lists."""

    def add(self, values: Sequence[int], token: re.Match[str]) -> None:
        self.numbers += values
        self.begins += [token.start()] * len(values)
        self.ends += [token.end()] * len(values)
        self.foreign_before += [len(self.foreign)] * len(values)

    def turn(self, token: re.Match[str]) -> None:
        """Take a bracket."""
        sign = token[0]
        if sign == "{":
            self._open.append(None)
        elif sign == "[":
            self.lists.append(Listed(_name(token), len(self.numbers), len(self.foreign)))
            self._open.append(self.lists[-1])
            self._open_lists += 1
        else:
            wanted = sign == "]"
            while self._open_lists if wanted else len(self._open) > self._open_lists:
                # Brackets in between lack their end: {"stars": [3, 5} is a whole list.
                top = self._open.pop()
                if top is not None:
                    self._open_lists -= 1
                    self._close(top, complete=True)
                if (top is not None) is wanted:
                    break

    def close_all(self) -> None:
        """Take the end of the text."""
        for one in self._open:
            if one is not None:
                self._close(one, complete=False)

    def _close(self, one: Listed, complete: bool) -> None:
        """Set the list's end; with foreign words in it, it is complete nowhere."""
        pure = len(self.foreign) == one.foreign
        one.end = len(self.numbers) if pure else self.foreign[one.foreign]
        one.complete = complete and pure
        if complete and not pure:
            one.end = one.begin  # a remark in brackets, no list


def read(response: str, asked: frozenset[str], written: Written) -> tuple[tuple[int, ...], bool]:
    """The numbers of a response as written, and whether nothing was answered.

    That is no text, or an empty list. `asked`: names of the wanted list, in lower case.

    A draft may stand before the answer, so of several lists the last counts, in this order: a
    complete list with an asked name, one cut off; a complete list with another name or none, one
    cut off. Lists hold nothing but numbers, in digits, strings or words. A list of one number needs
    a name, so that no footnote mark is taken for an answer. Failing all that, the text is prose,
    and its numbers are the answer (see `_of_prose`).
    """
    text = plain(response)
    row = row_of(text, written)
    names = frozenset(_NOT_LETTER.sub("", name) for name in asked)
    chosen = _chosen(row, names)
    numbers = tuple(row.numbers[chosen.begin : chosen.end]) if chosen else _of_prose(row, text)
    silent = (chosen or not row.foreign) and not row.no_counts
    return numbers, not numbers and bool(silent)


def plain(response: str) -> str:
    """What is read of a response: behind its thoughts, in plain signs and small letters, without
    numbers that it denies."""
    text = response.translate(_FORMS).lower()
    return _numbered(_DENIED.sub(" no ", text[spoken(text)]))


def _numbered(text: str) -> str:
    """The text without the numbers of its lines, where they count 1, 2, 3 from the first on."""
    marks = [int(mark[1]) for mark in _MARKER.finditer(text)]
    if len(marks) < 2 or marks != list(range(1, len(marks) + 1)):
        return text
    return _MARKER.sub("- ", text)


def row_of(text: str, written: Written) -> Row:
    """The numbers and lists of a `plain` text."""
    row = Row()
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "bracket":
            row.turn(token)
        elif kind in ("number", "tail"):
            _take_digits(row, token)
        elif kind in ("zh", "en"):
            values = written(token[0]) if _counts(text, token) else ()
            row.add(values, token)
            if not values:
                row.foreign.append(len(row.numbers))
        elif kind == "no_count":
            row.no_counts += 1
        elif kind in ("word", "other"):
            row.foreign.append(len(row.numbers))
    row.close_all()
    return row


def _take_digits(row: Row, token: re.Match[str]) -> None:
    if token["tail"] not in (None, "stars", "star"):
        row.foreign.append(len(row.numbers))
        return
    digits = token["number"].replace(",", "")
    if digits.isdecimal() and len(digits) <= _MOST_DIGITS:
        row.add([int(digits)], token)
        return
    # Fractions of zero, as in 15.0 or 1e1, are counts; the bound keeps the power of ten small.
    value = float(digits) if len(digits) <= _MOST_DIGITS else -1.0
    if 0 <= value < 10**_MOST_DIGITS and value.is_integer():
        row.add([int(value)], token)
    else:
        row.no_counts += 1


def _counts(text: str, token: re.Match[str]) -> bool:
    """Whether number words are a number here: 一 is part of many words, and so is "one"."""
    if token.lastgroup == "en" and token[0] != "one":
        return True
    if _STAR.match(text, token.end()):
        return True
    if not _APART.match(text, token.end()):
        return False
    before = text[token.start() - 1 : token.start()]
    return token.lastgroup == "en" or not before.isalpha() or before in "和与及"


def _name(token: re.Match[str]) -> str:
    before = token.string[max(0, token.start() - _MOST_NAME) : token.start()].rstrip()
    found = _NAME.search(before) if before.endswith((":", "=")) else None
    return _NOT_LETTER.sub("", found[1]) if found else ""


def _chosen(row: Row, asked: frozenset[str]) -> Listed | None:
    found: list[Listed] = []
    inside = -1
    for one in row.lists:
        named, size = one.name in asked, one.end - one.begin
        if (one.begin < inside or not size) and not (named and (size or one.complete)):
            continue  # a part of the list before, or nothing
        if size == 1 and not one.name and row.foreign:
            continue
        inside = one.end
        found.append(one)
    # Of equals the last, which `max` sees first.
    return max(reversed(found), key=lambda one: (one.name in asked, one.complete), default=None)


def _of_prose(row: Row, text: str) -> tuple[int, ...]:
    """The numbers of running text, as runs of numbers with no foreign word between.

    A run's first number is none of it where the only colon comes next, as in "4 stars: 3, 5". Where
    a run has three numbers or more, lone numbers beside it are remarks (32 in all). A run that
    mostly repeats what was said is a second telling, which counts unless it is the shorter.
    """
    places = groupby(range(len(row.numbers)), key=row.foreign_before.__getitem__)
    runs = [_without_total(row, text, list(run)) for _, run in places]
    if not any(len(run) >= 3 for run in runs):
        return tuple(chain.from_iterable(runs))
    told: list[int] = []
    known: set[int] = set()
    for run in runs:
        if len(run) == 1:
            continue
        if 2 * sum(number in known for number in run) <= len(run):
            told += run
            known.update(run)
        elif len(run) >= len(told):
            told, known = list(run), set(run)
    return tuple(told)


def _without_total(row: Row, text: str, run: list[int]) -> list[int]:
    """The numbers of a run of places, without one that says of how many they are."""
    numbers = [row.numbers[place] for place in run]
    colons = [after for after in run[1:] if ":" in text[row.ends[after - 1] : row.begins[after]]]
    return numbers[1:] if colons and colons == run[1:2] else numbers
