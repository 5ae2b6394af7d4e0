"""In what settings questions were asked, and the F1 of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from seqniah_datasets.search.strategies import STRATEGIES
from seqniah_tasks.benchmarks.haystackcraft import rounds
from seqniah_tasks.kinds import natural
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import ordered, point
from seqniah_tasks.report.parts import Cell, Kind, Point, of_kind
from seqniah_tasks.report.runs import Run


@dataclass(frozen=True, slots=True)
class Setting:
    """How the piles of some answers were made, but for their size."""

    strategy: str
    order: str
    rounds: str = ""
    """1, 2, 3 or max3; empty in the static task."""

    @property
    def name(self) -> str:
        """In a title or a label."""
        told = self.strategy, self.order, self.rounds and rounds.named(self.rounds)
        return ", ".join(filter(None, told)) or "setting not told"

    @property
    def place(self) -> tuple[bool, int, str, bool, str, tuple[bool, float, str]]:
        """By which settings stand in order: static ones first, strategies as the paper has them."""
        known = self.strategy in STRATEGIES
        strategy = STRATEGIES.index(self.strategy) if known else len(STRATEGIES)
        order = self.order != "ranked", self.order
        return bool(self.rounds), strategy, self.strategy, *order, natural(self.rounds)


SETTING = of_kind(Kind.TEXT, strategy="Strategy", order="Order", rounds="Rounds")
"""The columns of a setting."""


def cells(setting: Setting) -> tuple[Cell, ...]:
    """Their values; nothing of what is not told."""
    return setting.strategy or None, setting.order or None, setting.rounds or None


def setting_of(row: Record) -> Setting:
    """The setting of an answer; what its record does not tell is empty."""
    told = (row.traits.get(name) for name in ("strategy", "order", "rounds"))
    return Setting(*("" if one is None else str(one) for one in told))


def by_setting(rows: Iterable[Record]) -> dict[Setting, list[Record]]:
    """Answers by setting, the settings in their order."""
    found: dict[Setting, list[Record]] = {}
    for row in rows:
        found.setdefault(setting_of(row), []).append(row)
    return {one: found[one] for one in sorted(found, key=lambda one: one.place)}


def settings(runs: Iterable[Run]) -> list[Setting]:
    """All settings of these runs, in their order."""
    return list(by_setting(row for run in runs for row in run.answers))


def sizes(rows: Iterable[Record]) -> list[str]:
    """Names of the sizes of piles that were asked about, the smallest first."""
    return ordered(row.length_bin for row in rows if row.length_bin)


def at(rows: Iterable[Record], size: str) -> list[Record]:
    """The answers about piles of one size."""
    return [row for row in rows if row.length_bin == size]


def question(row: Record) -> str:
    """What names the question of an answer; several samples ask it."""
    return str(row.traits.get("asked") or row.id)


def points(rows: Sequence[Record], names: Iterable[str]) -> list[Point | None]:
    """The mean F1 at each size; None where no answer is scored."""
    return list(map(point, map(mean_score, map(partial(at, rows), names))))
