"""Amounts with their units, converted so that half a day and twelve hours are equal."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.comparing.numerals import changed_count, in_digits
from seqniah_scorers.text import has_cjk

# Kind, factor, and the forms of the unit; a kind with "~" converts only roughly.
_UNITS = """
time 0.0166666667 second seconds sec secs 秒 秒钟; time 1 minute minutes min mins 分钟;
time 60 hour hours hr hrs h 小时 个小时 钟头 个钟头; time 1440 day days night nights 天 昼夜;
time 10080 week weeks 周 星期 个星期 礼拜 个礼拜; time~ 43200 month months 个月;
time~ 525600 year years 年; length 0.001 mm millimetre millimetres millimeter millimeters 毫米;
length 0.01 cm centimetre centimetres centimeter centimeters 厘米 公分;
length 1 m metre metres meter meters 米; length 1000 km kilometre kilometres kilometer kilometers
公里 千米; length~ 0.0254 inch inches; length~ 0.3048 feet foot ft; length~ 0.9144 yard yards;
length~ 1609 mile miles; weight 0.001 mg 毫克; weight 1 g gram grams gramme grammes 克;
weight 1000 kg kilo kilos kilogram kilograms 公斤 千克; weight 500 斤 市斤;
weight 1000000 ton tons tonne tonnes 吨; weight~ 28.35 ounce ounces oz;
weight~ 453.6 pound pounds lb lbs; volume 1 ml millilitre millilitres milliliter milliliters 毫升;
volume 1000 l litre litres liter liters 升; volume~ 240 cup cups; volume~ 15 tablespoon
tablespoons tbsp; volume~ 5 teaspoon teaspoons tsp; share 1 % percent ％; share 10 折 成;
workdays 1 workday workdays 工作日 个工作日; heat 1 ℃ ° °c degree degrees 摄氏度 度;
often 1 time times 次 遍 回; floor 1 楼 层
"""
_PHRASES_EN = (
    (re.compile(r"\b(?:half an?|a half|half)[\s-]day\b"), "12 hours"),
    (re.compile(r"\bthree[- ]quarters of an hour\b"), "45 minutes"),
    (re.compile(r"\ban hour and a half\b"), "90 minutes"),
    (re.compile(r"\b(?:a|one) tenth\b"), "10 percent"),
    (re.compile(r"\bfortnight\b"), "14 days"),
    (re.compile(r"\bthrice\b"), "3 times"),
    (re.compile(r"\btwice\b"), "2 times"),
    (re.compile(r"\bper cent\b"), "percent"),
    (re.compile(r"\b(?:working|business) days?\b"), "workdays"),
    (re.compile(r"\b(?:an?|one) (?:whole|full|single|entire|further|good) (?=[hdwmy])"), "one "),
    (
        re.compile(r"(?<=\d)-(?=(?:second|minute|hour|day|week|month|year|kilomet|met|gram|lit))"),
        " ",
    ),
)
_PHRASES_ZH = (
    (re.compile("半个月"), "15天"),
    (re.compile("半[天日]"), "12小时"),
    (re.compile("半年"), "6个月"),
    (re.compile("半公斤"), "500克"),
    (re.compile("半斤"), "250克"),
    (re.compile("百分之([零一二两三四五六七八九十百\\d]+)"), r"\1%"),
    (re.compile("一半|半价"), "50%"),
    (
        re.compile(
            "(?<!第)一(?=个?(?:周|星期|礼拜|月|天|小时|钟头|年|公斤|斤|升|米|公里|工作日|楼))"
        ),
        "1",
    ),
)
_FORMS = {
    form: (kind.rstrip("~"), float(factor), kind.endswith("~"))
    for kind, factor, *forms in (group.split() for group in _UNITS.split(";"))
    for form in forms
}
_LATIN = "|".join(sorted((f for f in _FORMS if not has_cjk(f)), key=len, reverse=True))
_HAN = "|".join(sorted((f for f in _FORMS if has_cjk(f)), key=len, reverse=True))
_MEASURE = re.compile(
    r"(?:(?P<low>\d+(?:\.\d+)?)(?:\s?(?:-|\u2013|~|to|or|至|到|或)\s?(?P<high>\d+(?:\.\d+)?))?"
    r"|\b(?P<one>an?|one|per)\b|(?P<each>每))"
    rf"[多余来几]?[\s-]?(?:(?P<latin>{_LATIN})(?![a-z])|(?P<han>{_HAN})(?![过假数量角收报答龄]))"
)
_RATE = re.compile(r"(?:times|once|per|each|every|\d)\s*$")
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s?(?:[ap]\.?m\b|o'clock)"
    r"|(?<![\d:])(?P<hour2>\d{1,2}):(?P<minute2>\d\d)(?!\d)|(?<!\d)(?P<hour3>\d{1,2})点(?!滴)"
)
_BETWEEN = re.compile(r"(\d)\s(?:whole|full|entire|more|further)\s(?=[a-z])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?")
_ABOUT = 0.08
"""Share by which amounts may differ one of whose units converts only roughly."""
_YEAR = 1000
"""From this number on, years name one of them."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount, or a range of amounts."""

    kind: str
    low: float
    high: float
    rough: bool
    """Its unit converts only roughly, as a month does to days."""
    soft: bool
    """It may confirm another amount but changes none: "once a week"."""
    text: str

    def equals(self, other: Measure) -> bool:
        slack = _ABOUT if self.rough != other.rough else 1e-3
        return self.low <= other.high * (1 + slack) and other.low <= self.high * (1 + slack)


