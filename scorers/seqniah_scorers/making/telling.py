"""What an answer of the harder set tells, before it is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from seqniah_datasets.schema import Lang, Pipeline, QAItem
from seqniah_scorers import authored
from seqniah_scorers.making.retelling import Retold

_WORDS = authored.table("making/telling.toml")
FORMS: dict[Lang, list[str]] = _WORDS["whole"]
"""Names of the forms of whole dates."""
SHORT: dict[Lang, list[str]] = _WORDS["short"]
"""Dates without a year."""
DAYS: dict[Lang, str] = _WORDS["day"]
"""The day alone, below a month."""
MONTHS: dict[Lang, str] = _WORDS["month"]
"""The month with its year."""


@dataclass(frozen=True, slots=True)
class Line:
    """One item to tell."""

    text: str
    """The event or the step, without subject and date."""
    date: date | None
    number: int | None
    """Index of the reference item that it states; None: none of them, or no longer."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A question, and the items that an answer to it tells in their order."""

    qa: QAItem
    lines: tuple[Line, ...]
    retold: tuple[Retold, ...] = ()
    """What else is known of each needle's words; empty where nothing is."""

    @property
    def lang(self) -> Lang:
        return self.qa.lang

    @property
    def logical(self) -> bool:
        return self.qa.pipeline is Pipeline.REAL_LOGICAL

    @property
    def diary(self) -> bool:
        """Whether the events are a person's own words."""
        return self.qa.pipeline is Pipeline.SYNTHETIC_TEMPORAL

    def with_lines(self, lines: Sequence[Line]) -> Telling:
        return replace(self, lines=tuple(lines))


def telling(qa: QAItem, retold: tuple[Retold, ...]) -> Telling:
    """All that a right answer tells, in true order."""
    lines = (Line(one.event, one.date, number) for number, one in enumerate(qa.needles))
    return Telling(qa, tuple(lines), retold)


def _ordinal(day: int) -> str:
    return str(day) + {1: "st", 2: "nd", 3: "rd"}.get(
        day if day in (11, 12, 13) else day % 10, "th"
    )


def written(day: date, form: str) -> str:
    """A date in one of `FORMS`, `SHORT`, `DAYS` or `MONTHS`."""
    pattern: str = _WORDS["forms"][form]
    return pattern.format(
        year=day.year,
        month=day.month,
        day=day.day,
        name=_WORDS["months"][day.month - 1],
        ordinal=_ordinal(day.day),
        weekday=_WORDS["weekdays"][day.weekday()],
        weekday_zh=_WORDS["weekdays_zh"][day.weekday()],
    )


def full_stop(text: str, lang: Lang) -> str:
    """The text as a sentence of its own."""
    text = text[:1].upper() + text[1:] if lang == "en" else text
    return text if text[-1] in ".。!！?？" else text + ("." if lang == "en" else "。")


def bare(text: str) -> str:
    """The text without a full stop."""
    return text.rstrip(".。")


def within(text: str) -> str:
    """A sentence as it stands behind other words: without full stop and first capital."""
    first = text.split(" ", 1)[0]
    return bare(text[:1].lower() + text[1:] if first in _WORDS["starts"] else text)
