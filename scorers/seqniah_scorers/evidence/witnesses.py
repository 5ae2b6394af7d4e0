"""What speaks against a pair of items: typed evidence, each kind from a pure function.

A witness sees one pair and gives a strength, or nothing. What a strength is worth is fitted
(`weights.toml`); no witness decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from seqniah_scorers import authored
from seqniah_scorers.evidence.sides import actor, is_visit, mutual
from seqniah_scorers.evidence.words import Words, stem
from seqniah_scorers.reading.cues import is_excluded

_TABLE = authored.table("evidence/meanings.toml")
_cue = authored.patterns("evidence/cues.toml")
MOST_TOKENS = 80
"""Words of an item up to which its order of words is compared."""
MOST_REPLACED = 6
"""Words that stand together up to which one is taken to stand in another's place."""


class Kind(StrEnum):
    """What evidence is about, in words for a person."""

    # Of an item beside the reference item that it states.
    PAIR = "stated"
    OTHER_DATE = "another date"
    LOST = "words left out"
    NUMBER = "another number"
    NUMBER_NEAR = "another number, perhaps of something else"
    OPPOSED = "the opposite"
    NEGATED = "denied"
    TURNED = "the sides exchanged"
    REPLACED = "a word in another's place"
    TOLD = "words left out that others replace"
    BORROWED = "another item's words"
    ADDED = "words added"
    HEDGED = "doubted or taken back"
    BROKEN = "broken off at the output limit"
    # The same in a copy: weighed once more, the more closely all else keeps to the reference.
    COPY_CHANGED = "changed in a copy"
    COPY_REPLACED = "a word replaced in a copy"
    COPY_ADDED = "words added to a copy"
    # The same where the other items are not stated either.
    ASTRAY = "a word or two in common by chance"
    # Of a reference item that no item states.
    MISSING = "missing"
    # Of an item that states nothing of the reference.
    EXTRA = "redundant"
    EXTRA_NUMBERED = "redundant among numbered items"
    COPY_EXTRA = "redundant among copies"
    # Of the answer as a whole.
    ORDER = "another order"
    WITHDRAWN = "the answer taken back"
    MEANT = "the same by vectors alone"


Evidence = dict[Kind, float]
"""Kind -> strength, 0 to about 3."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What a witness sees."""

    ref: Words
    """The reference item's content, in one of its wordings."""
    answer: Words
    """The content of the item that states it, without sentences that only comment on it."""
    whole: Words
    """All of that item."""
    asserted: str
    """The text of `answer`, with comments of a few words."""
    comments: str
    """These alone; they may take it back."""
    known: Words
    """The question's words, and those of the line above the items."""
    others: frozenset[str]
    """Words of the other reference items."""
    mates: tuple[Words, ...]
    """Reference items that the same answer item states."""
    parties: tuple[str, ...]
    """The two sides of all items, if there are two."""

    shared: frozenset[str] = field(init=False)
    """Words of the question and of the reference items beside this one."""
    lost: frozenset[str] = field(init=False)
    """Words of the reference item that the answer lacks."""
    new: frozenset[str] = field(init=False)
    """Words of the answer that it has of its own."""

    def __post_init__(self) -> None:
        mine, theirs = self.ref.bag, self.answer.bag
        shared = self.known.bag.union(*[mate.bag for mate in self.mates])
        object.__setattr__(self, "shared", shared)
        object.__setattr__(self, "lost", mine - theirs)
        object.__setattr__(self, "new", theirs - mine - shared)


def lost(pair: Pair) -> Evidence:
    """The share of the reference item's own words that the answer lacks."""
    own = pair.ref.bag - pair.known.bag
    missed = len(pair.lost & own)
    return {Kind.LOST: missed / len(own)} if missed else {}


def number(pair: Pair) -> Evidence:
    """A number that the answer lacks while it has a new one, of the same unit or perhaps not."""
    said = {one for one, _ in pair.answer.numbers}
    units = {unit for one, unit in pair.ref.numbers if one not in said}
    if not units:
        return {}
    known = {one for one, _ in pair.ref.numbers | pair.known.numbers} | pair.shared
    new = {unit for one, unit in pair.answer.numbers if one not in known}
    if (units & new) - {""}:
        return {Kind.NUMBER: 1.0}
    return {Kind.NUMBER_NEAR: 1.0} if new else {}


def replaced(pair: Pair) -> Evidence:
    """New words in the place of others, between words that stay."""
    mine, theirs = pair.ref.tokens, pair.answer.tokens
    new = pair.new
    if not new or max(len(mine), len(theirs)) > MOST_TOKENS:
        return {}
    spans, told = 0, set[str]()
    for code in Levenshtein.opcodes(mine, theirs):
        if code.tag != "replace" or code.src_end - code.src_start > MOST_REPLACED:
            continue
        if new.isdisjoint(theirs[code.dest_start : code.dest_end]):
            continue
        span = mine[code.src_start : code.src_end]
        old = {word for word in span if mine.count(word) > theirs.count(word)}
        spans, told = spans + bool(old), told | old
    if not spans:
        return {}
    own = pair.ref.bag - pair.known.bag
    return {Kind.REPLACED: float(min(spans, 2)), Kind.TOLD: len(told & own) / max(len(own), 1)}


