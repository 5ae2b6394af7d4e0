"""Verdicts on answers about stars, as lm-eval's metrics and samples files have them."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.schema import StarTask
from seqniah_scorers import stars
from seqniah_scorers.stars import StarVerdict
from seqniah_tasks.adapters.lm_eval_noted import Answer, Asked
from seqniah_tasks.adapters.lm_eval_star_documents import StarDocument
from seqniah_tasks.benchmarks.star_questions import case_of
from seqniah_tasks.star_records import JUDGE, told

LENGTH_METRIC = "len_{}"
"""The score at one length."""


def answer(
    text: str, document: StarDocument, asked: Asked, lengths: Sequence[str], left_out: int
) -> Answer:
    """An answer with its metrics; `judged` tells the whole verdict in the samples file.

    `lengths` are those of the task's answers, `left_out` the prompts that were never sent.
    """
    verdict = stars.judge(case_of(document, text))
    confusion = {"confusion": verdict.confusion}
    found = Answer(text)
    found.metrics = {
        "score": verdict.score,
        "position": verdict.position,
        "precision": verdict.precision,
        **(confusion if document["pipeline"] == StarTask.PLAYERS else {}),
        "unscored": 0.0,
        **{
            LENGTH_METRIC.format(name): verdict.score if name == document["length_bin"] else None
            for name in lengths
        },
        **({"left_out": left_out} if left_out else {}),
        "judged": {
            "id": document["id"],
            **fields(verdict),
            "judge": JUDGE,
            "judged_by": "rules",
            **asked.notes(document["lang"]),
        },
    }
    return found


def fields(verdict: StarVerdict) -> dict[str, object]:
    """A verdict as fields of a file."""
    return {
        "correct": verdict.correct,
        "score": verdict.score,
        **told(verdict),
    }
