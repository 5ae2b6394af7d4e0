"""The registered face of seqniah: every task, solver, scorer and model that inspect-ai sees.

Registry names take the name of the module they are defined in, so all of them stand here and
are made elsewhere.
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.scorer import (
    Metric,
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
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.adapters import for_inspect
from seqniah_tasks.adapters.for_inspect import (
    DIAGNOSTIC,
    check_scorer,
    make_task,
    one_sentence,
)
from seqniah_tasks.benchmarks.options import Given, Options, read_options

__all__ = ["baselines", "dev", "items", "render", "rules", "strata", "test", "train"]


@task
@one_sentence
def test(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = DEFAULT_CORPUS,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
) -> Task:
    """Sequential-NIAH, test split: find 3 to 15 needles and list them in order (2504.04713).

    `lang`, `pipeline`, `length` and `needles` let only some of the samples pass and take comma
    lists; `seed`, `corpus`, `tokenizer` and `order` build other ones, with other ids.

    Args:
        lang: en or zh.
        pipeline: synthetic-temporal.
        length: 8k-16k, 16k-32k, 32k-64k or 64k-128k, in tokens of the whole prompt.
        needles: A number from 3 to 15, or a range: 3-5, 6-10, 11-15.
        corpus: procedural (embedded), or a folder of .txt, .jsonl and .parquet files.
        seed: Of everything drawn.
        tokenizer: cl100k_base, o200k_base, qwen, or the path of a tokenizer file.
        order: shuffled, or sorted (needles stand in true order).
        scorer: auto or rules.
        limit_per_stratum: At most so many samples of each language, pipeline and length.
    """
    options = read_options(
        "test", lang, pipeline, length, needles, corpus, seed, tokenizer, order, limit_per_stratum
    )
    return _task(options, scorer)


@task
@one_sentence
def dev(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = DEFAULT_CORPUS,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
) -> Task:
    """Sequential-NIAH, development split; options as for `test`."""
    options = read_options(
        "dev", lang, pipeline, length, needles, corpus, seed, tokenizer, order, limit_per_stratum
    )
    return _task(options, scorer)


@task
@one_sentence
def train(
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = DEFAULT_CORPUS,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    order: str = "shuffled",
    scorer: str = "auto",
    limit_per_stratum: Given = None,
) -> Task:
    """Sequential-NIAH, training split; options as for `test`."""
    options = read_options(
        "train", lang, pipeline, length, needles, corpus, seed, tokenizer, order, limit_per_stratum
    )
    return _task(options, scorer)


def _task(options: Options, scorer: str) -> Task:
    check_scorer(scorer)
    return make_task(options, render(options), generate(), [rules(), items()])


@solver
def render(options: Options) -> Solver:
    """Build the sample's prompt from its recipe, just before the model is asked."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await for_inspect.render_prompt(options, state)

    return solve


@metric
def strata() -> Metric:
    """Accuracy by length, number of needles, pipeline and language."""

    def measure(scores: list[SampleScore]) -> Value:
        return for_inspect.accuracy_by_stratum(scores)

    return measure


@scorer(metrics=[accuracy(), ci_wilson(), strata()])
def rules() -> Scorer:
    """The rule judge: right items, none missing or added, in order where order is demanded."""

    async def score(state: TaskState, target: Target) -> Score:
        return for_inspect.strict_score(state, target.text)

    return score


@scorer(metrics=DIAGNOSTIC)
def items() -> Scorer:
    """Why an answer is right or wrong: item recall, item precision, order agreement."""

    async def score(state: TaskState, target: Target) -> Score:
        return for_inspect.diagnostic_score(state, target.text)

    return score


@modelapi("seqniah")
def baselines() -> type[ModelAPI]:
    """The offline readers: `--model seqniah/lexical`, `-M top_k=10`."""
    return for_inspect.BaselineAPI
