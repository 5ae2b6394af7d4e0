"""Scores and metrics of Sequential-NIAH in inspect-ai."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    PARTIAL,
    Metric,
    SampleScore,
    Score,
    mean,
    value_to_float,
)
from inspect_ai.solver import TaskState

from seqniah_datasets.schema import Pipeline
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.explain import explain, summarize
from seqniah_tasks.records import STRATA_ORDER, labelled
from seqniah_tasks.truncation import NOTES, Fate, final_fates

judge = lru_cache(maxsize=64)(rules.judge)
"""Both scorers ask for the same verdict, one after the other."""

GROUP_KEYS = ("length_bin", "needle_group", "pipeline", "lang")
"""Metadata by which accuracy is broken down."""

DIAGNOSTIC: dict[str, list[Metric]] = {
    "item_recall": [mean()],
    "item_precision": [mean()],
    "order_agreement": [mean()],
}
"""Metrics that explain strict accuracy: what was found, what was added, how it was ordered."""


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


def count_fates(scores: list[SampleScore]) -> dict[str, int]:
    """Prompts by what became of them."""
    counts = Counter(prompt_fates(scores))
    return {str(fate): counts[fate] for fate in Fate}


def accuracy_by_stratum(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy of each length bin, needle group, pipeline and language, in this order."""
    groups: dict[tuple[int, int, str], list[float]] = {}
    for score in seen_whole(scores):
        for place, key in enumerate(GROUP_KEYS):
            value = str((score.sample_metadata or {}).get(key))
            name = f"{value} needles" if key == "needle_group" else labelled(value)
            where = place, STRATA_ORDER.get(value, len(STRATA_ORDER)), name
            groups.setdefault(where, []).append(_AS_FLOAT(score.score.value))
    return {name: sum(part) / len(part) for (_, _, name), part in sorted(groups.items())}


def _case(state: TaskState, reference: str) -> Case:
    return Case(
        lang=state.metadata["lang"],
        needle_type=benchmark.needle_type(Pipeline(state.metadata["pipeline"])),
        question=state.input_text,
        reference=reference,
        response=state.output.completion,
        order_required=state.metadata["order_required"],
        cut_off=state.output.stop_reason == "max_tokens",
        parties=tuple(state.metadata.get("parties", ())),
    )


def prompt_notes(state: TaskState) -> dict[str, object]:
    """What the solver noted of the prompt."""
    return {name: state.metadata[name] for name in NOTES if name in state.metadata}


def _not_seen_whole(state: TaskState) -> Score | None:
    """Unscored where the model cannot have seen the prompt whole."""
    fate = state.metadata.get("prompt_fate")
    if state.output.stop_reason == "model_length" and fate != Fate.SKIPPED:
        fate = Fate.CUT
    if fate not in (Fate.CUT, Fate.SKIPPED):
        return None
    exact, reported = state.metadata.get("prompt_tokens"), state.metadata.get("reported_tokens")
    why = (
        "The prompt was not sent: it does not fit the model's context window."
        if fate == Fate.SKIPPED
        else f"The model did not see the whole prompt: of {exact} tokens, the provider reports "
        f"{reported or 'none'}."
    )
    return Score.unscored(
        reason="input_not_seen_whole", answer=state.output.completion, explanation=why
    )


def strict_score(state: TaskState, reference: str) -> Score:
    """Right or wrong by the rule judge; the depth of each needle stands beside found or missed."""
    unscored = _not_seen_whole(state)
    if unscored:
        return unscored
    case = _case(state, reference)
    verdict = judge(case)
    items = [item.removeprefix("- ") for item in reference.split("\n")[1:]]
    depths = state.metadata.get("needle_depths") or [None] * len(items)
    found = {pair.reference for pair in verdict.pairs if pair.same}
    return Score(
        value=CORRECT if verdict.correct else INCORRECT,
        answer=case.response,
        explanation=explain(verdict, items),
        metadata={
            "failure_modes": [str(mode) for mode in verdict.failure_modes],
            "order_required": verdict.order_required,
            "reason": verdict.reason,
            **prompt_notes(state),
            "needles": [
                {"item": item, "depth": depth, "found": number in found}
                for number, (item, depth) in enumerate(zip(items, depths, strict=False))
            ],
        },
    )


def diagnostic_score(state: TaskState, reference: str) -> Score:
    """Item recall, item precision and order agreement of the same answer."""
    unscored = _not_seen_whole(state)
    if unscored:
        return unscored
    verdict = judge(_case(state, reference))
    order = verdict.order_agreement
    return Score(
        value={
            "item_recall": round(verdict.item_recall, 4),
            "item_precision": round(verdict.item_precision, 4),
            "order_agreement": math.nan if order is None else round(order, 4),
        },
        explanation=summarize(verdict),
    )


_LETTERS = {
    Fate.WHOLE: CORRECT,
    Fate.CUT: INCORRECT,
    Fate.SKIPPED: INCORRECT,
    Fate.UNVERIFIED: PARTIAL,
}
"""Values that the log viewer shows in colour."""


def prompt_score(state: TaskState) -> Score:
    """Whether the model saw the whole prompt, as far as could be told when it answered.

    C for whole, I for cut or not sent, P for unverified.
    """
    fate = Fate(state.metadata.get("prompt_fate", Fate.UNVERIFIED))
    exact, reported = state.metadata.get("prompt_tokens"), state.metadata.get("reported_tokens")
    return Score(
        value=_LETTERS[fate],
        answer=str(fate),
        explanation=f"{exact} tokens by the run's encoding, {reported or 'none'} reported.",
        metadata=prompt_notes(state),
    )
