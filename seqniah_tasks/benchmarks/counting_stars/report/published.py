"""What the paper of Counting-Stars prints of its own runs: Table 1 of arXiv 2403.11802.

Its figures are heat maps; nothing was read off them.
"""

from __future__ import annotations

from dataclasses import dataclass

WORDS = "published, other text and prompts"
"""To be said of every figure of this module."""

SOURCE = "arXiv 2403.11802, Table 1"


@dataclass(frozen=True, slots=True)
class Score:
    """One cell of Table 1."""

    model: str
    edition: str
    """Stars and lengths, as runs name theirs."""
    score: float
    """Mean over its lengths, 0 to 1; of a Chinese text up to 128K tokens."""


_EDITIONS = ("32-16", "16-32", "32-32", "64-32", "32-32-shuffled")

_TABLE_1 = {
    "GPT-4 Turbo": (0.979, 0.965, 0.968, 0.897, 0.692),
    "Kimi Chat": (0.846, 0.988, 0.864, 0.931, 0.606),
}

SCORES = tuple(
    Score(model, edition, score)
    for model, scores in _TABLE_1.items()
    for edition, score in zip(_EDITIONS, scores, strict=True)
)
"""In the table's order."""
