"""A fact told again in other words of the same meaning: synonyms, and the third person."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seqniah_datasets.schema import Lang
from seqniah_scorers.making.draws import Draws


@dataclass(frozen=True, slots=True)
class Retold:
    """What else is known of the words of a needle."""

    others: tuple[str, ...] = ()
    """Clauses that state the same fact."""
    exchanged: str = ""
    """The clause with its two sides exchanged; empty where that would change nothing."""


_EN = {
    r"bought": "purchased",
    r"repaired|mended": "fixed",
    r"fixed": "repaired",
    r"visited": "paid a visit to",
    r"photographed": "took pictures of",
    r"took part in": "participated in",
    r"bicycle": "bike",
    r"children's": "kids'",
    r"huge": "massive",
    r"attended": "went to",
    r"searched for": "looked for",
    r"accidentally": "by accident",
    r"slept badly": "slept poorly",
    r"straight away": "at once",
    r"afterwards": "after that",
    r"telephone": "phone",
    r"cycled": "went by bike",
    r"grandmother": "grandma",
    r"grandfather": "grandpa",
    r"sofa": "couch",
    r"beside": "next to",
    r"near": "close to",
    r"behind": "at the back of",
    r"beneath": "under",
    r"because(?! of)": "since",
    r"nearly": "almost",
    r"shop": "store",
    r"whole(?!-)": "entire",
    r"noon": "midday",
    r"dawn": "daybreak",
    r"on the way home": "while going home",
    r"dozed off": "nodded off",
    r"stairs": "steps",
    r"large": "big",
    r"small": "little",
    r"a dozen": "twelve",
    r"keep": "retain",
    r"completely": "fully",
    r"hardly": "scarcely",
    r"above": "over",
    r"all round": "on every side",
    r"three": "3",
    r"five": "5",
    r"eight": "8",
    r"nine": "9",
    r"forty": "40",
    r"sixty": "60",
    r"thirty": "30",
    r"eleven": "11",
    r"twelve": "12",
    r"neighbour": "neighbor",
    r"colour": "color",
    r"showed me": "demonstrated to me",
    r"until": "till",
    r"with care": "carefully",
    r"have (an?|the) (\w+) (check|examine|inspect)": r"get \1 \2 to \3",
    r"tie": "fasten",
    r"write down": "note down",
}
_ZH = {
    r"一共": "总共",
    r"看了": "观看了",
    r"听完": "听罢",
    r"写了": "写下了",
    r"和(?=.{1,4}(?:去|一起|在))": "同",
    r"收到了?": "接到了",
    r"摔断": "摔折",
    r"累得": "疲惫得",
    r"捡到": "拾到",
    r"捡了": "拾了",
    r"屋里": "屋子里",
    r"一只": "1只",
    r"一条": "1条",
    r"两个": "2个",
    r"两只": "2只",
    r"三个": "3个",
    r"反复": "一再",
    r"差点": "险些",
    r"忽然|突然": "猛然",
    r"大家": "众人",
    r"手机": "移动电话",
    r"电脑": "计算机",
    r"一路": "一路上",
    r"只好": "不得不",
    r"终于": "总算",
    r"赶紧": "连忙",
    r"买了": "购买了",
    r"买下": "购得",
    r"买到": "购到",
    r"买回": "购回",
    r"看见": "看到",
    r"听见": "听到",
    r"修好": "修理好",
    r"清早": "一大早",
    r"傍晚": "天快黑时",
    r"晚上": "夜晚",
    r"不小心": "一不留神",
    r"寄了": "邮寄了",
    r"寄来": "邮来",
    r"整理": "收拾",
    r"自行车": "脚踏车",
    r"医生": "大夫",
    r"(?<![一二两三四五六七八九十几每这那大])把(?![手握柄脉关头一几两])": "将",
    r"放进": "放入",
    r"装进": "装入",
    r"倒进": "倒入",
    r"直到": "一直到",
    r"取出": "拿出",
    r"拆下": "卸下",
    r"确认": "核实",
    r"等(?=.{1,6}干)": "待",
    r"全部": "统统",
    r"立刻|马上": "当即",
}
_SYNONYMS: dict[Lang, list[tuple[re.Pattern[str], str]]] = {
    "en": [(re.compile(rf"\b(?:{word})\b"), other) for word, other in _EN.items()],
    "zh": [(re.compile(word), other) for word, other in _ZH.items()],
}
_MOST_REPLACED = 3


def paraphrase(text: str, lang: Lang, draws: Draws) -> str:
    """The text with some words replaced by words of the same meaning, or as it is."""
    fitting = [pair for pair in _SYNONYMS[lang] if pair[0].search(text)]
    replaced: list[str] = []
    for pattern, other in draws.shuffled(fitting)[:_MOST_REPLACED]:
        if not any(pattern.search(one) for one in replaced):  # no word back to what it was
            text = pattern.sub(other, text, count=1)
            replaced.append(other)
    return _turned_round(text) if lang == "en" and draws.below(2) else text


def _turned_round(text: str) -> str:
    """ "At noon I queued." as "I queued at noon."; most sentences stay as they are."""
    found = re.match(
        r"((?:At|In|On|By|Around|During|Before|After) [a-z' ]{3,24}) (I [^,]+)\.$", text
    )
    return f"{found[2]} {found[1][:1].lower()}{found[1][1:]}." if found else text


_PRONOUNS = {
    "I": "they",
    "my": "their",
    "me": "them",
    "mine": "theirs",
    "myself": "themselves",
    "we": "they",
    "our": "their",
    "us": "them",
    "ours": "theirs",
}


def third_person(text: str, person: str, lang: Lang) -> str:
    """A diary's sentence as somebody else tells it; named at the first mention."""
    if lang == "zh":
        return f"{person}写道，{text.replace('我', '自己')}"
    text = re.sub(r"\bI was\b", "I were", text)
    first = re.search(r"\bI\b", text)
    if first:
        rest = text[first.end() :]
        if rest.startswith(" were"):
            rest = " was" + rest[len(" were") :]
        text = f"{_turned(text[: first.start()])}{person}{_turned(rest)}"
        return text[:1].upper() + text[1:]
    return _turned(text)


def _turned(text: str) -> str:
    def other(found: re.Match[str]) -> str:
        word = found[0]
        made = _PRONOUNS.get(word, _PRONOUNS.get(word.lower(), word))
        return made.capitalize() if word != "I" and word[:1].isupper() else made

    return re.sub(r"\b(?:I|[Mm]y|me|mine|myself|[Ww]e|[Oo]ur|us|ours)\b", other, text)
