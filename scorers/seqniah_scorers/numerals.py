"""Numbers written out in English or Chinese, turned into digits."""

from __future__ import annotations

import re
from functools import partial

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {w: n for n, w in enumerate(_ONES.split())} | {
    w: 10 * n for n, w in enumerate(_TENS.split(), start=2)
}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_SCALE = "|".join(_SCALES)
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_MEASURES = "half quarter hour hours hr hrs kg kilo kilos kilogram kilograms kilogramme"
SIGNS = {*_VALUES, *_SCALES, *_MEASURES.split(), "kilogrammes"}
"""English words one of which a number that is written out has, if it has no digit."""
_WORDS = re.compile(r"[^\W_]+")
_RUN = re.compile(
    rf"\b(?:(?:a\s+(?={_SCALE})|(?=[a-z]))(?:{_WORD}|{_SCALE})"
    rf"(?:(?:\s+|-|(?<=hundred)\s+and\s+|(?<=thousand)\s+and\s+)(?:{_WORD}|{_SCALE}))*)\b"
)
_DIGIT = re.compile(r"\d")
_HALVES = (
    (re.compile(r"\b(?:half an?|a half|half)[\s-]hour\b"), "30 minutes"),
    (re.compile(r"\b(?:a )?quarter of an hour\b"), "15 minutes"),
    (re.compile(r"\bhalf a dozen\b"), "6"),
    (re.compile(r"\bhalf a kilo(?:gram(?:me)?)?\b"), "500 grams"),
    (re.compile(r"\bhalf (?:of )?(?:an?|the|my|his|her)\b"), "0.5"),
    (re.compile(r"\ban? (\w+) and a half\b"), r"1.5 \1"),
    (re.compile(r"\b(\d+) and a half\b"), r"\1.5"),
)
_SCALED = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)\s?(hundred|thousand|million|billion)\b"
    r"|(?<=[$€£¥])\s?(\d[\d,]*(?:\.\d+)?)\s?(k|mn?|bn?)\b"
)
_TIMES = {"h": 100, "t": 1000, "k": 1000, "m": 10**6, "b": 10**9}
_UNITS = (
    (re.compile(r"\b(an|one|\d+(?:\.\d+)?)\s?(?:hours?|hrs?)\b"), 60, "minutes"),
    (re.compile(r"\b(a|\d+(?:\.\d+)?)\s?(?:kg|kilos?|kilogram(?:me)?s?)\b"), 1000, "grams"),
    (re.compile(r"\b(\d+(?:\.\d+)?)[\s-]?(?:weeks?)\b"), 7, "days"),
)

_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_SCALES = {"十": 10, "百": 100, "千": 1000}
_ZH_HINT = re.compile("[二两三四五六七八九十百千万亿〇半日点]")
_ZH_RUN = re.compile(
    r"(?<!周)(?<!星期)(?<!礼拜)(?:[几数](?P<some>[十百千万亿]+)"
    r"|(?P<arabic>\d+(?:[.,]\d+)*)\s?(?P<scale>[百千万亿]+)"
    r"|(?P<run>[〇零一二两三四五六七八九十百千万亿]+)(?P<odd>几)?)"
)
_ZH_HALF = re.compile(r"(\d+)(个|年|天|月|里|斤|米|倍|块)半")
_ZH_HALF_HOUR = re.compile("(?<![个一二两三四五六七八九十])半个?(?:小时|钟头)")
_ZH_DAYS = re.compile(r"(?<![月\d.])(\d+)日(?![本常程出])")

MAX_WORDS, MAX_DIGITS = 12, 16
"""Longer runs are no number that anybody writes."""


