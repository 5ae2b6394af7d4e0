"""The prompt of Counting-Stars: the sky, then the question, which says how to answer.

As published, nothing stands before the sky, the question asks for JSON alone, and the list goes by
the name of who counted (2403.11802, Figure 2); the words are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.haystack import Frame
from seqniah_datasets.schema import Lang, StarAsk, StarTask
from seqniah_datasets.sources.stars import Player

_KEYS: dict[Lang, dict[StarAsk, str]] = {
    "en": {StarAsk.SUM: "sum", StarAsk.LARGEST: "largest", StarAsk.ORDER: "counts"},
    "zh": {StarAsk.SUM: "总数", StarAsk.LARGEST: "最多", StarAsk.ORDER: "依次"},
}

_FORM: dict[Lang, str] = {
    "en": " Answer with JSON only, in this form and without any explanation: {form}",
    "zh": "回答只写JSON，格式为：{form}",
}

_SEARCHING: dict[Lang, str] = {
    "en": (
        "In the text above, the {name} counts ★ again and again. List all the "
        "numbers of ★ that the {name} counted, in the order in which they stand in the text; do "
        "not add them up."
    ),
    "zh": (
        "在上面的文本里，{name}一次又一次地数★。请按出现的先后，列出{name}每次数到的★"
        "的颗数，不要相加。"
    ),
}

_REASONING: dict[Lang, str] = {
    "en": (
        "In the text above, the {name} counts ★ again and again, each time first "
        "wrongly and then once more, rightly. List all the right numbers of ★, and none of the "
        "wrong ones, in the order in which they stand in the text; do not add them up."
    ),
    "zh": (
        "在上面的文本里，{name}一次又一次地数★，每次先数错，再重新数对。请按出现的先后，"
        "只列出每次数对的★的颗数，不列数错的，也不要相加。"
    ),
}

_SEVERAL: dict[Lang, str] = {
    "en": "In the text above, several animals count ★ again and again. ",
    "zh": "在上面的文本里，几只小动物一次又一次地数★。",
}

_PLAYERS: dict[Lang, dict[StarAsk, str]] = {
    "en": {
        StarAsk.LIST: (
            "List all the numbers of ★ that the {name} counted, and nobody else's, in the order in "
            "which they stand in the text; do not add them up."
        ),
        StarAsk.SUM: "Add up all the numbers of ★ that the {name} counted, and nobody else's.",
        StarAsk.LARGEST: (
            "Which is the largest of all the numbers of ★ that the {name} counted, and nobody else?"
        ),
        StarAsk.ORDER: (
            "List all the numbers of ★ that the {name} and the {other} counted, and nobody else's, "
            "as one list for both, in the order in which they stand in the text; do not add them "
            "up."
        ),
    },
    "zh": {
        StarAsk.LIST: (
            "请按出现的先后，只列出{name}每次数到的★的颗数，不列别的动物的，也不要相加。"
        ),
        StarAsk.SUM: "请把{name}每次数到的★的颗数加起来，不算别的动物的。",
        StarAsk.LARGEST: "{name}每次数到的★的颗数里，最大的是多少？不算别的动物的。",
        StarAsk.ORDER: (
            "请把{name}和{other}每次数到的★的颗数合成一个列表，按出现的先后列出，不列别的动物的，"
            "也不要相加。"
        ),
    },
}


def key(lang: Lang, ask: StarAsk, player: Player) -> str:
    """What the answer's number, or list of numbers, is called."""
    return _KEYS[lang].get(ask, player.key)


def question(lang: Lang, task: StarTask, ask: StarAsk, asked: Sequence[Player]) -> str:
    """What is asked after the sky; `asked` are as many players as `ask` names."""
    if task is StarTask.PLAYERS:
        words = _SEVERAL[lang] + _PLAYERS[lang][ask]
    else:
        words = (_REASONING if task is StarTask.REASONING else _SEARCHING)[lang]
    form = f'{{"{key(lang, ask, asked[0])}": {"[x, x, x, ...]" if ask.listed else "x"}}}'
    told = words.format(name=asked[0].name, other=asked[-1].name)
    return told + _FORM[lang].format(form=form)


def frame(question: str) -> Frame:
    """The words around the sky."""
    return Frame("", f"\n\n{question}")


_ANSWER: dict[Lang, str] = {"en": "\n\nAnswer:\n", "zh": "\n\n答：\n"}


def answer_start(lang: Lang, ask: StarAsk, name: str) -> str:
    """JSON that has begun, whose number or list is called `name`; to end a prompt with."""
    opened = "[" if ask.listed else ""
    return f'{_ANSWER[lang]}{{"{name}": {opened}'.rstrip(" ")
