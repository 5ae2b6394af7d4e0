"""Steps told in running text or cut otherwise than in the reference: clauses put to steps in order.

An answer may tell two steps in one sentence, or one step in two items. So its clauses are walked
through once, and each adds to the step that is being told, opens a later one, or is a remark.
"""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.comparing.align import Entry, Index, entry, foreign
from seqniah_scorers.comparing.facts import FactReader, has_relative
from seqniah_scorers.comparing.shares import Clause, clauses_of, hints, share

_REMARK = re.compile(
    r"(?:so that|because|which|as|since|in order|by|without|keeping|this|that|it is|they are)\b"
    "|以便|因为|这样|为了|避免|防止|以免|注意|使得?|让",
    re.IGNORECASE,
)
LEAST_WORDS = 2
"""Content words from which a clause can tell a step."""
MAX_CLAUSES = 160
"""A longer answer is left as it was read."""
ALONE, MERGED, TRANSLATED = 0.3, 0.5, 0.15
"""Share of a step's worth that its clauses must tell: in an item of their own, in one that tells
other steps too, and in another language."""
PRECISE = 0.7
"""Share of an item's words that a step has, from which the item tells of nothing else."""
ADDED = 0.25
"""Share that a further item must add to what others tell of a step."""
SHORT = 0.8
"""Length up to which, against that of the step, an item tells of one part of it alone."""
MANY = 6
"""Steps from which running text may tell one of them in words that are all unknown."""
LEAST = 0.1
"""Share below which a clause tells nothing of a step."""


