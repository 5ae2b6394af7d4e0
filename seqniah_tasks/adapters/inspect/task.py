"""Tasks of inspect-ai from what benchmarks declare. What is registered stands in `seqniah.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from inspect_ai import Task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks, budget
from seqniah_tasks.adapters.inspect import judge, models, viewer
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.options import Guard, JudgeOptions
from seqniah_tasks.benchmarks.protocol import Bench, ByCase, ByMeasure, Scoring
from seqniah_tasks.judging.judges import open_rules, read_template

P = ParamSpec("P")
T = TypeVar("T")


def one_sentence(function: Callable[P, T]) -> Callable[P, T]:
    """Let inspect show a user's mistake as it shows its own: one sentence, no traceback."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SeqniahError as error:
            raise PrerequisiteError(str(error).replace("[", r"\[")) from error

    return wrapped


def _groups(name: str) -> tuple[type, ...]:
    """The dataclasses that hold the options of a task."""
    benchmark, spec = benchmarks.task(name)
    judged = (JudgeOptions,) if isinstance(benchmark.scoring.by, ByCase) else ()
    return (spec.options, *judged, Guard)


def declared(function: Callable[..., Task]) -> Callable[..., Task]:
    """Give a task's function the signature and the help that its options declare."""
    name = function.__name__
    groups, spec = _groups(name), benchmarks.task(name).spec

    def made(**given: Any) -> Task:
        return one_sentence(function)(**given)

    # Misspelt options arrive as well, and can be refused.
    unknown = Parameter("unknown", Parameter.VAR_KEYWORD)
    parameters = [*options.parameters(*groups, fixed=spec.fixed), unknown]
    made.__name__ = made.__qualname__ = name
    made.__module__ = function.__module__
    made.__doc__ = options.help_of(spec.summary, *groups)
    made.__signature__ = Signature(parameters, return_annotation=Task)  # type: ignore[attr-defined]
    told = {one.name: one.annotation for one in parameters if one is not unknown}
    made.__annotations__ = {**told, "return": Task}
    return made


def make_task(
    name: str,
    given: Mapping[str, Any],
    prepare: Callable[..., Solver],
    ask: Callable[..., Solver],
    scorers: Mapping[str, Callable[..., Scorer]],
) -> Task:
    """The task of a name from all arguments, with what is registered. Raises `SeqniahError`."""
    benchmark, spec = benchmarks.task(name)
    known = options.names(*_groups(name))
    # inspect hands every task the model, asked for or not.
    options.refuse_unknown((one for one in given if one != "model"), known, f"The task {name}")
    scoring = benchmark.scoring
    chosen: Any = options.read(spec.options, given, spec.fixed)
    judging = read_judging(given) if isinstance(scoring.by, ByCase) else None
    guard = options.read(Guard, given)
    bench = benchmarks.opened(name, chosen)
    if not bench.plan:
        raise SeqniahError("No sample passes all the filters given with -T; drop one of them.")
    check_fit(bench, guard)
    decides = judging.scorer if judging else scoring.name
    told = {one: value for one, value in given.items() if one in known and value is not None}
    model = models.running()
    return Task(
        dataset=MemoryDataset([_sample(bench, one) for one in bench.plan], name=bench.name),
        setup=prepare(name, told, decides if judging else "rules"),
        solver=ask(name, told),
        scorer=_scorers(scorers, scoring, judging),
        # A task that is made outside a run does not know its model yet; then the solver tells it.
        config=models.decoding_of(model, bench) if model else GenerateConfig(),
        version=benchmark.version,
        display_name=bench.display_name,
        headline_metric=HeadlineMetric(
            scorer=decides, metric="accuracy" if scoring.binary else "mean"
        ),
        viewer=viewer.of_run(scoring, decides, bench.facts()),
        metadata={**bench.facts(), **_judge_facts(scoring, judging)},
    )


def _sample(bench: Bench[Any], planned: Any) -> InspectSample:
    item = bench.item(planned)
    return InspectSample(
        id=planned.id,
        input=item.question,
        target=item.reference,
        metadata=bench.sample_facts(planned),
    )


def check_fit(bench: Bench[Any], guard: Guard) -> None:
    """Raise `SeqniahError` before the first request when prompts cannot fit the running model."""
    model = models.running()
    if model is None:
        return
    allowed = models.budget_of(model, guard.context, bench)
    if guard.on_overflow == "refuse":
        sizes = ((bench.tokens(planned), planned.length) for planned in bench.plan)
        prompts = [(name, size) for size, name in sorted(sizes)]
        budget.check_fit(allowed, prompts, bench.narrower)


def read_judging(given: Mapping[str, Any]) -> JudgeOptions:
    """Who judges, by what a user wrote and the run's grader: the scorer is rules, judge or cascade,
    the prompt a whole path or empty. Raises `SeqniahError` for a scorer that there is not, when
    there is no grader to ask, and when there is no use for the prompt.
    """
    wanted = options.read(JudgeOptions, given)
    judge.refuse_misspelt_roles()
    bound, scorer, prompt = judge.bound(), wanted.scorer, wanted.judge_prompt
    if scorer == "auto":
        scorer = "judge" if bound else "rules"
    # Made outside a run, a task cannot know its roles yet; then the solver asks for them.
    elif scorer != "rules" and not bound and models.running() is not None:
        raise SeqniahError(f"The scorer {scorer} {judge.NO_GRADER}")
    open_rules(wanted.embeddings)
    if prompt:
        if scorer == "rules":
            raise SeqniahError(
                "judge_prompt is for scorers that ask a model; add --model-role grader=MODEL, "
                "or leave it out."
            )
        prompt = str(Path(prompt).absolute())
        read_template(Path(prompt))
    return replace(wanted, scorer=scorer, judge_prompt=prompt)


def _scorers(
    made: Mapping[str, Callable[..., Scorer]], scoring: Scoring, judging: JudgeOptions | None
) -> list[Scorer]:
    """The one that decides first, then the figures beside it, then the prompts."""
    given = (judging.embeddings,) if judging else ()
    if judging and judging.scorer != "rules":
        of_rules = (*given, judging.doubt) if judging.scorer == "cascade" else ()
        first = made[judging.scorer](judging.judge_prompt or None, *of_rules)
    else:
        first = made[scoring.name](*given)
    return [first, *([made[scoring.beside](*given)] if scoring.beside else []), made["prompt"]()]


def _judge_facts(scoring: Scoring, judging: JudgeOptions | None) -> dict[str, Any]:
    """What a log says of its judge beforehand."""
    if judging is None:
        return {"scorer": scoring.by.judge} if isinstance(scoring.by, ByMeasure) else {}
    grader = judge.bound() if judging.scorer != "rules" else None
    by_rules = open_rules(judging.embeddings).name
    if grader is None:
        return {"scorer": by_rules if judging.scorer == "rules" else judging.scorer}
    model = models.running()
    itself = model is not None and judge.same_model(grader, model)
    return {
        "scorer": judge.judge_name(judging.scorer, grader, by_rules),
        "judge_prompt": judging.judge_prompt or judge.template_name(None),
        **({"grades_itself": True} if itself else {}),
    }
