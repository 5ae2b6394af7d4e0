"""The registered face of seqniah: every task, solver, scorer and model that inspect-ai sees.

Registry names take the name of the module they are defined in, so all of them stand here and
are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
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
from seqniah_tasks.adapters import (
    for_inspect,
    inspect_baseline,
    inspect_bench,
    inspect_judge,
    inspect_scores,
)
from seqniah_tasks.adapters.for_inspect import (
    make_task,
    one_sentence,
    options_of_task,
    read_judging,
)
from seqniah_tasks.adapters.inspect_scores import DIAGNOSTIC
from seqniah_tasks.benchmarks.noise import BASES
from seqniah_tasks.benchmarks.options import (
    Given,
    Guard,
    Options,
    options_of,
    read_bases,
    read_guard,
)
from seqniah_tasks.judging.judges import read_template

__all__ = [
    "ask",
    "ask_verdict",
    "baselines",
    "cascade",
    "dev",
    "items",
    "judge",
    "judge_bench",
    "label",
    "label_accuracy",
    "label_groups",
    "noise",
    "overall",
    "prompt",
    "prompts",
    "robustness",
    "rules",
    "shares",
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
    judge_prompt: Given = None,
    embeddings: Given = None,
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
        scorer: rules; judge (the grader role's model); cascade (rules, and the grader where they
            are unsure); auto (cascade with a grader role, else rules).
        limit_per_stratum: At most so many samples of each language, pipeline and length.
        edition: open (embedded sources) or paper (tkg, qa, and the paper's corpus).
        tkg: Paths of ICEWS (.tsv) and FEG (.jsonl), for the paper edition.
        qa: Path of questions of your own (.jsonl), for the paper edition.
        shortfall: When there are too few questions: refuse, smaller or reuse.
        on_overflow: When a prompt cannot fit the model: refuse, or skip (it stays unscored).
        context: The model's window in tokens, where nothing else tells it.
        closed_book: Ask without the haystack, to see what the model knows beforehand.
        judge_prompt: A file with a prompt of your own for the grader; it holds {question},
            {reference}, {response} and {delimiter}.
        embeddings: A model2vec model, a folder or a name on the hub, for the rule judge.
    """
    return _task("test", locals())


@task
@one_sentence
@options_of_task(test)
def dev(**given: Any) -> Task:
    """Sequential-NIAH, development split; options as for `test`."""
    return _task("dev", given)


@task
@one_sentence
@options_of_task(test)
def train(**given: Any) -> Task:
    """Sequential-NIAH, training split; options as for `test`."""
    return _task("train", given)


@task
@one_sentence
@options_of_task(test, bases=BASES)
def noise(**given: Any) -> Task:
    """The noise suite: samples of the test split, each with twelve variants (paper, section 5.3).

    Options as for `test`, and `bases`, the number of samples that get variants.
    """
    return _task("test", given, read_bases(given.pop("bases")))


def _task(split: str, given: Mapping[str, Any], bases: int = 0) -> Task:
    """The task of a split, or of its noise suite, from all arguments of its function."""
    judging = read_judging(given["scorer"], given["judge_prompt"], given["embeddings"])
    guard = read_guard(given["on_overflow"], given["context"])
    options = replace(options_of(given, split), bases=bases)
    if judging.scorer == "judge":
        first = judge(judging.prompt)
    elif judging.scorer == "cascade":
        first = cascade(judging.prompt, judging.embeddings)
    else:
        first = rules(judging.embeddings)
    solving = ask(options, guard, judging.scorer)
    scorers = [first, items(judging.embeddings), prompt()]
    return make_task(options, guard, judging, solving, scorers)


