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
_MONTH = rf"(?=[jfmasonde])(?:{_NAMES})(?![a-z])"
_DAY = r"\d{1,2}(?:\s?(?:st|nd|rd|th)\b)?(?!\d|[.:]\d)"
_YEAR = r"[12１２]\d{3}"
_OF = r"(?:of\s|in\s|del?\s)?"
_Z = "[〇○零一二三四五六七八九十]"

# Every count is bounded and every pattern starts with a cheap test, so that reading is linear
# in the text and most characters cost one comparison.
_NUMERIC = re.compile(
    rf"(?=\d)(?:(?<![\d.])(?P<y>{_YEAR})\s?(?P<sep>[-/.\u2013])\s?(?P<m>\d{{1,2}})\s?(?P=sep)\s?"
    rf"(?P<d>\d{{1,2}})(?!\d|[.]\d)"
    rf"|(?<![\d./-])(?P<a>\d{{1,2}})(?P<sep2>[-/.])(?P<b>\d{{1,2}})(?P=sep2)(?P<y2>{_YEAR})(?!\d)"
    rf"|(?<![\d./-])(?P<y3>{_YEAR})(?P<sep3>[-/])(?P<m3>\d{{1,2}})(?![\d/-]))"
)
_HAN = re.compile(
    rf"(?=[\d{_Z[1:-1]}])(?:"
    rf"(?:(?P<y>{_YEAR}|{_Z}{{4}}|(?<!\d)\d{{2}})\s?年\s?)?"
    rf"(?:(?P<m>\d{{1,2}}|{_Z}{{1,3}})\s?月(?:份)?\s?)"
    rf"(?:(?P<d>\d{{1,2}}|{_Z}{{1,3}})\s?(?:[日号號]|(?=[:,，：\s]|$)))?"
    rf"|(?P<y2>(?<!\d){_YEAR}|{_Z}{{4}})\s?年(?!代|[级龄])"
    rf"|(?<![\d第{_Z[1:-1]}/.])(?P<d2>\d{{1,2}}|{_Z}{{1,3}})\s?[日号號](?![线楼店馆门院机车本常期程游]))"
)
_HAN_MARK = re.compile("[年月日号號]")
# These three read text in lower case: ignoring case inside the pattern costs three times as much.
_MONTH_FIRST = re.compile(
    rf"(?<![a-z])(?P<name>{_MONTH})\.?(?:[\s,-]{{0,2}}(?:the\s)?(?P<d>{_DAY})"
    rf"(?:\s?(?:-|\u2013|to)\s?\d{{1,2}}(?P<span>(?:st|nd|rd|th)?(?=\s?,?\s?{_YEAR})))?)?"
    rf"(?:[\s,(-]{{0,3}}{_OF}(?P<y>{_YEAR})(?!\d))?"
)
_DAY_FIRST = re.compile(
    rf"(?=\d)(?:(?<![\da-z])(?P<y1>{_YEAR})[\s,-]{{1,2}})?(?<!\d)(?<!\d[.:])(?P<d>{_DAY})\.?[\s,-]{{0,2}}"
    rf"(?:of\s|de\s)?(?P<name>{_MONTH})\.?(?:[\s,(-]{{0,3}}{_OF}(?P<y>{_YEAR})(?!\d))?"
)
_YEAR_FIRST = re.compile(
    rf"(?=\d)(?<![\da-z])(?P<y>{_YEAR})[-\s](?P<name>{_MONTH})(?:[-\s](?P<d>{_DAY}))?"
)
_LEADING = re.compile(
    rf"(?:On\s)?(?:(?P<name>(?i:{_NAMES}))\s(?P<d>\d{{1,2}}),?\s(?P<y>{_YEAR})"
    rf"|(?P<d3>\d{{1,2}})\s(?P<name3>(?i:{_NAMES}))\s(?P<y3>{_YEAR})"
    rf"|(?P<y2>{_YEAR})(?:[-/](?P<m2>\d{{1,2}})[-/]|年(?P<m3>\d{{1,2}})月)(?P<d2>\d{{1,2}})日?)(?=[:,\s][^-~至到\d]{{3}})"
)
_ORDINAL = re.compile(
    r"\bthe\s(?P<d>\d{1,2})(?:st|nd|rd|th)\b|(?<=\()(?P<d2>\d{1,2})(?:st|nd|rd|th)(?=\))"
)
_YEAR_ALONE = re.compile(r"\s*(?:in\s+|year\s+)?(?P<y>(?:19|20)\d{2})\s*[:,.]?\s*", re.IGNORECASE)
_BEFORE_MONTH = re.compile(r"\b(?:in|of|during|since|until|early|late|mid)[\s-]$", re.IGNORECASE)
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

    def full(self) -> bool:
        return self.year is not None and self.month is not None and self.day is not None

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
    start, end = match.span()
    if match["name"]:
        month, day = MONTHS[match["name"].lower()], int(match["d"])
        date = FoundDate(int(match["y"]), month, day, start, end)
    elif match["name3"]:
        month, day = MONTHS[match["name3"].lower()], int(match["d3"])
        date = FoundDate(int(match["y3"]), month, day, start, end)
    else:
        month, day = int(match["m2"] or match["m3"]), int(match["d2"])
        date = FoundDate(int(match["y2"]), month, day, start, end)
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
        found += [_day_first(m) for m in _DAY_FIRST.finditer(lower)]
        found += [_named(m["y"], m, m["d"]) for m in _YEAR_FIRST.finditer(lower)]
    for match in named:
        if match["d"] or match["y"] or _meant_as_month(match, text):
            found.append(
                _named(match["y"], match, None if match["span"] is not None else match["d"])
            )
    if len(found) < 2:
        return [d for d in found if _possible(d)]
    return _joined(_without_overlaps([d for d in found if _possible(d)]), text)


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
    if "十" in digits:
        tens, _, ones = digits.partition("十")
        return _ZH_DIGITS.get(tens, 1) * 10 + _ZH_DIGITS.get(ones, 0)
    value = 0
    for char in digits:
        value = value * 10 + _ZH_DIGITS.get(char, 0)
    return value


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


def _day_first(m: re.Match[str]) -> FoundDate:
    return _named(m["y1"] or m["y"], m, m["d"])


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
        if kept and date.start < kept[-1].end:
            if date.end - date.start > kept[-1].end - kept[-1].start:
                kept[-1] = date
            continue
        kept.append(date)
    return kept


def _joined(dates: list[FoundDate], text: str) -> list[FoundDate]:
    """Read "in October 2007, on the 12th" and "10月9日（2015年）" as the one date that each is."""
    out: list[FoundDate] = []
    for date in dates:
        last = out[-1] if out else None
        lone_day = date.month is None and date.year is None
        if last and lone_day and last.day is None and last.month is not None:
            gap = text[last.end : date.start].strip(" ,").lower()
            if gap in ("", "on", "(", "（"):
                out[-1] = replace(last, day=date.day, end=date.end)
                continue
        lone_year = date.month is None and date.day is None
        between = text[last.end : date.start].strip() if last else ""
        if last and lone_year and last.year is None and between in ("(", "（"):
            out[-1] = replace(last, year=date.year, end=date.end)
            continue
        out.append(date)
    return out
