"""Dated events of one subject, told as needles (paper, section 3.1.2).

A needle and the reference state an event in the same words and write its date in different forms:
what is changed between them is never the fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import Lang, Lure, LureKind, Needle, Pipeline, QAItem, Split
from seqniah_datasets.sources.tables import table
from seqniah_datasets.sources.wording import EVENT_QUESTIONS, Kind, capital, dated

VERSION = 2
"""Of the sentences made here; any change of their bytes raises it."""

FEWEST, MOST = 3, 10
"""Needles a question about real events may have (section 3.1.2)."""

_TEXTS = table("chronicles.toml")
_FRAMES: dict[Lang, list[str]] = _TEXTS["frames"]
"""How a needle puts date and clause together; the first is also that of the reference's items."""

_PERIODS: dict[Lang, dict[str, str]] = _TEXTS["periods"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One event."""

    date: date
    phrasings: tuple[str, ...]
    """Clauses that state it, with slots for names."""
    names: Mapping[str, str]
    """What the slots stand for."""


@dataclass(frozen=True, slots=True)
class Chronicle:
    """All known events of one subject in one language."""

    key: str
    """Names the subject; one key belongs to one split, in whatever language."""
    lang: Lang
    kind: Kind
    names: Mapping[str, str]
    """Names that the question uses."""
    facts: tuple[Fact, ...]
    """At distinct dates, in order of time."""

    @property
    def subject(self) -> str:
        return ", ".join(self.names.values())


def _framed(frame: str, day: date, clause: str) -> str:
    return dated(frame, day, clause=clause, Clause=capital(clause))


def _period(lang: Lang, first: date, last: date, *, years: bool) -> str:
    """The time that a question asks about, in years or to the day."""
    same = first.year == last.year
    if years:
        return _PERIODS[lang]["year" if same else "years"].format(first=first, last=last)
    start, end = (dated(_PERIODS[lang]["day"], day) for day in (first, last))
    if same:  # of a Chinese date, which begins with it, the year is not told again
        end = end.removeprefix(f"{last.year}年")
    return _PERIODS[lang]["days"].format(first=start, last=end)


_ENOUGH = 9
"""Wordings from which a relation's are divided between splits."""


@lru_cache(maxsize=4096)
def of_split(phrasings: tuple[str, ...], split: Split) -> tuple[str, ...]:
    """The wordings of a split: a third of a relation's is test's own, where there are enough."""
    if len(phrasings) < _ENOUGH:
        return phrasings
    ordered = sorted(phrasings, key=lambda one: rng.digest("wording", one))
    third = len(ordered) // 3
    return tuple(ordered[:third] if split == "test" else ordered[third:])


def tell(chronicle: Chronicle, facts: Sequence[Fact], split: Split, draws: Stream) -> QAItem:
    """The QA about some neighbouring facts of a chronicle, all of those in their period."""
    lang = chronicle.lang
    template = draws.choice(EVENT_QUESTIONS[lang, chronicle.kind])
    # Years alone would take in the facts of another sample where only a part is asked for.
    years = len(facts) == len(chronicle.facts) and draws.random() < 0.5
    first, last = (facts[0].date, facts[-1].date) if years else _around(chronicle, facts, draws)
    period = _period(lang, first, last, years=years)
    words = {**chronicle.names, "period": period}
    return QAItem(
        lang=lang,
        pipeline=Pipeline.REAL_TEMPORAL,
        subject=chronicle.subject,
        parties=tuple(chronicle.names.values()),
        question=capital(template.question.format(**words)),
        intro=capital(template.intro.format(**words)),
        needles=tuple(_needles(facts, lang, split, draws)),
        order_required=template.order_required,
    )


def tell_lure(fact: Fact, lang: Lang, split: Split, kind: LureKind, draws: Stream) -> Lure:
    """A fact beside the question, told as needles are, whose subject is whom it is about."""
    clause = draws.choice(of_split(fact.phrasings, split)).format(**fact.names)
    text = _framed(draws.choice(_FRAMES[lang]), fact.date, clause)
    whole = ("a", "b") if kind is LureKind.OTHER_PARTY else ("a",)
    return Lure(text, kind, ", ".join(fact.names[side] for side in whole), fact.date)


def _around(chronicle: Chronicle, facts: Sequence[Fact], draws: Stream) -> tuple[date, date]:
    """A period some days wider than the facts, to give away neither end, that takes in no other."""
    known, first, last = chronicle.facts, facts[0].date, facts[-1].date
    place = known.index(facts[0])
    end = place + len(facts)
    before = (first - known[place - 1].date).days - 1 if place else _WIDEST
    after = (known[end].date - last).days - 1 if end < len(known) else _WIDEST
    return (
        first - timedelta(days=draws.between(0, min(_WIDEST, before))),
        last + timedelta(days=draws.between(0, min(_WIDEST, after))),
    )


_WIDEST = 60
"""Days that a period goes beyond its facts at most, on either side."""


def _needles(facts: Sequence[Fact], lang: Lang, split: Split, draws: Stream) -> Iterator[Needle]:
    """Needles whose wordings come again only when all of a relation's have been used."""
    left: dict[tuple[str, ...], list[str]] = {}
    for fact in facts:
        phrasings = left.get(fact.phrasings)
        if not phrasings:
            phrasings = left[fact.phrasings] = draws.shuffled(of_split(fact.phrasings, split))
        clause = phrasings.pop().format(**fact.names)
        text = _framed(draws.choice(_FRAMES[lang]), fact.date, clause)
        yield Needle(text, _framed(_FRAMES[lang][0], fact.date, clause), clause, fact.date)
