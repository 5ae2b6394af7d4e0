"""Kinds of values in records: how one from an untrusted file is checked, and what it becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from seqniah_datasets.errors import SeqniahError

MOST_NAME = 4_096
"""Characters of a name."""

MOST_REASON = 1_024
"""Characters of a reason: inspect's summaries keep no more."""

MOST_ITEMS = 10_000
"""Entries of a list."""

_MOST = 2**53
"""Above any count or amount, exact in every tool that reads a table, and safe to sum up."""

_LENGTH = re.compile(r"([0-9]{1,12}(\.[0-9]{1,6})?[kM]?)?")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a field or column holds."""

    type: str
    """Of a column, as pyarrow names it; of lists, that of their entries with [] behind it."""
    holds: Callable[[Any], bool]
    words: str
    """What it should be."""
    read: Callable[[Any], Any] = lambda given: given
    """What a good value becomes."""

    @property
    def arrow(self) -> Any:
        """Its type in pyarrow, which takes a quarter of a second to import."""
        import pyarrow as pa

        entry = pa.type_for_alias(self.type.removesuffix("[]"))
        return pa.list_(entry) if self.type.endswith("[]") else entry

    def checked(self, where: str, name: str, given: Any) -> Any:
        """The value; None stays None. Raises `SeqniahError` that names the place and the field."""
        if given is None:
            return None
        if not self.holds(given):
            shown = shorten(repr(given)[:200], 60, placeholder="...")
            raise SeqniahError(f"{where}: {name} is {self.words}, not {shown}; fix it or drop it.")
        return self.read(given)


def number(low: float, high: float) -> Callable[[Any], bool]:
    """Whether a value is a number from `low` to `high`."""
    # Not a number compares false.
    return lambda given: type(given) in (int, float) and low <= given <= high


def is_name(given: Any) -> bool:
    """Whether it is a text that a line can show; it may be empty."""
    return isinstance(given, str) and len(given) <= MOST_NAME and given.isprintable()


def list_of(holds: Callable[[Any], bool], most: int = MOST_ITEMS) -> Callable[[Any], bool]:
    """Whether a value is a list of at most so many entries, each of which `holds`."""
    return lambda given: (
        isinstance(given, list | tuple) and len(given) <= most and all(map(holds, given))
    )


def one_of(*known: str) -> Kind:
    """One of these names, or an empty text, which reads as None."""
    taken = "", *known
    return Kind("string", lambda given: given in taken, " or ".join(known), _text)


def some_of(*known: str) -> Kind:
    """A list of some of these names."""
    return Kind(
        "string[]",
        list_of(lambda given: given in known),
        f"a list of {', '.join(known)}",
        lambda given: tuple(map(str, given)),
    )


_FIRST = re.compile(r">?([0-9]{1,12}(?:\.[0-9]{1,6})?)([kmM]?)")


def natural(name: str) -> tuple[bool, float, str]:
    """The order of strata: by their first number (8k-16k, >10, 4k), those without one by name."""
    found = _FIRST.match(name)
    if found is None:
        return True, 0.0, name
    above = name.startswith(">")
    scale = {"": 1, "k": 1e3, "m": 1e6, "M": 1e6}[found[2]]
    return False, float(found[1]) * scale + above / 2, name


def ranges(names: Sequence[str], most: int) -> list[Sequence[str]]:
    """Names in order, neighbours together where they are more than so many."""
    size = -(-len(names) // most)
    return [names[first : first + size] for first in range(0, len(names), size)]


def span(names: Sequence[str]) -> str:
    """What neighbours are called together."""
    return names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}"


def upper_end(name: str) -> str:
    """What a length goes up to: 16k of 8k-16k, 4k of 4k; any other name is left as it is."""
    end = name.rpartition("-")[2]
    return end if _FIRST.fullmatch(end) else name


def _whole(given: Any) -> bool:
    return type(given) is int and 0 <= given <= _MOST


def _is_flag(given: Any) -> bool:
    return type(given) is bool


def _text(given: Any) -> str | None:
    """Half a surrogate pair, which no table can hold, stays as an escape."""
    return str(given).encode("utf-8", "backslashreplace").decode() or None


def _reason(given: str) -> str | None:
    # Most are short; `shorten` alone would take a quarter of the time of reading a log.
    words = " ".join(given[: 8 * MOST_REASON].split())
    return _text(
        words if len(words) <= MOST_REASON else shorten(words, MOST_REASON, placeholder="...")
    )


def _is_length(given: Any) -> bool:
    return isinstance(given, str) and _LENGTH.fullmatch(given) is not None


NAME = Kind(
    "string", is_name, f"a name of at most {MOST_NAME:,} characters that can all be seen", _text
)
COUNT = Kind("int64", _whole, "a whole number from 0")
FROM_ONE = Kind("int64", _whole, "a whole number from 1", lambda given: given or None)
"""Where nothing was reported or numbered, files have a 0."""
FLAG = Kind("bool", _is_flag, "true or false")
SHARE = Kind("float64", number(0, 1), "a number from 0 to 1", float)
SIGNED = Kind("float64", number(-1, 1), "a number from -1 to 1", float)
SHARES = Kind(
    "float64[]",
    list_of(number(0, 1)),
    "a list of numbers from 0 to 1",
    lambda given: tuple(map(float, given)) or None,
)
FLAGS = Kind("bool[]", list_of(_is_flag), "a list of true and false", tuple)
AMOUNT = Kind("float64", number(0, _MOST), f"a number from 0 to {_MOST:,}", float)
PATH = Kind("string", lambda given: isinstance(given, str), "a path", _text)
REASON = Kind("string", lambda given: isinstance(given, str), "a text", _reason)
VERSION = Kind(
    "string", lambda given: is_name(given) or _whole(given), "a name or a whole number", _text
)
LENGTH = Kind("string", _is_length, "a length like 4k", _text)

# What documents must have, so that an answer can be judged.


def choice(*known: str) -> Kind:
    """One of these names."""
    return Kind(
        "string", lambda given: given in known, " or ".join(one or "empty" for one in known)
    )


def _is_positive(given: Any) -> bool:
    return type(given) is int and given > 0


FILLED_NAME = Kind("string", lambda given: is_name(given) and bool(given), "a name")
NAME_OR_NONE = Kind("string", is_name, "empty, or a name")
FILLED_TEXT = Kind("string", lambda given: isinstance(given, str) and bool(given.strip()), "a text")
POSITIVE = Kind("int64", _is_positive, "a whole number from 1")
TEXTS = Kind("string[]", list_of(lambda one: isinstance(one, str)), "a list of texts", tuple)
NUMBERS = Kind(
    "int64[]",
    list_of(lambda given: _is_positive(given) and given < 10**12),
    "a list of whole numbers from 1",
    tuple,
)
