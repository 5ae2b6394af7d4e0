"""Items cut or joined where the answer draws the line between two of them elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.comparing.align import (
    Entry,
    Index,
    entry,
    foreign,
    likeness,
    same_day,
    translated,
)
from seqniah_scorers.comparing.facts import FactReader
from seqniah_scorers.reading.dates import compatible
from seqniah_scorers.text import has_cjk

_CLAUSE = re.compile(
    r"(?<=[.!?])\s+|[;。、]\s*|,\s*(?:and\s+|then\s+|finally\s+)*|\s+and\s+(?:then\s+|finally\s+)*"
    r"|(?:然后|接着|随后|最后|以及)|(?<=[\u3400-\u9fff])[和并](?=[\u3400-\u9fff])"
)
_PART = re.compile(
    r"[.!?;:,。；：，、]\s*|\s(?:and|then|or)\s|(?<=[\u3400-\u9fff]{2})[并和及与](?=[\u3400-\u9fff]{2})"
)
PART = 0.5
"""Share that a clause and a part of a step must have of each other."""
FILLED = 0.3
"""Share of a reference item's meanings from which an item in other words states it."""
ENOUGH = 0.5
"""Likeness from which a clause states a reference item of its own."""
MAX_CLAUSES = 60


def cut(
    ref: Index, answers: tuple[Entry, ...], pairs: dict[int, int], reader: FactReader
) -> tuple[Entry, ...]:
    """Cut an item that also states a reference item for which no item was found."""
    missing = {i for i in range(len(ref.entries)) if i not in pairs}
    if not missing:
        return answers
    owner = {j: i for i, j in pairs.items()}
    out: list[Entry] = []
    for number, ans in enumerate(answers):
        pieces = _pieces(ref, ans, missing, owner.get(number), reader)
        out += pieces or [ans]
    return tuple(out)


def _pieces(
    ref: Index, ans: Entry, missing: set[int], own: int | None, reader: FactReader
) -> list[Entry]:
    clauses = [c for c in _CLAUSE.split(ans.item.text) if c.strip()]
    if not 2 <= len(clauses) <= MAX_CLAUSES:
        return []
    runs: list[tuple[int | None, list[str]]] = []
    for clause in clauses:
        label = _label(ref, ans, clause, missing, own, reader)
        if runs and (label is None or label == runs[-1][0]):
            runs[-1][1].append(clause)
        elif runs and runs[-1][0] is None:
            runs[-1] = (label, [*runs[-1][1], clause])
        else:
            runs.append((label, [clause]))
    labels = [label for label, _ in runs]
    if len(runs) < 2 or len(set(labels)) < len(labels) or not missing.intersection(labels):
        return []
    return [entry(replace(ans.item, text=", ".join(run)), reader) for _, run in runs]


def _label(
    ref: Index, ans: Entry, clause: str, missing: set[int], own: int | None, reader: FactReader
) -> int | None:
    """The reference item that the clause states, if it can be told."""
    fact = entry(replace(ans.item, text=clause), reader).fact
    if ref.logical:  # a step may name the whole undertaking: the question's words tell nothing
        fact = replace(fact, grams=fact.grams - reader.read(ref.asked).grams)
    # Nor are words of the item's own reference a sign of another one; a lead may add a word.
    foreign = fact.grams - ref.entries[own].fact.grams if own is not None else fact.grams
    if len(foreign) <= int(ref.logical):
        return own
    likes = likeness(ref, fact)
    best = max(range(len(likes)), key=likes.__getitem__)
    date, other = ans.item.date, ref.entries[best].item.date
    if date and other and not compatible(date, other):
        return None
    if best != own and best not in missing:
        return None
    return best if likes[best] >= ENOUGH else None


