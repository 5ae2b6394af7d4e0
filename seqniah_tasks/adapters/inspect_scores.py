"""Scores of Sequential-NIAH in inspect-ai, and of prompts whatever the benchmark."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model
from inspect_ai.scorer import CORRECT, INCORRECT, PARTIAL, Metric, Score, Scorer, Target, mean
from inspect_ai.solver import TaskState

from seqniah_datasets.schema import Pipeline
from seqniah_scorers import model_judge, rules
from seqniah_scorers.verdict import Case, Verdict
from seqniah_tasks.adapters import inspect_judge
from seqniah_tasks.adapters.for_inspect import one_sentence
from seqniah_tasks.adapters.inspect_judge import Asked
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.explain import explain, explain_both, summarize
from seqniah_tasks.judging.embeddings import open_embedding
from seqniah_tasks.judging.judges import open_rules, read_template
from seqniah_tasks.truncation import NOTES, Fate

NOT_SEEN_WHOLE = "input_not_seen_whole"
JUDGE_FAILED, JUDGE_UNREADABLE = "judge_failed", "judge_unreadable"
"""Reasons for which a sample is unscored: the prompt was cut, no reply came, or none was read."""

MOST_ANALYSIS = 4_000
"""Characters of a judge's analysis that a log keeps."""

DIAGNOSTIC: dict[str, list[Metric]] = {
    "item_recall": [mean()],
    "item_precision": [mean()],
    "order_agreement": [mean()],
}
"""Metrics that explain strict accuracy: what was found, what was added, how it was ordered."""


def _case(state: TaskState, reference: str) -> Case:
    if "pipeline" not in state.metadata or "ask" in state.metadata:
        raise PrerequisiteError(
            "This log is not of Sequential-NIAH; one of Counting-Stars is scored with --scorer "
            "seqniah/stars."
        )
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


def not_seen_whole(state: TaskState) -> Score | None:
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
    return Score.unscored(reason=NOT_SEEN_WHOLE, answer=state.output.completion, explanation=why)


def by_rules(embeddings: str) -> Scorer:
    """Whether the rule judge finds an answer right."""

    async def score(state: TaskState, target: Target) -> Score:
        return strict_score(state, target.text, embeddings)

    return score


def by_model(name: str, judge_prompt: str | None, embeddings: str = "") -> Scorer:
    """Whether the grader does; `name` is judge or cascade, `judge_prompt` the path of a prompt."""
    template = one_sentence(read_template)(Path(judge_prompt)) if judge_prompt else None

    async def score(state: TaskState, target: Target) -> Score:
        return await model_score(state, target.text, name, template, embeddings)

    return score


def diagnosis(embeddings: str) -> Scorer:
    """Why an answer is right or wrong, in figures."""

    async def score(state: TaskState, target: Target) -> Score:
        return diagnostic_score(state, target.text, embeddings)

    return score


def seen() -> Scorer:
    """What became of the prompt."""

    async def score(state: TaskState, target: Target) -> Score:
        return prompt_score(state)

    return score


def strict_score(state: TaskState, reference: str, embeddings: str = "") -> Score:
    """Right or wrong by the rule judge; the depth of each needle stands beside found or missed."""
    unscored = not_seen_whole(state)
    if unscored:
        return unscored
    aligned = _aligned(_case(state, reference), embeddings)
    facts = {"judge": open_rules(embeddings).name}
    return _score(state, reference, aligned.verdict, explain(aligned), facts)


@lru_cache(maxsize=64)
def _aligned(case: Case, embeddings: str) -> rules.Aligned:
    """What the rules say of an answer, and which item states which; two scorers ask for it."""
    return rules.align(case, open_embedding(embeddings) if embeddings else None)


async def model_score(
    state: TaskState,
    reference: str,
    scorer: str,
    template: str | None = None,
    embeddings: str = "",
) -> Score:
    """Right or wrong by the grader, in a cascade only where the rules are unsure."""
    grader = inspect_judge.grader(scorer)
    unscored = not_seen_whole(state)
    if unscored:
        return unscored
    case = _case(state, reference)
    aligned = _aligned(case, embeddings)
    by_rules = aligned.verdict
    facts: dict[str, object] = {
        "judge": inspect_judge.judge_name(scorer, grader, open_rules(embeddings).name),
        "judge_prompt": inspect_judge.template_name(template),
        "doubts": [str(doubt) for doubt in by_rules.doubts],
        "rules_correct": by_rules.correct,
    }
    if inspect_judge.same_model(grader, get_model()):
        facts["grades_itself"] = True
    if not inspect_judge.asks_model(case, by_rules, cascade=scorer == "cascade"):
        facts["judged_by"] = "rules"
        return _score(state, reference, by_rules, explain(aligned), facts)
    asked = await inspect_judge.ask(grader, case, template)
    facts |= {"judged_by": "model", **_spent(asked)}
    verdict = model_judge.verdict(by_rules, asked.reply)
    if verdict.correct is None:
        reason = JUDGE_FAILED if asked.failed else JUDGE_UNREADABLE
        return Score.unscored(
            reason=reason,
            answer=case.response,
            explanation=verdict.reason,
            metadata={"reason": verdict.reason, **facts, **prompt_notes(state)},
        )
    said = {
        "order_analysis": model_judge.in_short(asked.reply.order_analysis, MOST_ANALYSIS),
        "eval_analysis": model_judge.in_short(asked.reply.eval_analysis, MOST_ANALYSIS),
        "eval_label": "correct" if asked.reply.label else "incorrect",
    }
    told = explain_both(verdict, str(grader), aligned)
    return _score(state, reference, verdict, told, {**facts, **said})


def _spent(asked: Asked) -> dict[str, object]:
    return {
        "judge_input_tokens": asked.input_tokens,
        "judge_output_tokens": asked.output_tokens,
        "judge_seconds": asked.seconds,
        "judge_cached": asked.cached,
        **({"judge_cost": asked.cost} if asked.cost is not None else {}),
    }


def _score(
    state: TaskState, reference: str, verdict: Verdict, told: str, facts: Mapping[str, object]
) -> Score:
    items = [item.removeprefix("- ") for item in reference.split("\n")[1:]]
    depths = state.metadata.get("needle_depths") or [None] * len(items)
    found = {pair.reference for pair in verdict.pairs if pair.same}
    return Score(
        value=CORRECT if verdict.correct else INCORRECT,
        answer=state.output.completion,
        explanation=told,
        metadata={
            "failure_modes": [str(mode) for mode in verdict.failure_modes],
            "order_required": verdict.order_required,
            "reason": verdict.reason,
            **facts,
            **prompt_notes(state),
            # Beside the items below, since the log's summaries keep short fields only.
            "found": [number in found for number in range(len(items))],
            "needles": [
                {"item": item, "depth": depth, "found": number in found}
                for number, (item, depth) in enumerate(zip(items, depths, strict=False))
            ],
        },
    )


def diagnostic_score(state: TaskState, reference: str, embeddings: str = "") -> Score:
    """Item recall, item precision and order agreement of the same answer."""
    unscored = not_seen_whole(state)
    if unscored:
        return unscored
    verdict = _aligned(_case(state, reference), embeddings).verdict
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
        explanation=f"Prompt {fate}: {exact} tokens counted, {reported or 'none'} reported.",
        metadata=prompt_notes(state),
    )
