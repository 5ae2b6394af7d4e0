"""Sequential-NIAH: find 3 to 15 needles and list them in order (arXiv 2504.04713)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seqniah_datasets.schema import LANGS, SPLITS, NoiseType
from seqniah_datasets.sources import EDITIONS
from seqniah_datasets.splits import LONGER_BINS
from seqniah_tasks.benchmarks.protocol import (
    Bench,
    Benchmark,
    Command,
    Facts,
    JudgeBench,
    SummaryPart,
    TaskSpec,
)
from seqniah_tasks.benchmarks.sequential_niah import margins, prompts
from seqniah_tasks.benchmarks.sequential_niah.bench import NAME, TITLE, VERSION, SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.lm_eval import LM_EVAL
from seqniah_tasks.benchmarks.sequential_niah.noise import NoiseSuite
from seqniah_tasks.benchmarks.sequential_niah.options import (
    HARD,
    SHORTER,
    NoiseOptions,
    Options,
)
from seqniah_tasks.benchmarks.sequential_niah.record import COLUMNS
from seqniah_tasks.benchmarks.sequential_niah.released.bench import Released, ReleasedSuite
from seqniah_tasks.benchmarks.sequential_niah.score import SCORING

if TYPE_CHECKING:
    from seqniah_tasks.records import Record
    from seqniah_tasks.report.declared import ReportOf


def _report() -> ReportOf:
    from seqniah_tasks.benchmarks.sequential_niah.report import REPORT

    return REPORT


def _commands() -> Mapping[str, Command]:
    from seqniah_tasks.benchmarks.sequential_niah.judging.command import data, evaluate
    from seqniah_tasks.benchmarks.sequential_niah.released.command import score
    from seqniah_tasks.benchmarks.sequential_niah.rewriting.command import rewrite

    return {
        "rewrite": rewrite,
        "score released": score,
        "judge data": data,
        "judge eval": evaluate,
    }


def _summary(found: Sequence[Record]) -> SummaryPart | None:
    from seqniah_tasks.benchmarks.sequential_niah import noise_view

    return noise_view.summary(found)


def _judge_bench() -> JudgeBench:
    from seqniah_tasks.benchmarks.sequential_niah.judging.bench import JUDGE_BENCH

    return JUDGE_BENCH


def _opened(options: Options) -> Bench[Any]:
    return Released(options) if options.edition == "released" else SequentialNiah(options)


def _opened_suite(options: NoiseOptions) -> Bench[Any]:
    return ReleasedSuite(options) if options.edition == "released" else NoiseSuite(options)


def _split(name: str, summary: str) -> TaskSpec:
    return TaskSpec(
        name=name, summary=summary, options=Options, open=_opened, fixed={"split": name}
    )


_ID = re.compile(
    rf"(?P<split>{'|'.join(SPLITS)}|hard)-[a-z]+-(?P<length>[0-9a-z]+-[0-9a-z]+)-n.+?"
    rf"(?P<noise>-({'|'.join(NoiseType)})[0-9]+)?"
)


def _of_id(sample_id: str) -> tuple[str, Facts] | None:
    found = _ID.fullmatch(sample_id)
    if found is None:
        return None
    # A longer bin is part of a plan only where it is asked for.
    length = {"length": found["length"]} if found["length"] in _LONGER else {}
    return "noise" if found["noise"] else found["split"], length


_LONGER = frozenset(one.name for one in LONGER_BINS)

BENCHMARK = Benchmark(
    name=NAME,
    title=TITLE,
    version=VERSION,
    tasks=(
        _split(
            "test",
            "Sequential-NIAH, test split: find 3 to 15 needles and list them in order "
            "(2504.04713).",
        ),
        _split("dev", "Sequential-NIAH, development split; options as for `test`."),
        _split("train", "Sequential-NIAH, training split; options as for `test`."),
        TaskSpec(
            name="hard",
            summary="Sequential-NIAH made harder: the test split with needles inline, three lures "
            "a sample, and the order always asked for.",
            options=Options,
            open=_opened,
            fixed={"split": "test", **HARD},
        ),
        TaskSpec(
            name="noise",
            summary="The noise suite: samples of the test split, each with twelve variants "
            "(paper, section 5.3).",
            options=NoiseOptions,
            open=_opened_suite,
            fixed={"split": "test"},
        ),
    ),
    scoring=SCORING,
    columns=COLUMNS,
    lm_eval=LM_EVAL,
    report=_report,
    commands=_commands,
    stats=margins.stats,
    judge_bench=_judge_bench,
    of_id=_of_id,
    summary=_summary,
    lenient={"shortfall": "smaller"},
    about=f", editions {', '.join(EDITIONS)}",
    unpublished=_LONGER | {SHORTER.name},
    unnamed=True,
    answer_starts=lambda: list(map(prompts.answer_start, LANGS)),
)
