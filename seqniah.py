"""The registered face of seqniah: every task, solver, scorer and model that inspect-ai sees.

Registry names take the name of the module they are defined in, so all of them stand here and
are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.scorer import (
    Metric,
    MetricProtocol,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    ci_wilson,
    metric,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.adapters import for_inspect, inspect_baseline, inspect_scores
from seqniah_tasks.adapters.for_inspect import check_scorer, make_task, one_sentence
from seqniah_tasks.adapters.inspect_scores import DIAGNOSTIC
from seqniah_tasks.benchmarks.options import Given, Guard, Options, options_of, read_guard

__all__ = [
    "ask",
    "baselines",
    "dev",
    "items",
    "overall",
    "prompt",
    "prompts",
    "rules",
    "strata",
    "test",
    "train",
]


@task
@one_sentence
def test(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
    edition: str = "open",
    tkg: Given = None,
    qa: Given = None,
    shortfall: str = "refuse",
    on_overflow: str = "refuse",
    context: Given = None,
    closed_book: Given = False,
) -> Task:
    """Sequential-NIAH, test split: find 3 to 15 needles and list them in order (2504.04713).

    `lang`, `pipeline`, `length` and `needles` let only some of the samples pass and take comma
    lists; `seed`, `corpus`, `tokenizer`, `order`, `edition` and its sources build other ones, with
    other ids.

    Args:
        lang: en or zh.
        pipeline: synthetic-temporal, real-temporal or real-logical.
        length: 8k-16k, 16k-32k, 32k-64k or 64k-128k, in tokens of the whole prompt; beyond what
            the paper has, 128k-256k, 256k-512k or 512k-1m.
        needles: A number from 3 to 15, or a range: 3-5, 6-10, 11-15.
        corpus: procedural (embedded), a folder of texts, or hub:OWNER/NAME@REVISION.
        seed: Of everything drawn.
        tokenizer: cl100k_base, o200k_base, qwen, or the path of a tokenizer file.
        order: shuffled, or sorted (needles stand in true order).
        scorer: auto or rules.
        limit_per_stratum: At most so many samples of each language, pipeline and length.
        edition: open (embedded sources) or paper (tkg, qa, and the paper's corpus).
        tkg: Paths of ICEWS (.tsv) and FEG (.jsonl), for the paper edition.
        qa: Path of questions of your own (.jsonl), for the paper edition.
        shortfall: When there are too few questions: refuse, smaller or reuse.
        on_overflow: When a prompt cannot fit the model: refuse, or skip (it stays unscored).
        context: The model's window in tokens, where nothing else tells it.
        closed_book: Ask without the haystack, to see what the model knows beforehand.
    """
    return _task("test", locals())


@task
@one_sentence
def dev(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
    edition: str = "open",
    tkg: Given = None,
    qa: Given = None,
    shortfall: str = "refuse",
    on_overflow: str = "refuse",
    context: Given = None,
    closed_book: Given = False,
) -> Task:
    """Sequential-NIAH, development split; options as for `test`."""
    return _task("dev", locals())


@task
@one_sentence
def train(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
    edition: str = "open",
    tkg: Given = None,
    qa: Given = None,
    shortfall: str = "refuse",
    on_overflow: str = "refuse",
    context: Given = None,
    closed_book: Given = False,
) -> Task:
    """Sequential-NIAH, training split; options as for `test`."""
    return _task("train", locals())


def _task(split: str, given: Mapping[str, Any]) -> Task:
    """The task of a split from all arguments of its function."""
    check_scorer(given["scorer"])
    guard = read_guard(given["on_overflow"], given["context"])
    options = options_of(given, split)
    return make_task(options, guard, ask(options, guard), [rules(), items(), prompt()])


@solver
def ask(options: Options, guard: Guard) -> Solver:
    """Build the prompt from its recipe, ask the model, and check that it was read whole."""
    watch = for_inspect.Watch()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await for_inspect.ask(options, guard, watch, state, generate)

    return solve


@metric
def overall() -> Metric:
    """Accuracy with its Wilson score interval, over prompts that the model may have seen whole."""
    share, interval = accuracy(), ci_wilson()

    def measure(scores: list[SampleScore]) -> Value:
        seen = inspect_scores.seen_whole(scores)
        ends = cast(MetricProtocol, interval)(seen)
        value = cast(MetricProtocol, share)(seen)
        return {"accuracy": cast(float, value), **cast(dict[str, float], ends)}

    return measure


@metric
def prompts() -> Metric:
    """Prompts seen whole, cut, not sent, or unverified."""

    def measure(scores: list[SampleScore]) -> Value:
        return dict(inspect_scores.count_fates(scores))

    return measure


@metric
def strata() -> Metric:
    """Accuracy by length, number of needles, pipeline and language."""

    def measure(scores: list[SampleScore]) -> Value:
        return inspect_scores.accuracy_by_stratum(scores)

    return measure


@scorer(metrics=[overall(), strata()])
def rules() -> Scorer:
    """The rule judge: right items, none missing or added, in order where order is demanded."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.strict_score(state, target.text)

    return score


@scorer(metrics=DIAGNOSTIC)
def items() -> Scorer:
    """Why an answer is right or wrong: item recall, item precision, order agreement."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.diagnostic_score(state, target.text)

    return score


@scorer(metrics=[prompts()])
def prompt() -> Scorer:
    """Whether the model saw the whole prompt; what it did not is unscored above."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.prompt_score(state)

    return score


@modelapi("seqniah")
def baselines() -> type[ModelAPI]:
    """The offline readers: `--model seqniah/lexical`, `-M top_k=10`."""
    return inspect_baseline.BaselineAPI
