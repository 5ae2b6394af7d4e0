"""Answers of Sequential-NIAH judged: lists of items, by the rules or by a model."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.schema import Pipeline, QAItem
from seqniah_scorers import rules
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.rules import Aligned
from seqniah_scorers.verdict import Case, NeedleType, Verdict
from seqniah_tasks.benchmarks.protocol import (
    LANGUAGES,
    LENGTHS,
    Answered,
    ByCase,
    Figure,
    Group,
    Scored,
    Scoring,
    Suite,
)
from seqniah_tasks.benchmarks.sequential_niah import noise
from seqniah_tasks.benchmarks.sequential_niah.explain import explain, explain_both, summarize

FIGURES = {
    "item_recall": Figure("Recall"),
    "item_precision": Figure("Precision"),
    # Where order is not demanded a low agreement is no fault, and must not look like one.
    "order_agreement": Figure("Order", "neutral", low=-1),
}
"""What explains strict accuracy: what was found, what was added, how it was ordered."""


def needle_type(pipeline: str) -> NeedleType:
    """Which of the judge's two kinds of question a pipeline asks; one that is not known asks the
    one whose order follows from its words."""
    return "logical" if pipeline == Pipeline.REAL_LOGICAL else "temporal"


def judge(qa: QAItem, response: str, *, cut_off: bool = False) -> Verdict:
    """The rule judge's verdict on a response."""
    facts = {
        "lang": qa.lang,
        "pipeline": str(qa.pipeline),
        "order_required": qa.order_required,
        "parties": qa.parties,
        "needle_texts": [needle.text for needle in qa.needles],
    }
    return rules.judge(case(Answered(qa.question, qa.reference, facts, response, cut_off)))


def case(answered: Answered) -> Case:
    """What a judge is shown of an answer."""
    facts = answered.facts
    return Case(
        lang=facts["lang"],
        needle_type=needle_type(facts["pipeline"]),
        question=answered.question,
        reference=answered.reference,
        response=answered.response,
        order_required=facts["order_required"],
        cut_off=answered.cut_off,
        parties=tuple(facts.get("parties", ())),
        needles=tuple(facts.get("needle_texts", ())),
    )


def scored(answered: Answered, aligned: Aligned | None, verdict: Verdict, model: str) -> Scored:
    """The verdict with what became of each needle."""
    items = _items(answered)
    depths: Sequence[float | None] = answered.depths or [None] * len(items)
    found = {pair.reference for pair in verdict.pairs if pair.same}
    order = verdict.order_agreement
    return Scored(
        score=verdict.correct,
        reason=verdict.reason,
        figures={
            "item_recall": round(verdict.item_recall, 4),
            "item_precision": round(verdict.item_precision, 4),
            "order_agreement": None if order is None else round(order, 4),
        },
        told={
            "failure_modes": [str(mode) for mode in verdict.failure_modes],
            "order_required": verdict.order_required,
            "reason": verdict.reason,
            # Beside the items below, since the log's summaries keep short fields only.
            "found": [number in found for number in range(len(items))],
            "needles": [
                {"item": item, "depth": depth, "found": number in found}
                for number, (item, depth) in enumerate(zip(items, depths, strict=False))
            ],
        },
        explanation=_explained(aligned, verdict, model),
        in_short=summarize(verdict),
    )


def _items(answered: Answered) -> list[str]:
    """The reference's items: a line each, but in released references that are laid out freely."""
    lines = answered.reference.split("\n")[1:]
    if answered.facts.get("needles", len(lines)) != len(lines):
        items = parse(answered.reference, trusted=True)
        lines = [" ".join(answered.reference[slice(*one.span)].split()) for one in items]
    return [line.removeprefix("- ") for line in lines]


def _explained(aligned: Aligned | None, verdict: Verdict, model: str) -> str:
    if aligned is None:
        return verdict.reason
    return explain_both(verdict, model, aligned) if model else explain(aligned)


SCORING = Scoring(
    by=ByCase(case, scored),
    name="rules",
    beside="items",
    figures=FIGURES,
    view="Verdicts",
    binary=True,
    groups=(
        LENGTHS,
        Group("needles", lambda facts: facts.get("needle_group"), metric="{} needles"),
        Group("pipeline", lambda facts: facts.get("pipeline")),
        LANGUAGES,
    ),
    suite=Suite(
        noise.NAMES, noise.outcome, noise.figures_of, lambda name: name.startswith("spread")
    ),
)