def in_digits(text: str, chinese: bool) -> str:
    """The text, in lower case, with its written numbers as digits; a lone "one" stays."""
    if chinese:
        return _chinese(text) if _ZH_HINT.search(text) else text
    digits = _DIGIT.search(text) is not None
    found = SIGNS.intersection(_WORDS.findall(text))
    if digits:
        text = _SCALED.sub(_scaled, text)
    parted = not found.isdisjoint(("half", "quarter"))
    for pattern, number in _HALVES[:4] if parted else ():
        text = pattern.sub(number, text)
    if found:
        text = _RUN.sub(_run, text)
    for unit, times, name in _UNITS:
        text = unit.sub(partial(_in_unit, times=times, name=name), text)
    for pattern, number in _HALVES[4:] if parted else ():
        text = pattern.sub(number, text)
    return text


def _in_unit(match: re.Match[str], times: int, name: str) -> str:
    value = 1.0 if match[1] in ("a", "an", "one") else float(match[1][:MAX_DIGITS])
    return f"{value * times:.10g} {name}"


def _scaled(match: re.Match[str]) -> str:
    number, scale = match[1] or match[3], match[2] or match[4]
    value = float(number.replace(",", "")[:MAX_DIGITS]) * _TIMES[scale[0]]
    return f"{value:.10g}" if value < 10**9 else f"{value:.0f}"


def _run(match: re.Match[str]) -> str:
    words = [w for w in re.split(r"[\s-]+", match.group()) if w not in ("a", "and")]
    if words == ["one"] or len(words) > MAX_WORDS:
        return match.group()
    out: list[str] = []
    total, part, last = 0, 0, 0
    for word in words:
        scale = _SCALES.get(word)
        if scale:
            part = (part or 1) * scale
            if scale >= 1000:
                total, part = total + part, 0
            last = scale
            continue
        value = _VALUES[word]
        if last and last < 100 and not (last >= 20 and value < 10):
            if last < 10 or value < 10:
                # Two numbers side by side.
                out.append(str(total + part))
                total = part = 0
            else:
                part *= 100  # nineteen eighty-four
        part += value
        last = value or 1
    return " ".join([*out, str(total + part)])


def _chinese(text: str) -> str:
    if "半" in text:
        text = _ZH_HALF_HOUR.sub("30分钟", text)
    text = _ZH_RUN.sub(_zh_run, text)
    if "半" in text:
        text = _ZH_HALF.sub(r"\1.5\2", text)
    return _ZH_DAYS.sub(r"\1天", text) if "日" in text else text


def _zh_run(match: re.Match[str]) -> str:
    if len(match.group()) > MAX_DIGITS:
        return match.group()
    if match["some"]:
        # A colon keeps "several tens" apart from every exact number.
        return f"0:{_zh_value('一' + match['some'])}"
    if match["arabic"]:
        number = float(match["arabic"].replace(",", "")) * _zh_value("一" + match["scale"])
        return f"{number:g}" if number < 1e6 else f"{number:.0f}"
    run = match["run"]
    rest = match.string[match.end("run") : match.end("run") + 2]
    odd = "多" if match["odd"] else ""
    ordinal = match.string[max(0, match.start() - 1) : match.start()] == "第"
    whole = (
        (run in ("一", "零", "〇") and not odd and not ordinal)
        or run[0] in "百千万亿"
        or (run == "十" and rest[:1] in ("分", "字") and rest != "分钟")
        or (len(run) == 2 and all(c in _ZH_DIGITS for c in run))
    )
    return match.group() if whole else f"{_zh_value(run)}{odd}"


def _zh_value(run: str) -> int:
    if all(c in _ZH_DIGITS for c in run):
        return int("".join(str(_ZH_DIGITS[c]) for c in run))
    total = section = digit = 0
    last = 1
    for char in run:
        if char in _ZH_DIGITS:
            digit = _ZH_DIGITS[char]
            last = 10 if digit == 0 else last
        elif char in _ZH_SCALES:
            last = _ZH_SCALES[char]
            section += (digit or 1) * last
            digit = 0
        else:
            last = 10**4 if char == "万" else 10**8
            total = (total + section + digit or 1) * last
            section = digit = 0
    # In "two thousand three" (两千三) the last digit counts hundreds.
    return total + section + digit * (last // 10 if last > 10 else 1)
