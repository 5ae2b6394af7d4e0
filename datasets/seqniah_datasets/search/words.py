"""A text as the words that sparse search counts.

Words are those of Lucene's English analysis: they end where Unicode's rules (UAX 29) end them, lose
a possessive 's, and are stemmed by Porter's rules unless they are stop words. Scripts that
write no blanks, and Korean, become overlapping pairs of characters, as Lucene has it for Chinese.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

import Stemmer

VERSION = 1
"""Of the words that a text has; an index of another version cannot be asked."""

_STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Lucene's, for English."""

_MARKS = "".join(
    one
    for one in map(chr, chain(range(0x300, 0x3100), range(0xA66F, 0xAC00)))
    if unicodedata.category(one).startswith("M")
)
"""Accents and vowel signs, which belong to the letter before them."""

_PAIRED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""

_WORD = re.compile(
    rf"[\w{_MARKS}]+"
    rf"(?:(?:(?<=[^\W\d_])['’.:·](?=[^\W\d_])|(?<=\d)['’.,;](?=\d))[\w{_MARKS}]+)*"
)
_RUN = re.compile(rf"[{_PAIRED}]+|[^{_PAIRED}]+")
_IS_PAIRED = re.compile(f"[{_PAIRED}]")
_POSSESSIVE = re.compile(r"['’]s\Z")


class _Roots(dict[str, str]):
    """What counts of each word: nothing of stop words, and of those without letter and digit."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("porter", 0).stemWord

    def __missing__(self, word: str) -> str:
        bare = _POSSESSIVE.sub("", word)
        counts = bare not in STOP_WORDS and any(map(str.isalnum, bare))
        root = self[word] = self._stem(bare) if counts else ""
        return root


class Words:
    """Reads texts; for one thread, as it keeps what it has stemmed."""

    def __init__(self) -> None:
        self._roots = _Roots()

    def of(self, text: str) -> list[str]:
        """The words of a text in order, repeated ones too."""
        found = _WORD.findall(unicodedata.normalize("NFC", text).lower())
        if _IS_PAIRED.search(text):
            found = [part for word in found for run in _RUN.findall(word) for part in _parts(run)]
        return list(filter(None, map(self._roots.__getitem__, found)))


def _parts(run: str) -> list[str]:
    if not _IS_PAIRED.match(run):
        return [run]
    return [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
