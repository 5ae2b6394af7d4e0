"""Files of queries, of predictions and of passages, as LOFT releases them, for scoring."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.loft import Merged
from seqniah_tasks.judging.case_files import json_object, numbered

Id = str | int


@dataclass(frozen=True, slots=True)
class Query:
    """A question, or a conversation of several."""

    qid: Id
    where: str
    """File, and line or number, as messages name it."""
    answers: Any
    """As released, of a shape that depends on the task."""
    turns: int | None
    """Questions of a conversation; None: it is a single question."""
    number: int | None = None
    """Of a row without a qid, from 0; predictions may name it so."""


def queries(path: Path) -> list[Query]:
    """The queries of JSON lines, or of an array of examples with input and target.

    Raises `SeqniahError` that names the row without golds, or with an id that another has.
    """
    found: dict[Id, Query] = {}
    for number, (where, fields) in enumerate(_queries(path)):
        one = Query(
            qid=_id(where, fields, str(number)),
            where=where,
            answers=_answers(where, fields),
            turns=_turns(fields),
            number=None if "qid" in fields else number,
        )
        if one.qid in found:
            raise SeqniahError(
                f"{where}: the qid {one.qid!r} was given in {found[one.qid].where} already; give "
                "every query its own."
            )
        found[one.qid] = one
    if not found:
        raise SeqniahError(f"{path} holds no query; write one JSON object a line.")
    return list(found.values())


def _queries(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    lines = list(numbered(path, "question"))
    if not lines or not lines[0][1].lstrip().startswith("["):
        for line, text in lines:
            where = f"{path}, line {line}"
            yield where, json_object(where, text)
        return
    try:
        found = json.loads("".join(text for _, text in lines))
    except (ValueError, RecursionError) as error:
        raise SeqniahError(f"{path} is not JSON ({error}).") from error
    for number, fields in enumerate(found):
        if not isinstance(fields, dict):
            raise SeqniahError(f"{path}, example {number} is no JSON object.")
        yield f"{path}, example {number}", fields


def _id(where: str, fields: Mapping[str, Any], default: str | None = None) -> Id:
    found = fields.get("qid", default)
    if not isinstance(found, str | int) or isinstance(found, bool):
        raise SeqniahError(f"{where}: qid is missing, or neither a text nor a whole number.")
    return found


def _answers(where: str, fields: Mapping[str, Any]) -> Any:
    if "answers" not in fields and isinstance(target := fields.get("target"), str):
        return [target.split(" ")]
    if "answers" not in fields:
        raise SeqniahError(f"{where}: answers are missing (or, of an example, its target).")
    return fields["answers"]


def _turns(fields: Mapping[str, Any]) -> int | None:
    asked = fields.get("query_text")
    return len(asked) if isinstance(asked, list) else None


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a model said, by query."""

    rows: Mapping[Id, Mapping[str, Any]]
    repeated: tuple[Id, ...]
    """Ids of several rows, of which the last one counts."""

    def of(self, query: Query) -> Mapping[str, Any] | None:
        """What was said to a query; None where nothing was."""
        found = self.rows.get(query.qid)
        return self.rows.get(query.number) if found is None and query.number is not None else found

    def of_none(self, queries: Sequence[Query]) -> list[Id]:
        """Ids of predictions that are of none of these."""
        known = {one.qid for one in queries} | {one.number for one in queries}
        return [qid for qid in self.rows if qid not in known]


def predictions(path: Path) -> Predictions:
    """The predictions of JSON lines. Raises `SeqniahError` that names the line."""
    found: dict[Id, Mapping[str, Any]] = {}
    repeated: dict[Id, None] = {}
    for line, text in numbered(path, "prediction"):
        where = f"{path}, line {line}"
        fields = json_object(where, text)
        qid = _id(where, fields)
        if qid in found:
            repeated[qid] = None
        _check(where, fields)
        found[qid] = fields
    return Predictions(found, tuple(repeated))


def _check(where: str, fields: Mapping[str, Any]) -> None:
    """Refuse what no model says; outputs may have any shape."""
    response, ids = fields.get("response"), fields.get("id_to_pid")
    texts = isinstance(response, list) and all(isinstance(one, str) for one in response)
    if response is not None and not isinstance(response, str) and not texts:
        raise SeqniahError(
            f"{where}: response is a text, a list with one a turn, or null where none came."
        )
    pids = isinstance(ids, dict) and all(isinstance(one, str) for one in ids.values())
    if ids is not None and not pids:
        raise SeqniahError(f"{where}: id_to_pid is an object of texts, or null.")


def merged(path: Path) -> Merged:
    """Each passage of a corpus by the first one with the same title and text.

    Raises `SeqniahError` that names the line.
    """
    texts: dict[str, str] = {}
    for line, text in numbered(path, "passage"):
        where = f"{path}, line {line}"
        fields = json_object(where, text)
        names = ("pid", "title_text", "passage_text")
        if not all(isinstance(fields.get(name), str) for name in names):
            raise SeqniahError(f"{where}: a passage has the texts {', '.join(names)}.")
        texts[fields["pid"]] = fields["title_text"].strip() + fields["passage_text"].strip()
    first: dict[str, str] = {}
    for pid, text in texts.items():
        first.setdefault(text, pid)
    return {pid: first[text] for pid, text in texts.items()}
