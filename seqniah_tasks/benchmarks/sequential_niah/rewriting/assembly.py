"""A file of questions out of kept replies alone, and what became of every part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as fields_of

from seqniah_tasks.benchmarks.sequential_niah.rewriting import replies as rewriting
from seqniah_tasks.benchmarks.sequential_niah.rewriting.files import (
    Drawn,
    Replies,
)


@dataclass(slots=True)
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
        fields: dict[str, object] = {one.name: getattr(self, one.name) for one in fields_of(self)}
        return {**fields, "complete": self.complete}

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
    first = rewriting.ask_screening(drawn.item) if screen else None
    if first is None:
        return [rewriting.ask(drawn.item)]
    reply = replies.get(first)
    if reply is None or rewriting.screen(reply, drawn.item) is not None:
        return [first]
    return [first, rewriting.ask(drawn.item)]


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
        reply = replies.get(rewriting.ask(one.item))
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
    prompt = rewriting.ask_screening(drawn.item)
    if prompt is None:
        return None
    reply = replies.get(prompt)
    if reply is None:
        summary.missing += 1
        return rewriting.Exclusion.UNSCREENED
    return rewriting.screen(reply, drawn.item)
