"""How things are asked and steps told: authored patterns, each question with its order demand.

About a third of the questions about a record demand no order, as in the paper (figures 13 and 14);
those about dated events rarely demand one (3.1.2).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar, get_args

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources.tables import table

Kind = Literal["pair", "investor", "financed", "acquirer"]
"""Whose events they are: one side's dealings with another, or a company's deals."""


class QuestionTemplate(NamedTuple):
    """One way to ask; slots are {record}, {person} and {month}."""

    question: str
    intro: str
    """First line of the reference answer."""
    order_required: bool
    """Whether the wording demands the order of time."""


class EventQuestion(QuestionTemplate):
    """One way to ask; slots are {a} and {b} (companies have only {a}), and {period}."""


class Lead(NamedTuple):
    """How a step is told; slots are {subject}, {gerund} and {step}."""

    pattern: str


Asked = TypeVar("Asked", bound=QuestionTemplate)


def _asked(make: type[Asked], raw: dict[str, list[tuple[str, str]]]) -> tuple[Asked, ...]:
    """Ways to ask as a table in questions/ has them: pairs under "ordered" and "free"."""
    return tuple(
        make(*pair, demand == "ordered") for demand, pairs in raw.items() for pair in pairs
    )


_EVENTS, _STEPS = table("questions/events.toml"), table("questions/steps.toml")

TEMPLATES: dict[Lang, tuple[QuestionTemplate, ...]] = {
    lang: _asked(QuestionTemplate, table("questions/records.toml")[lang]) for lang in LANGS
}
EVENT_QUESTIONS: dict[tuple[Lang, Kind], tuple[EventQuestion, ...]] = {
    (lang, kind): _asked(EventQuestion, _EVENTS[lang][kind])
    for lang in LANGS
    for kind in get_args(Kind)
    if kind in _EVENTS[lang]
}
"""The questions that a kind of chronicle is asked."""

LEADS: dict[Lang, tuple[Lead, ...]] = {
    lang: tuple(map(Lead, _STEPS[lang]["leads"])) for lang in LANGS
}
QUESTIONS: dict[Lang, tuple[str, ...]] = {lang: tuple(_STEPS[lang]["questions"]) for lang in LANGS}
INTROS: dict[Lang, tuple[str, ...]] = {lang: tuple(_STEPS[lang]["intros"]) for lang in LANGS}
