"""What golden files hold of prompts: ids, token counts and digests, a JSON line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from seqniah_tasks.loading import load


def write_samples(asked: Iterable[tuple[str, Mapping[str, Any]]], fact: str) -> None:
    """Write the samples of tasks with options, with one of the facts that logs keep of each."""
    write(
        {
            "id": sample.id,
            "question": sample.question,
            "reference": sample.reference,
            fact: sample.item.facts[fact],
            "tokens": sample.tokens,
            "sha256": sample.shown.sha256,
        }
        for task, given in asked
        for sample in load(task, **given)
    )


def write(rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSON lines, the same bytes wherever this runs."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    for row in rows:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
