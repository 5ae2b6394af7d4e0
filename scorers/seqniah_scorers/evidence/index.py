"""A reference with what it says, read once for all answers to its question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from seqniah_scorers.embedding import SAME, Embedding, cosines
from seqniah_scorers.evidence.sides import with_sides
from seqniah_scorers.evidence.words import Marks, Vocabulary, Words, read
from seqniah_scorers.reading.dates import FoundDate, compatible
from seqniah_scorers.reading.items import Item, appended
from seqniah_scorers.text import fold

LEAST = {False: 0.3, True: 0.12}
"""Likeness below which an undated item is no rendering of an event, or (True) of a step."""
STATED = 0.5
"""Share of an item's words from which it may be stated within another one."""
OF_ITS_OWN = 0.25
"""The same of the words that the others stated there have not."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of the answer with its content read."""

    item: Item
    """As parsed; several that state one thing are joined."""
    words: Words
    """Its content."""
    marks: Sequence[Marks]
    """Its grams, by each wording of the reference."""
    likes: Sequence[float]
    """How much of each reference item it repeats, 0 to 1."""


@dataclass(frozen=True)
class View:
    """One wording of all reference items: the reference's own, or that of the needles."""

    words: tuple[Words, ...]
    """By number of the reference item."""
    known: Words
    """The question's words, and those of the line above the items."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Their grams."""
        return Vocabulary(self.words, self.known)

    def others(self, number: int, mates: Sequence[int]) -> frozenset[str]:
        """Words of all reference items but these."""
        left = [w.bag for k, w in enumerate(self.words) if k != number and k not in mates]
        return frozenset().union(*left)


@dataclass(frozen=True)
class Index:
    """The reference, read once for all answers to its question."""

    items: tuple[Item, ...]
    """In true order."""
    views: tuple[View, ...]
    """Their wordings; the first is the reference's."""
    steps: bool
    """Steps instead of dated events."""
    parties: tuple[str, ...]
    """The two sides of all items, if there are two."""
    embedding: Embedding | None = None
    """Tells likeness of meaning where words do not; None: words alone count."""

    def entry(self, item: Item) -> Entry:
        """An item of the answer, read and compared."""
        words = read(with_sides(item.text, self.parties))
        marks = [view.vocabulary.marks(words) for view in self.views]
        likes = self.likes(marks)
        if max(likes, default=0.0) < LEAST[self.steps]:
            likes = self._by_meaning(words) or likes
        return Entry(item, words, marks, likes)

    def likes(self, marks: Sequence[Marks]) -> list[float]:
        """How much of each reference item a content repeats, by the wording that is nearer."""
        pairs = zip(self.views, marks, strict=True)
        found = [view.vocabulary.likes(one) for view, one in pairs]
        return found[0] if len(found) == 1 else list(map(max, *found))

    def _by_meaning(self, words: Words) -> list[float]:
        """Likeness by vectors where there are any, 0 below `SAME`."""
        if self.embedding is None:
            return []
        texts = [fold(item.text) for item in self.items]
        found = cosines(self.embedding, texts, fold(words.text))
        return [one if one >= SAME else 0.0 for one in found]

    def only_meant(self, number: int, entry: Entry) -> bool:
        """Whether vectors alone tell that an item of the answer states a reference item."""
        if self.embedding is None or self.covered(number, entry) >= LEAST[self.steps]:
            return False
        return entry.likes[number] >= SAME

    def within(self, number: int, entry: Entry, beside: Sequence[int]) -> float:
        """Share of a reference item's words that an item has; 0 where it is not stated there.

        Of what the items `beside` it, which the item states too, have not, it has some too.
        """
        whole = self.covered(number, entry)
        if whole < STATED or self.covered(number, entry, beside) < OF_ITS_OWN:
            return 0.0
        return whole

    def covered(self, number: int, entry: Entry, beside: Sequence[int] = ()) -> float:
        """Share of a reference item's words that an item has, 0 to 1, without those of items
        `beside` it."""
        pairs = zip(self.views, entry.marks, strict=True)
        return max(view.vocabulary.covered(number, one[0], beside) for view, one in pairs)


@dataclass(frozen=True, slots=True)
class Pairing:
    """An answer beside its reference."""

    answers: tuple[Entry, ...]
    """The answer's items, some joined."""
    pairs: dict[int, int]
    """Reference number -> answer number; one answer item may state several."""


def joined(refs: Index, entries: Sequence[Entry]) -> Entry:
    """Items that state one thing together, as one."""
    if len(entries) == 1:
        return entries[0]
    first, text = entries[0].item, entries[0].item.text
    for other in entries[1:]:
        text = appended(text, other.item.text)
    date = next((e.item.date for e in entries if e.item.date), None)
    span = first.span[0], entries[-1].item.span[1]
    return refs.entry(replace(first, text=text, date=date, span=span))


def same_day(a: FoundDate | None, b: FoundDate | None) -> bool:
    """Both state month and day, and nothing differs."""
    if a is None or b is None or a.day is None or b.day is None:
        return False
    return a.month is not None and b.month is not None and compatible(a, b)
