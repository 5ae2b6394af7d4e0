"""Words that stand for different things, so that one in another's place changes the fact."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seqniah_datasets.schema import Lang
from seqniah_scorers import authored
from seqniah_scorers.making.telling import Draws

WORDS: dict[Lang, dict[str, dict[str, str]]] = authored.table("making/swaps.toml")
"""By kind of word, patterns and what replaces them."""

_FORMS: dict[Lang, tuple[str, int]] = {"en": (r"\b(?:{})\b", re.IGNORECASE), "zh": ("{}", 0)}
_SWAPS = {
    (lang, kind): [(re.compile(form.format(one), flags), two) for one, two in words.items()]
    for lang, (form, flags) in _FORMS.items()
    for kind, words in WORDS[lang].items()
}

_DIGITS_ZH = "二三四五六七八九"
_COUNTED = (
    "[个只条次袋盏桶根张块双份瓶筐箱支把位家套枚片本页圈局步米天分回首棵株盆碗杯件层级颗粒串楼斤磅升毫岁遍号"
    "度节道公小年]"
)
_NUMBER_ZH = re.compile(
    rf"(?<![第星初])[一二两三四五六七八九十百千零]*[二两三四五六七八九](?=[十百千]?{_COUNTED})"
)
_NUMBERS_EN: list[str] = authored.table("making/telling.toml")["numbers"]
_NUMBER_EN = re.compile(rf"\b(?:{'|'.join(_NUMBERS_EN)}|\d+)\b")


def other_number(text: str, lang: Lang, draws: Draws) -> str:
    """The text with one number changed; empty where it has none."""
    found = list((_NUMBER_EN if lang == "en" else _NUMBER_ZH).finditer(text))
    if not found:
        return ""
    one = draws.choice(found)
    old = one[0]
    if old.isascii() and old.isdigit():
        new = str(int(old) + draws.between(1, max(2, int(old) // 3)))
    elif lang == "en":
        alike = _NUMBERS_EN[:11] if old in _NUMBERS_EN[:11] else _NUMBERS_EN[11:]
        new = draws.choice([number for number in alike if number != old])
    else:
        last = "二" if old[-1] == "两" else old[-1]
        new = old[:-1] + draws.choice([sign for sign in _DIGITS_ZH if sign != last])
        if len(new) == 1 and new == "二":
            new = "九" if last != "九" else "八"
    return text[: one.start()] + new + text[one.end() :]


def swapped(text: str, kind: str, lang: Lang) -> Iterator[tuple[str, str, str]]:
    """The texts with one word of a kind exchanged: the old word, the new one, the whole."""
    for pattern, other in _SWAPS[lang, kind]:
        for found in pattern.finditer(text):
            new = other.capitalize() if found[0][:1].isupper() else other
            before, after = text[: found.start()], text[found.end() :]
            if lang == "en":
                before = _article(before, new)
            yield found[0], new, before + new + after


def _article(before: str, word: str) -> str:
    """What stands before a word, with the article that the word takes."""
    found = re.search(r"\b([Aa])n? $", before)
    if not found:
        return before
    return before[: found.start()] + found[1] + ("n " if word[0] in "aeiou" else " ")
