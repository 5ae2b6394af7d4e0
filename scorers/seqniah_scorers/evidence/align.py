"""Which item of an answer states which item of the reference, by dates and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from seqniah_scorers.evidence.index import LEAST, Entry, Index, Pairing, joined, same_day
from seqniah_scorers.reading.dates import FoundDate, compatible
from seqniah_scorers.reading.items import Item, appended

SAME_DATE = 1.0
"""Worth of an equal day: more than any likeness of content, since look-alike events abound."""
FITTING_DATE = 0.3
"""Worth of dates that do not contradict, one of them incomplete."""
OTHER_DATE = -0.6
"""Cost of a contradiction: only nearly the same content is then the same item, misdated."""
MOST_JOINED = 4
"""Answer items that may state one step together."""
MOST_SHARED = 3
"""Steps that one answer item may state."""
JOINING, SKIPPING, SWITCHING = 0.06, 0.03, 0.1
"""Likeness that joining one more item, leaving one out, or another order must gain."""
COPY = 0.95
"""Likeness from which an item renders one alone, whatever words it shares with others."""


def merge_siblings(items: list[Item], refs: Index) -> list[Item]:
    """Lines under one date tell of one event unless the reference has more events that day."""
    out: list[Item] = []
    for item in items:
        last = out[-1] if out else None
        if last is not None and item.parent >= 0 and item.parent == last.parent:
            events = sum(same_day(one.date, item.date) for one in refs.items)
            if events < 2 and item.date == last.date:
                text = appended(last.text.rstrip("."), item.text)
                out[-1] = replace(last, text=text, span=(last.span[0], item.span[1]))
                continue
        out.append(item)
    return out


def align(refs: Index, answers: tuple[Entry, ...]) -> Pairing:
    """The best pairing."""
    if not answers or not refs.items:
        return Pairing(answers, {})
    likes = [list(row) for row in zip(*(answer.likes for answer in answers), strict=True)]
    pairs = _assigned(_worths(refs, answers, likes))
    if not refs.steps:
        return _events(refs, answers, pairs)
    if len(pairs) == len(refs.items) == len(answers) and _sorted(pairs):
        return Pairing(answers, pairs)
    blocks = _Blocks(refs, answers)
    best = blocks.best(list(range(len(refs.items))))
    if not _sorted(pairs):
        told = blocks.best(_order(pairs, len(refs.items)))
        if told[0] - best[0] > SWITCHING:
            best = told
    return _with_blocks(refs, answers, best[1])


def _sorted(pairs: dict[int, int]) -> bool:
    order = [pairs[i] for i in sorted(pairs)]
    return order == sorted(order)


def _order(pairs: dict[int, int], count: int) -> list[int]:
    """The reference numbers as the answer has them; missing ones stay behind the one before."""
    places = accumulate(range(count), lambda last, i: pairs.get(i, last), initial=-1)
    keys = list(places)[1:]
    return sorted(range(count), key=keys.__getitem__)


def _worths(refs: Index, answers: tuple[Entry, ...], likes: list[list[float]]) -> list[list[float]]:
    """How good each pair is; 0 for one that must not be made."""
    least, count = LEAST[refs.steps], len(answers)
    rows: list[list[float]] = []
    for i, (item, row) in enumerate(zip(refs.items, likes, strict=True)):
        place = i / len(refs.items)
        worths = []
        for j, like in enumerate(row):
            worth = _worth(item.date, answers[j].item.date, like, least)
            # Among look-alikes without a date the one in its place is meant.
            worths.append(worth + 0.02 * (1 - abs(place - j / count)) if worth else 0.0)
        rows.append(worths)
    return rows


def _worth(mine: FoundDate | None, theirs: FoundDate | None, like: float, least: float) -> float:
    if mine is None or theirs is None:
        return like if like >= least else 0.0
    if not compatible(mine, theirs):
        return max(0.0, like + OTHER_DATE)
    if same_day(mine, theirs):
        return SAME_DATE + like
    return like + FITTING_DATE if like >= least else 0.0


def _assigned(rows: list[list[float]]) -> dict[int, int]:
    """The one-to-one pairing that is worth most."""
    best = [max(range(len(row)), key=row.__getitem__) for row in rows]
    chosen = {i: j for i, j in enumerate(best) if rows[i][j] > 0}
    if len(set(chosen.values())) == len(chosen):
        # Every reference item has its own favourite: no pairing can be worth more.
        return chosen
    from scipy.optimize import linear_sum_assignment  # costs a third of a second, seldom needed

    first, second = linear_sum_assignment(rows, maximize=True)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return {i: j for i, j in pairs if rows[i][j] > 0}


def _events(refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> Pairing:
    """With the events that are stated within the items of others."""
    found = dict(pairs)
    for i, item in enumerate(refs.items):
        if i in found:
            continue
        within: dict[int, float] = {}
        for j in sorted(set(found.values())):
            date = answers[j].item.date
            if item.date is None or date is None or same_day(item.date, date):
                mates = [k for k, other in found.items() if other == j]
                within[j] = refs.within(i, answers[j], mates)
        best = max(within, key=within.__getitem__, default=-1)
        if within.get(best, 0.0) > 0:
            found[i] = best
    return Pairing(answers, found)


_Block = tuple[list[int], list[int]]
"""Reference numbers and the answer numbers that state them together."""


class _Blocks:
    """The best way to divide steps and answer items into blocks, in a given order of the steps."""

    def __init__(self, refs: Index, answers: tuple[Entry, ...]) -> None:
        self._refs, self._answers = refs, answers
        self._joined = [self._together(end) for end in range(len(answers))]

    def _together(self, end: int) -> list[Sequence[float]]:
        """How much of each step the last two, three and more items up to this one repeat."""
        out = [self._answers[end].likes]
        marks = self._answers[end].marks
        for first in range(end - 1, max(end - MOST_JOINED, -1), -1):
            both = zip(marks, self._answers[first].marks, strict=True)
            marks = [(mask | more, new + again) for (mask, new), (more, again) in both]
            out.append(self._refs.likes(marks))
        return out

    def best(self, order: list[int]) -> tuple[float, list[_Block]]:
        """The likeness of all blocks together, and the blocks."""
        n, m = len(order), len(self._answers)
        worth = [list(accumulate([-SKIPPING] * m, initial=0.0))]
        taken = [[(0, 1)] * (m + 1)]
        for a in range(1, n + 1):
            worth.append([worth[-1][0]])
            taken.append([(1, 0)])
            for b in range(1, m + 1):
                value, last = max(self._ends(order, worth, a, b))
                worth[a].append(value)
                taken[a].append(last)
        blocks: list[_Block] = []
        a, b = n, m
        while a or b:
            refs, answers = taken[a][b]
            if refs and answers:
                blocks.append((order[a - refs : a], list(range(b - answers, b))))
            a, b = a - refs, b - answers
        return worth[n][m], blocks[::-1]

    def _ends(
        self, order: list[int], worth: list[list[float]], a: int, b: int
    ) -> Iterator[tuple[float, tuple[int, int]]]:
        """What the best division of the first `a` steps and `b` items may end in."""
        yield worth[a - 1][b], (1, 0)
        yield worth[a][b - 1] - SKIPPING, (0, 1)
        step = order[a - 1]
        for count, likes in enumerate(self._joined[b - 1], 1):
            if likes[step] >= LEAST[True]:
                yield worth[a - 1][b - count] + likes[step] - JOINING * (count - 1), (1, count)
        entry = self._answers[b - 1]
        for count in range(2, min(MOST_SHARED, a) + 1):
            steps = order[a - count : a]
            if max(entry.likes[i] for i in steps) > COPY:
                break
            parts = 0.0
            for i in steps:
                part = self._refs.within(i, entry, [step for step in steps if step != i])
                if not part:
                    break
                parts += part
            else:
                yield worth[a - count][b - 1] + 0.9 * parts - JOINING * count, (count, 1)


def _with_blocks(refs: Index, answers: tuple[Entry, ...], blocks: list[_Block]) -> Pairing:
    """The pairing in which the answer items of each block are one."""
    first = {block[1][0]: block for block in blocks}
    inner = {j for _, numbers in blocks for j in numbers[1:]}
    out: list[Entry] = []
    pairs: dict[int, int] = {}
    for j, one in enumerate(answers):
        if j in first:
            stated, numbers = first[j]
            pairs |= dict.fromkeys(stated, len(out))
            out.append(joined(refs, [answers[n] for n in numbers]))
        elif j not in inner:
            out.append(one)
    return Pairing(tuple(out), pairs)
