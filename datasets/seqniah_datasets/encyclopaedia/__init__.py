"""The embedded encyclopaedia: linked articles of an invented world, and questions about it.

It needs no network and no licence. Its effects on retrieval are designed in by two kinds of
decoys, so it is no evidence about Wikipedia; it shows that a set-up works, and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.articles.library import Article
from seqniah_datasets.encyclopaedia import decoys, questions, wording
from seqniah_datasets.encyclopaedia.entities import Ref, World
from seqniah_datasets.encyclopaedia.questions import Chain

VERSION = 1
"""Of the text; any change of its bytes raises it."""


class ArticleKind(StrEnum):
    """Why an article is there."""

    PLAIN = "plain"
    WORDING_DECOY = "wording decoy"
    """Repeats a question's words, and is linked to nothing."""
    NAMESAKE_DECOY = "namesake decoy"
    """Tells of somebody or something whose name differs by a letter."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, with all that judges an answer to it."""

    id: str
    text: str
    answer: str
    aliases: tuple[str, ...]
    """Other answers that count."""
    golds: tuple[str, ...]
    """Ids of the articles that lead to the answer, in the order of the chain."""
    hops: int
    """How many there are."""
    relations: tuple[str, ...]
    """What each gold article tells; see `entities.RELATIONS`."""


@dataclass(frozen=True, slots=True)
class Encyclopaedia:
    """All of one seed."""

    articles: tuple[Article, ...]
    links: tuple[tuple[str, str], ...]
    """From an article to one that its text names, by id."""
    questions: tuple[Question, ...]
    """Any first part has all shares of hops."""
    kinds: Mapping[str, ArticleKind]
    """Of each article, by id."""


@lru_cache(maxsize=2)
def build(seed: int) -> Encyclopaedia:
    """The encyclopaedia of a seed; it takes about a second."""
    world = World(seed)
    chains = questions.chains(world)
    pages = _pages(world, chains)
    # In a random order, for a place, and so an id, is not to tell why an article is there.
    pages = rng.stream("encyclopaedia order", seed).shuffled(pages)
    ids = [f"e{place:04d}" for place in range(len(pages))]
    id_of = {page.ref: id for page, id in zip(pages, ids, strict=True) if page.ref is not None}
    return Encyclopaedia(
        tuple(Article(id, page.title, page.text) for page, id in zip(pages, ids, strict=True)),
        tuple((id, id_of[ref]) for page, id in zip(pages, ids, strict=True) for ref in page.named),
        tuple(_question(world, number, chain, id_of) for number, chain in enumerate(chains)),
        {id: page.kind for page, id in zip(pages, ids, strict=True)},
    )


class _Page(NamedTuple):
    """An article before it has an id."""

    kind: ArticleKind
    ref: Ref | None
    """Of a plain article: the entity that others mean when they name it."""
    title: str
    text: str
    named: tuple[Ref, ...] = ()
    """What the text names."""


def _pages(world: World, chains: Sequence[Chain]) -> list[_Page]:
    entities = [world.entity(ref) for ref in world.refs()]
    pages = [
        _Page(ArticleKind.PLAIN, one.ref, one.name.title, *wording.article(world, one))
        for one in entities
    ]
    taken = {one.name.title for one in entities}
    for chain, by_wording in zip(chains, decoys.by_wording(chains), strict=True):
        if by_wording:
            pages += [
                _Page(ArticleKind.WORDING_DECOY, None, title, text)
                for title, text in decoys.wording_decoys(world, chain)
            ]
        else:
            pages += [
                _Page(
                    ArticleKind.NAMESAKE_DECOY, None, one.name.title, *wording.article(world, one)
                )
                for one in decoys.namesakes(world, chain, taken)
            ]
    return pages


def _question(world: World, number: int, chain: Chain, id_of: Mapping[Ref, str]) -> Question:
    hops, answer = len(chain.relations), world.entity(chain.refs[-1]).name
    return Question(
        id=f"{hops}hop-{number:03d}",
        text=questions.worded(world, chain),
        answer=answer.title,
        aliases=answer.aliases,
        golds=tuple(id_of[ref] for ref in chain.refs[:-1]),
        hops=hops,
        relations=chain.relations,
    )
