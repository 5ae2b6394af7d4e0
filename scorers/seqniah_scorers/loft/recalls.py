"""Recall and multi-recall of rankings, as LOFT defines them."""

from __future__ import annotations

from collections.abc import Sequence

DEPTHS = (1, 2, 3, 5)

NAMES = (*(f"recall@{k}" for k in DEPTHS), *(f"mrecall@{k}" for k in DEPTHS), "capped_recall@1")


def recalls(ranked: Sequence[str], golds: Sequence[str]) -> dict[str, float]:
    """Each measure of `NAMES`, 0 to 1.

    recall@k is the share of the golds among the first k ids, in which repeated ids use up places,
    and golds that are given twice count twice; mrecall@k is 1 where as many golds are there as can
    be (Min et al., 2021). Raises `ZeroDivisionError` for ids without golds.
    """
    if not ranked:
        return dict.fromkeys(NAMES, 0.0)
    hits = {k: len(set(ranked[:k]).intersection(golds)) for k in DEPTHS}
    return {
        **{f"recall@{k}": hits[k] / len(golds) for k in DEPTHS},
        **{f"mrecall@{k}": float(hits[k] == min(k, len(golds))) for k in DEPTHS},
        "capped_recall@1": hits[1] / min(1, len(golds)),
    }
