"""Proportions with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist


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

    @property
    def value(self) -> float:
        """0 to 1; not a number when there is nothing to count."""
        return self.hits / self.of if self.of else math.nan


_Z = NormalDist().inv_cdf(0.975)


def share(hits: float, of: int) -> Share:
    """Accuracy of `hits` among `of`, with the Wilson score interval; [0, 1] of nothing."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    p, squared = hits / of, _Z * _Z
    centre = (p + squared / (2 * of)) / (1 + squared / of)
    half = _Z * math.sqrt(p * (1 - p) / of + squared / (4 * of * of)) / (1 + squared / of)
    # At the ends the interval ends there too, but for the last digit of a float.
    low = max(0.0, centre - half) if hits else 0.0
    return Share(hits, of, low, min(1.0, centre + half) if hits < of else 1.0)


def mean_of_epochs(scored: Iterable[tuple[str, bool]]) -> Share:
    """The share of right ones among samples, by id; several epochs of one count by their mean."""
    epochs: dict[str, list[bool]] = {}
    for name, correct in scored:
        epochs.setdefault(name, []).append(correct)
    return share(sum(sum(right) / len(right) for right in epochs.values()), len(epochs))
