"""Answers of LOFT scored in a run: by the strict profile, with the official one beside it."""

from __future__ import annotations

from seqniah_scorers.loft import Task, strict
from seqniah_tasks.benchmarks.loft.judged import PROFILES, judged
from seqniah_tasks.benchmarks.loft.rows import Query
from seqniah_tasks.benchmarks.protocol import Answered, ByMeasure, Figure, Scored, Scoring
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
    """The main measure of a single question, by the facts kind, answers, metric and id_to_pid."""
    facts = answered.facts
    kind: Task = facts["kind"]
    query = Query(str(facts.get("qid", "")), "the sample", facts["answers"], None)
    given = {"response": answered.response, "id_to_pid": facts.get("id_to_pid")}
    name = str(facts.get("metric") or MAIN[kind])
    by = {one: judged(kind, one, query, given) for one in PROFILES}
    found = {one: scores.rows[0].get(name, 0.0) for one, scores in by.items() if scores.rows}
    reason = (
        by["strict"].unscored or f"{name} {found['strict']:.3f}; read: {_read(kind, answered)}."
    )
    return Scored(
        score=found.get("strict"),
        reason=reason,
        figures={"strict": found.get("strict"), "official": found.get("official")},
        explanation=reason,
    )


def _read(kind: Task, answered: Answered) -> str:
    found = strict.parsed(kind, [answered.response], answered.facts.get("id_to_pid"))[0]
    return "no list" if found is None else quoted(str(found), 120)


SCORING = Scoring(
    by=ByMeasure(score, JUDGE),
    name="loft",
    beside="loft_profiles",
    figures={one: Figure(one.capitalize()) for one in PROFILES},
    view="Answers",
)
