"""Questions whose answer is a set: all that meet two conditions, or one and not the other.

The entities that they are about come in families, whose members share facts that were placed on
purpose; so what answers one question is a near miss of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from types import MappingProxyType
from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.atlas import gazetteer, wording
from seqniah_datasets.atlas.chains import Asked
from seqniah_datasets.atlas.gazetteer import PLACED, SIZES, Spot
from seqniah_datasets.encyclopaedia.entities import Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind

_LEAST, _MOST = 2, 5
"""Answers of a question."""

_FAMILIES: Sequence[tuple[Kind, tuple[str, ...]]] = (
    (Kind.PERSON, ("birthplace", "school", "teacher")),
    (Kind.BOOK, ("author", "dedicatee", "publisher")),
    (Kind.INSTITUTION, ("seat", "founder", "head")),
    (Kind.PERSON, ("employer", "patron")),
    (Kind.BOOK, ("author", "dedicatee", "publisher")),
    (Kind.PERSON, ("birthplace", "school", "teacher")),
    (Kind.BOOK, ("backdrop", "translator")),
    (Kind.INSTITUTION, ("seat", "founder", "head")),
    (Kind.TOWN, ("hall", "mayor")),
)
"""One after the other: a kind, and all relations that one part of its articles tells."""

_ENTITIES = 9
"""Of a family; each relation has two objects there, and each choice of them comes."""

_ASKED = {2: 4, 3: 6}
"""Questions on a family, by its relations."""

_CLASSES: Mapping[Kind, int] = MappingProxyType(
    {Kind.PERSON: 8, Kind.BOOK: 5, Kind.INSTITUTION: 40, Kind.TOWN: 1}
)
"""Numbers of a kind this far apart have the same generations and sorts: what is a fact of one can
be one of another."""


class Condition(NamedTuple):
    """That an entity has a fact."""

    relation: str
    object: Ref

    def met(self, entity: Entity) -> bool:
        """Whether it has."""
        return entity.facts.get(self.relation) == self.object


@dataclass(frozen=True, slots=True)
class Members:
    """What a question asks for."""

    kind: Kind
    first: Condition
    second: Condition
    both: bool
    """Else the second condition is not to be met."""

    def has(self, entity: Entity) -> bool:
        """Whether an entity is a member."""
        return (
            entity.ref.kind == self.kind
            and self.first.met(entity)
            and self.second.relation in entity.facts
            and self.second.met(entity) == self.both
        )


class Planned(NamedTuple):
    """All questions on sets."""

    asked: list[Asked]
    members: Mapping[Condition, Sequence[Members]]
    """What is asked for, by the first condition."""

    def answers(self, spot: Spot) -> bool:
        """Whether an entity would answer one of them."""
        facts = spot.entity.facts.items()
        return any(
            one.has(spot.entity) for fact in facts for one in self.members.get(Condition(*fact), ())
        )


def planned(world: World, number: int) -> Planned:
    """So many questions."""
    families = _Families(world)
    found: list[tuple[Members, Asked]] = []
    while len(found) < number:
        found += families.next()
    # Questions of a family are not to follow each other.
    kept = rng.stream("atlas", "sets", "order", world.seed).shuffled(found[:number])
    members: dict[Condition, list[Members]] = {}
    for one, _ in kept:
        members.setdefault(one.first, []).append(one)
    return Planned([asked for _, asked in kept], members)


class _Families:
    """One family after the other; no two share an object of a relation."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._draws = rng.stream("atlas", "sets", world.seed)
        self._count = 0
        self._used: set[Condition] = set()
        self._placed = Counter[Ref]()

    def next(self) -> Iterator[tuple[Members, Asked]]:
        """Questions on a new family."""
        kind, relations = _FAMILIES[self._count % len(_FAMILIES)]
        self._count += 1
        one, other = self._models(kind, relations)
        cells = list(product(*({one.facts[name], other.facts[name]} for name in relations)))
        cells = self._draws.shuffled(sorted(cells))
        entities = [
            self._entity(one, dict(zip(relations, cells[number % len(cells)], strict=True)))
            for number in range(_ENTITIES)
        ]
        told: set[frozenset[Ref]] = set()
        for members in self._draws.shuffled(list(_possible(kind, relations, one, other))):
            found = frozenset(entity.ref for entity in entities if members.has(entity))
            new = found not in told and _LEAST <= len(found) <= _MOST
            if new and len(told) < _ASKED[len(relations)]:
                told.add(found)
                yield members, self._asked(members, entities)

    def _models(self, kind: Kind, relations: Sequence[str]) -> tuple[Entity, Entity]:
        """Two entities of one class whose facts differ throughout, and were not used before."""
        while True:
            one = self._world.entity(self._world.any(kind, self._draws))
            first, step = one.ref.number % _CLASSES[kind], _CLASSES[kind]
            place = self._draws.below(len(range(first, SIZES[kind], step)))
            other = self._world.entity(Ref(kind, first + step * place))
            if not one.facts.keys() >= set(relations) <= other.facts.keys():
                continue
            facts = {Condition(name, who.facts[name]) for name in relations for who in (one, other)}
            objects = {fact.object for fact in facts}
            if len(objects) == 2 * len(relations) and not facts & self._used:
                self._used |= facts
                return one, other

    def _entity(self, model: Entity, changed: Mapping[str, Ref]) -> Entity:
        """A new one of a model's class with these facts."""
        kind, number = model.ref
        step = _CLASSES[kind]
        first = Ref(kind, -(-SIZES[kind] // step) * step + number % step)
        while True:
            number = first.number + step * self._placed[first]
            self._placed[first] += 1
            assert number < SIZES[kind] + PLACED
            entity = self._world.entity(Ref(kind, number))
            facts = {**entity.facts, **changed}
            if len(set(facts.values())) == len(facts):
                # A book came out in its author's time.
                figures = model.figures if kind == Kind.BOOK else entity.figures
                return replace(entity, figures=figures, facts=facts)

    def _asked(self, members: Members, entities: Sequence[Entity]) -> Asked:
        said = [
            (one.relation, self._world.entity(one.object).name.text)
            for one in (members.first, members.second)
        ]
        question = wording.members(members.kind, said[0], said[1], members.both, self._draws)
        spots = [gazetteer.spot_of(one, members.first.relation) for one in entities]
        golds = tuple(spot for spot in spots if members.has(spot.entity))
        refs = tuple(spot.entity.ref for spot in golds)
        near = tuple(spot for spot in spots if spot not in golds)
        return Asked((question,), (refs,), (golds,), near)


def _possible(
    kind: Kind, relations: Sequence[str], one: Entity, other: Entity
) -> Iterator[Members]:
    """All that can be asked of a family."""
    for first, second in permutations(relations, 2):
        for who, whom, both in product((one, other), (one, other), (True, False)):
            if both and first > second:  # which is the same the other way round
                continue
            conditions = Condition(first, who.facts[first]), Condition(second, whom.facts[second])
            yield Members(kind, *conditions, both)
