"""What prompts begin with that others share, counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seqniah_datasets.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Prefix:
    """What the prompts over one corpus, or one database, begin with."""

    text: str
    tokens: int
    sha256: Any
    """The state of its hash."""
    begun: str = ""
    """Of SQL: the beginning of the first turn, which has the tables."""


def added(tokenizer: Tokenizer, text: str, known: int, more: str, tokens: int | None = None) -> int:
    """Tokens of a text with more behind it; exact. `known`: of the text, `tokens`: of what is
    added, where that is known."""
    parts = not text or (text.endswith("\n") and not more[:1].isspace())
    if not more:
        return known
    if parts and tokenizer.exact_cuts:
        return known + (tokenizer.count(more) if tokens is None else tokens)
    return tokenizer.count(text + more)
