"""The facts of the invented world: whether they can all be true at once."""

from __future__ import annotations

import pytest

from seqniah_datasets.encyclopaedia import names
from seqniah_datasets.encyclopaedia.entities import RELATIONS, SIZES, Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind

WORLD = World(3)


def all_of(kind: Kind) -> list[Entity]:
    return [WORLD.entity(Ref(kind, number)) for number in range(SIZES[kind])]


def year(ref: Ref, figure: str) -> int:
    return WORLD.entity(ref).figures[figure]


def test_an_entity_is_a_function_of_its_key() -> None:
    refs = [Ref(kind, number) for kind in Kind for number in (0, 7, 41, 10_007)]
    backwards = World(3)
    for ref in reversed(refs):
        backwards.entity(ref)
    assert [WORLD.entity(ref) for ref in refs] == [backwards.entity(ref) for ref in refs]
    assert all(World(4).entity(ref) != WORLD.entity(ref) for ref in refs)


def test_facts_are_of_the_kinds_declared() -> None:
    kinds = {one.name: one for one in RELATIONS}
    seen = set()
    for ref in WORLD.refs():
        for relation, target in WORLD.entity(ref).facts.items():
            assert (kinds[relation].subject, kinds[relation].object) == (ref.kind, target.kind)
            assert target != ref and 0 <= target.number < SIZES[target.kind]
            seen.add(relation)
        assert len(set(WORLD.entity(ref).facts.values())) == len(WORLD.entity(ref).facts)
    assert seen == kinds.keys()


def test_lives_fit_together() -> None:
    for one in all_of(Kind.PERSON):
        born = one.figures["birth"]
        assert one.figures["death"] - born == one.figures["age"] >= 62
        for older in ("teacher", "patron"):
            if older in one.facts:
                assert 16 <= born - year(one.facts[older], "birth") <= 44
        if "school" in one.facts:
            assert year(one.facts["school"], "year0") < born + 12
        if "employer" in one.facts:
            assert year(one.facts["employer"], "year0") < born + 50


def test_works_and_houses_fit_the_lives_of_their_makers() -> None:
    for one in all_of(Kind.BOOK):
        made, facts = one.figures["year0"], one.facts
        assert 25 <= made - year(facts["author"], "birth") <= 55
        assert year(facts["publisher"], "year0") <= made
        assert year(facts["translator"], "death") > made
    for one in all_of(Kind.INSTITUTION):
        assert year(one.facts["founder"], "birth") + 32 <= one.figures["year0"]
        for head in ("founder", "head"):
            assert year(one.facts[head], "birth") + 18 <= one.figures["year0"]
            assert one.figures["year0"] < year(one.facts[head], "death")
    for one in all_of(Kind.STATE):
        assert year(one.facts["ruler"], "birth") + 20 < one.figures["year0"]
        assert one.figures["year0"] < year(one.facts["ruler"], "death")


def test_places_lie_in_one_another() -> None:
    def state(ref: Ref) -> Ref:
        facts = WORLD.entity(ref).facts
        up = {Kind.TOWN: "province", Kind.RIVER: "source", Kind.REGION: "nation"}
        return ref if ref.kind == Kind.STATE else state(facts[up[ref.kind]])

    for one in all_of(Kind.STATE):
        assert state(one.facts["capital"]) == one.ref
    for one in all_of(Kind.REGION):
        assert WORLD.entity(one.facts["centre"]).facts["province"] == one.ref
    for one in all_of(Kind.TOWN):
        assert state(one.facts["waterway"]) == state(one.ref)
    for one in all_of(Kind.RIVER):
        assert state(one.facts["terminus"]) == state(one.ref)
        course = [one]
        while "parent" in course[-1].facts:
            course.append(WORLD.entity(course[-1].facts["parent"]))
            assert len(course) <= 5 and state(course[-1].ref) == state(one.ref)


def test_what_is_named_in_passing_was_of_age() -> None:
    from seqniah_datasets import rng

    draws = rng.stream("test")
    for after in range(1590, 1815, 9):
        birth = year(WORLD.adult_after(after, draws), "birth")
        assert birth + 62 > after


@pytest.mark.parametrize("kind", list(Kind))
def test_names_differ_without_end(kind: Kind) -> None:
    numbers = [*range(6_000), *range(100_000, 103_000), *range(5_000_000, 5_001_000)]
    assert len({names.words(0, kind, number) for number in numbers}) == len(numbers)


def test_towns_without_regions_are_refused() -> None:
    with pytest.raises(ValueError, match="as many regions"):
        World(0, {**SIZES, Kind.REGION: 301})
