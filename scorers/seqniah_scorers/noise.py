"""Figures of the noise suite: how much a model's answers change when its needles are disturbed.

The paper (section 5.3, Table 5) asks 200 samples again in three variants of each type of noise. A
*set* is one variant number of one type over all base samples, or the originals. Acc. is the mean of
the sets' accuracies: of four sets for a type, of all thirteen for "All". Cons. is printed by two
definitions, worked out from the tables: version 1 is here `agreement`, version 2 `spread`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from random import Random

import numpy as np
from numpy.typing import NDArray

from seqniah_datasets.schema import NoiseType

VARIANTS = 3
"""Of each type of noise, for every base sample."""
RESAMPLES = 2_000
"""Of the base samples, for the intervals."""
_TAILS = (0.025, 0.975)

_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]
_Member = tuple[NoiseType | None, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answered sample of the suite, in one epoch."""

    base: str
    """Id of the base sample."""
    noise: NoiseType | None
    """None: the original."""
    variant: int
    """1 to 3; 0 for the original."""
    correct: bool | None
    """None: unscored, for a reason that is not the model's."""

    def __post_init__(self) -> None:
        if not (self.variant == 0 if self.noise is None else 1 <= self.variant <= VARIANTS):
            raise ValueError(
                f"{self.base} has variant {self.variant} of {self.noise or 'the original'}; "
                f"originals are 0, variants 1 to {VARIANTS}"
            )


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure with its interval; not a number where there is nothing to measure."""

    value: float
    """0 to 1, standard deviations as well."""
    low: float
    """Lower end of the 95 % bootstrap interval over base samples; not a number for a single one."""
    high: float
    """Upper end. Where no base sample differs from another, the interval has no width."""


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of one type of noise, or of all."""

    noise: NoiseType | None
    """None: all types together."""
    accuracy: Figure
    """Acc.: mean of the accuracies of the original set and the variant sets."""
    spread: Figure
    """Cons. of version 2: sample standard deviation of the same accuracies.

    Chance alone spreads the accuracies of small sets. The interval is of the spread without that
    chance: where it begins at 0, chance may have done everything.
    """
    agreement: Figure
    """Cons. of version 1: share of the base samples that are all right or all wrong."""
    right: Figure
    """Share that is right in the original and in every variant (Figure 7)."""
    wrong: Figure
    """Share that is wrong in the original and in every variant."""
    sets: int
    """Sets with a scored sample, which accuracy and spread are of."""
    sets_wanted: int
    """4 for a type, 13 for all four."""
    bases: int
    """Base samples with a scored sample in any of the sets."""
    complete: int
    """Base samples scored in all the sets wanted, which agreement, right and wrong are of."""
    unscored: int
    """Samples that were run and could not be scored: in no accuracy."""
    missing: int
    """Samples that were not run, of base samples of which any sample was."""


@dataclass(frozen=True, slots=True)
class NoiseFigures:
    """One run of the suite, or of a part of its base samples."""

    bases: int
    """Base samples of which any sample was run."""
    reference: Figure
    """Accuracy of the originals alone."""
    reference_of: int
    """Originals that were scored."""
    types: tuple[Line, ...]
    """By type, in the order asked for."""
    all: Line
    """Over all these types."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """Outcomes as tables: a row for each base sample by id, a column for each set."""

    members: tuple[_Member, ...]
    """What the columns are: the original first."""
    ran: _Bools
    scored: _Bools
    right: _Bools

    def part(self, types: Sequence[NoiseType]) -> _Grid:
        """The columns of the original and of these types."""
        keep = [noise is None or noise in types for noise, _ in self.members]
        members = tuple(one for one, kept in zip(self.members, keep, strict=True) if kept)
        return _Grid(members, self.ran[:, keep], self.scored[:, keep], self.right[:, keep])


def figures(
    outcomes: Iterable[Outcome], types: Sequence[NoiseType] = tuple(NoiseType)
) -> NoiseFigures:
    """The figures of a run's outcomes, in any order; outcomes of other types are left aside.

    Version 1 of the paper has no SN: its "All" is over the other three types, given as `types`.

    Raises:
        ValueError: a sample has more than one outcome.
    """
    grid = _grid(outcomes, types)
    alone = grid.part(())
    return NoiseFigures(
        bases=len(grid.ran),
        reference=_line(alone, None).accuracy,
        reference_of=int(alone.scored.sum()),
        types=tuple(_line(grid.part((noise,)), noise) for noise in types),
        all=_line(grid, None),
    )


def by_group(
    outcomes: Iterable[Outcome],
    group: Callable[[str], str] | Mapping[str, str],
    types: Sequence[NoiseType] = tuple(NoiseType),
) -> dict[str, NoiseFigures]:
    """The same by group of base samples (Figure 7), from a base's id to its group; sorted."""
    name_of = group.__getitem__ if isinstance(group, Mapping) else group
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(name_of(outcome.base), []).append(outcome)
    return {name: figures(groups[name], types) for name in sorted(groups)}


