"""The published quotas as one table, and the order in which a split's samples come.

Exact in Tables 1, 2 and 6 of the paper (arXiv 2504.04713 v2) and in its needle groups of the
test split. All else is derived by proportional fitting and rounding: the pipelines of the test
split, lengths and pipelines of train and dev, and their needle groups, which take test's shares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from seqniah_datasets import rng
from seqniah_datasets.schema import (
    LANGS,
    SPLITS,
    Lang,
    LengthBin,
    NeedleGroup,
    Pipeline,
    Split,
    Wish,
)

_TABLE = tomllib.loads((files("seqniah_datasets") / "quotas.toml").read_text("utf-8"))
BINS = tuple(LengthBin(*row) for row in _TABLE["bins"])
"""The published length bins (Table 1)."""
LONGER_BINS = tuple(LengthBin(*row) for row in _TABLE["longer_bins"])
"""Unpublished: the questions of the 8k-16k bin again, in longer haystacks; only when asked for."""
GROUPS = tuple(NeedleGroup(*row) for row in _TABLE["groups"])
"""The needle groups in which the paper reports (Table 6, Figure 6b)."""

QUOTAS: dict[Split, dict[tuple[Lang, Pipeline], tuple[tuple[int, ...], ...]]] = {
    split: {
        (lang, Pipeline(name)): tuple(map(tuple, rows))
        for lang in LANGS
        for name, rows in _TABLE[split][lang].items()
    }
    for split in SPLITS
}
"""Per length bin in the order of `BINS`: samples with 3-5, 6-10 and >10 needles."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The finest part of the quota table."""

    lang: Lang
    pipeline: Pipeline
    length: LengthBin
    group: NeedleGroup
    count: int
    """Samples of the split in this cell; may be 0."""
    first: int
    """Serial of its first sample, counted within split, language and pipeline."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One sample of a split, before anything is made of it."""

    split: Split
    lang: Lang
    pipeline: Pipeline
    length: LengthBin
    group: NeedleGroup
    serial: int
    """Running number within split, language and pipeline, from 0."""


def cells(split: Split, longer: Sequence[LengthBin] = ()) -> Iterator[Cell]:
    """The quota table of a split, row by row, then the rows of the unpublished bins given."""
    for (lang, pipeline), rows in QUOTAS[split].items():
        first = 0
        for length, counts in [*zip(BINS, rows, strict=True), *((one, rows[0]) for one in longer)]:
            first = 0 if length in longer else first
            for group, count in zip(GROUPS, counts, strict=True):
                yield Cell(lang, pipeline, length, group, count, first)
                first += count


@lru_cache(maxsize=16)
def slots(
    split: Split, pipelines: tuple[Pipeline, ...], seed: int, longer: tuple[LengthBin, ...] = ()
) -> tuple[Slot, ...]:
    """Every sample of a split from the given pipelines, interleaved.

    Any first part of the list is a fair miniature: at each step comes a sample of the cell that
    lags most behind its share, counted over language, pipeline, length and needle group alone,
    over the first three together, and over the cell itself.
    """
    table = [cell for cell in cells(split, longer) if cell.pipeline in pipelines and cell.count]
    remaining = {
        number: rng.stream(
            "interleave", split, seed, cell.lang, cell.pipeline, cell.length.name, cell.group.name
        ).shuffled(range(cell.count))
        for number, cell in enumerate(table)
    }
    found: list[Slot] = []
    for number in _interleave(table):
        cell = table[number]
        serial = cell.first + remaining[number].pop()
        found.append(Slot(split, cell.lang, cell.pipeline, cell.length, cell.group, serial))
    return tuple(found)


@lru_cache(maxsize=32)
def wishes(split: Split, lang: Lang, pipeline: Pipeline, seed: int) -> tuple[Wish, ...]:
    """The needles that each sample asks its source for, by serial."""
    return tuple(
        Wish(cell.group, _needles(split, cell, serial, seed))
        for cell in cells(split)
        if (cell.lang, cell.pipeline) == (lang, pipeline)
        for serial in range(cell.first, cell.first + cell.count)
    )


def _needles(split: Split, cell: Cell, serial: int, seed: int) -> int:
    """A keyed draw from the needle group, by the pipeline's weights."""
    draws = rng.stream("needles", split, cell.lang, cell.pipeline, serial, seed)
    counts = range(cell.group.low, cell.group.high + 1)
    weights = _TABLE["needles"][cell.pipeline]
    return draws.choice([n for n in counts for _ in range(weights[n - GROUPS[0].low])])


def _interleave(table: Sequence[Cell]) -> Iterator[int]:
    """Indices into `table`, each as often as its count says, evenly mixed."""
    counts = np.array([cell.count for cell in table], np.int64)
    total = int(counts.sum())
    margins: list[list[object]] = [
        [cell.lang for cell in table],
        [cell.pipeline for cell in table],
        [cell.length for cell in table],
        [cell.group for cell in table],
        [(cell.lang, cell.pipeline, cell.length) for cell in table],
        list(range(len(table))),
    ]
    members = np.concatenate([_membership(margin) for margin in margins])
    # Whole numbers throughout, so that no rounding of a machine's floats decides an order:
    # `lag` is the share owed so far minus what has come, times the total.
    owed = members @ counts
    lag = np.zeros(len(members), np.int64)
    left = counts.copy()
    for _ in range(total):
        lag += owed
        score = lag @ members
        score[left == 0] = np.iinfo(np.int64).min
        number = int(np.argmax(score))
        lag -= members[:, number] * total
        left[number] -= 1
        yield number


def _membership(labels: Sequence[object]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """One row a distinct label, with 1 for the cells that carry it."""
    distinct = list(dict.fromkeys(labels))
    return np.array([[int(label == one) for label in labels] for one in distinct], np.int64)
