"""What the papers print of their own runs, table by table: Sequential-NIAH (arXiv 2504.04713).

Its samples are not the ones made here and its judge is a trained model, so that none of it compares
with a run to the point: wherever a figure is shown, `WORDS` and its source stand beside it.

Figures 4 to 7 are pictures without printed numbers (in version 1: 4 to 6); nothing was read off
them. Of Figure 4 the text tells two accuracies in each version: `ACCURACIES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seqniah_datasets.schema import NoiseType
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.report.parts import PUBLISHED
from seqniah_tasks.report.runs import Run

WORDS = PUBLISHED
"""To be said of every figure of this module."""

SAMPLES = 2_000
"""Of the paper's test split (section 5.2), every one of them judged."""

SPLIT = "test"
"""What all of it is of."""


def is_beside(run: Run) -> bool:
    """Whether a run is of the split that the paper's figures are of, asked in the usual way."""
    return run.setting.split == SPLIT and not run.setting.setup


NOISE_BASES = 200
"""Samples of it that the noise analysis disturbs (section 5.3)."""

_V1 = "arXiv 2504.04713v1"
_V2 = "arXiv 2504.04713v2"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """An accuracy that the text tells."""

    model: str
    accuracy: float
    """0 to 1, of `SAMPLES`."""
    source: str


@dataclass(frozen=True, slots=True)
class Failures:
    """One line of Table 8: why a model's wrong answers are wrong; several modes may hold."""

    model: str
    """As the table has it; section 5.2 has the names in full."""
    modes: Mapping[FailureMode, int]
    """Wrong answers by failure mode, for the four modes of the table."""
    others: int
    """Wrong answers with "Others": beside the question, or with content besides the items."""
    wrong: int
    """Wrong answers of `SAMPLES`, whatever their modes."""
    source: str

    @property
    def accuracy(self) -> float:
        """0 to 1; it follows from the table, which prints the wrong answers alone."""
        return (SAMPLES - self.wrong) / SAMPLES


@dataclass(frozen=True, slots=True)
class Disturbed:
    """Two lines of Table 5: a model's answers to `NOISE_BASES` samples under noise."""

    model: str
    reference: float
    """Ref.: accuracy of the samples as they are, 0 to 1, like all figures here."""
    accuracy: Mapping[NoiseType, float]
    """Acc. by type of noise: mean of four sets, the samples as they are and three variants."""
    accuracy_all: float
    """Acc. over all types."""
    spread: Mapping[NoiseType, float]
    """Cons. by type as version 2 defines it, a standard deviation; empty in version 1."""
    spread_all: float | None
    """Cons. over all types."""
    agreement: Mapping[NoiseType, float]
    """Cons. by type as version 1 defines it, a share of the samples; empty in version 2."""
    agreement_all: float | None
    """Cons. over all types."""
    source: str


def _failures(model: str, *counts: int) -> Failures:
    *modes, others, wrong = counts
    by_mode = dict(zip(_MODES, modes, strict=True))
    return Failures(model, by_mode, others, wrong, f"{_V2}, Table 8")


_M = FailureMode
_MODES = (_M.MISSING, _M.REDUNDANT, _M.INCORRECT, _M.WRONG_ORDER)

TABLE_8 = (
    _failures("Claude-3.5", 851, 177, 222, 276, 149, 1097),
    _failures("GPT-4o", 956, 338, 249, 189, 936, 1433),
    _failures("GPT-4o-mini", 1111, 166, 269, 318, 135, 1394),
    _failures("Gemini-1.5", 471, 99, 112, 171, 118, 730),
    _failures("LLaMA-3.3", 880, 112, 262, 371, 29, 1205),
    _failures("Qwen-2.5-72B", 724, 128, 253, 283, 10, 999),
    _failures("Qwen-2.5-32B", 919, 136, 303, 391, 35, 1211),
    _failures("Qwen-2.5-7B", 994, 192, 331, 395, 28, 1304),
    _failures("Qwen-3-32B", 814, 193, 289, 322, 28, 1106),
    _failures("Qwen-3-14B", 912, 253, 306, 402, 35, 1247),
    _failures("Qwen-3-8B", 883, 401, 536, 433, 60, 1383),
)
"""In the table's order: missing, redundant and incorrect items, wrong order, others, all wrong."""

BEST_FIRST = tuple(sorted(TABLE_8, key=lambda one: (one.wrong, one.model)))
"""The same, the most accurate first."""

ACCURACIES = (
    Accuracy("Gemini-1.5", 0.6350, f"{_V2}, section 5.2"),
    Accuracy("Qwen-2.5", 0.5005, f"{_V2}, section 5.2"),
    Accuracy("Gemini-1.5", 0.6315, f"{_V1}, section 5.2"),
    Accuracy("Qwen-2.5", 0.5110, f"{_V1}, section 5.2"),
)
"""What the text tells of the test split; Qwen-2.5 is the model of 72B."""

_TYPES = (NoiseType.TM, NoiseType.SM, NoiseType.RO, NoiseType.SN)
"""In the order of the table; version 1 has no SN."""


def _disturbed(
    version: str, model: str, accuracy: tuple[float, ...], consistency: tuple[float, ...]
) -> Disturbed:
    """In percent: Ref, the types and All; Cons. without Ref."""
    reference, *types, whole = _shares(accuracy)
    *by_type, over_all = _shares(consistency)
    told = dict(zip(_TYPES, by_type, strict=False)), over_all
    shown = dict(zip(_TYPES, types, strict=False)), whole
    of_versions = (*told, {}, None) if version == _V2 else ({}, None, *told)
    return Disturbed(model, reference, *shown, *of_versions, f"{version}, Table 5")


def _shares(percentages: tuple[float, ...]) -> list[float]:
    """0 to 1, rounded to what is printed: 63.12 / 100 is not the float that 0.6312 is."""
    return [round(one / 100, 4) for one in percentages]


_SECOND = (
    ("Gemini-1.5", (62.50, 65.00, 63.12, 64.12, 53.88, 61.31), (2.55, 1.89, 1.80, 7.36, 6.58)),
    ("Qwen-2.5", (51.50, 48.50, 48.25, 48.00, 43.00, 45.88), (2.00, 2.25, 2.68, 6.10, 3.73)),
    ("LLaMA-3.3", (38.00, 38.00, 36.50, 42.00, 29.88, 36.27), (0.71, 2.38, 2.92, 5.78, 6.07)),
)
_FIRST = (
    ("Gemini-1.5", (62.50, 65.00, 63.13, 64.12, 64.40), (56.50, 52.00, 47.50, 30.50)),
    ("Qwen-2.5", (51.50, 48.50, 48.25, 48.00, 47.60), (67.50, 65.50, 64.50, 46.50)),
    ("LLaMA-3.3", (38.00, 38.00, 36.50, 42.00, 39.00), (63.50, 55.50, 55.50, 35.50)),
)

TABLE_5 = tuple(_disturbed(_V2, *line) for line in _SECOND)
"""Of version 2, in the table's order."""

TABLE_5_V1 = tuple(_disturbed(_V1, *line) for line in _FIRST)
"""Of version 1, in the table's order; its "All" is over three types."""
