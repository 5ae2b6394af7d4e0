"""Items cut or joined where the answer draws the line between two of them elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.align import Entry, Index, entry, likeness, same_day
from seqniah_scorers.dates import compatible
from seqniah_scorers.facts import FactReader

_CLAUSE = re.compile(
    r"(?<=[.!?])\s+|[;。、]\s*|,\s*(?:and\s+|then\s+|finally\s+)*|\s+and\s+(?:then\s+|finally\s+)*"
    r"|(?:然后|接着|随后|最后|以及)|(?<=[\u3400-\u9fff])[和并](?=[\u3400-\u9fff])"
)
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
    return worth >= 2 and len(new) >= 0.5 * len(shared) and len(shared) >= 0.3 * len(ans.fact.grams)
