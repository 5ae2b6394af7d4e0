"""The command that scores answers to HaystackCraft's questions made anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.overlap import Overlap, overlap
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.commands.scoring import UNSCORED
from seqniah_tasks.commands.types import AsJson, print_json
from seqniah_tasks.judging.case_files import json_object, numbered


@dataclass(frozen=True, slots=True)
class Row:
    """An answer scored."""

    id: str
    found: Overlap | None
    """None: there was no response, so nothing to score."""


def haystackcraft(
    source: Annotated[
        Path, typer.Option("--in", help="Answers as JSON lines: id, answer, response, ...")
    ],
    profile: Annotated[
        str, typer.Option(help="strict, or official: as the released code reads answers.")
    ] = "strict",
    as_json: AsJson = False,
) -> None:
    """Score answers to HaystackCraft's questions; exit code 3 where some are missing.

    A row has id, answer, answer_aliases and response (null where none came); of rounds, as in
    released pred.jsonl files, response_list, of which the last one counts.
    """
    kind = reading.one("profile", profile, ("strict", "official"))
    rows = list(_rows(source, kind))
    scored = [row.found for row in rows if row.found]
    unscored = len(rows) - len(scored)
    figures: dict[str, Any] = {
        "f1": fmean(one.f1 for one in scored) if scored else None,
        "em": fmean(one.exact for one in scored) if scored else None,
        "unanswered": sum(one.answer is None for one in scored),
        "unscored": unscored,
    }
    if as_json:
        print_json({**figures, "rows": [_as_json(row) for row in rows]})
    else:
        told = (
            "nothing scored" if not scored else f"F1 {figures['f1']:.1%}, exact {figures['em']:.1%}"
        )
        typer.echo(
            f"{told} ({kind} profile, {len(scored):,} answers, {figures['unanswered']:,} of them "
            f"without a stated answer, which count 0; {unscored:,} unscored)"
        )
    if unscored:
        typer.echo(f"seqniah: {unscored:,} unscored, because no response came.", err=True)
        raise typer.Exit(UNSCORED)


def _as_json(row: Row) -> dict[str, object]:
    return {
        "id": row.id,
        "pred": row.found.answer if row.found else None,
        "f1": row.found.f1 if row.found else None,
    }


def _rows(path: Path, profile: Any) -> Iterator[Row]:
    """All rows scored. Raises `SeqniahError` that names file, line and field."""
    seen: dict[str, int] = {}
    for number, line in numbered(path, "answer"):
        where = f"{path}, line {number}"
        fields = json_object(where, line)
        row_id = str(fields.get("id", number))
        first = seen.setdefault(row_id, number)
        if first != number:
            raise SeqniahError(
                f"{where}: the id {row_id!r} was given in line {first} already; give every answer "
                "its own."
            )
        accepted = _accepted(where, fields)
        response = _response(where, fields)
        yield Row(row_id, None if response is None else overlap(response, accepted, profile))
    if not seen:
        raise SeqniahError(f"{path} holds no answer; write one JSON object a line.")


def _accepted(where: str, fields: dict[str, Any]) -> list[str]:
    answer, aliases = fields.get("answer"), fields.get("answer_aliases") or []
    texts = isinstance(aliases, list) and all(isinstance(one, str) for one in aliases)
    if not isinstance(answer, str) or not texts:
        raise SeqniahError(f"{where}: answer is a text, and answer_aliases a list of texts.")
    return [answer, *aliases]


def _response(where: str, fields: dict[str, Any]) -> str | None:
    """The last response; None where none came."""
    if "response" not in fields and isinstance(fields.get("response_list"), list):
        given = (fields["response_list"] or [None])[-1]
    elif "response" in fields:
        given = fields["response"]
    else:
        raise SeqniahError(f"{where}: response is missing; it is a text, or null where none came.")
    if given is not None and not isinstance(given, str):
        raise SeqniahError(f"{where}: response is a text, or null where none came.")
    return given
