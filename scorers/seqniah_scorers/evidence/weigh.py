"""An answer read beside its reference, all evidence against it, and what that is worth.

An answer is right where every reference item is stated, nothing else is, and the order is the true
one where it is asked for. Each of these has a probability by its evidence, and that of the answer
is their product.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import exp, log1p

from seqniah_scorers import authored
from seqniah_scorers.evidence.align import align, merge_siblings
from seqniah_scorers.evidence.context import alike, among_copies, among_none, bare, copied, stated
from seqniah_scorers.evidence.index import Entry, Index, Pairing, View, same_day
from seqniah_scorers.evidence.witnesses import (
    BY_WORDS,
    Evidence,
    Kind,
    Pair,
    heard,
    unstated,
    withdrawn,
)
from seqniah_scorers.evidence.words import Words, read
from seqniah_scorers.reading.cues import is_excluded
from seqniah_scorers.reading.dates import compatible
from seqniah_scorers.reading.items import Item
from seqniah_scorers.text import fold
from seqniah_scorers.verdict import Case

MAX_ALIGNED = 300
"""Distinct answer items that are aligned; all further ones count as redundant."""
ALONE = 0.8
"""How nearly others are taken to copy the reference where there are none; counts half an item."""
BRIEF = 7
"""Words of a comment that is too short to tell more than that all is not so; Chinese: twice."""
_COMMENT = (
    r"(?:which|possibly|likely|perhaps|suggesting|indicating|although|though|but the|this|these"
    "|这|可能|显示|表明|反映|具体|但|说明|可见)"
)
_COMMENTS = re.compile(rf"\W*{_COMMENT}")
_MAY_PART = re.compile(
    "[.!?;:。；(\\[【)\\]】\u2013\u2014,-]"
    rf"(?:(?<=[!?;:。；(\[【)\]】\u2013\u2014])|(?<=[.-])\s|(?<=,)\s*{_COMMENT})"
)
"""What an item has that is of more than one piece."""
_PIECE_END = re.compile(
    rf"(?=[\s,(\[【\u2013\u2014])(?:(?<=[.!?;:])\s+|(?<=[^\d]),\s*(?={_COMMENT})|(?=[(\[【])"
    r"|\s[-\u2013]+\s|[\u2013\u2014]+)|(?<=[。；;!?)\]】])"
)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that must be well for the answer to be right."""

    reference: int | None
    """Number of the reference item that it is about; None: it is about none."""
    answer: int | None
    """Number of the answer's item; None: it is about none."""
    evidence: Evidence
    """What speaks for and against it."""
    score: float
    """Logarithm of the odds that it is well."""

    @property
    def kind(self) -> Kind:
        """What it is: the first of its evidence."""
        return next(iter(self.evidence))


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer after all is weighed."""

    answers: tuple[Entry, ...]
    """Its items, the aligned ones first in their order."""
    points: tuple[Point, ...]
    """All that must be well: a pair or a gap for every reference item, and more."""

    @property
    def pairs(self) -> tuple[Point, ...]:
        """Those of reference items that an item states."""
        return tuple(p for p in self.points if p.reference is not None and p.answer is not None)

    @property
    def probability(self) -> float:
        """That the answer is right, 0 to 1."""
        return exp(-sum(_loss(point.score) for point in self.points))


def _loss(score: float) -> float:
    """Minus the logarithm of the probability that a point of this score is well."""
    return log1p(exp(-score)) if score > 0 else log1p(exp(score)) - score


@cache
def weights(steps: bool) -> dict[Kind, float]:
    """What each kind of evidence is worth, about steps or dated events."""
    table = authored.table("evidence/weights.toml").get("steps" if steps else "events", {})
    return {kind: float(table.get(kind.name.lower(), 0.0)) for kind in Kind}


def weigh(refs: Index, items: Sequence[Item], case: Case, order: bool) -> Weighed:
    """Pair the items of a case's answer with the reference's and weigh what speaks against each.

    `order`: whether the question demands the true order.
    """
    distinct: dict[tuple[str, object], Item] = {}
    again: list[Item] = []
    for item in merge_siblings(list(items), refs):
        key = fold(item.text), item.date.key() if item.date else None
        if key in distinct or len(distinct) >= MAX_ALIGNED:
            again.append(item)
        else:
            distinct[key] = item
    pairing = align(refs, tuple(refs.entry(item) for item in distinct.values()))
    answers = pairing.answers + tuple(map(refs.entry, again))
    worth = weights(refs.steps)

    def point(reference: int | None, answer: int | None, evidence: Evidence) -> Point:
        score = sum(worth[kind] * strength for kind, strength in evidence.items())
        return Point(reference, answer, evidence, score)

    points: list[Point] = []
    close = 0.5 * ALONE
    for i, j, choices, kept in _pairs(refs, pairing, case.cut_off):
        points.append(max((point(i, j, one) for one in choices), key=lambda one: one.score))
        close += kept
    close /= len(pairing.pairs) + 0.5
    gaps = (i for i in range(len(refs.items)) if i not in pairing.pairs)
    points += [point(i, None, {Kind.MISSING: 1.0}) for i in gaps]
    points += [point(*extra) for extra in _extras(pairing, answers, close)]
    if order and _disordered(refs, pairing):
        points.append(point(None, None, {Kind.ORDER: 1.0}))
    taken_back = withdrawn(_outside(case.response, answers))
    if taken_back and not any(withdrawn(item.text) for item in refs.items):
        points.append(point(None, None, {Kind.WITHDRAWN: 1.0}))
    if any(refs.only_meant(i, answers[j]) for i, j in pairing.pairs.items()):
        points.append(point(None, None, {Kind.MEANT: 1.0}))
    return Weighed(answers, tuple(points))


def _pairs(
    refs: Index, pairing: Pairing, cut_off: bool
) -> Iterator[tuple[int, int, list[Evidence], float]]:
    """For each pair its numbers, its evidence by each wording, and how nearly it is a copy."""
    all_heard = {i: _heard(refs, pairing, i, cut_off) for i in sorted(pairing.pairs)}
    kept = {i: max(map(copied, found)) for i, found in all_heard.items()}
    close = _of_others(kept, len(kept))
    alone = _of_others({i: max(map(bare, found)) for i, found in all_heard.items()}, len(kept))
    told = {i: max(map(stated, found)) for i, found in all_heard.items()}
    others = _of_others(told, len(refs.items))
    for i, found in all_heard.items():
        like = max(map(alike, found))
        choices = [
            one | among_copies(one, like, close[i], alone[i]) | among_none(one, others[i])
            for one in found
        ]
        yield i, pairing.pairs[i], choices, kept[i]


def _of_others(each: dict[int, float], count: int) -> dict[int, float]:
    """For each pair the mean of all other items, `count` with its own; of no pair: 0."""
    total = sum(each.values())
    return {i: (total - one + 0.5 * ALONE) / (count - 0.5) for i, one in each.items()}


def _heard(refs: Index, pairing: Pairing, i: int, cut_off: bool) -> list[Evidence]:
    """The evidence about a pair, by each wording of the reference item."""
    j = pairing.pairs[i]
    broken = cut_off and j == len(pairing.answers) - 1
    entry = pairing.answers[j]
    item, words = entry.item, entry.words
    mates = [k for k, other in pairing.pairs.items() if other == j and k != i]
    mine = refs.items[i].date
    dated: Evidence = {}
    if mine and item.date and not compatible(mine, item.date):
        dated = {Kind.OTHER_DATE: 1.0}
    if not mates and any(view.words[i].text == words.text for view in refs.views):
        return [{Kind.PAIR: 1.0} | dated]  # a copy, against which no wording can say more
    out: list[Evidence] = []
    for view in refs.views:
        pair = _pair(refs, view, i, mates, words)
        evidence = heard(pair) | dated
        if broken and Kind.LOST in evidence:
            evidence[Kind.BROKEN] = 1.0
        if refs.only_meant(i, entry):
            evidence = {kind: one for kind, one in evidence.items() if kind not in BY_WORDS}
        out.append(evidence)
    return out


def _pair(refs: Index, view: View, i: int, mates: Sequence[int], words: Words) -> Pair:
    """What witnesses see: the sentences of an item that state its reference item, and comments."""
    kept, brief = _pieces(view, (i, *mates), words)
    return Pair(
        ref=view.words[i],
        answer=read(" ".join(kept)) if kept else words,
        whole=words,
        asserted=" ".join(kept + brief) if kept else words.text,
        comments=" ".join(brief) if kept else "",
        known=view.known,
        others=view.others(i, mates),
        mates=tuple(view.words[k] for k in mates),
        parties=refs.parties,
    )


def _pieces(view: View, numbers: Sequence[int], words: Words) -> tuple[list[str], list[str]]:
    """The pieces of an item that have words of reference items, and short comments on them."""
    if not _MAY_PART.search(words.text):
        return [], []
    pieces = [one for one in _PIECE_END.split(words.text) if one.strip(" ()[].-")]
    if len(pieces) < 2:
        return [], []
    known = view.vocabulary
    wanted = 0
    for number in numbers:
        wanted |= known.own[number]
    kept: list[str] = []
    brief: list[str] = []
    found = False
    for one in pieces:
        piece = read(one)
        stated = known.marks(piece)[0] & wanted and not _COMMENTS.match(one)
        if stated and not (piece.doubtful and unstated(one)):
            kept.append(one)
            found = True
        elif len(piece.tokens) < BRIEF * (1 + piece.chinese):
            # With a number of three digits or more it is a cell of a table, no comment.
            cell = any(word.isdigit() and len(word) > 2 for word, _ in piece.numbers)
            (kept if cell else brief).append(one)
    return (kept, brief) if found and len(kept) < len(pieces) else ([], [])


_Point = tuple[int | None, int | None, Evidence]


def _extras(pairing: Pairing, answers: Sequence[Entry], close: float) -> Iterator[_Point]:
    """The items that state nothing of the reference."""
    used = set(pairing.pairs.values())
    numbered = 2 * sum(answers[j].item.numbered for j in used) > len(used)
    for j, one in enumerate(answers):
        if j in used or is_excluded(one.item.text):
            continue  # what is named in order to be left out is a remark
        yield None, j, {
            Kind.EXTRA: 1.0,
            Kind.EXTRA_NUMBERED: float(one.item.numbered and numbered),
            Kind.COPY_EXTRA: close,
        }  # fmt: skip


def _disordered(refs: Index, pairing: Pairing) -> bool:
    """Whether two items stand the other way round than in the reference."""
    return any(
        pairing.pairs[a] > pairing.pairs[b] and not same_day(refs.items[a].date, refs.items[b].date)
        for a, b in combinations(sorted(pairing.pairs), 2)
    )


def _outside(response: str, answers: Sequence[Entry]) -> str:
    """What the answer says outside its items, and its last item, which may run on into that."""
    out, last = [], 0
    for start, end in sorted(one.item.span for one in answers):
        out.append(response[last:start])
        last = max(last, end)
    out += [response[last:], answers[-1].item.text if answers else ""]
    return "\n".join(out)
