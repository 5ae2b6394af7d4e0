"""LOFT: a corpus in context in place of retrieval, RAG and SQL (arXiv 2406.13121).

Answers made anywhere are scored; there is no task yet.
"""

from __future__ import annotations

from collections.abc import Mapping

from seqniah_tasks.benchmarks.loft.score import SCORING
from seqniah_tasks.benchmarks.protocol import Benchmark, Command


def _commands() -> Mapping[str, Command]:
    from seqniah_tasks.benchmarks.loft.scoring import loft

    return {"score loft": loft}


BENCHMARK = Benchmark(
    name="loft",
    title="LOFT",
    version=1,
    tasks=(),
    scoring=SCORING,
    commands=_commands,
)
