"""Questions about dated events, each with its order demand, which is rare here (paper, 3.1.2).

{period} is "between March 3, 2006 and May 9, 2009", "from 2006 to 2009" or "in 2006".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seqniah_datasets.schema import Lang

Kind = Literal["pair", "investor", "financed", "acquirer"]
"""Whose events they are: one side's dealings with another, or a company's deals."""


@dataclass(frozen=True, slots=True)
class EventQuestion:
    """One way to ask; slots are {a} and {b} (companies have only {a}), and {period}."""

    question: str
    intro: str
    """First line of the reference answer."""
    order_required: bool
    """Whether the wording demands the order of time."""


_ORDERED, _FREE = True, False

_PAIR_EN = (
    EventQuestion(
        "What does the document tell of the dealings of {a} with {b} {period}?",
        "Of the dealings of {a} with {b} {period}, the document tells:",
        _FREE,
    ),
    EventQuestion(
        "Which actions towards {b} did {a} take {period}, according to the document?",
        "{period}, {a} took these actions towards {b}:",
        _FREE,
    ),
    EventQuestion(
        "What does the document report about the conduct of {a} towards {b} {period}?",
        "About the conduct of {a} towards {b} {period}, the document reports:",
        _FREE,
    ),
    EventQuestion(
        "According to the text, what did {a} do {period} that concerned {b}?",
        "{period}, {a} did the following, which concerned {b}:",
        _FREE,
    ),
    EventQuestion(
        "Which events {period} have {a} as the acting side and {b} as the other?",
        "In these events {period}, {a} acted, and on the other side stood {b}:",
        _FREE,
    ),
    EventQuestion(
        "Find every event {period} in which {a} acted towards {b}.",
        "Events {period} in which {a} acted towards {b}:",
        _FREE,
    ),
    EventQuestion(
        "What does the text say of how {a} dealt with {b} {period}?",
        "On how {a} dealt with {b} {period}, the text says:",
        _FREE,
    ),
    EventQuestion(
        "List in chronological order what {a} did with regard to {b} {period}, as the text has it.",
        "What {a} did with regard to {b} {period}, in chronological order:",
        _ORDERED,
    ),
    EventQuestion(
        "Give a timeline, sorted by date, of the steps of {a} towards {b} {period}.",
        "Steps of {a} towards {b} {period}, sorted by date:",
        _ORDERED,
    ),
)

_PAIR_ZH = (
    EventQuestion(
        "根据文档，{period}，{a}对{b}采取了哪些行动？",
        "根据文档，{period}，{a}对{b}采取的行动有：",
        _FREE,
    ),
    EventQuestion(
        "文中记载了{a}在{period}对{b}的哪些言行？",
        "文中记载的{a}在{period}对{b}的言行有：",
        _FREE,
    ),
    EventQuestion(
        "文中提到，{period}，{a}一方对{b}做出了哪些举动？",
        "文中提到，{period}，{a}一方对{b}做出的举动有：",
        _FREE,
    ),
    EventQuestion(
        "从全文看，{a}在{period}针对{b}做了什么？",
        "{a}在{period}针对{b}做了以下事情：",
        _FREE,
    ),
    EventQuestion(
        "请从文中找出{a}在{period}对{b}做过的每一件事。",
        "{a}在{period}对{b}做过的事有：",
        _FREE,
    ),
    EventQuestion(
        "根据文档，{a}在{period}是怎样对待{b}的？请列出相关事件。",
        "根据文档，{a}在{period}对待{b}的相关事件有：",
        _FREE,
    ),
    EventQuestion(
        "请按时间顺序列出文中{a}在{period}对{b}的言行。",
        "{a}在{period}对{b}的言行按时间顺序如下：",
        _ORDERED,
    ),
    EventQuestion(
        "文中{a}在{period}对{b}先后有哪些动作？请按日期排列。",
        "{period}，{a}对{b}的动作按日期排列如下：",
        _ORDERED,
    ),
)

_INVESTOR_ZH = (
    EventQuestion("{period}，{a}参与了哪些投资？", "{period}，{a}参与的投资有：", _FREE),
    EventQuestion("文中{a}在{period}投资过哪些企业？", "文中{a}在{period}的投资有：", _FREE),
    EventQuestion("请找出{a}在{period}出手的投资。", "{a}在{period}出手的投资有：", _FREE),
    EventQuestion("{a}在{period}有哪些投资动作？", "{a}在{period}的投资动作有：", _FREE),
    EventQuestion(
        "请按时间顺序列出{a}在{period}参与的投资。", "{period}，{a}的投资按时间顺序如下：", _ORDERED
    ),
)

_FINANCED_ZH = (
    EventQuestion("{period}，{a}获得了哪些融资？", "{period}，{a}获得的融资有：", _FREE),
    EventQuestion("文中{a}在{period}完成过哪些融资？", "文中{a}在{period}完成的融资有：", _FREE),
    EventQuestion("请找出{a}在{period}的全部融资。", "{a}在{period}的融资有：", _FREE),
    EventQuestion(
        "请按时间顺序列出{a}在{period}获得的融资。", "{period}，{a}的融资按时间顺序如下：", _ORDERED
    ),
)

_ACQUIRER_ZH = (
    EventQuestion("{period}，{a}发起了哪些收购？", "{period}，{a}发起的收购有：", _FREE),
    EventQuestion("文中{a}在{period}收购过什么？", "文中{a}在{period}的收购有：", _FREE),
    EventQuestion("请找出{a}在{period}的全部收购。", "{a}在{period}的收购有：", _FREE),
    EventQuestion(
        "请按时间顺序列出{a}在{period}发起的收购。", "{period}，{a}的收购按时间顺序如下：", _ORDERED
    ),
)

EVENT_QUESTIONS: dict[tuple[Lang, Kind], tuple[EventQuestion, ...]] = {
    ("en", "pair"): _PAIR_EN,
    ("zh", "pair"): _PAIR_ZH,
    ("zh", "investor"): _INVESTOR_ZH,
    ("zh", "financed"): _FINANCED_ZH,
    ("zh", "acquirer"): _ACQUIRER_ZH,
}
"""The questions that a kind of chronicle is asked."""
