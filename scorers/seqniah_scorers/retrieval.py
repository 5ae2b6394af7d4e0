"""How much of the gold articles a ranking holds, and how early (paper, Tables 3 and 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import fsum, log2

DEPTHS = (10, 20, 40, 80, 160)
"""Numbers of documents that the paper reports."""


def recall(ranked: Sequence[str], golds: Collection[str], depth: int) -> float:
    """Share of the golds among the first `depth` documents, 0 to 1.

    Raises `ValueError` without golds, below a depth of 1, and for a ranking with a document twice.
    """
    return len(_ranks(ranked, golds, depth)) / len(set(golds))


def ndcg(ranked: Sequence[str], golds: Collection[str], depth: int) -> float:
    """Normalised discounted cumulative gain of the first `depth` documents, 0 to 1.

    A gold at rank r gains 1 / log2(r + 1), other documents nothing; 1 where the golds come first,
    as many as the depth holds (Järvelin and Kekäläinen, 2002). Raises `ValueError` as `recall`.
    """
    best = range(1, min(len(set(golds)), depth) + 1)
    return _gain(_ranks(ranked, golds, depth)) / _gain(best)


def _gain(ranks: Collection[int]) -> float:
    return fsum(1 / log2(rank + 1) for rank in ranks)


def _ranks(ranked: Sequence[str], golds: Collection[str], depth: int) -> list[int]:
    if not golds or depth < 1:
        raise ValueError(f"{len(golds)} golds at depth {depth} have no measure")
    first, wanted = ranked[:depth], set(golds)
    if len(set(first)) < len(first):
        raise ValueError("a ranking has a document twice")
    return [rank for rank, id in enumerate(first, 1) if id in wanted]
