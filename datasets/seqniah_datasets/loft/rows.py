"""Rows of files in LOFT's layout, checked: passages, queries, and examples with their targets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.schema import Kind, Passage, Query
from seqniah_datasets.sources import files

Row = tuple[str, Mapping[str, Any]]
"""What names it in messages, and its fields."""

_DELETED = "childhood abuse"
"""A phrase that the released loader deletes from passages."""

MOST_ARRAY = 256_000_000
"""Bytes of a file that holds one array."""


def array(path: Path) -> Iterator[Row]:
    """The objects of a JSON array. Raises `SeqniahError` that names the file."""
    try:
        if path.stat().st_size > MOST_ARRAY:
            raise SeqniahError(f"{path} has more than {MOST_ARRAY:,} bytes; divide it.")
        found = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise SeqniahError(f"{path} is not JSON: {error}.") from error
    if not isinstance(found, list):
        raise SeqniahError(f"{path} is no JSON array of examples.")
    for number, fields in enumerate(found):
        if not isinstance(fields, dict):
            raise SeqniahError(f"{path}, example {number} is no JSON object.")
        yield f"{path}, example {number}", fields


def passages(path: Path, infill: Mapping[str, Passage] | None = None) -> dict[str, Passage]:
    """The passages of a corpus, in its order; `infill`: texts by id for one that has ids alone.

    Raises `SeqniahError` that names file and line.
    """
    found: dict[str, Passage] = {}
    for where, row in files.json_lines(path):
        pid = _text(where, row, "pid")
        if infill is not None:
            if pid not in infill:
                raise SeqniahError(f"{where}: BEIR's corpus lacks the passage {pid!r}.")
            one = Passage(pid, _cleaned(infill[pid].title), _cleaned(infill[pid].text))
        else:
            title = _text(where, row, "title_text", "")
            one = Passage(pid, _cleaned(title), _cleaned(_text(where, row, "passage_text")))
        _add(found, where, one)
    if not found:
        raise SeqniahError(f"{path} holds no passage.")
    return found


def _cleaned(text: str) -> str:
    return text.strip().replace(_DELETED, "")


def _add(found: dict[str, Passage], where: str, one: Passage) -> None:
    if one.pid in found:
        raise SeqniahError(f"{where}: the pid {one.pid!r} is another passage's; ids must differ.")
    found[one.pid] = one


def examples(path: Path) -> dict[str, Passage]:
    """Examples with their targets, in order; an example's title is its target."""
    found: dict[str, Passage] = {}
    for number, (where, row) in enumerate(array(path)):
        target, asked = (_text(where, row, name) for name in ("target", "input"))
        found[f"support_{number}"] = Passage(f"support_{number}", target, asked)
    if not found:
        raise SeqniahError(f"{path} holds no example.")
    return found


def asked(path: Path) -> tuple[Query, ...]:
    """Examples whose targets are asked for."""
    found = []
    for number, (where, row) in enumerate(array(path)):
        target = _text(where, row, "target").split(" ")
        found.append(Query(str(number), (_text(where, row, "input"),), (target,), ((),)))
    return tuple(found)


def queries(
    path: Path,
    kind: Kind,
    pids: Mapping[str, Passage],
    infill: Mapping[str, str] | None = None,
) -> tuple[Query, ...]:
    """The queries of a file over these passages, `infill` with their texts by id.

    Raises `SeqniahError` that names file and line.
    """
    found: dict[str, Query] = {}
    for where, row in files.json_lines(path):
        qid = _text(where, row, "qid")
        if qid in found:
            raise SeqniahError(f"{where}: the qid {qid!r} is another query's; ids must differ.")
        if infill is not None:
            if qid not in infill:
                raise SeqniahError(f"{where}: BEIR's queries lack {qid!r}.")
            row = {**row, "query_text": infill[qid]}
        found[qid] = _query(where, qid, row, kind, pids)
    if not found:
        raise SeqniahError(f"{path} holds no query.")
    return tuple(found.values())


