"""What a judge is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
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


class Doubt(StrEnum):
    """Why the rule judge may be wrong about an answer; a cascade then asks a model."""

    REWORDED = "reworded"
    """An item that decides tells its fact in other words than the reference."""
    NEAR_MISS = "near_miss"
    """One item alone makes the answer wrong, and it is close to being right."""
    RECUT = "recut"
    """Items were cut or joined to fit the reference, or stood in running text."""
    UNDATED = "undated"
    """Dated events are stated without their dates."""
    OTHER_LANGUAGE = "other_language"
    """The answer is not in the language of the reference."""
    NO_ITEMS = "no_items"
    """Text is there, but no item was read from it, and it is no refusal."""
    CROWDED = "crowded"
    """The answer holds far more items than the reference, or several lists."""


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


@dataclass(frozen=True, slots=True)
class ItemPair:
    """One row of the alignment between reference and answer."""

    reference: int | None
    """Index of the reference item in true order; None: the answer's item is redundant."""
    answer: int | None
    """Index of the answer's item as written; None: the reference item is missing."""
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
    doubts: tuple[Doubt, ...] = ()
    """Why the rule judge is unsure, in the order of `Doubt`; a model judge gives none."""
