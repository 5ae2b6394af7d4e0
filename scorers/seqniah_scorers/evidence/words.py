"""What a text says, as words that can be compared: stems, pairs of Chinese characters, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from seqniah_scorers import authored
from seqniah_scorers.numerals import in_digits
from seqniah_scorers.text import has_cjk, is_cjk

MAX_CHARS = 4000
"""An item longer than this is compared by its beginning."""

_TABLE = authored.table("evidence/meanings.toml")
_SIMPLIFIED = str.maketrans({pair[0]: pair[1] for pair in _TABLE["simplified"].split()})
_TOKEN = re.compile(
    r"\d+(?:[.,:/]\d+)*|[^\W\d_\u3400-\u9fff]+|[\u3400-\u9fff]|[,.;:!?。；，、：！？]+"
)
_NAME_EN = re.compile(r"(?<![.!?:;\"'(] )(?<!^)\b[A-Z][\w'-]*[^\W_]|\b[A-Z]{2,}\b")
_NAME_ZH = re.compile(r"《([^》]{1,40})》|([A-Za-z][A-Za-z0-9'-]+)")
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


_STOP_EN = frozenset(_TABLE["stop_en"].split())
_STOP_ZH = frozenset(_TABLE["stop_zh"].split())
_SAME_ZH = {word: group[0] for group in _groups("same_zh") for word in group}
_SAME_ZH |= dict.fromkeys(_TABLE["filler_zh"].split(), "")
_PHRASES_EN = {
    phrase: word
    for one in _TABLE["phrases_en"].split("|")
    for phrase, word in [(half.strip() for half in " ".join(one.split()).split("="))]
}
_PHRASE_EN = re.compile(rf"\b(?:{'|'.join(sorted(_PHRASES_EN, key=len, reverse=True))})\b")
_REPLACED_ZH = re.compile("|".join(sorted(_SAME_ZH, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Words:
    """A text read for comparison."""

    text: str
    """As written, in simplified characters."""
    tokens: tuple[str, ...]
    """Words that carry content, in base form and in their order; single Chinese characters."""
    grams: frozenset[str]
    """English words and pairs of neighbouring Chinese characters: what is looked for."""
    bag: frozenset[str]
    """The tokens, each once."""
    names: frozenset[str]
    """Names and titles among them, in small letters: of several words each."""

    chinese: bool
    """Whether it has Chinese characters."""
    numbers: frozenset[tuple[str, str]]
    """The numbers in digits, each with the word behind it, which may be its unit."""


@lru_cache(maxsize=4096)
def read(text: str) -> Words:
    """Read a text; what it says twice counts once."""
    text = text[:MAX_CHARS]
    chinese = has_cjk(text)
    if chinese:
        text = text.translate(_SIMPLIFIED)
    lower = text.lower()
    if chinese:
        lower = _ONE_ZH.sub("1", _REPLACED_ZH.sub(lambda match: _SAME_ZH[match.group()], lower))
    else:
        lower = _PHRASE_EN.sub(lambda match: _PHRASES_EN[match.group()], lower)
    tokens: list[str] = []
    grams: list[str] = []
    last = ""
    for token in _TOKEN.findall(in_digits(lower, chinese, small=True)):
        first = token[0]
        if is_cjk(first):
            if token not in _STOP_ZH:
                tokens.append(token)
                if last:
                    grams.append(last + token)
                last = token
            continue
        last = ""
        if first.isdigit():
            word = _number(token)
        elif first.isalpha():
            word = "" if token in _STOP_EN else stem(token)
        else:
            word = ""
        if word:
            tokens.append(word)
            grams.append(word)
    names, numbers = _names(text, chinese), _numbers(tokens)
    return Words(text, tuple(tokens), frozenset(grams), frozenset(tokens), names, chinese, numbers)


def _numbers(tokens: list[str]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one, tokens[n + 1] if n + 1 < len(tokens) else "")
        for n, one in enumerate(tokens)
        if one[0].isdigit()
    )


def _names(text: str, chinese: bool) -> frozenset[str]:
    if chinese:
        return frozenset((a or b).lower() for a, b in _NAME_ZH.findall(text))
    return frozenset(
        stem(name.lower().removesuffix("'s"))
        for name in _NAME_EN.findall(text)
        if name.lower() not in _STOP_EN
    )


def _number(token: str) -> str:
    """8.40 and 8.4 are one number, 1,000 and 1000 too, and 6:00 is 6."""
    token = token.replace(",", "").removesuffix(":00")
    whole, point, fraction = token.partition(".")
    if "." not in fraction:
        fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if point and fraction else whole


class Vocabulary:
    """The grams of a reference as bits, so that texts are compared by counting bits."""

    def __init__(self, items: Iterable[Words], known: Words) -> None:
        """`known` are the question's words, which tell no item from another."""
        items = list(items)
        places: dict[str, int] = {}
        times: dict[str, int] = {}
        for one in items:
            for gram in one.grams:
                places.setdefault(gram, len(places))
                times[gram] = times.get(gram, 0) + 1
        self._places = places
        often = max(2, round(0.6 * len(items)))
        self._common = sum(
            1 << places[gram] for gram, n in times.items() if n >= often or gram in known.grams
        )
        self._known = known
        self.items = [self.mask(one) for one in items]
        """Each reference item's grams."""
        self.worth = [max(self._weight(mask), 0.25) for mask in self.items]
        """The sum of their weights."""

    def mask(self, words: Words) -> int:
        """The reference's grams that a text has."""
        mask = 0
        for gram in words.grams & self._places.keys():
            mask |= 1 << self._places[gram]
        return mask

    def new(self, words: Words) -> int:
        """How many grams a text has beside the reference's and the question's."""
        return len(words.grams - self._places.keys() - self._known.grams)

    def _weight(self, mask: int) -> float:
        return (mask & ~self._common).bit_count() + SHARED * (mask & self._common).bit_count()

    def alone(self, item: int, mask: int) -> float:
        """The same of the grams that no other item has; 0 where there is none."""
        own = self.items[item] & ~self._common
        for other, grams in enumerate(self.items):
            if other != item:
                own &= ~grams
        return (own & mask).bit_count() / own.bit_count() if own else 0.0

    def own(self, item: int) -> int:
        """The grams of a reference item that not most others have."""
        return self.items[item] & ~self._common or self.items[item]

    def like(self, item: int, mask: int, new: int) -> float:
        """How much of a reference item a text repeats, 0 to 1.

        `mask` and `new` are the text's. A terse text repeats little but says nothing else; a wordy
        one the other way round.
        """
        hit = self._weight(self.items[item] & mask)
        if not hit:
            return 0.0
        recall, precision = hit / self.worth[item], hit / (self._weight(mask) + new)
        return 0.75 * max(recall, 0.9 * precision) + 0.25 * min(recall, precision)

    def covered(self, item: int, mask: int, beside: Iterable[int] = ()) -> float:
        """Share of a reference item's grams that a text has, 0 to 1.

        Common ones do not count, nor those of the reference items `beside` it.
        """
        own = self.own(item)
        for other in beside:
            own &= ~self.items[other]
        return (own & mask).bit_count() / own.bit_count() if own else 0.0


SHARED = 0.25
"""Worth of a gram that most reference items have: it tells none of them from another."""