def _query(
    where: str, qid: str, row: Mapping[str, Any], kind: Kind, pids: Mapping[str, Passage]
) -> Query:
    given, told = row.get("query_text"), row.get("metadata") or {}
    many = isinstance(given, list)
    turns = tuple(given) if isinstance(given, list) else (given,)
    if not turns or not all(isinstance(one, str) and one.strip() for one in turns):
        raise SeqniahError(f"{where}: query_text is a text, or a list with one a turn.")
    if not many:
        turns = (turns[0].strip(),)
    if not isinstance(told, dict):
        raise SeqniahError(f"{where}: metadata are an object.")
    answers = _answers(where, row.get("answers"), kind, len(turns) if many else None)
    if kind == "sql":
        golds = (_ids(where, "candidate_pids", told.get("candidate_pids")),) * len(turns)
    else:
        golds = _golds(where, told, kind, answers, many)
    for gold in (*(one for turn in golds for one in turn), *_named(kind, answers)):
        if gold not in pids:
            raise SeqniahError(f"{where}: the corpus lacks {gold!r}, which {qid!r} needs.")
    database = told.get("db_id", "")
    return Query(qid, turns, answers, golds, database if isinstance(database, str) else "")


def _named(kind: Kind, answers: tuple[Any, ...]) -> list[str]:
    return [pid for turn in answers for pid in turn] if kind == "retrieval" else []


_SHAPES: Mapping[Kind, tuple[Callable[[Any], bool], str]] = {
    "retrieval": (
        lambda one: _is_pair(one),
        "pairs like ['doc7', 1], in a conversation one a turn",
    ),
    "rag": (lambda one: isinstance(one, str), "texts, in a conversation a list of them a turn"),
    "multi_value_rag": (lambda one: isinstance(one, str), "texts"),
    "sql": (lambda one: isinstance(one, list), "rows, in a conversation a list of them a turn"),
}


def _is_pair(one: Any) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and bool(one[0])


def _answers(where: str, given: Any, kind: Kind, turns: int | None) -> tuple[Any, ...]:
    """The answers of each turn; ids of passages without their 1."""
    holds, words = _SHAPES[kind]
    by_turn = [given] if turns is None else given
    if isinstance(by_turn, list) and turns is not None and kind != "sql":
        # A turn has one answer, or a list of accepted ones.
        by_turn = [[one] if holds(one) else one for one in by_turn]
    good = (
        isinstance(by_turn, list)
        and len(by_turn) == (turns or 1)
        and all(isinstance(turn, list) and turn and all(map(holds, turn)) for turn in by_turn)
    )
    if not good:
        for_turns = "" if turns is None else f" for {turns} turns"
        raise SeqniahError(f"{where}: answers are {words}; these have another shape{for_turns}.")
    if kind == "retrieval":
        return tuple([pid.strip() for pid, _ in turn] for turn in by_turn)
    return tuple(by_turn)


def _golds(
    where: str, told: Mapping[str, Any], kind: Kind, answers: tuple[Any, ...], many: bool
) -> tuple[tuple[str, ...], ...]:
    """Of each turn: the qrels, or the answers of retrieval."""
    if "qrels" not in told:
        return tuple(map(tuple, answers)) if kind == "retrieval" else ((),) * len(answers)
    qrels = told["qrels"] if many else [told["qrels"]]
    turns = isinstance(qrels, list) and len(qrels) == len(answers)
    if not turns or not all(isinstance(one, list) and all(map(_is_pair, one)) for one in qrels):
        raise SeqniahError(f"{where}: qrels are pairs like ['doc7', 1], in a list for each turn.")
    return tuple(tuple(pid for pid, _ in turn) for turn in qrels)


def _ids(where: str, name: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(one, str) for one in given):
        raise SeqniahError(f"{where}: {name} is a list of ids of tables.")
    return tuple(given)


def _text(where: str, row: Mapping[str, Any], name: str, default: str | None = None) -> str:
    found = row.get(name, default)
    if isinstance(found, int) and not isinstance(found, bool) and name.endswith("id"):
        return str(found)
    if not isinstance(found, str) or (name.endswith("id") and not found):
        raise SeqniahError(f"{where}: {name} is missing, or no text.")
    return found
