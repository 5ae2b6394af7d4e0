"""An answer of Sequential-NIAH beside its reference, as the rules align them."""

from __future__ import annotations

from seqniah_scorers.rules import Aligned, align
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.sequential_niah.score import needle_type
from seqniah_tasks.records import Record, Transcript
from seqniah_tasks.report.cases import MOST_ALIGNED, Beside


def beside(told: Transcript) -> tuple[Beside | None, str | None]:
    """Item by item; nothing without a language and a pipeline, or of a reference that is none."""
    aligned = _aligned(told)
    if aligned is None:
        note = "Language or pipeline is not known, or the reference is too long to be aligned."
        return None, note
    verdict = aligned.verdict
    found = Beside(verdict.pairs, aligned.references, aligned.answers, verdict.order_required)
    return found, _note(told.record, verdict.correct)


def _aligned(told: Transcript) -> Aligned | None:
    lang, traits = told.record.lang, told.record.traits
    if lang not in ("en", "zh") or "pipeline" not in traits or len(told.reference) > MOST_ALIGNED:
        return None
    case = Case(
        lang="zh" if lang == "zh" else "en",
        needle_type=needle_type(traits["pipeline"]),
        question=told.question,
        reference=told.reference,
        response=told.response,
        order_required=traits.get("order_required"),
        cut_off=told.cut_off,
        parties=parties(told),
    )
    return align(case)


def parties(told: Transcript) -> tuple[str, ...]:
    """The two sides that every item is about, if there are two."""
    given = told.facts.get("parties")
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def _note(row: Record, by_rules: bool | None) -> str | None:
    same, told = by_rules is row.correct or row.correct is None, "right" if by_rules else "wrong"
    if row.judged_by == "model":
        lines = "A model judged this answer; which item states which is what the rules found"
        return f"{lines}." if same else f"{lines}, which hold it to be {told}."
    if not same:
        return (
            f"The rules as they are now hold this answer to be {told}: the run had others, or an "
            "embedding model with them."
        )
    return None
