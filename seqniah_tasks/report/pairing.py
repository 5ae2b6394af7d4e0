"""Two runs compared on the samples that both have scored, which says more than two intervals do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from seqniah_tasks.means import clusters
from seqniah_tasks.records import Record
from seqniah_tasks.report.parts import Point
from seqniah_tasks.report.runs import Run, alike
from seqniah_tasks.shares import Clusters, bootstrap_interval, draws, in_clusters, sign_flips

MOST_IN_ALL_PAIRS = 5
"""Runs of which every two are compared; of more, each with the best that shares samples with it."""

_MOST_PARTS = 40_000
"""A score is a whole number of parts of 1, of which there are no more: quarters of 10,000 items."""


_ALIKE = 1e-12
"""Differences that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Split:
    """Things counted by which run of a pair has them: samples right, or items found."""

    both: int
    only_first: int
    only_second: int
    neither: int


@dataclass(frozen=True, slots=True)
class Common:
    """What two runs have on the samples that both have scored."""

    split: Split
    """Of what is counted; of several epochs, what half of them have counts as had."""
    differences: Mapping[str, float]
    """Sample's id -> the first's score minus the second's, -1 to 1; epochs by their mean."""
    unit: int
    """The differences are multiples of 1 / unit."""
    clusters: Clusters
    """Of the samples, where they are no independent draws."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Samples that one run of a pair has scored and the other has not."""

    not_run: int
    """The other has no answer to them."""
    unscored: int
    """The other has answers without a verdict."""

    @property
    def samples(self) -> int:
        return self.not_run + self.unscored


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on their common samples."""

    first: Run
    """The better one over all its samples."""
    second: Run
    common: Common
    lacks_first: Lack
    """What the second has scored and the first has not."""
    lacks_second: Lack
    difference: Point | None
    """Mean score of the first minus the second's, -1 to 1; None: no sample is common.

    The interval is the bootstrap's over samples or clusters of them, by percentiles; none where
    all differ alike.
    """
    p: float
    """Two-sided, by McNemar's or the permutation test (always this in clusters, whose differences
    turn together); 1 where nothing tells the two apart."""
    p_holm: float
    """The same adjusted to all pairs that are compared (Holm's method)."""

    @property
    def samples(self) -> int:
        """Those that both have scored."""
        return len(self.common.differences)


def pairs(runs: Sequence[Run]) -> list[Pair]:
    """The pairs of a benchmark's runs, also those that have no common sample.

    Runs are given the best first; pairs are made among those that should have the same samples.
    """
    found = [
        _pair(first, second)
        for group in alike(runs)
        for first, second in _chosen(list(map(_answers, group)))
    ]
    # Only what is compared is a test that may come out by chance.
    tested = [number for number, pair in enumerate(found) if pair.samples]
    for number, adjusted in zip(tested, holm([found[n].p for n in tested]), strict=True):
        found[number] = replace(found[number], p_holm=adjusted)
    return found


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p of so uneven a division of the samples that one run alone has right.

    Each of them is as likely either's if the runs are equally good; the chance is summed up in
    whole numbers, so that it is exact for any number of samples.
    """
    apart, least = only_first + only_second, min(only_first, only_second)
    ways, term = 0, 1
    for right in range(least + 1):
        ways += term
        term = term * (apart - right) // (right + 1)
    return min(1.0, 2 * ways / (1 << apart))


def holm(chances: Sequence[float]) -> list[float]:
    """p values adjusted so that any false alarm among them all is as rare as for one alone."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    adjusted, highest = [1.0] * len(chances), 0.0
    for before, place in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - before) * chances[place]))
        adjusted[place] = highest
    return adjusted


@dataclass(frozen=True, slots=True)
class _Sample:
    """One sample as a run answered it, its scored epochs together."""

    mean: float
    """Score, 0 to 1."""
    unit: int
    """The mean is a multiple of 1 / unit."""
    counted: tuple[float, ...]
    """Of each thing that is counted the mean, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """What a run has of its samples."""

    run: Run
    scored: Mapping[str, _Sample]
    """By id."""
    ids: frozenset[str]
    """Of all that it has answered."""
    clusters: Clusters
    """Of the same."""


def _answers(run: Run) -> _Answers:
    epochs: dict[str, list[Record]] = {}
    for row in run.scored:
        epochs.setdefault(row.id, []).append(row)
    scored = {name: _sample(rows, run) for name, rows in epochs.items()}
    ids = frozenset(row.id for row in run.answers)
    return _Answers(run, scored, ids, clusters(run.answers))


def _sample(rows: Sequence[Record], run: Run) -> _Sample:
    scores = [row.score or 0.0 for row in rows]
    own = run.report.counted
    if run.benchmark.scoring.binary:
        each: list[Sequence[float]] = [(float(bool(row.correct)),) for row in rows]
    else:
        each = [own.values(row) for row in rows] if own else []
    return _Sample(
        mean=math.fsum(scores) / len(scores),
        unit=len(scores) * math.lcm(*map(_parts, scores)),
        counted=tuple(math.fsum(one) / len(one) for one in zip(*each, strict=False)),
    )


@lru_cache(maxsize=4_096)
def _parts(score: float) -> int:
    """The fewest parts of 1 of which a score is a whole number."""
    return Fraction(score).limit_denominator(_MOST_PARTS).denominator


def _chosen(answers: Sequence[_Answers]) -> Iterator[tuple[_Answers, _Answers]]:
    if len(answers) <= MOST_IN_ALL_PAIRS:
        yield from combinations(answers, 2)
        return
    for number, other in enumerate(answers[1:], 1):
        # The first of those that share the most is the best of them.
        yield max(answers[:number], key=lambda one: len(one.scored.keys() & other.scored)), other


def _pair(first: _Answers, second: _Answers) -> Pair:
    ours, theirs = first.scored, second.scored
    shared = {name: (ours[name], theirs[name]) for name in ours if name in theirs}
    both = list(shared.values())
    had = Counter(
        (one >= 0.5, two >= 0.5)
        for mine, other in both
        for one, two in zip(mine.counted, other.counted, strict=False)
    )
    split = Split(had[True, True], had[True, False], had[False, True], had[False, False])
    common = Common(
        split=split,
        differences={name: mine.mean - other.mean for name, (mine, other) in shared.items()},
        unit=math.lcm(*{mine.unit * other.unit for mine, other in both}),
        clusters=first.clusters,
    )
    if first.run.benchmark.scoring.binary and not common.clusters:
        p = mcnemar(split.only_first, split.only_second)
    else:
        inside = in_clusters(common.differences, common.clusters)
        p = sign_flips(map(math.fsum, inside.values()), common.unit)
    return Pair(
        first=first.run,
        second=second.run,
        common=common,
        lacks_first=_lack(theirs, ours, first.ids),
        lacks_second=_lack(ours, theirs, second.ids),
        difference=_difference(common),
        p=p,
        p_holm=1.0,
    )


def _lack(there: Collection[str], here: Collection[str], answered: Collection[str]) -> Lack:
    missing = [name for name in there if name not in here]
    unscored = sum(name in answered for name in missing)
    return Lack(not_run=len(missing) - unscored, unscored=unscored)


def _difference(common: Common) -> Point | None:
    given, of = common.differences, len(common.differences)
    if not given:
        return None
    each = draws(given, common.clusters)
    value, alike = math.fsum(given.values()) / of, max(each) - min(each) < _ALIKE
    # Of clusters of several samples, values are in finer steps than the samples'.
    unit = common.unit if len(each) == of else common.unit * of**2
    low, high = (None, None) if alike else bootstrap_interval(each, unit)
    return Point(value, low, high, of)
