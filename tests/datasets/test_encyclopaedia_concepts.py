"""Concept vectors, and that the encyclopaedia has the effects it is made for."""

from __future__ import annotations

from functools import cache
from statistics import fmean, median

import numpy as np
import pytest

from seqniah_datasets import encyclopaedia
from seqniah_datasets.articles.library import Library
from seqniah_datasets.encyclopaedia import concepts, proof
from seqniah_datasets.encyclopaedia.entities import RELATIONS
from seqniah_datasets.encyclopaedia.wording import style
from seqniah_datasets.search.base import Retriever
from seqniah_datasets.search.dense import DenseIndex, DenseRetriever
from seqniah_datasets.search.sparse import SparseIndex
from seqniah_datasets.search.strategies import retriever


def alike(left: str, right: str) -> float:
    a, b = concepts.encode([left, right]).astype(float)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("Ilvar Pirowesk", "Ilvar Pirovesk", "Tovrek Dahlquen"),
        ("the birthplace of somebody", "somebody was born here", "somebody was taxed here"),
        ("Kelmora stands on a hill", "A hill near Kelmora", "A hill near Vantrup"),
        ("rivers", "river", "rope"),
    ],
)
def test_like_lies_near_like(text: str, near: str, far: str) -> None:
    assert alike(text, near) > alike(text, far) + 0.1


def test_a_vector_belongs_to_its_text_alone() -> None:
    texts = ["Ilvar Pirowesk was a poet.", "", "the of a", "Où est née la poétesse ?", "蓝色的河"]
    vectors = concepts.encode(texts)
    assert vectors.shape == (5, concepts.DIMENSIONS) and vectors.dtype == np.int8
    for text, vector in zip(texts, vectors, strict=True):
        assert (concepts.encode([text])[0] == vector).all()
    assert vectors.any(axis=1).tolist() == [True, False, False, True, True]
    assert vectors.min() >= -127
    assert concepts.encode([]).shape == (0, concepts.DIMENSIONS)


def test_vectors_have_one_length() -> None:
    built = encyclopaedia.build(0)
    vectors = concepts.encode([one.content for one in built.articles[:500]]).astype(float)
    lengths = np.sqrt((vectors**2).sum(axis=1))
    assert lengths.max() < 1.05 * lengths.min()


@cache
def engines() -> tuple[Library, dict[str, Retriever]]:
    built = encyclopaedia.build(0)
    library = Library.of(built.articles, built.links)
    texts = [article.content for article in built.articles]
    sparse = SparseIndex.build(texts)
    dense = DenseRetriever(DenseIndex(concepts.encode(texts)), concepts.ConceptEncoder())
    names = [f"{base}{ppr}" for base in ("bm25", "dense", "hybrid") for ppr in ("", "+ppr")]
    return library, {
        name: retriever(name, library, lambda: sparse, lambda: dense) for name in names
    }


@cache
def recall(strategy: str, depth: int, hops: int = 0) -> float:
    """In percent, of one number of hops or, at 0, of all."""
    library, known = engines()
    shares = []
    for one in encyclopaedia.build(0).questions[:250]:
        if hops in (0, one.hops):
            found = set(known[strategy].search(one.text, depth).numbers.tolist())
            shares.append(fmean(library.number(gold) in found for gold in one.golds))
    return 100 * fmean(shares)


@pytest.mark.parametrize("strategy", ["bm25", "dense", "hybrid"])
def test_links_help_and_hops_hurt(strategy: str) -> None:
    assert recall(f"{strategy}+ppr", 40, 2) >= recall(strategy, 40, 2) + 15
    by_hops = [recall(strategy, 40, hops) for hops in (1, 2, 3, 4)]
    assert by_hops == sorted(by_hops, reverse=True)


def test_meaning_finds_more_than_words() -> None:
    assert recall("dense", 20) >= recall("bm25", 20) + 5


def test_right_refinements_help_and_wrong_ones_do_not() -> None:
    library, known = engines()
    built = encyclopaedia.build(0)
    asks = {one.name: style(one.subject).asks[one.name] for one in RELATIONS}
    subjects = {one.name: one.subject for one in RELATIONS}
    two = [one for one in built.questions if one.hops == 2]
    ranks: dict[str, list[int]] = {"before": [], "right": [], "wrong": []}
    for place, one in enumerate(two):
        bridge = library.number(one.golds[1])
        other = next(
            library.number(later.golds[1])
            for later in (*two[place + 1 :], *two)
            if subjects[later.relations[1]] == subjects[one.relations[1]]
            and later.golds[1] != one.golds[1]
        )
        named = {
            refinement: f"What is the {asks[one.relations[1]]} of {library.articles[number].title}?"
            for refinement, number in (("right", bridge), ("wrong", other))
        }
        for refinement, query in {"before": one.text, **named}.items():
            found = known["bm25"].search(query, 2_560).numbers.tolist()
            ranks[refinement].append(found.index(bridge) + 1 if bridge in found else 10_000)
    assert median(ranks["right"]) <= 5
    assert min(median(ranks["before"]), median(ranks["wrong"])) > 1_000
    assert proof.asked(two[0].text).relations == two[0].relations
