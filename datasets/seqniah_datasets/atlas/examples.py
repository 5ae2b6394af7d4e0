"""Examples of kinds that only they explain: entries of a toll register, and their marks.

A mark follows from three things that an entry tells: what is carried, how, and for how much.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product

from seqniah_datasets import rng
from seqniah_datasets.atlas.made import ALL, Made, splits
from seqniah_datasets.atlas.wording import table
from seqniah_datasets.encyclopaedia import names
from seqniah_datasets.loft.schema import Passage, Query

_FEES = ((11, 45), (55, 94))
"""Crowns, low and high; none is near the bound between."""


def made(seed: int) -> Made:
    """24 marks, a query for each in turn."""
    draws = rng.stream("atlas_kinds", seed)
    bank = table("kinds.toml")
    classes = list(product(bank["goods"], bank["ways"], _FEES))
    # The marks of one bank, in any order, tell nothing about what they stand for.
    marks = draws.shuffled(bank["marks"])

    def entry(purpose: str, number: int, which: int | None = None) -> tuple[str, str]:
        """A mark and the text of an entry."""
        own = rng.stream("atlas_kinds", purpose, seed, number)
        place = own.below(len(classes)) if which is None else which
        goods, way, fee = classes[place]
        slots = {name: own.choice(words) for name, words in bank["words"].items()}
        slots |= {
            "goods": own.choice(bank["goods"][goods]),
            "way": own.choice(bank["ways"][way]),
            "fee": own.between(*fee),
            "entry": own.between(1_000, 9_999),
            "few": own.between(2, 40),
            "from": _town(seed, own.below(1_000)),
            "to": _town(seed, 1_000 + own.below(1_000)),
        }
        return marks[place], own.choice(bank["entries"]).format(**slots)

    def examples() -> Iterator[Passage]:
        for number in count():
            mark, text = entry("example", number)
            yield Passage(f"example-{number}", mark, text)

    first: dict[str, Passage] = {}
    for one in examples():
        first.setdefault(one.title, one)
        if len(first) == len(classes):
            break
    kept = {one.pid: one for one in first.values()}

    def filler() -> Iterator[Passage]:
        return (one for one in examples() if one.pid not in kept)

    queries = []
    for number in range(ALL):
        block, spot = divmod(number, len(classes))
        order = rng.stream("atlas_kinds", "order", seed, block).shuffled(range(len(classes)))
        mark, text = entry("query", number, order[spot])
        queries.append(
            Query(f"atlas_kinds-{number:03d}", (text,), ([mark],), ((first[mark].pid,),))
        )
    return Made(splits(queries), kept, filler)


def _town(seed: int, number: int) -> str:
    return names.words(seed, names.Kind.TOWN, number)[0]
