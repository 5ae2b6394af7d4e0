"""Scores that fall along ordered places: how far they hold out, and how sure that is.

Whole numbers decide everything, so that the same scores give the same places on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seqniah_datasets import rng

FEW = 10
"""Samples of a place below which its resamples draw from the places beside it as well."""

RESAMPLES = 1_000

Block = tuple[int, int]
"""The sum of some scores, and how many they are."""


def monotone(blocks: Iterable[Block]) -> list[Block]:
    """Of each place the block whose mean it gets, so that means fall or stay (pool adjacent
    violators): neighbours are put together where the later one would have the higher mean."""
    pooled: list[tuple[int, int, int]] = []
    for total, count in blocks:
        places = 1
        while pooled and pooled[-1][0] * count < total * pooled[-1][1]:
            before = pooled.pop()
            total, count, places = total + before[0], count + before[1], places + before[2]
        pooled.append((total, count, places))
    return [(total, count) for total, count, places in pooled for _ in range(places)]


def last_kept(blocks: Iterable[Block], least: Fraction) -> int:
    """The last place whose monotone mean is at least so much of the first's; -1 if that is 0."""
    falling = monotone(blocks)
    first, of = falling[0]
    needed = least.numerator * first
    kept = (total * of * least.denominator >= needed * count for total, count in falling)
    return sum(kept) - 1 if first else -1


def interval(steps: Sequence[Sequence[int]], least: Fraction) -> tuple[int, int]:
    """The 95 % interval of `last_kept`: percentiles over resamples of the samples of each place.

    `steps` has the sorted scores of each place, in whole steps.
    """
    counts = list(map(len, steps))
    rows = _sums(steps).tolist()
    return _ends(last_kept(zip(row, counts, strict=True), least) for row in rows)


Draws = tuple[tuple[Block, ...], ...]
"""Of each cluster its block at each place; an empty one where none of it stands there."""


def interval_of_clusters(draws: Draws, least: Fraction) -> tuple[int, int]:
    """The same where scores of a cluster are no independent draws: clusters are drawn, each with
    all its scores at all places.

    Where a place has few clusters, each place is drawn from by itself, as `interval` does, a mean
    a cluster.
    """
    by_place = [[one for one in own if one[1]] for own in zip(*draws, strict=True)]
    if min(map(len, by_place)) < FEW:
        means = [sorted(total // count for total, count in own) for own in by_place]
        return interval(means, least)
    table = np.array(draws, np.int64).reshape(len(draws), -1)
    uniform = _uniform(0, 1 << (len(draws) - 1).bit_length())[:, : len(draws)]
    picks = (uniform * len(draws)).astype(np.int64)
    times = np.stack([np.bincount(row, minlength=len(draws)) for row in picks])
    # A resample that has none of a place takes all that there is.
    whole = table.sum(axis=0).reshape(-1, 2)
    drawn = (times @ table).reshape(-1, *whole.shape)
    rows = np.where(drawn[:, :, 1:] > 0, drawn, whole).tolist()
    return _ends(last_kept(((total, count) for total, count in row), least) for row in rows)


def _ends(places: Iterable[int]) -> tuple[int, int]:
    found, tail = sorted(places), RESAMPLES // 40
    return found[tail], found[-1 - tail]


def _sums(steps: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The sum of each place in each resample, a row each."""
    columns: list[NDArray[np.int64]] = []
    for place, own in enumerate(steps):
        pool = np.array(_pool(steps, place), np.int64)
        uniform = _uniform(place, 1 << (len(own) - 1).bit_length())[:, : len(own)]
        columns.append(pool[(uniform * len(pool)).astype(np.int64)].sum(axis=1))
    return np.stack(columns, axis=1)


def _pool(steps: Sequence[Sequence[int]], place: int) -> list[int]:
    """What a place's resamples are drawn from: its own scores, of few the nearest ones too."""
    pool, reach = list(steps[place]), 0
    while len(pool) < FEW and reach < len(steps):
        reach += 1
        around = steps[max(0, place - reach) : place + reach + 1]
        pool = [step for own in around for step in own]
    return sorted(pool)


@lru_cache(maxsize=64)
def _uniform(place: int, most: int) -> NDArray[np.float64]:
    """Draws from [0, 1) for so many samples of a place, a row a resample; for all runs the same."""
    draw = rng.stream("effective length", place).random
    drawn = np.fromiter((draw() for _ in range(RESAMPLES * most)), np.float64)
    return drawn.reshape(RESAMPLES, most)
