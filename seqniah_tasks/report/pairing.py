"""Two runs compared on the samples that both have scored, which says more than two intervals do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from seqniah_tasks.report.parts import Point
from seqniah_tasks.report.runs import Run
from seqniah_tasks.resampling import bootstrap_interval

MOST_IN_ALL_PAIRS = 5
"""Runs of which every two are compared; of more, each with the best that shares samples with it."""

_Epochs = tuple[int, int]
"""Of a sample: right answers, and scored ones."""


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
    """Two runs on their common samples; of several epochs, a sample is right when half are."""

    first: Run
    """The one more accurate over all its samples."""
    second: Run
    both_right: int
    only_first: int
    """Samples that the first run alone has right."""
    only_second: int
    both_wrong: int
    lacks_first: Lack
    """What the second has scored and the first has not."""
    lacks_second: Lack
    difference: Point | None
    """Accuracy of the first minus the second's, -1 to 1, epochs by their mean; None: none common.

    The interval is the bootstrap's over samples, by percentiles, and none of a single sample.
    """
    p: float
    """Two-sided, of McNemar's exact test; 1 where nothing tells the two apart."""
    p_holm: float
    """The same adjusted to all pairs that are compared (Holm's method)."""

    @property
    def samples(self) -> int:
        """Those that both have scored."""
        return self.both_right + self.only_first + self.only_second + self.both_wrong


def pairs(runs: Sequence[Run]) -> list[Pair]:
    """The pairs of runs given the most accurate first, also those that have no common sample."""
    answers = [(run, _epochs(run), {row.id for row in run.answers}) for run in runs]
    found = [_pair(first, second) for first, second in _chosen(answers)]
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


_Answers = tuple[Run, dict[str, _Epochs], set[str]]
"""A run, its scored samples by id, and the ids of all that it has answered."""


def _epochs(run: Run) -> dict[str, _Epochs]:
    found: dict[str, _Epochs] = {}
    for row in run.answers:
        if row.correct is not None:
            right, scored = found.get(row.id, (0, 0))
            found[row.id] = right + row.correct, scored + 1
    return found


def _chosen(answers: Sequence[_Answers]) -> Iterator[tuple[_Answers, _Answers]]:
    if len(answers) <= MOST_IN_ALL_PAIRS:
        yield from combinations(answers, 2)
        return
    for number, other in enumerate(answers[1:], 1):
        # The first of those that share the most is the most accurate of them.
        yield max(answers[:number], key=lambda one: len(one[1].keys() & other[1].keys())), other


def _pair(first: _Answers, second: _Answers) -> Pair:
    (run, ours, our_ids), (other, theirs, their_ids) = first, second
    common = [(ours[name], theirs[name]) for name in ours if name in theirs]
    split = Counter((_mostly(one), _mostly(two)) for one, two in common)
    only_first, only_second = split[True, False], split[False, True]
    return Pair(
        first=run,
        second=other,
        both_right=split[True, True],
        only_first=only_first,
        only_second=only_second,
        both_wrong=split[False, False],
        lacks_first=_lack(theirs, ours, our_ids),
        lacks_second=_lack(ours, theirs, their_ids),
        difference=_difference(common),
        p=mcnemar(only_first, only_second),
        p_holm=1.0,
    )


def _mostly(epochs: _Epochs) -> bool:
    right, scored = epochs
    return 2 * right >= scored


def _lack(there: Collection[str], here: Collection[str], answered: set[str]) -> Lack:
    missing = [name for name in there if name not in here]
    unscored = sum(name in answered for name in missing)
    return Lack(not_run=len(missing) - unscored, unscored=unscored)


def _difference(common: Sequence[tuple[_Epochs, _Epochs]]) -> Point | None:
    if not common:
        return None
    each = [one[0] / one[1] - two[0] / two[1] for one, two in common]
    value = math.fsum(each) / len(each)
    if len(each) == 1:
        return Point(value, of=1)
    unit = math.lcm(*{one[1] * two[1] for one, two in common})
    return Point(value, *bootstrap_interval(each, unit), of=len(each))