def join(
    ref: Index, answers: tuple[Entry, ...], pairs: dict[int, int], reader: FactReader
) -> tuple[Entry, ...]:
    """Join an item to its neighbour where it goes on telling the neighbour's reference item."""
    owner = {j: i for i, j in pairs.items()}
    out: list[Entry] = []
    held: list[int | None] = []
    for number, ans in enumerate(answers):
        own = owner.get(number)
        back = held[-1] if held else None
        if own is None and back is not None and _goes_on(ref.entries[back], out[-1], ans, ref):
            text = f"{out[-1].item.text.rstrip('.')}. {ans.item.text}"
            out[-1] = entry(replace(out[-1].item, text=text), reader)
            continue
        if (
            own is not None
            and out
            and back is None
            and _goes_on(ref.entries[own], ans, out[-1], ref)
        ):
            text = f"{out[-1].item.text.rstrip('.')}. {ans.item.text}"
            out[-1], held[-1] = entry(replace(ans.item, text=text), reader), own
            continue
        out.append(ans)
        held.append(own)
    return tuple(out)


def _goes_on(ref: Entry, last: Entry, ans: Entry, table: Index) -> bool:
    """The item repeats much of the reference item, and what the neighbour had left out."""
    day = same_day(ref.item.date, ans.item.date)
    if not table.logical and not day and not (ans.item.loose and ans.item.date is None):
        return False
    shared = ans.fact.grams & ref.fact.grams
    new = shared - last.fact.grams
    worth = sum(table.weights.get(g, 1.0) for g in new)
    if table.logical and _tells_part(ref, last, ans):
        return True
    return worth >= 2 and len(new) >= 0.5 * len(shared) and len(shared) >= 0.3 * len(ans.fact.grams)


def _tells_part(ref: Entry, last: Entry, ans: Entry) -> bool:
    """A clause of the item is one of several parts of the step, which the neighbour leaves out."""
    parts = [p for p in _PART.split(ref.item.text) if p.strip()]
    if len(parts) < 2:
        return False
    reader = FactReader()
    for clause in _PART.split(ans.item.text):
        own = reader.read(clause).grams if clause.strip() else frozenset()
        for part in parts:
            mine = reader.read(part).grams
            told = len(mine & own)
            if told < max(2, PART * len(own)) or told < PART * len(mine):
                continue
            if len(mine & last.fact.grams) < PART * len(mine):
                return True
    return False


def fill(ref: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> dict[int, int]:
    """Pair items left over on both sides that mean much the same, in words of their own."""
    missing = [i for i in range(len(ref.items)) if i not in pairs]
    unused = set(range(len(answers))) - set(pairs.values())
    if not missing or not unused:
        return pairs
    if ref.logical and len(answers) == len(ref.items) and _unknown(ref, answers, pairs):
        return {i: i for i in range(len(answers))}  # hardly a word is known: the count must do
    if ref.logical and not pairs and not any(foreign(ref, a.fact) for a in answers):
        return pairs  # no neighbour tells where a step has its place
    out = dict(pairs)
    for i in missing:
        before = max((j for n, j in out.items() if n < i), default=-1)
        after = min((j for n, j in out.items() if n > i), default=len(answers))
        best, like = None, FILLED
        for j in sorted(unused):
            if ref.logical and not before < j < after:
                continue
            other = foreign(ref, answers[j].fact)
            value = _open_place(ref, i, answers[j], other)
            alone = other and len(missing) == len(unused)
            if value > like or (alone and best is None and before < j < after):
                best, like = j, max(value, like)
        if best is not None:
            out[i] = best
            unused.discard(best)
    return out


def _unknown(ref: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> bool:
    """Whether the answer is in a language of which too little is known to tell its steps."""
    other = sum(foreign(ref, a.fact) for a in answers)
    if any(has_cjk(a.item.text) for a in answers) or ref.chinese:
        return other == len(answers) and all(i == j for i, j in pairs.items())
    return 2 * other > len(answers)


def _open_place(ref: Index, number: int, ans: Entry, other: bool) -> float:
    """How much of the reference item's meaning an answer item has whose words are others."""
    date, own = ans.item.date, ref.items[number].date
    if date and own and not compatible(date, own):
        return 0.0
    likes = translated(ref, ans.item.text)
    value = likes[number]
    if max(likes) > value and not other:
        return 0.0
    return value
