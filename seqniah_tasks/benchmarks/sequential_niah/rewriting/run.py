"""Questions rewritten by a model; a reply is asked for once and kept.

A run first fills the file of replies, then makes the file of questions from that alone, as a run
without a model does: so the same replies always give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.sequential_niah.rewriting import files
from seqniah_tasks.benchmarks.sequential_niah.rewriting.assembly import (
    Summary,
    assemble,
    prompts_of,
)
from seqniah_tasks.benchmarks.sequential_niah.rewriting.files import Drawn, Replies
from seqniah_tasks.benchmarks.sequential_niah.rewriting.replies import MOST_REPLY

MAX_CONNECTIONS = 10
"""Calls under way at once unless told otherwise."""


def replies_path(out: Path) -> Path:
    """Where the replies for a file of questions are kept."""
    return out.with_name(f"{out.stem}.replies.jsonl")


def rewrite(
    drawn: Sequence[Drawn],
    model: Any,
    out: Path,
    *,
    screen: bool = True,
    offline: bool = False,
    max_connections: int = MAX_CONNECTIONS,
    progress: Progress | None = None,
) -> Summary:
    """Write QAs in a model's words to `out`, asking only for replies that are not kept yet.

    `model` is a name, or a model of inspect.
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
        _fill(replies, drawn, model, summary, screen, max_connections, progress)
        # Another run may have kept another reply first; what is in the file counts.
        replies = Replies(replies.path, replies.model)
    _check_replies(drawn, replies, summary, screen)
    found = assemble(drawn, replies, summary, screen=screen)
    if found:
        files.write(out, found)
        summary.written = True
    return summary


def _fill(
    replies: Replies,
    drawn: Sequence[Drawn],
    model: Any,
    summary: Summary,
    screen: bool,
    connections: int,
    progress: Progress | None,
) -> None:
    """Have the model reply to all that it has not replied to yet."""
    from seqniah_tasks.adapters.inspect.outside import Calls

    def next_prompt(one: Drawn) -> str | None:
        prompts = prompts_of(one, replies, screen=screen)
        return next((prompt for prompt in prompts if replies.get(prompt) is None), None)

    lacking = [one for one in drawn if next_prompt(one) is not None]
    if not lacking:
        return
    with replies.appending() as appender:
        calls = Calls(next_prompt, appender.add, MOST_REPLY + 1)
        try:
            calls.run(lacking, model, connections, progress)
        finally:
            summary.calls, summary.failed = calls.made, calls.failed
            summary.last_error = calls.last_error
            summary.input_tokens, summary.output_tokens = calls.input_tokens, calls.output_tokens


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
