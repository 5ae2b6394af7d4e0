"""A pile: whole articles in a row, as long as asked for, and counted without encoding it.

Each article stands as title and text with a blank line behind it, so that in the encodings that
travel with the package the tokens of articles add up: a pile's length is a sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.tokens import ENCODINGS, Tokenizer

GAP = "\n\n"
"""What stands behind an article."""

LEAST_CUT = 16
"""Tokens that an article must keep to be cut rather than left out."""

_MORE = 64
"""Tokens beyond the room that are encoded of an article to be cut."""


def shown(article: Article) -> str:
    """An article as it stands in a pile."""
    return f"Article Title: {article.title}\n{article.text}".strip() + GAP


@dataclass(frozen=True, slots=True)
class Laid:
    """An article in its place."""

    number: int
    """As the library numbers it."""
    kept: int | None = None
    """Characters of `shown` that are kept where it was cut; None: it is whole."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Which articles a prompt holds, the golds first, then others by rank."""

    laid: tuple[Laid, ...]
    tokens: int
    """Of all of them."""
    overfull: bool
    """The golds alone are longer than asked for; they are kept, and nothing else is."""


@dataclass(frozen=True)
class Piles:
    """Lays piles of a library's articles; the tokens of each article are counted once."""

    library: Library
    tokenizer: Tokenizer
    _tokens: dict[int, int] = field(default_factory=dict)
    _texts: dict[int, str] = field(default_factory=dict)

    @property
    def adds_up(self) -> bool:
        """Whether tokens of articles add up; else a finished prompt must be counted."""
        return self.tokenizer.name in ENCODINGS

    def tokens(self, number: int) -> int:
        """Of an article as it is shown."""
        if number not in self._tokens:
            article = self.library.articles[number]
            self._tokens[number] = self.tokenizer.count(shown(article))
        return self._tokens[number]

    def lay(self, golds: Sequence[int], others: Iterable[int], room: int) -> Pile:
        """The golds, whole, and others in their order while there is room, the last one cut.

        `room`: tokens; 0 takes the golds alone. Piles of one ranking are nested: a longer one
        begins with all the whole articles of a shorter one.
        """
        laid = [Laid(number) for number in golds]
        used = sum(map(self.tokens, golds))
        overfull = used > room > 0
        known, counted = set(golds), self._tokens
        for number in others if used < room else ():
            if number in known:
                continue
            tokens = counted.get(number) or self.tokens(number)
            if used + tokens > room:
                kept, tokens = self._cut(number, room - used)
                if kept:
                    laid.append(Laid(number, kept))
                    used += tokens
                break
            laid.append(Laid(number))
            used += tokens
        return Pile(tuple(laid), used, overfull)

    def text(self, laid: Laid) -> str:
        """An article as it stands in its pile."""
        whole = self._texts.get(laid.number)
        if whole is None:
            whole = self._texts[laid.number] = shown(self.library.articles[laid.number])
        return whole if laid.kept is None else whole[: laid.kept].rstrip() + GAP

    def _cut(self, number: int, room: int) -> tuple[int, int]:
        """How many characters of an article fit, and their tokens; 0 where too few would."""
        article = self.library.articles[number]
        whole = shown(article)
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
            tokens = self.tokenizer.count(self.text(Laid(number, kept)))
            if tokens <= room:
                return kept, tokens
        return 0, 0
