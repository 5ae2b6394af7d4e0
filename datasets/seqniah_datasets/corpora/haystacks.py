"""Which stretch of which document is whose haystack, so that no two samples of a split share text.

A corpus of given documents is divided among the splits, and each split's part among its samples,
the longest first. Where the text does not last, it is used again, and it is said how much of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, Split

SLACK = 384
"""Tokens that a stretch has beyond its sample's target, so that it can end with a sentence."""

_SHARES: Mapping[Split, Fraction] = {
    "test": Fraction(2, 5),
    "dev": Fraction(1, 5),
    "train": Fraction(2, 5),
}
"""Each split's part of all text; test has more than its share of samples, as it is published."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document that can fill a given length."""

    shard: str
    """Key of the shard that holds it."""
    number: int
    """Its position in the shard."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a document."""

    document: DocumentRef
    first: int
    """Tokens of the document that stand before it."""
    last: int | None
    """Tokens of the document up to its end; None: up to the document's end."""


@dataclass(frozen=True, slots=True)
class Reuse:
    """How far the text of a corpus goes."""

    wanted: int
    """Tokens that the split's samples have together."""
    there: int
    """Tokens of text that are the split's own."""
    again: int
    """Tokens of samples whose text is another sample's too, or another split's."""


class Haystacks(ABC):
    """The haystacks of one split in one language."""

    @abstractmethod
    def stretch(self, sample: str, tokens: int, variant: int) -> Stretch:
        """That of a sample, by its name in the split, for so many tokens.

        `variant` counts from 1 the stretches that could not be used; 0 is the sample's own. Raises
        `CorpusError` when the corpus has no document that is long enough.
        """

    @abstractmethod
    def reuse(self) -> Reuse:
        """How much text serves more than one sample."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a document that has not been given away yet."""

    size: int
    order: int
    document: DocumentRef
    first: int

    def __lt__(self, other: _Piece) -> bool:
        return (self.size, self.order) < (other.size, other.order)


_Documents: TypeAlias = Sequence[tuple[int, DocumentRef]]
"""Documents with their tokens."""


def _of_split(documents: _Documents, lang: Lang, split: Split) -> list[_Piece]:
    """A split's part of the documents: whole ones but for two at most.

    All are laid end to end in a drawn order, and each split has its share of the line.
    """
    line = rng.stream("documents of splits", lang).shuffled(documents)
    total = sum(size for size, _ in line)
    ends = [int(total * share) for share in accumulate(_SHARES.values())]
    place = list(_SHARES).index(split)
    low, high = ends[place - 1] if place else 0, ends[place]
    return list(_cut(line, low, high))


def _cut(line: _Documents, low: int, high: int) -> Iterator[_Piece]:
    start = 0
    for order, (size, document) in enumerate(line):
        first, last = max(low - start, 0), min(high - start, size)
        if first < last:
            yield _Piece(last - first, order, document, first)
        start += size


@dataclass(frozen=True, slots=True)
class Allotted(Haystacks):
    """Stretches of given documents."""

    stretches: Mapping[str, Stretch]
    """By sample; without those that no document is long enough for."""
    pieces: tuple[_Piece, ...]
    """All text that is the split's own."""
    whole: tuple[_Piece, ...]
    """All documents."""
    told: Reuse

    def stretch(self, sample: str, tokens: int, variant: int) -> Stretch:
        own = self.stretches.get(sample)
        if own and not variant:
            return own
        draws = rng.stream("another stretch", sample, variant)
        wanted = tokens + SLACK
        fit = [one for one in self.pieces if one.size >= wanted]
        fit = fit or [one for one in self.whole if one.size >= tokens]
        piece = draws.choice(fit)
        first = piece.first + draws.below(max(piece.size - wanted, 0) + 1)
        return Stretch(piece.document, first, min(first + wanted, piece.first + piece.size))

    def reuse(self) -> Reuse:
        return self.told


def allotted(
    documents: _Documents, lang: Lang, split: Split, wanted: Mapping[str, int]
) -> Allotted:
    """Stretches for samples that want so many tokens each, by name, disjoint as long as possible.

    Each takes the smallest piece that it fits into. When none is left, all of them are given out
    again; a sample that fits into no piece of the split shares documents with other splits.
    """
    own = _of_split(documents, lang, split)
    every = list(_cut(documents, 0, sum(size for size, _ in documents)))
    given: dict[str, Stretch] = {}
    again = 0
    left, fresh = sorted(own), True
    for name in sorted(wanted, key=lambda name: (-wanted[name], name)):
        tokens = wanted[name] + SLACK
        piece = _take(left, tokens)
        if piece is None:
            pieces = own if any(one.size >= tokens for one in own) else every
            if not any(one.size >= tokens for one in pieces):
                continue
            left, fresh = sorted(pieces), False
            piece = _take(left, tokens)
            assert piece
        if not fresh:
            again += wanted[name]
        given[name] = Stretch(piece.document, piece.first, piece.first + tokens)
    there = sum(one.size for one in own)
    return Allotted(given, tuple(own), tuple(every), Reuse(sum(wanted.values()), there, again))


def _take(left: list[_Piece], tokens: int) -> _Piece | None:
    """The smallest piece of that size or more; what is over stays."""
    place = bisect_left(left, tokens, key=lambda one: one.size)
    if place == len(left):
        return None
    piece = left.pop(place)
    over = piece.size - tokens
    if over:
        insort(left, _Piece(over, piece.order, piece.document, piece.first + tokens))
    return piece
