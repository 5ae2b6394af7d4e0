"""The prompt of Sequential-NIAH: document first, then the question, no format instruction.

The structure is the published one (paper, Figure 9 and the released examples), where the wording
of the two labels varies a little from sample to sample. So it does here.
"""

from __future__ import annotations

from dataclasses import replace

from seqniah_datasets import rng
from seqniah_datasets.haystack import Frame
from seqniah_datasets.schema import Lang, Pipeline, QAItem

_LABELS: dict[Lang, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Text:\n", "\n\nQuestion about the text: "),
        ("Here is a document.\n\n", "\n\nNow answer this question:\n"),
        ("Document:\n\n", "\n\nYour question: "),
        ("Read the following document.\n\n", "\n\nAnswer from the document:\n"),
    ),
    "zh": (
        ("文本：\n", "\n\n关于文本的问题："),
        ("下面是一篇文档。\n\n", "\n\n现在请回答这个问题：\n"),
        ("文档如下：\n\n", "\n\n你的问题："),
        ("请阅读以下文档。\n\n", "\n\n请根据文档作答：\n"),
    ),
}


def frame(lang: Lang, question: str, draws: rng.Stream) -> Frame:
    """The words around the document, with one of the wordings."""
    before, label = draws.choice(_LABELS[lang])
    return Frame(before, f"{label}{question}")


_IN_ORDER: dict[Lang, tuple[str, str]] = {
    "en": ("{} List them in chronological order.", "{} List the steps in order."),
    "zh": ("{}请按时间顺序列出。", "{}请按先后顺序列出各个步骤。"),
}
"""Of dated events, and of steps."""


def asking_for_order(item: QAItem) -> QAItem:
    """The same with a question that demands the true order."""
    if item.order_required:
        return item
    steps = item.pipeline is Pipeline.REAL_LOGICAL
    question = _IN_ORDER[item.lang][steps].format(item.question)
    return replace(item, question=question, order_required=True)


_QUOTED: dict[Lang, tuple[str, str]] = {
    "en": (
        "{}\nWrite one line for each item and nothing else: its date, a colon, and what the text "
        "says of it, word for word.",
        "{}\nWrite one line for each step and nothing else: the sentence that tells it, word for "
        "word.",
    ),
    "zh": (
        "{}\n每项写一行，不写别的：先写日期和冒号，再照抄文中关于它的原话。",
        "{}\n每个步骤写一行，不写别的：照抄文中讲到它的那句原话。",
    ),
}
"""Of dated events, and of steps."""


def quoted(item: QAItem) -> str:
    """The question, and how to answer in the text's own words."""
    return _QUOTED[item.lang][item.pipeline is Pipeline.REAL_LOGICAL].format(item.question)


_ANSWER: dict[Lang, str] = {"en": "\n\nAnswer:\n1.", "zh": "\n\n答：\n1."}


def answer_start(lang: Lang) -> str:
    """A numbered list that has begun, to end a prompt with."""
    return _ANSWER[lang]


_CLOSED: dict[Lang, str] = {
    "en": "There is no document here; answer from what you know.\n\n{question}",
    "zh": "这里没有文档，请凭已有的知识回答。\n\n{question}",
}


def closed_book(lang: Lang, question: str) -> str:
    """The question alone: a check for contamination, not a part of the benchmark."""
    return _CLOSED[lang].format(question=question)
