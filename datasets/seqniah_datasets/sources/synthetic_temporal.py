"""Synthetic-temporal questions: an invented person's titled record of one month (section 3.1.1).

Needles vary their date format and separators as the released examples do; the reference gives
every date in one canonical form.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lure, LureKind, Needle, Pipeline, QAItem
from seqniah_datasets.sources import events, lures
from seqniah_datasets.sources.base import Demand, Source, Ticket
from seqniah_datasets.sources.people import namesakes, person
from seqniah_datasets.sources.tables import lines, table
from seqniah_datasets.sources.wording import TEMPLATES, dated

VERSION = 2
"""Of this source; any change of its bytes raises it."""

FEWEST, MOST = 3, 15
"""Needles a question may have (section 3.1.1)."""

YEARS = (2000, 2023)
"""First and last year of a record."""

NEAR = 3
"""Days between another person's entry and one of the needles at most."""


@dataclass(frozen=True, slots=True)
class _Style:
    """How one language writes records and dates; see styles.toml."""

    titles: Sequence[str]
    dates: Sequence[str]
    after_title: Sequence[str]
    after_date: Sequence[str]
    undated: Sequence[str]
    canonical: str
    month: str


STYLES = {lang: _Style(**table("styles.toml")[lang]) for lang in LANGS}


class SyntheticTemporal(Source):
    """The source; unlimited, and the same on every machine."""

    pipeline = Pipeline.SYNTHETIC_TEMPORAL
    name = "invented-records"

    def basis(self) -> list[rng.Key]:
        banks = [(bank, lang) for lang in STYLES for bank in ("events", "given_names", "surnames")]
        texts = [line for bank, lang in banks for line in lines(f"{bank}_{lang}.txt")]
        return [f"{VERSION} {events.VERSION}", repr(TEMPLATES), *texts]

    def allot(self, demand: Demand) -> tuple[Sequence[Ticket | None], int]:
        """The events of each record, a frame's number and an event's in turns, and how many."""
        return _dealt(demand), 0

    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        needles = ticket[-1]
        lang, split, seed = demand.lang, demand.split, demand.seed
        if not FEWEST <= needles <= MOST:
            raise ValueError(f"a synthetic question has {FEWEST} to {MOST} needles, not {needles}")
        draws = rng.stream("synthetic-temporal", VERSION, lang, split, serial, needles, seed)
        style = STYLES[lang]
        name = person(lang, split, serial, seed)
        title = draws.choice(style.titles).format(name)
        month = _month(demand, serial)
        bank = events.of_split(lang, split)
        told = [bank[n].event(which) for n, which in zip(ticket[:-1:2], ticket[1::2], strict=True)]
        template = draws.choice(TEMPLATES[lang])
        words = {"record": title, "person": name, "month": dated(style.month, month)}
        return QAItem(
            lang=lang,
            pipeline=self.pipeline,
            subject=name,
            question=template.question.format(**words),
            intro=template.intro.format(**words),
            needles=tuple(_needles(draws, style, title, month, told)),
            order_required=template.order_required,
        )

    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        """Records of namesakes, and the person's own entries without a date.

        Whoever is asked for a record as a whole may count an undated entry in, so such entries are
        made only for questions about a month.
        """
        lang, style = demand.lang, STYLES[demand.lang]
        item = self.item(demand, serial, ticket)
        name, days = item.subject, [needle.date for needle in item.needles if needle.date]
        draws = lures.stream("synthetic-temporal", demand, serial)
        title = next(
            one for one in style.titles if item.needles[0].text.startswith(one.format(name))
        )
        month, used = days[0].month, ticket[:-1:2]
        beside = iter(events.others(draws, lang, demand.split, month, lures.MOST, used))
        undated = lures.MOST // 2 if dated(style.month, days[0]) in item.question else 0
        others = namesakes(lang, demand.split, name)
        made: list[Lure] = []
        for pick in draws.sample(lures.MOST - undated, len(others)):
            other, when = others[pick], _near(draws, draws.choice(days))
            text = _entry(draws, style, title.format(other), when, next(beside))
            made.append(Lure(text, LureKind.OTHER_PERSON, other, when))
        for event in beside:
            text = f"{title.format(name)}{draws.choice(style.undated)}{event}"
            made.append(Lure(text, LureKind.UNDATED, name, None))
        return tuple(draws.shuffled(made))


@lru_cache(maxsize=8)
def _dealt(demand: Demand) -> tuple[Ticket, ...]:
    wanted = [(_month(demand, n).month, wish.needles) for n, wish in enumerate(demand.wishes)]
    dealt = events.deal(demand.lang, demand.split, demand.seed, wanted)
    return tuple((*told, count) for told, (_, count) in zip(dealt, wanted, strict=True))


def _month(demand: Demand, serial: int) -> date:
    """The first day of the month that a record is of."""
    key = VERSION, demand.lang, demand.split, serial, demand.seed
    draws = rng.stream("synthetic-temporal", "month", *key)
    return date(draws.between(*YEARS), draws.between(1, 12), 1)


def _needles(
    draws: Stream, style: _Style, title: str, month: date, told: Sequence[str]
) -> Iterator[Needle]:
    days = sorted(draws.sample(len(told), _month_length(month)))
    for day, event in zip(days, told, strict=True):
        when = month.replace(day=day + 1)
        text = _entry(draws, style, title, when, event)
        yield Needle(text, f"{dated(style.canonical, when)}：{event}", event, when)


def _month_length(day: date) -> int:
    """Days of a month."""
    return calendar.monthrange(day.year, day.month)[1]


def _entry(draws: Stream, style: _Style, title: str, when: date, event: str) -> str:
    written = dated(draws.choice(style.dates), when)
    before, after = draws.choice(style.after_title), draws.choice(style.after_date)
    if after == ", " and not event.startswith("I "):
        after = ": "  # no capital letter follows a comma
    return f"{title}{before}{written}{after}{event}"


def _near(draws: Stream, day: date) -> date:
    """A day of the same month, at most `NEAR` days away."""
    low, high = max(1, day.day - NEAR), min(_month_length(day), day.day + NEAR)
    return day + timedelta(draws.between(low, high) - day.day)
