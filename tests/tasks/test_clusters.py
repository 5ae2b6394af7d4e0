"""Intervals and tests over samples that are no independent draws: questions in many settings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from inspect_ai.scorer import SampleScore, Score
from report_rows import one, studied
from test_report_haystackcraft import pile

from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import metrics
from seqniah_tasks.benchmarks.protocol import Benchmark, Cluster
from seqniah_tasks.effective import effective
from seqniah_tasks.isotonic import RESAMPLES
from seqniah_tasks.means import accuracy, mean_figure, mean_score
from seqniah_tasks.records import Record, RunRecord
from seqniah_tasks.report.pairing import pairs
from seqniah_tasks.report.sections import groups, overview
from seqniah_tasks.report.sections import pairs as paired
from seqniah_tasks.shares import draws, mean_share, share
from seqniah_tasks.views.summary import figures_as_json, strata

SIZES = (8, 16, 32, 64, 128)
ORDERS = ("ranked", "permuted")
CRAFT = benchmarks.known()["haystackcraft"]


def crossed(scores: np.ndarray, **columns: Any) -> list[Record]:
    """Answers to questions (rows) in settings (columns): sizes, then strategies."""
    return [
        pile(
            float(score),
            SIZES[place % 5],
            asked=f"q{number}",
            strategy=("bm25", "dense", "hybrid")[place // 5],
            **columns,
        )
        for number, row in enumerate(scores)
        for place, score in enumerate(row)
    ]


def correlated(questions: int, settings: int = 15, seed: int = 0) -> np.ndarray:
    """Scores in quarters that depend on the question more than on the setting."""
    drawn = np.random.default_rng(seed)
    own = drawn.uniform(0, 1, (questions, 1)) + drawn.normal(0, 0.15, (questions, settings))
    return np.clip(np.rint(own * 4) / 4, 0, 1)


def drawn_questions(scores: np.ndarray, times: int = 20_000) -> np.ndarray:
    """Means of resamples that draw rows, whole."""
    picks = np.random.default_rng(1).integers(0, len(scores), (times, len(scores)))
    return scores[picks].mean(axis=(1, 2))


def test_the_headline_resamples_questions() -> None:
    scores = correlated(40)
    found = mean_score(crossed(scores))
    assert (found.value, found.of, found.draws) == (pytest.approx(scores.mean()), 600, 40)
    expected = np.quantile(drawn_questions(scores), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(expected, abs=0.006)
    # As though all 600 were draws of their own, it is not even half as wide.
    alone = mean_share(((str(n), score) for n, score in enumerate(scores.flat)), {})
    assert alone.high - alone.low < 0.5 * (found.high - found.low)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_one_question_in_15_settings_is_one_draw(score: float) -> None:
    found = mean_score(crossed(np.full((1, 15), score)))
    assert (found.of, found.draws) == (15, 1)
    alone = share(score, 1)
    assert (found.value, found.low, found.high) == (alone.value, alone.low, alone.high)
    mixed = mean_score(crossed(np.array([[score, 0.25, 0.75] * 5])))
    assert mixed.draws == 1 and mixed.high - mixed.low > 0.75


def test_questions_of_several_sizes_move_the_mean_as_robust_standard_errors_say() -> None:
    """The sum of squares that cluster-robust standard errors are made of, from their definition."""
    scores, drawn = correlated(60), np.random.default_rng(2)
    asked = drawn.random(scores.shape) < drawn.uniform(0.1, 1, (60, 1))
    asked[:, 0] = True
    answers = [row for row, kept in zip(crossed(scores), asked.flat, strict=True) if kept]
    mean = scores[asked].mean()
    variance = sum(
        ((row - mean) * kept).sum() ** 2 for row, kept in zip(scores, asked, strict=True)
    )
    error = np.sqrt(variance) / asked.sum()
    found = mean_score(answers)
    assert (found.value, found.of) == (pytest.approx(mean), asked.sum())
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.03)
    values = {row.id: row.score or 0.0 for row in answers}
    moved = draws(values, {row.id: str(row.traits["asked"]) for row in answers})
    assert np.mean(moved) == pytest.approx(mean)
    assert np.std(moved) / np.sqrt(len(moved)) == pytest.approx(error)
    # A resample's own mean, of as many samples as the questions drawn have.
    picks = drawn.integers(0, 60, (20_000, 60))
    sums, counts = (scores * asked).sum(axis=1), asked.sum(axis=1)
    expected = np.quantile(sums[picks].sum(axis=1) / counts[picks].sum(axis=1), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(expected, abs=0.015)


def test_a_few_answers_to_one_question_among_many_keep_the_interval_within_0_and_1() -> None:
    scores = {f"{n}": 1.0 for n in range(50)} | {"a": 0.0, "b": 0.5}
    found = mean_share(scores.items(), {name: "big" for name in scores if name not in "ab"})
    assert 0 <= found.low < found.value < found.high <= 1 and found.draws == 3


def test_strata_and_figures_resample_questions_too() -> None:
    scores = correlated(30)
    answers = crossed(scores)
    found = {(by, name): part for by, name, part in strata(CRAFT, answers)}
    part = found["length", "8k"]
    expected = np.quantile(drawn_questions(scores[:, ::5]), [0.025, 0.975])
    assert (part.of, part.draws) == (90, 30)
    assert (part.low, part.high) == pytest.approx(expected, abs=0.008)
    assert mean_figure(answers, "strict_f1") == mean_score(answers)
    assert mean_figure(answers, "exact").draws == accuracy(answers).draws == 30


def test_inspects_metric_is_the_same_as_the_reports() -> None:
    answers = crossed(correlated(12))
    scores = [
        SampleScore(
            score=Score(value=row.score or 0.0),
            sample_id=row.id,
            sample_metadata={"benchmark": "haystackcraft", "asked": row.traits["asked"]},
        )
        for row in answers
    ]
    found = mean_score(answers)
    expected = {"mean": found.value, "lower": found.low, "upper": found.high}
    assert metrics.mean_score(scores) == pytest.approx(expected)


# Pairs


def _by_hand(differences: Sequence[float]) -> tuple[float, float, float]:
    """The ends of the interval, and p, over all resamples and all signs of a few questions."""
    count = len(differences)
    means = sorted(sum(draw) / count for draw in itertools.product(differences, repeat=count))
    tail = 0.025 * len(means)
    low, high = means[int(np.ceil(tail)) - 1], means[int(np.ceil(len(means) - tail)) - 1]
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=count)
    ]
    p = np.mean([one >= abs(sum(differences)) - 1e-9 for one in sums])
    return low, high, float(p)


def test_pairs_resample_and_turn_questions() -> None:
    first, second = correlated(6, 5, seed=3), correlated(6, 5, seed=4)
    ours = crossed(np.maximum(first, second), model="better")
    (pair,) = pairs(studied(ours, crossed(second, model="other")).runs)
    difference = np.maximum(first, second) - second
    low, high, p = _by_hand(difference.mean(axis=1).tolist())
    assert pair.difference and pair.samples == 30
    assert pair.difference.value == pytest.approx(difference.mean())
    assert (pair.difference.low, pair.difference.high) == pytest.approx((low, high), abs=1e-3)
    assert pair.p == pytest.approx(p)


def test_a_pair_on_one_question_tells_nothing() -> None:
    """In 15 settings one run is better: as independent samples they would be a sure thing."""
    scores = correlated(1) * 0.5
    (pair,) = pairs(studied(crossed(scores + 0.5, model="a"), crossed(scores, model="b")).runs)
    assert pair.difference and (pair.difference.low, pair.p) == (None, 1.0)


# The effective length


def _effective_by_hand(scores: np.ndarray, of: Callable[[np.ndarray], int]) -> tuple[int, int]:
    picks = np.random.default_rng(5).integers(0, len(scores), (4_000, len(scores)))
    places = sorted(of(scores[row].mean(axis=0)) for row in picks)
    return places[100], places[-101]


def _last_kept(means: np.ndarray) -> int:
    """The last size at which means made to fall are 85 % of the first: the pooled mean of a place
    is the least, over all ends, of the greatest mean up to it (the max-min formula)."""
    places = range(len(means))
    falling = [
        min(max(means[a : b + 1].mean() for b in places if b >= at) for a in places if a <= at)
        for at in places
    ]
    return sum(one >= 0.85 * falling[0] - 1e-12 for one in falling) - 1


def test_the_effective_length_draws_questions_with_all_their_sizes() -> None:
    """Where questions differ far more than sizes do, what is common to all sizes cancels out."""
    hard = np.random.default_rng(6).choice([0.0, 1.0], (60, 1))
    scores = hard * np.array([1.0, 1.0, 0.9, 0.8, 0.5])
    answers = crossed(np.tile(scores, 3))
    found = effective(CRAFT, answers)
    assert found and found.words == ("32k", "32k", "32k")
    assert _effective_by_hand(scores, _last_kept) == (2, 2)
    alone = [replace(row, traits={}) for row in crossed(scores)]
    independent = effective(CRAFT, alone)
    assert independent and independent.low < independent.place


def test_its_interval_is_that_of_drawn_questions() -> None:
    drawn = np.random.default_rng(7)
    fall = np.array([0.9, 0.85, 0.78, 0.7, 0.6])
    scores = (drawn.random((50, 5)) < fall * drawn.choice([0.6, 1.1], (50, 1))).astype(float)
    found = effective(CRAFT, crossed(scores))
    low, high = _effective_by_hand(scores, _last_kept)
    assert RESAMPLES == 1_000
    assert found and (found.low, found.high) == (low, high)


def test_lengths_of_few_questions_are_drawn_from_by_themselves() -> None:
    """As of few samples: one question alike at all sizes is no sure thing."""
    found = effective(CRAFT, crossed(np.array([[1.0, 1.0, 1.0, 0.0, 0.0]])))
    assert found and found.words[0] == "32k" and found.low < found.place < found.high


# Where it is told


def test_reports_and_summaries_say_what_is_resampled() -> None:
    study = studied(crossed(correlated(8), model="a"), crossed(correlated(8, seed=1), model="b"))
    for section in (overview.section(study), groups.section(study), paired.section(study)):
        assert section and "Resamples are of questions" in section.lead
    run = study.runs[0]
    told = figures_as_json(
        RunRecord(
            **{"model": "a", "benchmark": CRAFT, "task": "haystackcraft", "version": "1"},
            **{"edition": "", "tokenizer": "qwen", "corpus": "", "scorer": "", "status": "success"},
            samples=tuple(run.answers),
        )
    )
    share_ = mean_score(run.answers)
    assert told["score"] == [share_.value, share_.low, share_.high, 120]
    plain = overview.section(studied([one(id="a")]))
    assert plain and "Resamples" not in plain.lead


def test_right_and_wrong_answers_may_stand_in_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any benchmark that declares it, with accuracies in place of mean scores."""
    usual = benchmarks.known()["sequential-niah"]
    scoring = replace(usual.scoring, cluster=Cluster("pipeline", "pipelines"))
    declared: dict[str, Benchmark] = {"sequential-niah": replace(usual, scoring=scoring)}
    monkeypatch.setattr(benchmarks, "known", lambda: declared)
    names = ("synthetic-temporal", "real-temporal", "real-logical")
    verdicts = [[True] * 4, [True] * 4, [False] * 4]
    answers = [
        one(id=f"{name}{n}", pipeline=name, correct=right)
        for name, own in zip(names, verdicts, strict=True)
        for n, right in enumerate(own)
    ]
    found = accuracy(answers)
    means = sorted(sum(draw) / 3 for draw in itertools.product((1, 1, 0), repeat=3))
    assert (found.value, found.of, found.draws) == (pytest.approx(2 / 3), 12, 3)
    assert (found.low, found.high) == pytest.approx((means[0], means[26]))
    other = [replace(row, model="b", correct=not row.correct) for row in answers]
    (pair,) = pairs(studied(answers, other).runs)
    # Whatever the signs, three fours sum up to at least 4.
    assert pair.p == 1.0
