"""Sequential-NIAH as inspect-ai sees it. What is registered stands in `seqniah.py`."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import anyio.to_thread
from inspect_ai import Task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    mean,
    value_to_float,
)
from inspect_ai.solver import Solver, TaskState
from inspect_ai.tool import ToolChoice, ToolInfo

from seqniah_datasets import haystack, tokens
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import Pipeline
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case
from seqniah_tasks import terminal
from seqniah_tasks.baselines import BASELINES, TOP_K
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.explain import explain, summarize
from seqniah_tasks.benchmarks.options import Options
from seqniah_tasks.benchmarks.sequential_niah import Planned, SequentialNiah
from seqniah_tasks.records import STRATA_ORDER

P = ParamSpec("P")
T = TypeVar("T")

SCORERS = ("auto", "rules")
"""What -T scorer= takes; auto is the rule judge."""


def one_sentence(function: Callable[P, T]) -> Callable[P, T]:
    """Let inspect show a user's mistake as it shows its own: one sentence, no traceback."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SeqniahError as error:
            raise PrerequisiteError(str(error).replace("[", r"\[")) from error

    return wrapped


open_benchmark = lru_cache(maxsize=4)(terminal.open_benchmark)
"""One benchmark serves the task and every sample's solver."""

judge = lru_cache(maxsize=64)(rules.judge)
"""Both scorers ask for the same verdict, one after the other."""


def make_task(options: Options, render: Solver, generate: Solver, scorers: list[Scorer]) -> Task:
    """The task of a split, with the registered solver and scorers; the first one decides."""
    bench = open_benchmark(options)
    if not bench.plan:
        raise SeqniahError("No sample passes all the filters given with -T; drop one of them.")
    samples = [_sample(bench, planned) for planned in bench.plan]
    return Task(
        dataset=MemoryDataset(samples, name=f"sequential-niah-{options.split}"),
        solver=[render, generate],
        scorer=scorers,
        version=benchmark.VERSION,
        display_name=f"Sequential-NIAH ({options.split})",
        headline_metric=HeadlineMetric(scorer="rules", metric="accuracy"),
        metadata=bench.facts(),
    )


def check_scorer(name: str) -> None:
    """Raise `UnknownName` for a scorer that there is not."""
    if name not in SCORERS:
        raise UnknownName("scorer", name, list(SCORERS))


def _sample(bench: SequentialNiah, planned: Planned) -> InspectSample:
    slot, qa = planned.slot, bench.qa(planned)
    return InspectSample(
        id=planned.id,
        input=qa.question,
        target=qa.reference,
        metadata={
            "split": slot.split,
            "lang": slot.lang,
            "pipeline": str(slot.pipeline),
            "length_bin": slot.length.name,
            "needle_group": slot.group.name,
            "needles": planned.needles,
            "order_required": qa.order_required,
        },
    )


async def render_prompt(options: Options, state: TaskState) -> TaskState:
    """Put the long prompt in the place of the bare question, just in time."""
    bench = open_benchmark(options)

    def make() -> tuple[str, dict[str, Any]]:
        recipe = bench.recipe(bench.find(str(state.sample_id)))
        sample = haystack.render(recipe, bench.corpus)
        facts = {
            "prompt_tokens": recipe.tokens,
            "prompt_sha256": recipe.sha256,
            "needle_depths": [round(span.depth, 4) for span in sample.spans],
        }
        return sample.input, facts

    prompt, facts = await anyio.to_thread.run_sync(make)
    state.messages = [ChatMessageUser(content=prompt)]
    state.metadata.update(facts)
    return state


GROUP_KEYS = ("length_bin", "needle_group", "pipeline", "lang")
"""Metadata by which accuracy is broken down."""

DIAGNOSTIC: dict[str, list[Metric]] = {
    "item_recall": [mean()],
    "item_precision": [mean()],
    "order_agreement": [mean()],
}
"""Metrics that explain strict accuracy: what was found, what was added, how it was ordered."""


_AS_FLOAT = value_to_float()


def accuracy_by_stratum(scores: list[SampleScore]) -> dict[str, float]:
    """Accuracy of each length bin, needle group, pipeline and language, in this order."""
    groups: dict[tuple[int, int, str], list[float]] = {}
    for score in scores:
        for place, key in enumerate(GROUP_KEYS):
            value = str((score.sample_metadata or {}).get(key))
            name = f"{value} needles" if key == "needle_group" else value
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
    )


def _not_seen_whole(state: TaskState) -> Score | None:
    if state.output.stop_reason != "model_length":
        return None
    return Score.unscored(
        reason="input_not_seen_whole",
        answer=state.output.completion,
        explanation="The prompt did not fit the model's context window.",
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


class BaselineAPI(ModelAPI):
    """The offline readers as models: `--model seqniah/<name>`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        top_k: int = TOP_K,
        **unknown: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in BASELINES:
            known = ", ".join(f"seqniah/{name}" for name in BASELINES)
            raise PrerequisiteError(f"Unknown model 'seqniah/{model_name}'; known: {known}.")
        if unknown:
            raise PrerequisiteError(f"Unknown -M {', '.join(unknown)}; known: top_k.")
        if not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 1:
            raise PrerequisiteError(f"-M top_k= is a whole number from 1, not {top_k!r}.")
        self._reader, self._top_k = BASELINES[model_name], top_k

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Read the last message; counts are exact, in tokens of the default encoding."""
        prompt = input[-1].text

        def read() -> tuple[str, int, int]:
            answer = self._reader(prompt, self._top_k)
            counter = tokens.tokenizer()
            return answer, counter.count(prompt), counter.count(answer)

        answer, seen, written = await anyio.to_thread.run_sync(read)
        output = ModelOutput.from_content(f"seqniah/{self.model_name}", answer)
        output.usage = ModelUsage(
            input_tokens=seen, output_tokens=written, total_tokens=seen + written
        )
        return output
