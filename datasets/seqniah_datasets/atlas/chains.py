"""Questions that follow relations: of one passage, of two to four, and as conversations."""

from __future__ import annotations

from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.atlas import gazetteer, wording
from seqniah_datasets.atlas.gazetteer import Namesakes, Spot
from seqniah_datasets.encyclopaedia.entities import Ref, World
from seqniah_datasets.encyclopaedia.names import Kind

_HOPS = (2, 2, 3, 2, 3, 4)
"""Of one question of several hops after the other."""

_TURNS = (2, 3, 2, 4, 2, 3, 5, 2)
"""Of one conversation after the other."""

_BACK = 3
"""One turn in so many asks once more of what the turn before was about, where that is clear."""

_KINDS = tuple(kind for kind in Kind for _ in range(4 if kind in (Kind.PERSON, Kind.BOOK) else 2))
"""Kinds of what questions name, as often as they are drawn."""

_SHARED, _FREE = 1.7, 30
"""Passages that questions add on average, and some for the first. So many questions share some, and
the golds of all fit into 32k tokens."""


class Asked(NamedTuple):
    """A question or conversation, before golds have ids."""

    turns: tuple[str, ...]
    answers: tuple[tuple[Ref, ...], ...]
    """Of each turn."""
    golds: tuple[tuple[Spot, ...], ...]
    """Of each turn."""
    near: tuple[Spot, ...]
    """Passages that could be mistaken for them."""


def asked(world: World, name: str, number: int) -> list[Asked]:
    """So many questions of a name; no two start from the same entity."""
    draws = rng.stream("atlas", name, world.seed)
    namesakes = gazetteer.Namesakes(world)
    starts, ends = set[Ref](), set[Ref]()
    golds: set[str] = set()
    met: list[Ref] = []
    found: list[Asked] = []
    while len(found) < number:
        start = world.any(draws.choice(_KINDS), draws)
        if met and draws.below(2):  # some start where others passed by
            start = draws.choice(met)
        steps = _FORMS[name](world, start, len(found), draws) if start not in starts else None
        if steps is None:
            continue
        told = {gazetteer.spot_of(world.entity(one.about), one.relation).pid for one in steps}
        last = world.entity(steps[-1].about).facts[steps[-1].relation]
        # No two questions end in one answer, so no guess is right twice.
        if last not in ends and len(golds | told) <= _SHARED * len(found) + _FREE:
            starts.add(start)
            ends.add(last)
            golds |= told
            met += [one.about for one in steps if one.about not in met]
            found.append(_asked(world, steps, name == "atlas_turns", draws, namesakes))
    return found


class _Step(NamedTuple):
    """A fact that is asked for."""

    about: Ref
    relation: str
    of_answer: bool = True
    """Whether it is about the answer before, as opposed to what that was about."""


_Steps = list[_Step]


def _walk(world: World, start: Ref, hops: int, draws: rng.Stream) -> _Steps | None:
    """A walk that comes to no entity twice."""
    about, met, steps = start, {start}, list[_Step]()
    for _ in range(hops):
        facts = world.entity(about).facts
        steps.append(_Step(about, draws.choice(list(facts))))
        about = facts[steps[-1].relation]
        met.add(about)
    return steps if len(met) > hops else None


def _one(world: World, start: Ref, number: int, draws: rng.Stream) -> _Steps | None:
    return _walk(world, start, 1, draws)


def _several(world: World, start: Ref, number: int, draws: rng.Stream) -> _Steps | None:
    return _walk(world, start, _HOPS[number % len(_HOPS)], draws)


def _talk(world: World, start: Ref, number: int, draws: rng.Stream) -> _Steps | None:
    """A walk that can stay where it is for one more fact."""
    steps = [_Step(start, draws.choice(list(world.entity(start).facts)))]
    answers = [world.entity(start).facts[steps[0].relation]]
    for _ in range(_TURNS[number % len(_TURNS)] - 1):
        about = steps[-1].about
        asked = {one.relation for one in steps if one.about == about}
        others = [name for name in world.entity(about).facts if name not in asked]
        # Where both are persons, "that person" is the answer.
        on = bool(draws.below(_BACK)) or not others or answers[-1].kind == about.kind
        if on:
            about = answers[-1]
            others = list(world.entity(about).facts)
        steps.append(_Step(about, draws.choice(others), on))
        answers.append(world.entity(about).facts[steps[-1].relation])
    return steps if len({start, *answers}) > len(answers) else None


_FORMS = {"atlas": _one, "atlas_hops": _several, "atlas_turns": _talk}


def _asked(
    world: World, steps: _Steps, as_turns: bool, draws: rng.Stream, namesakes: Namesakes
) -> Asked:
    first, relations = steps[0], [one.relation for one in steps]
    golds = tuple(gazetteer.spot_of(world.entity(one.about), one.relation) for one in steps)
    answers = tuple(world.entity(one.about).facts[one.relation] for one in steps)
    others = [
        Spot(gold.entity, part)
        for gold in golds
        for part in gazetteer.parts(gold.entity.ref.kind)
        if part != gold.part
    ]
    near = (*namesakes.of([one.about for one in steps]), *others)
    said = world.entity(first.about).name.text
    if not as_turns:
        question = wording.chain(said, relations, draws)
        return Asked((question,), (answers[-1:],), (golds,), near)
    turns = (
        wording.chain(said, relations[:1], draws),
        *(
            wording.follow_up(one.about.kind, one.relation, one.of_answer, draws)
            for one in steps[1:]
        ),
    )
    return Asked(turns, tuple((one,) for one in answers), tuple((one,) for one in golds), near)
