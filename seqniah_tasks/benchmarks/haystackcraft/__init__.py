"""HaystackCraft: questions over piles of documents that a search engine found (2510.07414)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from seqniah_tasks.benchmarks.haystackcraft import paper, prompts
from seqniah_tasks.benchmarks.haystackcraft.dynamic import follow
from seqniah_tasks.benchmarks.haystackcraft.laying import NAME, TITLE, VERSION
from seqniah_tasks.benchmarks.haystackcraft.lm_eval import LM_EVAL
from seqniah_tasks.benchmarks.haystackcraft.options import PileOptions, RoundOptions
from seqniah_tasks.benchmarks.haystackcraft.reader import reader
from seqniah_tasks.benchmarks.haystackcraft.record import COLUMNS
from seqniah_tasks.benchmarks.haystackcraft.score import SCORING
from seqniah_tasks.benchmarks.protocol import Benchmark, Command, TaskSpec

if TYPE_CHECKING:
    from seqniah_tasks.report.declared import ReportOf


def _report() -> ReportOf:
    from seqniah_tasks.benchmarks.haystackcraft.report import REPORT

    return REPORT


def _commands() -> Mapping[str, Command]:
    from seqniah_tasks.benchmarks.haystackcraft import commands, scoring

    return {
        "score haystackcraft": scoring.haystackcraft,
        "haystackcraft index": commands.index,
        "haystackcraft retrieval": commands.retrieval,
    }


BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    version=VERSION,
    tasks=(
        TaskSpec(
            name="haystackcraft",
            summary="HaystackCraft: answer questions over whole documents that a search engine "
            "found (2510.07414).",
            options=PileOptions,
            open=paper.opened,
        ),
        TaskSpec(
            name="haystackcraft_dynamic",
            summary="HaystackCraft in rounds: refine the question, search again, then answer "
            "(2510.07414).",
            options=RoundOptions,
            open=paper.opened_in_rounds,
            fixed={"order": ("ranked",), "gold": "inserted"},
            rounds=follow,
        ),
    ),
    scoring=SCORING,
    columns=COLUMNS,
    lm_eval=LM_EVAL,
    report=_report,
    commands=_commands,
    readers={"reader": reader},
    answer_starts=lambda: [prompts.ANSWER_START],
)
