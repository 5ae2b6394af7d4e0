"""Answers about stars from samples files of lm-eval, scored and summed up like a log of inspect."""

from __future__ import annotations

from typing import Any, cast

from seqniah_scorers import stars
from seqniah_scorers.stars import StarVerdict
from seqniah_tasks.adapters.lm_eval_records import Answers, Scored, hindrance, remarks_of
from seqniah_tasks.adapters.lm_eval_samples import Sample
from seqniah_tasks.adapters.lm_eval_star_documents import StarDocument
from seqniah_tasks.adapters.lm_eval_star_judging import fields
from seqniah_tasks.benchmarks.star_questions import case_of
from seqniah_tasks.records import RunRecord
from seqniah_tasks.star_records import JUDGE, StarRecord

_GROUP = "counting_stars"
_TASKS = frozenset({f"{_GROUP}_en", f"{_GROUP}_zh"})

_NAMED = (
    *("benchmark", "split", "version", "edition", "tokenizer", "corpus", "lang", "pipeline"),
    *("ask", "length_bin", "length", "needles", "stars", "repeat"),
)
"""What a row of verdicts says of its sample."""

_NO_VERDICT: dict[str, Any] = {
    **dict.fromkeys(("correct", "score", "position", "precision", "confusion")),
    **dict.fromkeys(("credits", "positions"), ""),
    "failure_modes": [],
}


def scored(given: Answers) -> Scored:
    """Score answers about stars, which asks no model.

    What the model did not see whole, or did not answer, is unscored.
    """
    rows = tuple(map(_row, given.samples))
    return Scored(
        given=given,
        record=_run(given, rows),
        rows=rows,
        unscored=tuple(str(row["reason"]) for row in rows if row["score"] is None),
    )


def _document(sample: Sample) -> StarDocument:
    return cast(StarDocument, sample.document)


def _verdict(sample: Sample) -> StarVerdict:
    return stars.judge(case_of(_document(sample), sample.response or ""))


def _row(sample: Sample) -> dict[str, object]:
    """A verdict as one row of a file, with what the sample is of."""
    reason = hindrance(sample)
    told = {**_NO_VERDICT, "reason": reason} if reason else fields(_verdict(sample))
    document = cast(dict[str, Any], sample.document)
    return {
        "id": document["id"],
        **told,
        "judge": JUDGE,
        "judged_by": None if reason else "rules",
        "model": sample.file.model,
        "task": sample.file.task or None,
        "generation": sample.file.generation,
        **{name: document[name] for name in _NAMED},
        "setup": document["setup"] or None,
        "needle_depths": list(sample.depths),
        "prompt_fate": str(sample.fate),
    }


def _run(given: Answers, rows: tuple[dict[str, Any], ...]) -> RunRecord:
    """The run of these answers, as summaries want it."""
    first, files = _document(given.samples[0]), given.files
    tasks = [file.task or file.path.name for file in files]
    return RunRecord(
        model=given.model,
        benchmark=first["benchmark"],
        task=_GROUP if set(tasks) == _TASKS else ", ".join(dict.fromkeys(tasks)),
        version=str(first["version"]),
        edition=first["edition"],
        tokenizer=first["tokenizer"],
        corpus=first["corpus"],
        scorer=JUDGE,
        status=" and ".join(sorted({file.status for file in files})),
        sources=(),
        remarks=remarks_of(given),
        samples=tuple(map(_record, given.samples, rows)),
    )


def _record(sample: Sample, row: dict[str, Any]) -> StarRecord:
    document = _document(sample)
    return StarRecord(
        id=document["id"],
        lang=document["lang"],
        pipeline=document["pipeline"],
        length_bin=document["length_bin"],
        needle_group="",
        correct=row["correct"],
        failure_modes=tuple(row["failure_modes"]),
        finished=True,
        prompt=sample.fate,
        ask=document["ask"],
        score=row["score"],
        position=row["position"],
        precision=row["precision"],
        confusion=row["confusion"],
    )
