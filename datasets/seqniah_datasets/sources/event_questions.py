"""Questions about dated events, each with its order demand, which is rare here (paper, 3.1.2).

{period} is "between March 3, 2006 and May 9, 2009", "from 2006 to 2009" or "in 2006".
"""

from __future__ import annotations

from typing import Literal, get_args

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources.question_templates import QuestionTemplate, asked
from seqniah_datasets.sources.tables import table

Kind = Literal["pair", "investor", "financed", "acquirer"]
"""Whose events they are: one side's dealings with another, or a company's deals."""


class EventQuestion(QuestionTemplate):
    """One way to ask; slots are {a} and {b} (companies have only {a}), and {period}."""

    __slots__ = ()


EVENT_QUESTIONS: dict[tuple[Lang, Kind], tuple[EventQuestion, ...]] = {
    (lang, kind): asked(EventQuestion, table("questions/events.toml")[lang][kind])
    for lang in LANGS
    for kind in get_args(Kind)
    if kind in table("questions/events.toml")[lang]
}
"""The questions that a kind of chronicle is asked."""
