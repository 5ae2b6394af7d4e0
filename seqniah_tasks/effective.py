"""The effective context length: the longest prompts at which a run keeps most of its score.

Scores by length are made to fall, or stay, from each length to the next, so that chance at one
length neither ends the effective length nor lengthens it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.protocol import LENGTHS, Benchmark
from seqniah_tasks.isotonic import (
    Block,
    Draws,
    interval,
    interval_of_clusters,
    last_kept,
    monotone,
)
from seqniah_tasks.kinds import upper_end
from seqniah_tasks.means import clusters
from seqniah_tasks.records import Record, fields_of
from seqniah_tasks.shares import Clusters, in_clusters, sample_means

THRESHOLD = 0.85
"""Of the score at the shortest length, what must be kept."""

_STEPS = 5_765_760
"""Of a score from 0 to 1: means of up to 16 epochs and parts of 128 are whole ones."""


@dataclass(frozen=True, slots=True)
class Effective:
    """Where a run's score falls with the length of the prompt."""

    threshold: float
    """Share of the score at the shortest length that is to be kept."""
    lengths: tuple[str, ...]
    """Those with a scored sample, the shortest first; there is one."""
    samples: tuple[int, ...]
    """Scored ones, by length."""
    means: tuple[float, ...]
    """Of the samples' scores, by length."""
    falling: tuple[float, ...]
    """The same, made to fall or stay."""
    place: int
    """Of the longest length that keeps enough; -1: the shortest has a score of 0."""
    low: int
    """The same at the lower end of the 95 % interval; -1: it is below all lengths."""
    high: int
    """The same at the upper end."""

    @property
    def words(self) -> tuple[str, str, str] | tuple[None, None, None]:
        """The effective length and the ends of its interval; None of one length, or of nothing."""
        if len(self.lengths) == 1 or self.place < 0:
            return None, None, None
        return self._named(self.place), self._named(self.low), self._named(self.high)

    @property
    def interval(self) -> str:
        """Its interval in words, where there is one."""
        _, low, high = self.words
        return f"{low} at both ends" if low == high else f"{low} to {high}"

    def lack(self, measure: str) -> str:
        """Why there is none, where there is none; `measure` is what the scores are called."""
        first = self.lengths[0]
        single = f"all scored answers are of one length, {first}"
        return single if len(self.lengths) == 1 else f"{measure} at {first} is 0"

    def _named(self, place: int) -> str:
        name = upper_end(self.lengths[max(place, 0)])
        if place < 0:
            return f"below {name}"
        return f"at least {name}" if place == len(self.lengths) - 1 else name


def checked(threshold: float) -> float:
    """The threshold that a user gave. Raises `SeqniahError` for what is no share."""
    if not 0 < threshold <= 1:
        raise SeqniahError(
            f"--threshold is a share above 0 and at most 1, not {threshold:g}; "
            f"the usual one is {THRESHOLD}."
        )
    return threshold


def effective(
    benchmark: Benchmark, found: Sequence[Record], threshold: float = THRESHOLD
) -> Effective | None:
    """The effective length over the scored answers to samples as they are, without variants.

    Epochs of one sample count by their mean. None where no scored answer tells a length.
    """
    scoring = benchmark.scoring
    by = {one.name: one for one in scoring.groups}.get(LENGTHS.name)
    if by is None:
        return None
    groups: dict[str, list[tuple[str, float]]] = {}
    for one in found:
        score, name = one.correct if scoring.binary else one.score, by.of(fields_of(one))
        if name and score is not None and not one.is_variant:
            groups.setdefault(name, []).append((one.id, score))
    names = by.ordered(groups)
    means = [sample_means(groups[name]) for name in names]
    scores = [list(own.values()) for own in means]
    return fitted(names, scores, threshold, _draws(means, clusters(found)))


def _draws(means: Sequence[Mapping[str, float]], clusters: Clusters) -> Draws:
    """What resamples draw where samples stand in clusters; empty where they do not."""
    if not clusters:
        return ()
    inside = [in_clusters(own, clusters) for own in means]
    names = {name for own in inside for name in own}
    rows = (tuple(_block(own.get(name, ())) for own in inside) for name in names)
    return tuple(sorted(rows))


def _block(scores: Sequence[float]) -> Block:
    return sum(round(_STEPS * one) for one in scores), len(scores)


def fitted(
    lengths: Sequence[str],
    scores: Sequence[Sequence[float]],
    threshold: float = THRESHOLD,
    draws: Draws = (),
) -> Effective | None:
    """The same from the scores of each length's samples, the shortest length first; `draws`: of
    the same, where they stand in clusters."""
    steps = [tuple(sorted(round(_STEPS * score) for score in own)) for own in scores]
    return _fitted(tuple(lengths), tuple(steps), threshold, draws) if steps else None


@lru_cache(maxsize=1_024)
def _fitted(
    lengths: tuple[str, ...], steps: tuple[tuple[int, ...], ...], threshold: float, draws: Draws
) -> Effective:
    blocks = [(sum(own), len(own)) for own in steps]
    least = Fraction(str(threshold))
    low, high = interval_of_clusters(draws, least) if draws else interval(steps, least)
    place = last_kept(blocks, least)
    return Effective(
        threshold=threshold,
        lengths=lengths,
        samples=tuple(map(len, steps)),
        means=tuple(total / count / _STEPS for total, count in blocks),
        falling=tuple(total / count / _STEPS for total, count in monotone(blocks)),
        place=place,
        low=min(low, place),
        high=max(high, place),
    )
