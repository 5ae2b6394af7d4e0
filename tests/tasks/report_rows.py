"""Records for tests of the report: usual ones, but for what a test gives by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks import records
from seqniah_tasks.benchmarks import known
from seqniah_tasks.records import DEPTHS, Record, record
from seqniah_tasks.report.runs import Study, study

COLUMNS = tuple(records.columns())
"""Of all benchmarks."""

_DEFAULTS: dict[str, Any] = {
    "benchmark": "sequential-niah",
    "harness": "inspect",
    "source": "run.eval",
    "model": "org/model",
    "task": "seqniah/test",
    "split": "test",
    "version": "2",
    "edition": "open",
    "tokenizer": "cl100k_base",
    "corpus": "procedural",
    "setup": None,
    "generation": None,
    "planned": None,
    "judge": "rules 3",
    "judged_by": "rules",
    "id": "sample-1",
    "noise": None,
    "variant": None,
    "epoch": 1,
    "lang": "en",
    "pipeline": "synthetic-temporal",
    "length_bin": "8k-16k",
    "order_required": True,
    "finished": True,
    "correct": True,
    "prompt_fate": "whole",
    "seconds": 2.0,
    "output_tokens": 100,
    "cost": None,
}

_OF_VERDICTS = (
    *("failure_modes", "item_recall", "item_precision", "order_agreement", "found"),
    *("score", "position", "confusion", "credits", "placed"),
)


def one(**columns: Any) -> Record:
    """A row: right if nothing else is said, wrong for want of its first item, or unscored.

    `needles` and `needle_group` follow from each other, and from `depths` or `found`; the figures
    of its items from `found`.
    """
    unknown = set(columns) - set(COLUMNS)
    assert not unknown, f"no columns: {unknown}"
    given = {**_DEFAULTS, **columns}
    needles = given.setdefault("needles", _needles(given))
    group = next((group.name for group in GROUPS if group.low <= needles <= group.high), None)
    given.setdefault("needle_group", group)
    for name in ("ask", "length"):
        given.setdefault(name)
    given.setdefault("base", given["id"])
    given.setdefault("depths", tuple((place + 0.5) / needles for place in range(needles)))
    tokens = _tokens(given["length_bin"])
    for name in ("prompt_tokens", "reported_tokens", "input_tokens"):
        given.setdefault(name, tokens)
    of_verdict = dict.fromkeys(_OF_VERDICTS) if given["correct"] is None else _verdict(given)
    for name, value in {"reason": "As the test has it.", **of_verdict}.items():
        given.setdefault(name, value)
    if given["correct"] is None and "judged_by" not in columns:
        given["judged_by"] = None
    return of_columns(given)


def of_columns(given: Mapping[str, Any]) -> Record:
    """A record with these values, whatever they are, by column."""
    benchmark = known()[given["benchmark"]]
    own = benchmark.columns
    told = {name: value for name, value in given.items() if value is not None}
    parts = {"traits": own.traits, "figures": benchmark.figures, "items": (DEPTHS, *own.items)}
    of_parts = {
        part: {name: told.pop(name) for name in names if name in told}
        for part, names in parts.items()
    }
    return Record(**told, **of_parts)


def changed(row: Record, **columns: Any) -> Record:
    """The record with other values, by column; None: it tells none."""
    return of_columns({**records.fields_of(row), **columns})


def rows(count: int, **columns: Any) -> list[Record]:
    """Rows of so many different samples, alike but for their ids: `id`-1, `id`-2 ..."""
    stem = columns.pop("id", "sample")
    return [one(**columns, id=f"{stem}-{number}") for number in range(1, count + 1)]


def studied(*files: Sequence[Record]) -> Study:
    """The study of these files, named 1.eval, 2.eval ... as they are given."""
    return study({Path(f"{number}.eval"): rows for number, rows in enumerate(files, 1)})


def _needles(given: dict[str, Any]) -> int:
    for name in ("found", "depths"):
        if given.get(name):
            return len(given[name])
    low = {group.name: group.low for group in GROUPS}
    return low.get(given.get("needle_group", ""), 4)


def _tokens(length_bin: str | None) -> int | None:
    return next((bin.low + 1_000 for bin in (*BINS, *LONGER_BINS) if bin.name == length_bin), None)


def _verdict(given: dict[str, Any]) -> dict[str, Any]:
    right = given["correct"]
    found = given.get("found") or (right, *[True] * (given["needles"] - 1))
    return {
        "failure_modes": () if right else (str(FailureMode.MISSING),),
        "item_recall": sum(found) / len(found),
        "item_precision": 1.0 if any(found) else 0.0,
        "order_agreement": 1.0 if sum(found) > 1 else None,
        "found": tuple(found),
        "score": float(right),
        **dict.fromkeys(("position", "confusion", "credits", "placed")),
    }


def star(
    credits: Sequence[float] | None,
    placed: Sequence[bool] | None = None,
    thousands: int = 4,
    **columns: Any,
) -> Record:
    """The answer of a list of stars at a length, with what each star adds; None: unscored.

    Without `placed`, each number that is listed stands in its own place.
    """
    usual = {
        "benchmark": "counting-stars",
        "source": "stars.eval",
        "model": "org/model",
        "task": "seqniah/counting_stars",
        "version": "1",
        "edition": "32-32",
        "pipeline": "searching",
        "ask": "list",
        "lang": "en",
        "length_bin": f"{thousands}k",
        "length": 1_000 * thousands,
        "judge": "counting rules 2",
        "prompt_fate": "whole",
        "epoch": 1,
        "harness": "inspect",
        "split": "test",
        "tokenizer": "cl100k_base",
        "corpus": "procedural",
        "input_tokens": 1_000 * thousands,
        "output_tokens": 100,
        "seconds": 2.0,
    }
    given = {**usual, **columns}
    given.setdefault("id", f"stars-{given['lang']}-{thousands}k-r1")
    if credits is not None:
        stars = len(credits)
        own = [credit == 1 for credit in credits] if placed is None else list(placed)
        verdict = {
            "needles": stars,
            "depths": [(place + 1) / stars for place in range(stars)],
            "credits": list(credits),
            "placed": own,
            "score": sum(credits) / stars,
            "position": sum(own) / stars,
            "item_precision": 1.0,
            "failure_modes": [] if min(credits) == 1 else ["missing_items"],
            "reason": "As the test has it.",
            "judged_by": "rules",
        }
        given = {**verdict, **given}
    return record("here", given)
