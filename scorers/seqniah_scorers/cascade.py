"""Rules where they are certain, a model for the rest."""

from __future__ import annotations

from seqniah_scorers.verdict import DOUBT, Verdict


def certain(verdict: Verdict, doubt: float = DOUBT) -> bool:
    """Whether the rules' verdict stands without a second opinion.

    `doubt` is the distance from one half, 0 to 0.5, within which a probability leaves it open.
    """
    if verdict.correct is None or verdict.probability is None:
        return False
    return abs(verdict.probability - 0.5) > doubt
