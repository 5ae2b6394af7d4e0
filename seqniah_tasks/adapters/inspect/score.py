"""Scores in inspect-ai: of an answer as its benchmark has it, and of the prompt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target
from inspect_ai.solver import TaskState

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge, rules
from seqniah_scorers.verdict import Case
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import judge, sent
from seqniah_tasks.adapters.inspect.judge import Asked
from seqniah_tasks.adapters.inspect.solve import note_what_was_sent
from seqniah_tasks.adapters.inspect.task import one_sentence
from seqniah_tasks.benchmarks.protocol import Answered, Benchmark, ByCase, ByMeasure, Scored
from seqniah_tasks.judging.embeddings import open_embedding
from seqniah_tasks.judging.judges import open_rules, read_template
from seqniah_tasks.truncation import Fate, Sent

NOT_SEEN_WHOLE, NO_REPLY = "input_not_seen_whole", "no_reply"
JUDGE_FAILED, JUDGE_UNREADABLE = "judge_failed", "judge_unreadable"
"""Reasons for which a sample is unscored: the prompt was cut, the provider sent no reply, the judge
sent none, or none that can be read."""

MOST_ANALYSIS = 4_000
"""Characters of a judge's analysis that a log keeps."""


def _benchmark(state: TaskState, scorer: str, kind: type) -> Benchmark:
    """The benchmark of a sample, which a scorer must fit. Raises `PrerequisiteError`."""
    try:
        found = benchmarks.of_facts(state.metadata)
    except SeqniahError as error:
        raise PrerequisiteError(str(error)) from error
    how = found.scoring
    fits = isinstance(how.by, kind) and (kind is ByCase or scorer in (how.name, how.beside))
    if not fits or "lang" not in state.metadata:
        judges = ["judge", "cascade"] if isinstance(how.by, ByCase) else []
        named = " or ".join(f"seqniah/{one}" for one in (how.name, *judges))
        raise PrerequisiteError(
            f"This log is not of samples that seqniah/{scorer} scores; one of {found.title} is "
            f"scored with --scorer {named}."
        )
    return found


def _answered(state: TaskState, target: Target) -> Answered:
    return Answered(
        question=state.input_text,
        reference=target.text,
        facts=state.metadata,
        response=state.output.completion,
        cut_off=_ended(state) == "max_tokens",
        depths=state.metadata.get("needle_depths") or (),
        prompt=next((one.text for one in state.messages if one.role == "user"), ""),
    )


def _ended(state: TaskState) -> str | None:
    """Why the answer ends where it does; None where no model was asked."""
    return None if state.output.empty else state.output.stop_reason


def unscored(state: TaskState) -> Score | None:
    """Unscored where the model cannot have seen the prompt whole, or nothing came from it."""
    note_what_was_sent(state)
    sent.meet(state)
    return _not_seen_whole(state) or _no_reply(state)


def _no_reply(state: TaskState) -> Score | None:
    """Unscored where a provider sends nothing at all, and says that this is the whole reply."""
    if _ended(state) not in ("stop", "unknown") or state.output.completion:
        return None
    content = state.output.message.content
    if state.output.message.tool_calls or (not isinstance(content, str) and content):
        return None
    why = "The provider sent a reply without content, and no reason for it."
    return Score.unscored(reason=NO_REPLY, explanation=why)


def _not_seen_whole(state: TaskState) -> Score | None:
    """Unscored where the model cannot have seen the prompt whole."""
    fate = state.metadata.get("prompt_fate")
    if _ended(state) == "model_length" and fate != Fate.SKIPPED:
        fate = Fate.CUT
    if fate not in (Fate.CUT, Fate.SKIPPED):
        return None
    exact, reported = state.metadata.get("prompt_tokens"), state.metadata.get("reported_tokens")
    if fate == Fate.CUT:
        why = (
            f"The model did not see the whole prompt: of {exact} tokens, the provider reports "
            f"{reported or 'none'}."
        )
    elif _ended(state) == "model_length":
        why = "The prompt was not sent: it does not fit the model's context window."
    else:
        what = "asked no model" if state.output.empty else "left out the messages that it was given"
        why = f"The prompt was not sent: the solver of this run {what}."
    return Score.unscored(reason=NOT_SEEN_WHOLE, answer=state.output.completion, explanation=why)


def own(name: str, kind: type, embeddings: str = "") -> Scorer:
    """The score by a benchmark's own function, or by the rule judge where answers are lists."""

    async def score(state: TaskState, target: Target) -> Score:
        by = _benchmark(state, name, kind).scoring.by
        if without := unscored(state):
            return without
        said_by = by.judge if isinstance(by, ByMeasure) else open_rules(embeddings).name
        scored = _scored(by, _answered(state, target), embeddings)
        return _score(state, scored, {"judge": said_by})

    return score


