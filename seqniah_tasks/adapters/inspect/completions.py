"""Many short prompts for any model that inspect-ai can call, each asked once, so many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio
from inspect_ai.model import GenerateConfig, Model, get_model

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect import models
from seqniah_tasks.adapters.inspect.judge import in_short, spent
from seqniah_tasks.budget import Budget

_PATIENCE = 5
"""Calls that may fail one after the other before a run gives up."""

_LEAST_OUTPUT = 1_024
"""Output tokens to ask for, however small the window."""

T = TypeVar("T")


@dataclass(slots=True)
class Calls(Generic[T]):
    """Asks for everything that is missing; its counts tell what that took."""

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
        model = _opened(given, connections)
        allowed = models.budget_of(model, None)
        waiting = iter(items)
        done = 0

        async def work() -> None:
            nonlocal done
            for one in waiting:  # shared: each worker takes the next
                while not self._stop and (prompt := self.next_prompt(one)) is not None:
                    if not await self._obtain(prompt, model, allowed):
                        break
                done += 1
                if progress:
                    progress("Asking the model", done, len(items))

        async with anyio.create_task_group() as group:
            for _ in range(min(connections, len(items))):
                group.start_soon(work)
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


def _opened(given: str | Model, connections: int) -> Model:
    """The model, set up for short exact answers. Raises `SeqniahError` when it cannot be."""
    if isinstance(given, Model):
        return given
    try:
        config = GenerateConfig(temperature=0, max_connections=connections)
        return get_model(given, config=config)
    except Exception as error:  # inspect and its providers raise what they like
        raise SeqniahError(f"The model {given} cannot be used: {in_short(error)}") from error
