"""What a text says, as words that can be compared: stems, pairs of Chinese characters, numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from seqniah_scorers import authored
from seqniah_scorers.numerals import SIGNS, in_digits
from seqniah_scorers.text import has_cjk, is_cjk

MAX_CHARS = 4000
"""An item longer than this is compared by its beginning."""

_TABLE = authored.table("evidence/meanings.toml")
_SIMPLIFIED = str.maketrans({pair[0]: pair[1] for pair in _TABLE["simplified"].split()})
_TRADITIONAL = {pair[0] for pair in _TABLE["simplified"].split()}
_TOKEN_EN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+")
_TOKEN_ZH = re.compile(
    r"\d+(?:[.,:/]\d+)*|[^\W\d_\u3400-\u9fff]+|[\u3400-\u9fff]+|[,.;:!?。；，、：！？]+"
)
_LATIN = re.compile("[a-z]+")
_DIGIT = re.compile(r"\d")
_ONE_ZH = re.compile(
    "(?<![第万头])一(?=[个只条件张本位名场部首篇封幅顿份台辆艘座棵周天年]|小时|分钟)"
)
_BRITISH = re.compile("is(?=(?:e[sd]?|ing|ation)$)")
_STEMMER = Stemmer.Stemmer("english")


def _groups(name: str) -> list[list[str]]:
    """A table's lines, each a list of words; a bar divides groups."""
    return [group.split() for group in _TABLE[name].split("|")]


