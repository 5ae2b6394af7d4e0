"""LOFT's scores as the released evaluator gives them, quirk for quirk.

Golds and predictions are what JSON holds and may have any shape. Where the released evaluator
would die of one, so that nothing at all was scored, the query alone is `Unscored`.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from seqniah_scorers import overlap
from seqniah_scorers.loft import RANKED, Merged, Row, Task, Unscored, parsing
from seqniah_scorers.loft.alignment import aligned
from seqniah_scorers.loft.recalls import NAMES, recalls

_CRASHES = (
    *(ArithmeticError, AttributeError, LookupError),
    *(RecursionError, TypeError, ValueError),
)

T = TypeVar("T")

Ranked = tuple[list[str], list[str]]
"""The ids of a turn, best first, and its golds."""


_WITHOUT: Mapping[Task, tuple[str, ...]] = {
    "rag": ("em", "subspan_em", "f1"),
    "multi_value_rag": ("em", "subspan_em", "f1"),
    "sql": ("exec_acc",),
    "icl": ("em",),
}
"""The measures of a turn without an answer, apart from rankings."""


def missing(task: Task) -> list[Row]:
    """Of a query without a prediction: one row of zeros, however many turns it has."""
    return [dict.fromkeys(_WITHOUT.get(task, NAMES), 0.0)]


def parsed(task: Task, responses: Sequence[str], id_to_pid: Merged | None) -> list[Any] | None:
    """The outputs of the turns, as they would stand in a prediction.

    None where a ranking names an id that the prompt lacks: the released code then drops all turns.
    """
    found = [parsing.official(one) for one in responses]
    if task not in RANKED or id_to_pid is None:
        return found
    try:
        return [[id_to_pid[str(one)] for one in ids] for ids in found]
    except KeyError:
        return None


def score(
    task: Task, answers: Any, prediction: Mapping[str, Any], merged: Merged | None = None
) -> list[Row]:
    """A row for each turn that the prediction tells of; `merged` makes equal passages one.

    Raises `Unscored` where the released evaluator crashes.
    """
    if task in RANKED:
        found = rankings(answers, prediction, merged)
        return _uncrashed(lambda: [recalls(*turn) for turn in found])
    return _uncrashed(lambda: _rows(task, answers, prediction))


def rankings(
    answers: Any, prediction: Mapping[str, Any], merged: Merged | None = None
) -> list[Ranked]:
    """The ranking and the golds of each turn. Raises `Unscored` like `score`."""
    return _uncrashed(lambda: _rankings(answers, prediction, merged))


def _uncrashed(made: Callable[[], list[T]]) -> list[T]:
    try:
        return made()
    except _CRASHES as error:
        why = f"{type(error).__name__}: {error}"
        raise Unscored(f"the released evaluator crashes ({why})") from error


def _rankings(answers: Any, prediction: Mapping[str, Any], merged: Merged | None) -> list[Ranked]:
    outputs, turns = prediction["model_outputs"], prediction["num_turns"]
    found = []
    for turn in range(turns):
        merged = _passages(prediction.get("metadata"), merged)
        # One turn may have many golds, a turn of several has one.
        golds = [_pid(gold) for gold in (answers if turns == 1 else [answers[turn]])]
        ids = [str(one).strip() for one in outputs[turn]]
        if merged is not None:
            golds, ids = [merged[one] for one in golds], [merged[one] for one in ids]
        found.append((ids, golds))
    return found


def _pid(gold: Any) -> str:
    if not isinstance(gold[0], str) or not isinstance(gold[1], int):
        raise TypeError("a gold is no pair of an id and a whole number")
    return gold[0].strip()


def _passages(metadata: Any, merged: Merged | None) -> Merged | None:
    """Metadata are read for one thing alone, a file of passages, which is no model's to name."""
    if metadata is None or (merged is None and metadata in ([], "")):
        return merged
    if not isinstance(metadata, dict):
        raise TypeError("metadata are no object")
    if merged is not None or "candidate_path" not in metadata:
        return merged
    if metadata["candidate_path"]:
        raise ValueError("metadata name a file of passages")
    return {}


def _rows(task: Task, answers: Any, prediction: Mapping[str, Any]) -> list[Row]:
    outputs, turns = prediction["model_outputs"], prediction["num_turns"]
    if task == "multi_value_rag":
        return [_values(answers, outputs[0])]
    measure = _MEASURES[task]
    # Of examples in context, a single turn has its golds in a list too.
    whole = task != "icl" and turns == 1
    return [measure(answers if whole else answers[turn], outputs[turn]) for turn in range(turns)]


def _normal(text: Any) -> str:
    """As SQuAD's evaluation has it, but in NFD. Raises `TypeError` for what is no text."""
    return " ".join(overlap.words(unicodedata.normalize("NFD", text), "official", None))


def _values(answers: Any, said: Any) -> Row:
    golds = [_normal(gold) for gold in answers]
    stated = [_normal(str(one)) for one in said]
    if not stated:
        return missing("multi_value_rag")[0]
    return {
        "em": float(set(golds) == set(stated)),
        "coverage": len(set(golds) & set(stated)) / len(golds),
        "subspan_em": float(aligned(golds, stated, lambda gold, one: gold in one or one in gold)),
    }


def _answer(answers: Any, said: Any) -> Row:
    golds = [_normal(gold) for gold in answers]
    stated = [_normal(str(one)) for one in said]
    if not stated:
        return missing("rag")[0]
    return {
        "em": max(float(gold == stated[0]) for gold in golds),
        "subspan_em": max(float(gold in stated[0]) for gold in golds),
        "f1": max(_f1(gold, stated[0]) for gold in golds),
    }


def _f1(gold: str, stated: str) -> float:
    """Normalised once more; 0 where neither has a word."""
    golds, words = _normal(gold).split(), _normal(stated).split()
    return overlap.f1(words, golds) if words and golds else 0.0


def _label(answers: Any, said: Any) -> Row:
    golds = [_normal(gold) for gold in answers]
    stated = [_normal(one) for one in said]
    return {"em": max(float(gold == stated[0]) for gold in golds) if stated else 0.0}


def _table(answers: Any, said: Any) -> Row:
    """Rows are sets of cells, and every predicted one must be a gold one, not the other way."""
    golds = _cells(answers)
    if not golds:
        raise IndexError("the golds have no row")
    if said and not isinstance(said[0], list):
        said = [said]
    stated = _cells(said)
    right = len(stated) == len(golds) and set(stated) <= set(golds)
    return {"exec_acc": float(right)}


def _cells(rows: Any) -> list[frozenset[str]]:
    return [frozenset(filter(None, map(_cell, row))) for row in rows]


def _cell(cell: Any) -> str:
    """With two decimals, whatever Python makes a number of."""
    with contextlib.suppress(*_CRASHES):
        cell = f"{float(cell):.2f}"
    return str(cell).strip().lower()


_MEASURES: dict[Task, Callable[[Any, Any], Row]] = {"rag": _answer, "icl": _label, "sql": _table}
