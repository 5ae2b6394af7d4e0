"""Counting-Stars as inspect-ai sees it: its task and the scores of an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from inspect_ai import Task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Metric, Score, Scorer, Target, mean
from inspect_ai.solver import Solver, TaskState

from seqniah_datasets.schema import StarTask
from seqniah_scorers.stars import StarCase, StarVerdict, judge
from seqniah_tasks.adapters import inspect_viewer
from seqniah_tasks.adapters.for_inspect import check_fit
from seqniah_tasks.adapters.inspect_scores import not_seen_whole, prompt_notes
from seqniah_tasks.adapters.opened import open_benchmark
from seqniah_tasks.benchmarks import counting_stars as benchmark
from seqniah_tasks.benchmarks.counting_options import StarOptions
from seqniah_tasks.benchmarks.counting_stars import CountingStars
from seqniah_tasks.benchmarks.explain_stars import explain
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.benchmarks.star_questions import PlannedStars, case_of
from seqniah_tasks.star_records import FIGURES, JUDGE, told

PLACING: dict[str, list[Metric]] = {name: [mean()] for name in FIGURES}
"""Metrics that explain the score; each is over the answers that have such a figure."""


def make_task(options: StarOptions, guard: Guard, ask: Solver, scorers: list[Scorer]) -> Task:
    """The task of these options, with the registered solver and scorers. Raises `SeqniahError`."""
    bench = open_benchmark(options)
    check_fit(bench, guard, _up_to)
    setup = bench.setup()
    return Task(
        dataset=MemoryDataset(
            [_sample(bench, planned) for planned in bench.plan],
            name=f"{benchmark.NAME}-{options.edition}",
        ),
        solver=ask,
        scorer=scorers,
        version=benchmark.VERSION,
        display_name=f"Counting-Stars {options.edition}" + (f" ({setup})" if setup else ""),
        headline_metric=HeadlineMetric(scorer="stars", metric="mean"),
        viewer=inspect_viewer.of_stars(PLACING, options.task is StarTask.PLAYERS),
        metadata={**bench.facts(), "scorer": JUDGE},
    )


def _up_to(fitting: Sequence[str]) -> str:
    """The option that leaves the lengths of which all prompts fit, the longest last."""
    return f"-T max_length={fitting[-1]}"


def _sample(bench: CountingStars, planned: PlannedStars) -> InspectSample:
    asked = bench.asked(planned)
    return InspectSample(
        id=planned.id,
        input=asked.question,
        target=asked.reference,
        metadata={"benchmark": benchmark.NAME, **asked.facts(planned, bench.options)},
    )


def _case(state: TaskState) -> StarCase:
    if state.metadata.get("benchmark") != benchmark.NAME:
        raise PrerequisiteError(
            "This log is not of Counting-Stars; one of Sequential-NIAH is scored with --scorer "
            "seqniah/rules, seqniah/judge or seqniah/cascade."
        )
    return case_of(state.metadata, state.output.completion)


_judged = lru_cache(maxsize=64)(judge)
"""Two scorers ask for one verdict."""


def counting() -> Scorer:
    """The score of an answer, and what it consists of."""

    async def score(state: TaskState, target: Target) -> Score:
        unscored = not_seen_whole(state)
        if unscored:
            return unscored
        case = _case(state)
        verdict = _judged(case)
        depths = state.metadata.get("needle_depths", ())
        limited = state.output.stop_reason == "max_tokens"
        return Score(
            value=verdict.score,
            answer=case.response,
            explanation=explain(case, verdict, depths, limited=limited),
            metadata={"judge": JUDGE, **told(verdict), **prompt_notes(state)},
        )

    return score


def placing() -> Scorer:
    """The figures beside the score."""

    async def score(state: TaskState, target: Target) -> Score:
        unscored = not_seen_whole(state)
        if unscored:
            return unscored
        case = _case(state)
        verdict = _judged(case)
        # Where one counts alone there is nobody to confuse; the metric then stands in no table.
        names = [one for one in PLACING if one != "confusion" or case.task is StarTask.PLAYERS]
        return Score(value={name: _figure(verdict, name) for name in names})

    return score


def _figure(verdict: StarVerdict, name: str) -> float:
    """Not a number where the question has no such figure, so that no mean counts it."""
    found = getattr(verdict, name)
    return math.nan if found is None else round(float(found), 4)
