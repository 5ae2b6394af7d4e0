"""Questions that lead along a chain of relations from a named start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia.entities import Ref, World
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.encyclopaedia.tables import table
from seqniah_datasets.encyclopaedia.wording import style

SHARES: Mapping[int, int] = MappingProxyType({1: 100, 2: 290, 3: 78, 4: 32})
"""Questions by hops (paper, Table 1)."""

_STARTS = (Kind.PERSON,) * 3 + (Kind.BOOK,) * 3 + (Kind.INSTITUTION,) * 2 + (Kind.TOWN, Kind.RIVER)
"""Kinds of what questions name, as often as they start there."""


@dataclass(frozen=True, slots=True)
class Chain:
    """What a question is about."""

    refs: tuple[Ref, ...]
    """From the start to the answer; the article on each but the last is gold."""
    relations: tuple[str, ...]
    """Each leads from one to the next."""


def plan(shares: Mapping[int, int] = SHARES) -> Iterator[int]:
    """Hops of one question after the other: any first part has all shares, as near as can be."""
    total, given = sum(shares.values()), dict.fromkeys(shares, 0)
    for number in range(1, total + 1):
        hops = max(shares, key=lambda one: shares[one] * number / total - given[one])
        given[hops] += 1
        yield hops


def chains(world: World) -> list[Chain]:
    """A chain for each question of the plan; no two start at the same entity."""
    draws = rng.stream("encyclopaedia questions", world.seed)
    found: list[Chain] = []
    starts: set[Ref] = set()
    for hops in plan():
        while True:
            chain = _walked(world, world.any(draws.choice(_STARTS), draws), hops, draws)
            if chain is not None and chain.refs[0] not in starts:
                break
        starts.add(chain.refs[0])
        found.append(chain)
    return found


def _walked(world: World, start: Ref, hops: int, draws: rng.Stream) -> Chain | None:
    """A walk from a start, if it comes to nothing twice."""
    refs, relations = [start], list[str]()
    for _ in range(hops):
        facts = world.entity(refs[-1]).facts
        relations.append(draws.choice(list(facts)))
        refs.append(facts[relations[-1]])
    return Chain(tuple(refs), tuple(relations)) if len(set(refs)) == len(refs) else None


def asks(chain: Chain) -> tuple[str, ...]:
    """What the question calls each of the chain's relations."""
    pairs = zip(chain.refs, chain.relations, strict=False)
    return tuple(style(ref.kind).asks[relation] for ref, relation in pairs)


def worded(world: World, chain: Chain) -> str:
    """The question, e.g. "What is the birthplace of the author of X?"."""
    draws = rng.stream("encyclopaedia question", world.seed, *chain.refs[0])
    start, (first, *rest) = world.entity(chain.refs[0]), asks(chain)
    if start.name.text == start.name.title and draws.below(2):
        said = f"{start.name.text}'s {first}"
    else:
        said = f"the {first} of {start.name.text}"
    for ask in rest:
        said = f"the {ask} of {said}"
    frames = table("wordings/questions.toml")
    frame: str = draws.choice(frames["who" if chain.refs[-1].kind == Kind.PERSON else "thing"])
    return frame.format(chain=said)
