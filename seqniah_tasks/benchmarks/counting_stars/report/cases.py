"""An answer about stars beside its reference: which number of it is which star's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from seqniah_scorers import counting
from seqniah_scorers.verdict import ItemPair
from seqniah_tasks.records import Transcript
from seqniah_tasks.report.cases import MOST_ALIGNED, Beside


def beside(told: Transcript) -> tuple[Beside | None, str | None]:
    """Star by star; nothing of a reference that is none."""
    found = None
    if len(told.reference) <= MOST_ALIGNED:
        found = numbers(told.reference, told.response, told.record.items.get("credits"))
    if found is None:
        return None, "The reference is not as the task writes it, or too long to be shown by stars."
    return found, None


def numbers(reference: str, response: str, credits: Sequence[float] | None) -> Beside | None:
    """The numbers of an answer beside a reference's; None where that is not as a task writes it.

    Those that are scored count: as many as stars, of equal ones the first. `credits` tell of which
    stars only the mistaken number was listed (reasoning).
    """
    try:
        given: Any = json.loads(reference)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or len(given) != 1:
        return None
    ((key, value),) = given.items()
    if _is_number(value):
        said = counting.read_one(response, (key,)).numbers[-1:]
        pair = ItemPair(0, 0 if said else None, said == (value,))
        return Beside((pair,), (str(value),), tuple(map(str, said)))
    if not isinstance(value, list) or not value or not all(map(_is_number, value)):
        return None
    kept = counting.kept(counting.read(response, (key,)).numbers, len(value))
    near = [0.0] * len(value) if credits is None or len(credits) != len(value) else credits
    return _numbers(value, kept, [credit == counting.WRONG_ONLY for credit in near])


def _is_number(given: Any) -> bool:
    return type(given) is int


def _numbers(right: Sequence[int], kept: Sequence[int], mistaken: Sequence[bool]) -> Beside:
    place = {number: at for at, number in enumerate(kept)}
    stars = frozenset(right)
    pairs: list[ItemPair] = []
    for star, (number, near) in enumerate(zip(right, mistaken, strict=True)):
        at = place.get(number)
        if at is None and near:
            # A mistaken number is next to the right one, and no star's.
            beside = (number - 1, number + 1)
            at = next((place[one] for one in beside if one in place and one not in stars), None)
        pairs.append(ItemPair(star, at, at is not None and kept[at] == number))
    used = {pair.answer for pair in pairs}
    pairs += [ItemPair(None, at, False) for at in range(len(kept)) if at not in used]
    return Beside(pairs, tuple(map(str, right)), tuple(map(str, kept)))
