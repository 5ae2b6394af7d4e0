"""The data sets that are asked over passages of articles, as retrieval and as RAG."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seqniah_datasets.atlas import chains, gazetteer, sets
from seqniah_datasets.atlas.chains import Asked
from seqniah_datasets.atlas.gazetteer import Spot
from seqniah_datasets.atlas.made import ALL, Made, splits
from seqniah_datasets.encyclopaedia.entities import Ref, World
from seqniah_datasets.loft.schema import Kind, Query


def made(name: str, seed: int, kind: Kind) -> Made:
    """The data set of a name."""
    spared: Callable[[Spot], bool]
    world = World(seed, gazetteer.SIZES)
    if name == "atlas_sets":
        planned = sets.planned(world, ALL)
        asked, spared = planned.asked, planned.answers
    else:
        asked, spared = chains.asked(world, name, ALL), _nothing
    queries = [_query(world, name, number, one, kind) for number, one in enumerate(asked)]
    golds = {spot.pid: spot for one in asked for turn in one.golds for spot in turn}
    passages = {pid: gazetteer.passage(world, spot) for pid, spot in golds.items()}
    near = [spot for one in asked for spot in one.near]
    return Made(splits(queries), passages, gazetteer.filler(world, near, passages, spared))


def _nothing(spot: Spot) -> bool:
    return False


def _query(world: World, name: str, number: int, one: Asked, kind: Kind) -> Query:
    golds = tuple(tuple(spot.pid for spot in turn) for turn in one.golds)
    answers: tuple[list[Any], ...]
    if kind == "retrieval":
        answers = tuple(map(list, golds))
    else:
        answers = tuple(_titles(world, turn, kind) for turn in one.answers)
    return Query(f"{name}-{number:03d}", one.turns, answers, golds)


def _titles(world: World, refs: tuple[Ref, ...], kind: Kind) -> list[str]:
    """All values, or all forms of the one value."""
    names = [world.entity(ref).name for ref in refs]
    more = () if kind == "multi_value_rag" else names[0].aliases
    return [*(name.title for name in names), *more]
