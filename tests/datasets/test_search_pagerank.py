"""Personalised PageRank, against equations solved directly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from seqniah_datasets import rng
from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.search import pagerank
from seqniah_datasets.search.base import Ranking
from seqniah_datasets.search.pagerank import PageRankRetriever, Walk


class Given:
    """An engine that finds these numbers with these scores."""

    def __init__(self, *found: tuple[int, float]) -> None:
        numbers, scores = zip(*found, strict=True) if found else ((), ())
        self.found = Ranking(np.array(numbers, np.int64), np.array(scores, np.float64))

    def search(self, query: str, k: int) -> Ranking:
        return self.found.first(k)


def _library(size: int, links: list[tuple[int, int]]) -> Library:
    articles = [Article(str(number), "x", "") for number in range(size)]
    return Library.of(articles, [(str(one), str(other)) for one, other in links])


def _found(ranker: PageRankRetriever, k: int) -> dict[int, float]:
    found = ranker.search("", k)
    return dict(zip(found.numbers.tolist(), found.scores.tolist(), strict=True))


CHAIN = _library(5, [(0, 1), (1, 2)])
"""0 - 1 - 2, and two articles without links."""


@pytest.mark.parametrize(
    ("base", "damping", "scores"),
    [
        # p0 = 1/2 + p1/4, p1 = p0/2 + p2/2, p2 = p1/4, and they sum up to 1.
        (Given((0, 3.0)), 0.5, {0: 7 / 12, 1: 1 / 3, 2: 1 / 12}),
        (Given((1, 3.0)), 0.5, {1: 2 / 3, 0: 1 / 6, 2: 1 / 6}),
        # Seeds weigh 3 to 1: the sum of both of the above.
        (Given((1, 3.0), (0, 1.0)), 0.5, {1: 7 / 12, 0: 13 / 48, 2: 7 / 48}),
        (Given((1, 3.0), (0, 1.0), (2, -1.0)), 0.5, {1: 7 / 12, 0: 13 / 48, 2: 7 / 48}),
        (Given((1, -1.0), (0, -2.0)), 0.5, {1: 1 / 2, 0: 3 / 8, 2: 1 / 8}),
        # Nothing leads away from 3: all that follows links there comes back.
        (Given((3, 0.1)), 0.9, {3: 1.0}),
        # p3 = b/2 and the others b/2 x (1 + 1/2 + ...) = b, so b = 2/3.
        (Given((3, 1.0), (1, 1.0)), 0.5, {1: 4 / 9, 3: 1 / 3, 0: 1 / 9, 2: 1 / 9}),
    ],
)  # fmt: skip
def test_small_graphs_by_hand(base: Given, damping: float, scores: dict[int, float]) -> None:
    found = _found(PageRankRetriever(base, CHAIN.graph, Walk(10, damping)), len(scores))
    assert list(found) == list(scores)
    assert list(found.values()) == pytest.approx(list(scores.values()), abs=1e-6)


def test_only_so_many_seeds_count() -> None:
    base = Given((1, 3.0), (0, 1.0))
    found = _found(PageRankRetriever(base, CHAIN.graph, Walk(1, 0.5)), 3)
    assert found == pytest.approx({1: 2 / 3, 0: 1 / 6, 2: 1 / 6}, abs=1e-6)


def test_what_no_link_leads_to_comes_behind_as_the_base_has_it() -> None:
    base = Given((1, 9.0), (4, 8.0), (0, 7.0), (3, 6.0))
    ranker = PageRankRetriever(base, CHAIN.graph, Walk(1, 0.5))
    found = _found(ranker, 9)
    assert list(found) == [1, 0, 2, 4, 3]
    assert (found[4], found[3]) == (0, 0)
    assert list(_found(ranker, 4)) == [1, 0, 2, 4]
    assert list(_found(ranker, 2)) == [1, 0]
    assert not _found(PageRankRetriever(Given(), CHAIN.graph, Walk(1, 0.5)), 9)


def _solved(library: Library, seeds: Ranking, damping: float) -> npt.NDArray[np.float64]:
    """The scores by their equations: what is stuck without links goes back to the seeds."""
    size = len(library)
    restart = np.zeros(size)
    restart[seeds.numbers] = seeds.scores / seeds.scores.sum()
    links = library.graph.toarray().astype(np.float64)
    degrees = links.sum(axis=0)
    steps = np.where(degrees > 0, links / np.maximum(degrees, 1), restart[:, None])
    return np.linalg.solve(np.eye(size) - damping * steps, (1 - damping) * restart)


@pytest.mark.parametrize("damping", [0.5, 0.85])
@pytest.mark.parametrize("links", [80, 400, 2_000])
def test_random_graphs_as_their_equations_have_it(links: int, damping: float) -> None:
    draws = rng.stream("graph", links)
    library = _library(400, [(draws.below(400), draws.below(400)) for _ in range(links)])
    seeds = Ranking(np.array(draws.sample(8, 400), np.int64), np.arange(8, 0, -1, np.float64))
    found = PageRankRetriever(Given(), library.graph, Walk(8, damping)).scores(seeds)
    exact = _solved(library, seeds, damping)
    assert found.dtype == np.float32
    assert float(np.abs(found - exact).sum()) < 1e-5
    assert ((found > 0) <= (exact > 1e-12)).all()


def test_steps_from_few_documents_are_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = rng.stream("steps")
    library = _library(3_000, [(draws.below(3_000), draws.below(3_000)) for _ in range(9_000)])
    seeds = Ranking(np.array(draws.sample(5, 3_000), np.int64), np.array([5.0, 4, 3, 2, 1]))
    told: list[bytes] = []
    monkeypatch.setattr(pagerank, "_MANY", 0)
    ranker = PageRankRetriever(Given(), library.graph, Walk(5, 0.85))
    for few in (0, pagerank._FEW, 10_000):  # from a few always, as it is, never
        monkeypatch.setattr(pagerank, "_FEW", few)
        told.append(ranker.scores(seeds).tobytes())
    assert len(set(told)) == 1


def _links(kind: str, size: int) -> list[tuple[int, int]]:
    draws = rng.stream("ahead", kind)
    if kind == "random":
        return [(draws.below(size), draws.below(size)) for _ in range(6 * size)]
    if kind == "star":
        return [(number % 5, number) for number in range(5, size)]
    return [(number, (number + 1) % size) for number in range(size)]  # a ring, of slow waves


@pytest.mark.parametrize("kind", ["random", "star", "ring"])
@pytest.mark.parametrize("damping", [0.5, 0.85, 0.99])
def test_steps_ahead_settle_at_the_same_scores_sooner(
    monkeypatch: pytest.MonkeyPatch, kind: str, damping: float
) -> None:
    size = 400
    graph = _library(size, _links(kind, size)).graph
    seeds = Ranking(np.array([5, 9, 0, 7, 6], np.int64), np.array([5.0, 4, 3, 2, 1]))
    # (1 - damping x links) p = (1 - damping) s, solved by elimination.
    along = graph.toarray().astype(np.float64) / np.maximum(graph.sum(axis=0), 1)
    start = np.zeros(size)
    start[seeds.numbers] = seeds.scores / 15
    exact = np.linalg.solve(np.eye(size) - damping * along, (1 - damping) * start)
    steps: list[int] = []
    for many in (pagerank._MANY, 0):
        monkeypatch.setattr(pagerank, "_MANY", many)
        ranker = PageRankRetriever(Given(), graph, Walk(5, damping))
        step = ranker._step
        steps.append(0)

        def counted(
            flow: npt.NDArray[np.float32],
            step: Callable[..., npt.NDArray[np.float32]] = step,
        ) -> npt.NDArray[np.float32]:
            steps[-1] += 1
            return step(flow)

        monkeypatch.setattr(ranker, "_step", counted)
        found = ranker.scores(seeds)
    left = 4 * pagerank._TOLERANCE * damping / (1 - damping)
    assert np.abs(found - exact).sum() <= left + 2e-6
    assert steps[1] <= steps[0] + pagerank._PLAIN - 4 * (kind == "random")
    assert np.array_equal(np.argsort(-exact)[:5], np.argsort(-found)[:5])


@pytest.mark.parametrize("damping", [0.5, 0.85])
def test_the_best_of_many_links_are_those_of_their_equations(
    monkeypatch: pytest.MonkeyPatch, damping: float
) -> None:
    # 0 to 249 hang together, 250 to 299 too, 300 and 301 do, 302 is alone.
    draws = rng.stream("parts")
    links = [(draws.below(250), draws.below(250)) for _ in range(800)]
    links += [(250 + draws.below(50), 250 + draws.below(50)) for _ in range(200)]
    library = _library(303, [*links, (300, 301)])
    at = {7: 5.0, 260: 4.0, 301: 3.0, 302: 2.0, 9: 1.0}
    exact = _solved(library, Given(*at.items()).found, damping)
    monkeypatch.setattr(pagerank, "_MANY", 0)
    ranker = PageRankRetriever(Given(*at.items()), library.graph, Walk(5, damping))
    found = ranker.search("", 40)
    assert found.numbers.tolist() == np.argsort(-exact, kind="stable")[:40].tolist()
    assert found.scores == pytest.approx(exact[found.numbers], rel=2e-5)
    assert len(ranker.search("", 303)) == np.count_nonzero(exact > 1e-12)


@pytest.mark.parametrize(("seeds", "damping"), [(0, 0.5), (5, 0.0), (5, 1.0)])
def test_a_walk_without_an_end_is_refused(seeds: int, damping: float) -> None:
    with pytest.raises(ValueError, match="no walk"):
        Walk(seeds, damping)
