"""What a model is shown: turns of parts, text or pictures or sound."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from seqniah_datasets.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Text:
    """Words of a message."""

    text: str
    cache_breakpoint: bool = False
    """Whether a provider that caches on request is told to keep everything up to here."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a message."""

    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Audio:
    """A recording in a message."""

    data: bytes
    format: Literal["wav", "mp3"] = "wav"


Part = Text | Image | Audio


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the user, which the model answers before the next turn."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Its words, without pictures and sound."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def is_text(self) -> bool:
        """Whether it has words only."""
        return all(isinstance(part, Text) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that a model is shown of one sample, or of one round of it."""

    turns: tuple[Turn, ...]
    tokens: int
    """Of the words of all turns, in the run's encoding; exact."""
    sha256: str = ""
    """Of the words in UTF-8; empty for a question without its haystack."""
    depths: tuple[float, ...] = ()
    """Where each needle begins, 0 to 1, in true order; empty where there are none."""
    prefix: str = ""
    """The beginning that it shares with other samples, which servers may keep; may be empty."""

    @property
    def text(self) -> str:
        """The words of all turns."""
        return "".join(turn.text for turn in self.turns)

    @property
    def is_text(self) -> bool:
        """Whether it is a single turn of words, which any harness can send."""
        return len(self.turns) == 1 and self.turns[0].is_text


def prompt_of(*turns: str | Sequence[Part], tokenizer: Tokenizer) -> Prompt:
    """A prompt of some turns, counted and hashed."""
    made = tuple(Turn((Text(one),) if isinstance(one, str) else tuple(one)) for one in turns)
    words = "".join(turn.text for turn in made)
    return Prompt(made, tokenizer.count(words), sha256_of(words))


_PIECE = 1 << 16
"""Characters encoded at once: a second copy of a long text takes longer than to hash it."""


def sha256_of(words: str) -> str:
    """Of words in UTF-8, as 64 hexadecimal digits."""
    found = hashlib.sha256()
    for start in range(0, len(words), _PIECE):
        found.update(words[start : start + _PIECE].encode())
    return found.hexdigest()
