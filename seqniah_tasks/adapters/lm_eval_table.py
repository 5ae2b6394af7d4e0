"""Files of lm-eval's answers with their verdicts, and files of verdicts, as rows of the table."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval_samples import Sample, SamplesFile, lines, sample
from seqniah_tasks.records import setup
from seqniah_tasks.report import star_rows
from seqniah_tasks.report.columns import COUNTING_STARS, MOST_ITEMS
from seqniah_tasks.report.table import COLUMNS, Row, row
from seqniah_tasks.truncation import NOTES, Fate

_VERDICT = (
    *("correct", "reason", "failure_modes", "item_recall", "item_precision", "order_agreement"),
    *("judge", "judged_by"),
)

_DOCUMENT = (
    *("benchmark", "split", "version", "edition", "tokenizer", "corpus", "id", "base", "noise"),
    *("variant", "lang", "pipeline", "ask", "length_bin", "length", "needle_group", "needles"),
    *("order_required",),
)


def is_verdicts(path: Path) -> bool:
    """Whether a file is one that `seqniah score` wrote, by its first line.

    Raises `SeqniahError` when it cannot be read.
    """
    for _, raw in lines(path):
        try:
            first = json.loads(raw)
        except (ValueError, RecursionError):
            return False
        return isinstance(first, dict) and _is_verdict(first) and "doc" not in first
    return False


def read(file: SamplesFile) -> list[Row]:
    """The answers of a samples file that a run has judged, in their order.

    Raises `SeqniahError` that names file, line and field, and when there are no verdicts.
    """
    rows: list[Row] = []
    line_of: dict[str, int] = {}
    for number, raw in lines(file.path):
        one = sample(file, number, raw)
        where = f"{file.path}, line {number}"
        if one.judged is None:
            raise SeqniahError(
                f"{where} has no verdict; judge the file first, and give what this writes: seqniah "
                f"score lm-eval {shlex.quote(str(file.path))} --out verdicts.jsonl"
            )
        name = one.document["id"]
        first = line_of.setdefault(name, number)
        if first != number:
            raise SeqniahError(f"{where}: the sample {name} was in line {first} already; drop one.")
        rows.append(_of_sample(where, one, one.judged))
    if not rows:
        raise SeqniahError(f"{file.path} holds no sample; give a file that lm-eval wrote.")
    return rows


def _of_sample(where: str, one: Sample, judged: Mapping[str, Any]) -> Row:
    document: Mapping[str, Any] = cast(Mapping[str, Any], one.document)
    seen = one.fate not in (Fate.CUT, Fate.SKIPPED)
    stars = document["benchmark"] == COUNTING_STARS
    given = {
        "harness": "lm-eval",
        "source": str(one.file.path),
        "model": one.file.model,
        "task": one.file.task,
        "generation": one.file.generation,
        "epoch": 1,
        **{name: document.get(name) for name in _DOCUMENT},
        "setup": setup(document),
        **{name: judged.get(name) for name in NOTES},
        "depths": list(one.depths),
        **(_stars(where, one, judged) if stars else _sequence(where, document, judged)),
        "prompt_fate": str(one.fate),
    }
    if not seen:
        reason = "The prompt was not seen whole."
        given |= {"correct": None, "score": None, "judged_by": None, "reason": reason}
    return row(where, given)


def _sequence(where: str, document: Mapping[str, Any], judged: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: judged.get(name) for name in _VERDICT},
        "found": _found(where, judged, document["needles"]),
    }


def _stars(where: str, one: Sample, judged: Mapping[str, Any]) -> dict[str, Any]:
    document = cast(Mapping[str, Any], one.document)
    score = judged.get("score")
    return {
        **star_rows.verdict(where, judged, document["ask"]),
        "base": document["id"],
        "score": score,
        "item_recall": score if document["ask"] in star_rows.LISTS else None,
        "depths": star_rows.depths(where, one.depths, document["needles"], document["stars"]),
    }


def read_verdicts(path: Path) -> list[Row]:
    """The verdicts of a file that `seqniah score` wrote, in their order.

    Raises `SeqniahError` that names file, line and field.
    """
    rows: list[Row] = []
    for number, raw in lines(path):
        where = f"{path}, line {number}"
        try:
            fields = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise SeqniahError(f"{where} is not JSON ({error}); drop the line.") from error
        if not isinstance(fields, dict) or not _is_verdict(fields):
            raise SeqniahError(f"{where} is no verdict of seqniah score; drop the line.")
        rows.append(_of_verdict(where, path, fields))
    if not rows:
        raise SeqniahError(f"{path} holds no verdict; give a file that seqniah score wrote.")
    return rows


def _is_verdict(fields: Mapping[str, Any]) -> bool:
    return "pairs" in fields or (fields.get("benchmark") == COUNTING_STARS and "credits" in fields)


def _of_verdict(where: str, path: Path, fields: Mapping[str, Any]) -> Row:
    # Only answers of a run have a model.
    ran = fields.get("model") is not None
    if star_rows.is_elsewhere(fields):
        return row(where, {**star_rows.elsewhere(where, fields), "source": str(path)})
    if "pairs" not in fields:
        return row(where, {**_star_verdict(where, fields), "source": str(path), "epoch": 1})
    needles = fields.get("needles")
    found = _found(where, fields, needles if type(needles) is int else None)
    given = {
        **{name: fields.get(name) for name in COLUMNS},
        "harness": "lm-eval" if ran else None,
        "source": str(path),
        "epoch": 1 if ran else None,
        "needles": len(found) if needles is None else needles,
        "depths": _depths(where, fields),
        "found": found,
    }
    return row(where, given)


def _star_verdict(where: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    ask, score = fields.get("ask"), fields.get("score")
    return {
        **{name: fields.get(name) for name in COLUMNS},
        **star_rows.verdict(where, fields, ask),
        "harness": "lm-eval",
        "base": fields.get("id"),
        "judged_by": fields.get("judged_by"),
        "item_recall": score if ask in star_rows.LISTS else None,
        "depths": star_rows.depths(
            where, fields.get("needle_depths"), fields.get("needles"), fields.get("stars")
        ),
    }


def _found(where: str, fields: Mapping[str, Any], needles: int | None) -> list[bool]:
    """Whether each item of the reference was stated, from the pairs of a verdict.

    Without a number of `needles`, they are as many as the pairs name.
    """
    told = {pair.get("reference"): pair.get("same") for pair in _objects(where, fields, "pairs")}
    numbers = [number for number in told if type(number) is int and number >= 0]
    count = len(numbers) if needles is None else needles
    if count > MOST_ITEMS:
        raise SeqniahError(f"{where}: {count} needles are more than {MOST_ITEMS:,}; mend the line.")
    return [told.get(number) is True for number in range(count)]


def _depths(where: str, fields: Mapping[str, Any]) -> list[Any] | None:
    if fields.get("needle_fates") is None:
        return None
    return [one.get("depth") for one in _objects(where, fields, "needle_fates")]


def _objects(where: str, fields: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    given = fields.get(name)
    if (
        not isinstance(given, list)
        or not all(isinstance(one, dict) for one in given)
        or any(isinstance(one.get("reference"), list | dict) for one in given)
    ):
        raise SeqniahError(f"{where}: {name} is not as seqniah writes it; drop the line.")
    return given
