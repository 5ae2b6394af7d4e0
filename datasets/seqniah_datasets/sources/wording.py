"""How things are asked, told and dated: authored patterns, each question with its order demand.

About a third of the questions about a record demand no order, as in the paper (figures 13 and 14);
those about dated events rarely demand one (3.1.2).
"""

from __future__ import annotations

from datetime import date
from typing import Literal, NamedTuple, get_args

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources.tables import table

Kind = Literal["pair", "investor", "financed", "acquirer"]
"""Whose events they are: one side's dealings with another, or a company's deals."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class QuestionTemplate(NamedTuple):
    """One way to ask; slots are {record}, {person} and {month}."""

    question: str
    intro: str
    """First line of the reference answer."""
    order_required: bool
    """Whether the wording demands the order of time."""


class EventQuestion(QuestionTemplate):  # by this name it enters the digests of its sources
    """One way to ask; slots are {a} and {b} (companies have only {a}), and {period}."""


class Lead(NamedTuple):
    """How a step is told; slots are {subject}, {gerund} and {step}."""

    pattern: str


def _asked(
    make: type[QuestionTemplate], raw: dict[str, list[tuple[str, str]]]
) -> tuple[QuestionTemplate, ...]:
    """Ways to ask as a table in questions/ has them: pairs under "ordered" and "free"."""
    return tuple(
        make(*pair, demand == "ordered") for demand, pairs in raw.items() for pair in pairs
    )


_EVENTS, _STEPS = table("questions/events.toml"), table("questions/steps.toml")

TEMPLATES: dict[Lang, tuple[QuestionTemplate, ...]] = {
    lang: _asked(QuestionTemplate, table("questions/records.toml")[lang]) for lang in LANGS
}
EVENT_QUESTIONS: dict[tuple[Lang, Kind], tuple[QuestionTemplate, ...]] = {
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


def capital(text: str) -> str:
    """The text with a capital first letter; nothing else is changed."""
    return text[:1].upper() + text[1:]


def dated(pattern: str, day: date, **slots: str) -> str:
    """A pattern with a date in its slots, beside others.

    {day} is the ISO form and has {day.year}, {day.month} and {day.day}; {month} and {weekday} are
    English names, {ordinal} is "3rd".
    """
    last = day.day if day.day in (11, 12, 13) else day.day % 10
    return pattern.format(
        day=day,
        month=MONTHS[day.month - 1],
        weekday=_WEEKDAYS[day.weekday()],
        ordinal=str(day.day) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th"),
        **slots,
    )
