"""What records keep of answers of Sequential-NIAH."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, NoiseType, Pipeline
from seqniah_datasets.splits import GROUPS
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.benchmarks.protocol import Columns, Facts
from seqniah_tasks.benchmarks.sequential_niah.options import LENGTHS, SHORTER, UNKNOWN
from seqniah_tasks.kinds import FLAG, FLAGS, MOST_ITEMS, SHARE, SIGNED, one_of


def read(where: str, facts: Facts, told: Facts) -> dict[str, Any]:
    """Columns that files tell in other words: which needles were found, from pairs of items."""
    columns: dict[str, Any] = {}
    if not facts.get("noise"):
        columns["variant"] = None
    if "pairs" in told:
        needles = facts.get("needles")
        found = _found(where, told, needles if type(needles) is int else None)
        columns["found"] = found
        if needles is None:
            columns["needles"] = len(found)
    elif not isinstance(told.get("found"), list):
        columns["found"] = _fates(told)
    if facts.get("needle_depths") is None and told.get("needle_fates") is not None:
        fates = _objects(where, told, "needle_fates")
        columns["depths"] = [one.get("depth") for one in fates]
    return columns


def _fates(told: Facts) -> list[Any] | None:
    """From the items of a log of an early version, which tells it in full only."""
    needles = told.get("needles")
    listed = needles if isinstance(needles, list) else []
    return [one.get("found") for one in listed if isinstance(one, dict)] or None


def _found(where: str, told: Facts, needles: int | None) -> list[bool]:
    """Whether each item was stated, from a verdict's pairs; without `needles`, of all they name."""
    same = {pair.get("reference"): pair.get("same") for pair in _objects(where, told, "pairs")}
    numbers = [number for number in same if type(number) is int and number >= 0]
    count = len(numbers) if needles is None else needles
    if count > MOST_ITEMS:
        raise SeqniahError(
            f"{where}: {count} needles are more than {MOST_ITEMS:,}; fix the line, or drop it."
        )
    return [same.get(number) is True for number in range(count)]


def _objects(where: str, fields: Facts, name: str) -> list[Mapping[str, Any]]:
    given = fields.get(name)
    if (
        not isinstance(given, list)
        or not all(isinstance(one, dict) for one in given)
        or any(isinstance(one.get("reference"), list | dict) for one in given)
    ):
        raise SeqniahError(f"{where}: {name} is not as seqniah writes it; drop the line.")
    return given


def _setups(facts: Facts) -> list[str]:
    lures = facts.get("lures") if type(facts.get("lures")) is int else 0
    told = {
        "closed book": facts.get("closed_book"),
        "needles in true order": facts.get("order") == "sorted",
        "needles inline": facts.get("placement") == "inline",
        f"lures: {lures}": lures,
        "order always asked for": facts.get("ask_order"),
        "answers quoted": facts.get("answer") == "quoted",
    }
    return [words for words, holds in told.items() if holds]


COLUMNS = Columns(
    traits={
        "noise": one_of(*NoiseType),
        "pipeline": one_of(*Pipeline, UNKNOWN),
        "needle_group": one_of(*(one.name for one in GROUPS)),
        "order_required": FLAG,
    },
    figures={"item_recall": SHARE, "item_precision": SHARE, "order_agreement": SIGNED},
    items={"found": FLAGS},
    lang=one_of(*LANGS),
    failure_modes=tuple(FailureMode),
    length=one_of(*(one.name for one in (SHORTER, *LENGTHS))),
    read=read,
    is_cut=lambda facts, told: not isinstance(told.get("found"), list),
    setups=_setups,
)