def _grid(outcomes: Iterable[Outcome], types: Sequence[NoiseType]) -> _Grid:
    variants = range(1, VARIANTS + 1)
    members: list[_Member] = [(None, 0), *((noise, n) for noise in types for n in variants)]
    column = {member: place for place, member in enumerate(members)}
    wanted = [one for one in outcomes if (one.noise, one.variant) in column]
    row = {base: place for place, base in enumerate(sorted({one.base for one in wanted}))}
    shape = (len(row), len(members))
    ran, scored, right = (np.zeros(shape, np.bool_) for _ in range(3))
    for one in wanted:
        place = row[one.base], column[one.noise, one.variant]
        if ran[place]:
            raise ValueError(
                f"{one.base} has two outcomes of {one.noise or 'the original'} {one.variant}; "
                "give the outcomes of each epoch by themselves"
            )
        ran[place] = True
        scored[place] = one.correct is not None
        right[place] = bool(one.correct)
    return _Grid(tuple(members), ran, scored, right)


def _line(grid: _Grid, noise: NoiseType | None) -> Line:
    columns, hits = len(grid.members), grid.right.sum(axis=1)
    full = grid.scored.sum(axis=1) == columns
    right, wrong = hits == columns, hits == 0
    # A base sample with nothing scored here says nothing; drawn, it would only widen intervals.
    counted = grid.scored.any(axis=1)
    kept = grid.scored.any(axis=0)
    scored = grid.scored[np.ix_(counted, kept)]
    exact, drawn = _shares(grid.right[np.ix_(counted, kept)], scored)
    return Line(
        noise=noise,
        accuracy=_accuracy(exact, drawn),
        spread=_spread(exact, drawn),
        agreement=_share(right | wrong, full),
        right=_share(right, full),
        wrong=_share(wrong, full),
        sets=int(kept.sum()),
        sets_wanted=len(grid.members),
        bases=int(counted.sum()),
        complete=int(full.sum()),
        unscored=int((grid.ran & ~grid.scored).sum()),
        missing=int((~grid.ran).sum()),
    )


def _accuracy(exact: _Floats, drawn: _Floats) -> Figure:
    if not len(exact):
        return _NOTHING
    return _figure(float(exact.mean()), drawn.mean(axis=1))


def _spread(exact: _Floats, drawn: _Floats) -> Figure:
    if len(exact) < 2:
        return _NOTHING
    value, whole = float(exact.std(ddof=1)), drawn[~np.isnan(drawn).any(axis=1)]
    if not len(whole):
        return Figure(value, math.nan, math.nan)
    # Chance spreads the run's sets, and once more those of a resample: with both left in, the
    # interval would lie above the true spread, and often above the run's own.
    chance = (whole - exact).var(axis=1, ddof=1).mean()
    rest = np.maximum(whole.var(axis=1, ddof=1) - 2 * chance, 0.0)
    return _figure(value, np.sqrt(rest))


def _share(hits: _Bools, among: _Bools) -> Figure:
    if not among.any():
        return _NOTHING
    exact, drawn = _shares(hits[among, np.newaxis], np.ones((int(among.sum()), 1), np.bool_))
    return _figure(float(exact[0]), drawn[:, 0])


_NOTHING = Figure(math.nan, math.nan, math.nan)


def _figure(value: float, drawn: _Floats) -> Figure:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return Figure(value, math.nan, math.nan)
    low, high = np.quantile(known, _TAILS)
    return Figure(value, float(low), float(high))


def _shares(right: _Bools, scored: _Bools) -> tuple[_Floats, _Floats]:
    """The columns' shares, and those of every resample, a row each; no resamples of one row.

    Not a number where a resample has no scored sample of a column.
    """
    exact = right.sum(axis=0) / scored.sum(axis=0)
    weights = _weights(len(right)) if len(right) > 1 else np.zeros((0, len(right)))
    # Whole numbers below 2^53, so that the sums are exact in any order of adding.
    hits, of = weights @ right.astype(np.float64), weights @ scored.astype(np.float64)
    return exact, np.divide(hits, of, out=np.full_like(of, np.nan), where=of > 0)


@lru_cache(maxsize=32)
def _weights(bases: int) -> _Floats:
    """How often each base sample is in each resample, a row each; the same on every machine.

    Only `Random.random()` is drawn, as in `seqniah_datasets.rng`: numpy promises no such thing of
    its generators' methods. Models run on the same base samples are compared on the same resamples.
    """
    key = sha256(f"noise suite: resamples of {bases} base samples".encode()).digest()
    draw = Random(int.from_bytes(key[:16], "big")).random
    uniform = np.fromiter((draw() for _ in range(RESAMPLES * bases)), np.float64)
    picks = (uniform * bases).astype(np.int64).reshape(RESAMPLES, bases)
    flat = picks + bases * np.arange(RESAMPLES)[:, np.newaxis]
    weights = np.bincount(flat.ravel(), minlength=RESAMPLES * bases).reshape(RESAMPLES, bases)
    return weights.astype(np.float64)
