"""Conversations: what follows from the reply to a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seqniah_scorers.loft import official
from seqniah_tasks.benchmarks.loft.bench import Loft
from seqniah_tasks.benchmarks.loft.laying import PlannedQuery
from seqniah_tasks.benchmarks.protocol import Facts, Step, Text, Turn


def ids_of(facts: Facts) -> dict[str, str] | None:
    """What each id of a prompt stands for; passages that are no golds go by the id itself."""
    if not facts.get("candidates"):
        given: Mapping[str, str] | None = facts.get("id_to_pid")
        return None if given is None else dict(given)
    found = {str(rank): f"#{rank}" for rank in range(int(facts["candidates"]))}
    return found | {str(id): str(pid) for id, pid in facts.get("gold_ids", ())}


def follow(bench: Any, planned: PlannedQuery, state: tuple[str, ...] | None, reply: str) -> Step:
    """The next turn, or the end; `state`: what stands after the turns before, or their replies."""
    assert isinstance(bench, Loft)
    before = state or ()
    notes = {"turn": len(before) + 1, "response": reply}
    if len(before) + 1 >= len(planned.query.turns):
        return Step(None, notes)
    if bench.options.history == "official":
        # As released: the list that was read, with the passages' own ids, without a line break.
        read = official.parsed(bench.data.kind, [reply], _own_ids(bench, planned))
        told = (*before, str(read[0] if read else []))
        return Step(bench.laying.conversation(planned, told), notes, told)
    text = bench.laying.asked(planned, len(before) + 1)
    return Step(Turn((Text(text),)), notes, (*before, reply))


def _own_ids(bench: Loft, planned: PlannedQuery) -> dict[str, str] | None:
    if bench.data.kind != "retrieval" or bench.options.via == "closed":
        return None
    return {str(rank): pid for rank, pid in enumerate(bench.corpus(planned.tokens).passages)}
