"""What documents of each benchmark hold in a samples file: how each field is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seqniah_datasets.schema import (
    LANGS,
    NEEDLE_ORDERS,
    SPLITS,
    NoiseType,
    Pipeline,
    StarAsk,
    StarTask,
)
from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_tasks.report.columns import COUNTING_STARS, SEQUENTIAL_NIAH

Check = tuple[Callable[[Any], bool], str]
"""Whether a value is good, and what it should be, in words."""

_LONGEST_NAME = 4_096

_MOST_STARS = 10_000
"""Of one document, whoever counted them."""

_MOST_NUMBER = 10**12


def is_name(given: Any) -> bool:
    """Whether it is a text that a line can show."""
    return isinstance(given, str) and 0 < len(given) <= _LONGEST_NAME and given.isprintable()


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _is_count(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given > 0


def _one_of(*known: str) -> Check:
    return (lambda given: given in known), " or ".join(known)


def _list_of(holds: Callable[[Any], bool], most: int = _MOST_STARS) -> Callable[[Any], bool]:
    return lambda given: isinstance(given, list) and len(given) <= most and all(map(holds, given))


def _is_number(given: Any) -> bool:
    return _is_count(given) and given < _MOST_NUMBER


_NAME: Check = is_name, "a name"
_TEXT: Check = _is_text, "a text"
_COUNT: Check = _is_count, "a whole number from 1"
_FLAG: Check = (lambda given: isinstance(given, bool)), "true or false"
_NUMBERS: Check = _list_of(_is_number), "a list of whole numbers from 1"

_SHARED: dict[str, Check] = {
    "id": _NAME,
    "version": _COUNT,
    "edition": _NAME,
    "tokenizer": _NAME,
    "corpus": _NAME,
    "split": _one_of(*SPLITS),
    "lang": _one_of(*LANGS),
    "needles": _COUNT,
    "question": _TEXT,
    "reference": _TEXT,
}

FIELDS: dict[str, dict[str, Check]] = {
    SEQUENTIAL_NIAH: {
        **_SHARED,
        "benchmark": _one_of(SEQUENTIAL_NIAH),
        "order": _one_of(*NEEDLE_ORDERS),
        "closed_book": _FLAG,
        "pipeline": _one_of(*Pipeline),
        "length_bin": _one_of(*(one.name for one in (*BINS, *LONGER_BINS))),
        "needle_group": _one_of(*(one.name for one in GROUPS)),
        "order_required": _FLAG,
        "parties": (_list_of(lambda one: isinstance(one, str)), "a list of texts"),
        "in_suite": _FLAG,
        "base": _NAME,
        "noise": (lambda given: given in ("", *NoiseType), f"empty, {', '.join(NoiseType)}"),
        "variant": (lambda given: given == 0 or _is_count(given), "a whole number from 0"),
    },
    COUNTING_STARS: {
        **_SHARED,
        "benchmark": _one_of(COUNTING_STARS),
        "setup": (lambda given: given == "" or is_name(given), "empty, or a name"),
        "stars": _COUNT,
        "pipeline": _one_of(*StarTask),
        "ask": _one_of(*StarAsk),
        "length_bin": _NAME,
        "length": _COUNT,
        "repeat": _COUNT,
        "right": _NUMBERS,
        "wrong": _NUMBERS,
        "others": (_list_of(_list_of(_is_number)), "a list of lists of whole numbers from 1"),
        "asked": (_list_of(is_name, 8), "a list of names, at most 8"),
    },
}
"""By benchmark: what a `Document` or a `StarDocument` holds."""


def fault(document: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first field of a document of a known benchmark that is wrong, and what it should be."""
    for name, (holds, words) in FIELDS[document["benchmark"]].items():
        if not holds(document.get(name)):
            return name, words
    return _odd_stars(document) if document["benchmark"] == COUNTING_STARS else None


def _odd_stars(document: Mapping[str, Any]) -> tuple[str, str] | None:
    """What fits no star case, though each field is good by itself."""
    count = document["needles"]
    if len(document["right"]) != count:
        return "right", f"a list of {count} numbers, one for each of needles"
    reasoning = document["pipeline"] == StarTask.REASONING
    if len(document["wrong"]) != (count if reasoning else 0):
        return "wrong", "as long a list as right in the task reasoning, else empty"
    return None
