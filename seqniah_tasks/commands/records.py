"""The command that makes one table of the logs of either harness."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.store import new_file
from seqniah_tasks.commands.lm_eval_scoring import tell_of_older

if TYPE_CHECKING:
    from seqniah_tasks.report.table import Row

_BATCH = 1_000
"""Rows turned into text at once."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet would calculate rather than show."""


def records(
    logs: Annotated[
        list[Path],
        typer.Argument(
            help="Logs of inspect, samples files of lm-eval, what seqniah score wrote, or folders: "
            "the last run of each model and task."
        ),
    ],
    out: Annotated[Path, typer.Option(help="File to write: .parquet, .csv or .jsonl.")],
) -> None:
    """Write one table of all answers and verdicts, a row each, the same for either harness.

    Where a file does not tell something, the cell is empty. In CSV, lists are JSON, and an
    apostrophe stands before what a spreadsheet would take for a formula.
    """
    form = out.suffix.removeprefix(".").lower()
    if form not in _WRITERS:
        raise UnknownName("format of --out", out.suffix, [f".{name}" for name in _WRITERS])
    if out.is_dir():
        raise SeqniahError(f"{out} is a folder; --out is a file.")
    files, older = _read(logs)
    if out.exists() and out.resolve() in files:
        raise SeqniahError(f"--out would overwrite {out}, which is read; name another file.")
    tell_of_older(older)
    rows = [row for part in files.values() for row in part]
    with new_file(out) as temporary:
        _WRITERS[form](temporary, rows)
    counted = "1 file" if len(files) == 1 else f"{len(files):,} files"
    typer.echo(f"{len(rows):,} rows of {counted}: {out}")


def _read(given: Sequence[Path]) -> tuple[dict[Path, list[Row]], list[Path]]:
    """The rows of each file, in the order given, and the files left out for newer ones."""
    chosen: dict[Path, list[Row]] = {}
    older: dict[Path, Path] = {}
    for path in given:
        found, left_out = _of_folder(path) if path.is_dir() else ({path: _of_file(path)}, [])
        for file, rows in found.items():
            chosen.setdefault(file.resolve(), rows)
        older |= {file.resolve(): file for file in left_out}
    return chosen, [path for real, path in older.items() if real not in chosen]


def _of_folder(folder: Path) -> tuple[dict[Path, list[Row]], list[Path]]:
    # With the harnesses' libraries, which other commands do without.
    from seqniah_tasks.adapters import inspect_table

    found, older = inspect_table.read_newest(folder)
    if any(folder.rglob("*.jsonl")):
        from seqniah_tasks.adapters import lm_eval_samples, lm_eval_table

        # Without any it raises, and there may be logs of inspect.
        if any(folder.rglob(lm_eval_samples.PATTERN)):
            files, others = lm_eval_samples.find([folder])
            found |= {file.path: lm_eval_table.read(file) for file in files}
            older += others
    if not found:
        raise SeqniahError(
            f"No log of a seqniah task with a sample in it is in {folder}, neither of inspect nor "
            "of lm-eval (samples_*.jsonl, with --log_samples); give another folder, or files."
        )
    return found, older


def _of_file(path: Path) -> list[Row]:
    if not path.is_file():
        raise SeqniahError(f"There is no {path}; give logs, or a folder of them.")
    if path.suffix in (".eval", ".json"):
        from seqniah_tasks.adapters import inspect_table

        rows = inspect_table.read(path)
        if not rows:
            raise SeqniahError(f"The log {path} has no sample yet; leave it out.")
        return rows
    if path.suffix != ".jsonl":
        raise SeqniahError(
            f"{path} is no log by its name; give logs of inspect (.eval or .json), or samples "
            "files of lm-eval and verdicts of seqniah score (.jsonl)."
        )
    from seqniah_tasks.adapters import lm_eval_samples, lm_eval_table

    if lm_eval_table.is_verdicts(path):
        return lm_eval_table.read_verdicts(path)
    (file,), _ = lm_eval_samples.find([path])
    return lm_eval_table.read(file)


def _fields(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    from seqniah_tasks.report.table import table

    for first in range(0, len(rows), _BATCH):
        yield from table(rows[first : first + _BATCH]).to_pylist()


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    import pyarrow.parquet

    from seqniah_tasks.report.table import table

    pyarrow.parquet.write_table(table(rows), path, compression="zstd")


def _write_csv(path: Path, rows: Sequence[Row]) -> None:
    from seqniah_tasks.report.table import COLUMNS

    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([_cell(value) for value in one.values()] for one in _fields(rows))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value)
    return f"'{value}" if value.startswith(_FORMULAS) else value


def _write_jsonl(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for one in _fields(rows):
            file.write(json.dumps(one, ensure_ascii=False) + "\n")


_WRITERS: dict[str, Callable[[Path, Sequence[Row]], None]] = {
    "parquet": _write_parquet,
    "csv": _write_csv,
    "jsonl": _write_jsonl,
}
"""By the end of the file's name; a new format is a new line here."""