_NEGATION_EN, _NEGATION_ZH = map(_cue, ("negation_en", "negation_zh"))


def _denies(words: Words) -> bool:
    """Whether a text denies or undoes something."""
    cue = _NEGATION_ZH if words.chinese else _NEGATION_EN
    return words.doubtful and bool(cue.search(words.text.lower()))


def negated(pair: Pair) -> Evidence:
    """One of both denies what the other states."""
    mine = any(map(_denies, (pair.ref, *pair.mates)))
    return {Kind.NEGATED: 1.0} if mine is not _denies(pair.answer) else {}


def _exclusive(groups: list[list[str]]) -> Mapping[str, frozenset[str]]:
    """For each word those that cannot hold beside it."""
    out: dict[str, frozenset[str]] = {}
    for group in groups:
        for word in group:
            out[word] = out.get(word, frozenset()) | (frozenset(group) - {word})
    return out


_OPPOSED_EN = _exclusive(
    [[stem(word) for word in group.split()] for group in _TABLE["opposed_en"].split("|")]
)
_OPPOSED_ZH = _exclusive([group.split() for group in _TABLE["opposed_zh"].split("|")])
_ANY_OPPOSED_ZH = re.compile("|".join(sorted(_OPPOSED_ZH, key=len, reverse=True)))


def opposed(pair: Pair) -> Evidence:
    """The answer has a word that excludes one of the reference's."""
    table, both = _OPPOSED_EN, (pair.ref, pair.answer)
    mine, theirs = (one.bag & table.keys() for one in both)
    if pair.ref.chinese:
        table = _OPPOSED_ZH
        mine, theirs = (frozenset(_ANY_OPPOSED_ZH.findall(one.text)) for one in both)
    new = theirs - mine
    return {Kind.OPPOSED: 1.0} if any(table[old] & new for old in mine - theirs) else {}


def borrowed(pair: Pair) -> Evidence:
    """Words of another reference item, in the place of words of its own."""
    count = len(pair.new & pair.others) if pair.lost else 0
    return {Kind.BORROWED: count / len(pair.answer.bag)} if count else {}


_HEDGE, _BRIEF, _UNSTATED, _WITHDRAWN = map(_cue, ("hedge", "brief", "unstated", "withdrawn"))
_CHOICE = re.compile(r"\bor\b|或")
MOST_CHOICES = 2
"""Times "or" may be said beyond the reference in what is still one statement."""


def hedged(pair: Pair) -> Evidence:
    """The answer doubts what it states, offers several, or takes it back."""
    if not pair.whole.doubtful:
        return {}
    ref, said = pair.ref.text.lower(), pair.asserted.lower()
    doubted = _BRIEF.match(said.lstrip("( ")) or (is_excluded(said) and not is_excluded(ref))
    doubted = doubted or any(
        len(cue.findall(words)) > len(cue.findall(ref))
        for cue, words in ((_HEDGE, said), (_BRIEF, pair.comments.lower()))
    )
    choices = len(_CHOICE.findall(said)) - len(_CHOICE.findall(ref))
    return {Kind.HEDGED: 1.0} if doubted or choices > MOST_CHOICES else {}


def turned(pair: Pair) -> Evidence:
    """Who acts on whom, where both name both sides and it matters."""
    both = pair.ref.text, pair.answer.text
    unclear = (pair.lost or pair.new) and any(map(is_visit, both))
    if len(pair.parties) != 2 or unclear or mutual(pair.ref.text):
        return {}
    mine, theirs = (actor(text, pair.parties) for text in both)
    return {Kind.TURNED: 1.0} if mine and theirs and mine != theirs else {}


def added(pair: Pair) -> Evidence:
    """What the item says beyond the reference, comments included, over what the reference says."""
    count = len(pair.whole.bag - pair.ref.bag - pair.shared)
    return {Kind.ADDED: min(count / max(len(pair.ref.bag), 4), 3.0)} if count else {}


WITNESSES: tuple[Callable[[Pair], Evidence], ...] = (
    lost, number, replaced, negated, opposed, turned, borrowed, hedged, added,
)  # fmt: skip


BY_WORDS = frozenset({Kind.LOST, Kind.REPLACED, Kind.TOLD, Kind.BORROWED, Kind.ADDED})
"""What says nothing where other words are known to mean the same."""


def heard(pair: Pair) -> Evidence:
    """All that the witnesses say of a pair."""
    out: Evidence = {Kind.PAIR: 1.0}
    if pair.ref.text != pair.whole.text:
        for witness in WITNESSES:
            out |= witness(pair)
    return out


def unstated(text: str) -> bool:
    """Whether a text says of something that it is not stated."""
    return bool(_UNSTATED.search(text.lower()))


def withdrawn(text: str) -> bool:
    """Whether a text takes a whole answer back."""
    return bool(_WITHDRAWN.search(text.lower()))
