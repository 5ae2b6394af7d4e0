"""Stars by number or depth and by length of the prompt: means of what each adds to the score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seqniah_tasks.kinds import ranges, span
from seqniah_tasks.records import DEPTHS, Record
from seqniah_tasks.report.parts import Point
from seqniah_tasks.shares import bootstrap_interval, sign_flips

MOST_LINES, MOST_PLACES = 64, 32
"""Of a map; more stars or lengths are grouped with their neighbours."""

TENTHS = 10
"""Parts that the depth of the text is divided into."""

THIRDS = 3
"""Parts that a list is divided into: its start, middle and end."""

Values = Callable[[Record], Sequence[float] | None]
"""Of an answer, what each star asked for is worth, 0 to 1; None where nothing is told."""

_STEPS = 10_000
"""Of a difference of shares; finer ones would not be shown."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Means over samples, of each the mean over its epochs, by line and length."""

    lines: tuple[str, ...]
    """Stars, or depths, from the first."""
    places: tuple[str, ...]
    """Lengths, the shortest first."""
    means: NDArray[np.float64]
    """By line and place, 0 to 1; not a number where no star is."""
    counts: NDArray[np.float64]
    """Stars of each cell; epochs of one sample count as one."""


def told(rows: Iterable[Record], values: Values) -> list[Record]:
    """The answers that tell what each star is worth, at a length."""
    return [row for row in rows if row.length_bin and values(row)]


def by_star(rows: Sequence[Record], values: Values, lengths: Sequence[str]) -> Cells | None:
    """By number of the star among those asked for; None where no answer tells of its stars."""
    kept = told(rows, values)
    most = max((len(values(row) or ()) for row in kept), default=0)
    names = list(map(str, range(1, most + 1)))
    stars = [np.arange(len(values(row) or ())) for row in kept]
    return _summed(kept, values, lengths, names, stars) if kept else None


def by_depth(rows: Sequence[Record], values: Values, lengths: Sequence[str]) -> Cells | None:
    """By tenth of the text; None where no answer tells where its stars stand."""
    kept = [row for row in rows if len(row.items.get(DEPTHS, ())) == len(values(row) or ())]
    names = [f"{10 * one}-{10 * one + 10}" for one in range(TENTHS)]
    depths = [np.asarray(row.items[DEPTHS], np.float64) for row in kept]
    tenths = [np.minimum((one * TENTHS).astype(np.int64), TENTHS - 1) for one in depths]
    return _summed(kept, values, lengths, names, tenths) if kept else None


def _summed(
    rows: Sequence[Record],
    values: Values,
    lengths: Sequence[str],
    names: Sequence[str],
    lines: Sequence[NDArray[np.int64]],
) -> Cells:
    """`lines` are, of each answer, those that its stars are in."""
    sums, counts = np.zeros((2, len(names), len(lengths)))
    epochs = Counter(row.id for row in rows)
    for row, at in zip(rows, lines, strict=True):
        column, weight = lengths.index(row.length_bin or ""), 1 / epochs[row.id]
        np.add.at(sums[:, column], at, weight * np.asarray(values(row), np.float64))
        np.add.at(counts[:, column], at, weight)
    return _cells(names, lengths, sums, counts)


def _cells(
    lines: Sequence[str],
    places: Sequence[str],
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> Cells:
    means = np.divide(sums, counts, out=np.full(sums.shape, math.nan), where=counts > 0)
    # Sums of thirds and the like are a little beside the shares that they stand for.
    return Cells(tuple(lines), tuple(places), np.clip(np.round(means, 12), 0, 1), counts)


def margins(cells: Cells, axis: int) -> list[Point | None]:
    """Means over the lines (axis 0), of each place; or over the places (axis 1), of each line."""
    sums = (np.nan_to_num(cells.means) * cells.counts).sum(axis).tolist()
    counts = cells.counts.sum(axis).tolist()
    pairs = zip(sums, counts, strict=True)
    return [Point(min(1.0, found / whole)) if whole else None for found, whole in pairs]


def small(cells: Cells) -> Cells:
    """The same with neighbours in one, where a map would have too many lines or places."""
    lines, places = ranges(cells.lines, MOST_LINES), ranges(cells.places, MOST_PLACES)
    both = [np.nan_to_num(cells.means) * cells.counts, cells.counts]
    for axis, neighbours in enumerate((lines, places)):
        starts = np.cumsum([0, *map(len, neighbours)])[:-1]
        both = [np.add.reduceat(one, starts, axis=axis) for one in both]
    return _cells(list(map(span, lines)), list(map(span, places)), *both)


@dataclass(frozen=True, slots=True)
class Lost:
    """How much less is found in one third of the lists than in the other two."""

    less: float
    """Mean over samples of the difference, -1 to 1; above 0 less is found there."""
    low: float
    """Lower end of the 95 % interval over samples; the mean itself where all samples are alike."""
    high: float
    p: float
    """Two-sided, of the permutation test over samples."""


def thirds(rows: Sequence[Record], values: Values) -> list[tuple[float, Lost | None]]:
    """The mean of each third of the stars asked for, and how much is lost there.

    Only answers about three stars or more count; without any there is none, and of a single
    sample no interval.
    """
    samples: dict[str, list[NDArray[np.float64]]] = {}
    for row in rows:
        given = np.asarray(values(row), np.float64)
        if len(given) >= THIRDS:
            means = [part.mean() for part in np.array_split(given, THIRDS)]
            samples.setdefault(row.id, []).append(np.asarray(means))
    if not samples:
        return []
    each = np.asarray([np.mean(epochs, axis=0) for epochs in samples.values()])
    return [(float(each[:, one].mean()), _lost(each, one)) for one in range(THIRDS)]


def _lost(each: NDArray[np.float64], one: int) -> Lost | None:
    if len(each) < 2:
        return None
    less = np.delete(each, one, axis=1).mean(axis=1) - each[:, one]
    given = less.tolist()
    p = sign_flips(given, _STEPS)
    return Lost(float(less.mean()), *bootstrap_interval(given, _STEPS), p)
