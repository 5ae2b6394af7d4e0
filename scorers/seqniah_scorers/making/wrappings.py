"""What stands around the items of an answer, and other words for them; the verdict stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seqniah_datasets.schema import Lang, Pipeline, QAItem
from seqniah_scorers.making import layouts, step_layouts
from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.perturb import foreign
from seqniah_scorers.making.retelling import paraphrase, third_person
from seqniah_scorers.making.telling import FORMS, Line, Telling, bare, full_stop, written

_HEDGES: dict[Lang, tuple[str, ...]] = {
    "en": (
        "Certainly! I went through the whole document; please note that I rely on it alone.",
        "The document is long and mostly about other things, but the following can be found.",
        "Let me look at the text carefully. The passages in question are scattered over it.",
    ),
    "zh": (
        "好的，我通读了全文，以下回答只依据文中的内容。",
        "文档很长，大部分与问题无关，但可以找到下面这些内容。",
        "让我仔细看一下原文。相关的内容散落在各处。",
    ),
}
_CLOSINGS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "These are all the relevant items. Let me know if you need anything else!",
        "Together these passages give a vivid picture, although the rest of the text is about "
        "unrelated matters.",
        "Please note that the document may use slightly different words.",
        "In summary, this covers everything that the text says on the question.",
    ),
    "zh": (
        "以上就是全部相关内容，如需其他帮助请告诉我！",
        "总的来说，这些内容散见于全文，其余部分与问题无关。",
        "请注意，原文的措辞可能略有出入。",
        "综上，文中与问题有关的内容都在这里了。",
    ),
}
_COMMENTS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "This suggests a certain routine.",
        "It is a small but telling detail.",
        "The text gives no further background here.",
        "This fits well with the rest.",
        "Why this matters is left open.",
    ),
    "zh": (
        "这一点颇能说明问题。",
        "原文对此没有更多说明。",
        "这是个不起眼却有意思的细节。",
        "这与其余部分相呼应。",
        "其中的缘由文中没有交代。",
    ),
}
_NOT_THESE: dict[Lang, tuple[str, ...]] = {
    "en": (
        'Note: the passage "{}" also occurs in the document, but it is not part of the answer.',
        'I left out "{}", because it does not belong here.',
    ),
    "zh": (
        "注：文中还有“{}”一句，但与本题无关，不属于答案。",
        "“{}”不在所问的范围之内，因此没有列入。",
    ),
}
_FINAL: dict[Lang, tuple[tuple[str, str], ...]] = {
    "en": (
        ("First draft:", "Checking this against the text, I found a mistake. Final answer:"),
        ("A first list:", "Wait, that is not quite right. Corrected list:"),
    ),
    "zh": (
        ("初步整理：", "核对原文后发现有误，最终答案如下："),
        ("先列一个草稿：", "上面的草稿不准确，更正后的列表："),
    ),
}
_DATES_ONLY: dict[Lang, str] = {
    "en": "The correct chronological order is therefore:",
    "zh": "因此，正确的时间顺序是：",
}


def _listed(told: Telling, draws: Draws) -> str:
    """The items as a plain list, the body of what is wrapped here."""
    if told.logical:
        return step_layouts.bullets(told, draws)
    return draws.choice((layouts.other_dates, layouts.bold_dates))(told, draws)


def _rows(told: Telling, draws: Draws) -> list[str]:
    """The items as sentences, each with its date before it."""
    form, colon = draws.choice(FORMS[told.lang]), ": " if told.lang == "en" else "："
    return [
        (written(line.date, form) + colon if line.date else "") + full_stop(line.text, told.lang)
        for line in told.lines
    ]


def with_remarks(body: str, told: Telling, draws: Draws) -> str:
    """A body between a preamble and a closing remark."""
    return f"{draws.choice(_HEDGES[told.lang])}\n\n{body}\n\n{draws.choice(_CLOSINGS[told.lang])}"


def after_draft(body: str, draft: Sequence[Line], told: Telling, draws: Draws) -> str:
    """A body that is declared final, behind a draft with other items."""
    before, final = draws.choice(_FINAL[told.lang])
    rows = [f"- {row}" for row in _rows(told.with_lines(draft), draws)]
    return "\n".join([before, *rows, "", final, body])


def _remarks(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    return with_remarks(_listed(told, draws), told, draws)


def _draft(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    rows = [f"{n}. {row}" for n, row in enumerate(_rows(told, draws), 1)]
    draft = list(told.lines)
    draft.pop(draws.below(len(draft)))
    return after_draft("\n".join(rows), draft, told, draws)


def _comments(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """A comment on some items, behind or below them."""
    below = draws.below(2)
    rows: list[str] = []
    for number, row in enumerate(_rows(told, draws), 1):
        comment = draws.choice(_COMMENTS[told.lang]) if draws.below(3) else ""
        gap = "\n   - " if below else (" " if told.lang == "en" else "")
        rows.append(f"{number}. {row}" + (gap + comment if comment else ""))
    return layouts.opened(told, "\n".join(rows), draws)


def _excluded(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """An item that is named only to say that it does not belong here."""
    try:
        entry = foreign(told.qa, others, 1, draws)[0]
    except ValueError:
        return None
    note = draws.choice(_NOT_THESE[told.lang]).format(bare(entry.text))
    return f"{_listed(told, draws)}\n\n{note}"


def _any_order(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """Another order, where the question demands none."""
    numbers = [line.number or 0 for line in told.lines]
    if told.qa.order_required or numbers == sorted(numbers):
        return None
    return _listed(told, draws)


def _dates_reordered(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """A full list in some order, then the dates alone in the true one."""
    if not told.qa.order_required:
        return None
    form = FORMS[told.lang][0]
    colon = ": " if told.lang == "en" else "："
    rows = [
        f"{n}. {written(line.date, form)}{colon}{full_stop(line.text, told.lang)}"
        for n, line in enumerate(told.lines, 1)
        if line.date
    ]
    days = sorted(line.date for line in told.lines if line.date)
    dates = [f"{n}. {written(day, form)}" for n, day in enumerate(days, 1)]
    return "\n".join([*rows, "", _DATES_ONLY[told.lang], *dates])


def _needle_wording(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """The passages as they stand in the document."""
    texts = [
        re.sub(r"\s*\n\s*", " ", told.qa.needles[line.number].text)
        for line in told.lines
        if line.number is not None
    ]
    mark = draws.choice(("- ", "{}. ", ""))
    rows = [mark.format(n) + text for n, text in enumerate(texts, 1)]
    return layouts.opened(told, "\n".join(rows), draws)


def _other_wording(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """Each event as another clause of the same relation states it."""
    lines = [
        replace(line, text=draws.choice(told.retold[line.number].others))
        for line in told.lines
        if line.number is not None and told.retold and told.retold[line.number].others
    ]
    return _listed(told.with_lines(lines), draws) if len(lines) == len(told.lines) else None


def _paraphrased(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    lines = [replace(line, text=paraphrase(line.text, told.lang, draws)) for line in told.lines]
    changed = sum(a.text != b.text for a, b in zip(lines, told.lines, strict=True))
    return _listed(told.with_lines(lines), draws) if 2 * changed >= len(lines) else None


def _third_person(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    lines = [
        replace(line, text=third_person(line.text, told.qa.subject, told.lang))
        for line in told.lines
    ]
    told = told.with_lines(lines)
    return layouts.prose(told, draws) if draws.below(2) else _listed(told, draws)


def retell(told: Telling, touched: frozenset[int], draws: Draws) -> Telling:
    """The items in other words, but for those whose words matter."""
    return told.with_lines(
        [
            line
            if line.number is None or line.number in touched
            else replace(line, text=paraphrase(line.text, told.lang, draws))
            for line in told.lines
        ]
    )


_Maker = Callable[[Telling, Sequence[QAItem], Draws], str | None]
_ALL = tuple(Pipeline)
_TEMPORAL = (Pipeline.SYNTHETIC_TEMPORAL, Pipeline.REAL_TEMPORAL)


@dataclass(frozen=True, slots=True)
class Wrapping:
    """One way to write a right answer that is more than a layout."""

    make: _Maker
    """None where the question does not allow it."""
    pipelines: tuple[Pipeline, ...] = _ALL
    reorders: bool = False
    """The items are to be given in another order."""
    sorts: bool = False
    """It puts the order right itself."""


WRAPPINGS: dict[str, Wrapping] = {
    "remarks": Wrapping(_remarks),
    "comments": Wrapping(_comments),
    "draft, then final": Wrapping(_draft),
    "excluded item": Wrapping(_excluded),
    "any order": Wrapping(_any_order, _TEMPORAL, reorders=True),
    "dates reordered": Wrapping(_dates_reordered, _TEMPORAL, reorders=True, sorts=True),
    "needle wording": Wrapping(_needle_wording),
    "other wording": Wrapping(_other_wording, (Pipeline.REAL_TEMPORAL,)),
    "paraphrase": Wrapping(_paraphrased, (Pipeline.SYNTHETIC_TEMPORAL, Pipeline.REAL_LOGICAL)),
    "third person": Wrapping(_third_person, (Pipeline.SYNTHETIC_TEMPORAL,)),
}
