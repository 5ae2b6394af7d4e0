"""What one item states, read into words that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.comparing.lexicon import (
    NUMBER_WORDS,
    SAME_EN,
    STOP_EN,
    STOP_ZH,
    canonical_en,
    canonical_zh,
    stem,
)
from seqniah_scorers.comparing.numerals import in_digits
from seqniah_scorers.comparing.simplified import simplified
from seqniah_scorers.text import has_cjk, is_cjk

MAX_FACT_CHARS = 4000
"""An item longer than this is compared by its beginning."""

TOKEN = re.compile(r"[^\W\d_\u3400-\u9fff]+|\d+(?:[.,:/]\d+)*|[\u3400-\u9fff]")
SENTENCE_END = re.compile(
    r"[.!?。;(-](?:(?<=[。;])|(?<=[.!?])(?=\s|$)(?<!\b[a-z].)|(?<=[!?])(?=[\u3400-\u9fff])"
    r"|(?<=\s\()|(?<=\s-)(?=\s))"
)
_INITIALS = re.compile(r"\b(?:[a-z]\.){2,}")


@dataclass(frozen=True, slots=True)
class Fact:
    """An item's content, read for comparison."""

    text: str
    """The content as written, names in their case."""
    parts: tuple[tuple[str, ...], ...]
    """Content words (Chinese: characters) in base form, one tuple a sentence."""
    bag: frozenset[str]
    """All content words."""
    grams: frozenset[str]
    """English words and pairs of neighbouring Chinese characters, to find the item again."""


class FactReader:
    """Reads facts; remembers words for as long as one verdict takes."""

    def __init__(self, known: Mapping[str, Fact] | None = None) -> None:
        """`known` holds contents that were read before, by their texts."""
        self._base: dict[str, str] = {}
        self._facts: dict[str, Fact] = dict(known or {})

    def read(self, text: str) -> Fact:
        fact = self._facts.get(text)
        if fact is None:
            fact = self._facts[text] = self._read(text[:MAX_FACT_CHARS])
        return fact

    def _read(self, text: str) -> Fact:
        chinese = has_cjk(text)
        if chinese:
            text = simplified(text)
        lower = text.lower()
        lower = in_digits(canonical_zh(lower) if chinese else canonical_en(lower), chinese)
        if ". " in lower or ".s" in lower:
            lower = _INITIALS.sub(lambda m: m.group().replace(".", ""), lower)
        parts = []
        for sentence in SENTENCE_END.split(lower):
            words = self._words(sentence)
            if words:
                parts.append(tuple(words))
        bag = frozenset(w for p in parts for w in p)
        grams = frozenset(_pairs(parts)) if chinese else bag
        return Fact(text, tuple(parts), bag, grams)

    def _words(self, sentence: str) -> list[str]:
        base = self._base
        words = []
        for token in TOKEN.findall(sentence):
            word = base.get(token)
            if word is None:
                word = base[token] = base_form(token)
            if word:
                words.append(word)
        return words


@lru_cache(maxsize=8192)
def base_form(token: str) -> str:
    """What a word is compared by; nothing for one that carries no fact."""
    first = token[0]
    if first.isdigit():
        return _number(token)
    if is_cjk(first):
        return "" if token in STOP_ZH else token
    if token in NUMBER_WORDS:
        return NUMBER_WORDS[token]
    if "our" in token and len(token) > 5:
        token = token.replace("our", "or")  # favourite, neighbour
    word = "" if token in STOP_EN else stem(token)
    return "" if word in STOP_EN else SAME_EN.get(word, word)


def _number(token: str) -> str:
    """8.40 and 8.4 are one number, 1,000 and 1000 too, and 6:00 is 6."""
    token = token.replace(",", "").removesuffix(":00")
    whole, point, fraction = token.partition(".")
    if "." not in fraction:
        fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if point and fraction else whole


def _pairs(parts: Iterable[tuple[str, ...]]) -> Iterable[str]:
    for part in parts:
        last = ""
        for word in part:
            cjk = is_cjk(word[0])
            if not cjk:
                yield word
            elif last:
                yield last + word
            last = word if cjk else ""


def coverage(ref: Fact, ans: Fact) -> float:
    """Share of the reference's content words that the answer has, 0 to 1."""
    if ref.bag <= ans.bag:
        return 1.0
    return sum(1 for w in ref.bag if w in ans.bag or has_relative(w, ans.bag)) / len(ref.bag)


def has_relative(word: str, bag: frozenset[str]) -> bool:
    """Whether the bag has a word of the same family: negotiate, negotiation."""
    if len(word) < 4 or not word.isalpha() or is_cjk(word[0]):
        return False
    head = word[:4]
    for other in bag:
        if other.startswith(head):
            shared = len(head)
            for a, b in zip(word[4:], other[4:], strict=False):
                if a != b:
                    break
                shared += 1
            whole = shared == min(len(word), len(other))
            if whole or shared >= 0.6 * max(len(word), len(other)):
                return True
    return False
