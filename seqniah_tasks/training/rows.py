"""Reading what `seqniah judge data` wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.verdict import Case

_LABELS = {"correct": True, "正确": True, "incorrect": False, "错误": False}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One case in the form in which a judge is asked and should reply."""

    id: str
    prompt: str
    """The whole of what the user says."""
    verdict: str
    """What the judge should reply, word for word."""
    case: Case
    """What was asked about, to read a reply by."""
    correct: bool
    """The right verdict."""
    group: str
    """What was done to the true items."""

    @property
    def prompt_messages(self) -> list[dict[str, str]]:
        return [{"role": "user", "content": self.prompt}]

    @property
    def verdict_messages(self) -> list[dict[str, str]]:
        return [{"role": "assistant", "content": self.verdict}]


def read(folder: Path, part: Literal["train", "test"], limit: int | None = None) -> list[Row]:
    """The rows of a part, all or `limit` evenly taken. Raises `SeqniahError`."""
    path = folder / f"{part}.jsonl"
    rows: list[Row] = []
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    rows.append(_row(line, f"{path}:{number}"))
    except FileNotFoundError as error:
        raise SeqniahError(
            f"{path} is missing; write it with seqniah judge data --out {folder}."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SeqniahError(f"{path} cannot be read ({error}).") from error
    if not rows:
        raise SeqniahError(f"{path} has no rows; write it with seqniah judge data --out {folder}.")
    return evenly(rows, limit)


def evenly(items: Sequence[T], limit: int | None) -> list[T]:
    """At most so many of some items, from all over them, in their order."""
    most = len(items) if limit is None else min(limit, len(items))
    return [items[number * len(items) // most] for number in range(most)]


def _row(line: str, place: str) -> Row:
    try:
        fields = json.loads(line)
        (asked, replied) = fields["messages"]
        if (asked["role"], replied["role"]) != ("user", "assistant"):
            raise ValueError("messages are one of the user and one of the assistant")
        lang, needle_type = fields["lang"], fields["needle_type"]
        if lang not in ("en", "zh") or needle_type not in ("temporal", "logical"):
            raise ValueError("lang is en or zh, needle_type temporal or logical")
        label = fields["label"]
        correct = label if isinstance(label, bool) else _LABELS[label]
        texts = {"prompt": asked["content"], "verdict": replied["content"]}
        texts |= {name: fields[name] for name in ("id", "question", "reference", "response")}
        for name, text in texts.items():
            if not isinstance(text, str) or (not text and name != "response"):
                raise ValueError(f"{name} is a text")
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        why = f"no {error}" if isinstance(error, KeyError) else error
        raise SeqniahError(
            f"{place} is no row of judge data ({why}); write the file again with seqniah judge "
            "data."
        ) from error
    return Row(
        id=texts["id"],
        prompt=texts["prompt"],
        verdict=texts["verdict"],
        case=Case(lang, needle_type, texts["question"], texts["reference"], texts["response"]),
        correct=correct,
        group=str(fields.get("group", "")),
    )
