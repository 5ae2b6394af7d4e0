"""What any file tells of an answer about stars, as columns of the table of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import StarAsk
from seqniah_tasks.report.columns import MOST_ITEMS
from seqniah_tasks.star_records import CREDITS

# No set: a file may hold what has no hash.
LISTS = tuple(str(ask) for ask in StarAsk if ask.listed)
"""What is asked for that has a list for an answer."""


def verdict(where: str, told: Mapping[str, Any], ask: Any) -> dict[str, Any]:
    """The columns of a verdict from the fields that tell it, but for the score itself.

    Raises `SeqniahError` that names the place, `where`, for credits that are none.
    """
    return {
        "judge": told.get("judge"),
        "judged_by": "rules" if told else None,
        "reason": told.get("reason"),
        "failure_modes": told.get("failure_modes"),
        "item_precision": told.get("precision"),
        "position": told.get("position"),
        "confusion": told.get("confusion"),
        "credits": credits(where, told.get("credits")) if ask in LISTS else None,
        "placed": placed(where, told.get("positions")) if ask in LISTS else None,
    }


_ELSEWHERE = (
    *("id", "model", "benchmark", "pipeline", "ask", "setup", "length", "length_bin", "needles"),
    "score",
)
"""What `seqniah score counting-stars` says of an answer, as the columns call it."""


def is_elsewhere(fields: Mapping[str, Any]) -> bool:
    """Whether a row of scores is of an answer that no harness of ours asked for."""
    return "membership_mean" in fields


def elsewhere(where: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of such a row, of which nobody knows where the stars stand.

    Raises as `verdict` does.
    """
    ask, score = fields.get("ask"), fields.get("score")
    # Its position is told star by star.
    told = {**fields, "position": fields.get("position_mean")}
    return {
        **{name: fields.get(name) for name in _ELSEWHERE},
        **verdict(where, told, ask),
        "judged_by": fields.get("judged_by"),
        "item_recall": score if ask in LISTS else None,
    }


def credits(where: str, given: Any) -> list[float] | None:
    """What each star adds; None where nothing is told."""
    return [CREDITS[one] for one in _signs(where, "credits", given, "".join(CREDITS))] or None


def placed(where: str, given: Any) -> list[bool] | None:
    """Whether each number stands in its star's own place; None where nothing is told."""
    return [one == "1" for one in _signs(where, "positions", given, "10")] or None


def _signs(where: str, name: str, given: Any, known: str) -> str:
    if given is None:
        return ""
    if isinstance(given, str) and len(given) > MOST_ITEMS:
        raise SeqniahError(
            f"{where}: {name} has {len(given):,} signs, more than {MOST_ITEMS:,}; mend it or drop "
            "it."
        )
    if not isinstance(given, str) or given.strip(known):
        raise SeqniahError(
            f"{where}: {name} is one of {', '.join(known)} for each star; mend it or drop it."
        )
    return given


def depths(where: str, given: Any, needles: Any, stars: Any) -> Sequence[Any] | None:
    """Where the stars asked for stand; where that is not told, evenly, if all are asked for.

    Raises `SeqniahError` that names the place, `where`, when they are too many for a table.
    """
    if isinstance(given, list | tuple) and given:
        return given
    if type(needles) is int and 0 < needles == stars:
        if needles > MOST_ITEMS:
            raise SeqniahError(
                f"{where}: {needles:,} needles are more than {MOST_ITEMS:,}; mend or drop it."
            )
        return [(place + 1) / needles for place in range(needles)]
    return None