def amounts_only(swap: str) -> bool:
    """Whether of two runs of words, "metr became km", both are nothing but numbers and units."""
    return all(
        word.isdecimal() or word in _FORMS or f"{word}e" in _FORMS or f"{word}es" in _FORMS
        for side in swap.lower().split(" became ")
        for word in side.split()
    )


@lru_cache(maxsize=2048)
def measures(text: str) -> tuple[tuple[Measure, ...], str]:
    """The amounts of a text, and the text without them."""
    lower = _plain(text)
    found: list[Measure] = []
    rest: list[str] = []
    at = 0
    for match in _MEASURE.finditer(lower):
        measure = _measure(match, lower)
        if measure is not None:
            found.append(measure)
            rest.append(lower[at : match.start()])
            at = match.end()
    left = "".join([*rest, lower[at:]])
    for match in _CLOCK.finditer(left):
        hour = int(match["hour"] or match["hour2"] or match["hour3"]) % 12
        minute = int(match["minute"] or match["minute2"] or 0)
        value = hour * 60.0 + minute
        found.append(Measure("clock", value, value, False, False, match.group()))
    return tuple(found), _CLOCK.sub("", left)


def _plain(text: str) -> str:
    """The text in lower case with digits, and one way to write each amount."""
    lower = _THOUSANDS.sub("", text.lower())
    chinese = has_cjk(lower)
    if not chinese:
        for pattern, plain in _PHRASES_EN:
            lower = pattern.sub(plain, lower)
        return _BETWEEN.sub(r"\1 ", in_digits(lower, False, small=True))
    for pattern, plain in _PHRASES_ZH:
        lower = pattern.sub(plain, lower)
    return in_digits(lower, True)


def _measure(match: re.Match[str], text: str) -> Measure | None:
    unit = match["latin"] or match["han"]
    kind, factor, rough = _FORMS[unit]
    one = match["low"] is None
    if (one and kind in ("often", "heat", "share")) or (unit in ("m", "h", "l") and one):
        return None
    low = 1.0 if one else float(match["low"][:12])
    high = float(match["high"][:12]) if match["high"] else low
    if (unit == "年" and low >= _YEAR) or (unit in ("折", "成") and low > 10):
        return None
    rate = (
        bool(match["each"])
        or match["one"] == "per"
        or (one and bool(_RATE.search(text[: match.start()])))
    )
    shown = match.group().strip()
    return Measure(kind, low * factor, max(low, high) * factor, rough, rate, shown)


def changed_measure(ref: str, ans: str, free: bool) -> str | None:
    """An amount of the reference for which the answer has none that is equal, but another.

    `free`: the answer tells at length, so that numbers without a unit may be any.
    """
    mine, left = measures(ref)
    theirs, left_new = measures(ans) if mine or _NUMBER.search(left) else ((), "")
    for own in mine:
        if own.soft or any(own.kind == m.kind and own.equals(m) for m in theirs):
            continue
        for other in theirs:
            new = not other.soft and not any(m.kind == other.kind and m.equals(other) for m in mine)
            if new and other.kind == own.kind:
                return f"{own.text} became {other.text}"
    return _changed_rest(left, left_new, free) if _NUMBER.search(left) else None


def _changed_rest(ref: str, ans: str, free: bool) -> str | None:
    if free:
        return changed_count(ref, ans, exact=True)
    mine, theirs = Counter(_NUMBER.findall(ref)), Counter(_NUMBER.findall(ans))
    lost, new = sorted(mine - theirs), sorted(theirs - mine)
    return f"{lost[0]} became {new[0]}" if lost and new else None
