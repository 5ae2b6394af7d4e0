"""LOFT: a corpus in context in place of retrieval, RAG and SQL (arXiv 2406.13121)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from seqniah_tasks.benchmarks.loft.bench import NAME, TITLE, VERSION, Loft
from seqniah_tasks.benchmarks.loft.lm_eval import LM_EVAL
from seqniah_tasks.benchmarks.loft.options import IclOptions, LoftOptions, RagOptions, SqlOptions
from seqniah_tasks.benchmarks.loft.reader import bm25
from seqniah_tasks.benchmarks.loft.record import COLUMNS
from seqniah_tasks.benchmarks.loft.score import SCORING
from seqniah_tasks.benchmarks.loft.turns import follow
from seqniah_tasks.benchmarks.protocol import Benchmark, Command, TaskSpec

if TYPE_CHECKING:
    from seqniah_tasks.report.declared import ReportOf


def _report() -> ReportOf:
    from seqniah_tasks.benchmarks.loft.report import REPORT

    return REPORT


def _commands() -> Mapping[str, Command]:
    from seqniah_tasks.benchmarks.loft.scoring import loft

    return {"score loft": loft}


def _task(name: str, options: type, summary: str) -> TaskSpec:
    return TaskSpec(
        name=f"loft_{name}",
        summary=f"LOFT: {summary} (2406.13121).",
        options=options,
        open=partial(Loft, name),
        rounds=follow,
        sometimes=True,
    )


BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    version=VERSION,
    tasks=(
        _task("retrieval", LoftOptions, "find the documents for a query in a corpus in context"),
        _task("rag", RagOptions, "answer a query from a corpus in context"),
        _task("sql", SqlOptions, "answer a query from tables in context, without SQL"),
        _task("icl", IclOptions, "tell a class by examples in context"),
    ),
    scoring=SCORING,
    columns=COLUMNS,
    lm_eval=LM_EVAL,
    report=_report,
    commands=_commands,
    readers={"bm25": bm25},
)
