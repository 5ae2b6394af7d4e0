"""Shares and means with their intervals: Wilson's, or what resamples of samples would give."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

_TAILS = (0.025, 0.975)

_ROUNDING = 1e-9
"""Chances that differ by less are the same: what the transform leaves of whole numbers."""

_MOST_PLACES = 2**21
"""Values that the sum of a resample may take, so that odd numbers of epochs stay cheap."""

_MOST_SUMS = 2**19
"""Values that a sum of turned signs may take, each of which every sample adds to."""

_FINEST = 2**40
"""Steps of 1 that differences are read in; floats still hold them without a doubt."""

_STEPS = 12_800
"""Of a score from 0 to 1: quarters of 32 or of 128 items, as of many others, are whole ones."""

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion with its interval."""

    hits: float
    """Right ones; with several epochs, each sample counts by its mean."""
    of: int
    """Samples."""
    low: float
    """Lower end of the 95 % Wilson score interval, 0 to 1."""
    high: float
    """Upper end."""
    draws: int
    """Independent ones that the interval rests on: samples, or clusters of them."""

    @property
    def value(self) -> float:
        """0 to 1; not a number when there is nothing to count."""
        return self.hits / self.of if self.of else math.nan


def share(hits: float, of: int, draws: int | None = None) -> Share:
    """Accuracy of `hits` among `of`, with the Wilson score interval; [0, 1] of nothing.

    `draws`: of how many the interval is, where samples stand in fewer clusters.
    """
    if not of:
        return Share(0, 0, 0.0, 1.0, 0)
    p, squared, n = hits / of, _Z * _Z, draws or of
    centre = (p + squared / (2 * n)) / (1 + squared / n)
    half = _Z * math.sqrt(p * (1 - p) / n + squared / (4 * n * n)) / (1 + squared / n)
    # At the ends the interval ends there too, but for the last digit of a float.
    low = max(0.0, centre - half) if hits else 0.0
    return Share(hits, of, low, min(1.0, centre + half) if hits < of else 1.0, n)


Clusters = Mapping[str, str]
"""Sample's id -> what it shares with others that are no independent draws; empty: all are."""


def mean_of_epochs(scored: Iterable[tuple[str, bool]], clusters: Clusters) -> Share:
    """The share of right ones among samples, by id; several epochs of one count by their mean.

    Its interval is Wilson's; in clusters, that of `mean_share`.
    """
    if clusters:
        return mean_share(scored, clusters)
    means = sample_means(scored)
    return share(sum(means.values()), len(means))


def mean_share(scored: Iterable[tuple[str, float]], clusters: Clusters) -> Share:
    """The mean of scores from 0 to 1 over samples, by id; epochs of one count by their mean.

    Its interval is the bootstrap's over samples, or over clusters; where all of them have the same
    score, which would be no width, it is Wilson's, as if each were all right or all wrong.
    """
    means = sample_means(scored)
    total, of, each = math.fsum(means.values()), len(means), draws(means, clusters)
    if not each or max(each) - min(each) < _ROUNDING:
        return share(total, of, len(each))
    low, high = _interval(tuple(sorted(each)))
    # Steps are rounded to; the mean itself is never beyond the ends.
    low, high = max(0.0, min(low, total / of)), min(1.0, max(high, total / of))
    return Share(total, of, low, high, len(each))


def sample_means(scored: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Of each sample the mean of its epochs' scores, from scores with the samples' ids."""
    epochs: dict[str, list[float]] = {}
    for name, score in scored:
        epochs.setdefault(name, []).append(score)
    return {name: math.fsum(one) / len(one) for name, one in epochs.items()}


def draws(values: Mapping[str, float], clusters: Clusters) -> list[float]:
    """What resamples of samples' values draw, whose mean is that of the values: they themselves,
    or a value a cluster.

    Clusters of one size have the means of their samples. Of others, a resample has more samples
    or fewer; how each cluster moves such a mean is taken to the first order, as cluster-robust
    standard errors take it.
    """
    if not clusters:
        return list(values.values())
    inside = in_clusters(values, clusters)
    count, of = len(inside), len(values)
    mean = math.fsum(values.values()) / max(of, 1)
    return [
        (math.fsum(own) * count + (of - len(own) * count) * mean) / of for own in inside.values()
    ]


def in_clusters(values: Mapping[str, float], clusters: Clusters) -> dict[str, list[float]]:
    """The values of each cluster; what is in none is one by itself."""
    inside: dict[str, list[float]] = defaultdict(list)
    for name, value in values.items():
        inside[clusters.get(name, name)].append(value)
    return inside


@lru_cache(maxsize=1_024)
def _interval(means: Sequence[float]) -> tuple[float, float]:
    return bootstrap_interval(means, _STEPS)


def bootstrap_interval(differences: Iterable[float], unit: int = 1) -> tuple[float, float]:
    """The 95 % interval of their mean: percentiles of the means of all resamples there can be.

    Nothing is drawn. The sum of a resample is the sum of as many independent draws as there are
    samples, so that a Fourier transform gives the chance of each of its values: what drawing tends
    to, at once and without its noise. `differences` are multiples of 1 / `unit`; they are rounded
    to coarser ones where the values would be too many.
    """
    given = np.fromiter(differences, np.float64)
    count = len(given)
    span = max(2, math.ceil(given.max() - given.min()))
    unit = max(1, min(unit, _MOST_PLACES // (span * count)))
    steps = np.rint(given * unit).astype(np.int64)
    least = int(steps.min())
    places = count * (int(steps.max()) - least) + 1
    once = np.bincount(steps - least) / count
    # As many places as a transform is fast with: of a prime number of them it takes ten times.
    size = 1 << (places - 1).bit_length()
    chances = np.maximum(np.fft.irfft(np.fft.rfft(once, size) ** count, size)[:places], 0.0)
    low, high = (int(np.searchsorted(np.cumsum(chances), tail - _ROUNDING)) for tail in _TAILS)
    return (low / count + least) / unit, (high / count + least) / unit


def sign_flips(differences: Iterable[float], unit: int = 1) -> float:
    """The two-sided p of the paired permutation test: how often signs by chance reach such a mean.

    If neither of two is better, each difference is as likely to have the other sign. Nothing is
    drawn: difference by difference, the chance of each sum is built up, in whole steps, so that
    equal sums are equal and p is exact. `differences` are multiples of 1 / `unit`; where their
    sum is too many steps they are rounded to coarser ones, which may break ties that p counts.
    """
    given = np.fromiter(differences, np.float64)
    steps = np.rint(given * min(unit, _FINEST)).astype(np.int64)
    steps //= max(1, int(np.gcd.reduce(steps)))
    if (whole := int(np.abs(steps).sum())) > _MOST_SUMS:
        steps = np.rint(steps * (_MOST_SUMS / whole)).astype(np.int64)
    sizes = np.sort(np.abs(steps))
    # The sum of all that have a plus is at most this in the lower tail, and the tails are alike.
    most = (int(sizes.sum()) - abs(int(steps.sum()))) // 2
    chances = np.zeros(most + 1)
    chances[0], reached = 1.0, 0
    for size in sizes.tolist():
        reached = min(reached + size, most)
        halves = chances[: reached + 1] / 2
        chances[: reached + 1] = halves
        chances[size : reached + 1] += halves[: max(0, reached + 1 - size)]
    return min(1.0, 2 * float(chances.sum()))
