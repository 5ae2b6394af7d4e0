"""ICEWS: one event a line, as subject, CAMEO relation, object and ISO date, tab-separated.

A chronicle is what one actor did toward another; direction is kept. Chinese chronicles are those
of actors that the name tables know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources import actors, tables
from seqniah_datasets.sources.chronicles import Chronicle, Fact
from seqniah_datasets.sources.files import text_lines

_FIELDS = 4

_WEIGHTS = tables.table("relations/weights.toml")
_PALE, _GRAVE = frozenset(_WEIGHTS["pale"]), frozenset(_WEIGHTS["grave"])
_BORNE_OUT = 3
"""Grave events between the same two from which they are believed."""

_IN_A_ROW = 3
"""Facts of one relation that may follow on one another."""

_ECHO = 3
"""Days within which the same relation between the same two is the same event again."""

_NAMERS: dict[Lang, Callable[[str], str | None]] = {"en": actors.english, "zh": actors.chinese}


def read(paths: Sequence[Path]) -> Iterator[Chronicle]:
    """The chronicles of some files in both languages; of several events a day one is kept.

    Raises `SeqniahError`, naming the line, for a missing field, an impossible date, or a relation
    that has no wording.
    """
    events = _events(paths)
    for pair, dated in sorted(events.items()):
        subject, target = pair
        key = "\t".join(sorted((subject, target)))
        days = {
            day: min(relations, key=lambda one: (one in _PALE, rng.digest("day", *pair, one)))
            for day, relations in sorted(dated.items())
        }
        days = _varied(_plausible(_told_once(days)))
        for lang in LANGS:
            name = _NAMERS[lang]
            a, b = name(subject), name(target)
            if a is None or b is None:
                continue
            names = {"a": a, "b": b}
            wording = tables.relations(lang)
            facts = tuple(Fact(day, wording[relation], names) for day, relation in days.items())
            yield Chronicle(key, lang, "pair", names, facts)


def _told_once(days: dict[date, str]) -> dict[date, str]:
    """Without what is coded again a few days later, as news repeats an event."""
    last: dict[str, date] = {}
    kept: dict[date, str] = {}
    for day, relation in days.items():
        if (day - last.get(relation, date.min)).days > _ECHO:
            kept[day] = relation
        last[relation] = day
    return kept


def _plausible(days: dict[date, str]) -> dict[date, str]:
    """Without lone grave events, which are mostly slips of the coding."""
    grave = sum(relation in _GRAVE for relation in days.values())
    if grave >= _BORNE_OUT:
        return days
    return {day: relation for day, relation in days.items() if relation not in _GRAVE}


def _varied(days: dict[date, str]) -> dict[date, str]:
    """Without more than a few of one relation in a row, which only their dates would tell apart."""
    rows = (islice(row, _IN_A_ROW) for _, row in groupby(days.items(), key=itemgetter(1)))
    return dict(chain.from_iterable(rows))


def _events(paths: Sequence[Path]) -> dict[tuple[str, str], dict[date, set[str]]]:
    """Relations by pair and day."""
    known = set(tables.relations("en")).intersection(tables.relations("zh"))
    found: defaultdict[tuple[str, str], defaultdict[date, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for where, line in chain.from_iterable(map(text_lines, paths)):
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != _FIELDS or not all(fields):
            raise SeqniahError(
                f"{where}, has {len([field for field in fields if field])} fields; it needs "
                "subject, relation, object and date, separated by tabs."
            )
        subject, relation, target, day = fields
        try:
            when = date.fromisoformat(day)
        except ValueError as error:
            raise SeqniahError(f"{where}: {day!r} is no date like 2010-05-23.") from error
        if relation not in known:
            raise SeqniahError(
                f"{where}: the relation {relation!r} has no wording; it is no relation of the "
                "CAMEO code book, or add it to relations/en.toml and relations/zh.toml."
            )
        if subject != target and not actors.belongs(subject, target):
            found[subject, target][when].add(relation)
    return {pair: dict(days) for pair, days in found.items()}
