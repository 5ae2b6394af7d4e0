"""An answer read beside its reference: which item states which, and what each one changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from seqniah_scorers.comparing.align import Entry, Index, Key, align, entry, key, merge_siblings
from seqniah_scorers.comparing.compare import Check, compare
from seqniah_scorers.comparing.endings import breaks_off
from seqniah_scorers.comparing.facts import Fact, FactReader, coverage
from seqniah_scorers.comparing.places import in_doubt, in_place, without_goal, without_phases
from seqniah_scorers.comparing.repair import cut, fill, join
from seqniah_scorers.comparing.shorthand import written_out
from seqniah_scorers.comparing.steps import retold
from seqniah_scorers.reading.items import Item

MAX_ALIGNED = 300
"""Distinct answer items that are aligned; all further ones count as redundant."""
QUOTED = 0.9
"""Share of a step's words from which an item quotes it."""
MORE = 0.25
"""Share of other words, but for the question's, up to which it tells nothing else."""
_UNREAD = Fact("", (), frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer after alignment."""

    answers: tuple[Entry, ...]
    """Its items, the aligned ones first in their order."""
    extra: tuple[Item, ...]
    """Items left out of the alignment: repeated ones and those above the bound."""
    pairs: dict[int, int]
    """Reference number -> answer number."""
    faults: dict[int, str]
    """Reference number -> the detail that its answer item changes."""
    checks: dict[int, Check] = field(default_factory=dict)
    """Reference number -> what the comparison saw; empty for a copy."""
    recut: bool = False
    """Items were cut or joined, or put in an open place of the reference, or might have been."""


def match(refs: Index, items: list[Item], cut_off: bool) -> Reading:
    distinct: dict[Key, Item] = {}
    extra: list[Item] = []
    for item in merge_siblings(items, refs):
        known = key(item)
        if known in distinct or len(distinct) >= MAX_ALIGNED:
            extra.append(item)
        else:
            distinct[known] = item
    copied = _copied(refs, distinct)
    if copied is not None:
        answers = tuple(Entry(i, _UNREAD) for i in distinct.values())
        return Reading(answers, tuple(extra), copied, {})
    return _compared(refs, list(distinct.values()), tuple(extra), cut_off)


def _copied(refs: Index, distinct: dict[Key, Item]) -> dict[int, int] | None:
    """The pairing, where every item copies a reference item: nothing is left to compare."""
    places = [refs.exact.get(k) for k in distinct]
    if None in places or len(refs.exact) < len(refs.items):
        return None
    return dict(sorted((i, j) for j, i in enumerate(places) if i is not None))


def _compared(refs: Index, items: list[Item], extra: tuple[Item, ...], cut_off: bool) -> Reading:
    reader = FactReader(refs.facts)
    items = without_goal(refs, without_phases(refs, items, reader), reader)
    answers = tuple(entry(i, reader) for i in written_out(items, refs))
    pairs = align(refs, answers)
    recut = False
    for mend in (cut, join):
        mended = mend(refs, answers, pairs, reader)
        if mended is not answers and len(mended) != len(answers):
            answers, recut = mended, True
            pairs = align(refs, answers)
    filled = pairs
    quoted = refs.logical and _quoted(refs, answers, pairs)
    if not quoted:
        filled = in_place(refs, answers, fill(refs, answers, pairs), reader)
    recut = recut or filled != pairs or in_doubt(refs, answers, filled)
    checks = compare(refs, answers, filled)
    if refs.logical and not quoted and not _clean(refs, answers, filled, checks):
        steps = retold(refs, tuple(entry(i, reader) for i in written_out(items, refs)), reader)
        if steps is not None and len(steps) == len(refs.items):
            in_order = {n: n for n in range(len(steps))}
            found = compare(refs, steps, in_order)
            whole = len(filled) == len(refs.items) == len(answers)
            if not whole or all(c.fault is None for c in found.values()):
                answers, filled, checks, recut = steps, in_order, found, True
    faults = {i: c.fault for i, c in checks.items() if c.fault is not None}
    reading = Reading(answers, extra, filled, faults, checks, recut)
    _end(refs, reading, cut_off)
    return reading


def _quoted(refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> bool:
    """Whether each item is one step in the reference's words, so that no other is hidden in it."""
    if len(pairs) < 2 or len(pairs) < len(answers):
        return False
    for i, j in pairs.items():
        mine, theirs = refs.entries[i].fact, answers[j].fact
        more = theirs.bag - mine.bag - refs.known
        if coverage(mine, theirs) < QUOTED or len(more) > MORE * len(theirs.bag):
            return False
    return True


def _clean(
    refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int], checks: dict[int, Check]
) -> bool:
    """Whether all is paired in order, or the answer copies what it tells: nothing to mend."""
    if len(pairs) == len(refs.items) == len(answers):
        order = [pairs[i] for i in sorted(pairs)]
        if order == sorted(order):
            return True
    return bool(checks) and all(c.exact for c in checks.values())


def _end(refs: Index, reading: Reading, cut_off: bool) -> None:
    """Find the fault of a last item that breaks off."""
    answers = reading.answers
    last = len(answers) - 1
    owner = next((i for i, j in reading.pairs.items() if j == last), None)
    if owner is None or owner in reading.faults or reading.extra:
        return
    others = [a.item.text for a in answers[:-1]]
    if breaks_off(refs.entries[owner], answers[last], others, cut_off):
        reading.faults[owner] = "it breaks off"
