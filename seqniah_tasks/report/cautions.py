"""What a reader must know before a figure is believed: what was run, and in which way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import get_args

from seqniah_datasets import splits
from seqniah_datasets.schema import Split
from seqniah_tasks.report import stars
from seqniah_tasks.report.columns import COUNTING_STARS, SEQUENTIAL_NIAH
from seqniah_tasks.report.runs import (
    MOST_NAMED,
    Run,
    differences,
    different_samples,
)
from seqniah_tasks.report.settings import Setting, told_of, word
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import joined

_SIZES: dict[str, int] = {
    split: sum(cell.count for cell in splits.cells(split)) for split in get_args(Split)
}
"""Samples of each split, as the paper has them."""


def cautions(runs: Sequence[Run]) -> list[str]:
    """Why figures of these runs may mislead, a sentence each: but for what is unscored.

    Runs of different benchmarks are compared in none.
    """
    return [
        line
        for name, told in _CAUTIONS.items()
        if (part := [run for run in runs if run.setting.benchmark == name])
        for line in told(part)
    ]


def _of_split(runs: Sequence[Run]) -> list[str]:
    apart = different_samples(runs)
    return [*_unusual(runs), *differences(runs), *apart, *_unfinished(runs), *_parts(runs)]


def _of_stars(runs: Sequence[Run]) -> list[str]:
    apart = [line for one in stars.alike(runs) for line in different_samples(one)]
    alike = [*stars.unusual(runs), *differences(runs), *apart]
    return [*alike, *_unfinished(runs), *stars.parts(runs)]


_CAUTIONS: Mapping[str, Callable[[Sequence[Run]], list[str]]] = {
    SEQUENTIAL_NIAH: _of_split,
    COUNTING_STARS: _of_stars,
}


def settings(runs: Sequence[Run]) -> str:
    """What runs of a benchmark share, e.g. "test split, tokenizer qwen"; empty for nothing."""
    told: list[str] = []
    for field in fields(Setting)[1:]:
        values = {getattr(run.setting, field.name) for run in runs}
        if len(values) == 1 and values.pop():
            name, value = word(field.name), told_of(runs[0].setting, field.name)
            told.append(f"{value} {name}" if name in ("split", "edition") else f"{name} {value}")
    return ", ".join(told)


def _unusual(runs: Sequence[Run]) -> list[str]:
    told = [f"{run.label}: {run.setting.setup}" for run in runs if run.setting.setup]
    if not told:
        return []
    named = joined(told, MOST_NAMED)
    return [f"Not every run was asked in the usual way, and such runs are another test: {named}."]


def _unfinished(runs: Sequence[Run]) -> list[str]:
    """Runs that were broken off, that go on, or of which samples ended with an error."""
    told: list[str] = []
    for run in runs:
        finished, planned = _finished(run)
        if finished < planned:
            told.append(f"{run.label} {finished:,} of {planned:,}")
    if not told:
        return []
    return [f"Not every run has finished all that was planned: {joined(told, MOST_NAMED)}."]


def _finished(run: Run) -> tuple[int, int]:
    """How many answers are finished and how many were planned, in the files that lack some."""
    files: dict[str, dict[int, Row]] = {}
    for row in (*run.answers, *run.suite):
        files.setdefault(row.source, {})[id(row)] = row
    finished = planned = 0
    for rows in files.values():
        # Where a file does not tell, what it holds is all that is known.
        whole = max(len(rows), *(row.planned or 0 for row in rows.values()))
        done = sum(row.finished is not False for row in rows.values())
        if done < whole:
            finished, planned = finished + done, planned + whole
    return finished, planned


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
