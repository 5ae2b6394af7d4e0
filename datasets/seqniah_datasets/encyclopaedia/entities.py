"""The facts of an invented gazetteer: typed entities, their figures and their relations.

Every entity is a function of seed, kind and number, without end; those below a world's sizes are
what others refer to. All is consistent: a teacher is older than the pupil, a school stands before
its first student comes, rivers run together within a state, and a capital lies in its state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia import names
from seqniah_datasets.encyclopaedia.names import Kind, Name

SIZES: Mapping[Kind, int] = MappingProxyType(
    {
        Kind.STATE: 60,
        Kind.REGION: 300,
        Kind.TOWN: 1_000,
        Kind.RIVER: 260,
        Kind.PERSON: 1_500,
        Kind.INSTITUTION: 400,
        Kind.BOOK: 480,
    }
)
"""Entities of each kind that have articles."""

_GENERATIONS = 8
"""Of people; each is born within `_SPREAD` years, `_APART` after the one before."""
_APART, _SPREAD, _FIRST_BIRTH = 30, 15, 1560

_FOUNDERS = 5
"""Generations whose people found institutions."""

_SORTS = 8
"""Of institutions, by number: three of schools, three of others, two of houses of printers."""
_SCHOOLS, _OTHERS, _PRINTERS = range(3), range(3, 6), range(6, 8)
_KEEPERS = range(6)


class Ref(NamedTuple):
    """Which entity."""

    kind: Kind
    number: int


class Relation(NamedTuple):
    """A function from an entity of one kind to one of another."""

    name: str
    subject: Kind
    object: Kind


RELATIONS = (
    Relation("birthplace", Kind.PERSON, Kind.TOWN),
    Relation("deathplace", Kind.PERSON, Kind.TOWN),
    Relation("school", Kind.PERSON, Kind.INSTITUTION),
    Relation("employer", Kind.PERSON, Kind.INSTITUTION),
    Relation("teacher", Kind.PERSON, Kind.PERSON),
    Relation("patron", Kind.PERSON, Kind.PERSON),
    Relation("archive", Kind.PERSON, Kind.INSTITUTION),
    Relation("author", Kind.BOOK, Kind.PERSON),
    Relation("dedicatee", Kind.BOOK, Kind.PERSON),
    Relation("publisher", Kind.BOOK, Kind.INSTITUTION),
    Relation("backdrop", Kind.BOOK, Kind.TOWN),
    Relation("translator", Kind.BOOK, Kind.PERSON),
    Relation("seat", Kind.INSTITUTION, Kind.TOWN),
    Relation("founder", Kind.INSTITUTION, Kind.PERSON),
    Relation("head", Kind.INSTITUTION, Kind.PERSON),
    Relation("donor", Kind.INSTITUTION, Kind.PERSON),
    Relation("province", Kind.TOWN, Kind.REGION),
    Relation("waterway", Kind.TOWN, Kind.RIVER),
    Relation("hall", Kind.TOWN, Kind.PERSON),
    Relation("mayor", Kind.TOWN, Kind.PERSON),
    Relation("source", Kind.RIVER, Kind.REGION),
    Relation("parent", Kind.RIVER, Kind.RIVER),
    Relation("terminus", Kind.RIVER, Kind.TOWN),
    Relation("survey", Kind.RIVER, Kind.PERSON),
    Relation("nation", Kind.REGION, Kind.STATE),
    Relation("centre", Kind.REGION, Kind.TOWN),
    Relation("governor", Kind.REGION, Kind.PERSON),
    Relation("capital", Kind.STATE, Kind.TOWN),
    Relation("ruler", Kind.STATE, Kind.PERSON),
    Relation("academy", Kind.STATE, Kind.INSTITUTION),
    Relation("lyricist", Kind.STATE, Kind.PERSON),
)


@dataclass(frozen=True, slots=True)
class Entity:
    """One of the gazetteer, with all that is known of it."""

    ref: Ref
    name: Name
    figures: Mapping[str, int]
    """Years, people, miles, square miles, by name; `since` and `until` bound its years."""
    facts: Mapping[str, Ref]
    """The object of each relation that it has. Some have fewer: the first generation of people
    had no known teachers, and the largest river of a state ends in the sea."""


_Found = tuple[dict[str, int], dict[str, Ref]]


class World:
    """All entities of a seed, found when they are asked for."""

    def __init__(self, seed: int, sizes: Mapping[Kind, int] = SIZES) -> None:
        if sizes[Kind.REGION] % sizes[Kind.STATE] or sizes[Kind.TOWN] < sizes[Kind.REGION]:
            raise ValueError("each state needs as many regions, and each region a town")
        self.seed, self.sizes = seed, sizes
        self._known: dict[Ref, Entity] = {}
        self._finders: Mapping[Kind, Callable[[int, rng.Stream], _Found]] = {
            Kind.STATE: self._state,
            Kind.REGION: self._region,
            Kind.TOWN: self._town,
            Kind.RIVER: self._river,
            Kind.PERSON: self._person,
            Kind.INSTITUTION: self._institution,
            Kind.BOOK: self._book,
        }

    def refs(self) -> list[Ref]:
        """All that others refer to, kind by kind."""
        return [Ref(kind, number) for kind in Kind for number in range(self.sizes[kind])]

    def entity(self, ref: Ref) -> Entity:
        """The entity, whatever its number."""
        if ref not in self._known:
            draws = rng.stream("encyclopaedia", self.seed, *ref)
            figures, facts = self._finders[ref.kind](ref.number, draws)
            name = names.named(ref.kind, names.words(self.seed, *ref))
            self._known[ref] = Entity(ref, name, figures, facts)
        return self._known[ref]

    def state_of(self, ref: Ref) -> int:
        """Number of the state that a place lies in."""
        towns_region = ref.number % self.sizes[Kind.REGION] if ref.kind == Kind.TOWN else ref.number
        return towns_region % self.sizes[Kind.STATE]

    def generation_of(self, person: Ref) -> int:
        """Which of the generations somebody belongs to, from 0."""
        return person.number % _GENERATIONS

    def within(self, kind: Kind, state: int, draws: rng.Stream) -> Ref:
        """A region, town or river of a state."""
        if kind != Kind.TOWN:
            return self._every(kind, state, self.sizes[Kind.STATE], draws)
        region = self._every(Kind.REGION, state, self.sizes[Kind.STATE], draws)
        return self._every(kind, region.number, self.sizes[Kind.REGION], draws)

    def of_generation(self, generation: int, draws: rng.Stream) -> Ref:
        """Somebody of a generation."""
        return self._every(Kind.PERSON, generation, _GENERATIONS, draws)

    def adult_after(self, year: int, draws: rng.Stream) -> Ref:
        """Somebody who lived on long after a year."""
        first = -(-(year - 40 - _FIRST_BIRTH) // _APART)
        last = _GENERATIONS - 1
        return self.of_generation(draws.between(min(max(first, 0), last), last), draws)

    def any(self, kind: Kind, draws: rng.Stream) -> Ref:
        """Any entity of a kind."""
        return self._every(kind, 0, 1, draws)

    def _every(self, kind: Kind, first: int, step: int, draws: rng.Stream) -> Ref:
        """One of the numbers first, first + step, ... below the size of a kind."""
        return Ref(kind, first + step * draws.below(len(range(first, self.sizes[kind], step))))

    def _other(self, pick: Callable[[], Ref], *taken: Ref) -> Ref:
        """A pick that is none of those taken."""
        while (found := pick()) in taken:
            pass
        return found

    def _institute(self, sorts: Sequence[int], before: int, draws: rng.Stream) -> Ref:
        """One of some sorts, whose founder is of a generation below `before`."""
        generation = draws.below(min(_FOUNDERS, before))
        first = draws.choice(sorts) + _SORTS * generation
        return self._every(Kind.INSTITUTION, first, _SORTS * _FOUNDERS, draws)

    def _birth(self, person: int) -> int:
        """Year."""
        late = rng.digest("encyclopaedia", self.seed, "birth", person)[0] % _SPREAD
        return _FIRST_BIRTH + _APART * (person % _GENERATIONS) + late

    def _person(self, number: int, draws: rng.Stream) -> _Found:
        generation, birth = number % _GENERATIONS, self._birth(number)
        age = draws.between(62, 90)
        born = self.any(Kind.TOWN, draws)
        facts = {
            "birthplace": born,
            "deathplace": self._other(lambda: self.any(Kind.TOWN, draws), born),
        }
        if generation > 1:
            facts["school"] = self._institute(_SCHOOLS, generation - 1, draws)
        if generation > 0:
            facts["employer"] = self._institute(_OTHERS, generation, draws)
            older = [self.of_generation(generation - 1, draws)]
            older.append(self._other(lambda: self.of_generation(generation - 1, draws), *older))
            facts["teacher"], facts["patron"] = older
        taken = facts.values()
        facts["archive"] = self._other(lambda: self._institute(_KEEPERS, _FOUNDERS, draws), *taken)
        figures = {
            "birth": birth,
            "death": birth + age,
            "age": age,
            "calling": draws.below(1 << 16),
        }
        return figures | {"since": birth + 20, "until": birth + age - 3}, facts

    def _book(self, number: int, draws: rng.Stream) -> _Found:
        generation = 2 + number % (_GENERATIONS - 3)
        author = self.of_generation(generation, draws)
        year = self._birth(author.number) + draws.between(25, 55)
        facts = {
            "author": author,
            "dedicatee": self._other(lambda: self.of_generation(generation, draws), author),
            "publisher": self._institute(_PRINTERS, generation - 1, draws),
            "backdrop": self.any(Kind.TOWN, draws),
            "translator": self.of_generation(generation + 1, draws),
        }
        return {"year0": year, "since": year, "until": 1890}, facts

    def _institution(self, number: int, draws: rng.Stream) -> _Found:
        generation = number // _SORTS % _FOUNDERS
        founder = self.of_generation(generation, draws)
        head = self._other(lambda: self.of_generation(generation, draws), founder)
        donor = self.of_generation(generation + 1, draws)
        year = self._birth(founder.number) + draws.between(32, 45)
        seat = self.any(Kind.TOWN, draws)
        facts = {"seat": seat, "founder": founder, "head": head, "donor": donor}
        return {"year0": year, "since": year + 5, "until": 1890}, facts

    def _town(self, number: int, draws: rng.Stream) -> _Found:
        region = Ref(Kind.REGION, number % self.sizes[Kind.REGION])
        hall = self.any(Kind.PERSON, draws)
        facts = {
            "province": region,
            "waterway": self.within(Kind.RIVER, self.state_of(region), draws),
            "hall": hall,
            "mayor": self._other(lambda: self.any(Kind.PERSON, draws), hall),
        }
        since = draws.between(1050, 1480)
        people = draws.between(20, 890) * 100
        return {"year0": since, "people": people, "since": since + 60, "until": 1890}, facts

    def _river(self, number: int, draws: rng.Stream) -> _Found:
        states = self.sizes[Kind.STATE]
        state, rank = number % states, number // states
        facts = {"source": self.within(Kind.REGION, state, draws)}
        if rank:
            larger = min(rank, self.sizes[Kind.RIVER] // states)
            facts["parent"] = Ref(Kind.RIVER, state + states * draws.below(larger))
        facts["terminus"] = self.within(Kind.TOWN, state, draws)
        facts["survey"] = self.any(Kind.PERSON, draws)
        length = draws.between(260, 480) // (rank + 1)
        return {"length": length, "since": 1600, "until": 1890}, facts

    def _region(self, number: int, draws: rng.Stream) -> _Found:
        facts = {
            "nation": Ref(Kind.STATE, number % self.sizes[Kind.STATE]),
            "centre": Ref(Kind.TOWN, number % self.sizes[Kind.REGION]),
            "governor": self.of_generation(1, draws),
        }
        area, since = draws.between(900, 6_000), draws.between(1630, 1645)
        return {"area": area, "year0": since, "since": since, "until": 1890}, facts

    def _state(self, number: int, draws: rng.Stream) -> _Found:
        ruler = self.of_generation(0, draws)
        facts = {
            "capital": Ref(Kind.TOWN, number % self.sizes[Kind.STATE]),
            "ruler": ruler,
            "academy": self._institute(_SCHOOLS, _FOUNDERS, draws),
            "lyricist": self._other(lambda: self.any(Kind.PERSON, draws), ruler),
        }
        since = draws.between(1600, 1620)
        area = draws.between(20_000, 40_000)
        return {"area": area, "year0": since, "since": since, "until": 1890}, facts
