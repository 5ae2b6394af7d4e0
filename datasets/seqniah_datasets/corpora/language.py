"""Which of the benchmark's languages a document is in."""

from __future__ import annotations

import re

from seqniah_datasets.schema import Lang

_WORD = re.compile(r"[A-Za-z]+")
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_FUNCTION_WORDS = frozenset(
    ["the", "of", "and", "to", "in", "is", "was", "that", "for", "with", "as", "it", "by", "on"]
)

_PROBE = 4_000
"""Characters looked at in each of three places."""


def language_of(text: str) -> Lang | None:
    """The language of a document, from its beginning, middle and end; None for any other.

    Chinese: at least three in ten letters are ideographs, and next to none kana or hangul.
    English: at least one in twelve words is one of the commonest function words.
    """
    middle = max(0, len(text) // 2 - _PROBE // 2)
    probe = " ".join((text[:_PROBE], text[middle : middle + _PROBE], text[-_PROBE:]))
    ideographs = len(_IDEOGRAPH.findall(probe))
    words = _WORD.findall(probe)
    letters = sum(map(len, words))
    if ideographs > 0.3 * (ideographs + letters):
        return "zh" if len(_KANA_HANGUL.findall(probe)) <= 0.02 * ideographs else None
    common = sum(word.lower() in _FUNCTION_WORDS for word in words)
    return "en" if words and common >= len(words) / 12 else None
