"""Metrics in inspect-ai: figures of a run from the scores of its samples.

All of them leave out prompts that the model cannot have seen whole. `seqniah.py` registers them.
"""

from __future__ import annotations

from collections import Counter
from typing import cast

from inspect_ai.scorer import MetricProtocol, SampleScore, accuracy, ci_wilson, value_to_float

from seqniah_datasets.schema import NoiseType, StarAsk, StarTask
from seqniah_scorers.noise import Outcome, figures
from seqniah_tasks.benchmarks.noise import by_name
from seqniah_tasks.records import STRATA_ORDER, Share, labelled
from seqniah_tasks.resampling import mean_share
from seqniah_tasks.truncation import Fate, final_fates

GROUP_KEYS = ("length_bin", "needle_group", "pipeline", "lang")
"""Metadata by which accuracy is broken down."""

_AS_FLOAT = value_to_float()


def prompt_fates(scores: list[SampleScore]) -> list[Fate]:
    """What became of each prompt, judged again with all samples at hand."""
    # What the solver learns stands in the scores: sample metadata is that of the data set.
    return final_fates(
        [{**(score.sample_metadata or {}), **(score.score.metadata or {})} for score in scores]
    )


def seen_whole(scores: list[SampleScore]) -> list[SampleScore]:
    """The scores of prompts that the model may have seen whole.

    A cut prompt is unscored at once where enough shorter ones are known; one that came too early
    for that is found here.
    """
    fates = prompt_fates(scores)
    return [score for score, fate in zip(scores, fates, strict=True) if fate is not Fate.CUT]


def prompts(scores: list[SampleScore]) -> dict[str, int]:
    """Prompts seen whole, cut, not sent, or unverified."""
    counts = Counter(prompt_fates(scores))
    return {str(fate): counts[fate] for fate in Fate}


def overall(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy with its Wilson score interval."""
    seen = seen_whole(scores)
    share = cast(MetricProtocol, accuracy())(seen)
    ends = cast(MetricProtocol, ci_wilson())(seen)
    return {"accuracy": cast(float, share), **cast(dict[str, float], ends)}


def strata(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy of each length bin, needle group, pipeline and language, in this order."""
    groups: dict[tuple[int, int, str], list[float]] = {}
    for score in seen_whole(scores):
        for place, key in enumerate(GROUP_KEYS):
            value = str((score.sample_metadata or {}).get(key))
            name = f"{value} needles" if key == "needle_group" else labelled(value)
            where = place, STRATA_ORDER.get(value, len(STRATA_ORDER)), name
            groups.setdefault(where, []).append(_AS_FLOAT(score.score.value))
    return {name: sum(part) / len(part) for (_, _, name), part in sorted(groups.items())}


def robustness(scores: list[SampleScore]) -> dict[str, float]:
    """The figures of the noise suite; none where no sample is a variant."""
    outcomes = [_outcome(score) for score in seen_whole(scores)]
    if all(one.noise is None for one in outcomes):
        return {}
    return by_name(figures(outcomes))


def _outcome(score: SampleScore) -> Outcome:
    facts = score.sample_metadata or {}
    kind = facts.get("noise")
    return Outcome(
        base=str(facts.get("base", score.sample_id)),
        noise=NoiseType(kind) if kind else None,
        variant=int(facts.get("variant", 0)),
        # Epochs of a sample come as their mean.
        correct=_AS_FLOAT(score.score.value) >= 0.5,
    )


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


def mean_score(scores: list[SampleScore]) -> dict[str, float]:
    """The mean of scores from 0 to 1, with the ends of its 95 % interval over samples."""
    found = _mean_share(seen_whole(scores))
    return {"mean": found.value, "lower": found.low, "upper": found.high}


def mean_by_group(scores: list[SampleScore]) -> dict[str, float]:
    """The mean of each length, rising, of each language, and of each kind of question."""
    groups: dict[tuple[int, int, str], list[SampleScore]] = {}
    for score in seen_whole(scores):
        facts = score.sample_metadata or {}
        names = [(int(facts["length"]), str(facts["length_bin"])), (0, str(facts["lang"]))]
        if facts["pipeline"] == StarTask.PLAYERS:
            ask = StarAsk(facts["ask"])
            names.append((list(StarAsk).index(ask), str(ask)))
        for place, (size, name) in enumerate(names):
            groups.setdefault((place, size, name), []).append(score)
    return {name: _mean_share(part).value for (_, _, name), part in sorted(groups.items())}


def _mean_share(scores: list[SampleScore]) -> Share:
    return mean_share((str(one.sample_id), _AS_FLOAT(one.score.value)) for one in scores)
