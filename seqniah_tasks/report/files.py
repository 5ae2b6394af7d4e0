"""What a report leaves on disk: a page, its figures, its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import is_temporary, new_file, new_folder
from seqniah_tasks.csv_files import write_csv
from seqniah_tasks.report.drawing import Drawn
from seqniah_tasks.report.parts import Table

PAGE, FIGURES, TABLES = "index.html", "figures", "tables"

MARK = '<meta name="generator" content="seqniah report">'
"""Stands near the start of every page, so that a folder can be told for a report's own."""

_NEAR = 2_000
"""Characters of a page before which its mark stands."""


def check(out: Path) -> None:
    """Raise `SeqniahError` where a report would mix with, or overwrite, what is none."""
    if out.exists() and not out.is_dir():
        raise SeqniahError(f"{out} is a file; --out is a folder.")
    if out.is_dir() and not all(map(is_temporary, out.iterdir())) and not _is_report(out / PAGE):
        raise SeqniahError(
            f"The folder {out} holds other things than a report; give --out a new or empty folder."
        )


def _is_report(page: Path) -> bool:
    try:
        with page.open(encoding="utf-8", errors="replace") as file:
            return MARK in file.read(_NEAR)
    except OSError:
        return False


def write(
    out: Path,
    page: str,
    figures: Mapping[str, Drawn],
    tables: Sequence[Table],
    progress: Progress = lambda what, done, total: None,
) -> None:
    """Write a report, over an earlier one where there is one, whole or not at all.

    Raises `SeqniahError` as `check` does, and when the disk does not let it.
    """
    check(out)
    drawn = {f"{name}.svg": one.svg for name, one in figures.items()}
    for number, (name, one) in enumerate(figures.items(), 1):
        progress("Painting", number, len(figures))
        if one.paint:
            drawn[f"{name}.png"] = one.paint()
    room = len(page) + sum(map(len, drawn.values()))
    # All is written before any of it appears. The page, which holds all that it shows, is the
    # first: whenever this is killed, the folder is a report's or still holds none of it.
    with (
        new_folder(out / FIGURES) as drawings,
        new_folder(out / TABLES) as sheets,
        new_file(out / PAGE, room) as whole,
    ):
        for name, picture in drawn.items():
            (drawings / name).write_bytes(picture)
        for table in tables:
            names = [column.name for column in table.columns]
            write_csv(sheets / f"{table.name}.csv", names, table.rows)
        whole.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")
