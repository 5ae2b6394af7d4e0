"""What a report says of runs of LOFT."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_tasks.benchmarks.loft.report import sets
from seqniah_tasks.benchmarks.loft.report.asked import WAYS, asked
from seqniah_tasks.report.declared import ReportOf
from seqniah_tasks.report.runs import Run
from seqniah_tasks.report.sections import effective, groups, named, overview, pairs, spending
from seqniah_tasks.report.words import counted, listed


def _what(runs: Sequence[Run]) -> str:
    found = list(dict.fromkeys(asked(row) for run in runs for row in run.answers))
    names = list(dict.fromkeys(f"{one.dataset} ({one.kind})" for one in found))
    ways = list(dict.fromkeys(WAYS.get(one.via, one.via) for one in found))
    return f"Asked: {counted(len(names), 'data set')}, {listed(names)}, {listed(ways)}."


REPORT = ReportOf(
    sections=(
        *named("loft", overview.section),
        sets.section,
        *named("loft", pairs.section, groups.section, effective.section, spending.section),
    ),
    lead=(
        "Mean of each data set's own measure by the strict profile, with its 95 % interval across "
        "the end of the bar; what the released evaluator gives stands beside it."
    ),
    what=_what,
    alike=lambda run: (
        run.setting.edition,
        run.setting.setup,
        run.setting.version,
        run.setting.tokenizer,
        run.setting.corpus,
    ),
    strata={"dataset": "Data set", "via": "Way"},
)
