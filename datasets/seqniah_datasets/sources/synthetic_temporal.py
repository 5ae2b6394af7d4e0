"""Synthetic-temporal questions: an invented person's titled record of one month (section 3.1.1).

Needles vary their date format and separators as the released examples do; the reference gives
every date in one canonical form.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import Lang, Needle, Pipeline, QAItem
from seqniah_datasets.sources.banks import lines, seasonal
from seqniah_datasets.sources.base import Demand, Unlimited
from seqniah_datasets.sources.people import person
from seqniah_datasets.sources.question_templates import TEMPLATES

VERSION = 1
"""Of this source; any change of its bytes raises it."""

FEWEST, MOST = 3, 15
"""Needles a question may have (section 3.1.1)."""

YEARS = (2000, 2023)
"""First and last year of a record."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_DateFormat = Callable[[date], str]

_WORDS: tuple[_DateFormat, ...] = (
    date.isoformat,
    lambda day: day.isoformat().replace("-", "/"),
    lambda day: f"{MONTHS[day.month - 1]}-{day.day}-{day.year}",
    lambda day: f"{day.day} {MONTHS[day.month - 1]} {day.year}",
    lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
)


def _ideographs(day: date) -> str:
    return f"{day.year}年{day.month:02d}月{day.day:02d}日"


@dataclass(frozen=True, slots=True)
class _Style:
    """How one language writes records and dates."""

    titles: tuple[str, ...]
    """Patterns that make a record's title of a person's name."""
    dates: tuple[_DateFormat, ...]
    """Forms of a needle's date; a form listed twice is twice as frequent."""
    after_title: tuple[str, ...]
    """What may stand between title and date."""
    after_date: tuple[str, ...]
    """What may stand between date and event."""
    canonical: _DateFormat
    """The form of dates in the reference."""
    month: Callable[[date], str]
    """How a question names a month."""


STYLES: dict[Lang, _Style] = {
    "en": _Style(
        titles=(
            *("Diary of {}", "Journal of {}", "Record of {}"),
            *("Daily summary of {}", "Documentary of {}"),
        ),
        dates=_WORDS,
        after_title=("-", " :", ":", "\n", "\n\n", " "),
        after_date=(":", " :", "\n", "\n\n", "   ", ", "),
        canonical=lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
        month=lambda day: f"{MONTHS[day.month - 1]} {day.year}",
    ),
    "zh": _Style(
        titles=("{}日记", "{}记录", "{}纪实", "{}记事", "{}每日纪要"),
        dates=(*_WORDS, *[_ideographs] * 3),
        after_title=("-", " ：", "：", "\n", "\n\n", " "),
        after_date=("：", " ：", "\n", "\n\n", "   ", "，"),
        canonical=_ideographs,
        month=lambda day: f"{day.year}年{day.month}月",
    ),
}


class SyntheticTemporal:
    """The source; unlimited, and the same on every machine."""

    pipeline = Pipeline.SYNTHETIC_TEMPORAL
    name = "invented-records"

    @cached_property
    def digest(self) -> str:
        parts: list[str] = [f"{VERSION}", repr(TEMPLATES)]
        for lang in STYLES:
            for bank in ("events", "given_names", "surnames"):
                parts += lines(f"{bank}_{lang}.txt")
        return rng.digest(*parts).hex()

    def supply(self, demand: Demand) -> Unlimited:
        """See `Source.supply`; every wish is met."""
        return Unlimited(demand, lambda serial, needles: _item(demand, serial, needles))


def _item(demand: Demand, serial: int, needles: int) -> QAItem:
    lang, split, seed = demand.lang, demand.split, demand.seed
    if not FEWEST <= needles <= MOST:
        raise ValueError(f"a synthetic question has {FEWEST} to {MOST} needles, not {needles}")
    draws = rng.stream("synthetic-temporal", VERSION, lang, split, serial, needles, seed)
    style = STYLES[lang]
    name = person(lang, split, serial, seed)
    title = draws.choice(style.titles).format(name)
    month = date(draws.between(*YEARS), draws.between(1, 12), 1)
    template = draws.choice(TEMPLATES[lang])
    words = {"record": title, "person": name, "month": style.month(month)}
    return QAItem(
        lang=lang,
        pipeline=Pipeline.SYNTHETIC_TEMPORAL,
        subject=name,
        question=template.question.format(**words),
        intro=template.intro.format(**words),
        needles=tuple(_needles(draws, style, title, month, needles, lang)),
        order_required=template.order_required,
    )


def _needles(
    draws: Stream, style: _Style, title: str, month: date, count: int, lang: Lang
) -> list[Needle]:
    bank = seasonal(f"events_{lang}.txt")
    events = [text for text, months in bank if month.month in months]
    length = calendar.monthrange(month.year, month.month)[1]
    days = sorted(draws.sample(count, length))
    chosen = [events[number] for number in draws.sample(count, len(events))]
    made: list[Needle] = []
    for day, event in zip(days, chosen, strict=True):
        when = month.replace(day=day + 1)
        written = draws.choice(style.dates)(when)
        before, after = draws.choice(style.after_title), draws.choice(style.after_date)
        if after == ", " and not event.startswith("I "):
            after = ": "  # no capital letter follows a comma
        text = f"{title}{before}{written}{after}{event}"
        made.append(Needle(text, f"{style.canonical(when)}：{event}", event, when))
    return made
