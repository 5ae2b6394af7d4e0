"""Single options as a user writes them, checked; what is wrong is named with what would do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from seqniah_datasets.errors import SeqniahError, UnknownName

T = TypeVar("T")

Given = str | int | float | Sequence[str | int | float] | None
"""An option as it may arrive: from Python, from -T, from YAML, from JSON."""

MOST_DIGITS = 16
"""Of a number; Python itself refuses to read those of thousands."""


def flag(what: str, given: Given) -> bool:
    """True or false. Raises like `one`."""
    if isinstance(given, bool):
        return given
    words = {"true": True, "false": False, "1": True, "0": False}
    return words[one(what, str(given).lower(), list(words))]


def share(what: str, given: Given) -> float:
    """A number from 0 to 1. Raises `SeqniahError` for any other."""
    try:
        found = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = math.nan
    if not 0 <= found <= 1:
        raise SeqniahError(f"{what} is a share from 0 to 1, not {given!r}.")
    return found


def parts(given: Given) -> list[str]:
    """The entries of a list or comma list, without blanks."""
    if given is None:
        return []
    if isinstance(given, str | int | float):
        given = str(given).split(",")
    return [str(part).strip() for part in given if str(part).strip()]


def one(what: str, given: str, known: Sequence[T]) -> T:
    """One of the known choices. Raises `UnknownName`, which lists them."""
    for choice in known:
        if given == choice:
            return choice
    raise UnknownName(what, given, [str(choice) for choice in known])


def text(what: str, given: Given) -> str:
    """A name or path; harnesses turn one with a comma into a list, and digits into a number.

    Raises `SeqniahError` when it is empty.
    """
    found = ",".join(map(str, given)) if isinstance(given, list | tuple) else str(given or "")
    if not found.strip():
        raise SeqniahError(f"{what} is empty; give a name or a path, or leave the option out.")
    return found


Reader = Callable[[str, Any], Any]
"""The value of an option from its name and what a user wrote. Raises `SeqniahError`."""


def one_of(*known: T) -> Reader:
    """Reads one of the known choices."""
    return lambda what, given: one(what, given, known)


def list_of(*known: T) -> Reader:
    """Reads a comma list of known choices, each once; none of none."""
    return lambda what, given: tuple(dict.fromkeys(one(what, part, known) for part in parts(given)))


def whole_from(least: int, most: int | None = None) -> Reader:
    """Reads a whole number. Raises `SeqniahError`."""

    def read(what: str, given: Given) -> int:
        wanted = f"{what} is a whole number from {least}"
        if isinstance(given, str) and len(given) >= MOST_DIGITS:
            raise SeqniahError(f"{wanted}, of fewer than {MOST_DIGITS} digits, not {given[:40]!r}.")
        if isinstance(given, str) and given.strip().isdecimal():
            given = int(given)
        # Neither 1.5 nor True is rounded to something that was not asked for.
        if isinstance(given, bool) or not isinstance(given, int) or given < least:
            raise SeqniahError(f"{wanted}, not {given!r}.")
        if most is not None and given > most:
            raise SeqniahError(f"{wanted} to {most:,}, not {given:,}.")
        return given

    return read


LONGEST = 100_000_000
"""Units of the longest prompt; more are a mistake."""


def length(what: str, given: Given, least: int = 1) -> int:
    """A number of units, or one with k (thousand) or m (million) behind it.

    Raises `SeqniahError` for one below `least`, or above `LONGEST`.
    """
    text = str(given).strip().lower().replace("_", "")
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    digits = text[:-1] if factor > 1 else text
    readable = digits.isdecimal() and len(digits) < MOST_DIGITS
    found = int(digits) * factor if readable else -1
    if isinstance(given, bool) or not least <= found <= LONGEST:
        raise SeqniahError(
            f"{what} is a length like 128000, 128k or 1m, up to {LONGEST:,}, not {given!r}."
        )
    return found


def lengths(least: int) -> Reader:
    """Reads a comma list of lengths, each once, rising; see `length`."""
    return lambda what, given: tuple(sorted({length(what, one, least) for one in parts(given)}))


def length_name(length: int) -> str:
    """4k for 4,000, and 4096 for itself."""
    return str(length) if length % 1_000 or not length else f"{length // 1_000}k"


def paths(what: str, given: Given) -> tuple[Path, ...]:
    """A comma list of paths."""
    return tuple(map(Path, parts(given)))
