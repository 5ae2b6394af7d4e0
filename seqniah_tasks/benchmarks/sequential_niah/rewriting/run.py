"""Questions rewritten by a model; a reply is asked for once and kept.

A run first fills the file of replies, then makes the file of questions from that alone, as a run
without a model does: so the same replies always give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.sequential_niah.rewriting import files, prompts
from seqniah_tasks.benchmarks.sequential_niah.rewriting import replies as rewriting
from seqniah_tasks.benchmarks.sequential_niah.rewriting.files import Drawn, Replies


@dataclass
class Summary:
    """What a run did; printed as it stands."""

    given: int = 0
    again: int = 0
    """Questions that the sources gave more than once."""
    kept: int = 0
    rewritten: int = 0
    """Parts (questions, opening lines, needles) that are now in other words."""
    refused: Counter[str] = field(default_factory=Counter)
    """Parts that stayed as they were, by reason."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Questions that screening did not let through, by reason."""
    examples: list[str] = field(default_factory=list)
    """Some of these questions."""
    missing: int = 0
    """Replies that are not there; the parts they were for stayed as they were."""
    calls: int = 0
    cached: int = 0
    failed: int = 0
    last_error: str = ""
    damaged: int = 0
    """Broken lines of the file of replies."""
    input_tokens: int = 0
    output_tokens: int = 0
    written: bool = False

    @property
    def complete(self) -> bool:
        """Whether every reply was there, and a file was written."""
        return self.written and not self.missing

    def as_json(self) -> dict[str, object]:
        """For scripts."""
        return {**vars(self), "complete": self.complete}

    def lines(self) -> list[str]:
        """For people."""
        refused, out = self.refused.total(), self.left_out.total()
        found = [f"questions: {self.given:,} given, {self.kept:,} kept, {out:,} screened out"]
        found += _by_reason(self.left_out)
        found += [f"    e.g. {question}" for question in self.examples]
        if self.again:
            found.append(f"asked again and dropped: {self.again:,}")
        found.append(f"parts: {self.rewritten:,} rewritten, {refused:,} refused and left as given")
        found += _by_reason(self.refused)
        found.append(
            f"calls: {self.calls:,} made ({self.input_tokens:,} tokens in, "
            f"{self.output_tokens:,} out), {self.cached:,} from the file of replies"
        )
        if self.damaged:
            found.append(f"broken lines in the file of replies, not used: {self.damaged:,}")
        if self.failed:
            found.append(f"calls that failed: {self.failed:,} (last: {self.last_error})")
        if self.missing:
            found.append(
                f"replies missing: {self.missing:,}; what they were for stands as given or is left "
                "out unscreened; run again, without --offline, to ask for these alone"
            )
        if not self.written:
            found.append("no question is left; nothing was written")
        return found


def _by_reason(counts: Counter[str]) -> list[str]:
    return [f"    {count:,} {reason}" for reason, count in counts.most_common()]


def prompts_of(drawn: Drawn, replies: Replies, *, screen: bool) -> list[str]:
    """The prompts of a QA as far as it is clear that they are needed."""
    first = prompts.screening(drawn.item) if screen else None
    if first is None:
        return [prompts.rewriting(drawn.item)]
    reply = replies.get(first)
    if reply is None or rewriting.screen(reply, drawn.item) is not None:
        return [first]
    return [first, prompts.rewriting(drawn.item)]


def assemble(
    drawn: Sequence[Drawn], replies: Replies, summary: Summary, *, screen: bool
) -> list[Drawn]:
    """The QAs as the replies that are kept make them; what was done goes into the summary."""
    asked = {one.item.question for one in drawn}
    found: list[Drawn] = []
    for one in drawn:
        excluded = _excluded(one, replies, summary) if screen else None
        if excluded is not None:
            summary.left_out[str(excluded)] += 1
            if len(summary.examples) < 3:
                summary.examples.append(one.item.question[:100])
            continue
        summary.kept += 1
        reply = replies.get(prompts.rewriting(one.item))
        if reply is None:
            summary.missing += 1
            found.append(one)
            continue
        made = rewriting.read(reply, one.item, one.names, asked - {one.item.question})
        asked.add(made.item.question)
        summary.rewritten += made.taken
        summary.refused.update(map(str, made.refused))
        found.append(replace(one, item=made.item))
    needed = sum(len(prompts_of(one, replies, screen=screen)) for one in drawn)
    summary.cached = max(0, needed - summary.missing - summary.calls)
    return found


def _excluded(drawn: Drawn, replies: Replies, summary: Summary) -> rewriting.Exclusion | None:
    prompt = prompts.screening(drawn.item)
    if prompt is None:
        return None
    reply = replies.get(prompt)
    if reply is None:
        summary.missing += 1
        return rewriting.Exclusion.UNSCREENED
    return rewriting.screen(reply, drawn.item)


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
    max_connections: int = 10,
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
        wanted = prompts_of(one, replies, screen=screen)
        return next((prompt for prompt in wanted if replies.get(prompt) is None), None)

    lacking = [one for one in drawn if next_prompt(one) is not None]
    if not lacking:
        return
    with replies.appending() as appender:
        calls = Calls(next_prompt, appender.add, rewriting.MOST_REPLY + 1)
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
    wanted = (prompt for one in drawn for prompt in prompts_of(one, replies, screen=screen))
    if any(replies.get(prompt) is not None for prompt in wanted):
        return
    if summary.failed:
        raise SeqniahError(f"{replies.model} gave no reply: {summary.last_error}")
    raise SeqniahError(
        f"{replies.path} holds no reply of {replies.model} to these questions; run once without "
        "--offline, or check the model's name and the other options."
    )
