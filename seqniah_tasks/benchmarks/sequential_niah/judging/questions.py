"""The questions that the judge's cases are made from, and their events in other words.

Train cases come from questions of the benchmark's train split, test cases from its dev split; the
test split stays out of both. All of them are made by the open edition's embedded sources.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from seqniah_datasets import rng, splits
from seqniah_datasets.schema import Lang, Pipeline, QAItem, Split
from seqniah_datasets.sources import open_sources, tables
from seqniah_datasets.sources.base import Demand
from seqniah_scorers.making.telling import Draws, Retold
from seqniah_scorers.making.training import Part

VERSION = 3
"""Of the judge's data; any change of its bytes raises it."""

_LENDERS = 12
"""Other questions at hand when items are added to an answer."""


@dataclass(slots=True)
class Questions:
    """The questions of one language and pipeline, made one by one in a keyed order."""

    item: Callable[[int], QAItem]
    """The question of a serial, made once."""
    order: list[int]
    """Serials of all of them."""
    taken: dict[bool, list[QAItem]] = field(default_factory=lambda: {True: [], False: []})
    """The first of them, by whether they demand order."""

    def take(self, ordered: bool, number: int) -> QAItem:
        """Question `number` of those that do, or do not, demand order; after the last the first."""
        found = self.taken[ordered]
        for serial in self.order[sum(map(len, self.taken.values())) :]:
            if number < len(found):
                break
            qa = self.item(serial)
            self.taken[qa.order_required].append(qa)
        return found[number % len(found)]

    def any(self, draws: Draws) -> QAItem:
        """One of the questions."""
        return self.item(draws.choice(self.order))

    def lenders(self, draws: Draws) -> list[QAItem]:
        """Some questions whose items may be added to an answer."""
        count = min(_LENDERS, len(self.order))
        return [self.item(self.order[one]) for one in draws.sample(count, len(self.order))]


@lru_cache(maxsize=24)
def questions(lang: Lang, pipeline: Pipeline, part: Part, seed: int) -> Questions:
    """The questions of a part, which a split lends to it."""
    split: Split = "train" if part == "train" else "dev"
    wishes = splits.wishes(split, lang, pipeline, seed)
    supply = open_sources()[pipeline].supply(Demand(lang, split, seed, wishes))
    serials = [one for one in range(len(wishes)) if supply.needles(one) is not None]
    draws = rng.stream("judge", VERSION, "questions", part, lang, pipeline, seed)
    return Questions(cache(supply.item), draws.shuffled(serials))


_MUTUAL = frozenset(
    {
        "Consult",
        "Engage in negotiation",
        "Halt negotiations",
        "Discuss by telephone",
        "Meet at a 'third' location",
        "Express accord",
        "Sign formal agreement",
        "Engage in diplomatic cooperation",
        "Cooperate economically",
        "Cooperate militarily",
        "Share intelligence or information",
        "Reduce or break diplomatic relations",
        "Declare truce, ceasefire",
        "fight with artillery and tanks",
        "fight with small arms and light weapons",
        "Use conventional military force",
    }
)
"""Relations in which both sides act alike, so that exchanging them need not change the fact."""


@lru_cache(maxsize=512)
def _clauses(lang: Lang, a: str, b: str) -> dict[str, list[str]]:
    """Each clause about two parties, with the relations that it states."""
    found: dict[str, list[str]] = {}
    for name, phrasings in tables.relations(lang).items():
        for phrasing in phrasings:
            found.setdefault(phrasing.format(a=a, b=b), []).append(name)
    return found


def retold(qa: QAItem) -> tuple[Retold, ...]:
    """For each needle of a question its other wordings, and the clause with exchanged sides."""
    if len(qa.parties) != 2:
        return ()
    a, b = qa.parties
    found: list[Retold] = []
    for needle in qa.needles:
        names = _clauses(qa.lang, a, b).get(needle.event, [])
        if len(names) != 1:
            found.append(Retold())
            continue
        phrasings = tables.relations(qa.lang)[names[0]]
        others = [one.format(a=a, b=b) for one in phrasings]
        own = phrasings[others.index(needle.event)]
        swapped = "" if names[0] in _MUTUAL else own.format(a=b, b=a)
        found.append(Retold(tuple(one for one in others if one != needle.event), swapped))
    return tuple(found)
