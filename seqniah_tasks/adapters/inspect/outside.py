"""Models outside a run of inspect-ai, so many calls at a time: as judges, and for short prompts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio
import anyio.lowlevel
from inspect_ai.model import GenerateConfig, Model, get_model

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge
from seqniah_scorers.verdict import Case
from seqniah_tasks.adapters.inspect import models
from seqniah_tasks.adapters.inspect.judge import ask, asks_model, in_short, judge_name, spent
from seqniah_tasks.budget import Budget
from seqniah_tasks.judging.judges import JUDGING, Judged, RuleJudge, Server

MAX_WAITING = 64
"""Cases under way at once unless told otherwise; inspect decides how many of them are sent."""

_PATIENCE = 5
"""Calls that may fail one after the other before a run gives up."""

_LEAST_OUTPUT = 1_024
"""Output tokens to ask for, however small the window."""

T = TypeVar("T")


@dataclass(slots=True)
class ModelJudge:
    """A model as judge, alone or behind the rules."""

    model: str
    template: str | None
    max_connections: int | None
    first: RuleJudge
    server: Server | None = None
    doubt: float | None = field(kw_only=True)
    """Asked only where a probability of the rules is so near to one half; None: always."""
    _model: Model | None = field(init=False)

    def __post_init__(self) -> None:
        self._model = self._opened()

    @property
    def name(self) -> str:
        """As logs and reports call it."""
        return judge_name("judge" if self.doubt is None else "cascade", self.model, self.first.name)

    def verdicts(self, cases: Sequence[Case], progress: Progress | None = None) -> list[Judged]:
        """One verdict a case, in their order. Raises `SeqniahError` if the model cannot be had."""
        return anyio.run(self._judge_all, cases, progress)

    async def _judge_all(self, cases: Sequence[Case], progress: Progress | None) -> list[Judged]:
        # A client belongs to the loop that it was first used in, so each call has its own.
        model, self._model = self._model or self._opened(), None
        found: dict[int, Judged] = {}

        async def judge(number: int) -> None:
            found[number] = await self._judge(model, cases[number])
            if progress:
                progress(JUDGING, len(found), len(cases))

        # Not all at once: what a call is allowed to try depends on how the last ones went.
        workers = self.max_connections or MAX_WAITING
        try:
            async with model:
                await _each(range(len(cases)), workers, judge)
        except ExceptionGroup as stopped:
            why = in_short(stopped.exceptions[0])
            raise SeqniahError(f"{self.model} cannot judge: {why}") from stopped
        return [found[number] for number in range(len(cases))]

    async def _judge(self, model: Model, case: Case) -> Judged:
        by_rules = self.first.verdict(case)
        if not asks_model(case, by_rules, self.doubt):
            await anyio.lowlevel.checkpoint()
            return Judged(by_rules, "rules", 0, 0)
        asked = await ask(model, case, self.template)
        verdict = model_judge.verdict(by_rules, asked.reply)
        return Judged(verdict, "model", asked.input_tokens, asked.output_tokens, by_rules)

    def _opened(self) -> Model:
        at = {"base_url": self.server.url, "api_key": self.server.key} if self.server else {}
        config = GenerateConfig(max_connections=self.max_connections)
        return _open(self.model, config, " as a judge", memoize=False, **at)


@dataclass(slots=True)
class Calls(Generic[T]):
    """Asks each prompt that has no reply yet once; its counts tell what that took."""

    next_prompt: Callable[[T], str | None]
    """The next prompt of an item that has no reply yet; None: it has all."""
    keep: Callable[[str, str, tuple[int, int]], None]
    """Takes a prompt, its reply, and the tokens read and written. Raises `SeqniahError`."""
    most: int
    """Characters of a reply that are kept."""
    made: int = 0
    failed: int = 0
    last_error: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    _failed_in_a_row: int = 0
    _stop: str = ""
    """Why no more calls are made; empty while they are."""

    def run(
        self,
        items: Sequence[T],
        model: str | Model,
        connections: int,
        progress: Progress | None = None,
    ) -> None:
        """Raises `SeqniahError` when the model cannot be called, or a reply not kept."""
        anyio.run(self._run, items, model, connections, progress)

    async def _run(
        self, items: Sequence[T], given: str | Model, connections: int, progress: Progress | None
    ) -> None:
        config = GenerateConfig(temperature=0, max_connections=connections)
        model = given if isinstance(given, Model) else _open(given, config)
        allowed = models.budget_of(model, None)
        done = 0

        async def obtain(one: T) -> None:
            nonlocal done
            while not self._stop and (prompt := self.next_prompt(one)) is not None:
                if not await self._obtain(prompt, model, allowed):
                    break
            done += 1
            if progress:
                progress("Asking the model", done, len(items))

        await _each(items, connections, obtain)
        if self._stop:
            raise SeqniahError(self._stop)

    async def _obtain(self, prompt: str, model: Model, allowed: Budget) -> bool:
        """Have one reply kept; False where there is none."""
        try:
            # A token has two bytes or more, so this leaves the prompt its room.
            room = max(_LEAST_OUTPUT, allowed.output(len(prompt.encode()) // 2))
            output = await model.generate(prompt, config=GenerateConfig(max_tokens=room))
        except Exception as error:  # providers raise what they like, after inspect's retries
            self.failed += 1
            self.last_error = in_short(error)
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= _PATIENCE:
                self._stop = (
                    f"{model} failed {self._failed_in_a_row} times in a row, last with: "
                    f"{self.last_error}. The replies so far are kept; run again to go on."
                )
            return False
        self._failed_in_a_row = 0
        read, wrote = spent(output.usage)
        try:
            self.keep(prompt, output.completion[: self.most], (read, wrote))
        except SeqniahError as error:
            self._stop = str(error)
            return False
        self.made += 1
        self.input_tokens += read
        self.output_tokens += wrote
        return True


async def _each(items: Sequence[T], workers: int, do: Callable[[T], Awaitable[None]]) -> None:
    """Do it for each item, so many at a time. What goes wrong is raised as an `ExceptionGroup`."""
    waiting = iter(items)  # shared: each worker takes the next

    async def work() -> None:
        for one in waiting:
            await do(one)

    async with anyio.create_task_group() as group:
        for _ in range(min(workers, len(items))):
            group.start_soon(work)


def _open(name: str, config: GenerateConfig, use: str = "", **given: Any) -> Model:
    """Raises `SeqniahError` when the model cannot be had."""
    try:
        return get_model(name, config=config, **given)
    except Exception as error:  # inspect and its providers raise what they like
        raise SeqniahError(f"The model {name} cannot be used{use}: {in_short(error)}") from error
