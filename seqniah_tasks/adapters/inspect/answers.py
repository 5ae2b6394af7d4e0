"""Some samples of a log of inspect-ai in full: question, reference and answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect.logs import verdict_keys
from seqniah_tasks.adapters.inspect.summaries import (
    read_header,
    read_whole,
)
from seqniah_tasks.records import Record, Transcript

_PROMPTS = {"messages", "events", "store", "attachments", "error_retries"}
"""Fields of a whole sample that hold its prompt, or nothing of interest."""


def read(path: Path, rows: Sequence[Record]) -> list[Transcript]:
    """What the log has of these rows, which were read from it, in their order; a few hundred.

    Raises `SeqniahError` when the log cannot be read, or has other samples by now.
    """
    if not rows:
        return []
    key = verdict_keys(read_header(path))[-1]
    wanted = [(row.id, row.epoch or 1) for row in rows]
    found = read_whole(path, wanted, _PROMPTS)
    return [_told(path, row, sample, key) for row, sample in zip(rows, found, strict=True)]


def _told(path: Path, row: Record, sample: EvalSample, key: str) -> Transcript:
    question, reference = sample.input, sample.target
    if not isinstance(question, str) or not isinstance(reference, str):
        raise SeqniahError(
            f"{path}, sample {row.id[:100]!r}: its question or its reference is no single text, as "
            "in every sample of a seqniah task; move the log away."
        )
    given = (sample.scores or {}).get(key)
    told = (given.metadata or {}) if given else {}
    return Transcript(
        record=row,
        question=question,
        reference=reference,
        response=sample.output.completion,
        cut_off=sample.output.stop_reason == "max_tokens",
        facts=sample.metadata,
        analysis=_analysis(told) if row.judged_by == "model" else None,
    )


def _analysis(told: dict[str, Any]) -> str | None:
    """What the judge wrote on the order and on the answer."""
    parts = [told.get(name) for name in ("order_analysis", "eval_analysis")]
    return "\n\n".join(part for part in parts if isinstance(part, str) and part.strip()) or None
