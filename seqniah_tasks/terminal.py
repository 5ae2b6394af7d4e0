"""What commands show on a terminal: how far something is, and tables of figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from seqniah_datasets.corpora.base import Progress as Report
from seqniah_datasets.errors import visible


@contextmanager
def progress_bar(*, counts: Literal["bytes", "samples", "parts"] = "bytes") -> Iterator[Report]:
    """A bar on standard error that appears with the first report; nothing off a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if counts == "bytes" else MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", visible=False)

        def report(what: str, done: int, total: int) -> None:
            bar.update(task, description=visible(what), completed=done, total=total, visible=True)

        yield report


def new_table(title: str, left: Sequence[str], right: Sequence[str], **of_left: Any) -> Table:
    """A table of words and then figures, so narrow that nine columns of figures fit a terminal."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.pad_edge = table.show_edge = False
    table.padding = (0, 1, 0, 0)
    for name in left:
        table.add_column(name, **of_left)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table
