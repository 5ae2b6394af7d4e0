"""Predicted values put beside gold ones, each beside one at most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def aligned(golds: Sequence[T], stated: Sequence[T], fits: Callable[[T, T], bool]) -> bool:
    """Whether every gold value can have a stated one of its own that fits it."""
    from scipy.optimize import linear_sum_assignment

    scores = np.array([[fits(gold, one) for one in stated] for gold in golds], dtype=float)
    if len(stated) < len(golds) or not scores.any(axis=1).all():
        return False
    return bool(scores[linear_sum_assignment(scores, maximize=True)].all())
