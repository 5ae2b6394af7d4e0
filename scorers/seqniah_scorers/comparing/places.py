"""Steps known by their place: between the same neighbours, or in order where words do not tell."""

from __future__ import annotations

import re
from dataclasses import replace
from statistics import median

from seqniah_scorers.comparing.align import Entry, Index, foreign, likeness
from seqniah_scorers.comparing.facts import FactReader
from seqniah_scorers.comparing.shares import Clause, by_item, hints, share
from seqniah_scorers.reading.items import Item

REWORDED = 0.7
"""Likeness of half the items up to which an answer tells the steps in words of its own."""
MOST = 3
"""Neighbouring steps at most that are known by their places."""
TOLD = 0.4
"""Likeness from which a line below a heading tells a step of its own."""
MOST_OTHER = 2
"""Words besides those of the question that a sentence may have which only names the goal."""
_GENERIC = re.compile(
    r"(?:step|stag|phas|process|procedur|follow|order|sequenc|go|goes|involv|requir|mean|need|thing"
    r"|simpl|easi|eas|straightforward|text|document|describ|explain)\w*"
    "|步骤|过程|流程|以下|如下|下列|方法|进行|整个|需要"
)
MARGIN = 0.15
"""Share by which a crossed pair of steps must be told better than the same pair in order."""


def in_place(
    refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int], reader: FactReader
) -> dict[int, int]:
    """The pairs mended by what their places tell.

    Where as many steps as items are left over between two neighbours, each item tells the step
    in its place if it has a word or a meaning of it. And two neighbours are only out of order
    where their words say so clearly.
    """
    if not refs.logical or not _is_open(refs, answers, pairs):
        return pairs
    told = by_item(refs, answers, reader)
    out = dict(pairs)
    for steps, items in _gaps(refs, answers, pairs):
        if all(hints(refs, i, told[j]) for i, j in zip(steps, items, strict=True)):
            out.update(zip(steps, items, strict=True))
    return _uncrossed(refs, out, told)


def in_doubt(refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> bool:
    """Whether items are left over in the very places of steps of which they share no word."""
    return refs.logical and bool(_gaps(refs, answers, pairs))


def without_phases(refs: Index, items: list[Item], reader: FactReader) -> list[Item]:
    """The items with the lines of a phase, of which at least half tell steps, in its place.

    A phase is no step but a heading for some, so that among its lines none may be too many.
    """
    if not refs.logical or not any(len(item.parts) > 1 for item in items):
        return items
    if len(items) == len(refs.items):
        return items  # each heading is a step
    out: list[Item] = []
    for item in items:
        told = [_told(refs, part, reader) for part in item.parts]
        known = [i for i in told if i is not None]
        several = len(set(known)) > 1 and 2 * len(known) >= len(told) and known == sorted(known)
        if several:
            out += [replace(item, text=part, parts=()) for part in item.parts]
        else:
            out.append(item)
    return out


def _told(refs: Index, text: str, reader: FactReader) -> int | None:
    """The step that a line tells by its words alone, if there is one."""
    likes = likeness(refs, reader.read(text))
    best = max(range(len(likes)), key=likes.__getitem__, default=None)
    return best if best is not None and likes[best] >= TOLD else None


def without_goal(refs: Index, items: list[Item], reader: FactReader) -> list[Item]:
    """The items without a first or last sentence that only names again what the question asks."""
    if not refs.logical or len(items) < 2:
        return items
    out = list(items)
    for at in (-1, 0):
        if len(out) > 1 and out[at].loose and _names_goal(refs, out[at], reader):
            del out[at]
    return out


def _names_goal(refs: Index, item: Item, reader: FactReader) -> bool:
    grams = reader.read(item.text).grams
    asked = grams & refs.known_grams
    rest = {g for g in grams - asked if not _GENERIC.fullmatch(g)}
    return len(asked) >= 2 and len(rest) <= MOST_OTHER and not (rest & refs.where.keys())


def _is_open(refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> bool:
    """Whether places could tell anything: steps or items are left over, or the order is wrong."""
    if any(foreign(refs, a.fact) for a in answers):
        return False
    order = [pairs[i] for i in sorted(pairs)]
    left = len(pairs) < len(refs.items) and len(pairs) < len(answers)
    return left or order != sorted(order)


def _best(refs: Index, ans: Entry) -> float:
    return max(likeness(refs, ans.fact), default=0.0)


def _gaps(
    refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]
) -> list[tuple[list[int], list[int]]]:
    """Runs of steps without an item, with as many items between the same neighbours."""
    free = sorted(set(range(len(answers))) - set(pairs.values()))
    if not free or median(_best(refs, a) for a in answers) > REWORDED:
        return []
    out = []
    run: list[int] = []
    for i in range(len(refs.items) + 1):
        if i < len(refs.items) and i not in pairs:
            run.append(i)
        elif run:
            before = max((j for n, j in pairs.items() if n < run[0]), default=-1)
            after = min((j for n, j in pairs.items() if n > run[-1]), default=len(answers))
            between = [j for j in free if before < j < after]
            if len(run) == len(between) <= MOST:
                out.append((run, between))
            run = []
    return out


def _uncrossed(refs: Index, pairs: dict[int, int], told: list[list[Clause]]) -> dict[int, int]:
    """Neighbours put in order again whose words tell the crossed pairs hardly better."""
    out = dict(pairs)
    for i in range(len(refs.items) - 1):
        a, b = out.get(i), out.get(i + 1)
        if a is None or b is None or a != b + 1:
            continue
        straight = share(refs, i, told[b]), share(refs, i + 1, told[a])
        crossed = share(refs, i, told[a]) + share(refs, i + 1, told[b])
        if min(straight) > 0 and crossed - sum(straight) < MARGIN:
            out[i], out[i + 1] = b, a
    return out
