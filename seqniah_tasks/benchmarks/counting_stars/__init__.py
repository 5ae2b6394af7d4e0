"""Counting-Stars: list the numbers of all stars in a sky of text (arXiv 2403.11802)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from seqniah_datasets.schema import LANGS, StarAsk, StarTask
from seqniah_tasks.benchmarks.counting_stars import prompts
from seqniah_tasks.benchmarks.counting_stars.bench import NAME, TITLE, VERSION, CountingStars
from seqniah_tasks.benchmarks.counting_stars.lm_eval import LM_EVAL
from seqniah_tasks.benchmarks.counting_stars.options import StarOptions
from seqniah_tasks.benchmarks.counting_stars.record import COLUMNS
from seqniah_tasks.benchmarks.counting_stars.score import SCORING
from seqniah_tasks.benchmarks.protocol import Benchmark, Command, Facts, TaskSpec

if TYPE_CHECKING:
    from seqniah_tasks.report.declared import ReportOf


def _report() -> ReportOf:
    from seqniah_tasks.benchmarks.counting_stars.report import REPORT

    return REPORT


def _commands() -> Mapping[str, Command]:
    from seqniah_tasks.benchmarks.counting_stars.scoring import counting_stars

    return {"score counting-stars": counting_stars}


_ID = re.compile(rf"stars-[a-z]+-[0-9]+k?-m(?P<m>[0-9]+)-(?P<task>{'|'.join(StarTask)})-.+")


def _of_id(sample_id: str) -> tuple[str, Facts] | None:
    found = _ID.fullmatch(sample_id)
    return ("counting_stars", found.groupdict()) if found else None


BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    version=VERSION,
    tasks=(
        TaskSpec(
            name="counting_stars",
            summary="Counting-Stars: list the numbers of all stars in a sky of text, at N lengths "
            "(2403.11802).",
            options=StarOptions,
            open=CountingStars,
        ),
    ),
    scoring=SCORING,
    columns=COLUMNS,
    lm_eval=LM_EVAL,
    report=_report,
    commands=_commands,
    of_id=_of_id,
    answer_starts=lambda: [prompts.answer_start(lang, StarAsk.LIST, "") for lang in LANGS],
)
