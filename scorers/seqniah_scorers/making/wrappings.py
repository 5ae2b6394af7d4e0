"""What stands around the items of an answer, and other words for them; the verdict stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seqniah_datasets.schema import Pipeline, QAItem
from seqniah_scorers.making.layouts import LAYOUTS, PHRASES, STEP_LAYOUTS, opened
from seqniah_scorers.making.perturb import foreign
from seqniah_scorers.making.telling import (
    FORMS,
    Draws,
    Line,
    Telling,
    bare,
    full_stop,
    paraphrase,
    third_person,
    written,
)

_COLON = {"en": ": ", "zh": "："}
"""Stands between a date and its event."""


def _listed(told: Telling, draws: Draws) -> str:
    """The items as a plain list, the body of what is wrapped here."""
    if told.logical:
        return STEP_LAYOUTS["bullets"](told, draws)
    return LAYOUTS[draws.choice(("other dates", "bold dates"))](told, draws)


def _rows(told: Telling, draws: Draws, form: str = "") -> list[str]:
    """The items as sentences, each with its date before it, in a form drawn if none is given."""
    form = form or draws.choice(FORMS[told.lang])
    return [
        (written(line.date, form) + _COLON[told.lang] if line.date else "")
        + full_stop(line.text, told.lang)
        for line in told.lines
    ]


def _numbered(rows: Sequence[str]) -> list[str]:
    return [f"{n}. {row}" for n, row in enumerate(rows, 1)]


def with_remarks(body: str, told: Telling, draws: Draws) -> str:
    """A body between a preamble and a closing remark."""
    words = PHRASES[told.lang]
    return f"{draws.choice(words['hedges'])}\n\n{body}\n\n{draws.choice(words['closings'])}"


def after_draft(body: str, draft: Sequence[Line], told: Telling, draws: Draws) -> str:
    """A body that is declared final, behind a draft with other items."""
    before, final = draws.choice(PHRASES[told.lang]["final"])
    rows = [f"- {row}" for row in _rows(told.with_lines(draft), draws)]
    return "\n".join([before, *rows, "", final, body])


def _remarks(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    return with_remarks(_listed(told, draws), told, draws)


def _draft(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    body = "\n".join(_numbered(_rows(told, draws)))
    draft = list(told.lines)
    draft.pop(draws.below(len(draft)))
    return after_draft(body, draft, told, draws)


def _comments(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """A comment on some items, behind or below them."""
    comments: list[str] = PHRASES[told.lang]["comments"]
    below = draws.below(2)
    rows: list[str] = []
    for number, row in enumerate(_rows(told, draws), 1):
        comment = draws.choice(comments) if draws.below(3) else ""
        gap = "\n   - " if below else (" " if told.lang == "en" else "")
        rows.append(f"{number}. {row}" + (gap + comment if comment else ""))
    return opened(told, "\n".join(rows), draws)


def _excluded(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """An item that is named only to say that it does not belong here."""
    try:
        entry = foreign(told.qa, others, 1, draws)[0]
    except ValueError:
        return None
    note = draws.choice(PHRASES[told.lang]["not_these"]).format(bare(entry.text))
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
    days = [written(day, form) for day in sorted(line.date for line in told.lines if line.date)]
    between = ("", PHRASES[told.lang]["dates_only"])
    return "\n".join([*_numbered(_rows(told, draws, form)), *between, *_numbered(days)])


def _needle_wording(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """The passages as they stand in the document."""
    texts = [
        re.sub(r"\s*\n\s*", " ", told.qa.needles[line.number].text)
        for line in told.lines
        if line.number is not None
    ]
    mark = draws.choice(("- ", "{}. ", ""))
    rows = [mark.format(n) + text for n, text in enumerate(texts, 1)]
    return opened(told, "\n".join(rows), draws)


def _other_wording(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    """Each event as another clause of the same relation states it."""
    lines = [
        replace(line, text=draws.choice(told.retold[line.number].others))
        for line in told.lines
        if line.number is not None and told.retold and told.retold[line.number].others
    ]
    return _listed(told.with_lines(lines), draws) if len(lines) == len(told.lines) else None


def _paraphrased(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    again = retell(told, frozenset(), draws)
    changed = sum(a.text != b.text for a, b in zip(again.lines, told.lines, strict=True))
    return _listed(again, draws) if 2 * changed >= len(told.lines) else None


def _third_person(told: Telling, others: Sequence[QAItem], draws: Draws) -> str | None:
    told = told.with_lines(
        [
            replace(one, text=third_person(one.text, told.qa.subject, told.lang))
            for one in told.lines
        ]
    )
    return LAYOUTS["prose"](told, draws) if draws.below(2) else _listed(told, draws)


def retell(told: Telling, touched: frozenset[int], draws: Draws) -> Telling:
    """The items in other words, but for those whose words matter."""
    lines = list(told.lines)
    for at, line in enumerate(lines):
        if line.number is not None and line.number not in touched:
            lines[at] = replace(line, text=paraphrase(line.text, told.lang, draws))
    return told.with_lines(lines)


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
