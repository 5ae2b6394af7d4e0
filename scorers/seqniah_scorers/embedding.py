"""Likeness of meaning by vectors, where a user brings a model for it.

It never finds a fact changed, and never excuses a change that the words show: it can only tell
that two items which share few words say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SAME = 0.8
"""Cosine from which two items that no table tells apart say the same."""


class Embedding(Protocol):
    """A model that turns texts into vectors."""

    @property
    def name(self) -> str:
        """As logs call it: verdicts with and without it, or with another one, differ."""

    def __hash__(self) -> int:
        """References are kept with the model that they were read with."""

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1."""


def cosines(embedding: Embedding, texts: Sequence[str], text: str) -> list[float]:
    """How like `text` each of the texts is, -1 to 1."""
    if not texts:
        return []
    rows = embedding([*texts, text])
    return [round(float(one), 4) for one in rows[:-1] @ rows[-1]]
