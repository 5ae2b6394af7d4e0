"""What an answer of the harder set tells, before it is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from seqniah_datasets.schema import Lang, Pipeline, QAItem
from seqniah_scorers.making.perturb import long
from seqniah_scorers.making.retelling import Retold

_MONTHS = tuple(long(date(2000, month, 1)).split()[0] for month in range(1, 13))
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_ZH = "一二三四五六日"


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


def month(day: date, lang: Lang) -> str:
    """The month of a date, with its year."""
    return f"{_MONTHS[day.month - 1]} {day.year}" if lang == "en" else f"{day.year}年{day.month}月"


def ordinal(day: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day if day in (11, 12, 13) else day % 10, "th")
    return f"{day}{ending}"


def written(day: date, form: str) -> str:
    """A date in one of `FORMS`, `SHORT` or `DAYS`."""
    name, year = _MONTHS[day.month - 1], day.year
    padded = f"{day.month:02d}", f"{day.day:02d}"
    table = {
        "long": long(day),
        "short": f"{name[:3]} {day.day}, {year}",
        "iso": day.isoformat(),
        "slashes": f"{year}/{padded[0]}/{padded[1]}",
        "day first": f"{day.day} {name} {year}",
        "ordinal": f"{name} {ordinal(day.day)}, {year}",
        "of": f"the {ordinal(day.day)} of {name} {year}",
        "weekday": f"{_WEEKDAYS[day.weekday()]}, {long(day)}",
        "ideographs": f"{year}年{padded[0]}月{padded[1]}日",
        "unpadded": f"{year}年{day.month}月{day.day}日",
        "spoken": f"{year}年{day.month}月{day.day}号",
        "dots": f"{year}.{day.month}.{day.day}",
        "weekday zh": f"{year}年{day.month}月{day.day}日（星期{_WEEKDAYS_ZH[day.weekday()]}）",
        "no year": f"{name} {day.day}",
        "no year, ordinal": f"{name} {ordinal(day.day)}",
        "no year, day first": f"{day.day} {name}",
        "no year zh": f"{day.month}月{day.day}日",
        "no year, spoken": f"{day.month}月{day.day}号",
        "day": f"the {ordinal(day.day)}",
        "day zh": f"{day.day}日",
    }
    return table[form]


FORMS: dict[Lang, tuple[str, ...]] = {
    "en": ("long", "short", "iso", "slashes", "day first", "ordinal", "weekday"),
    "zh": ("ideographs", "unpadded", "spoken", "iso", "slashes", "dots", "weekday zh"),
}
"""Whole dates."""
SHORT: dict[Lang, tuple[str, ...]] = {
    "en": ("no year", "no year, ordinal", "no year, day first"),
    "zh": ("no year zh", "no year, spoken"),
}
"""Dates without a year."""
DAYS: dict[Lang, str] = {"en": "day", "zh": "day zh"}
"""The day alone, below a month."""


def full_stop(text: str, lang: Lang) -> str:
    """The text as a sentence of its own."""
    text = text[:1].upper() + text[1:] if lang == "en" else text
    return text if text[-1] in ".。!！?？" else text + ("." if lang == "en" else "。")


def bare(text: str) -> str:
    """The text without a full stop."""
    return text.rstrip(".。")


_STARTS = (
    *("After", "All", "Around", "At", "Before", "Between", "By", "Down", "During", "Early", "For"),
    *("From", "In", "Instead", "Inside", "Late", "My", "Near", "On", "Once", "Out", "Outside"),
    *(
        "Not",
        "Nothing",
        "Shortly",
        "Through",
        "To",
        "Together",
        "Under",
        "With",
        "Without",
        "The",
        "A",
        "An",
        "Our",
    ),
)


def within(text: str) -> str:
    """A sentence as it stands behind other words: without full stop and first capital."""
    first = text.split(" ", 1)[0]
    return bare(text[:1].lower() + text[1:] if first in _STARTS else text)
