"""The face of seqniah: what inspect-ai registers, and `load` for Python.

Registry names take the name of the module they are defined in, so all of them stand here and
are made elsewhere. Tasks follow from what benchmarks declare; the functions of the shipped ones
are written out, since inspect lists the tasks that it reads in a file.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.scorer import Metric, MetricProtocol, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from seqniah_scorers.verdict import DOUBT
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import baselines as inspect_baselines
from seqniah_tasks.adapters.inspect import judge_bench as bench_of_judges
from seqniah_tasks.adapters.inspect import metrics
from seqniah_tasks.adapters.inspect import score as scoring
from seqniah_tasks.adapters.inspect.solve import asking, preparing
from seqniah_tasks.adapters.inspect.task import declared, make_task, one_sentence
from seqniah_tasks.benchmarks.protocol import ByCase, Scoring
from seqniah_tasks.loading import Loaded, load

__all__ = ["Loaded", "__version__", "load"]

__version__ = version("seqniah")


def _task(name: str, given: dict[str, Any]) -> Task:
    return make_task(name, given, prepare, ask, _scorers)


@task
@declared
def test(**given: Any) -> Task:
    return _task("test", given)


@task
@declared
def dev(**given: Any) -> Task:
    return _task("dev", given)


@task
@declared
def train(**given: Any) -> Task:
    return _task("train", given)


@task
@declared
def hard(**given: Any) -> Task:
    return _task("hard", given)


@task
@declared
def noise(**given: Any) -> Task:
    return _task("noise", given)


@task
@declared
def counting_stars(**given: Any) -> Task:
    return _task("counting_stars", given)


@task
@declared
def haystackcraft(**given: Any) -> Task:
    return _task("haystackcraft", given)


@task
@declared
def haystackcraft_dynamic(**given: Any) -> Task:
    return _task("haystackcraft_dynamic", given)


@task
@declared
def loft_retrieval(**given: Any) -> Task:
    return _task("loft_retrieval", given)


@task
@declared
def loft_rag(**given: Any) -> Task:
    return _task("loft_rag", given)


@task
@declared
def loft_sql(**given: Any) -> Task:
    return _task("loft_sql", given)


@task
@declared
def loft_icl(**given: Any) -> Task:
    return _task("loft_icl", given)


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
    return bench_of_judges.make_task(
        part, set, lang, seed, limit_cases, ask=ask_verdict(structured), scorers=[label()]
    )


@solver
def prepare(task: str, given: dict[str, Any] | None = None, scorer: str = "rules") -> Solver:
    """Build the prompt of a task with these options; it runs before any other solver."""
    return preparing(task, given or {}, scorer)


@solver
def ask(task: str, given: dict[str, Any] | None = None) -> Solver:
    """Send the prompt that was built, turn by turn, and check that it was read whole."""
    return asking(task, given or {})


@solver
def ask_verdict(structured: bool = True) -> Solver:
    """Ask the model for its verdict on a case."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await bench_of_judges.ask(structured, state, generate)

    return solve


def _metric(name: str, figures: MetricProtocol) -> Callable[[], Metric]:
    def made() -> Metric:
        return figures

    return metric(name=name)(made)


overall = _metric("overall", metrics.overall)
strata = _metric("strata", metrics.by_group)
robustness = _metric("robustness", metrics.robustness)
shares = _metric("shares", metrics.shares)
mean_score = _metric("mean_score", metrics.mean_score)
mean_by_group = _metric("mean_by_group", metrics.mean_by_group)
label_accuracy = _metric("label_accuracy", bench_of_judges.accuracy)
label_groups = _metric("label_groups", bench_of_judges.accuracy_by_group)


@metric(name="prompts", scores="unreduced")  # Each epoch is a prompt of its own.
def prompts() -> Metric:
    return metrics.prompts


_of_verdicts = [overall(), strata(), robustness()]


@scorer(metrics=_of_verdicts)
def rules(embeddings: str = "") -> Scorer:
    """The rule judge: right items, none missing or added, in order where order is demanded."""
    return scoring.own("rules", ByCase, embeddings)


@scorer(metrics=_of_verdicts)
def judge(judge_prompt: str | None = None) -> Scorer:
    """The grader role's model; a sample that it gives no readable verdict on is unscored."""
    return scoring.by_model("judge", judge_prompt)


@scorer(metrics=[*_of_verdicts, shares()])
def cascade(judge_prompt: str | None = None, embeddings: str = "", doubt: float = DOUBT) -> Scorer:
    """The rule judge where it is certain, and the grader role's model for the rest."""
    return scoring.by_model("cascade", judge_prompt, embeddings, doubt)


@scorer(metrics=metrics.of_figures("items"))
def items(embeddings: str = "") -> Scorer:
    """Why an answer is right or wrong: item recall, item precision, order agreement."""
    return scoring.beside("items", embeddings)


@scorer(metrics=[prompts()])
def prompt() -> Scorer:
    """Whether the model saw the whole prompt; what it did not is unscored above."""
    return scoring.seen()


@scorer(metrics=[label_accuracy(), label_groups()])
def label() -> Scorer:
    """Whether the judge's label is the true one; unscored where its reply cannot be read."""

    async def score(state: TaskState, target: Target) -> Score:
        return bench_of_judges.score(state, target.text)

    return score


@modelapi("seqniah")
def baselines() -> type[ModelAPI]:
    """The offline readers: `--model seqniah/lexical`, `-M top_k=10`."""
    return inspect_baselines.BaselineAPI


_scorers: dict[str, Callable[..., Scorer]] = {
    "rules": rules,
    "judge": judge,
    "cascade": cascade,
    "items": items,
    "prompt": prompt,
}


def _register_task(name: str) -> None:
    def made(**given: Any) -> Task:
        return _task(name, given)

    made.__name__ = name
    globals()[name] = task(name=name)(declared(made))


def _register_scorers(how: Scoring) -> None:
    def decides(embeddings: str = "") -> Scorer:
        return scoring.own(how.name, type(how.by), embeddings)

    def explains(embeddings: str = "") -> Scorer:
        return scoring.beside(how.beside, embeddings)

    whole = _of_verdicts if how.binary else [mean_score(), mean_by_group()]
    _scorers.setdefault(how.name, scorer(metrics=whole, name=how.name)(decides))
    if how.beside:
        figures = metrics.of_figures(how.beside)
        _scorers.setdefault(how.beside, scorer(metrics=figures, name=how.beside)(explains))


# What is not written out above: of a shipped benchmark, a folder that was added, another package.
for _benchmark in benchmarks.known().values():
    if _benchmark.scoring.name not in _scorers:
        _register_scorers(_benchmark.scoring)
    for _spec in _benchmark.tasks:
        if _spec.name not in globals():
            _register_task(_spec.name)
