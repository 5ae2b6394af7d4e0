"""Answers of HaystackCraft scored: word F1 by the run's profile, and what stands beside it."""

from __future__ import annotations

from seqniah_scorers.origin import Origin, trace
from seqniah_scorers.overlap import Overlap, overlap
from seqniah_tasks.benchmarks.haystackcraft import rounds
from seqniah_tasks.benchmarks.protocol import (
    LENGTHS,
    ROUND_NOTES,
    Answered,
    ByMeasure,
    Cluster,
    Facts,
    Figure,
    Group,
    Scored,
    Scoring,
    Told,
)
from seqniah_tasks.quoting import quoted

JUDGE = "word overlap 1"
"""Who judges, as logs name it."""

FIGURES = {
    "exact": "answers with the very words of an accepted one",
    "strict_f1": "word F1 of the answers as they are read strictly",
    "official_f1": "word F1 of the answers as the released code reads them",
    "answered": "responses that state an answer",
}
"""What stands beside the score, and what a mean of it tells."""


def score(answered: Answered) -> Scored:
    """The F1 of an answer by the run's profile; no answer is 0."""
    accepted = [answered.reference, *answered.facts.get("aliases", ())]
    by = {
        profile: overlap(answered.response, accepted, profile) for profile in ("strict", "official")
    }
    found = by[str(answered.facts.get("profile", "strict"))]
    reason = _reason(found, answered)
    return Scored(
        score=found.f1,
        reason=reason,
        figures={
            "exact": float(found.exact),
            "strict_f1": by["strict"].f1,
            "official_f1": by["official"].f1,
            "answered": float(found.answer is not None),
            **rounds.figures(answered.facts.get(ROUND_NOTES) or ()),
        },
        told={"read": found.answer, "failure_modes": _modes(found, answered)},
        explanation=reason,
    )


RIGHT = 0.5
"""F1 from which an answer is taken to be the right one, more or less."""

NO_ANSWER = "no_answer"

FAILURE_MODES = (*Origin, NO_ANSWER)
"""Whose a wrong answer is, or that none is stated."""


def _modes(found: Overlap, answered: Answered) -> list[str]:
    if found.answer is None:
        return [NO_ANSWER]
    if found.f1 >= RIGHT or not answered.prompt:
        return []
    facts = answered.facts
    golds, bridges = facts.get("gold_titles", ()), facts.get("bridges", ())
    return [str(trace(found.answer, answered.prompt, golds, bridges).origin)]


def _reason(found: Overlap, answered: Answered) -> str:
    accepted = quoted(answered.reference, 120)
    if found.answer is None:
        return f"No answer is stated; {accepted} was asked for."
    return f"Read: {quoted(found.answer, 120)}; asked for: {accepted}; word F1 {found.f1:.3f}."


def _hops(facts: Facts) -> str | None:
    hops = facts.get("hops")
    return None if hops is None else f"{int(hops)} hop{'s' if hops != 1 else ''}"


def _rounds(facts: Facts) -> str | None:
    return rounds.named(facts["rounds"]) if facts.get("rounds") else None


SCORING = Scoring(
    by=ByMeasure(score, JUDGE, reads_prompt=True),
    name="answer_f1",
    beside="reading",
    figures={
        **{name: Figure(name.replace("_", " ").capitalize()) for name in FIGURES},
        **{
            name: Figure(name.replace("_", " ").capitalize(), "neutral", high=most)
            for name, most in rounds.FIGURES.items()
        },
    },
    view="Answers",
    groups=(
        LENGTHS,
        Group("hops", _hops, metric="{}"),
        Group("strategy", lambda facts: facts.get("strategy") or None),
        Group("order", lambda facts: facts.get("order") or None),
        Group("rounds", _rounds),
    ),
    cluster=Cluster("asked", "questions"),
    shown=lambda facts: dict.fromkeys(rounds.FIGURES, "rounds" in facts),
    told=tuple(Told(name, name.replace("_", " "), words) for name, words in FIGURES.items()),
)
