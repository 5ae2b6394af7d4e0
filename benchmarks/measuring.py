"""How everything here is timed and told."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable

RUNS = 5


def spec() -> str:
    real = os.environ.get("SEQNIAH_REAL_DATA")
    return f"{real}/corpora" if real else "procedural"


def cpu(work: Callable[[], object]) -> float:
    """Processor seconds of a piece of work, children included."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def median(work: Callable[[], float], runs: int = RUNS) -> float:
    return statistics.median(work() for _ in range(runs))


def say(what: str, figure: float, unit: str, note: str = "") -> None:
    print(f"{what:<46} {figure:>10,.2f} {unit:<10} {note}", flush=True)
