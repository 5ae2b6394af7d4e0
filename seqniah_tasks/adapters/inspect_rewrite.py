"""Questions rewritten by any model that inspect-ai can call; a reply is asked for once and kept.

A run first fills the file of replies, then makes the file of questions from that alone, as a run
without a model does: so the same replies always give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelUsage, get_model

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import qa_files
from seqniah_tasks.adapters import inspect_models
from seqniah_tasks.budget import Budget
from seqniah_tasks.qa_files import Appender, Drawn, Replies
from seqniah_tasks.rewriting import MOST_REPLY
from seqniah_tasks.rewritten import Summary, assemble, prompts_of

MAX_CONNECTIONS = 10
"""Calls under way at once unless told otherwise."""

_PATIENCE = 5
"""Calls that may fail one after the other before a run gives up."""

_LEAST_OUTPUT = 1_024
"""Output tokens to ask for, however small the window."""


def replies_path(out: Path) -> Path:
    """Where the replies for a file of questions are kept."""
    return out.with_name(f"{out.stem}.replies.jsonl")


def rewrite(
    drawn: Sequence[Drawn],
    model: str | Model,
    out: Path,
    *,
    screen: bool = True,
    offline: bool = False,
    max_connections: int = MAX_CONNECTIONS,
    progress: Progress | None = None,
) -> Summary:
    """Write QAs in a model's words to `out`, asking only for replies that are not kept yet.

    Offline no call is made, and what is missing is counted. Raises `SeqniahError` when files
    cannot be read or written, or when the model cannot be called.
    """
    if out.suffix != ".jsonl" or out.is_dir():
        raise SeqniahError(f"{out} is no name for a file of JSON lines; end it in .jsonl.")
    if max_connections < 1:
        raise SeqniahError(f"max-connections is a whole number from 1, not {max_connections}.")
    if not drawn:
        raise SeqniahError("No question passes all the filters given; drop one of them.")
    replies = Replies(replies_path(out), str(model))
    summary = Summary(given=len(drawn), damaged=replies.damaged)
    if not offline:
        caller = _Caller(replies, summary, screen, progress)
        anyio.run(caller.run, drawn, model, max_connections)
        # Another run may have kept another reply first; what is in the file counts.
        replies = Replies(replies.path, replies.model)
    _check_replies(drawn, replies, summary, screen)
    found = assemble(drawn, replies, summary, screen=screen)
    if found:
        qa_files.write(out, found)
        summary.written = True
    return summary


def _check_replies(
    drawn: Sequence[Drawn], replies: Replies, summary: Summary, screen: bool
) -> None:
    """Refuse to write a file that no model had a part in."""
    prompts = (prompt for one in drawn for prompt in prompts_of(one, replies, screen=screen))
    if any(replies.get(prompt) is not None for prompt in prompts):
        return
    if summary.failed:
        raise SeqniahError(f"{replies.model} gave no reply: {summary.last_error}")
    raise SeqniahError(
        f"{replies.path} holds no reply of {replies.model} to these questions; run once without "
        "--offline, or check the model's name and the other options."
    )


class _Caller:
    """Fills the file of replies."""

    def __init__(
        self, replies: Replies, summary: Summary, screen: bool, progress: Progress | None
    ) -> None:
        self._replies = replies
        self._summary = summary
        self._screen = screen
        self._progress = progress
        self._failed_in_a_row = 0
        self._stop = ""
        """Why no more calls are made; empty while they are."""

    async def run(self, drawn: Sequence[Drawn], given: str | Model, connections: int) -> None:
        """Ask for everything that is missing, so many at a time."""
        lacking = [one for one in drawn if self._next(one) is not None]
        if not lacking:
            return
        model = _opened(given, connections)
        allowed = inspect_models.budget_of(model, None)
        waiting = iter(lacking)
        done = 0
        with self._replies.appending() as appender:

            async def work() -> None:
                nonlocal done
                for one in waiting:  # shared: each worker takes the next
                    while not self._stop and (prompt := self._next(one)) is not None:
                        if not await self._obtain(prompt, model, allowed, appender):
                            break
                    done += 1
                    if self._progress:
                        self._progress("Asking the model", done, len(lacking))

            async with anyio.create_task_group() as group:
                for _ in range(min(connections, len(lacking))):
                    group.start_soon(work)
        if self._stop:
            raise SeqniahError(self._stop)

    def _next(self, drawn: Drawn) -> str | None:
        """The first prompt of a QA that has no reply yet."""
        prompts = prompts_of(drawn, self._replies, screen=self._screen)
        return next((prompt for prompt in prompts if self._replies.get(prompt) is None), None)

    async def _obtain(self, prompt: str, model: Model, allowed: Budget, appender: Appender) -> bool:
        """Have one reply in the file; False where there is none."""
        summary = self._summary
        try:
            # A token has two bytes or more, so this leaves the prompt its room.
            room = max(_LEAST_OUTPUT, allowed.output(len(prompt.encode()) // 2))
            output = await model.generate(prompt, config=GenerateConfig(max_tokens=room))
        except Exception as error:  # providers raise what they like, after inspect's retries
            summary.failed += 1
            summary.last_error = _in_short(error)
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= _PATIENCE:
                self._stop = (
                    f"{model} failed {self._failed_in_a_row} times in a row, last with: "
                    f"{summary.last_error}. The replies so far are kept; run again to go on."
                )
            return False
        self._failed_in_a_row = 0
        read, wrote = _tokens(output.usage)
        try:
            appender.add(prompt, output.completion[: MOST_REPLY + 1], (read, wrote))
        except SeqniahError as error:
            self._stop = str(error)
            return False
        summary.calls += 1
        summary.input_tokens += read
        summary.output_tokens += wrote
        return True


def _opened(given: str | Model, connections: int) -> Model:
    """The model, set up for short exact answers. Raises `SeqniahError` when it cannot be."""
    if isinstance(given, Model):
        return given
    try:
        config = GenerateConfig(temperature=0, max_connections=connections)
        return get_model(given, config=config)
    except Exception as error:  # inspect and its providers raise what they like
        raise SeqniahError(f"The model {given} cannot be used: {_in_short(error)}") from error


def _in_short(error: Exception) -> str:
    """One line of an error."""
    text = re.sub(r"\[/?[a-z]+\]", "", f"{error}")  # inspect marks up its messages
    words = " ".join(text.split()) or type(error).__name__
    return words if len(words) <= 300 else f"{words[:297]}..."


def _tokens(usage: ModelUsage | None) -> tuple[int, int]:
    """Tokens read and written, as the provider reports them."""
    if usage is None:
        return 0, 0
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens
