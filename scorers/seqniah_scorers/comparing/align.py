"""Answer items put beside reference items, one to one, by date and content."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from seqniah_scorers.comparing.concepts import meanings, words
from seqniah_scorers.comparing.facts import Fact, FactReader
from seqniah_scorers.comparing.languages import other_latin
from seqniah_scorers.comparing.sides import two_sides
from seqniah_scorers.embedding import SAME, Embedding, cosines
from seqniah_scorers.reading.dates import FoundDate, compatible
from seqniah_scorers.reading.items import Item
from seqniah_scorers.text import fold, has_cjk

SAME_DATE = 1.0
"""Worth of an equal day: more than any likeness of content, since look-alike events abound."""
FITTING_DATE = 0.3
"""Worth of dates that do not contradict, one of them incomplete."""
OTHER_DATE = -0.6
"""Cost of a contradiction: only nearly the same content is then the same item, misdated."""
LEAST_TEMPORAL = 0.35
"""Likeness below which an undated item is no rendering of a dated event."""
LEAST_LOGICAL = 0.16
"""The same for steps, which models word freely."""
_AUTHOR = re.compile(r"(?:(?:i|he|she|we|they)\s+|[我她他])")
SHARED_WEIGHT = 0.25
"""Worth of a word that most reference items have: it tells none of them from another."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item together with its content read for comparison."""

    item: Item
    """As parsed."""
    fact: Fact
    """Its content."""


@dataclass(frozen=True)
class Index:
    """The reference items; where each of their words stands is worked out when it is asked for."""

    items: tuple[Item, ...]
    """In true order."""
    logical: bool
    """Steps instead of dated events."""
    asked: str
    """The question; steps may name again whom it names."""
    parties: tuple[str, ...]
    """The two sides of all items, if there are two."""
    intro: str = ""
    """The line above the items."""
    embedding: Embedding | None = None
    """Tells likeness of meaning where words do not; None: words alone count."""

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The items with their contents."""
        reader = FactReader()
        return tuple(entry(i, reader) for i in self.items)

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Text of an item -> its content."""
        return {e.item.text: e.fact for e in self.entries}

    @cached_property
    def where(self) -> dict[str, tuple[int, ...]]:
        """The reference items that have the word."""
        where: dict[str, list[int]] = {}
        for number, e in enumerate(self.entries):
            for gram in e.fact.grams:
                where.setdefault(gram, []).append(number)
        return {g: tuple(at) for g, at in where.items()}

    @cached_property
    def weights(self) -> dict[str, float]:
        """Worth of a word; one that is not here counts 1."""
        shared = max(2, round(0.6 * len(self.entries)))
        return {g: SHARED_WEIGHT for g, at in self.where.items() if len(at) >= shared}

    @cached_property
    def totals(self) -> tuple[float, ...]:
        """Sum of the weights of each reference item's words."""
        weights = self.weights
        return tuple(sum(weights.get(g, 1.0) for g in e.fact.grams) for e in self.entries)

    @cached_property
    def meant(self) -> dict[int, float]:
        """Worth of a meaning: the fewer reference items have it, the more it tells."""
        counts = Counter(n for e in self.entries for n in meanings(e.item.text))
        return {n: 1.0 / times for n, times in counts.items()}

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The two parties: those given, else the two names that most items have."""
        return self.parties or two_sides([i.text for i in self.items], self.asked)

    @cached_property
    def known(self) -> frozenset[str]:
        """Words of the question and of the first line: whose record it is, and the like."""
        return FactReader().read(f"{self.asked} {self.intro}").bag

    @cached_property
    def known_grams(self) -> frozenset[str]:
        """The same to find items by: words and pairs of neighbouring Chinese characters."""
        return FactReader().read(self.asked).grams

    @cached_property
    def known_meanings(self) -> frozenset[int]:
        """What the question's words mean."""
        return meanings(self.asked)

    @cached_property
    def chinese(self) -> bool:
        """Whether the items are written in Chinese."""
        return sum(has_cjk(i.text) for i in self.items) > len(self.items) / 2

    @cached_property
    def exact(self) -> dict[Key, int]:
        """What each item says and when, to find it again where an answer copies it."""
        return {key(item): n for n, item in enumerate(self.items)}


Key = tuple[str, tuple[int | None, int | None, int | None] | None]


def key(item: Item) -> Key:
    """Two items with one key state the same."""
    return without_author(item.text), item.date.key() if item.date else None


def without_author(text: str) -> str:
    """The text without case, its full stop, and the pronoun of whoever keeps the record."""
    text = text.casefold().strip(" .。")
    author = _AUTHOR.match(text)
    return text[author.end() :] if author else text


def entry(item: Item, reader: FactReader) -> Entry:
    return Entry(item, reader.read(item.text))


