"""Other words for the events between two parties, as the tables of relations give them."""

from __future__ import annotations

from functools import lru_cache

from seqniah_datasets.schema import Lang, QAItem
from seqniah_datasets.sources import tables
from seqniah_scorers.making.retelling import Retold

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
