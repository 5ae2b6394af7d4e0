"""Scores in inspect-ai: of an answer as its benchmark has it, and of the prompt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model
from inspect_ai.scorer import CORRECT, INCORRECT, PARTIAL, Score, Scorer, Target
from inspect_ai.solver import TaskState

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge, rules
from seqniah_scorers.verdict import Case, Verdict
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import judge
from seqniah_tasks.adapters.inspect.judge import Asked
from seqniah_tasks.adapters.inspect.task import one_sentence
from seqniah_tasks.benchmarks.protocol import Answered, Benchmark, ByCase, ByMeasure, Scored
from seqniah_tasks.judging.embeddings import open_embedding
from seqniah_tasks.judging.judges import open_rules, read_template
from seqniah_tasks.truncation import NOTES, Fate

NOT_SEEN_WHOLE = "input_not_seen_whole"
JUDGE_FAILED, JUDGE_UNREADABLE = "judge_failed", "judge_unreadable"
"""Reasons for which a sample is unscored: the prompt was cut, no reply came, or none was read."""

MOST_ANALYSIS = 4_000
"""Characters of a judge's analysis that a log keeps."""


def _benchmark(state: TaskState, scorer: str, kind: type) -> Benchmark:
    """The benchmark of a sample, which a scorer must fit. Raises `PrerequisiteError`."""
    try:
        found = benchmarks.of_facts(state.metadata)
    except SeqniahError as error:
        raise PrerequisiteError(str(error)) from error
    scoring = found.scoring
    fits = isinstance(scoring.by, kind) and (kind is ByCase or scorer in _own_scorers(found))
    if not fits or "lang" not in state.metadata:
        raise PrerequisiteError(
            f"This log is not of samples that seqniah/{scorer} scores; one of {found.title} is "
            f"scored with --scorer {_named_scorers(found)}."
        )
    return found


def _own_scorers(benchmark: Benchmark) -> tuple[str, ...]:
    return benchmark.scoring.name, benchmark.scoring.beside


def _named_scorers(benchmark: Benchmark) -> str:
    judges = ["judge", "cascade"] if isinstance(benchmark.scoring.by, ByCase) else []
    return " or ".join(f"seqniah/{one}" for one in (benchmark.scoring.name, *judges))


