"""How much of a step the clauses of an answer tell, by words, by meanings and by characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_scorers.comparing.align import Entry, Index
from seqniah_scorers.comparing.concepts import meanings, words
from seqniah_scorers.comparing.facts import FactReader, has_relative

_CLAUSE = re.compile(
    r"(?<=[.!?])\s+|[;:。、→]\s*|\s->\s|,\s*(?:and\s+|then\s+|finally\s+)*|\s+and\s+(?:then\s+|finally\s+)*"
    r"|\s[–—-]\s|\s\(|\)\s|\s+(?:before|after which|whereupon|until|then)\s+"
    r"|(?:然后|接着|随后|最后|以及|再(?=[\u3400-\u9fff]))|(?<=[\u3400-\u9fff])[和并后](?=[\u3400-\u9fff])"
)
_PREFIXES = (
    "inter",
    "trans",
    "contr",
    "super",
    "under",
    "multi",
    "commu",
    "compl",
    "compa",
    "consi",
)
ROOT = 5
"""Letters that words of one root share."""
CHARACTERS = 0.8
"""Worth of single Chinese characters in common, against that of words."""
EVIDENCE, EVIDENCE_ZH = 0.05, 0.25
"""Share from which a clause in the place of a step tells it, in words that no table knows; and of
single Chinese characters, which are often the same by chance."""
ASKED = 0.3
"""Worth of a word of the question: the whole procedure is about it."""


@dataclass(frozen=True, slots=True)
class Clause:
    text: str
    item: int
    """Number of the answer item that it stands in."""
    grams: frozenset[str]
    bag: frozenset[str]
    ids: frozenset[int]


def clauses_of(refs: Index, answers: tuple[Entry, ...], reader: FactReader) -> list[Clause]:
    out: list[Clause] = []
    for number, ans in enumerate(answers):
        for piece in _CLAUSE.split(ans.item.text):
            if piece and piece.strip():
                fact = reader.read(piece)
                bag = fact.bag if refs.chinese else frozenset[str]()
                out.append(Clause(piece.strip(), number, fact.grams, bag, meanings(piece)))
    return out


def share(refs: Index, number: int, own: Sequence[Clause]) -> float:
    """How much of a step its clauses tell, 0 to 1; words of few steps count most."""
    return max(_by_words(refs, number, own), CHARACTERS * _by_characters(refs, number, own))


def hints(refs: Index, number: int, own: Sequence[Clause]) -> bool:
    """Whether clauses have enough of a step to tell it where their place says that they do."""
    if _by_words(refs, number, own) >= EVIDENCE:
        return True
    return _by_characters(refs, number, own) >= EVIDENCE_ZH


def _by_words(refs: Index, number: int, own: Sequence[Clause]) -> float:
    fact = refs.entries[number].fact
    grams = frozenset(g for c in own for g in c.grams)
    ids = frozenset(n for c in own for n in c.ids)
    hit = whole = 0.0
    for gram in fact.grams:
        worth = (ASKED if gram in refs.known_grams else 1.0) / len(refs.where[gram])
        known = gram in grams or _akin(gram, grams) or not meanings(gram).isdisjoint(ids)
        whole += worth
        hit += worth * known
    by_words = hit / whole if whole else 0.0
    hit = whole = 0.0
    for word in words(fact.text):
        worth = max(refs.meant.get(n, 1.0) for n in word.ids)
        worth *= 1.0 if word.ids.isdisjoint(refs.known_meanings) else ASKED
        whole += worth
        hit += worth * (not word.ids.isdisjoint(ids))
    by_meaning = hit / whole if whole >= 1.5 else 0.0
    return max(by_words, by_meaning)


def _akin(word: str, grams: frozenset[str]) -> bool:
    """Whether a word of one root is there: inclusion and include, overnight and night."""
    if has_relative(word, grams):
        return True
    if len(word) < ROOT or not word.isascii() or not word.isalpha():
        return False
    head = word[:ROOT] if not word.startswith(_PREFIXES) else word
    return any(len(g) >= ROOT and (g.startswith(head) or g in word or word in g) for g in grams)


def _by_characters(refs: Index, number: int, own: Sequence[Clause]) -> float:
    """In Chinese a word may be told by one of its characters."""
    if not refs.chinese:
        return 0.0
    told = frozenset(c for clause in own for c in clause.bag)
    mine = refs.entries[number].fact.bag
    worth = {c: 1.0 / sum(c in e.fact.bag for e in refs.entries) for c in mine}
    whole = sum(worth.values())
    return sum(w for c, w in worth.items() if c in told) / whole if whole else 0.0


def by_item(refs: Index, answers: tuple[Entry, ...], reader: FactReader) -> list[list[Clause]]:
    """The clauses of each answer item."""
    out: list[list[Clause]] = [[] for _ in answers]
    for clause in clauses_of(refs, answers, reader):
        out[clause.item].append(clause)
    return out
