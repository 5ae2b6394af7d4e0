"""Accuracy by number of needles and length at once, a map a run."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.splits import GROUPS
from seqniah_tasks.means import accuracy
from seqniah_tasks.records import Record
from seqniah_tasks.report.figures import map_of_run
from seqniah_tasks.report.measures import ordered, point, score_table
from seqniah_tasks.report.parts import Column, Figure, Heatmap, Kind, Section
from seqniah_tasks.report.runs import Run, Study

_NAME, _TITLE = "accuracy-by-needles-and-length", "Accuracy by needles and length"

_MOST = max(group.high for group in GROUPS)
"""Needles of a sample; numbers beyond, which only a damaged file has, get no rows."""

_Cells = dict[tuple[int, str], list[Record]]
"""Answers by number of needles and length bin."""


def section(study: Study) -> Section | None:
    """A heat map a run, of samples with as many needles in prompts of such a length."""
    found = [(run, _cells(run)) for run in study.runs]
    needles = sorted({needles for _, cells in found for needles, _ in cells})
    bins = ordered(name for _, cells in found for _, name in cells)
    if not bins:
        return None
    facets = [
        _figure(number, run, cells, needles, bins)
        for number, (run, cells) in enumerate(found[: len(study.facets)], 1)
        if cells
    ]
    benchmark = study.runs[0].benchmark
    lines = (
        ((run.label, count, benchmark.labelled(name)), cells[count, name])
        for run, cells in found
        for count in needles
        for name in bins
        if (count, name) in cells
    )
    length = Column("length", "Length")
    keys = Column("run", "Run"), Column("needles", "Needles", Kind.COUNT), length
    return Section(
        name="needles-by-length",
        title=_TITLE,
        lead=(
            "Share of right answers for each number of needles (rows) in prompts of each length "
            "(columns). Where cells get paler from left to right, longer text makes it harder; "
            "from top to bottom, more items do. The paper shows these two only apart (Figure 6)."
        ),
        figures=tuple(facets),
        tables=(score_table(benchmark, _NAME, _TITLE, keys, lines),),
        notes=(_sizes(found), *filter(None, (study.left_out,))),
    )


def _cells(run: Run) -> _Cells:
    cells: _Cells = {}
    for row in run.answers:
        if row.needles is not None and row.needles <= _MOST and row.length_bin is not None:
            cells.setdefault((row.needles, row.length_bin), []).append(row)
    return cells


def _sizes(found: Sequence[tuple[Run, _Cells]]) -> str:
    of = [accuracy(rows).of for _, cells in found for rows in cells.values()]
    counts = [count for count in of if count]
    if not counts:
        return "No cell has a scored sample."
    least, most = min(counts), max(counts)
    span = f"{least:,} to {most:,}" if least < most else f"{most:,}"
    return (
        f"Scored samples of a cell: {span}; one of few may be far off by chance. The table has the "
        "intervals."
    )


def _figure(
    number: int, run: Run, cells: _Cells, needles: Sequence[int], bins: Sequence[str]
) -> Figure:
    return map_of_run(
        _NAME,
        _TITLE,
        number,
        run.label,
        "Accuracy",
        Heatmap(
            x_title="tokens of the prompt",
            places=tuple(map(run.benchmark.labelled, bins)),
            y_title="needles",
            lines=tuple(map(str, needles)),
            cells=tuple(
                tuple(point(accuracy(cells.get((count, name), ()))) for name in bins)
                for count in needles
            ),
        ),
        "with {row} needles at {0} tokens",
    )
