"""Questions about an invented person's record, each with its order demand.

About a third demand no order, as in the paper (figures 13 and 14). A month is named once and
cleanly, "in November 2010", so that nobody can take it for one day.
"""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_datasets.schema import Lang


@dataclass(frozen=True, slots=True)
class QuestionTemplate:
    """One way to ask; slots are {record}, {person} and {month}."""

    question: str
    intro: str
    """First line of the reference answer."""
    order_required: bool
    """Whether the wording demands the order of time."""


_ORDERED, _FREE = True, False

TEMPLATES: dict[Lang, tuple[QuestionTemplate, ...]] = {
    "en": (
        QuestionTemplate(
            "Go through the {record} and list its entries in chronological order.",
            "The entries of the {record}, in chronological order:",
            _ORDERED,
        ),
        QuestionTemplate(
            "Which entries does the {record} have? Give them in order.",
            "The {record} has these entries, in order:",
            _ORDERED,
        ),
        QuestionTemplate(
            "List everything that the {record} reports, sorted by date.",
            "The {record} reports, by date:",
            _ORDERED,
        ),
        QuestionTemplate(
            "What does the {record} say? Please arrange the events by date.",
            "By date, the {record} says:",
            _ORDERED,
        ),
        QuestionTemplate(
            "In chronological order, what did the author of the {record} do?",
            "In chronological order, the author of the {record} did the following:",
            _ORDERED,
        ),
        QuestionTemplate(
            "Set out the contents of the {record} in the order in which things happened.",
            "The contents of the {record}, in the order in which things happened:",
            _ORDERED,
        ),
        QuestionTemplate(
            "Put the events told in the {record} into chronological order and list them.",
            "The events told in the {record}, in chronological order:",
            _ORDERED,
        ),
        QuestionTemplate(
            "From the earliest to the latest, which events are noted in the {record}?",
            "From the earliest to the latest, the {record} notes:",
            _ORDERED,
        ),
        QuestionTemplate(
            "What did {person} do in {month}? Answer in chronological order.",
            "In {month}, in chronological order, {person} did the following:",
            _ORDERED,
        ),
        QuestionTemplate(
            "List by date what {person} did during {month}.",
            "By date, {person} did the following during {month}:",
            _ORDERED,
        ),
        QuestionTemplate(
            "Reading the text, list in order what {person} was busy with in {month}.",
            "In order, {person} was busy with the following in {month}:",
            _ORDERED,
        ),
        QuestionTemplate(
            "Give a chronological list of {person}'s activities in {month}.",
            "{person}'s activities in {month}, as a chronological list:",
            _ORDERED,
        ),
        QuestionTemplate(
            "What are the entries of the {record}?",
            "The entries of the {record} are:",
            _FREE,
        ),
        QuestionTemplate(
            "Which events does the text attribute to the {record}?",
            "The text attributes these events to the {record}:",
            _FREE,
        ),
        QuestionTemplate(
            "Find all that is written in the {record}.",
            "This is written in the {record}:",
            _FREE,
        ),
        QuestionTemplate(
            "What has been noted in the {record}, according to the text?",
            "According to the text, the {record} has these notes:",
            _FREE,
        ),
        QuestionTemplate(
            "What did {person} do in {month}?",
            "In {month}, {person} did the following:",
            _FREE,
        ),
        QuestionTemplate(
            "Collect from the text the activities of {person} in {month}.",
            "Activities of {person} in {month}:",
            _FREE,
        ),
    ),
    "zh": (
        QuestionTemplate(
            "请通读全文，按时间顺序列出{record}的全部条目。",
            "{record}的条目按时间顺序如下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "{record}里写了哪些事？请按顺序列出。",
            "{record}里写的事按顺序如下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "把{record}中的内容按日期整理出来。",
            "{record}中的内容按日期整理如下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "{record}讲到了什么？请按日期逐条列出。",
            "{record}按日期讲到了：",
            _ORDERED,
        ),
        QuestionTemplate(
            "请按时间顺序说明{record}的作者记下的事情。",
            "{record}的作者按时间顺序记下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "请依照时间先后，写出{record}里的每一件事。",
            "依照时间先后，{record}里的事有：",
            _ORDERED,
        ),
        QuestionTemplate(
            "从最早到最晚按时间顺序排列，{record}提及了哪些事？",
            "按时间顺序，{record}提及的事有：",
            _ORDERED,
        ),
        QuestionTemplate(
            "请将{record}所载的各项事件按照时间顺序排好。",
            "{record}所载的事件按照时间顺序排列如下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "{person}在{month}记了什么？请按时间顺序回答。",
            "{person}在{month}按时间顺序记下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "请按日期写出{person}在{month}记下的事。",
            "{person}在{month}记下的事按日期如下：",
            _ORDERED,
        ),
        QuestionTemplate(
            "根据全文，{person}在{month}依次记了哪些事？",
            "{person}在{month}依次记了：",
            _ORDERED,
        ),
        QuestionTemplate(
            "按先后顺序，{person}在{month}都经历了什么？",
            "按先后顺序，{person}在{month}经历了：",
            _ORDERED,
        ),
        QuestionTemplate(
            "{record}里都有什么内容？",
            "{record}里的内容有：",
            _FREE,
        ),
        QuestionTemplate(
            "根据文本，{record}写到了哪些事情？",
            "根据文本，{record}写到了：",
            _FREE,
        ),
        QuestionTemplate(
            "请找出{record}的所有条目。",
            "{record}的所有条目是：",
            _FREE,
        ),
        QuestionTemplate(
            "文中属于{record}的记载有哪些？",
            "文中属于{record}的记载有：",
            _FREE,
        ),
        QuestionTemplate(
            "{person}在{month}记了哪些事情？",
            "{person}在{month}记下这些事情：",
            _FREE,
        ),
        QuestionTemplate(
            "请从文中收集{person}在{month}记下的事。",
            "{person}在{month}记下的事有：",
            _FREE,
        ),
    ),
}
