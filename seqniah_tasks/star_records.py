"""What is kept of an answer about stars when logs are summed up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from seqniah_scorers.stars import StarVerdict
from seqniah_tasks.records import SampleRecord, Share
from seqniah_tasks.resampling import mean_share

JUDGE = "counting rules"
"""Who judges, as logs name it."""

_LETTERS = {1.0: "1", 0.5: "h", 0.25: "q", 0.0: "0"}

CREDITS = {letter: credit for credit, letter in _LETTERS.items()}
"""What each letter of `in_letters` stands for."""


def in_letters(credits: Iterable[float]) -> str:
    """Stars' credits, a letter each: short, so that summaries of logs keep those of many stars."""
    return "".join(_LETTERS[credit] for credit in credits)


FIGURES = {
    "position": "numbers in their own places of the list",
    "precision": "right ones of the numbers listed",
    "confusion": "other players' ones of the numbers answered",
}
"""What stands beside the score of an answer, and what a mean of it tells."""


def told(verdict: StarVerdict) -> dict[str, Any]:
    """A verdict beside its score, as fields of logs and files."""
    return {
        **{name: getattr(verdict, name) for name in FIGURES},
        "credits": in_letters(verdict.credits),
        "positions": "".join(map(str, verdict.positions)),
        "failure_modes": [str(mode) for mode in verdict.failure_modes],
        "reason": verdict.reason,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class StarRecord(SampleRecord):
    """One judged answer, in one epoch; `correct` says whether its score is full."""

    ask: str
    """What the question wants to know: a `StarAsk`."""
    score: float | None
    """0 to 1; None: unscored."""
    position: float | None
    """0 to 1; None where the question has no such figure, as with the next two."""
    precision: float | None
    confusion: float | None


def mean_of(samples: Iterable[SampleRecord], figure: str = "score") -> Share:
    """The mean of a figure over the answers that have it; epochs are no further samples."""
    told = ((one.id, getattr(one, figure)) for one in samples if isinstance(one, StarRecord))
    return mean_share((name, value) for name, value in told if value is not None)
