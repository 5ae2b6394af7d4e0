"""F1 by size of the pile: of each run in its settings, and in each setting beside the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seqniah_tasks.benchmarks.haystackcraft.report import beside, published
from seqniah_tasks.benchmarks.haystackcraft.report.beside import Named, Over
from seqniah_tasks.benchmarks.haystackcraft.report.settings import (
    SETTING,
    Setting,
    at,
    by_setting,
    cells,
    points,
    settings,
    sizes,
)
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import UNSCORED, ends, means, share_columns, unscored
from seqniah_tasks.report.parts import (
    Cell,
    Column,
    Figure,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
    of_run,
)
from seqniah_tasks.report.runs import Study

_LEAD = (
    "Word F1 by size of the pile. Bars are 95 % intervals, resampled over questions: "
    "what a question was asked in several orders or epochs is drawn together."
)

_BESIDE = (
    f" Beside each setting stand the paper's models ({published.WORDS}): those that runs are of by "
    "their names, else the median of all with a bar from the lowest to the highest."
)

PAPER = "paper"
"""The edition of runs over the published files."""

_MOST_SETTINGS = 20
"""That have a chart of their own: as many as the paper has, 12 static ones and 8 in rounds."""

_FIGURES = ("exact", "official_f1", "answered")


def section(study: Study) -> Section | None:
    """F1 by size; None where no answer tells of its size."""
    every = [row for run in study.runs for row in run.answers]
    names = sizes(every)
    if not names:
        return None
    asked = settings(study.runs)
    lines = [line for one in asked for line in published.of_setting(one)]
    return Section(
        name="haystackcraft-by-size",
        title="HaystackCraft: F1 by size",
        lead=_LEAD + (_BESIDE if lines else ""),
        figures=(*_of_settings(study, asked), *_of_runs(study)),
        tables=(_table(study), *([_published(lines)] if lines else ())),
        notes=tuple(_notes(study, asked, lines)),
    )


def _over(rows: Sequence[Record]) -> Over:
    return Over("size of the pile", tuple(sizes(rows)), "at {}")


def _of_settings(study: Study, asked: Sequence[Setting]) -> Iterator[Figure]:
    """A line a run, and the published ones."""
    for number, setting in enumerate(asked[:_MOST_SETTINGS], 1):
        groups = [(run, by_setting(run.answers).get(setting, [])) for run in study.runs]
        groups = [(run, rows) for run, rows in groups if rows]
        over = _over([row for _, rows in groups for row in rows])
        if over.places:
            ours = [(run.label, points(rows, over.places)) for run, rows in groups]
            theirs = _theirs(setting, over.places)
            shown = beside.alike([run for run, _ in groups], [model for model, _ in theirs])
            yield of_run(
                "haystackcraft-setting",
                f"F1 by size{beside.words(theirs)}",
                number,
                setting.name,
                beside.told(over, ours, theirs),
                beside.chart(over, "run", ours, theirs, shown),
            )


def _theirs(setting: Setting, places: Sequence[str]) -> Named:
    """Published models by size; none where the paper has none of these sizes."""
    found = [(line.model, line.trusted) for line in published.of_setting(setting)]
    return [
        (model, [Point(cell.value) if (cell := trusted.get(place)) else None for place in places])
        for model, trusted in found
        if not trusted.keys().isdisjoint(places)
    ]


def _of_runs(study: Study) -> Iterator[Figure]:
    """A line a setting, of runs that have several."""
    for number, run in enumerate(study.facets, 1):
        groups, over = by_setting(run.answers), _over(run.answers)
        if len(groups) > 1 and over.places:
            lines = [(one.name, points(rows, over.places)) for one, rows in groups.items()]
            yield of_run(
                "haystackcraft-run",
                "F1 by size and setting",
                number,
                run.label,
                beside.told(over, lines),
                beside.chart(over, "setting", lines),
            )


def _table(study: Study) -> Table:
    columns = (
        Column("run", "Run"),
        *SETTING,
        Column("size", "Size"),
        *share_columns("f1", "F1"),
        *of_kind(Kind.SHARE, exact="Exact", official_f1="F1, released reader", answered="Answered"),
        *of_kind(Kind.COUNT, questions="Questions", scored="Answers scored"),
        UNSCORED,
    )
    rows: list[tuple[Cell, ...]] = []
    for run in study.runs:
        for setting, found in by_setting(run.answers).items():
            for size in sizes(found):
                answers = at(found, size)
                share, lost = mean_score(answers), unscored(answers)
                counts = share.draws, len(answers) - lost, lost
                told = *ends(share), *means(answers, _FIGURES), *counts
                rows.append((run.label, *cells(setting), size, *told))
    return Table("haystackcraft-by-size", "F1 by size", columns, tuple(rows), open=True)


def _published(lines: Sequence[published.Line]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, model="Model"),
        *SETTING,
        Column("size", "Size"),
        *of_kind(Kind.SHARE, f1="F1", deviation="±, over orders"),
        *of_kind(Kind.TEXT, source="Source", remark="Remark"),
    )
    rows = tuple(
        (
            line.model,
            *cells(line.setting),
            size,
            *(cell.value, cell.deviation, line.source),
            f"{published.WORDS}; {published.SUSPECT}" if cell.suspect else published.WORDS,
        )
        for line in lines
        for size, cell in line.cells.items()
    )
    return Table("haystackcraft-published", "The paper's models", columns, rows)


def _notes(
    study: Study, asked: Sequence[Setting], lines: Sequence[published.Line]
) -> Iterator[str]:
    if lines and any(run.setting.edition == PAPER for run in study.runs):
        yield (
            "Runs of the paper edition have the paper's questions and piles. Prompts put it in "
            "other words; profile=official reads answers as the paper does, decoding=official has "
            "them written as there."
        )
    if lines and any(run.setting.edition != PAPER for run in study.runs):
        yield (
            "The paper's figures are over Wikipedia's articles, with its own prompt and reader of "
            "answers: over other documents, they are a rough guide and no comparison."
        )
    if any("dense" in line.setting.strategy or "hybrid" in line.setting.strategy for line in lines):
        yield "The paper's dense search, also within hybrid, is by Qwen3-Embedding-0.6B."
    if any(cell.suspect for line in lines for cell in line.cells.values()):
        yield f"Some published figures are in no chart, as {published.SUSPECT}; the table has them."
    if len(asked) > _MOST_SETTINGS:
        yield (
            f"Charts of single settings are of the first {_MOST_SETTINGS}; the tables have the "
            f"other {len(asked) - _MOST_SETTINGS} too."
        )
    if study.left_out:
        yield study.left_out
