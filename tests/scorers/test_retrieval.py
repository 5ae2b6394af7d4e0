from __future__ import annotations

from math import log2

import pytest

from seqniah_datasets import rng
from seqniah_scorers.retrieval import DEPTHS, ndcg, recall

RANKED = ["a", "x", "b", "y", "z", "c"]
SECOND, THIRD, SIXTH = 1 / log2(3), 1 / 2, 1 / log2(7)
"""What a gold gains at these ranks; at the first it gains 1."""


@pytest.mark.parametrize(
    ("golds", "depth", "share", "gain"),
    [
        (["a"], 1, 1, 1),
        (["b"], 2, 0, 0),
        (["b"], 3, 1, THIRD),
        (["a", "b"], 2, 1 / 2, 1 / (1 + SECOND)),
        (["b", "a", "b"], 3, 1, (1 + THIRD) / (1 + SECOND)),
        (["a", "b", "c"], 1, 1 / 3, 1),  # no more than one fits
        (["a", "b", "c"], 2, 1 / 3, 1 / (1 + SECOND)),
        (["a", "b", "c"], 160, 1, (1 + THIRD + SIXTH) / (1 + SECOND + THIRD)),
        (["c", "nowhere"], 160, 1 / 2, SIXTH / (1 + SECOND)),
        (["nowhere"], 160, 0, 0),
    ],
)
def test_values_by_hand(golds: list[str], depth: int, share: float, gain: float) -> None:
    assert recall(RANKED, golds, depth) == pytest.approx(share, rel=1e-15)
    assert ndcg(RANKED, golds, depth) == pytest.approx(gain, rel=1e-15)


def test_nothing_found_is_zero() -> None:
    assert recall([], ["a"], 10) == ndcg([], ["a"], 10) == 0


@pytest.mark.parametrize(
    ("ranked", "golds", "depth"), [(["a"], [], 1), (["a"], ["a"], 0), (["a", "b", "a"], ["a"], 3)]
)
def test_what_has_no_measure_is_refused(ranked: list[str], golds: list[str], depth: int) -> None:
    for measure in (recall, ndcg):
        with pytest.raises(ValueError, match=r"have no measure|twice"):
            measure(ranked, golds, depth)


def test_values_are_those_of_ir_measures() -> None:
    ir = pytest.importorskip("ir_measures")
    draws = rng.stream("retrieval")
    ids = [f"d{number}" for number in range(300)]
    for _ in range(40):
        ranked = draws.shuffled(ids)[: 1 + draws.below(len(ids))]
        golds = draws.shuffled(ids)[: 1 + draws.below(4)]
        qrels = [ir.Qrel("q", gold, 1) for gold in golds]
        run = [ir.ScoredDoc("q", id, -float(rank)) for rank, id in enumerate(ranked)]
        for depth in DEPTHS:
            theirs = ir.calc_aggregate([ir.R @ depth, ir.nDCG @ depth], qrels, run)
            assert recall(ranked, golds, depth) == pytest.approx(theirs[ir.R @ depth])
            assert ndcg(ranked, golds, depth) == pytest.approx(theirs[ir.nDCG @ depth])