def _root(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    if "our" in word and len(word) > 5:
        word = word.replace("our", "or")  # favourite, neighbour
    base: str = _STEMMER.stemWord(_BRITISH.sub("iz", word) if len(word) > 6 else word)
    return base


_IRREGULAR: dict[str, str] = {form: one[0] for one in _groups("irregular") for form in one[1:]}
_SAME_EN = {_root(word): _root(group[0]) for group in _groups("same_en")[::-1] for word in group}


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The base form of an English word in small letters; one of those that say the same."""
    base = _root(word)
    return _SAME_EN.get(base, base)


_DOUBT = frozenset(_TABLE["doubt"].split())
_STOP_EN = frozenset(_TABLE["stop_en"].split())
_STOP_ZH = frozenset(_TABLE["stop_zh"].split())
_SAME_ZH = {word: group[0] for group in _groups("same_zh") for word in group}
_SAME_ZH |= dict.fromkeys(_TABLE["filler_zh"].split(), "")
_PHRASES_EN = {
    phrase: word
    for one in _TABLE["phrases_en"].split("|")
    for phrase, word in [(half.strip() for half in " ".join(one.split()).split("="))]
}
_SPECIAL = {max(phrase.split(), key=len) for phrase in _PHRASES_EN}
"""A word of each phrase."""
_PHRASE_EN = re.compile(rf"\b(?:{'|'.join(sorted(_PHRASES_EN, key=len, reverse=True))})\b")
_REPLACED_ZH = re.compile("|".join(sorted(_SAME_ZH, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Words:
    """A text read for comparison."""

    text: str
    """As written, in simplified characters."""
    chinese: bool
    """Whether it has Chinese characters."""
    tokens: tuple[str, ...]
    """Words that carry content, in base form and in their order; single Chinese characters."""
    bag: frozenset[str]
    """The tokens, each once."""
    grams: frozenset[str]
    """English words and pairs of neighbouring Chinese characters: what is looked for."""
    doubtful: bool
    """Whether it has a word without which nothing is denied, doubted or left out."""
    numbers: frozenset[tuple[str, str]]
    """The numbers in digits, each with the word behind it, which may be its unit."""


def _numbers(tokens: list[str]) -> frozenset[tuple[str, str]]:
    pairs = zip(tokens, (*tokens[1:], ""), strict=False)
    return frozenset(pair for pair in pairs if pair[0][0].isdigit())


@lru_cache(maxsize=4096)
def read(text: str) -> Words:
    """Read a text; what it says twice counts once."""
    text = text[:MAX_CHARS]
    if has_cjk(text):
        return _read_zh(text)
    lower = text.lower()
    found = said = _TOKEN_EN.findall(lower)
    if not _SPECIAL.isdisjoint(said):
        lower = _PHRASE_EN.sub(lambda match: _PHRASES_EN[match.group()], lower)
        found = _TOKEN_EN.findall(lower)
    if not SIGNS.isdisjoint(found) or _DIGIT.search(lower):
        lower = in_digits(lower, chinese=False)
        found = _TOKEN_EN.findall(lower)
    tokens = list(filter(None, map(_word, found)))
    bag, numbers = frozenset(tokens), _numbers(tokens) if _DIGIT.search(lower) else frozenset()
    return Words(text, False, tuple(tokens), bag, bag, _doubtful(said), numbers)


def _doubtful(words: list[str]) -> bool:
    return not _DOUBT.isdisjoint([word[:5] for word in words])


def _read_zh(text: str) -> Words:
    if not _TRADITIONAL.isdisjoint(text):
        text = text.translate(_SIMPLIFIED)
    lower = _REPLACED_ZH.sub(lambda match: _SAME_ZH[match.group()], text.lower())
    if "一" in lower:
        lower = _ONE_ZH.sub("1", lower)
    tokens: list[str] = []
    grams: list[str] = []
    last = ""
    for token in _TOKEN_ZH.findall(in_digits(lower, chinese=True)):
        if is_cjk(token[0]):
            kept = [char for char in token if char not in _STOP_ZH]
            tokens += kept
            run = "".join((last, *kept))
            grams += [run[n : n + 2] for n in range(len(run) - 1)]
            last = run[-1:]
            continue
        last = ""
        if word := _word(token):
            tokens.append(word)
            grams.append(word)
    doubtful = not _DOUBT.isdisjoint(text) or _doubtful(_LATIN.findall(text.lower()))
    bag = frozenset(tokens)
    return Words(text, True, tuple(tokens), bag, frozenset(grams), doubtful, _numbers(tokens))


@lru_cache(maxsize=20_000)
def _word(token: str) -> str:
    """What a token counts as; nothing if it carries no content."""
    if token[0].isdigit():
        return _number(token)
    return stem(token) if token[0].isalpha() and token not in _STOP_EN else ""


def _number(token: str) -> str:
    """8.40 and 8.4 are one number, 1,000 and 1000 too, and 6:00 is 6."""
    token = token.replace(",", "").removesuffix(":00")
    whole, point, fraction = token.partition(".")
    if "." not in fraction:
        fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if point and fraction else whole


Marks = tuple[int, int]
"""The grams of a reference that a text has, as bits, and how many it has beside these."""


class Vocabulary:
    """The grams of a reference as bits, so that texts are compared by counting bits."""

    def __init__(self, items: Iterable[Words], known: Words) -> None:
        """`known` are the question's words, which tell no item from another."""
        items = list(items)
        times = Counter(gram for one in items for gram in one.grams)
        bits = {gram: 1 << place for place, gram in enumerate(times)}
        self._bits = dict.fromkeys(known.grams, 0) | bits
        often = max(2, round(0.6 * len(items)))
        common = sum(bits[gram] for gram, n in times.items() if n >= often or gram in known.grams)
        self._common = common
        self.items = [self.marks(one)[0] for one in items]
        """Each reference item's grams."""
        self.own = [mask & ~common or mask for mask in self.items]
        """Those that not most others have."""
        self._worth = [max(self._weight(mask), SHARED) for mask in self.items]

    def marks(self, words: Words) -> Marks:
        """What a text has of the reference's grams."""
        found = list(map(self._bits.get, words.grams))
        return sum(filter(None, found)), found.count(None)

    def _weight(self, mask: int) -> float:
        return (mask & ~self._common).bit_count() + SHARED * (mask & self._common).bit_count()

    def likes(self, marks: Marks) -> list[float]:
        """How much of each reference item a text repeats, 0 to 1.

        A terse text repeats little but says nothing else; a wordy one the other way round.
        """
        mask, new = marks
        size, common, out = self._weight(mask) + new, self._common, []
        for own, worth in zip(self.items, self._worth, strict=True):
            like = 0.0
            if shared := own & mask:
                often = (shared & common).bit_count()
                hit = shared.bit_count() - often + SHARED * often
                recall, precision = hit / worth, hit / size
                like = 0.75 * max(recall, 0.9 * precision) + 0.25 * min(recall, precision)
            out.append(like)
        return out

    def covered(self, item: int, mask: int, beside: Iterable[int] = ()) -> float:
        """Share of a reference item's grams that a text has, 0 to 1.

        Common ones do not count, nor those of the reference items `beside` it.
        """
        own = self.own[item]
        for other in beside:
            own &= ~self.items[other]
        return (own & mask).bit_count() / own.bit_count() if own else 0.0


SHARED = 0.25
"""Worth of a gram that most reference items have: it tells none of them from another."""
