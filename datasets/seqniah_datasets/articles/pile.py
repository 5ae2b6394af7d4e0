"""A pile: whole articles in a row, as long as asked for, and counted without encoding it.

Each article stands as title and text with a blank line behind it, so that in the encodings that
travel with the package the tokens of articles add up: a pile's length is a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np

from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.search.base import Numbers
from seqniah_datasets.tokens import ENCODINGS, Tokenizer

GAP = "\n\n"
"""What stands behind an article."""

LEAST_CUT = 16
"""Tokens that an article must keep to be cut rather than left out."""

_AT_ONCE = 8
"""Articles that are counted together at least."""

_MORE = 64
"""Tokens beyond the room that are encoded of an article to be cut."""


def shown(article: Article) -> str:
    """An article as it stands in a pile."""
    return f"Article Title: {article.title}\n{article.text}".strip() + GAP


@dataclass(frozen=True, slots=True)
class Pile:
    """Which articles a prompt holds, the golds first, then others by rank."""

    numbers: tuple[int, ...]
    """As the library numbers them."""
    kept: int | None
    """Characters of the last one, as it is `shown`, that are kept where it was cut; None: all are
    whole."""
    tokens: int
    """Of all of them."""
    overfull: bool
    """The golds alone are longer than asked for; they are kept, and nothing else is."""


@dataclass(frozen=True)
class Piles:
    """Lays piles of a library's articles; the tokens of each article are counted once."""

    library: Library
    tokenizer: Tokenizer

    @property
    def adds_up(self) -> bool:
        """Whether tokens of articles add up; else a finished prompt must be counted."""
        return self.tokenizer.name in ENCODINGS

    @cached_property
    def count(self) -> Callable[[str], int]:
        """Tokens of what stands around articles, which is much the same in many prompts."""
        return lru_cache(maxsize=64)(self.tokenizer.count)

    @cached_property
    def _counted(self) -> Numbers:
        """Tokens of each article as it is shown; 0: not counted yet."""
        return np.zeros(len(self.library), np.int64)

    @cached_property
    def _shown(self) -> Callable[[int], str]:
        articles = self.library.articles
        return cache(lambda number: shown(articles[number]))

    def tokens(self, number: int) -> int:
        """Of an article as it is shown."""
        if not self._counted[number]:
            self._counted[number] = self.tokenizer.count(shown(self.library.articles[number]))
        return int(self._counted[number])

    def lay(self, golds: Sequence[int], others: Iterable[Numbers], room: int) -> Pile:
        """The golds, whole, and others in their order while there is room, the last one cut.

        `others`: one part of them after the other. `room`: tokens; 0 takes the golds alone. Piles
        of one ranking are nested: a longer one begins with all the whole articles of a shorter one.
        """
        numbers, used = list(golds), sum(map(self.tokens, golds))
        overfull, kept = used > room > 0, 0
        for part in others if used < room else ():
            for gold in golds:
                part = part[part != gold]
            ends = self._tokens_within(part, room - used).cumsum()
            whole = int(ends.searchsorted(room - used, "right"))
            numbers += part[:whole].tolist()
            used += int(ends[whole - 1]) if whole else 0
            if whole < len(part):
                kept, tokens = self._cut(int(part[whole]), room - used)
                if kept:
                    numbers.append(int(part[whole]))
                    used += tokens
                break
        return Pile(tuple(numbers), kept or None, used, overfull)

    def _tokens_within(self, numbers: Numbers, room: int) -> Numbers:
        """Tokens of each article; of those behind the first that exceeds the room, perhaps 0."""
        tokens = self._counted[numbers]
        if tokens.all():
            return tokens
        missing = np.flatnonzero(tokens == 0)
        while len(missing) and (left := room - tokens[: (first := missing[0])].sum()) >= 0:
            usual = tokens[:first].mean() if first else left
            now = missing[missing < first + max(_AT_ONCE, left / usual)]
            texts = [self._shown(number) for number in numbers[now].tolist()]
            tokens[now] = self._counted[numbers[now]] = self.tokenizer.counts(texts)
            missing = missing[len(now) :]
        return tokens

    def texts(self, pile: Pile, order: Sequence[int]) -> list[str]:
        """Articles as they stand in a pile. `order`: all its numbers, in any order."""
        texts = list(map(self._shown, order))
        if pile.kept is not None:
            texts[order.index(pile.numbers[-1])] = self._cut_off(pile.numbers[-1], pile.kept)
        return texts

    def _cut_off(self, number: int, kept: int) -> str:
        return self._shown(number)[:kept].rstrip() + GAP

    def _cut(self, number: int, room: int) -> tuple[int, int]:
        """How many characters of an article fit, and their tokens; 0 where too few would."""
        whole = self._shown(number)
        title = len(whole.partition("\n")[0])
        raw = whole.encode()
        # No token is longer than some tens of bytes, so the beginning is enough.
        ends = self.tokenizer.token_ends(
            raw[: (room + _MORE) * 16].decode("utf-8", "ignore").encode()
        )
        for count in range(min(room, len(ends)), max(room - _MORE, LEAST_CUT) - 1, -1):
            kept = len(raw[: int(ends[count - 1])].decode("utf-8", "ignore"))
            if kept <= title:
                return 0, 0
            (tokens,) = self.tokenizer.counts([self._cut_off(number, kept)])
            if tokens <= room:
                return kept, tokens
        return 0, 0
