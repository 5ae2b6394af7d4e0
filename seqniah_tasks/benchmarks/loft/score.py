"""Answers of LOFT scored in a run: by the strict profile, with the official one beside it."""

from __future__ import annotations

import json
from typing import Any

from seqniah_scorers.loft import Task, strict
from seqniah_tasks.benchmarks.loft.judged import PROFILES, judged, metrics
from seqniah_tasks.benchmarks.loft.rows import Query
from seqniah_tasks.benchmarks.loft.turns import ids_of
from seqniah_tasks.benchmarks.protocol import (
    LENGTHS,
    ROUND_NOTES,
    Answered,
    ByMeasure,
    Facts,
    Figure,
    Group,
    Scored,
    Scoring,
    Told,
)
from seqniah_tasks.quoting import quoted

JUDGE = "loft 1"
"""Who judges, as logs name it."""

MAIN: dict[Task, str] = {
    "retrieval": "recall@1",
    "rag": "subspan_em",
    "multi_value_rag": "subspan_em",
    "sql": "exec_acc",
    "icl": "em",
    "mm": "recall@1",
}
"""The measure that the paper reports of a task, where a sample names no other."""


def score(answered: Answered) -> Scored:
    """The main measure of a question or a conversation, by the facts kind, answers, metric, turns,
    and what ids stand for: candidates with gold_ids, or id_to_pid."""
    facts = answered.facts
    kind: Task = facts["kind"]
    turns = int(facts.get("turns") or 0)
    said = _responses(answered, turns)
    query = Query(str(facts.get("qid", "")), "the sample", _json(facts["answers"]), turns or None)
    given = {
        "response": said,
        "id_to_pid": ids_of({**facts, "gold_ids": _json(facts.get("gold_ids", []))}),
    }
    name = str(facts.get("metric") or MAIN[kind])
    by = {one: judged(kind, one, query, given) for one in PROFILES}
    found = {one: metrics(kind, one, [of]).get(name, 0.0) for one, of in by.items() if of.rows}
    reason = by["strict"].unscored or (
        f"{name} {found['strict']:.3f}; read: {_read(kind, said[-1], given)}."
    )
    return Scored(
        score=found.get("strict"),
        reason=reason,
        figures={"strict": found.get("strict"), "official": found.get("official")},
        explanation=reason,
    )


def _json(given: Any) -> Any:
    """A value, of which documents of lm-eval hold the text."""
    return json.loads(given) if isinstance(given, str) else given


def _responses(answered: Answered, turns: int) -> list[str]:
    """What was said in each turn; nothing in those that were not reached."""
    if not turns:
        return [answered.response]
    notes = answered.facts.get(ROUND_NOTES) or ()
    said = [str(one.get("response", "")) for one in notes][:turns]
    return said + [""] * (turns - len(said))


def _read(kind: Task, response: str, given: Facts) -> str:
    found = strict.parsed(kind, [response], given["id_to_pid"])[0]
    return "no list" if found is None else quoted(str(found), 120)


def _fact(name: str) -> Group:
    return Group(name, lambda facts: str(facts.get(name) or "") or None)


SCORING = Scoring(
    by=ByMeasure(score, JUDGE),
    name="loft",
    beside="loft_profiles",
    figures={"strict": Figure("Strict"), "official": Figure("Official", counts="turns")},
    view="Answers",
    groups=(LENGTHS, _fact("dataset"), _fact("via")),
    told=tuple(Told(one, one, f"by the {one} profile") for one in PROFILES),
)
