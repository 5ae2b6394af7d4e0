"""Why a made answer is right or wrong, in words that follow exactly from what was done to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seqniah_datasets.schema import Lang, QAItem
from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.perturb import Altered

_MOST_NAMED = 5
"""Items that are quoted; of more, the rest is given by number."""

_DEMANDS = re.compile(
    r"""in\ (?:the\ )?order\ in\ which\ things\ happened|from\ the\ earliest\ to\ the\ latest
    |(?:in\ )?chronological\ (?:order|list)|sorted\ by\ date|arrange\ the\ events\ by\ date
    |timeline|by\ date|in\ (?:the\ right\ )?order
    |(?:按照?|依照?)(?:时间|日期)?(?:先后顺序|顺序|先后)|按照?(?:日期|时间)|先后|依次|顺序""",
    re.IGNORECASE | re.VERBOSE,
)
"""The words by which the questions made here demand an order, the longer ones first."""

_WORDS: dict[Lang, dict[str, tuple[str, ...]]] = {
    "en": {
        "demanded": (
            'The question says "{}", so the items must stand in their true order.',
            'By "{}" the question demands an order: the items have to follow the true one.',
            'The order counts: "{}" in the question demands it.',
        ),
        "demanded, plain": ("The question demands an order, so the items must follow it.",),
        "free": (
            "The question asks for the items alone and demands no order, so any order will do.",
            "Nothing in the question demands an order; the items may stand in any.",
            "The question names no order. Only the contents count.",
        ),
        "whole": (
            "All {n} items of the reference are in the answer, and nothing is added or changed.",
            "The answer states each of the {n} reference items and nothing else.",
            "Item by item, the answer has all {n} of the reference and no further one.",
        ),
        "missing": (
            "Of the reference, {items} {is_} missing.",
            "The answer leaves out, of the reference, {items}.",
            "Of the reference the answer lacks {items}.",
        ),
        "complete": (
            "None of the {n} reference items is missing.",
            "All {n} reference items are there.",
        ),
        "added": (
            "The answer adds {items}, which the reference does not have.",
            "Redundant, since not in the reference: {items}.",
            "The reference knows nothing of {items}.",
        ),
        "ordered": (
            "The order is the true one.",
            "The items stand in the order of the reference.",
        ),
        "kept order": (
            "The items it has stand in the true order.",
            "The order of those given is right.",
        ),
        "disordered": (
            "The order is wrong: item {a} of the reference comes before item {b}.",
            "The items are out of order, e.g. item {b} of the reference follows item {a}.",
        ),
        "order free": (
            "Their order differs from that of the reference, which does not matter here.",
            "They stand in another order, but none is demanded.",
        ),
        "right": ("The answer is correct.", "So the answer is correct.", "Hence it is correct."),
        "wrong": ("The answer is incorrect.", "So the answer is incorrect.", "Hence it is wrong."),
    },
    "zh": {
        "demanded": (
            "问题中有“{}”的要求，因此各项必须按正确的先后排列。",
            "问题用“{}”限定了次序，回答的各项要与真实次序一致。",
            "题目写明“{}”，所以次序也要计入判断。",
        ),
        "demanded, plain": ("问题对次序有要求，各项须按次序给出。",),
        "free": (
            "问题只问有哪些内容，对次序没有要求，先后不影响判断。",
            "题目里没有规定次序，各项怎样排列都可以。",
            "问题未提出排序的要求，只看内容。",
        ),
        "whole": (
            "参考答案的{n}项在回答中全部出现，没有增添，也没有改动。",
            "逐项对照，{n}项齐全，回答没有多写别的内容。",
            "回答恰好包含参考答案的{n}项。",
        ),
        "missing": (
            "回答漏掉了参考答案的{items}。",
            "参考答案的{items}没有出现在回答里。",
            "缺少参考答案的{items}。",
        ),
        "complete": ("参考答案的{n}项都在。", "参考答案的{n}项没有遗漏。"),
        "added": (
            "回答多出了{items}，参考答案中没有。",
            "{items}不在参考答案之中，属于多余内容。",
            "回答增添了参考答案所没有的{items}。",
        ),
        "ordered": ("排列次序正确。", "各项的先后与参考答案一致。"),
        "kept order": ("已写出的各项次序无误。", "写出的部分先后正确。"),
        "disordered": (
            "次序有误：参考答案的第{a}项排在了第{b}项之前。",
            "排列次序不对，例如参考答案的第{b}项落在第{a}项之后。",
        ),
        "order free": (
            "各项的先后与参考答案不同，但本题不要求次序。",
            "排列与参考答案有别，不过题目没有规定次序。",
        ),
        "right": ("回答正确。", "因此回答正确。", "所以判为正确。"),
        "wrong": ("回答错误。", "因此回答错误。", "所以判为错误。"),
    },
}


def order_reason(question: str, lang: Lang, required: bool, draws: Draws) -> str:
    """Whether the question demands an order, and by which words."""
    words = _WORDS[lang]
    if not required:
        return draws.choice(words["free"])
    found = _DEMANDS.search(question)
    if not found:
        return draws.choice(words["demanded, plain"])
    return draws.choice(words["demanded"]).format(found[0])


def reason(qa: QAItem, altered: Altered, required: bool, correct: bool, draws: Draws) -> str:
    """What is right and wrong with an answer, item by item, and the conclusion."""
    words, count = _WORDS[qa.lang], len(qa.needles)

    def say(what: str, **slots: object) -> str:
        return draws.choice(words[what]).format(n=count, **slots)

    parts: list[str] = []
    if not altered.missing and not altered.added:
        parts.append(say("whole"))
    elif altered.missing:
        named = _numbered(qa, altered.missing)
        number = "is" if len(altered.missing) == 1 else "are"
        parts.append(capital(say("missing", items=named, is_=number)))
    else:
        parts.append(say("complete"))
    if altered.added:
        parts.append(say("added", items=_joined([quoted(e.text) for e in altered.added], qa.lang)))
    inversion = altered.inversion
    if inversion:
        a, b = (number + 1 for number in inversion)
        parts.append(say("disordered", a=a, b=b) if required else say("order free"))
    elif required:
        parts.append(say("kept order" if altered.missing else "ordered"))
    parts.append(say("right" if correct else "wrong"))
    return (" " if qa.lang == "en" else "").join(parts)


def quoted(text: str) -> str:
    """A text in quotation marks of its language."""
    text = text.strip(" .。")
    return f"“{text}”" if re.search(r"[\u4e00-\u9fff]", text) else f'"{text}"'


def _numbered(qa: QAItem, numbers: Sequence[int]) -> str:
    """Reference items by number and, as far as they are few, by their words."""
    named, rest = numbers[:_MOST_NAMED], numbers[_MOST_NAMED:]
    if qa.lang == "zh":
        parts = [f"第{n + 1}项{quoted(qa.needles[n].item)}" for n in named]
        more = f"以及第{'、'.join(str(n + 1) for n in rest)}项" if rest else ""
        return "、".join(parts) + more
    if len(numbers) == 1:
        return f"item {numbers[0] + 1} ({quoted(qa.needles[numbers[0]].item)})"
    parts = [f"{n + 1} ({quoted(qa.needles[n].item)})" for n in named]
    return "items " + _joined([*parts, *(str(n + 1) for n in rest)], "en")


def _joined(parts: Sequence[str], lang: Lang) -> str:
    if lang == "zh":
        return "、".join(parts)
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
