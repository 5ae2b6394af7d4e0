"""An invented world of states, statesmen and institutions, and what they did to one another.

Self-consistent: nobody acts out of office, a truce follows fighting, sanctions are eased only once
imposed, visits and alliances need a mood that allows them. Nothing in it is real, so no model can
know it, and no licence binds it. Relations are those of the CAMEO code book, as in ICEWS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, LureKind, Pipeline, QAItem, Split
from seqniah_datasets.sources import chronicles, lures, tables
from seqniah_datasets.sources.base import Demand, Source, Ticket
from seqniah_datasets.sources.chronicles import Chronicle, Fact, tell, tell_lure
from seqniah_datasets.sources.people import SHARES
from seqniah_datasets.sources.wording import EVENT_QUESTIONS

VERSION = 2
"""Of this source; any change of its bytes raises it."""

FIRST_YEAR, LAST_YEAR = 1996, 2023

_OFFICES, (_GOVERNMENT,), _TITLES = (
    tuple(map(tuple, rows)) for rows in tables.table("world/offices.toml").values()
)

_MOST_LEADERS = 8
"""Names set aside for each state; no state has more leaders."""

_SHORTEST_OVERLAP = 500
"""Days that two sides must both be there for."""

_NEAR = 20
"""Days between a lure and the needle that it resembles at most."""


Pairs = npt.NDArray[np.int64]
"""Numbers of two entities in each row, the lower one first."""

Kind = Literal["powers", "states", "persons"]
"""Who makes war, treaties and sanctions (states and governments); visits; telephones."""

_STATE: frozenset[Kind] = frozenset(("powers", "states"))
_POWER: frozenset[Kind] = frozenset(("powers",))
_PERSON: frozenset[Kind] = frozenset(("persons",))
_NEITHER: frozenset[Kind] = frozenset()


@dataclass(frozen=True, slots=True)
class Entity:
    """One actor of the world."""

    names: Mapping[Lang, str]
    state: int
    """Number of its state; bodies between states have a negative one of their own."""
    kinds: frozenset[Kind]
    """What it can be where a relation is between some only."""
    since: int
    """First day it acts, as `date.toordinal` counts."""
    until: int
    """Last day it acts."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """When a relation makes sense, and what follows from it; see world/relations.toml."""

    name: str
    mood: Sequence[int]
    shift: int = 0
    between: Kind | None = None
    needs: str = ""
    sets: str = ""
    ends: str = ""


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    return tuple(_Rule(**raw) for raw in tables.table("world/relations.toml")["relation"])


@lru_cache(maxsize=1)
def entities() -> tuple[Entity, ...]:
    """Everybody in the world: states, governments, institutions, statesmen, bodies."""
    bank = tables.table("world/names.toml")
    always = date(FIRST_YEAR, 1, 1).toordinal(), date(LAST_YEAR, 12, 31).toordinal()
    found: list[Entity] = []
    for number, state in enumerate(bank["states"]):
        found.append(Entity(_named(("{}", "{}"), state), number, _STATE, *always))
        found.append(Entity(_named(_GOVERNMENT, state), number, _POWER, *always))
        found += [Entity(_named(office, state), number, _NEITHER, *always) for office in _OFFICES]
        found += _statesmen(number, bank["given"], bank["surnames"])
    for number, body in enumerate(bank["bodies"], 1):
        found.append(Entity(_named(("{}", "{}"), body), -number, _NEITHER, *always))
    return tuple(found)


def _named(patterns: Sequence[str], names: Sequence[str]) -> Mapping[Lang, str]:
    return {lang: patterns[n].format(names[n]) for n, lang in enumerate(LANGS)}


def _statesmen(state: int, given: list[list[str]], surnames: list[list[str]]) -> list[Entity]:
    """Who led a state, one after the other, without gaps."""
    draws = rng.stream("invented-world", VERSION, "statesmen", state)
    order = rng.walk(len(given) * len(surnames), "invented-world", VERSION, "names")
    title = draws.choice(_TITLES)
    found: list[Entity] = []
    year = FIRST_YEAR
    while year <= LAST_YEAR:
        end = year + draws.between(4, 9)
        if LAST_YEAR - end < 3:
            end = LAST_YEAR
        surname, first = divmod(order(state * _MOST_LEADERS + len(found)), len(given))
        names: Mapping[Lang, str] = {
            "en": f"{title[0]} {given[first][0]} {surnames[surname][0]}",
            "zh": f"{title[1]}{given[first][1]}·{surnames[surname][1]}",
        }
        span = date(year, 1, 1).toordinal(), date(end, 12, 31).toordinal()
        found.append(Entity(names, state, _PERSON, *span))
        year = end + 1
    return found


@lru_cache(maxsize=1)
def _pairs() -> tuple[Pairs, Pairs]:
    """Pairs of actors of different states: powers with one another, and all others."""
    actors = entities()
    first, second = np.triu_indices(len(actors), 1)
    state, since, until = np.array([(one.state, one.since, one.until) for one in actors]).T
    together = np.minimum(until[first], until[second]) - np.maximum(since[first], since[second])
    apart = (state[first] != state[second]) & (together >= _SHORTEST_OVERLAP)
    power = np.array(["powers" in one.kinds for one in actors])
    both = power[first] & power[second]
    pairs = np.stack([first, second], axis=1)
    return pairs[apart & both], pairs[apart & ~both]


class InventedWorld(Source):
    """The source; real-temporal in form, and labelled as invented."""

    pipeline = Pipeline.REAL_TEMPORAL
    name = "invented-world"

    def basis(self) -> list[rng.Key]:
        banks = ["world/names.toml", "world/relations.toml"]
        banks += [f"relations/{lang}.toml" for lang in LANGS]
        words = (chronicles.VERSION, repr(EVENT_QUESTIONS), repr((_OFFICES, _GOVERNMENT, _TITLES)))
        return [VERSION, *words, *map(tables.text, banks)]

    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        lang = demand.lang
        a, b, facts, draws = _dealings(demand, serial, *ticket)
        names = {"a": a.names[lang], "b": b.names[lang]}
        pair = _pair(lang, demand.split, serial, demand.seed)
        chronicle = Chronicle(f"{pair[0]} {pair[1]}", lang, "pair", names, facts)
        return tell(chronicle, facts, demand.split, draws)

    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        """What one of the two sides did or met with, near a needle and of its kind, and a third."""
        lang, wording = demand.lang, tables.relations(demand.lang)
        a, b, facts, _ = _dealings(demand, serial, *ticket)
        draws = lures.stream("invented-world", demand, serial)
        # What follows on something else would need a past of the new pair, as a truce needs a war.
        rules = {wording[rule.name]: rule for rule in _rules() if not rule.needs}
        resembled = [fact for fact in facts if fact.phrasings in rules]
        made: list[Lure] = []
        thirds: list[Entity] = []
        for number in range(lures.MOST):
            fact = draws.choice(resembled)
            near = fact.date.toordinal() + draws.between(-_NEAR, _NEAR)
            day = max(facts[0].date.toordinal(), min(facts[-1].date.toordinal(), near))
            third = _third(rules[fact.phrasings], day, [a, b, *thirds], draws)
            thirds.append(third)
            sides = (a, third) if number % 2 else (third, b)
            names = dict(zip("ab", (side.names[lang] for side in sides), strict=True))
            told = Fact(date.fromordinal(day), fact.phrasings, names)
            made.append(tell_lure(told, lang, demand.split, LureKind.OTHER_PARTY, draws))
        return tuple(draws.shuffled(made))


def _dealings(
    demand: Demand, serial: int, needles: int
) -> tuple[Entity, Entity, tuple[Fact, ...], Stream]:
    """Who did what to whom in a sample, and its draws as they then stand."""
    lang, split, seed = demand.lang, demand.split, demand.seed
    draws = rng.stream("real-temporal", VERSION, lang, split, serial, needles, seed)
    a, b = (entities()[number] for number in draws.shuffled(_pair(lang, split, serial, seed)))
    return a, b, _history(a, b, needles, lang, draws), draws


def _pair(lang: Lang, split: Split, serial: int, seed: int) -> tuple[int, int]:
    """The two sides of a sample: distinct for all serials, disjoint between splits."""
    pairs = _pairs()[serial % 2]
    low, high = (len(pairs) * share // 7 for share in SHARES[split])
    key = ("invented-world", VERSION, "pairs")
    spot = low + rng.walk(high - low, *key, lang, split, seed)(serial // 2)
    # A second, fixed walk over all pairs, so that a split is no corner of the world.
    a, b = pairs[rng.walk(len(pairs), *key)(spot)].tolist()
    return a, b


def _history(a: Entity, b: Entity, count: int, lang: Lang, draws: Stream) -> tuple[Fact, ...]:
    """What `a` did to `b`, event after event, each fitting what went before."""
    first, last = max(a.since, b.since), min(a.until, b.until)
    days = sorted(first + day for day in draws.sample(count, last - first + 1))
    wording = tables.relations(lang)
    names = {"a": a.names[lang], "b": b.names[lang]}
    shared = a.kinds & b.kinds
    mood, standing, before = draws.between(-2, 2), set[str](), ""
    facts: list[Fact] = []
    for day in days:
        fitting = [
            rule
            for rule in _rules_of(mood, shared)
            if (not rule.needs or rule.needs in standing)
            and rule.sets not in standing
            and rule.name != before
        ]
        rule = draws.choice(fitting)
        facts.append(Fact(date.fromordinal(day), wording[rule.name], names))
        standing.discard(rule.ends)
        if rule.sets:
            standing.add(rule.sets)
        # A mood drifts back towards the middle, so that no history ends in one corner.
        drift = draws.between(-1, 1)
        # Nor does it rise while there is fighting without a truce.
        highest = -2 if "fighting" in standing else 3
        mood = max(-3, min(highest, mood + rule.shift + drift))
        before = rule.name
    return tuple(facts)


@lru_cache(maxsize=64)
def _rules_of(mood: int, kinds: frozenset[Kind]) -> tuple[_Rule, ...]:
    """Those for a mood between two that are both of some kinds."""
    return tuple(
        rule
        for rule in _rules()
        if rule.mood[0] <= mood <= rule.mood[1] and (not rule.between or rule.between in kinds)
    )


def _third(rule: _Rule, day: int, known: list[Entity], draws: Stream) -> Entity:
    """Somebody in office of a state of his own, who can act by the rule."""
    able = _able(rule.between)
    while True:
        one = draws.choice(able)
        if one.since <= day <= one.until and all(one.state != other.state for other in known):
            return one


@lru_cache(maxsize=4)
def _able(between: Kind | None) -> tuple[Entity, ...]:
    return tuple(one for one in entities() if not between or between in one.kinds)
