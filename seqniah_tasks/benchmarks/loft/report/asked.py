"""What answers are of: a data set at a length, and the way to the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seqniah_datasets.loft.table import DataSet, data_sets
from seqniah_tasks.kinds import natural
from seqniah_tasks.records import Record

WAYS = {"context": "with the corpus in context", "closed": "without it", "bm25": "over BM25's best"}
"""What prompts hold, in a sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What some answers are of."""

    dataset: str
    kind: str
    via: str
    length: str

    @property
    def row(self) -> DataSet | None:
        """The released data set of that name; None: it is none."""
        return data_sets().get(f"{self.task}/{self.dataset}")

    @property
    def task(self) -> str:
        """Of one task are data sets with single values and with several."""
        return "rag" if self.kind == "multi_value_rag" else self.kind

    @property
    def place(self) -> tuple[str, str, tuple[bool, float, str], str]:
        """By which they stand in order."""
        return self.task, self.dataset, natural(self.length), self.via


def asked(row: Record) -> Asked:
    """What an answer is of; empty where its record does not tell."""
    dataset, kind, via = (str(row.traits.get(name) or "") for name in ("dataset", "kind", "via"))
    return Asked(dataset, kind, via, row.length_bin or "")


Groups = Sequence[tuple[str, Mapping[Asked, Sequence[Record]]]]
"""Answers by what they are of, for each run, by its label."""


def by_asked(rows: Sequence[Record]) -> dict[Asked, list[Record]]:
    """The answers that tell what they are of."""
    found: dict[Asked, list[Record]] = {}
    for row in rows:
        if row.traits.get("dataset"):
            found.setdefault(asked(row), []).append(row)
    return found
