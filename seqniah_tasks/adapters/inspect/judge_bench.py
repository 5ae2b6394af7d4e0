"""The judge bench for inspect-ai, registered in `seqniah.py`: the model under test is the judge."""

from __future__ import annotations

import math
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score, Scorer, value_to_float
from inspect_ai.solver import Generate, Solver, TaskState

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import LANGS
from seqniah_scorers import model_judge, replies
from seqniah_scorers.labelled import Labelled
from seqniah_scorers.verdict import Case
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import judge, viewer
from seqniah_tasks.benchmarks.protocol import JudgeBench
from seqniah_tasks.quoting import quoted
from seqniah_tasks.shares import share

GROUP_KEYS = ("group", "needle_type", "lang")
"""Metadata by which a judge's accuracy is broken down."""

_OF_CASE = ("lang", "needle_type", "question", "reference", "response")
"""Metadata that make the case itself."""


def make_task(
    part: str = "test",
    kind: str = "paper",
    lang: str = "",
    seed: int = 0,
    limit: int | None = None,
    *,
    ask: Solver,
    scorers: list[Scorer],
) -> Task:
    """The bench as a task with the options of `seqniah.judge_bench`, its solver and its scorers."""
    bench = _bench()
    labelled = bench.cases(part, kind, seed)
    if lang and lang not in LANGS:
        raise UnknownName("language", lang, list(LANGS))
    if limit is not None and limit < 1:
        raise SeqniahError(f"limit is a number of cases from 1, not {limit}.")
    found = [one for one in labelled if not lang or one.case.lang == lang][:limit]
    return Task(
        dataset=MemoryDataset([_sample(one, bench) for one in found], name=f"judge-{kind}-{part}"),
        solver=ask,
        scorer=scorers,
        version=bench.version,
        display_name=f"{bench.title} ({kind}, {part})",
        config=GenerateConfig(temperature=0),
        viewer=viewer.of_bench(),
        metadata={
            "benchmark": bench.name,
            "set": kind,
            "part": part,
            "seed": seed,
            "prompt_version": model_judge.PROMPT_VERSION,
        },
    )


def _bench() -> JudgeBench:
    """The first benchmark's that declares one; there is one."""
    return next(one.judge_bench() for one in benchmarks.known().values() if one.judge_bench)


def _sample(one: Labelled, bench: JudgeBench) -> InspectSample:
    case = one.case
    return InspectSample(
        id=one.id,
        input=model_judge.ask(case),
        target=bench.labels[one.correct],
        metadata={
            **{name: getattr(case, name) for name in _OF_CASE},
            "group": one.group,
            "shuffled": one.shuffled,
            "order_required": one.order_required,
        },
    )


def _case(state: TaskState) -> Case:
    return Case(**{name: state.metadata[name] for name in _OF_CASE})


async def ask(structured: bool, state: TaskState, generate: Generate) -> TaskState:
    """Ask for a verdict; `structured`: have the provider hold the reply to its form."""
    if not structured or get_model().config.response_schema is not None:
        return await generate(state)
    case = _case(state)
    return await generate(state, response_schema=judge.schema(case.lang, case.needle_type))


def score(state: TaskState, label: str) -> Score:
    """Whether the judge's label is the right one; unscored where it has none."""
    completion = state.output.completion
    cut_off = state.output.stop_reason == "max_tokens"
    reply = replies.read(completion, _case(state), cut_off=cut_off)
    if reply.label is None:
        return Score.unscored(reason="unreadable", answer=completion, explanation=reply.problem)
    said = _bench().labels[reply.label]
    analysis = quoted(reply.eval_analysis, model_judge.MOST_REASON)
    return Score(
        value=CORRECT if said == label else INCORRECT,
        answer=said,
        explanation=f"The judge says {said}, with these words: {analysis}",
        metadata={"order_analysis": reply.order_analysis, "label": label},
    )


def accuracy(scores: list[SampleScore]) -> dict[str, float]:
    """Right verdicts among those that could be read, with the Wilson score interval."""
    hits = [value for _, value in _hits(scores)]
    found = share(sum(hits), len(hits))
    return {"accuracy": found.value, "low": found.low, "high": found.high}


def accuracy_by_group(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy of each answer group, needle type and language, in this order."""
    groups: dict[tuple[int, str], list[float]] = {}
    for facts, value in _hits(scores):
        for place, key in enumerate(GROUP_KEYS):
            groups.setdefault((place, str(facts.get(key))), []).append(value)
    return {name: sum(part) / len(part) for (_, name), part in sorted(groups.items())}


_AS_FLOAT = value_to_float()


def _hits(scores: list[SampleScore]) -> list[tuple[dict[str, Any], float]]:
    """Facts and 1 or 0 of scored samples; epochs of one sample come reduced to their mean."""
    values = [(one.sample_metadata or {}, _AS_FLOAT(one.score.value)) for one in scores]
    return [(facts, value) for facts, value in values if not math.isnan(value)]