def retold(refs: Index, answers: tuple[Entry, ...], reader: FactReader) -> tuple[Entry, ...] | None:
    """One item for each step, in order, and those that tell none; None: not all steps are told."""
    clauses = clauses_of(refs, answers, reader)
    if not clauses or len(clauses) > MAX_CLAUSES or not refs.entries:
        return None
    told = _walk(refs, clauses)
    told = [_telling(refs, n, mine, clauses) for n, mine in enumerate(told)]
    weak = []
    for number, mine in enumerate(told):
        own = [clauses[c] for c in mine]
        if not own or share(refs, number, own) < _enough(refs, told, number, clauses, answers):
            weak.append(number)
    if len(weak) > max(1, len(told) // 4):
        return None
    strange = [n for n in weak if not _open(refs, told, n, clauses, answers)]
    running = all(answers[clauses[c].item].item.loose for n in strange for c in told[n])
    if len(strange) > (running and len(told) >= MANY and all(told[n] for n in strange)):
        return None
    owners = _owners(told, clauses)
    out = [_joined(answers, [clauses[c] for c in mine], owners, reader) for mine in told]
    out += [a for n, a in enumerate(answers) if n not in owners]
    return tuple(out)


def _open(
    refs: Index,
    told: list[list[int]],
    number: int,
    clauses: list[Clause],
    answers: tuple[Entry, ...],
) -> bool:
    """Whether, in the place of a step, a clause of running text or an item tells no other step.

    Such a clause is then taken to tell the step in words that the tables do not know.
    """
    before = max((c for mine in told[:number] for c in mine), default=-1)
    after = min((c for mine in told[number + 1 :] for c in mine), default=len(clauses))
    taken = {clauses[c].item for n, mine in enumerate(told) if n != number for c in mine}
    own = [
        c
        for c in range(before + 1, after)
        if (answers[clauses[c].item].item.loose or clauses[c].item not in taken)
        and len(clauses[c].grams) >= LEAST_WORDS
        and not _REMARK.match(clauses[c].text)
    ]
    if len({clauses[c].item for c in own}) > 1 and not answers[clauses[own[0]].item].item.loose:
        # Each list item tells of one thing: the one that has most of the step is the step.
        by_item = {
            clauses[c].item: [d for d in own if clauses[d].item == clauses[c].item] for c in own
        }
        own = max(by_item.values(), key=lambda m: share(refs, number, [clauses[c] for c in m]))
    alone = all(
        answers[clauses[c].item].item.loose or clauses[c].item not in taken for c in told[number]
    )
    told[number] = own or (told[number] if alone else [])
    return hints(refs, number, [clauses[c] for c in told[number]])


def _telling(refs: Index, number: int, mine: list[int], clauses: list[Clause]) -> list[int]:
    """The step's clauses without those of items that add nothing to what the others tell."""
    items = {clauses[c].item for c in mine}
    if len(items) < 2:
        return mine
    whole = share(refs, number, [clauses[c] for c in mine])
    for item in sorted(items):
        rest = [clauses[c] for c in mine if clauses[c].item != item]
        own = [clauses[c] for c in mine if clauses[c].item == item]
        if rest and not _adds(refs, number, own, rest, whole):
            mine = [c for c in mine if clauses[c].item != item]
    return mine


def _adds(refs: Index, number: int, own: list[Clause], rest: list[Clause], whole: float) -> bool:
    """Whether an item tells a part of the step that other items leave out."""
    step = refs.entries[number].fact.grams
    mine = frozenset(g for c in own for g in c.grams)
    told = frozenset(g for c in rest for g in c.grams)
    if len(mine & step) >= PRECISE * len(mine):
        return True
    added = whole - share(refs, number, rest)
    new = {g for g in step - told if g in mine or has_relative(g, mine)}
    if added >= ADDED and (new or added >= 2 * ADDED):
        return True
    # A short item with a word of this step alone: "collect the forms" for "send and collect".
    alone = any(len(refs.where[g]) == 1 and g not in refs.known_grams for g in new)
    return alone and len(mine) <= SHORT * len(step)


def _owners(told: list[list[int]], clauses: list[Clause]) -> dict[int, set[int]]:
    """Answer item -> the steps that its clauses tell."""
    out: dict[int, set[int]] = {}
    for number, mine in enumerate(told):
        for c in mine:
            out.setdefault(clauses[c].item, set()).add(number)
    return out


def _enough(
    refs: Index,
    told: list[list[int]],
    number: int,
    clauses: list[Clause],
    answers: tuple[Entry, ...],
) -> float:
    """Share from which the clauses of a step tell it.

    A clause that would help to tell the neighbouring step of its item, or tells much else, may be
    no more than a detail of that one, so that more is asked of it.
    """
    own = [clauses[c] for c in told[number]]
    if any(foreign(refs, answers[c.item].fact) for c in own):
        return TRANSLATED
    items = {c.item for c in own}
    if any(answers[item].item.loose for item in items):
        return ALONE
    step = refs.entries[number].fact.grams
    vague = all(2 * len(c.grams & step) < len(c.grams) for c in own)
    for near in (number - 1, number + 1):
        if 0 <= near < len(told):
            theirs = [clauses[c] for c in told[near]]
            shared = not items.isdisjoint(c.item for c in theirs)
            if shared and (vague or share(refs, near, theirs + own) > share(refs, near, theirs)):
                return MERGED
    return ALONE


def _walk(refs: Index, clauses: list[Clause]) -> list[list[int]]:
    """The clauses of each step: the best way through both, never going back."""
    steps = len(refs.entries)
    gain = [[_gain(share(refs, i, [c])) for i in range(steps)] for c in clauses]
    # best[k]: worth of the clauses so far with step k the last that was opened (0: none yet).
    best = [0.0] + [float("-inf")] * steps
    path: list[list[int]] = []
    for row in gain:
        came: list[int] = []
        new: list[float] = []
        for k in range(steps + 1):
            value = best[k] + (row[k - 1] if k and row[k - 1] else 0.0)
            source = k
            if k:
                earlier = max(range(k), key=best.__getitem__)
                opened = best[earlier] + row[k - 1]
                if row[k - 1] and opened >= value:
                    value, source = opened, earlier
            new.append(value)
            came.append(source)
        best = new
        path.append(came)
    return _traced(path, gain, max(range(steps + 1), key=best.__getitem__), steps)


def _gain(share: float) -> float:
    return share if share >= LEAST else 0.0


def _traced(
    path: list[list[int]], gain: list[list[float]], last: int, steps: int
) -> list[list[int]]:
    told: list[list[int]] = [[] for _ in range(steps)]
    state = last
    for number in range(len(path) - 1, -1, -1):
        source = path[number][state]
        if state and gain[number][state - 1]:
            told[state - 1].insert(0, number)
        state = source
    return told


def _joined(
    answers: tuple[Entry, ...],
    own: list[Clause],
    owners: dict[int, set[int]],
    reader: FactReader,
) -> Entry:
    """One item of a step's clauses; an item of a list that tells this step alone stays whole."""
    first = answers[own[0].item].item
    told: list[str] = []
    for number in dict.fromkeys(c.item for c in own):
        item = answers[number].item
        whole = len(owners[number]) == 1 and not item.loose
        told += [item.text] if whole else [c.text for c in own if c.item == number]
    return entry(replace(first, text=", ".join(told), loose=True), reader)
