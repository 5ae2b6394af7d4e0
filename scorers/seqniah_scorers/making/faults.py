"""Faults in words (one changed, a negation, sides exchanged), and the tables of all faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from seqniah_datasets.schema import Lang, QAItem
from seqniah_scorers import authored
from seqniah_scorers.making import item_faults as items
from seqniah_scorers.making.item_faults import Fault, Maker, reworded
from seqniah_scorers.making.perturb import free_day, renamed
from seqniah_scorers.making.telling import Draws, Line, Telling

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


def word(kind: str) -> Maker:
    """One word of a kind in another's place."""

    def make(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
        found = _word(telling, (kind,), draws)
        if found is None:
            return None
        at, old, new, text = found
        return reworded(telling, at, text, "word" if old else "number", new=new, old=old)

    return make


def _word(telling: Telling, kinds: Sequence[str], draws: Draws) -> tuple[int, str, str, str] | None:
    """An item, the word to replace and what replaces it, and the text that results."""
    found: list[tuple[int, str, str, str]] = []
    for at, line in enumerate(telling.lines):
        for kind in kinds:
            if kind == "number":
                text = other_number(line.text, telling.lang, draws)
                found += [(at, "", "", text)] if text else []
            else:
                found += [(at, *one) for one in swapped(line.text, kind, telling.lang)]
    texts = {line.text for line in telling.lines}
    found = [one for one in found if one[3] not in texts]
    return draws.choice(found) if found else None


def added_alike(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """An item of this question with a changed word, on a day of its own."""
    found = _word(telling, ("number", "person", "place", "time of day", "colour"), draws)
    if found is None:
        return None
    day = free_day([one.date for one in telling.lines if one.date], draws)
    return items.inserted(telling, Line(found[3], day, None), draws)


def negated(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """One item says that it did not happen, or must not be done."""
    made = [(at, _negation(telling, line.text)) for at, line in enumerate(telling.lines)]
    made = [(at, text) for at, text in made if text]
    if not made:
        return None
    at, text = draws.choice(made)
    return reworded(telling, at, text, "negated")


_NEGATIVE = re.compile(r"\b(?:not|never|no|nobody|nothing|without|refused)\b|[不没别无未免防]")
_DONE_ZH = re.compile(
    "^([献买卖吃喝看听写画补换拆搬送寄收捡摘种采挖做煮炖烤蒸炒缝剪刷洗扫擦磨锯钉练教骑爬跑住借租丢]|修好|参加|参观)了"
)

_COVERBS = "在跟替给把帮陪随用往到去从向和同为带坐骑"
"""With what a diary's sentence may begin that 没有 stands well before."""


def _negation(telling: Telling, text: str) -> str:
    if _NEGATIVE.search(text):
        return ""
    if telling.logical:
        return f"do not {text}" if telling.lang == "en" else f"不要{text}"
    if telling.diary:
        if telling.lang == "zh":
            made = _DONE_ZH.sub(r"没有\1", text)
            return f"没有{text}" if made == text and text[0] in _COVERBS else made.replace(text, "")
        made = re.sub(r"\bI was\b", "I was never", text, count=1)
        return made if made != text else re.sub(r"\bI (?=[a-z])", "I never ", text, count=1)
    side = next((name for name in telling.qa.parties if text.startswith(name)), "")
    if not side or (telling.lang == "zh" and text[len(side) :].startswith(("与", "和", "同"))):
        return ""
    rest = text[len(side) :].lstrip()
    if telling.lang == "zh":
        return f"{side}没有{rest}"
    be = re.match(r"(?:was|were) ", rest)
    return f"{side} {be[0]}never {rest[be.end() :]}" if be else f"{side} never {rest}"


def turned(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """In one event the two sides change places."""
    able = [at for at, one in enumerate(telling.retold) if one.exchanged]
    if not able:
        return None
    at = draws.choice(able)
    return reworded(telling, at, telling.retold[at].exchanged, "turned")


def third_party(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """One event names somebody else for one of its sides."""
    own = telling.qa.parties
    names = [name for other in others for name in other.parties]
    names = [name for name in names if not any(name in one or one in name for one in own)]
    if len(own) != 2 or not names:
        return None
    at, old, new = draws.below(len(telling.lines)), draws.choice(own), draws.choice(names)
    text = renamed(telling.lines[at].text, (*own,), tuple(new if o == old else o for o in own))
    if text == telling.lines[at].text:
        return None
    return reworded(telling, at, text, "third party", new=new, old=old)


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


_WORDS = {kind: word(kind) for kind in ("number", "person", "place", "opposite", "colour")}
_DATES = {f"{unit} shifted": items.shifted(unit) for unit in ("day", "month", "year")}
_ALL: dict[str, Maker] = {
    "look-alike dropped": items.dropped,
    "item repeated": items.repeated,
    "item added": items.added,
    "not mentioned": items.placeholder,
    "cut short": items.cut_short,
    "negation": negated,
    "order": items.misplaced,
}
_EVENTS: dict[str, Maker] = {
    **_DATES,
    "contents exchanged": items.exchanged,
    "neighbour's content": items.borrowed,
}
DIARY_FAULTS: dict[str, Maker] = {
    **_ALL,
    **_EVENTS,
    **_WORDS,
    "time of day": word("time of day"),
    "look-alike added": added_alike,
}
EVENT_FAULTS: dict[str, Maker] = {
    **_ALL,
    **_EVENTS,
    "sides exchanged": turned,
    "third party": third_party,
}
STEP_FAULTS: dict[str, Maker] = {
    **_ALL,
    **{kind: _WORDS[kind] for kind in ("number", "opposite", "colour")},
}
