"""What words mean, as far as the tables know: one number for all words of one meaning.

English and Chinese words of one meaning have the same number, so that an answer can be compared
with a reference in the other language; and where the tables know two words of one kind, as two
colours are, the one is known not to be the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from seqniah_scorers.comparing.concepts_deeds import DEEDS, QUALITIES, RELATIONS
from seqniah_scorers.comparing.concepts_things import KINDS, OPPOSITES, THINGS
from seqniah_scorers.comparing.lexicon import stem
from seqniah_scorers.comparing.simplified import simplified
from seqniah_scorers.text import has_cjk

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|[.,;:!?]")
_PARTICLES = frozenset(("up", "down", "off", "out", "back", "away", "over", "on", "in"))
MOST_BETWEEN = 5
"""Words that may stand between a verb and its particle."""
_GENERIC = (
    "flower tree plant herb vegetable fruit animal bird fish insect pet book meal event trip place"
    " picture story course meeting activity club music game document vehicle child store house room"
    " city town company center food water body"
)
"""Words for so many things that each may stand for another."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or words that belong together, that the tables know."""

    text: str
    """As the table has it, in base form."""
    ids: frozenset[int]
    """Its meanings."""


@dataclass(frozen=True, slots=True)
class _Tables:
    ids: dict[str, frozenset[int]]
    """Word -> its meanings."""
    kinds: dict[int, frozenset[int]]
    """Meaning -> the kinds that it is of."""
    things: frozenset[int]
    """Meanings of nouns that exclude each other in one place."""
    phrases: dict[str, tuple[tuple[str, ...], ...]]
    """First word -> the phrases that open with it, longest first."""
    chinese: re.Pattern[str]
    """Finds every Chinese word of the tables, longest first."""


@cache
def _tables() -> _Tables:
    ids: dict[str, set[int]] = {}
    kinds: dict[int, frozenset[int]] = {}
    things: set[int] = set()
    generic = {stem(w) for w in _GENERIC.split()}
    number = 0
    kind = 0
    for table in (KINDS, OPPOSITES, THINGS, DEEDS, RELATIONS, QUALITIES):
        for line in table.split(";"):
            kind += 1
            for group in line.split("|"):
                number += 1
                words = [_key(w) for w in group.split()]
                for word in words:
                    ids.setdefault(word, set()).add(number)
                if table in (KINDS, OPPOSITES):
                    kinds[number] = frozenset((kind,))
                if table in (KINDS, THINGS) and not generic.intersection(words):
                    things.add(number)
    english = sorted((w for w in ids if "_" in w), key=lambda w: -w.count("_"))
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in english:
        first, *rest = phrase.split("_")
        phrases.setdefault(first, []).append(tuple(rest))
    chinese = sorted((w for w in ids if has_cjk(w)), key=len, reverse=True)
    return _Tables(
        {w: frozenset(found) for w, found in ids.items()},
        kinds,
        frozenset(things),
        {w: tuple(found) for w, found in phrases.items()},
        re.compile("|".join(chinese)),
    )


def _key(word: str) -> str:
    return "_".join(stem(part) for part in word.split("_"))


@lru_cache(maxsize=2048)
def words(text: str) -> tuple[Word, ...]:
    """The known words of a text, in their order."""
    tables = _tables()
    text = text.lower()
    if has_cjk(text):
        found = tables.chinese.findall(simplified(text))
        return (*(Word(w, tables.ids[w]) for w in found), *_english(text, tables))
    return tuple(_english(text, tables))


def _english(text: str, tables: _Tables) -> Iterable[Word]:
    stems = [stem(w) for w in _WORD.findall(text)]
    skip: set[int] = set()
    for at, word in enumerate(stems):
        if at in skip:
            continue
        for rest in tables.phrases.get(word, ()):
            places = _places(stems, at, rest)
            if places:
                skip.update(places)
                word = "_".join((word, *rest))
                break
        known = tables.ids.get(word)
        if known is None and "-" in word:
            known = tables.ids.get(word.replace("-", "_"))
        if known:
            yield Word(word, known)


def _places(stems: list[str], at: int, rest: tuple[str, ...]) -> list[int]:
    """Where the further words of a phrase stand; a particle may stand apart from its verb."""
    end = at + 1 + len(rest)
    if tuple(stems[at + 1 : end]) == rest:
        return list(range(at + 1, end))
    if len(rest) > 1 or rest[0] not in _PARTICLES:
        return []
    for place in range(at + 1, min(len(stems), at + 2 + MOST_BETWEEN)):
        if stems[place] in ".,;:!?":
            return []
        if stems[place] == rest[0]:
            return [place]
    return []


@lru_cache(maxsize=2048)
def meanings(text: str) -> frozenset[int]:
    return frozenset(n for w in words(text) for n in w.ids)


def contradiction(ref: str, ans: str) -> str | None:
    """A word of the reference in whose place the answer has another of the same kind."""
    lost, new = differing(ref, ans)
    if not lost or not new:
        return None
    kinds = _tables().kinds
    for one in lost:
        of = {k for n in one.ids for k in kinds.get(n, ())}
        for other in new if of else ():
            other_of = {k for n in other.ids for k in kinds.get(n, ())}
            if not of.isdisjoint(other_of) and not _denied(other.text, ans):
                return f"{one.text} became {other.text}"
    return None


@lru_cache(maxsize=1024)
def differing(ref: str, ans: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The known words of either text for which the other has neither the word nor its meaning.

    A word that stands in both texts gives its meaning to no further one: in "sourdough bread" and
    "sourdough muffins" the second words differ.
    """
    mine, theirs = words(ref), words(ans)
    both = {w.text for w in mine} & {w.text for w in theirs}
    lost = [w for w in mine if w.text not in both]
    new = [w for w in theirs if w.text not in both]
    ids_lost = frozenset(n for w in lost for n in w.ids)
    ids_new = frozenset(n for w in new for n in w.ids)
    shared_ids = frozenset(n for w in mine if w.text in both for n in w.ids)
    return (
        tuple(w for w in lost if w.ids.isdisjoint(ids_new)),
        tuple(w for w in new if w.ids.isdisjoint(ids_lost) and w.ids.isdisjoint(shared_ids)),
    )


def _denied(word: str, text: str) -> bool:
    """Whether the text has the word only behind a negation: "not optimistic" is pessimistic."""
    if not has_cjk(word):
        head = re.escape(word.partition("_")[0][:5])
        return bool(re.search(rf"\b(?:not|n't|no|never|hardly)\s+(?:\w+\s+)?{head}", text.lower()))
    return re.search(f"(?<![不没未非])(?<!不太){word}", simplified(text)) is None


def people() -> frozenset[int]:
    """Meanings of words for people."""
    tables = _tables()
    kinds = {k for n in meanings("mother") for k in tables.kinds.get(n, ())}
    return frozenset(n for n, of in tables.kinds.items() if not of.isdisjoint(kinds))


def names_thing(word: str) -> bool:
    """Whether the tables know the word, and only for a thing."""
    found = meanings(word)
    return bool(found) and found <= _tables().things


def known_apart(one: str, other: str) -> bool:
    """Both words name things that the tables know, and not the same thing."""
    both = names_thing(one) and names_thing(other)
    return both and meanings(one).isdisjoint(meanings(other))


def shared(ref: str, ans: str) -> float:
    """Share of the reference's known words whose meaning the answer has too; 0 without any."""
    mine = words(ref)
    theirs = meanings(ans)
    return sum(bool(w.ids & theirs) for w in mine) / len(mine) if mine else 0.0
