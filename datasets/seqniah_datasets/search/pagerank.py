"""Personalised PageRank: what an engine finds, and what is linked with it (paper, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from seqniah_datasets.search.base import NOTHING, Ranking, Retriever, top

_TOLERANCE = 1e-6
"""Change of all scores together, which sum up to 1, below which they are taken as settled."""

_MANY = 500_000
"""Links, each counted both ways, from which on the following three are worth their while."""
_FEW = 16
"""One document in so many, and links are followed from these alone."""
_SWING = 0.5
"""Of the damping: what a step leaves of most of a score's error, either way (the eigenvalues of a
graph without a core of its own are within this of 0, but for the first)."""
_AHEAD = 4
"""Times that the change may be greater: a step ahead leaves so much less of an error."""


@dataclass(frozen=True, slots=True)
class Walk:
    """How far PageRank goes."""

    seeds: int
    """Documents of the base engine that it starts from."""
    damping: float
    """Share of the scores that follows links at each step, above 0 and below 1; the rest goes back
    to the seeds."""

    def __post_init__(self) -> None:
        if self.seeds < 1 or not 0 < self.damping < 1:
            raise ValueError(f"no walk: {self.seeds} seeds, damping {self.damping}")


class PageRankRetriever:
    """A `Retriever` that ranks by PageRank from the best documents of another.

    Seeds weigh as their scores, as in the released code, which leaves out those of 0 and below; if
    there are no others, all weigh the same. What no link leads to comes behind, with the score 0,
    in the order of the base engine. Where the base's scores are the same, so are these on every
    machine: sums run over the links in order, and in float64 where they run over documents.
    """

    def __init__(self, base: Retriever, graph: csr_array, walk: Walk) -> None:
        """`graph` is as a library's: symmetric, with float32 ones."""
        self.base, self.walk = base, walk
        self._graph = graph
        degrees = np.diff(graph.indptr).astype(np.float32)
        self._share = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)

    def search(self, query: str, k: int) -> Ranking:
        seeds = self.base.search(query, self.walk.seeds).first(self.walk.seeds)
        if not len(seeds):
            return NOTHING
        scores = self.scores(seeds)
        found = np.flatnonzero(scores)
        best = top(scores[found], k)
        numbers = found[best.numbers]
        if len(numbers) < k:
            others = self.base.search(query, k).numbers
            numbers = np.append(numbers, others[scores[others] == 0])[:k]
        return Ranking(numbers, scores[numbers].astype(np.float64))

    def scores(self, seeds: Ranking) -> npt.NDArray[np.float32]:
        """Of every document; they sum up to 1. `seeds` has at least one document."""
        weights = np.maximum(seeds.scores, 0)
        if not weights.any():
            weights = np.ones(len(seeds))
        weights /= weights.sum()
        damping = self.walk.damping
        stuck = seeds.numbers[self._share[seeds.numbers] == 0]  # none but a seed is ever reached
        now = np.zeros(len(self._share), np.float32)
        now[seeds.numbers] = weights
        many = self._graph.nnz >= _MANY
        swing, settled = (damping * _SWING, _AHEAD * _TOLERANCE) if many else (0.0, _TOLERANCE)
        before, ahead = np.zeros_like(now), 1.0
        # Step t changes all scores together by at most 2 x damping^t.
        for _ in range(ceil(log(_TOLERANCE / 2) / log(damping))):
            following = self._step(now * self._share)
            following *= np.float32(damping)
            back = 1 - damping + damping * now[stuck].sum(dtype=np.float64)
            following[seeds.numbers] += (weights * back).astype(np.float32)
            if ahead > 1:  # Chebyshev's weights; they never take longer, whatever the eigenvalues
                before -= following
                before *= np.float32(1 - ahead)
                following += before
            np.subtract(following, now, out=before)
            change = np.abs(before, out=before).sum(dtype=np.float64)
            before, now = now, following
            if change <= settled:
                break
            ahead = 1 / (1 - swing**2 * (ahead if ahead > 1 else 2) / 4)
        return now

    def _step(self, flow: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """What flows into each document over its links, summed up in their order."""
        if self._graph.nnz < _MANY or np.count_nonzero(flow) * _FEW > len(flow):
            following: npt.NDArray[np.float32] = self._graph @ flow
        else:  # the same sums without their zeros: the first steps from the seeds cost nothing
            active = np.flatnonzero(flow)
            following = self._graph[active].T @ flow[active]
        return following
