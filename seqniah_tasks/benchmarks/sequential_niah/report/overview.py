"""Accuracy of all runs, what is not in it, and the paper's models beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seqniah_tasks.benchmarks.sequential_niah.report import published
from seqniah_tasks.report.parts import (
    Axis,
    Column,
    DotRow,
    Dots,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import overview
from seqniah_tasks.report.words import percent

_LEAD = (
    "Share of the scored answers that are right: every item found, nothing else given, and in the "
    "true order where the question demands it. The bars are 95 % Wilson intervals; several epochs "
    "of a sample count as one, by their mean. Answers that could not be judged are in no share and "
    "are counted below."
)


def section(study: Study) -> Section | None:
    """The headline: strict accuracy; None where there is no run."""
    found = overview.section(study)
    if found is None:
        return None
    figure = replace(found.figures[0], name="accuracy")
    found = replace(found, name="accuracy", title="Accuracy", lead=_LEAD, figures=(figure,))
    if not any(map(published.is_beside, study.runs)):
        return found
    beside = published.BEST_FIRST
    source, ends = beside[0].source, [percent(beside[at].accuracy) for at in (-1, 0)]
    rows = [
        DotRow(one.model, Point(one.accuracy, of=published.SAMPLES), published=True)
        for one in beside
    ]
    figure = replace(
        figure,
        title=f"Accuracy (hollow: {source}; {published.WORDS})",
        told=f"{figure.told} Of the paper's {len(beside)} models it is {' to '.join(ends)}.",
        chart=Dots(Axis("accuracy"), (*overview.dots(study), *rows)),
    )
    note = (
        f"The paper's accuracies follow from {source}, which counts the wrong answers among "
        f"{published.SAMPLES:,}; {published.WORDS}: a rough guide, no comparison."
    )
    return replace(
        found,
        lead=f"{_LEAD} Hollow marks are the paper's models: {published.WORDS}.",
        figures=(figure,),
        tables=(*found.tables, _published(beside)),
        notes=(*found.notes, note),
    )


def _published(beside: Sequence[published.Failures]) -> Table:
    columns = (
        Column("model", "Model"),
        Column("accuracy", "Accuracy", Kind.SHARE),
        Column("samples", "Samples", Kind.COUNT),
        *of_kind(Kind.TEXT, source="Source", remark="Remark"),
    )
    tabled = [(one.model, one.accuracy, f"{one.source}: wrong answers") for one in beside]
    told = [(one.model, one.accuracy, one.source) for one in published.ACCURACIES]
    rows = tuple(
        (model, accuracy, published.SAMPLES, source, published.WORDS)
        for model, accuracy, source in (*tabled, *told)
    )
    return Table("published", "The paper's models", columns, rows)
