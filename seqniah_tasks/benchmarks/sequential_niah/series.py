"""Haystacks of samples: those of a split share no text as long as the corpus lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial

from seqniah_datasets import haystack, rng, splits
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.haystacks import Haystacks, Reuse, Stretch
from seqniah_datasets.schema import Lang, Pipeline
from seqniah_datasets.splits import Slot
from seqniah_tasks.benchmarks.sequential_niah.options import Options


class Texts:
    """Which stretch of the corpus is whose; filters change nothing of it."""

    def __init__(
        self, corpus: Corpus, options: Options, key: Callable[[Slot], tuple[rng.Key, ...]]
    ) -> None:
        """`key` names the random streams of a slot."""
        self._corpus, self._options, self._key = corpus, options, key
        self._of_series = cache(self._haystacks)

    def stretch(self, slot: Slot, tokens: int, variant: int) -> Stretch:
        """As `Haystacks.stretch` has it."""
        return self._of_series(slot.lang, _series(slot)).stretch(_name(slot), tokens, variant)

    def reuse(self, lang: Lang) -> Reuse:
        """How far the corpus goes for the split's samples, those of unpublished lengths apart."""
        return self._of_series(lang, self._options.split).reuse()

    def _haystacks(self, lang: Lang, series: str) -> Haystacks:
        wanted = partial(self._wanted, lang, series)
        return self._corpus.haystacks(lang, self._options.split, series, wanted)

    def _wanted(self, lang: Lang, series: str) -> dict[str, int]:
        """Tokens of every sample of a series, by its name."""
        split, seed = self._options.split, self._options.seed
        longer = tuple(one for one in splits.LONGER_BINS if series == f"{split}-{one.name}")
        return {
            _name(slot): haystack.target_tokens(self._key(slot), slot.length)
            for slot in splits.slots(split, tuple(Pipeline), seed, longer)
            if slot.lang == lang and _series(slot) == series
        }


def _series(slot: Slot) -> str:
    """What the samples are called that share no text: those of each unpublished length apart."""
    return slot.split if slot.length in splits.BINS else f"{slot.split}-{slot.length.name}"


def _name(slot: Slot) -> str:
    return f"{slot.pipeline}-{slot.serial:04d}"


def reuse_lines(texts: Texts, langs: Iterable[Lang]) -> list[str]:
    """What to say where text is used again, a line a language."""
    lines = []
    for lang in langs:
        found = texts.reuse(lang)
        if found.again:
            lines.append(
                f"text again: {found.again:,} of {found.wanted:,} tokens of {lang} samples stand "
                f"in other samples too; the corpus has {found.there:,} for this split."
            )
    return lines
