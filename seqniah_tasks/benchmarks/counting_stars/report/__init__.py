"""What a report says of runs of Counting-Stars."""

from __future__ import annotations

import re

from seqniah_datasets.schema import StarTask
from seqniah_tasks.benchmarks.counting_stars.report import lengths, maps, overview
from seqniah_tasks.benchmarks.counting_stars.report.cases import beside
from seqniah_tasks.benchmarks.counting_stars.report.runs import alike, parts, what
from seqniah_tasks.report.declared import Counted, ReportOf
from seqniah_tasks.report.sections import named, pairs, spending

_TASK = re.compile(r"reasoning|[0-9]{1,6} players")
"""Set-ups that are tasks of their own, and no odd way of running one."""

REPORT = ReportOf(
    sections=(
        overview.section,
        *named("stars", pairs.section),
        lengths.section,
        *named("stars", lengths.effective_section),
        maps.section,
        *named("stars", spending.section),
    ),
    lead=(
        "Mean score over the samples, with its 95 % interval across the end of the bar: of a "
        "list the share of the stars asked for whose number it holds; of a sum or a largest "
        "number 1 if it is right, else 0."
    ),
    usual_task=StarTask.SEARCHING,
    is_task=lambda part: bool(_TASK.fullmatch(part)),
    what=what,
    unusual="Not every run of Counting-Stars was made in the usual way",
    part_of=parts,
    alike=alike,
    counted=Counted(
        values=lambda row: [float(credit >= 0.5) for credit in row.items.get("credits", ())],
        columns=(
            ("both_found", "Stars both found"),
            ("only_first", "Only first found"),
            ("only_second", "Only second found"),
            ("neither_found", "Neither found"),
        ),
        lead=(
            "Of the stars of lists, the table counts those whose right number one of the two alone "
            "has listed."
        ),
        epochs=(
            "a star counts as found where at least half of its scored answers list its right number"
        ),
    ),
    beside=beside,
    strata={"pipeline": "Pipeline", "ask": "Asked for"},
)
