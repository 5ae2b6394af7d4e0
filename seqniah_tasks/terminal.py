"""What the command line and the adapters share about terminals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, overload

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from seqniah_datasets.corpora.base import Progress as Report
from seqniah_tasks.benchmarks.counting_options import StarOptions
from seqniah_tasks.benchmarks.counting_stars import CountingStars
from seqniah_tasks.benchmarks.noise import NoiseSuite
from seqniah_tasks.benchmarks.options import Options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah


@contextmanager
def progress_bar(*, counts: Literal["bytes", "samples", "parts"] = "bytes") -> Iterator[Report]:
    """A bar on standard error that appears with the first report; nothing off a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn() if counts == "bytes" else MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", visible=False)

        def report(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total, visible=True)

        yield report


@overload
def open_benchmark(options: Options) -> SequentialNiah: ...
@overload
def open_benchmark(options: StarOptions) -> CountingStars: ...
def open_benchmark(options: Options | StarOptions) -> SequentialNiah | CountingStars:
    """The benchmark of these options, its corpus ready for use; a bar shows what takes long."""
    bench = _benchmark(options)
    with progress_bar() as progress:
        bench.prepare(progress)
    return bench


def _benchmark(options: Options | StarOptions) -> SequentialNiah | CountingStars:
    if isinstance(options, StarOptions):
        return CountingStars(options)
    return NoiseSuite(options) if options.bases else SequentialNiah(options)
