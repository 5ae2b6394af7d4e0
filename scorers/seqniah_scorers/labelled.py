"""Cases whose right verdict is known: what judges are trained on and measured by."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_scorers.verdict import Case, FailureMode

GROUPS = ("GT", "missing", "redundant", "incorrect")
"""What was done to the true items (paper, section 4); "incorrect" is missing and redundant."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One case with the verdict that a judge should give."""

    id: str
    """Unique in its set."""
    case: Case
    """What the judge sees; `order_required` is None, since judges must read it themselves."""
    correct: bool
    """The right verdict."""
    failure_modes: tuple[FailureMode, ...]
    """What is wrong with the answer, in the order of `FailureMode`; empty when correct."""
    order_required: bool
    """Whether the question demands the true order."""
    group: str
    """One of `GROUPS`, or the name of a perturbation or layout of the harder set."""
    shuffled: bool
    """Whether the items stand in another order than the true one."""
    reason: str
    """Why, in the language of the case: follows exactly from what was done to the items."""
    order_reason: str = ""
    """Why the order does or does not count, in the language of the case; for temporal ones."""
