"""Answers with their verdicts, from samples files of lm-eval and from files of verdicts."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import records
from seqniah_tasks.adapters.lm_eval.samples import Sample, SamplesFile, lines, sample
from seqniah_tasks.adapters.lm_eval.samples import read as read_samples
from seqniah_tasks.benchmarks.protocol import ByCase
from seqniah_tasks.records import Record, Transcript
from seqniah_tasks.truncation import Fate

_VERDICT = ("correct", "score", "pairs")
"""One of these is in every row of verdicts."""

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
"""Ids that stand in JSON as they are."""


def is_verdicts(path: Path) -> bool:
    """Whether `seqniah score` wrote a file, by its first line. Raises `SeqniahError`."""
    try:
        return _is_verdict(json.loads(next((raw for _, raw in lines(path)), b"")))
    except (ValueError, RecursionError):
        return False


def _is_verdict(row: Any) -> bool:
    return isinstance(row, dict) and "doc" not in row and any(name in row for name in _VERDICT)


def read(file: SamplesFile) -> list[Record]:
    """Answers that a run has judged. Raises `SeqniahError` that names file, line and field, and
    when there are no verdicts.
    """
    found: list[Record] = []
    line_of: dict[str, int] = {}
    for one in read_samples(file):
        where = f"{file.path}, line {one.line}"
        if one.judged is None:
            raise SeqniahError(
                f"{where} has no verdict; judge the file first, and give what this writes: seqniah "
                f"score lm-eval {shlex.quote(str(file.path))} --out verdicts.jsonl"
            )
        name = one.document["id"]
        first = line_of.setdefault(name, one.line)
        if first != one.line:
            raise SeqniahError(f"{where}: the sample {name} was in line {first} already; drop one.")
        found.append(_of_sample(where, one, one.judged))
    return found


def _of_sample(where: str, one: Sample, judged: Mapping[str, Any]) -> Record:
    document, file = one.document, one.file
    facts = {**document, "needle_depths": list(one.depths)}
    # Verdicts on lists tell what was found by their pairs alone.
    told = {"pairs": None, **judged} if isinstance(one.benchmark.scoring.by, ByCase) else judged
    given = {
        **judged,
        **document,
        **one.benchmark.columns.read(where, facts, told),
        "harness": "lm-eval",
        "source": str(file.path),
        "model": file.model,
        "task": file.task,
        "generation": file.generation,
        "epoch": 1,
        "setup": ", ".join(records.setups(one.benchmark, document)),
        "prompt_fate": str(one.fate),
    }
    given.setdefault("depths", list(one.depths))
    if one.fate in (Fate.CUT, Fate.SKIPPED):
        reason = "The prompt was not seen whole."
        given |= {"correct": None, "score": None, "judged_by": None, "reason": reason}
    return records.record(where, given)


def read_verdicts(path: Path) -> list[Record]:
    """Verdicts that `seqniah score` wrote. Raises `SeqniahError`, naming file, line and field."""
    found: list[Record] = []
    for number, raw in lines(path):
        where = f"{path}, line {number}"
        try:
            row = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise SeqniahError(f"{where} is not JSON ({error}); drop the line.") from error
        if not _is_verdict(row):
            raise SeqniahError(f"{where} is no verdict of seqniah score; drop the line.")
        found.append(of_verdict(where, str(path), row))
    if not found:
        raise SeqniahError(f"{path} holds no verdict; give a file that seqniah score wrote.")
    return found


def of_verdict(where: str, source: str, row: Mapping[str, Any]) -> Record:
    """A row of verdicts. Raises `SeqniahError` that names the place, `where`, and the field."""
    benchmark = records.benchmark_of(where, row.get("benchmark"))
    # Of other answers nobody knows whether the model saw the prompt.
    ran = "prompt_fate" in row
    return records.record(
        where,
        {
            "depths": row.get("needle_depths"),
            **row,
            **benchmark.columns.read(where, row, row),
            "harness": "lm-eval" if ran else None,
            "source": source,
            "epoch": 1 if ran else None,
        },
    )


def transcripts(path: Path, rows: Sequence[Record]) -> list[Transcript]:
    """Texts of these answers of a file; none of one that `seqniah score` wrote, which has none.

    Raises `SeqniahError` that names file, line and field, and when an answer is there no more.
    """
    if not rows or is_verdicts(path):
        return []
    found = _samples(path, {row.id for row in rows})
    missing = [row.id for row in rows if row.id not in found]
    if missing:
        raise SeqniahError(
            f"{path} has no sample {min(missing)[:100]!r} any more; read the file again."
        )
    return [
        Transcript(
            record=row,
            question=found[row.id].document["question"],
            reference=found[row.id].document["reference"],
            response=found[row.id].response or "",
            facts=found[row.id].document,
        )
        for row in rows
    ]


def _samples(path: Path, wanted: set[str]) -> dict[str, Sample]:
    """Those of a file by id; of lines that cannot be of any, which hold whole prompts, none."""
    marks = [name.encode() for name in wanted] if all(map(_PLAIN.fullmatch, wanted)) else [b""]
    candidates = (
        sample(SamplesFile(path, ""), number, raw)
        for number, raw in lines(path)
        if any(mark in raw for mark in marks)
    )
    return {one.document["id"]: one for one in candidates}
