"""Length along one long document: in tokens, characters or words, and where it may be cut."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np

from seqniah_datasets.corpora.arrays import Offsets
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.haystacks import DocumentRef
from seqniah_datasets.errors import CorpusError

_CONTINUES = 0b1100_0000, 0b1000_0000
"""Mask and value of the bytes within a character of UTF-8."""

_WORD = re.compile(rb"[^ \t\n\x0b\x0c\r]+")

_FAR = 192
"""Bytes looked at around a place for the end of a word."""

_REGIONS = 8_192
"""Stretches between anchors whose tokens are kept; a sentence each, as a rule."""

_LETTER = r"[^\W_\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]"
_LATIN = re.compile(rf"{_LETTER}+(?:['\u2019]{_LETTER}+)*")
"""A word or number of a script that puts blanks between words."""


class Sky:
    """One document as all samples of a language share it. Offsets count from its start."""

    def __init__(self, corpus: Corpus, ref: DocumentRef) -> None:
        self.corpus = corpus
        self.shard = ref.shard
        self._index = index = corpus.open(ref.shard)
        self.start, self.end = index.documents[ref.number : ref.number + 2].tolist()
        self.tokens = int(index.document_tokens[ref.number])
        self.text = index.text[self.start : self.end]
        low, high = np.searchsorted(index.anchors, (self.start, self.end))
        before = int(index.document_tokens[: ref.number].sum())
        self.anchors = np.concatenate(([0], index.anchors[low:high] - self.start))
        """Where the text may be cut without changing a token, from its start on."""
        self.counts = np.concatenate(([0], index.counts[low:high] - before))
        """Tokens before each of them."""

    @cached_property
    def ends(self) -> list[int]:
        """Where sentences end."""
        ends = self._index.ends
        first, last = np.searchsorted(ends, (self.start, self.end), side="right")
        found: list[int] = (ends[first:last] - self.start).tolist()
        return found

    def holds(self, phrase: str, end: int) -> bool:
        """Whether a phrase stands before `end`."""
        return self._index.holds(phrase.encode(), self.start, self.start + end)

    def whole(self, at: int) -> int:
        """The start of the character that a byte belongs to."""
        while 0 < at < len(self.text) and self._continues(at):
            at -= 1
        return at

    def following(self, at: int) -> int:
        """The start of the next character after the one that begins at `at`, or the sky's end."""
        at += 1
        while at < len(self.text) and self._continues(at):
            at += 1
        return min(at, len(self.text))

    def _continues(self, at: int) -> bool:
        mask, value = _CONTINUES
        return self.text[at] & mask == value

    def word(self, at: int) -> int:
        """The last place up to `at` that is not within a word; `at` where there is none near."""
        before = self.whole(max(0, at - _FAR))
        around = bytes(self.text[before : self.whole(min(at + 8, len(self.text)))]).decode("utf-8")
        place = len(bytes(self.text[before:at]).decode("utf-8"))
        for word in _LATIN.finditer(around):
            if 0 < word.start() < place < word.end():
                return before + len(around[: word.start()].encode())
        return at

    def past_blanks(self, at: int) -> int:
        """The next place that has no blank behind it, so that none begins a line."""
        while at < len(self.text) and self.text[at] in b" \t":
            at += 1
        return at


def _too_short(sky: Sky, has: int, wants: int, unit: str) -> CorpusError:
    return CorpusError(
        f"The corpus {sky.corpus.spec} has {has:,} {unit} for the sky, and {wants:,} are wanted; "
        "give a longer corpus, or a smaller max_length."
    )


class TokenRuler:
    """Measures a sky in tokens of the run's encoding."""

    def __init__(self, sky: Sky) -> None:
        self._sky = sky
        self._ends = lru_cache(maxsize=_REGIONS)(self._token_ends)

    def cut(self, size: int) -> int:
        """The offset at which so much has passed. Raises `CorpusError` where the sky is shorter."""
        sky = self._sky
        if size > sky.tokens:
            raise _too_short(sky, sky.tokens, size, "tokens")
        region = int(np.searchsorted(sky.counts, size, side="right")) - 1
        ends = self._ends(region)
        rest = min(size - int(sky.counts[region]), len(ends))
        return sky.whole(int(sky.anchors[region]) + (int(ends[rest - 1]) if rest else 0))

    def size(self, end: int) -> int:
        """How much of the sky stands before an offset."""
        sky = self._sky
        region = int(np.searchsorted(sky.anchors, end, side="right")) - 1
        passed = np.searchsorted(self._ends(region), end - int(sky.anchors[region]), side="right")
        return int(sky.counts[region]) + int(passed)

    def _token_ends(self, region: int) -> Offsets:
        """Where tokens end between an anchor and the next, in bytes from there."""
        sky = self._sky
        last = region + 1 == len(sky.anchors)
        end = len(sky.text) if last else int(sky.anchors[region + 1])
        start = int(sky.anchors[region])
        return sky.corpus.tokenizer.token_ends(bytes(sky.text[start:end]))


class _Marked:
    """The same in units whose ends are known one by one."""

    unit: str

    def __init__(self, sky: Sky, ends: Offsets) -> None:
        self._sky = sky
        self._ends = ends

    def cut(self, size: int) -> int:
        if size > len(self._ends):
            raise _too_short(self._sky, len(self._ends), size, self.unit)
        return int(self._ends[size - 1]) if size else 0

    def size(self, end: int) -> int:
        return int(np.searchsorted(self._ends, end, side="right"))


class CharacterRuler(_Marked):
    """Characters, blanks included."""

    unit = "characters"

    def __init__(self, sky: Sky) -> None:
        mask, value = _CONTINUES
        raw = np.frombuffer(sky.text, np.uint8)
        starts = np.flatnonzero(raw & mask != value)
        super().__init__(sky, np.append(starts[1:], len(raw)))


class WordRuler(_Marked):
    """What stands between blanks."""

    unit = "words"

    def __init__(self, sky: Sky) -> None:
        words = _WORD.finditer(sky.text)
        super().__init__(sky, np.fromiter((word.end() for word in words), np.int64))


Ruler: TypeAlias = TokenRuler | _Marked
"""What measures a sky in one unit."""
