"""Personalised PageRank: what an engine finds, and what is linked with it (paper, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, log

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from seqniah_datasets.search.base import NOTHING, Numbers, Ranking, Retriever, top

Scores = npt.NDArray[np.float32]

_TOLERANCE = 1e-6
"""Change of all scores together, which sum up to 1, below which they are taken as settled."""

_MANY = 500_000
"""Links, each counted both ways, from which on the following are worth their while."""
_FEW = 8
"""One document in so many, and links are followed from these alone."""
_PLAIN = 3
"""Steps from the seeds before the rest of the way is guessed."""
_SWING = 0.5
"""Of the damping: what a step leaves of most of a score's error, either way (the eigenvalues of a
graph without a core of its own are within this of 0, but for the first)."""
_AHEAD = 4
"""Times that the change may be greater: a step ahead leaves so much less of an error."""
_LEFT = 2e-6
"""Change by all further steps but the next, below which only the best documents take that one."""
_NEAR = 2
"""Times as many documents as are wanted take the last step."""


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
        self._graph, self._many = graph, graph.nnz >= _MANY
        self._degrees = np.diff(graph.indptr).astype(np.float32)
        linked = self._degrees > 0
        self._share = np.divide(1, self._degrees, out=np.zeros_like(self._degrees), where=linked)

    def search(self, query: str, k: int) -> Ranking:
        seeds = self.base.search(query, self.walk.seeds).first(self.walk.seeds)
        if not len(seeds):
            return NOTHING
        scores = self.scores(seeds)
        found = np.flatnonzero(scores)
        if self._many:
            found = np.sort(found[top(scores[found], _NEAR * k).numbers])
            scores[found] = self._followed(scores, _start(seeds), found)
        numbers = found[top(scores[found], k).numbers]
        if len(numbers) < k:
            others = self.base.search(query, k).numbers
            numbers = np.append(numbers, others[scores[others] == 0])[:k]
        return Ranking(numbers, scores[numbers].astype(np.float64))

    def scores(self, seeds: Ranking) -> Scores:
        """Of every document; they sum up to 1, and over many links one step is left to take.
        `seeds` has at least one document."""
        start, damping = _start(seeds), self.walk.damping
        now = self._guess(start) if self._many else self._at(start)
        swing, settled = (damping * _SWING, _AHEAD * _TOLERANCE) if self._many else (0, _TOLERANCE)
        before, ahead, changed = np.zeros_like(now), 1.0, 2.0
        # Step t changes all scores together by at most 2 x damping^t.
        for _ in range(ceil(log(_TOLERANCE / 2) / log(damping))):
            following = self._followed(now, start)
            if ahead > 1:  # Chebyshev's weights; they never take longer, whatever the eigenvalues
                before -= following
                before *= np.float32(1 - ahead)
                following += before
            np.subtract(following, now, out=before)
            change = float(np.abs(before, out=before).sum(dtype=np.float64))
            before, now = now, following
            if change <= settled:
                break
            rate = max(change / changed, swing / 2)
            if self._many and change * rate**2 < _LEFT * (1 - rate):
                break
            changed, ahead = change, 1 / (1 - swing**2 * (ahead if ahead > 1 else 2) / 4)
        return now

    def _guess(self, start: Ranking) -> Scores:
        """Scores as if all steps but the first led wherever an endless walk ends up; documents
        that no seed is linked with have none."""
        damping, now = np.float32(self.walk.damping), self._at(start)
        inside = self._core[start.numbers] > 0
        guess = self._core * np.float32(start.scores[inside].sum())
        guess[start.numbers[~inside]] = start.scores[~inside]
        for step in range(_PLAIN + 1):
            guess *= damping
            guess += now * (1 - damping)
            if step < _PLAIN:
                now = self._followed(now, start)
        return guess

    @cached_property
    def _core(self) -> Scores:
        """Where an endless walk from the document with most links is, by its share of time."""
        inside = breadth_first_order(
            self._graph, int(self._degrees.argmax()), return_predecessors=False
        )
        core: Scores = np.zeros_like(self._degrees)
        core[inside] = self._degrees[inside] / self._degrees[inside].sum(dtype=np.float64)
        return core

    def _at(self, start: Ranking) -> Scores:
        now: Scores = np.zeros_like(self._share)
        now[start.numbers] = start.scores
        return now

    def _followed(self, now: Scores, start: Ranking, only: Numbers | None = None) -> Scores:
        """Scores after one more step: of all documents, or of these alone."""
        flow, damping = now * self._share, self.walk.damping
        following = self._step(flow) if only is None else self._graph[only] @ flow
        following *= np.float32(damping)
        stuck = start.numbers[self._share[start.numbers] == 0]  # none but a seed is ever reached
        back = 1 - damping + damping * now[stuck].sum(dtype=np.float64)
        at, weights = start.numbers, (start.scores * back).astype(np.float32)
        if only is not None:
            _, at, which = np.intersect1d(only, start.numbers, return_indices=True)
            weights = weights[which]
        following[at] += weights
        return following

    def _step(self, flow: Scores) -> Scores:
        """What flows into each document over its links, summed up in their order."""
        if not self._many or np.count_nonzero(flow) * _FEW > len(flow):
            following: Scores = self._graph @ flow
        else:  # the same sums without their zeros: the first steps from the seeds cost nothing
            active = np.flatnonzero(flow)
            following = self._graph[active].T @ flow[active]
        return following


def _start(seeds: Ranking) -> Ranking:
    """The seeds with weights that sum up to 1."""
    weights = np.maximum(seeds.scores, 0)
    if not weights.any():
        weights = np.ones(len(seeds))
    return Ranking(seeds.numbers, weights / weights.sum())