def foreign(ref: Index, fact: Fact) -> bool:
    """Whether the content is in another language than the reference."""
    chinese = has_cjk(fact.text)
    if chinese is ref.chinese:
        return not chinese and other_latin(fact.text)
    return any(c.isalpha() for c in fact.text)


def translated(ref: Index, text: str) -> list[float]:
    """As `likeness`, by what the words mean."""
    worth, mine = ref.meant, meanings(text)
    out = []
    for e in ref.entries:
        ids = [w.ids for w in words(e.item.text)]
        best = [max((worth.get(n, 1.0) for n in i), default=0.0) for i in ids]
        hit = sum(b for i, b in zip(ids, best, strict=True) if i & mine)
        out.append(hit / sum(best) if best else 0.0)
    return out


def likeness(ref: Index, fact: Fact) -> list[float]:
    """How much of each reference item the content repeats, 0 to 1."""
    hits = [0.0] * len(ref.entries)
    known = fact.grams & ref.where.keys()
    total = float(len(fact.grams))
    for gram in known:
        weight = ref.weights.get(gram, 1.0)
        total += weight - 1.0
        for number in ref.where[gram]:
            hits[number] += weight
    out = []
    for hit, whole in zip(hits, ref.totals, strict=True):
        if not hit:
            out.append(0.0)
            continue
        recall, precision = hit / whole, hit / total
        # A terse item repeats little but says nothing else; a wordy one the other way round.
        out.append(0.75 * max(recall, 0.9 * precision) + 0.25 * min(recall, precision))
    return out


def by_vectors(ref: Index, text: str) -> list[float]:
    """As `likeness`, by the embedding, -1 to 1; nothing is alike without one."""
    if ref.embedding is None:
        return [0.0] * len(ref.items)
    return cosines(ref.embedding, [fold(i.text) for i in ref.items], fold(text))


def same_day(a: FoundDate | None, b: FoundDate | None) -> bool:
    """Both state month and day, and nothing differs."""
    if a is None or b is None or a.day is None or b.day is None:
        return False
    return a.month is not None and b.month is not None and compatible(a, b)


def worth(a: FoundDate | None, b: FoundDate | None, like: float, least: float) -> float:
    """How good a pair with these dates and this likeness is; 0 for one that must not be made."""
    if a is None or b is None:
        return like if like >= least else 0.0
    if not compatible(a, b):
        return max(0.0, like + OTHER_DATE)
    if same_day(a, b):
        return SAME_DATE + like
    return like + FITTING_DATE if like >= least else 0.0


def align(ref: Index, answers: tuple[Entry, ...]) -> dict[int, int]:
    """The best one-to-one pairing as reference number -> answer number."""
    if not ref.entries or not answers:
        return {}
    rows = _worths(ref, answers)
    best = [max(range(len(row)), key=row.__getitem__) for row in rows]
    chosen = {i: j for i, j in enumerate(best) if rows[i][j] > 0}
    if len(set(chosen.values())) == len(chosen):
        # Every reference item has its own favourite: no pairing can be worth more.
        return chosen
    from scipy.optimize import linear_sum_assignment  # costs a third of a second, seldom needed

    first, second = linear_sum_assignment(rows, maximize=True)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return {i: j for i, j in pairs if rows[i][j] > 0}


def _worths(ref: Index, answers: tuple[Entry, ...]) -> list[list[float]]:
    least = LEAST_LOGICAL if ref.logical else LEAST_TEMPORAL
    dates = [e.item.date for e in ref.entries]
    rows = [[0.0] * len(answers) for _ in dates]
    for j, ans in enumerate(answers):
        date = ans.item.date
        place = j / len(answers)
        other = foreign(ref, ans.fact)
        likes = translated(ref, ans.item.text) if other else likeness(ref, ans.fact)
        if ref.embedding is not None and max(likes) < least:
            likes = [one if one >= SAME else 0.0 for one in by_vectors(ref, ans.item.text)]
        for i, like in enumerate(likes):
            value = worth(dates[i], date, like, least)
            if value:
                # Among look-alikes without a date the one in its place is meant.
                rows[i][j] = value + 0.02 * (1 - abs(i / len(dates) - place))
    return rows


def merge_siblings(items: list[Item], ref: Index) -> list[Item]:
    """Lines under one date tell of one event unless the reference has more events that day."""
    counts = Counter(i.parent for i in items if i.parent >= 0)
    if not any(n > 1 for n in counts.values()):
        return items
    out: list[Item] = []
    for item in items:
        last = out[-1] if out else None
        if last is not None and item.parent >= 0 and item.parent == last.parent:
            events = sum(same_day(i.date, item.date) for i in ref.items)
            if events < 2 and item.date == last.date:
                text = f"{last.text.rstrip('.')}. {item.text}"
                out[-1] = replace(last, text=text, span=(last.span[0], item.span[1]))
                continue
        out.append(item)
    return out
