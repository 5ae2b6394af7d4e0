"""What a report says of runs of Sequential-NIAH."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from seqniah_datasets import splits
from seqniah_datasets.schema import Split
from seqniah_tasks.benchmarks.sequential_niah.report import (
    depth,
    failures,
    needles_by_length,
    noise,
    order,
    overview,
    strata,
)
from seqniah_tasks.benchmarks.sequential_niah.report.cases import beside
from seqniah_tasks.records import Record
from seqniah_tasks.report.declared import ReportOf
from seqniah_tasks.report.runs import Run, named_with_counts
from seqniah_tasks.report.sections import effective, pairs, spending

_SIZES: dict[str, int] = {
    split: sum(cell.count for cell in splits.cells(split)) for split in get_args(Split)
}
"""Samples of each split, as the paper has them."""


def _parts(runs: Sequence[Run]) -> Iterator[tuple[Run, int, int]]:
    """Runs of a part of their split, chosen by filters or limits, or broken off."""
    for run in runs:
        whole, asked = _SIZES.get(run.setting.split, 0), len({row.id for row in run.answers})
        if asked < whole:
            yield run, asked, whole


def _found(row: Record) -> str:
    found = row.items.get("found")
    return f"{sum(found)} of {len(found)} needles found" if found else f"{row.needles} needles"


REPORT = ReportOf(
    sections=(
        *(overview.section, pairs.section, strata.section, effective.section),
        *(needles_by_length.section, depth.section, failures.section, order.section),
        *(noise.section, spending.section),
    ),
    part_of=lambda runs: named_with_counts("Only a part of the split was answered", _parts(runs)),
    beside=beside,
    found=_found,
    strata={"pipeline": "Pipeline", "needle_group": "Needles", "noise": "Noise"},
)
