"""Prompts, and cutting text to a number of tokens with nothing but a count of tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SIDES = ("left", "right", "middle")
"""Where a prompt can be cut."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The texts of a request's messages, of which a baseline reads the user's."""

    texts: tuple[str, ...]
    read: tuple[int, ...] = (0,)
    """Numbers of the texts that the baseline reads: the messages of the user, else the last."""

    @property
    def asked(self) -> str:
        """What it reads, a conversation as one text."""
        return "\n".join(self.texts[number] for number in self.read)

    @property
    def size(self) -> int:
        """Characters of all texts."""
        return sum(map(len, self.texts))

    def tokens(self, count: Count) -> int:
        """Tokens of all texts; what a chat template adds is not in it."""
        return sum(map(count, self.texts))

    def kept(self, head: int, tail: int) -> Prompt:
        """The first `head` and the last `tail` characters of the texts as one."""
        texts, before, resume = [], 0, self.size - tail
        for text in self.texts:
            first = max(head - before, 0)
            last = max(resume - before, first)
            texts.append(text[:first] + text[last:])
            before += len(text)
        return Prompt(tuple(texts), self.read)


def cut_prompt(prompt: Prompt, limit: int, side: str, count: Count) -> tuple[Prompt, int]:
    """As much of a prompt as has `limit` tokens, and how many these are."""

    def keep(size: int) -> Prompt:
        head = {"left": 0, "right": size, "middle": (size + 1) // 2}[side]
        return prompt.kept(head, size - head)

    size, tokens = _longest(prompt.size, lambda size: keep(size).tokens(count), limit)
    return keep(size), tokens


def cut_text(text: str, limit: int, count: Count) -> tuple[str, int]:
    """As much of the start of a text as has `limit` tokens, and how many these are."""
    size, tokens = _longest(len(text), lambda size: count(text[:size]), limit)
    return text[:size], tokens


def _longest(size: int, tokens_at: Callable[[int], int], limit: int) -> tuple[int, int]:
    """A number of characters that `limit` tokens suffice for while one more is too many.

    Text is fairly even, so that a guess by proportion is close; going twice as far from the
    nearer end catches the place between two close ends. Every third step halves, lest uneven
    text make it crawl.
    """
    low, fewer = 0, 0
    high, more = size, tokens_at(size)
    if more <= limit:
        return high, more
    step = 0
    while high - low > 1:
        step += 1
        span, share = high - low, (limit - fewer) / (more - fewer)
        if step % 3 == 0:
            guess = low + span // 2
        elif share < 0.25:
            guess = low + 1 + int(2 * span * share)
        elif share > 0.75:
            guess = high - 1 - int(2 * span * (1 - share))
        else:
            guess = low + int(span * share)
        guess = min(max(guess, low + 1), high - 1)
        tokens = tokens_at(guess)
        if tokens <= limit:
            low, fewer = guess, tokens
        else:
            high, more = guess, tokens
    return low, fewer
