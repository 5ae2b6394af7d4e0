"""Passages of the invented gazetteer, and what fills a corpus around those that are asked about.

Its entities and their wordings are the encyclopaedia's; a passage tells some of an entity's facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia import decoys, wording
from seqniah_datasets.encyclopaedia.entities import Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.encyclopaedia.questions import Chain
from seqniah_datasets.loft.schema import Passage

SIZES: Mapping[Kind, int] = MappingProxyType(
    {
        Kind.STATE: 16,
        Kind.REGION: 80,
        Kind.TOWN: 320,
        Kind.RIVER: 80,
        Kind.PERSON: 480,
        Kind.INSTITUTION: 160,
        Kind.BOOK: 150,
    }
)
"""Entities of each kind that others refer to."""

PLACED = 4_000
"""Numbers from a kind's size on that are kept for entities with facts placed on purpose."""

_ENDLESS = (Kind.PERSON,) * 5 + (Kind.BOOK,) * 3 + (Kind.INSTITUTION,) * 2 + (Kind.TOWN,) * 3
"""Kinds of entities beyond those that others refer to, as often as they come."""


class Spot(NamedTuple):
    """Where facts are told: a part of an entity's article is a passage."""

    entity: Entity
    part: int
    mark: str = ""
    """Parts ids of entities that have one number."""

    @property
    def pid(self) -> str:
        """Of the passage."""
        kind, number = self.entity.ref
        return f"{kind}-{number}-{self.part}{self.mark}"


def passage(world: World, spot: Spot) -> Passage:
    """The passage of a part."""
    text = wording.passage(world, spot.entity, spot.part)
    return Passage(spot.pid, spot.entity.name.title, text)


@lru_cache(maxsize=len(Kind))
def parts(kind: Kind) -> tuple[int, ...]:
    """Parts of an article that tell facts."""
    return tuple(number for number, one in enumerate(wording.style(kind).parts) if one.facts)


def part_of(kind: Kind, relation: str) -> int:
    """The part that tells a relation."""
    return next(n for n in parts(kind) if relation in wording.style(kind).parts[n].facts)


def spot_of(entity: Entity, relation: str) -> Spot:
    """Where a fact of an entity is told."""
    return Spot(entity, part_of(entity.ref.kind, relation))


class Namesakes:
    """Others whose names are a letter off, with the same sorts of facts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._titles = {world.entity(ref).name.title for ref in world.refs()}
        self._met: set[Ref] = set()

    def of(self, refs: Sequence[Ref]) -> Iterator[Spot]:
        """Passages on those of entities that were not met before; provinces and states have none,
        as their towns would have to know of them."""
        new = [ref for ref in dict.fromkeys(refs) if ref not in self._met]
        self._met.update(new)
        if not new:
            return
        for one in decoys.namesakes(self._world, Chain((*new, new[0]), ()), self._titles):
            figures = dict(one.figures)
            if one.ref.kind == Kind.RIVER:  # one of so high a number would have no length
                figures["length"] = 20 + one.ref.number % 150
            for part in parts(one.ref.kind):
                yield Spot(replace(one, figures=figures), part, "~")


def filler(
    world: World, near: Sequence[Spot], golds: Iterable[str], spared: Callable[[Spot], bool]
) -> Callable[[], Iterator[Passage]]:
    """All other passages, without end: near misses come in turn with others while they last.

    Left out are golds and what is `spared`, since it would answer a question too.
    """
    kept = frozenset(golds)

    def passages() -> Iterator[Passage]:
        seen = set(kept)
        mixed = zip_longest(near, _others(world))
        for spot in (one for pair in mixed for one in pair if one is not None):
            if spot.pid not in seen and not spared(spot):
                seen.add(spot.pid)
                yield passage(world, spot)

    return passages


def _others(world: World) -> Iterator[Spot]:
    """Each part of all that others refer to, in a keyed order, and then of more and more."""
    every = [Spot(world.entity(ref), part) for ref in world.refs() for part in parts(ref.kind)]
    yield from rng.stream("atlas filler", world.seed).shuffled(every)
    for number in count():
        kind = _ENDLESS[number % len(_ENDLESS)]
        entity = world.entity(Ref(kind, SIZES[kind] + PLACED + number))
        for part in parts(kind):
            yield Spot(entity, part)
