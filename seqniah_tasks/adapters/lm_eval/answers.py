"""Some answers of a samples file of lm-eval with their questions and references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval.logs import is_verdicts
from seqniah_tasks.adapters.lm_eval.samples import Sample, SamplesFile, lines, sample
from seqniah_tasks.records import Record, Transcript

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
"""Ids that stand in JSON as they are."""


def read(path: Path, rows: Sequence[Record]) -> list[Transcript]:
    """What the file has of these answers, which were read from it, in their order.

    None of a file that `seqniah score` wrote, since it holds no texts. Raises `SeqniahError` that
    names file, line and field, and when an answer is there no more.
    """
    if not rows or is_verdicts(path):
        return []
    wanted = {row.id for row in rows}
    found = _samples(path, wanted)
    missing = wanted - found.keys()
    if missing:
        raise SeqniahError(
            f"{path} has no sample {min(missing)[:100]!r} any more; read the file again."
        )
    return [_transcript(row, found[row.id]) for row in rows]


def _samples(path: Path, wanted: set[str]) -> dict[str, Sample]:
    """Those of a file by id; of lines that cannot be of any, which hold whole prompts, none."""
    marks = [name.encode() for name in wanted] if all(map(_PLAIN.fullmatch, wanted)) else [b""]
    file = SamplesFile(path, "")
    found: dict[str, Sample] = {}
    for number, raw in lines(path):
        if any(mark in raw for mark in marks):
            one = sample(file, number, raw)
            found[one.document["id"]] = one
    return found


def _transcript(row: Record, one: Sample) -> Transcript:
    # The harness does not log why an answer ended.
    document = one.document
    return Transcript(
        record=row,
        question=document["question"],
        reference=document["reference"],
        response=one.response or "",
        facts=document,
    )
