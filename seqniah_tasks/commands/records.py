"""The command that makes one table of the logs of either harness."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.store import new_file
from seqniah_tasks import benchmarks
from seqniah_tasks.commands.logs import LOGS, read
from seqniah_tasks.commands.types import Threshold
from seqniah_tasks.csv_files import write_csv
from seqniah_tasks.effective import THRESHOLD, checked, effective
from seqniah_tasks.records import Record, columns, table
from seqniah_tasks.report.runs import answers_together

_BATCH = 1_000
"""Rows turned into text at once."""


def records(
    logs: Annotated[list[Path], typer.Argument(help=LOGS)],
    out: Annotated[Path, typer.Option(help="File to write: .parquet, .csv or .jsonl.")],
    threshold: Threshold = THRESHOLD,
) -> None:
    """Write one table of all answers and verdicts, a row each, the same for either harness.

    Where a file does not tell something, the cell is empty. In CSV, lists are JSON, and an
    apostrophe stands before what a spreadsheet would take for a formula.
    """
    checked(threshold)
    form = out.suffix.removeprefix(".").lower()
    if form not in _WRITERS:
        raise UnknownName("format of --out", out.suffix, [f".{name}" for name in _WRITERS])
    if out.is_dir():
        raise SeqniahError(f"{out} is a folder; --out is a file.")
    files = read(logs)
    if out.exists() and out.resolve() in files:
        raise SeqniahError(f"--out would overwrite {out}, which is read; name another file.")
    rows = [row for part in _with_effective_length(files, threshold).values() for row in part]
    with new_file(out) as temporary:
        _WRITERS[form](temporary, rows)
    counted = "1 file" if len(files) == 1 else f"{len(files):,} files"
    typer.echo(f"{len(rows):,} rows of {counted}: {out}")


def _with_effective_length(
    files: Mapping[Path, Sequence[Record]], threshold: float
) -> dict[Path, list[Record]]:
    """The same rows, each with what follows from its whole run."""
    told: dict[int, tuple[str | None, ...]] = {}
    for answers in answers_together(files):
        found = effective(benchmarks.known()[answers[0].benchmark], answers, threshold)
        told |= {id(row): found.words for row in answers if found}
    return {
        path: [_completed(row, told.get(id(row))) for row in rows] for path, rows in files.items()
    }


def _completed(row: Record, told: tuple[str | None, ...] | None) -> Record:
    if told is None:
        return row
    length, low, high = told
    return replace(row, effective_length=length, effective_low=low, effective_high=high)


def _fields(rows: Sequence[Record]) -> Iterator[dict[str, Any]]:
    for first in range(0, len(rows), _BATCH):
        yield from table(rows[first : first + _BATCH]).to_pylist()


def _write_parquet(path: Path, rows: Sequence[Record]) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(table(rows), path, compression="zstd")


def _write_csv(path: Path, rows: Sequence[Record]) -> None:
    write_csv(path, list(columns()), (one.values() for one in _fields(rows)))


def _write_jsonl(path: Path, rows: Sequence[Record]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for one in _fields(rows):
            file.write(json.dumps(one, ensure_ascii=False) + "\n")


_WRITERS: dict[str, Callable[[Path, Sequence[Record]], None]] = {
    "parquet": _write_parquet,
    "csv": _write_csv,
    "jsonl": _write_jsonl,
}
"""By the end of the file's name; a new format is a new line here."""
