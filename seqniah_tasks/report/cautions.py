"""What a reader must know before a figure is believed: what was run, and in which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import get_args

from seqniah_datasets import splits
from seqniah_datasets.schema import Split
from seqniah_tasks.report.runs import (
    MOST_NAMED,
    Run,
    Setting,
    differences,
    different_samples,
    word,
)
from seqniah_tasks.report.words import joined

_SIZES: dict[str, int] = {
    split: sum(cell.count for cell in splits.cells(split)) for split in get_args(Split)
}
"""Samples of each split, as the paper has them."""


def cautions(runs: Sequence[Run]) -> list[str]:
    """Why figures of these runs may mislead, a sentence each: but for what is unscored."""
    return [*_unusual(runs), *differences(runs), *different_samples(runs), *_parts(runs)]


def settings(runs: Sequence[Run]) -> str:
    """What all runs share, e.g. "test split, open edition, tokenizer qwen"; empty for nothing."""
    told: list[str] = []
    for field in fields(Setting):
        values = {getattr(run.setting, field.name) for run in runs}
        if len(values) == 1 and (value := values.pop()):
            name = word(field.name)
            told.append(f"{value} {name}" if name in ("split", "edition") else f"{name} {value}")
    return ", ".join(told)


def _unusual(runs: Sequence[Run]) -> list[str]:
    told = [f"{run.label}: {run.setting.setup}" for run in runs if run.setting.setup]
    if not told:
        return []
    named = joined(told, MOST_NAMED)
    return [f"Not every run was asked in the usual way, and such runs are another test: {named}."]


def _parts(runs: Sequence[Run]) -> list[str]:
    """Runs of a part of their split, chosen by filters or limits, or broken off."""
    told: list[str] = []
    for run in runs:
        whole, asked = _SIZES.get(run.setting.split, 0), len({row.id for row in run.answers})
        if asked < whole:
            told.append(f"{run.label} {asked:,} of {whole:,}")
    if not told:
        return []
    return [f"Only a part of the split was answered: {joined(told, MOST_NAMED)}."]
