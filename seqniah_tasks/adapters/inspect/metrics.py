"""Metrics in inspect-ai, of prompts that the model may have seen whole; see `seqniah.py`."""

from __future__ import annotations

import math
from collections import Counter
from functools import wraps
from typing import Any, cast

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Value,
    accuracy,
    ci_wilson,
    mean,
    value_to_float,
)

from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect.sent import fates_of
from seqniah_tasks.benchmarks.protocol import Group, Scoring
from seqniah_tasks.kinds import natural
from seqniah_tasks.shares import Share, mean_share
from seqniah_tasks.truncation import Fate

_AS_FLOAT = value_to_float()


def of_figures(scorer: str) -> dict[str, list[Metric]]:
    """The mean of each figure that a scorer gives beside a score, over the answers that have it."""
    found = [one for one in benchmarks.known().values() if one.scoring.beside == scorer]
    return {name: [_mean(one.scoring, name)] for one in found for name in one.scoring.figures}


def _mean(scoring: Scoring, figure: str) -> Metric:
    """inspect's mean, of prompts that were seen whole, each as often as it counts."""
    of_all = cast(Any, mean())

    @wraps(of_all)  # Logs name it by inspect's own.
    def of_seen(scores: list[SampleScore]) -> Value:
        seen = [
            score
            for score in seen_whole(scores)
            for _ in range(scoring.times(figure, _facts(score)))
        ]
        return cast(float, of_all(seen)) if seen else math.nan

    return cast(Metric, of_seen)


def _facts(score: SampleScore) -> dict[str, Any]:
    return score.sample_metadata or {}


def seen_whole(scores: list[SampleScore]) -> list[SampleScore]:
    """The scores of prompts that the model may have seen whole."""
    fates = fates_of(scores)
    return [score for score, fate in zip(scores, fates, strict=True) if fate is not Fate.CUT]


def prompts(scores: list[SampleScore]) -> dict[str, int]:
    """Prompts seen whole, cut, not sent, or unverified."""
    counts = Counter(fates_of(scores))
    return {str(fate): counts[fate] for fate in Fate}


def overall(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy with its Wilson score interval; not a number where nothing was judged."""
    seen = seen_whole(scores)
    if not seen:
        return dict.fromkeys(("accuracy", "lower", "upper"), math.nan)
    if _clusters(seen):
        found = _mean_share(seen)
        return {"accuracy": found.value, "lower": found.low, "upper": found.high}
    share, ends = (cast(Any, figure())(seen) for figure in (accuracy, ci_wilson))
    return {"accuracy": share, **ends}


def mean_score(scores: list[SampleScore]) -> dict[str, float]:
    """The mean of scores from 0 to 1, with the ends of its 95 % interval over samples or their
    clusters."""
    found = _mean_share(seen_whole(scores))
    return {"mean": found.value, "lower": found.low, "upper": found.high}


def _mean_share(scores: list[SampleScore]) -> Share:
    scored = ((str(one.sample_id), _AS_FLOAT(one.score.value)) for one in scores)
    return mean_share(scored, _clusters(scores))


def _clusters(scores: list[SampleScore]) -> dict[str, str]:
    """The cluster of each sample, by id, where its benchmark declares any; empty: none does."""
    facts = {str(one.sample_id): _facts(one) for one in scores}
    return {
        name: str(told[cluster.trait])
        for name, told in facts.items()
        if (cluster := benchmarks.of_facts(told).scoring.cluster) and cluster.trait in told
    }


def by_group(scores: list[SampleScore]) -> dict[str, float]:
    """The mean of each stratum: length, language, and what else a benchmark is broken down by."""
    strata: dict[tuple[object, ...], list[float]] = {}
    for score in seen_whole(scores):
        facts = _facts(score)
        benchmark = benchmarks.of_facts(facts)
        for place, group in enumerate(benchmark.scoring.groups):
            stratum = group.of(facts)
            if stratum:
                name = group.metric.format(benchmark.labelled(stratum))
                where = place, order(group, stratum), name
                strata.setdefault(where, []).append(_AS_FLOAT(score.score.value))
    return {str(name): math.fsum(part) / len(part) for (*_, name), part in sorted(strata.items())}


def mean_by_group(scores: list[SampleScore]) -> dict[str, float]:
    """The same under a name of its own: inspect knows a metric by its function."""
    return by_group(scores)


def order(group: Group, stratum: str) -> tuple[object, ...]:
    """By which the strata of a group stand in order."""
    if stratum in group.order:
        return (0, group.order.index(stratum))
    return (1, *natural(stratum))


def robustness(scores: list[SampleScore]) -> dict[str, float]:
    """The figures of a suite, which only all its samples together have; none of other samples."""
    seen = seen_whole(scores)
    suite = benchmarks.of_facts(_facts(seen[0])).scoring.suite if seen else None
    if suite is None:
        return {}
    outcomes = [
        # Epochs of a sample come as their mean.
        suite.outcome({"id": str(one.sample_id), **_facts(one)}, _AS_FLOAT(one.score.value) >= 0.5)
        for one in seen
    ]
    return suite.figures([one for one in outcomes if one is not None])


def shares(scores: list[SampleScore]) -> dict[str, float | None]:
    """Of the scored ones: the share of rules and model, and how often both said the same."""
    facts = [score.score.metadata or {} for score in seen_whole(scores)]
    by_model = [one for one in facts if one.get("judged_by") == "model"]
    agreed = sum(
        (one.get("eval_label") == "correct") == one.get("rules_correct") for one in by_model
    )
    share = len(by_model) / len(facts) if facts else 0.0
    return {
        "by_rules": 1.0 - share if facts else 0.0,
        "by_model": share,
        "agreement": agreed / len(by_model) if by_model else None,
    }
