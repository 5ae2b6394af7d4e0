"""Scores by data set and by the way to the answer, beside the paper's Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seqniah_datasets.loft.table import SYSTEMS, DataSet
from seqniah_tasks.benchmarks.loft.report import averages
from seqniah_tasks.benchmarks.loft.report.asked import Asked, Groups, by_asked
from seqniah_tasks.means import mean_score
from seqniah_tasks.report.measures import (
    CACHED,
    UNSCORED,
    cached_share,
    ends,
    extremes,
    mean,
    means,
    point,
    share_columns,
    told_at,
    unscored,
    without_empty,
)
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import Study

_WORDS = "arXiv 2406.13121, Table 2"


def section(study: Study) -> Section | None:
    """Scores by data set; None where no answer tells of its own."""
    groups = [(run.label, by_asked(run.answers)) for run in study.runs]
    every = sorted({one for _, by in groups for one in by}, key=lambda one: one.place)
    if not every:
        return None
    released = list({one.row.folder: one.row for one in every if one.row}.values())
    return Section(
        name="loft-by-data-set",
        title="LOFT: scores by data set",
        lead=(
            "The data set's own measure by the strict profile, by what the prompt holds: the "
            "corpus (context), nothing of it (closed), or what BM25 finds (bm25)."
        ),
        figures=tuple(_figures(groups, every)),
        tables=(
            _table(groups),
            *averages.tables(row for _, by in groups for rows in by.values() for row in rows),
            *([_published(released)] if released else ()),
        ),
        notes=tuple(_notes(released)),
    )


def _figures(groups: Groups, every: Sequence[Asked]) -> Iterator[Figure]:
    """A figure a data set: each run by each way, and what Table 2 has of it."""
    names = list(dict.fromkeys((one.dataset, one.kind) for one in every))
    for number, (dataset, kind) in enumerate(names, 1):
        of = [one for one in every if (one.dataset, one.kind) == (dataset, kind)]
        ours = [
            (f"{label}, {one.via}, {one.length}", point(mean_score(by[one])))
            for label, by in groups
            for one in of
            if one in by
        ]
        rows = [DotRow(label, found) for label, found in ours]
        rows += [DotRow(label, found, published=True) for label, found in _systems(of[0].row)]
        told = told_at("for {}".format, *zip(*ours, strict=True))
        title = f"{of[0].row.title if of[0].row else dataset}, {kind.replace('_', ' ')}"
        yield Figure(
            f"loft-data-set-{number:02d}",
            f"Score on {title}",
            extremes("The score", told) or "No answer is scored.",
            Dots(Axis("score"), tuple(rows), words=_WORDS),
        )


def _systems(row: DataSet | None) -> list[tuple[str, Point]]:
    if row is None:
        return []
    values = zip(SYSTEMS, row.table2, strict=True)
    return [(f"{name} ({_WORDS})", Point(value)) for name, value in values if value >= 0]


def _table(groups: Groups) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", task="Task", data_set="Data set", via="Way"),
        Column("length", "Length"),
        *share_columns("strict", "Strict"),
        Column("official", "Official", Kind.SHARE),
        *of_kind(Kind.COUNT, queries="Queries", input_tokens="Input tokens a query"),
        CACHED,
        Column("cost", "Cost a query", Kind.DOLLARS),
        UNSCORED,
    )
    rows: list[tuple[Cell, ...]] = []
    for label, by in groups:
        for one, found in sorted(by.items(), key=lambda pair: pair[0].place):
            share, (official,) = mean_score(found), means(found, ["official"])
            read = mean(found, lambda row: row.input_tokens)
            cost = mean(found, lambda row: row.cost)
            rows.append(
                (
                    *(label, one.kind, one.dataset, one.via, one.length),
                    *ends(share),
                    official,
                    share.of,
                    round(read.value) if read else None,
                    cached_share(found),
                    cost.value if cost else None,
                    unscored(found),
                )
            )
    table = Table("loft-by-data-set", "Scores by data set", columns, tuple(rows), open=True)
    return without_empty(table, CACHED.name)


def _published(released: Sequence[DataSet]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, task="Task", data_set="Data set", measure="Measure", length="Length"),
        *of_kind(Kind.SHARE, **dict(zip(averages.COLUMNS, SYSTEMS, strict=True))),
        Column("source", "Source"),
    )
    rows = tuple(
        (
            *(one.kind, one.title, one.metric, one.published_at),
            *(value if value >= 0 else None for value in one.table2),
            _WORDS,
        )
        for one in released
    )
    return Table("loft-published", "What the paper reports", columns, rows)


def _notes(released: Sequence[DataSet]) -> Iterator[str]:
    if released:
        yield (
            "The paper's figures are by its own prompts and evaluator, over 128k tokens (BBH 32k). "
            "Its specialised pipeline is Gecko for retrieval, and Gecko's best 40 passages before "
            "Gemini 1.5 Pro for RAG. A cell is empty where the table has none."
        )
