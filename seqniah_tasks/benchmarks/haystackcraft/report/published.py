"""What the paper prints of its own runs, table by table (arXiv 2510.07414): `published.toml`.

Its documents are Wikipedia's and its answers were read by the released reader, so that figures of
other documents are a rough guide only: wherever one is shown, `WORDS` and its source stand beside
it. Its figures are pictures without printed numbers; nothing was read off them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from seqniah_tasks.benchmarks.haystackcraft.report.settings import Setting

WORDS = "published, on Wikipedia"
"""To be said of every figure of this module."""

_PAPER = "arXiv 2510.07414"
_TABLES = {"recall": 3, "ndcg": 4}


@dataclass(frozen=True, slots=True)
class Cell:
    """One F1 of a table."""

    value: float
    """0 to 1."""
    deviation: float | None
    """What stands behind it with ±, over three orders; 0 to 1."""
    suspect: bool
    """Whether it may be mistaken, for the reason that is `SUSPECT`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A model's F1 in one setting."""

    model: str
    """As the table has it."""
    setting: Setting
    cells: Mapping[str, Cell]
    """By size of the pile."""
    table: int

    @property
    def trusted(self) -> dict[str, Cell]:
        """The cells that are not suspect."""
        return {size: cell for size, cell in self.cells.items() if not cell.suspect}

    @property
    def source(self) -> str:
        """Where it is printed."""
        return f"{_PAPER}, Table {self.table}"


SUSPECT = "the same figures stand in Table 17 and in Table 18"
"""Why a cell is suspect."""


@lru_cache(maxsize=1)
def lines() -> tuple[Line, ...]:
    """All lines of Tables 5 to 18, in their order."""
    raw = _raw()
    return tuple(
        Line(
            model=model,
            setting=Setting(table["strategy"], table["order"], table.get("rounds", "")),
            cells={
                size: _cell(cell, _suspects(raw["suspect"], table, model, size))
                for size, cell in zip(raw["sizes"], cells, strict=True)
            },
            table=table["table"],
        )
        for table in raw["f1"]
        for model, cells in table["models"].items()
    )


def of_setting(setting: Setting) -> list[Line]:
    """The lines of one setting; none where it was not published."""
    return [line for line in lines() if line.setting == setting]


def retrieval(
    measure: Literal["recall", "ndcg"], strategy: str, hops: int | None = None
) -> dict[int, float]:
    """Recall@N or NDCG@N by N, 0 to 1 (Tables 3 and 4), over all questions or those of so many
    hops; empty where nothing is printed."""
    raw = _raw()
    row = raw[measure].get(strategy, {}).get(str(hops) if hops else "overall", ())
    return {cutoff: _share(value) for cutoff, value in zip(raw["cutoffs"], row, strict=False)}


def retrieval_source(measure: Literal["recall", "ndcg"]) -> str:
    """Where the same is printed."""
    return f"{_PAPER}, Table {_TABLES[measure]}"


_LATER = re.compile(r"[0-9]{2,8}|latest|preview|fp8|awq|gptq|bf16|int[48]")
"""Words after a model's name that make no other model of it: dates and number formats."""


def similar(model: str, published: Iterable[str]) -> str | None:
    """The published model of the same name as a run's, however it is served; None: none is."""
    words = _words(model.rpartition("/")[2].lower().removeprefix("meta-"))
    for name in published:
        wanted = _words(name.lower())
        later = words[len(wanted) :]
        if words[: len(wanted)] == wanted and all(map(_LATER.fullmatch, later)):
            return name
    return None


def _words(name: str) -> Sequence[str]:
    return re.findall(r"[a-z0-9]+", name)


@lru_cache(maxsize=1)
def _raw() -> Mapping[str, Any]:
    return tomllib.loads((resources.files(__package__) / "published.toml").read_text("utf-8"))


def _suspects(
    marked: Iterable[Mapping[str, Any]], table: Mapping[str, Any], model: str, size: str
) -> bool:
    return any(
        table["table"] in one["tables"]
        and table.get("rounds") == one["rounds"]
        and model == one["model"]
        and size in one["sizes"]
        for one in marked
    )


def _cell(printed: float | Sequence[float], suspect: bool) -> Cell:
    value, deviation = (printed, None) if isinstance(printed, float | int) else printed
    return Cell(_share(value), None if deviation is None else _share(deviation), suspect)


def _share(printed: float) -> float:
    """0 to 1, rounded to what is printed."""
    return round(printed / 100, 4)
