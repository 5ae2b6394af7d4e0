"""A split's make-up beside the published one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rich.table import Table

from seqniah_datasets import splits
from seqniah_datasets.schema import LengthBin, NeedleGroup, Split
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah

PUBLISHED: dict[Split, frozenset[str]] = {
    "test": frozenset({"all", "language", "length", "needles", "length x needles"}),
    "dev": frozenset({"all", "language"}),
    "train": frozenset({"all", "language"}),
}
"""Margins that the paper prints (Tables 1, 2, 6); the others are derived."""


@dataclass(frozen=True, slots=True)
class Margin:
    """One line of the comparison."""

    margin: str
    """What is counted by, e.g. "length"."""
    value: str
    """Which of its values, e.g. "8k-16k"."""
    target: int
    """Samples in the quota table."""
    derived: bool
    """The target is not printed in the paper but fitted to what is."""
    here: int
    """Samples with the present options."""


@dataclass(frozen=True, slots=True)
class _Place:
    lang: str
    pipeline: str
    length: LengthBin
    group: NeedleGroup


_MARGINS: dict[str, Callable[[_Place], str]] = {
    "all": lambda place: "all",
    "language": lambda place: place.lang,
    "pipeline": lambda place: place.pipeline,
    "length": lambda place: place.length.name,
    "needles": lambda place: place.group.name,
    "length x needles": lambda place: f"{place.length.name}, {place.group.name}",
}


def margins(bench: SequentialNiah) -> list[Margin]:
    """Every margin of the quota table beside what the benchmark's plan holds."""
    split = bench.options.split
    targets: Counter[tuple[str, str]] = Counter()
    here: Counter[tuple[str, str]] = Counter()
    for cell in splits.cells(split):
        place = _Place(cell.lang, cell.pipeline, cell.length, cell.group)
        for margin, value in _MARGINS.items():
            targets[margin, value(place)] += cell.count
    for planned in bench.plan:
        slot = planned.slot
        place = _Place(slot.lang, slot.pipeline, slot.length, slot.group)
        for margin, value in _MARGINS.items():
            here[margin, value(place)] += 1
    return [
        Margin(margin, value, target, margin not in PUBLISHED[split], here[margin, value])
        for (margin, value), target in sorted(
            targets.items(), key=lambda entry: list(_MARGINS).index(entry[0][0])
        )
    ]


def margins_table(found: list[Margin], split: str) -> Table:
    """The margins as a table."""
    table = Table(title=f"Sequential-NIAH, {split} split: samples", title_justify="left")
    table.add_column("by")
    table.add_column("value")
    table.add_column("published", justify="right")
    table.add_column("here", justify="right")
    table.add_column("")
    before = ""
    for margin in found:
        if before and margin.margin != before:
            table.add_section()
        table.add_row(
            margin.margin if margin.margin != before else "",
            margin.value,
            f"{margin.target:,}",
            f"{margin.here:,}",
            "derived" if margin.derived else "",
        )
        before = margin.margin
    return table
