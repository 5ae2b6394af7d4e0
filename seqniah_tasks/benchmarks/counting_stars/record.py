"""What records keep of answers about stars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, StarAsk, StarTask
from seqniah_scorers.counting import CountingFailure
from seqniah_scorers.stars import StarVerdict
from seqniah_tasks.benchmarks.protocol import Columns, Facts
from seqniah_tasks.kinds import FLAGS, MOST_ITEMS, SHARE, SHARES, one_of

T = TypeVar("T")

JUDGE = "counting rules 2"
"""Who judges, as logs name it."""

FIGURES = {
    "position": "numbers in their own places of the list",
    "precision": "right ones of the numbers listed",
    "confusion": "other players' ones of the numbers answered",
}
"""What stands beside the score of an answer, and what a mean of it tells."""

_CREDITS = {"1": 1.0, "h": 0.5, "q": 0.25, "0": 0.0}
"""Stars' credits, a letter each: short, so that summaries of logs keep those of many stars."""

_LETTERS = {credit: letter for letter, credit in _CREDITS.items()}

# No set: a file may hold what has no hash.
LISTS = tuple(str(ask) for ask in StarAsk if ask.listed)
"""What is asked for that has a list for an answer."""


def told(verdict: StarVerdict) -> dict[str, Any]:
    """A verdict beside its score, as fields of logs and files."""
    return {
        **{name: getattr(verdict, name) for name in FIGURES},
        "credits": "".join(_LETTERS[credit] for credit in verdict.credits),
        "positions": "".join(map(str, verdict.positions)),
        "failure_modes": [str(mode) for mode in verdict.failure_modes],
        "reason": verdict.reason,
    }


def read(where: str, facts: Facts, told: Facts) -> dict[str, Any]:
    """Columns that files tell in other words. Raises `SeqniahError` for credits that are none."""
    listed = facts.get("ask") in LISTS
    # Of answers that no harness of ours asked for, `position` is told star by star.
    elsewhere = "membership_mean" in told
    depths = facts.get("needle_depths")
    return {
        "base": None if elsewhere else facts.get("id"),
        "item_recall": told.get("score") if listed else None,
        "item_precision": told.get("precision"),
        "position": told.get("position_mean" if elsewhere else "position"),
        "credits": _read(where, "credits", told, _CREDITS) if listed else None,
        "placed": _read(where, "positions", told, {"1": True, "0": False}) if listed else None,
        "depths": _depths(where, depths, facts.get("needles"), facts.get("stars")),
    }


def _read(where: str, name: str, told: Facts, known: Mapping[str, T]) -> list[T] | None:
    """What the sign of each star stands for; None where nothing is told."""
    given = "" if told.get(name) is None else told[name]
    if isinstance(given, str) and len(given) > MOST_ITEMS:
        raise SeqniahError(
            f"{where}: {name} has {len(given):,} signs, more than {MOST_ITEMS:,}; fix or drop it."
        )
    if not isinstance(given, str) or given.strip("".join(known)):
        raise SeqniahError(
            f"{where}: {name} is one of {', '.join(known)} for each star; fix it or drop it."
        )
    return [known[one] for one in given] or None


def _depths(where: str, given: Any, needles: Any, stars: Any) -> Sequence[Any] | None:
    """Where the stars asked for stand; where that is not told, evenly, if all are asked for."""
    if isinstance(given, list | tuple) and given:
        return given
    if type(needles) is int and 0 < needles == stars:
        if needles > MOST_ITEMS:
            raise SeqniahError(
                f"{where}: {needles:,} needles are more than {MOST_ITEMS:,}; fix or drop it."
            )
        return [(place + 1) / needles for place in range(needles)]
    return None


def _is_cut(facts: Facts, told: Facts) -> bool:
    if facts.get("ask") not in LISTS or not told:
        return False
    signs, needles = told.get("credits"), facts.get("needles")
    # Without their depths, all stars of a sky stand evenly; some of them may stand anywhere.
    depths = isinstance(facts.get("needle_depths"), str) and needles != facts.get("stars")
    return depths or (isinstance(signs, str) and isinstance(needles, int) and len(signs) < needles)


COLUMNS = Columns(
    traits={"pipeline": one_of(*StarTask), "ask": one_of(*StarAsk)},
    figures=dict.fromkeys(("item_recall", "item_precision", "position", "confusion"), SHARE),
    items={"credits": SHARES, "placed": replace(FLAGS, read=lambda given: tuple(given) or None)},
    lang=one_of(*LANGS),
    failure_modes=tuple(CountingFailure),
    read=read,
    is_cut=_is_cut,
)
