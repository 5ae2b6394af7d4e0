"""What each column of the table of records holds: how a value is checked, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

import pyarrow as pa

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, NoiseType, Pipeline, StarAsk, StarTask
from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_scorers.counting import CountingFailure
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.records import length_of
from seqniah_tasks.truncation import Fate

HARNESSES = ("inspect", "lm-eval")

SEQUENTIAL_NIAH, COUNTING_STARS = "sequential-niah", "counting-stars"
BENCHMARKS = (SEQUENTIAL_NIAH, COUNTING_STARS)
"""As logs name them; what names none is of the first."""

MOST_NAME = 4_096
"""Characters of a name."""

MOST_REASON = 1_024
"""Characters of a reason: inspect's summaries keep no more."""

_MOST = 2**53
"""Above any count or amount, exact in every tool that reads a table, and safe to sum up."""

MOST_ITEMS = 10_000
"""Entries of a list."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a column holds."""

    type: Any
    """As pyarrow has it."""
    holds: Callable[[Any], bool]
    words: str
    """What it should be."""
    read: Callable[[Any], Any] = lambda given: given
    """What a good value becomes."""


def _number(low: float, high: float) -> Callable[[Any], bool]:
    # Not a number compares false.
    return lambda given: type(given) in (int, float) and low <= given <= high


def _whole(given: Any) -> bool:
    return type(given) is int and 0 <= given <= _MOST


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and len(given) <= MOST_NAME and given.isprintable()


def _is_flag(given: Any) -> bool:
    return type(given) is bool


def _list_of(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda given: (
        isinstance(given, list | tuple) and len(given) <= MOST_ITEMS and all(map(holds, given))
    )


def _text(given: Any) -> str | None:
    """Half a surrogate pair, which no table can hold, stays as an escape."""
    return str(given).encode("utf-8", "backslashreplace").decode() or None


def _reason(given: str) -> str | None:
    # Most are short; `shorten` alone would take a quarter of the time of reading a log.
    words = " ".join(given[: 8 * MOST_REASON].split())
    return _text(
        words if len(words) <= MOST_REASON else shorten(words, MOST_REASON, placeholder="...")
    )


def _one_of(*known: str) -> _Kind:
    taken = "", *known
    return _Kind(pa.string(), lambda given: given in taken, " or ".join(known), _text)


def _modes(*known: str) -> _Kind:
    return _Kind(
        pa.list_(pa.string()),
        _list_of(lambda given: given in known),
        f"a list of {', '.join(known)}",
        lambda given: tuple(map(str, given)),
    )


def _is_length(given: Any) -> bool:
    return isinstance(given, str) and (not given or length_of(given) is not None)


_NAME = _Kind(
    pa.string(), _is_name, f"a name of at most {MOST_NAME:,} characters that can all be seen", _text
)
_COUNT = _Kind(pa.int64(), _whole, "a whole number from 0")
# Where nothing was reported or numbered, files have a 0.
_FROM_ONE = _Kind(pa.int64(), _whole, "a whole number from 1", lambda given: given or None)
_FLAG = _Kind(pa.bool_(), _is_flag, "true or false")
_SHARE = _Kind(pa.float64(), _number(0, 1), "a number from 0 to 1", float)
_SHARES = _Kind(
    pa.list_(pa.float64()),
    _list_of(_number(0, 1)),
    "a list of numbers from 0 to 1",
    lambda given: tuple(map(float, given)) or None,
)
_AMOUNT = _Kind(pa.float64(), _number(0, _MOST), f"a number from 0 to {_MOST:,}", float)

_ALIKE: dict[str, _Kind] = {
    **dict.fromkeys(("model", "task", "edition", "tokenizer", "corpus", "setup"), _NAME),
    **dict.fromkeys(("generation", "judge", "id", "base"), _NAME),
    **dict.fromkeys(("variant", "epoch", "needles"), _FROM_ONE),
    "planned": _COUNT,
    **dict.fromkeys(("prompt_tokens", "reported_tokens", "input_tokens"), _FROM_ONE),
    "harness": _one_of(*HARNESSES),
    "source": _Kind(pa.string(), lambda given: isinstance(given, str), "a path", _text),
    "split": _one_of(*SPLITS),
    "version": _Kind(
        pa.string(),
        lambda given: _is_name(given) or _whole(given),
        "a name or a whole number",
        _text,
    ),
    "judged_by": _one_of("rules", "model"),
    "noise": _one_of(*NoiseType),
    "lang": _one_of(*LANGS),
    "benchmark": _one_of(*BENCHMARKS),
    "ask": _one_of(*StarAsk),
    "length": _FROM_ONE,
    "needle_group": _one_of(*(one.name for one in GROUPS)),
    "order_required": _FLAG,
    "finished": _FLAG,
    "correct": _FLAG,
    "reason": _Kind(pa.string(), lambda given: isinstance(given, str), "a text", _reason),
    **dict.fromkeys(("score", "item_recall", "item_precision", "position", "confusion"), _SHARE),
    "order_agreement": _Kind(pa.float64(), _number(-1, 1), "a number from -1 to 1", float),
    "depths": _SHARES,
    "found": _Kind(pa.list_(pa.bool_()), _list_of(_is_flag), "a list of true and false", tuple),
    "credits": _SHARES,
    "placed": _Kind(
        pa.list_(pa.bool_()),
        _list_of(_is_flag),
        "a list of true and false",
        lambda given: tuple(given) or None,
    ),
    "prompt_fate": _one_of(*Fate),
    "output_tokens": _COUNT,
    "seconds": _AMOUNT,
    "cost": _AMOUNT,
}

_OWN: dict[str, dict[str, _Kind]] = {
    SEQUENTIAL_NIAH: {
        "pipeline": _one_of(*Pipeline),
        "length_bin": _one_of(*(one.name for one in (*BINS, *LONGER_BINS))),
        "failure_modes": _modes(*FailureMode),
    },
    COUNTING_STARS: {
        "pipeline": _one_of(*StarTask),
        "length_bin": _Kind(
            pa.string(),
            _is_length,
            "a length like 4k",
            _text,
        ),
        "failure_modes": _modes(*CountingFailure),
    },
}

KINDS: dict[str, dict[str, _Kind]] = {name: _ALIKE | own for name, own in _OWN.items()}
"""By benchmark and column."""


def check(where: str, name: str, given: Any) -> Any:
    """The value of a column that all benchmarks share, from what a file holds; None stays None.

    Raises `SeqniahError` that names the place, `where`, and the column.
    """
    return _checked(where, name, _ALIKE[name], given)


def values(where: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all columns from what a file holds; what it does not is None.

    Raises as `check` does.
    """
    benchmark = given.get("benchmark") or SEQUENTIAL_NIAH
    check(where, "benchmark", benchmark)
    found: dict[str, Any] = dict.fromkeys(KINDS[benchmark])
    for name, kind in KINDS[benchmark].items():
        one = given.get(name)
        if one is not None:
            # Most are good: then no more than this is to be done.
            good = kind.holds(one)
            found[name] = kind.read(one) if good else _checked(where, name, kind, one)
    return {**found, "benchmark": benchmark}


def _checked(where: str, name: str, kind: _Kind, given: Any) -> Any:
    if given is None:
        return None
    if not kind.holds(given):
        shown = shorten(repr(given)[:200], 60, placeholder="...")
        raise SeqniahError(f"{where}: {name} is {kind.words}, not {shown}; mend it or drop it.")
    return kind.read(given)
