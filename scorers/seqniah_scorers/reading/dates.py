"""Dates as models and documents write them, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from seqniah_scorers import authored

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(authored.table("reading/months.toml")["months"], 1)
    for name in names.split()
}
_AMBIGUOUS = {"may", "march", "mars", "mar", "mai", "dec", "sep", "jan", "jun", "marco", "juli"}
"""Month names that are also common words or names: alone they need a capital and a preposition."""

_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))

form = authored.patterns("reading/dates.toml", names=_NAMES)
_NUMERIC, _HAN, _LEADING, _ORDINAL = map(form, ("numeric", "han", "leading", "ordinal"))
_MONTH_FIRST, _DAY_FIRST, _YEAR_FIRST = map(form, ("month_first", "day_first", "year_first"))
_YEAR_ALONE, _BEFORE_MONTH = map(form, ("year_alone", "before_month"))
_RANGE_LINK = form("range_link")
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_HAN_MARK = re.compile("[年月日号號]")
_JOINED_DIGITS = re.compile(r"\d\s?[-/.\u2013]\s?\d")
_ACCENTED = re.compile("[éûçäÉÛÇÄ]")
_ACCENTS = str.maketrans("éûçäÉÛÇÄ", "eucaEUCA")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date, or the part of one, that a text states."""

    year: int | None
    """None where the text leaves it open."""
    month: int | None
    """1 to 12."""
    day: int | None
    """1 to 31."""
    start: int
    """Offset of its first character in the text that was searched."""
    end: int
    """Offset after its last character."""

    def key(self) -> tuple[int | None, int | None, int | None]:
        return (self.year, self.month, self.day)

    def filled(self, other: FoundDate | None) -> FoundDate:
        """The same date, with parts that are missing at the front taken from `other`."""
        if other is None or self.year is not None:
            return self
        month = self.month if self.month is not None else other.month
        return replace(self, year=other.year, month=month)


def compatible(a: FoundDate, b: FoundDate) -> bool:
    """True unless a part that both state differs."""
    return (
        (a.day == b.day or a.day is None or b.day is None)
        and (a.month == b.month or a.month is None or b.month is None)
        and (a.year == b.year or a.year is None or b.year is None)
    )


def common(a: FoundDate, b: FoundDate) -> FoundDate:
    """What holds for every day from `a` to `b`: the parts in front that both share."""
    a = a.filled(b)
    year = a.year if a.year == b.year or b.year is None else None
    month = a.month if year == a.year and a.month == b.month else None
    return FoundDate(year, month, None, min(a.start, b.start), max(a.end, b.end))


def leading_date(text: str) -> FoundDate | None:
    """The complete date with which the text opens, if it is in one of the commonest forms."""
    match = _LEADING.match(text)
    if match is None:
        return None
    name = match["name"] or match["name3"]
    month = MONTHS[name.lower()] if name else match["m2"] or match["m3"]
    year = match["y"] or match["y2"] or match["y3"]
    date = _make(year, month, match["d"] or match["d2"] or match["d3"], match)
    return date if _possible(date) else None


def find_dates(text: str) -> list[FoundDate]:
    """All dates in the text in the order in which they stand; none overlaps another."""
    found: list[FoundDate] = []
    if not text.isascii():
        if _HAN_MARK.search(text):
            found += [_han(m) for m in _HAN.finditer(text)]
        text = text.translate(_ACCENTS) if _ACCENTED.search(text) else text
    lower = text.lower()
    if len(lower) != len(text):
        lower = text
    named = list(_MONTH_FIRST.finditer(lower))
    if _JOINED_DIGITS.search(text):
        found += [_numeric(m) for m in _NUMERIC.finditer(text)]
    if "the " in lower or "(" in lower:
        found += [_make(None, None, m["d"] or m["d2"], m) for m in _ORDINAL.finditer(lower)]
    if len(text) < 20 and (year := _YEAR_ALONE.fullmatch(text)):
        found.append(_make(year["y"], None, None, year))
    if named:
        found += [_named(m["y1"] or m["y"], m, m["d"]) for m in _DAY_FIRST.finditer(lower)]
        found += [_named(m["y"], m, m["d"]) for m in _YEAR_FIRST.finditer(lower)]
    for match in named:
        if match["d"] or match["y"] or _meant_as_month(match, text):
            found.append(_named(match["y"], match, match["d"] if match["span"] is None else None))
    found = [d for d in found if _possible(d)]
    return _without_overlaps(found) if len(found) > 1 else found


def _make(
    year: str | int | None, month: str | int | None, day: str | int | None, match: re.Match[str]
) -> FoundDate:
    return FoundDate(_number(year), _number(month), _number(day), match.start(), match.end())


def _number(part: str | int | None) -> int | None:
    if part is None or isinstance(part, int):
        return part
    if part.isdecimal():
        return int(part)
    digits = part.rstrip("stndrhSTNDRH ")
    if digits.isdecimal():
        return int(digits)
    tens, ten, ones = digits.partition("十")
    if ten:
        return _ZH_DIGITS.get(tens, 1) * 10 + _ZH_DIGITS.get(ones, 0)
    return int("".join(str(_ZH_DIGITS.get(char, 0)) for char in digits) or 0)


def _numeric(m: re.Match[str]) -> FoundDate:
    if m["y"]:
        return _make(m["y"], m["m"], m["d"], m)
    if m["y3"]:
        return _make(m["y3"], m["m3"], None, m)
    first, second = int(m["a"]), int(m["b"])
    # 11/06/2010 is read the American way, 06.11.2010 the European way; a 13 settles it.
    day_first = first > 12 or (m["sep2"] == "." and second <= 12)
    month, day = (second, first) if day_first else (first, second)
    return _make(m["y2"], month, day, m)


def _han(m: re.Match[str]) -> FoundDate:
    if m["d2"]:
        return _make(None, None, m["d2"], m)
    if m["y2"]:
        return _make(m["y2"], None, None, m)
    year = _number(m["y"])
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    return _make(year, m["m"], m["d"], m)


def _named(year: str | None, m: re.Match[str], day: str | None) -> FoundDate:
    return _make(year, MONTHS[m["name"]], day, m)


def _meant_as_month(m: re.Match[str], text: str) -> bool:
    """Whether a month name without day and year is one: "in May", not "may" or "Jan said"."""
    name = text[m.start("name") : m.end("name")]
    whole = text.strip(" :.,#") == name
    if not name[0].isupper() or not (len(name) > 3 or whole):
        return False
    before = text[max(0, m.start() - 12) : m.start()]
    return whole or m["name"] not in _AMBIGUOUS or bool(_BEFORE_MONTH.search(before))


def _possible(d: FoundDate) -> bool:
    if d.key() == (None, None, None):
        return False
    return (d.month is None or 1 <= d.month <= 12) and (d.day is None or 1 <= d.day <= 31)


def _without_overlaps(found: list[FoundDate]) -> list[FoundDate]:
    """Of dates over the same characters the longest is meant."""
    kept: list[FoundDate] = []
    for date in sorted(found, key=lambda d: (d.start, -d.end)):
        if not kept or date.start >= kept[-1].end:
            kept.append(date)
        elif date.end - date.start > kept[-1].end - kept[-1].start:
            kept[-1] = date
    return kept


def item_dates(text: str) -> list[FoundDate]:
    """The dates that can date an item: a range counts once, as what all its days share."""
    out: list[FoundDate] = []
    for date in find_dates(text):
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
    before = text[max(0, first.start - 12) : first.start]
    return not between.lower().lstrip().startswith("and") or bool(_BETWEEN.search(before))