def _answered(state: TaskState, target: Target) -> Answered:
    return Answered(
        question=state.input_text,
        reference=target.text,
        facts=state.metadata,
        response=state.output.completion,
        cut_off=state.output.stop_reason == "max_tokens",
        depths=state.metadata.get("needle_depths") or (),
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


def by_measure(name: str) -> Scorer:
    """The score that a benchmark's own function gives."""

    async def score(state: TaskState, target: Target) -> Score:
        by = _benchmark(state, name, ByMeasure).scoring.by
        assert isinstance(by, ByMeasure)
        if unscored := not_seen_whole(state):
            return unscored
        answered = _answered(state, target)
        return _score(state, by.score(answered), {"judge": by.judge})

    return score


def by_rules(name: str, embeddings: str) -> Scorer:
    """Whether the rule judge finds an answer right."""

    async def score(state: TaskState, target: Target) -> Score:
        by = _benchmark(state, name, ByCase).scoring.by
        assert isinstance(by, ByCase)
        if unscored := not_seen_whole(state):
            return unscored
        answered = _answered(state, target)
        aligned = _aligned(by.case(answered), embeddings)
        scored = by.scored(answered, aligned, aligned.verdict, "")
        return _score(state, scored, {"judge": open_rules(embeddings).name})

    return score


@lru_cache(maxsize=64)
def _aligned(case: Case, embeddings: str) -> rules.Aligned:
    """What the rules say of an answer, and which item states which; two scorers ask for it."""
    return rules.align(case, open_embedding(embeddings) if embeddings else None)


def by_model(name: str, judge_prompt: str | None, embeddings: str = "") -> Scorer:
    """Whether the grader does; `name` is judge or cascade, `judge_prompt` the path of a prompt."""
    template = one_sentence(read_template)(Path(judge_prompt)) if judge_prompt else None

    async def score(state: TaskState, target: Target) -> Score:
        by = _benchmark(state, name, ByCase).scoring.by
        assert isinstance(by, ByCase)
        return await _model_score(by, state, _answered(state, target), name, template, embeddings)

    return score


async def _model_score(
    by: ByCase,
    state: TaskState,
    answered: Answered,
    scorer: str,
    template: str | None,
    embeddings: str,
) -> Score:
    """Right or wrong by the grader, in a cascade only where the rules are unsure."""
    grader = judge.grader(scorer)
    if unscored := not_seen_whole(state):
        return unscored
    case = by.case(answered)
    aligned = _aligned(case, embeddings)
    by_rules = aligned.verdict
    facts: dict[str, object] = {
        "judge": judge.judge_name(scorer, grader, open_rules(embeddings).name),
        "judge_prompt": judge.template_name(template),
        "doubts": [str(doubt) for doubt in by_rules.doubts],
        "rules_correct": by_rules.correct,
    }
    if judge.same_model(grader, get_model()):
        facts["grades_itself"] = True
    if not judge.asks_model(case, by_rules, cascade=scorer == "cascade"):
        facts["judged_by"] = "rules"
        return _score(state, by.scored(answered, aligned, by_rules, ""), facts)
    asked = await judge.ask(grader, case, template)
    facts |= {"judged_by": "model", **_spent(asked)}
    verdict = model_judge.verdict(by_rules, asked.reply)
    if verdict.correct is None:
        return _not_judged(state, verdict, asked, facts)
    said = {
        "order_analysis": model_judge.in_short(asked.reply.order_analysis, MOST_ANALYSIS),
        "eval_analysis": model_judge.in_short(asked.reply.eval_analysis, MOST_ANALYSIS),
        "eval_label": "correct" if asked.reply.label else "incorrect",
    }
    scored = by.scored(answered, aligned, verdict, str(grader))
    return _score(state, scored, {**facts, **said})


def _not_judged(
    state: TaskState, verdict: Verdict, asked: Asked, facts: Mapping[str, object]
) -> Score:
    return Score.unscored(
        reason=JUDGE_FAILED if asked.failed else JUDGE_UNREADABLE,
        answer=state.output.completion,
        explanation=verdict.reason,
        metadata={"reason": verdict.reason, **facts, **prompt_notes(state)},
    )


def _spent(asked: Asked) -> dict[str, object]:
    return {
        "judge_input_tokens": asked.input_tokens,
        "judge_output_tokens": asked.output_tokens,
        "judge_seconds": asked.seconds,
        "judge_cached": asked.cached,
        **({"judge_cost": asked.cost} if asked.cost is not None else {}),
    }


def _score(state: TaskState, scored: Scored, facts: Mapping[str, object]) -> Score:
    answer, metadata = state.output.completion, {**scored.told, **facts, **prompt_notes(state)}
    explanation = scored.explanation or scored.reason
    if scored.score is None:
        return Score.unscored(
            reason="not_judged", answer=answer, explanation=explanation, metadata=metadata
        )
    value: Any = scored.score
    if isinstance(value, bool):
        value = CORRECT if value else INCORRECT
    return Score(value=value, answer=answer, explanation=explanation, metadata=metadata)


def beside(name: str, embeddings: str = "") -> Scorer:
    """The figures that explain a score: what was found, what was added, how it was ordered."""

    async def score(state: TaskState, target: Target) -> Score:
        found = benchmarks.of_facts(state.metadata)
        if unscored := not_seen_whole(state):
            return unscored
        answered, by = _answered(state, target), found.scoring.by
        _benchmark(state, name, type(by))
        if isinstance(by, ByCase):
            aligned = _aligned(by.case(answered), embeddings)
            scored = by.scored(answered, aligned, aligned.verdict, "")
        else:
            scored = by.score(answered)
        # Not a number where the sample has no such figure, so that no mean counts it.
        figures = {
            one: math.nan if value is None else round(float(value), 4)
            for one, value in scored.figures.items()
        }
        return Score(value=figures, explanation=scored.in_short or None)

    return score


_LETTERS = {
    Fate.WHOLE: CORRECT,
    Fate.CUT: INCORRECT,
    Fate.SKIPPED: INCORRECT,
    Fate.UNVERIFIED: PARTIAL,
}
"""Values that the log viewer shows in colour."""


def seen() -> Scorer:
    """Whether the model saw the whole prompt, as far as could be told when it answered.

    C for whole, I for cut or not sent, P for unverified.
    """

    async def score(state: TaskState, target: Target) -> Score:
        fate = Fate(state.metadata.get("prompt_fate", Fate.UNVERIFIED))
        exact, reported = state.metadata.get("prompt_tokens"), state.metadata.get("reported_tokens")
        return Score(
            value=_LETTERS[fate],
            answer=str(fate),
            explanation=f"Prompt {fate}: {exact} tokens counted, {reported or 'none'} reported.",
            metadata=prompt_notes(state),
        )

    return score
