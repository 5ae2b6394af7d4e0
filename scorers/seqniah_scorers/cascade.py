"""Rules where they are certain, a model for the rest."""

from __future__ import annotations

from seqniah_scorers.verdict import Doubt, Verdict

ASKED = frozenset((doubt, correct) for doubt in Doubt for correct in (True, False)) - {
    (Doubt.RECUT, False),
}
"""Doubts, each with the verdict it is about, that send an answer to the model.

What is taken out was measured, where it is the only doubt, not to err more often than verdicts
without any: `python benchmarks/judge_calibration.py` prints the table.
"""


def certain(verdict: Verdict) -> bool:
    """Whether the rule judge's verdict stands without a second opinion."""
    if verdict.correct is None:
        return False
    return all((doubt, verdict.correct) not in ASKED for doubt in verdict.doubts)
