"""The table of records: one row an answer, the same columns for either harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from textwrap import shorten
from typing import Any

import pyarrow as pa

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, NoiseType, Pipeline
from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.truncation import Fate

HARNESSES = ("inspect", "lm-eval")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer and its verdict. What a file does not tell is None, never 0 or an empty text.

    Of an unscored answer, `failure_modes`, the three figures of its items and `found` are None.
    """

    harness: str | None
    """inspect or lm-eval; None for responses that were made elsewhere."""
    source: str
    """The file that it stands in, as it was given."""
    model: str | None
    """As the harness names it."""
    task: str | None
    """As the harness names it."""
    split: str | None
    """test, dev or train."""
    version: str | None
    """Of the benchmark's bytes."""
    edition: str | None
    """Of the questions: open or paper."""
    tokenizer: str | None
    """The encoding in which `prompt_tokens` are counted."""
    corpus: str | None
    """What the haystacks are made of."""
    setup: str | None
    """What makes the run another test than the usual, e.g. "closed book"; else None."""
    judge: str | None
    """The judge as reports call it, with its version or model."""
    judged_by: str | None
    """rules or model, whichever decided or failed to; None where nothing was judged."""
    id: str
    """Of the sample; it names the sample's bytes."""
    base: str | None
    """Id of the sample that it is a variant of, or its own."""
    noise: str | None
    """Type of noise; None, beside a `base`, for a sample as it is."""
    variant: int | None
    """Number within its type, from 1; None where `noise` is."""
    epoch: int | None
    """Which time the sample was asked in its run, from 1."""
    lang: str | None
    """en or zh."""
    pipeline: str | None
    """Where the question comes from."""
    length_bin: str | None
    """Tokens of the prompt, as a range."""
    needle_group: str | None
    """Needles, as a range."""
    needles: int | None
    """How many items the reference has."""
    order_required: bool | None
    """Whether the question demands the true order."""
    correct: bool | None
    """The verdict; None: unscored, for a reason that is not the model's."""
    reason: str | None
    """The verdict in a sentence, or why there is none; at most 1,024 characters."""
    failure_modes: tuple[str, ...] | None
    """Why it is wrong, in the order of `FailureMode`; empty when it is right."""
    item_recall: float | None
    """Reference items stated rightly, over all reference items, 0 to 1."""
    item_precision: float | None
    """Answer items that state a reference item rightly, over all answer items, 0 to 1."""
    order_agreement: float | None
    """Kendall's tau over the rightly stated items, -1 to 1; None with fewer than two of them."""
    depths: tuple[float, ...] | None
    """Where each needle stands in the prompt, 0 (start) to 1 (end), in true order."""
    found: tuple[bool, ...] | None
    """Whether each needle was stated rightly, in true order."""
    prompt_fate: str | None
    """Whether the model saw the whole prompt: whole, cut, unverified or skipped."""
    prompt_tokens: int | None
    """Exact tokens of the prompt, in the run's `tokenizer`."""
    reported_tokens: int | None
    """Tokens of the prompt by the provider, or counted as the model counts; cached ones too."""
    input_tokens: int | None
    """Tokens that the model under test was charged for reading, cached ones included."""
    output_tokens: int | None
    """Tokens that the model under test wrote, its thoughts included."""
    seconds: float | None
    """From the start of the sample to its verdict, without waiting for limits."""
    cost: float | None
    """US dollars for the model under test, by the prices that the run knew."""


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


_MODES = tuple(FailureMode)

_NAME = _Kind(
    pa.string(), _is_name, f"a name of at most {MOST_NAME:,} characters that can all be seen", _text
)
_COUNT = _Kind(pa.int64(), _whole, "a whole number from 0")
# Where nothing was reported or numbered, files have a 0.
_FROM_ONE = _Kind(pa.int64(), _whole, "a whole number from 1", lambda given: given or None)
_FLAG = _Kind(pa.bool_(), _is_flag, "true or false")
_SHARE = _Kind(pa.float64(), _number(0, 1), "a number from 0 to 1", float)
_AMOUNT = _Kind(pa.float64(), _number(0, _MOST), f"a number from 0 to {_MOST:,}", float)

