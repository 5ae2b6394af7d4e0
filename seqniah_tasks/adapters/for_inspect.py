"""What any benchmark needs of inspect-ai, and Sequential-NIAH's tasks.

What is registered stands in `seqniah.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import anyio.to_thread
from inspect_ai import Task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_scorers.model_judge import PROMPT_VERSION
from seqniah_tasks import budget
from seqniah_tasks.adapters import inspect_judge, inspect_models, inspect_viewer
from seqniah_tasks.adapters.opened import open_benchmark
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.asking import Benchmark, Q, Question
from seqniah_tasks.benchmarks.counting_options import StarOptions
from seqniah_tasks.benchmarks.options import Guard, Options
from seqniah_tasks.benchmarks.sequential_niah import Planned, SequentialNiah
from seqniah_tasks.judging.judges import open_rules, read_template
from seqniah_tasks.truncation import Fate, Sent, fates, noted

P = ParamSpec("P")
T = TypeVar("T")

SCORERS = ("auto", "rules", "judge", "cascade")
"""What -T scorer= takes; auto is the cascade with a grader, and the rules without one."""


def one_sentence(function: Callable[P, T]) -> Callable[P, T]:
    """Let inspect show a user's mistake as it shows its own: one sentence, no traceback."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except SeqniahError as error:
            raise PrerequisiteError(str(error).replace("[", r"\[")) from error

    return wrapped


def options_of_task(
    other: Callable[..., Task], **more: Any
) -> Callable[[Callable[..., Task]], Callable[..., Task]]:
    """Let a task take what another one takes, and `more`, with these defaults; all are given it."""
    taken = signature(other)
    own = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in more.items()]
    wanted = taken.replace(parameters=[*taken.parameters.values(), *own])

    def decorate(function: Callable[..., Task]) -> Callable[..., Task]:
        @wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Task:
            bound = wanted.bind(*args, **kwargs)
            bound.apply_defaults()
            return function(**bound.arguments)

        wrapped.__signature__ = wanted  # type: ignore[attr-defined]
        return wrapped

    return decorate


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges a run."""

    scorer: str
    """rules, judge or cascade."""
    prompt: str | None = None
    """Path of the user's own prompt."""
    embeddings: str = ""
    """Name of the embedding model that the rules use; empty for none."""


def read_judging(scorer: str, judge_prompt: Any = None, embeddings: Any = None) -> Judging:
    """Who judges, from what a user wrote and what the run has by way of a grader.

    Raises `UnknownName` for a scorer that there is not, and `SeqniahError` when there is no grader
    to ask, or no use for the prompt.
    """
    if scorer not in SCORERS:
        raise UnknownName("scorer", scorer, list(SCORERS))
    bound = inspect_judge.bound()
    if scorer == "auto":
        scorer = "cascade" if bound else "rules"
    # Made outside a run, a task cannot know its roles yet; then the solver asks for them.
    elif scorer != "rules" and not bound and inspect_models.running_model() is not None:
        raise SeqniahError(f"The scorer {scorer} {inspect_judge.NO_GRADER}")
    used = _as_path(embeddings) if embeddings else ""
    open_rules(used)
    if judge_prompt is None:
        return Judging(scorer, embeddings=used)
    if scorer == "rules":
        raise SeqniahError(
            "judge_prompt is for scorers that ask a model; add --model-role grader=MODEL, "
            "or leave it out."
        )
    path = Path(_as_path(judge_prompt)).absolute()
    read_template(path)
    return Judging(scorer, str(path), used)


def _as_path(given: Any) -> str:
    """What was written; with a comma it arrives as a list."""
    return ",".join(map(str, given if isinstance(given, list | tuple) else [given]))


def _judge_facts(judging: Judging) -> dict[str, Any]:
    """What a log says of its judge beforehand."""
    grader = inspect_judge.bound() if judging.scorer != "rules" else None
    by_rules = open_rules(judging.embeddings).name
    if grader is None:
        return {"scorer": by_rules if judging.scorer == "rules" else judging.scorer}
    model = inspect_models.running_model()
    itself = model is not None and inspect_judge.same_model(grader, model)
    return {
        "scorer": inspect_judge.judge_name(judging.scorer, grader, by_rules),
        "judge_prompt": judging.prompt or f"built-in, version {PROMPT_VERSION}",
        **({"grades_itself": True} if itself else {}),
    }