def _scored(by: ByMeasure | ByCase, answered: Answered, embeddings: str) -> Scored:
    if isinstance(by, ByMeasure):
        return by.score(answered)
    return by.score(answered, lambda case: _aligned(case, embeddings))


@lru_cache(maxsize=64)
def _aligned(case: Case, embeddings: str) -> rules.Aligned:
    """What the rules say of an answer, and which item states which; two scorers ask for it."""
    return rules.align(case, open_embedding(embeddings) if embeddings else None)


def by_model(
    name: str, judge_prompt: str | None, embeddings: str = "", doubt: float | None = None
) -> Scorer:
    """Right or wrong by the grader; with a `doubt`, only where the rules are unsure."""
    template = one_sentence(read_template)(Path(judge_prompt)) if judge_prompt else None

    async def score(state: TaskState, target: Target) -> Score:
        by = _benchmark(state, name, ByCase).scoring.by
        assert isinstance(by, ByCase)
        grader = judge.grader(name)
        if without := unscored(state):
            return without
        answered = _answered(state, target)
        case = by.case(answered)
        aligned = _aligned(case, embeddings)
        by_rules = aligned.verdict
        facts: dict[str, object] = {
            "judge": judge.judge_name(name, grader, open_rules(embeddings).name),
            "judge_prompt": judge.template_name(template),
            "doubts": list(by_rules.doubts),
            "rules_probability": by_rules.probability and round(by_rules.probability, 3),
            "rules_correct": by_rules.correct,
            **({"grades_itself": True} if judge.same_model(grader, get_model()) else {}),
        }
        if not judge.asks_model(case, by_rules, doubt):
            scored = by.scored(answered, aligned, by_rules, "")
            return _score(state, scored, {**facts, "judged_by": "rules"})
        asked = await judge.ask(grader, case, template)
        facts |= {"judged_by": "model", **_spent(asked)}
        verdict = model_judge.verdict(by_rules, asked.reply)
        if verdict.correct is None:
            why = JUDGE_FAILED if asked.failed else JUDGE_UNREADABLE
            scored = Scored(None, verdict.reason, told={"reason": verdict.reason})
            return _score(state, scored, facts, why)
        said = {
            "order_analysis": model_judge.in_short(asked.reply.order_analysis, MOST_ANALYSIS),
            "eval_analysis": model_judge.in_short(asked.reply.eval_analysis, MOST_ANALYSIS),
            "eval_label": "correct" if asked.reply.label else "incorrect",
        }
        scored = by.scored(answered, aligned, verdict, str(grader))
        return _score(state, scored, {**facts, **said})

    return score


def _spent(asked: Asked) -> dict[str, object]:
    return {
        "judge_input_tokens": asked.input_tokens,
        "judge_output_tokens": asked.output_tokens,
        "judge_seconds": asked.seconds,
        "judge_cached": asked.cached,
        **({"judge_cost": asked.cost} if asked.cost is not None else {}),
    }


def _score(
    state: TaskState, scored: Scored, facts: Mapping[str, object], why: str = "not_judged"
) -> Score:
    """A score with what logs keep of it; `why` there is none where there is none."""
    answer, metadata = state.output.completion, {**scored.told, **facts, **sent.notes(state)}
    explanation = scored.explanation or scored.reason
    value: Any = scored.score
    if value is None:
        return Score.unscored(reason=why, answer=answer, explanation=explanation, metadata=metadata)
    if isinstance(value, bool):
        value = CORRECT if value else INCORRECT
    return Score(value=value, answer=answer, explanation=explanation, metadata=metadata)


def beside(name: str, embeddings: str = "") -> Scorer:
    """The figures that explain a score: what was found, what was added, how it was ordered."""

    async def score(state: TaskState, target: Target) -> Score:
        by = benchmarks.of_facts(state.metadata).scoring.by
        if without := unscored(state):
            return without
        _benchmark(state, name, type(by))
        scored = _scored(by, _answered(state, target), embeddings)
        # Not a number where the sample has no such figure, so that no mean counts it.
        figures = {
            one: math.nan if value is None else round(float(value), 4)
            for one, value in scored.figures.items()
        }
        explanation = scored.in_short or None
        return Score(value=figures, explanation=explanation, metadata=sent.notes(state))

    return score


def seen() -> Scorer:
    """The tokens that the provider reports, as a share of the exact count: 0 where it reports none.

    What follows from it is known when all prompts are, so the metrics tell it, and no sample.
    """

    async def score(state: TaskState, target: Target) -> Score:
        note_what_was_sent(state)
        notes = sent.notes(state)
        exact, reported = notes.get("prompt_tokens", 0), notes.get("reported_tokens", 0)
        fate = notes.get("prompt_fate")
        return Score(
            value=round(Sent("", exact or 1, reported).ratio, 3),
            answer=fate,
            explanation=(
                f"{'Prompt' if fate is None else f'Prompt {fate}'}: {exact} tokens counted, "
                f"{reported or 'none'} reported."
            ),
            metadata=notes,
        )

    return score