_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("model", "task", "edition", "tokenizer", "corpus", "setup"), _NAME),
    **dict.fromkeys(("judge", "id", "base"), _NAME),
    **dict.fromkeys(("variant", "epoch", "needles"), _FROM_ONE),
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
    "pipeline": _one_of(*Pipeline),
    "length_bin": _one_of(*(one.name for one in (*BINS, *LONGER_BINS))),
    "needle_group": _one_of(*(one.name for one in GROUPS)),
    "order_required": _FLAG,
    "correct": _FLAG,
    "reason": _Kind(pa.string(), lambda given: isinstance(given, str), "a text", _reason),
    "failure_modes": _Kind(
        pa.list_(pa.string()),
        _list_of(lambda given: given in _MODES),
        f"a list of {', '.join(_MODES)}",
        lambda given: tuple(map(str, given)),
    ),
    "item_recall": _SHARE,
    "item_precision": _SHARE,
    "order_agreement": _Kind(pa.float64(), _number(-1, 1), "a number from -1 to 1", float),
    "depths": _Kind(
        pa.list_(pa.float64()),
        _list_of(_number(0, 1)),
        "a list of numbers from 0 to 1",
        lambda given: tuple(map(float, given)) or None,
    ),
    "found": _Kind(
        pa.list_(pa.bool_()),
        _list_of(_is_flag),
        "a list of true and false",
        tuple,
    ),
    "prompt_fate": _one_of(*Fate),
    "output_tokens": _COUNT,
    "seconds": _AMOUNT,
    "cost": _AMOUNT,
}

COLUMNS = tuple(field.name for field in fields(Row))

SCHEMA = pa.schema([(name, _KINDS[name].type) for name in COLUMNS])

_OF_VERDICTS = ("failure_modes", "item_recall", "item_precision", "order_agreement", "found")
"""What an unscored answer has not."""


def check(where: str, name: str, given: Any) -> Any:
    """A column's value from what a file holds; None stays None.

    Raises `SeqniahError` that names the place, `where`, and the column.
    """
    kind = _KINDS[name]
    if given is None:
        return None
    if not kind.holds(given):
        shown = shorten(repr(given)[:200], 60, placeholder="...")
        raise SeqniahError(f"{where}: {name} is {kind.words}, not {shown}; mend it or drop it.")
    return kind.read(given)


def row(where: str, given: Mapping[str, Any]) -> Row:
    """A row from what a file holds, by column; columns that are not given are None.

    Raises `SeqniahError` that names the place, `where`, and the column.
    """
    values: dict[str, Any] = dict.fromkeys(COLUMNS)
    for name, kind in _KINDS.items():
        found = given.get(name)
        if found is not None:
            values[name] = kind.read(found) if kind.holds(found) else check(where, name, found)
    for name in ("source", "id"):
        if values[name] is None:
            raise SeqniahError(f"{where}: {name} is missing; drop what has none.")
    if values["correct"] is None:
        values |= dict.fromkeys(_OF_VERDICTS)
    if values["noise"] is None:
        values["variant"] = None
    for name in ("depths", "found"):
        listed, needles = values[name], values["needles"]
        if listed is not None and needles is not None and len(listed) != needles:
            raise SeqniahError(f"{where}: {name} is a list of {needles}, not of {len(listed)}.")
    return Row(**values)


def table(rows: Iterable[Row]) -> pa.Table:
    """The rows as a table, in their order; its columns are those of `SCHEMA`, whatever is there."""
    kept = list(rows)
    columns = [
        pa.array([getattr(one, field.name) for one in kept], type=field.type) for field in SCHEMA
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)