def make_task(
    options: Options, guard: Guard, judging: Judging, ask: Solver, scorers: list[Scorer]
) -> Task:
    """The task of a split, with the registered solver and scorers; the first one decides."""
    bench = open_benchmark(options)
    if not bench.plan:
        raise SeqniahError("No sample passes all the filters given with -T; drop one of them.")
    check_fit(bench, guard)
    samples = [_sample(bench, planned) for planned in bench.plan]
    closed = ", closed book" if options.closed_book else ""
    suite = f"{options.split}-noise" if options.bases else options.split
    return Task(
        dataset=MemoryDataset(samples, name=f"sequential-niah-{suite}"),
        solver=ask,
        scorer=scorers,
        version=benchmark.VERSION,
        display_name=f"Sequential-NIAH ({suite}{closed})",
        headline_metric=HeadlineMetric(scorer=judging.scorer, metric="accuracy"),
        viewer=inspect_viewer.of_run(judging.scorer),
        metadata={**bench.facts(), **_judge_facts(judging)},
    )


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
            "parties": list(qa.parties),
            **_noise(planned),
        },
    )


def _noise(planned: Planned) -> dict[str, Any]:
    """What a variant is of; empty for a sample of a split."""
    if planned.noise is None:
        return {}
    return {"noise": str(planned.noise), "variant": planned.variant, "base": planned.base}


def check_fit(
    bench: Benchmark[Q],
    guard: Guard,
    narrower: Callable[[Sequence[str]], str] = budget.these_lengths,
) -> None:
    """Raise `SeqniahError` before the first request when prompts cannot fit the running model.

    `narrower` writes the option that leaves the lengths which fit, the shortest first.
    """
    model = inspect_models.running_model()
    if model is None:
        return
    allowed = inspect_models.budget_of(model, guard.context, bench.longest_answer)
    if guard.on_overflow == "refuse":
        sizes = ((bench.target(planned), planned.length) for planned in bench.plan)
        budget.check_fit(allowed, [(name, size) for size, name in sorted(sizes)], narrower)


@dataclass(slots=True)
class Watch:
    """The prompts that one run has sent so far."""

    sent: list[Sent] = field(default_factory=list)

    def note(self, prompt: Sent) -> Fate:
        """What became of a prompt, judged by those that came before it."""
        self.sent.append(prompt)
        return fates([one for one in self.sent if one.lang == prompt.lang])[-1]


def asking(options: Options | StarOptions, guard: Guard, scorer: str) -> Solver:
    """A solver that builds a prompt, asks, and checks that it was read whole.

    All scorers but `rules` need a grader.
    """
    watch = Watch()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if scorer != "rules":
            inspect_judge.grader(scorer)  # or stop before the first request
        return await ask(options, guard, watch, state, generate)

    return solve


async def ask(
    options: Options | StarOptions,
    guard: Guard,
    watch: Watch,
    state: TaskState,
    generate: Generate,
) -> TaskState:
    """Put the long prompt in the place of the bare question, ask, and check what was read."""
    bench: Benchmark[Any] = open_benchmark(options)
    planned: Question = bench.find(str(state.sample_id))

    asked = await anyio.to_thread.run_sync(bench.prompt, planned)
    tokens = asked.tokens
    state.messages = [ChatMessageUser(content=asked.text)]
    if not bench.bare:
        facts = {"prompt_sha256": asked.sha256, "needle_depths": list(asked.depths)}
        state.metadata.update(facts)
    allowed = inspect_models.budget_of(get_model(), guard.context, bench.longest_answer)
    if not allowed.fits(tokens):
        if guard.on_overflow == "refuse":
            budget.check_fit(allowed, [(planned.length, tokens)])
        state.metadata.update(noted(Sent(planned.lang, tokens, 0), Fate.SKIPPED))
        state.output = ModelOutput.from_content(str(state.model), "", "model_length")
        return state
    state = await generate(state, max_tokens=allowed.output(tokens))
    sent = Sent(planned.lang, tokens, _reported(state.output.usage))
    # Questions alone are too short to be cut, and too short for ratios.
    fate = Fate.WHOLE if bench.bare else watch.note(sent)
    state.metadata.update(noted(sent, fate))
    return state


def _reported(usage: ModelUsage | None) -> int:
    """Input tokens that the provider reports, those read from or written to a cache included."""
    if usage is None:
        return 0
    parts = (usage.input_tokens, usage.input_tokens_cache_read, usage.input_tokens_cache_write)
    return sum(part or 0 for part in parts)
