"""Benchmarks that stay open, since a harness asks for one again for each task and solver."""

from __future__ import annotations

from functools import lru_cache
from typing import overload

from seqniah_tasks import terminal
from seqniah_tasks.benchmarks.counting_options import StarOptions
from seqniah_tasks.benchmarks.counting_stars import CountingStars
from seqniah_tasks.benchmarks.options import Options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah


@overload
def open_benchmark(options: Options) -> SequentialNiah: ...
@overload
def open_benchmark(options: StarOptions) -> CountingStars: ...
def open_benchmark(options: Options | StarOptions) -> SequentialNiah | CountingStars:
    """One benchmark for all that have these options. Raises `SeqniahError`."""
    return _kept(options)


@lru_cache(maxsize=4)
def _kept(options: Options | StarOptions) -> SequentialNiah | CountingStars:
    return terminal.open_benchmark(options)
