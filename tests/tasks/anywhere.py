"""Recipes whose haystacks may lie anywhere in a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets import haystack, rng
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.haystacks import Stretch
from seqniah_datasets.haystack import Frame, Order
from seqniah_datasets.schema import QAItem, Recipe


def build(
    item: QAItem, order: Order, frame: Frame, opened: Corpus, lures: Sequence[str] = ()
) -> Recipe:
    """As `haystack.build`, from whole documents of the corpus."""

    def stretch(tokens: int, variant: int) -> Stretch:
        draws = rng.stream(*order.key, "anywhere", variant)
        return Stretch(draws.choice(opened.candidates(item.lang, tokens)), 0, None)

    return haystack.build(item, order, frame, opened, stretch, lures)
