"""The registered face of seqniah: every task, solver, scorer and model that inspect-ai sees.

Registry names take the name of the module they are defined in, so all of them stand here and
are made elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.scorer import Metric, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.adapters import (
    for_inspect,
    inspect_baseline,
    inspect_bench,
    inspect_metrics,
    inspect_scores,
    inspect_stars,
)
from seqniah_tasks.adapters.for_inspect import one_sentence, options_of_task
from seqniah_tasks.benchmarks.counting_options import StarOptions, star_options_of
from seqniah_tasks.benchmarks.noise import BASES
from seqniah_tasks.benchmarks.options import Guard, Options, options_of, read_bases, read_guard
from seqniah_tasks.benchmarks.reading import Given


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
    judging = for_inspect.read_judging(given["scorer"], given["judge_prompt"], given["embeddings"])
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
    return for_inspect.make_task(options, guard, judging, solving, scorers)


@task
@one_sentence
def counting_stars(
    preset: Given = None,
    m: Given = None,
    n: Given = None,
    max_length: Given = 128_000,
    lang: Given = None,
    task: str = "searching",
    ask: Given = None,
    players: Given = None,
    order: Given = None,
    numbers: Given = None,
    snap: str = "sentence",
    unit: str = "tokens",
    repeats: Given = 1,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = DEFAULT_TOKENIZER,
    on_overflow: str = "refuse",
    context: Given = None,
) -> Task:
    """Counting-Stars: list the numbers of all stars in a sky of text, at N lengths (2403.11802).

    Args:
        preset: A published version: 32-32, 16-32, 64-32, 32-16 or 32-32-shuffled (M-N).
        m: Stars of a sky; 32.
        n: Lengths, up to the longest in equal steps; 32.
        max_length: The longest, as 128000, 128k or 1m.
        lang: en or zh; both unless told.
        task: searching (list all), reasoning (each star is miscounted first), players (several
            count, and one is asked about).
        ask: Of players: list, sum, largest or order (two players' in one list); all four.
        players: How many count, from 2; 4.
        order: Of the numbers: increasing, shuffled or given; players: shuffled unless told.
        numbers: The stars' numbers, as 3,7,8; drawn unless told.
        snap: Where a star may stand: sentence (after one), word, or none (anywhere, as published).
        unit: Of lengths: tokens (of the prompt), or characters or words as published.
        repeats: Skies of each length, with other numbers.
        corpus: procedural (embedded), a folder of texts, or hub:OWNER/NAME@REVISION.
        seed: Of everything drawn.
        tokenizer: cl100k_base, o200k_base, qwen, or the path of a tokenizer file.
        on_overflow: When a prompt cannot fit the model: refuse, or skip (it stays unscored).
        context: The model's window in tokens, where nothing else tells it.
    """
    return _star_task(locals())


def _star_task(given: Mapping[str, Any]) -> Task:
    options, guard = star_options_of(given), read_guard(given["on_overflow"], given["context"])
    scorers = [stars(), placing(), prompt()]
    return inspect_stars.make_task(options, guard, ask(options, guard), scorers)


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
def ask(options: Options | StarOptions, guard: Guard, scorer: str = "rules") -> Solver:
    """Build the prompt from its recipe, ask the model, and check that it was read whole."""
    return for_inspect.asking(options, guard, scorer)


@solver
def ask_verdict(structured: bool = True) -> Solver:
    """Ask the model for its verdict on a case."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await inspect_bench.ask(structured, state, generate)

    return solve


@metric
def overall() -> Metric:
    """Accuracy with its Wilson score interval, over prompts that the model may have seen whole."""
    return inspect_metrics.overall


@metric
def strata() -> Metric:
    """Accuracy by length, number of needles, pipeline and language."""
    return inspect_metrics.strata


@metric
def robustness() -> Metric:
    """Of the noise suite: accuracy by type of noise, and how far verdicts stay the same."""
    return inspect_metrics.robustness


@metric
def shares() -> Metric:
    """How much of a cascade the rules and the model decided, and their agreement."""
    return inspect_metrics.shares


@metric
def prompts() -> Metric:
    """Prompts seen whole, cut, not sent, or unverified."""
    return inspect_metrics.prompts


@metric
def mean_score() -> Metric:
    """The mean score with its interval, over prompts that the model may have seen whole."""
    return inspect_metrics.mean_score


@metric
def mean_by_group() -> Metric:
    """The mean score by length, language, and question where there are several."""
    return inspect_metrics.mean_by_group


@metric
def label_accuracy() -> Metric:
    """Right verdicts among those that could be read, with the Wilson score interval."""
    return inspect_bench.accuracy


@metric
def label_groups() -> Metric:
    """Accuracy by answer group, needle type and language."""
    return inspect_bench.accuracy_by_group


@scorer(metrics=[overall(), strata(), robustness()])
def rules(embeddings: str = "") -> Scorer:
    """The rule judge: right items, none missing or added, in order where order is demanded."""
    return inspect_scores.by_rules(embeddings)


@scorer(metrics=[overall(), strata(), robustness()])
def judge(judge_prompt: str | None = None) -> Scorer:
    """The grader role's model; a sample that it gives no readable verdict on is unscored."""
    return inspect_scores.by_model("judge", judge_prompt)


@scorer(metrics=[overall(), strata(), robustness(), shares()])
def cascade(judge_prompt: str | None = None, embeddings: str = "") -> Scorer:
    """The rule judge where it is certain, and the grader role's model for the rest."""
    return inspect_scores.by_model("cascade", judge_prompt, embeddings)


@scorer(metrics=inspect_scores.DIAGNOSTIC)
def items(embeddings: str = "") -> Scorer:
    """Why an answer is right or wrong: item recall, item precision, order agreement."""
    return inspect_scores.diagnosis(embeddings)


@scorer(metrics=[mean_score(), mean_by_group()])
def stars() -> Scorer:
    """How many of the stars asked for an answer lists; of a sum or largest number, right or not."""
    return inspect_stars.counting()


@scorer(metrics=inspect_stars.PLACING)
def placing() -> Scorer:
    """Numbers in their own places, right ones of those listed, and other players' ones."""
    return inspect_stars.placing()


@scorer(metrics=[prompts()])
def prompt() -> Scorer:
    """Whether the model saw the whole prompt; what it did not is unscored above."""
    return inspect_scores.seen()


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
