"""The released data sets, one row each: `datasets.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.loft.schema import Kind

Task = Literal["retrieval", "rag", "sql", "icl"]
"""The folder that a data set lies in, and the second half of a task's name."""

TASKS: tuple[Task, ...] = ("retrieval", "rag", "sql", "icl")

SYSTEMS = ("Gemini 1.5 Pro", "GPT-4o", "Claude 3 Opus", "specialised pipeline")
"""The columns of Table 2."""

_ARCHIVES = "https://storage.googleapis.com/loft-bench"
_BEIR = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set as it was released."""

    folder: str
    """Task and name, such as retrieval/nq."""
    title: str
    """As the paper writes it."""
    kind: Kind
    metric: str
    """The one that the paper reports."""
    shape: str
    """Whose words its prompts have; several data sets share them."""
    lengths: tuple[str, ...]
    queries: Mapping[str, int]
    """How many, by split."""
    table2: tuple[float, ...]
    """Of `SYSTEMS`, 0 to 1; -1 where the table has none."""
    candidates: Mapping[str, int] = field(default_factory=dict)
    """How many, by length (Table 5)."""
    conversations: bool = False
    """Whether queries have several turns."""
    titles: bool = True
    beir: str = ""
    """Name of BEIR's archive whose texts fill it in, since it has ids alone; empty: it is whole."""
    released: bool = True

    @property
    def task(self) -> str:
        """Its task."""
        return self.folder.partition("/")[0]

    @property
    def name(self) -> str:
        """As options have it."""
        return self.folder.partition("/")[2]

    @property
    def published_at(self) -> str:
        """The length of its figures in Table 2."""
        return "32k" if self.task == "icl" else "128k"

    @property
    def fetch(self) -> str:
        """What to do so that it is there, in words that follow a semicolon."""
        told = f"fetch {_ARCHIVES}/{self.folder}.zip and unpack it there"
        if self.beir:
            told += f", and {_BEIR}/{self.beir}.zip into its folder source/{self.name}"
        return told


@lru_cache(maxsize=1)
def data_sets() -> Mapping[str, DataSet]:
    """All by folder."""
    raw = tomllib.loads((files(__package__) / "datasets.toml").read_text("utf-8"))
    return {folder: DataSet(folder=folder, **_row(row)) for folder, row in raw.items()}


def _row(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in raw.items()}


def data_set(task: str, name: str, others: Sequence[str] = ()) -> DataSet:
    """The data set of a task and a name. Raises `UnknownName`, which tells of others too, or
    `SeqniahError` where it was never released."""
    found = data_sets().get(f"{task}/{name}")
    if found is None:
        known = [one.name for one in data_sets().values() if one.task == task and one.released]
        raise UnknownName(f"data set of loft_{task}", name, [*others, *known])
    if not found.released:
        raise SeqniahError(f"{found.title} is not released; take another data set.")
    return found
