"""Hybrid search: rankings joined by the reciprocals of their ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqniah_datasets.search.base import DEPTH, NOTHING, Ranking, Retriever, top

CONSTANT = 60
"""Added to every rank. The paper does not state it; it is the usual one (Cormack et al., 2009)."""


@dataclass(frozen=True, slots=True)
class FusedRetriever:
    """A `Retriever` that sums up 1 / (constant + rank) over engines, ranks counted from 1."""

    bases: tuple[Retriever, ...]
    constant: int = CONSTANT
    depth: int = DEPTH
    """Documents of each engine that count."""

    def search(self, query: str, k: int) -> Ranking:
        found = [base.search(query, self.depth).first(self.depth) for base in self.bases]
        numbers = np.unique(np.concatenate([NOTHING.numbers, *(one.numbers for one in found)]))
        scores = np.zeros(len(numbers))
        for one in found:
            ranks = np.arange(1, len(one) + 1)
            scores[np.searchsorted(numbers, one.numbers)] += 1 / (self.constant + ranks)
        best = top(scores, k)
        return Ranking(numbers[best.numbers], best.scores)
