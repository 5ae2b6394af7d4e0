"""Needle recall: which needles were stated rightly, by where they stand in text and in order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from seqniah_tasks.records import DEPTHS, Record
from seqniah_tasks.report.parts import Point
from seqniah_tasks.shares import share

TENTHS = 10
"""Parts that the depth of the text is divided into."""

FIFTHS = 5
"""Parts that the true order is divided into."""

_Ints = NDArray[np.int64]
_Z = NormalDist().inv_cdf(0.975)

_NOTHING = 1e-15
"""A variance that comes of rounding alone; real ones of a million needles are larger."""


@dataclass(frozen=True, slots=True)
class Recall:
    """The share of needles that were found, of those that stand at one place."""

    value: float
    """0 to 1; with several epochs, each sample counts by its mean."""
    found: float
    """Needles found, counted so."""
    needles: int
    """Needles in all."""
    samples: int
    """That these needles are of."""
    low: float | None
    """Lower end of the 95 % interval, 0 to 1; None: a single sample has none."""
    high: float | None
    """Upper end."""

    @property
    def point(self) -> Point:
        """As charts have it."""
        return Point(self.value, self.low, self.high, self.needles)


@dataclass(frozen=True, slots=True)
class Needles:
    """All needles of the answers that tell of them: a place in each array for every needle."""

    found: _Ints
    """1 or 0."""
    sample: _Ints
    """Number of the sample, from 0; the same in all its epochs."""
    epochs: _Ints
    """By sample: how often it was answered."""
    tenth: _Ints
    """Depth in the text, from its start: 0 to 9."""
    position: _Ints
    """Place in the true order, from 0."""
    fifth: _Ints
    """The same as a part of the order, 0 to 4: where the middle of its place falls."""
    lengths: tuple[str | None, ...]
    """By sample: its length bin."""
    groups: tuple[str | None, ...]
    """By sample: its needle group."""
    answers: int
    """Scored answers, with those that do not tell of their needles."""
    untold: int
    """Scored answers that do not tell where their needles stand, or which were found."""

    def by_sample(self, names: Sequence[str | None], order: Sequence[str]) -> _Ints:
        """For each needle, the place of its sample's name in `order`; -1 where it has none."""
        place = {name: number for number, name in enumerate(order)}
        codes = [-1 if name is None else place.get(name, -1) for name in names]
        return np.asarray(codes, np.int64)[self.sample]

    def shares(self, place: _Ints, places: int) -> list[Recall | None]:
        """Recall by place, given for each needle (below 0: left out); None where no needle is.

        Needles of one sample are not independent: a model that reads on past a stretch of text
        misses all that stands there. So samples are what varies: with h of n needles found in each
        of m samples, R = sum h / sum n has the variance sum (h - R n)^2 m / (m - 1) / (sum n)^2
        of a ratio of means, and its interval is R -+ 1.96 standard errors within 0 to 1. Where the
        samples do not differ (all found, as a rule) that would be no width; there it is Wilson's
        interval of m, as though each sample had one needle.
        """
        kept = place >= 0
        samples = len(self.epochs)
        keys, where = np.unique(place[kept] * samples + self.sample[kept], return_inverse=True)
        at, epochs = keys // samples, self.epochs[keys % samples]
        hits = np.bincount(where, self.found[kept], len(keys)) / epochs
        sizes = np.bincount(where, minlength=len(keys)) / epochs
        found, needles = np.bincount(at, hits, places), np.bincount(at, sizes, places)
        counted = np.bincount(at, minlength=places)
        ratio = np.divide(found, needles, out=np.zeros(places), where=needles > 0)
        squares = np.bincount(at, (hits - ratio[at] * sizes) ** 2, places)
        return [
            _recall(float(found[one]), float(needles[one]), int(counted[one]), float(squares[one]))
            for one in range(places)
        ]


def needles_of(answers: Iterable[Record]) -> Needles:
    """The needles of the scored answers that tell where each one stands and whether it was found.

    Of several epochs of a sample, `Needles.shares` takes the mean.
    """
    scored = [row for row in answers if row.correct is not None]
    told = [row for row in scored if row.items.get("found") and DEPTHS in row.items]
    told = [row for row in told if len(row.items[DEPTHS]) == len(row.items["found"])]
    number: dict[str, int] = {}
    of = [number.setdefault(row.id, len(number)) for row in told]
    first = {row.id: row for row in reversed(told)}
    counts = np.asarray([len(row.items["found"]) for row in told], np.int64)
    position = np.concatenate([np.zeros(0, np.int64), *(np.arange(count) for count in counts)])
    depths = np.asarray([depth for row in told for depth in row.items[DEPTHS]], np.float64)
    # In whole numbers: the middle of place i of n is (2i + 1) / 2n.
    fifth = FIFTHS * (2 * position + 1) // np.maximum(2 * np.repeat(counts, counts), 1)
    return Needles(
        found=np.asarray([found for row in told for found in row.items["found"]], np.int64),
        sample=np.repeat(np.asarray(of, np.int64), counts),
        epochs=np.bincount(np.asarray(of, np.int64), minlength=len(number)),
        tenth=np.minimum((depths * TENTHS).astype(np.int64), TENTHS - 1),
        position=position,
        fifth=fifth,
        lengths=tuple(first[name].length_bin for name in number),
        groups=tuple(first[name].traits.get("needle_group") for name in number),
        answers=len(scored),
        untold=len(scored) - len(told),
    )


def _recall(found: float, needles: float, samples: int, squares: float) -> Recall | None:
    if not samples:
        return None
    ratio = found / needles
    ends: tuple[float | None, float | None] = (None, None)
    if samples > 1:
        variance = squares * samples / (samples - 1) / needles**2
        half, wilson = _Z * math.sqrt(variance), share(ratio * samples, samples)
        far = max(0.0, ratio - half), min(1.0, ratio + half)
        ends = (wilson.low, wilson.high) if variance < _NOTHING else far
    return Recall(ratio, found, max(1, round(needles)), samples, *ends)
