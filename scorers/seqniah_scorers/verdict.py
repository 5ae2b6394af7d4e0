"""What a judge is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

NeedleType = Literal["temporal", "logical"]


class FailureMode(StrEnum):
    """Why an answer is wrong; several may hold at once (paper, appendix C and Table 8)."""

    MISSING = "missing_items"
    REDUNDANT = "redundant_items"
    INCORRECT = "incorrect_items"
    WRONG_ORDER = "wrong_order"
    NO_ANSWER = "no_answer"
    """Empty."""
    REFUSED = "refusal"
    """It will not answer, or cannot: "the text does not say"."""
    UNREADABLE = "unreadable"
    """Text from which no item could be read."""
    CUT_OFF = "cut_off"
    """The output limit ended the answer before it was complete."""


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to judge, with everything a judge may look at."""

    lang: Literal["en", "zh"]
    needle_type: NeedleType
    question: str
    reference: str
    """The reference answer: one intro line, then one item a line, in true order."""
    response: str
    """What the model wrote; untrusted."""
    order_required: bool | None = None
    """Whether the question demands the true order; None: work it out from the question."""
    cut_off: bool = False
    """The model stopped at its output limit."""
    parties: tuple[str, ...] = ()
    """The two sides that every item is about, if there are two; they must not change places."""
    needles: tuple[str, ...] = ()
    """The text of each item as the document has it, in true order: answers quote it."""


@dataclass(frozen=True, slots=True)
class ItemPair:
    """One row of the alignment between reference and answer."""

    reference: int | None
    """Index of the reference item in true order; None: the answer's item is redundant."""
    answer: int | None
    """Index of the answer's item as written, which may state several; None: none states it."""
    same: bool
    """Both are present and state the same fact on the same date."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's decision on one answer."""

    correct: bool | None
    """None: unscored, because the judge itself failed; never because the answer is bad."""
    failure_modes: tuple[FailureMode, ...]
    """In the order of `FailureMode`; empty when correct."""
    item_recall: float
    """Reference items stated rightly, over all reference items, 0 to 1."""
    item_precision: float
    """Answer items that state a reference item rightly, over all answer items; 0 without items."""
    order_agreement: float | None
    """Kendall's tau over the rightly stated items, -1 to 1; None with fewer than two of them."""
    order_required: bool
    """Whether the true order was part of being correct."""
    reason: str
    """One sentence for a person."""
    pairs: tuple[ItemPair, ...]
    """Every reference item once and every answer item once."""
    probability: float | None = None
    """That the answer is right, 0 to 1, by the rules; None: nobody worked it out."""
    doubts: tuple[str, ...] = ()
    """What speaks against the rules' own verdict, where the probability is in the band of doubt."""

    def decided(self, correct: bool | None, reason: str) -> Verdict:
        """The decision of another, told with the same items; the probability was of this one.

        Failure modes stay where both find the answer wrong.
        """
        both_wrong = correct is False and self.correct is False
        return replace(
            self,
            correct=correct,
            failure_modes=self.failure_modes if both_wrong else (),
            reason=reason,
            probability=None,
            doubts=(),
        )


DOUBT = 0.35
"""Distance of a probability from one half within which the rules doubt their verdict."""
