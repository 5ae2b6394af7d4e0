"""The command that scores Counting-Stars answers made anywhere."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from operator import eq
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers import counting, stars
from seqniah_tasks.benchmarks.counting_stars.scores import Scored, figures, print_scores, score_row
from seqniah_tasks.commands.scoring import UNSCORED
from seqniah_tasks.commands.types import AsJson, print_json
from seqniah_tasks.judging.case_files import (
    json_object,
    numbered,
    tell_unread,
    unread,
    write_rows,
)
from seqniah_tasks.kinds import MOST_ITEMS, NAME

MOST_LENGTH = 10**12 - 1
"""Of a prompt, in any unit; more is a mistake in the file."""


def counting_stars(
    source: Annotated[
        Path, typer.Option("--in", help="Answers as JSON lines: reference, response, ...")
    ],
    out: Annotated[
        Path | None, typer.Option(help="File of scores to write, star by star, one row a line.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score Counting-Stars answers that were made anywhere; exit code 3 where some are missing.

    A row has reference (the stars' numbers in order) and response (null where none came), and may
    have wrong (the numbers counted by mistake, for the reasoning task), id, length (of the prompt)
    and model. seqniah report and seqniah records read the file of scores.
    """
    if out and out.exists() and source.exists() and out.samefile(source):
        raise SeqniahError(f"--out would overwrite the answers in {source}; name another file.")
    if out and out.is_dir():
        raise SeqniahError(f"{out} is a folder; --out is a file of JSON lines.")
    rows = read_rows(source)
    if out:
        write_rows(out, map(score_row, rows))
    if as_json:
        print_json({**figures(rows), "out": str(out) if out else None})
    else:
        print_scores(Console(), rows)
        if out:
            typer.echo(f"Scores: {out}")
    unscored = sum(row.verdict is None for row in rows)
    if unscored:
        typer.echo(f"seqniah: {unscored:,} unscored, because response is null.", err=True)
        raise typer.Exit(UNSCORED)


def read_rows(path: Path) -> list[Scored]:
    """All rows of a file, scored. Raises `SeqniahError` that names file, line and field."""
    found: list[Scored] = []
    lines: dict[tuple[str, str], int] = {}
    unnamed: Counter[tuple[str, str]] = Counter()
    others: set[str] = set()
    for number, line in numbered(path, "answer"):
        where = f"{path}, line {number}"
        fields = json_object(where, line)
        others |= unread(where, fields, _FIELDS)
        row = _scored(where, number, fields)
        if not row.id:
            row = replace(row, id=_own_id(row, unnamed))
        first = lines.setdefault((row.model, row.id), number)
        if first != number:
            raise SeqniahError(
                f"{where}: the id {row.id!r} was given in line {first} already; give every answer "
                "of a model its own, or none."
            )
        found.append(row)
    if not found:
        raise SeqniahError(f"{path} holds no answer; write one JSON object a line.")
    tell_unread(path, others)
    return found


def _own_id(row: Scored, unnamed: Counter[tuple[str, str]]) -> str:
    """An id that only answers about the same stars share, so that models pair by it."""
    unnamed[row.model, row.sky] += 1
    again = unnamed[row.model, row.sky]
    return f"sky-{row.sky}" + (f"-{again}" if again > 1 else "")


_FIELDS = frozenset(("reference", "response", "wrong", "id", "length", "model"))


def _scored(where: str, number: int, fields: dict[str, Any]) -> Scored:
    reference = _numbers(where, fields, "reference")
    wrong = _numbers(where, fields, "wrong") if fields.get("wrong") is not None else None
    if wrong is not None and len(wrong) != len(reference):
        raise SeqniahError(
            f"{where}: wrong has {len(wrong):,} numbers, reference has {len(reference):,}; each "
            "star needs one of both."
        )
    if wrong is not None and any(map(eq, wrong, reference)):
        raise SeqniahError(
            f"{where}: a star's number in wrong is its number in reference; a mistaken one differs."
        )
    response = fields.get("response", "")
    if "response" not in fields or not isinstance(response, str | None):
        raise SeqniahError(f"{where}: response is a text, or null where none came.")
    asked = json.dumps([reference, wrong, fields.get("length")])
    row = Scored(
        id=_name(where, fields, "id"),
        line=number,
        sky=sha256(asked.encode()).hexdigest()[:12],
        model=_name(where, fields, "model"),
        length=_length(where, fields),
        needles=len(reference),
        task=StarTask.SEARCHING if wrong is None else StarTask.REASONING,
    )
    if response is None:
        return row
    verdict = stars.judge(stars.StarCase(row.task, StarAsk.LIST, reference, response, wrong or ()))
    return replace(row, verdict=verdict, stars=counting.score(reference, verdict.numbers))


def _numbers(where: str, fields: dict[str, Any], name: str) -> tuple[int, ...]:
    given = fields.get(name)
    whole = isinstance(given, list) and all(type(one) is int for one in given)
    if not whole or not given:
        raise SeqniahError(f"{where}: {name} is a list of whole numbers, one for each star.")
    if len(given) > MOST_ITEMS:
        raise SeqniahError(
            f"{where}: {name} has {len(given):,} stars, more than {MOST_ITEMS:,}; drop the line."
        )
    return tuple(given)


def _name(where: str, fields: dict[str, Any], name: str) -> str:
    given = fields.get(name)
    if given is None:
        return ""
    if type(given) is not int and (not isinstance(given, str) or not given.strip()):
        raise SeqniahError(f"{where}: {name} is a text, or left out.")
    return str(NAME.checked(where, name, str(given)))


def _length(where: str, fields: dict[str, Any]) -> int | None:
    given = fields.get("length")
    if given is not None and (type(given) is not int or not 1 <= given <= MOST_LENGTH):
        raise SeqniahError(
            f"{where}: length is a whole number from 1 to {MOST_LENGTH:,}, or left out."
        )
    return given