@task(name="judge")
@one_sentence
def judge_bench(
    part: str = "test",
    set: str = "paper",
    lang: str = "",
    seed: int = 0,
    limit_cases: int | None = None,
    structured: bool = True,
) -> Task:
    """The judge bench: the model under test is the judge (paper, Tables 4 and 7).

    Args:
        part: test (1,960 cases; 2,400 of the harder set) or train.
        set: paper (the published cells) or harder (layouts and subtle faults).
        lang: en or zh; empty for both.
        seed: Of everything drawn.
        limit_cases: At most so many cases (inspect's --limit does the same).
        structured: Ask the provider for JSON by schema; false for one that refuses it.
    """
    return inspect_bench.make_task(
        part, set, lang, seed, limit_cases, ask=ask_verdict(structured), scorers=[label()]
    )


@solver
def ask(options: Options, guard: Guard, scorer: str = "rules") -> Solver:
    """Build the prompt from its recipe, ask the model, and check that it was read whole."""
    watch = for_inspect.Watch()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if scorer != "rules":
            inspect_judge.grader(scorer)  # or stop before the first request
        return await for_inspect.ask(options, guard, watch, state, generate)

    return solve


@solver
def ask_verdict(structured: bool = True) -> Solver:
    """Ask the model for its verdict on a case."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await inspect_bench.ask(structured, state, generate)

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
def robustness() -> Metric:
    """Of the noise suite: accuracy by type of noise, and how far verdicts stay the same."""

    def measure(scores: list[SampleScore]) -> Value:
        return inspect_scores.robustness(scores)

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


@scorer(metrics=[overall(), strata(), robustness()])
def rules(embeddings: str = "") -> Scorer:
    """The rule judge: right items, none missing or added, in order where order is demanded."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.strict_score(state, target.text, embeddings)

    return score


@metric
def shares() -> Metric:
    """How much of a cascade the rules and the model decided, and their agreement."""

    def measure(scores: list[SampleScore]) -> Value:
        return inspect_scores.shares(scores)

    return measure


@scorer(metrics=[overall(), strata(), robustness()])
def judge(judge_prompt: str | None = None) -> Scorer:
    """The grader role's model; a sample that it gives no readable verdict on is unscored."""
    return _by_model("judge", judge_prompt)


@scorer(metrics=[overall(), strata(), robustness(), shares()])
def cascade(judge_prompt: str | None = None, embeddings: str = "") -> Scorer:
    """The rule judge where it is certain, and the grader role's model for the rest."""
    return _by_model("cascade", judge_prompt, embeddings)


def _by_model(name: str, judge_prompt: str | None, embeddings: str = "") -> Scorer:
    template = for_inspect.one_sentence(read_template)(Path(judge_prompt)) if judge_prompt else None

    async def score(state: TaskState, target: Target) -> Score:
        reference = target.text
        return await inspect_scores.model_score(state, reference, name, template, embeddings)

    return score


@scorer(metrics=DIAGNOSTIC)
def items(embeddings: str = "") -> Scorer:
    """Why an answer is right or wrong: item recall, item precision, order agreement."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.diagnostic_score(state, target.text, embeddings)

    return score


@scorer(metrics=[prompts()])
def prompt() -> Scorer:
    """Whether the model saw the whole prompt; what it did not is unscored above."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_scores.prompt_score(state)

    return score


@metric
def label_accuracy() -> Metric:
    """Right verdicts among those that could be read, with the Wilson score interval."""

    def measure(scores: list[SampleScore]) -> Value:
        return dict(inspect_bench.accuracy(scores))

    return measure


@metric
def label_groups() -> Metric:
    """Accuracy by answer group, needle type and language."""

    def measure(scores: list[SampleScore]) -> Value:
        return dict(inspect_bench.accuracy_by_group(scores))

    return measure


@scorer(metrics=[label_accuracy(), label_groups()])
def label() -> Scorer:
    """Whether the judge's label is the true one; unscored where its reply cannot be read."""

    async def score(state: TaskState, target: Target) -> Score:
        return inspect_bench.score(state, target.text)

    return score


@modelapi("seqniah")
def baselines() -> type[ModelAPI]:
    """The offline readers: `--model seqniah/lexical`, `-M top_k=10`."""
    return inspect_baseline.BaselineAPI
