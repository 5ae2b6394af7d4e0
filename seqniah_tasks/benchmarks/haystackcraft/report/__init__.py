"""What a report says of runs of HaystackCraft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seqniah_tasks.benchmarks.haystackcraft.report import origins, rounds, sizes
from seqniah_tasks.benchmarks.haystackcraft.report.settings import question, settings
from seqniah_tasks.benchmarks.haystackcraft.report.settings import sizes as sizes_of
from seqniah_tasks.benchmarks.haystackcraft.rounds import named
from seqniah_tasks.report.declared import Counted, ReportOf
from seqniah_tasks.report.runs import Run
from seqniah_tasks.report.sections import effective, groups, overview, pairs, spending
from seqniah_tasks.report.sections import named as under
from seqniah_tasks.report.words import counted, listed

_PREFIX = "haystackcraft"


def _what(runs: Sequence[Run]) -> str:
    rows, asked = [row for run in runs for row in run.answers], settings(runs)
    names = sizes_of(rows)
    ends = f" of {' to '.join(dict.fromkeys((names[0], names[-1])))} tokens" if names else ""
    found, orders = _each(one.strategy for one in asked), _each(one.order for one in asked)
    times = _each(named(one.rounds) for one in asked if one.rounds)
    told = [found and f"found by {found}", orders, times and f"in {times}"]
    count = counted(len(set(map(question, rows))), "question")
    return f"Asked: {', '.join(filter(None, (f'{count} over piles{ends}', *told)))}."


def _each(values: Iterable[str]) -> str:
    return listed([one for one in dict.fromkeys(values) if one])


REPORT = ReportOf(
    sections=(
        *under(_PREFIX, overview.section),
        sizes.section,
        origins.section,
        rounds.section,
        *under(_PREFIX, pairs.section, groups.section, effective.section, spending.section),
    ),
    lead=(
        "Mean word F1 over the samples, with its 95 % interval across the end of the bar; a "
        "response that states no answer counts 0."
    ),
    usual_task="static",
    is_task=lambda part: part in rounds.NAMES,
    what=_what,
    alike=lambda run: (
        run.setting.edition,
        run.setting.setup,
        run.setting.version,
        run.setting.tokenizer,
        run.setting.corpus,
    ),
    counted=Counted(
        values=lambda row: [row.figures.get("exact", 0.0)],
        columns=(
            ("both_exact", "Both exact"),
            ("only_first", "Only first exact"),
            ("only_second", "Only second exact"),
            ("neither_exact", "Neither exact"),
        ),
        lead="The table counts the samples that were answered in the very words of an answer.",
        epochs="an answer counts as exact where at least half of its scored epochs are",
    ),
    strata={"strategy": "Strategy", "order": "Order", "rounds": "Rounds"},
)
