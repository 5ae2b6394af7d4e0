"""Steps told in running text or cut otherwise than in the reference: clauses put to steps in order.

An answer may tell two steps in one sentence, or one step in two items. So its clauses are walked
through once, and each adds to the step that is being told, opens a later one, or is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from seqniah_scorers.comparing.align import Entry, Index, entry, foreign
from seqniah_scorers.comparing.concepts import meanings, words
from seqniah_scorers.comparing.facts import FactReader, has_relative

_CLAUSE = re.compile(
    r"(?<=[.!?])\s+|[;:。、→]\s*|\s->\s|,\s*(?:and\s+|then\s+|finally\s+)*|\s+and\s+(?:then\s+|finally\s+)*"
    r"|\s[–—-]\s|\s\(|\)\s|\s+(?:before|after which|whereupon|until|then)\s+"
    r"|(?:然后|接着|随后|最后|以及|再(?=[\u3400-\u9fff]))|(?<=[\u3400-\u9fff])[和并后](?=[\u3400-\u9fff])"
)
_REMARK = re.compile(
    r"(?:so that|because|which|as|since|in order|by|without|keeping|this|that|it is|they are)\b"
    "|以便|因为|这样|为了|避免|防止|以免|注意|使得?|让",
    re.IGNORECASE,
)
LEAST_WORDS = 2
"""Content words from which a clause can tell a step."""
MAX_CLAUSES = 160
"""A longer answer is left as it was read."""
ALONE, MERGED, TRANSLATED = 0.3, 0.55, 0.15
"""Share of a step's worth that its clauses must tell: in an item of their own, in one that tells
other steps too, and in another language."""
CHARACTERS = 0.8
"""Worth of single Chinese characters in common, against that of words."""
PRECISE = 0.7
"""Share of an item's words that a step has, from which the item tells of nothing else."""
ADDED = 0.25
"""Share that a further item must add to what others tell of a step."""
LEAST = 0.1
"""Share below which a clause tells nothing of a step."""


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    item: int
    """Number of the answer item that it stands in."""
    grams: frozenset[str]
    bag: frozenset[str]
    ids: frozenset[int]


def retold(refs: Index, answers: tuple[Entry, ...], reader: FactReader) -> tuple[Entry, ...] | None:
    """One item for each step, in order, and those that tell none; None: not all steps are told."""
    clauses = _clauses(refs, answers, reader)
    if not clauses or len(clauses) > MAX_CLAUSES or not refs.entries:
        return None
    told = _walk(refs, clauses)
    told = [_telling(refs, n, mine, clauses) for n, mine in enumerate(told)]
    owners = _owners(told, clauses)
    weak = []
    for number, mine in enumerate(told):
        own = [clauses[c] for c in mine]
        if not own or _share(refs, number, own) < _enough(refs, own, owners, answers):
            weak.append(number)
    if len(weak) > max(1, len(told) // 5) or not all(
        _open(told, n, clauses, answers) for n in weak
    ):
        return None
    owners = _owners(told, clauses)
    out = [_joined(answers, [clauses[c] for c in mine], reader) for mine in told]
    out += [a for n, a in enumerate(answers) if n not in owners]
    return tuple(out)


def _open(
    told: list[list[int]], number: int, clauses: list[_Clause], answers: tuple[Entry, ...]
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
    told[number] = own
    return bool(own)


def _telling(refs: Index, number: int, mine: list[int], clauses: list[_Clause]) -> list[int]:
    """The step's clauses without those of items that add nothing to what the others tell."""
    items = {clauses[c].item for c in mine}
    if len(items) < 2:
        return mine
    whole = _share(refs, number, [clauses[c] for c in mine])
    for item in sorted(items):
        rest = [c for c in mine if clauses[c].item != item]
        own = [clauses[c] for c in mine if clauses[c].item == item]
        part = _share(refs, number, own)
        grams = frozenset(g for c in own for g in c.grams)
        if len(grams & refs.entries[number].fact.grams) >= PRECISE * len(grams):
            continue
        left = _share(refs, number, [clauses[c] for c in rest]) if rest else 0.0
        if part < ALONE and left > whole - ADDED:
            mine = rest
    return mine


def _owners(told: list[list[int]], clauses: list[_Clause]) -> dict[int, set[int]]:
    """Answer item -> the steps that its clauses tell."""
    out: dict[int, set[int]] = {}
    for number, mine in enumerate(told):
        for c in mine:
            out.setdefault(clauses[c].item, set()).add(number)
    return out


def _enough(
    refs: Index, own: Sequence[_Clause], owners: dict[int, set[int]], answers: tuple[Entry, ...]
) -> float:
    if any(foreign(refs, answers[c.item].fact) for c in own):
        return TRANSLATED
    running = any(answers[c.item].item.loose for c in own)
    return ALONE if running or any(len(owners[c.item]) == 1 for c in own) else MERGED


def _clauses(refs: Index, answers: tuple[Entry, ...], reader: FactReader) -> list[_Clause]:
    asked, meant = reader.read(refs.asked).grams, meanings(refs.asked)
    out: list[_Clause] = []
    for number, ans in enumerate(answers):
        for piece in _CLAUSE.split(ans.item.text):
            if piece and piece.strip():
                fact = reader.read(piece)
                grams, bag = fact.grams - asked, fact.bag if refs.chinese else frozenset[str]()
                out.append(_Clause(piece.strip(), number, grams, bag, meanings(piece) - meant))
    return out


def _share(refs: Index, number: int, own: Sequence[_Clause]) -> float:
    """How much of a step its clauses tell, 0 to 1; words of few steps count most."""
    fact = refs.entries[number].fact
    grams = frozenset(g for c in own for g in c.grams)
    ids = frozenset(n for c in own for n in c.ids)
    hit = whole = 0.0
    for gram in fact.grams:
        worth = 1.0 / len(refs.where[gram])
        known = gram in grams or has_relative(gram, grams) or not meanings(gram).isdisjoint(ids)
        whole += worth
        hit += worth * known
    by_words = hit / whole if whole else 0.0
    hit = whole = 0.0
    for word in words(fact.text):
        worth = max(refs.meant.get(n, 1.0) for n in word.ids)
        whole += worth
        hit += worth * (not word.ids.isdisjoint(ids))
    by_meaning = hit / whole if whole >= 1.5 else 0.0
    return max(by_words, by_meaning, CHARACTERS * _by_characters(refs, number, own))


def _by_characters(refs: Index, number: int, own: Sequence[_Clause]) -> float:
    """In Chinese a word may be told by one of its characters."""
    if not refs.chinese:
        return 0.0
    told = frozenset(c for clause in own for c in clause.bag)
    mine = refs.entries[number].fact.bag
    worth = {c: 1.0 / sum(c in e.fact.bag for e in refs.entries) for c in mine}
    whole = sum(worth.values())
    return sum(w for c, w in worth.items() if c in told) / whole if whole else 0.0


def _walk(refs: Index, clauses: list[_Clause]) -> list[list[int]]:
    """The clauses of each step: the best way through both, never going back."""
    steps = len(refs.entries)
    gain = [[_gain(_share(refs, i, [c])) for i in range(steps)] for c in clauses]
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


def _joined(answers: tuple[Entry, ...], own: list[_Clause], reader: FactReader) -> Entry:
    first = answers[own[0].item].item
    return entry(replace(first, text=", ".join(c.text for c in own), loose=True), reader)
