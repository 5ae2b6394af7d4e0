"""From the records of logs to a page, its figures and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from seqniah_datasets.corpora.base import Progress
from seqniah_tasks.effective import THRESHOLD
from seqniah_tasks.records import Record
from seqniah_tasks.report import page, sections
from seqniah_tasks.report.cases import Example
from seqniah_tasks.report.drawing import Drawn, can_draw, draw
from seqniah_tasks.report.parts import Table
from seqniah_tasks.report.runs import Study, study


@dataclass(frozen=True, slots=True)
class Report:
    """A report, before it is written."""

    study: Study
    page: str
    """HTML."""
    figures: Mapping[str, Drawn]
    """By name."""
    tables: tuple[Table, ...]


def build(
    files: Mapping[Path, Sequence[Record]],
    title: str,
    examples: Callable[[Study], Sequence[Example]] = lambda study: (),
    progress: Progress = lambda what, done, total: None,
    threshold: float = THRESHOLD,
) -> Report:
    """The report of these files' rows.

    `examples` gives the answers to show one by one, since rows have no texts; `threshold` is that
    of the effective length. The same rows, examples and threshold give the same bytes.
    """
    found = replace(study(files), threshold=threshold)
    progress("Counting", 0, 1)
    made = sections.made(found)
    figures = [figure for section in made for figure in section.figures]
    tables = [table for section in made for table in section.tables]
    for names in ([one.name for one in figures], [one.name for one in tables]):
        # Two of one name would be one file.
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise ValueError(f"two parts of the report are named {twice[0]}")
    progress("Reading single answers", 0, len(figures) + 1)
    chosen = tuple(examples(found))
    drawn: dict[str, Drawn] = {}
    for number, figure in enumerate(figures, 1):
        progress("Drawing", number, len(figures) + 1)
        drawn[figure.name] = draw(figure)
    html = page.render(
        page.Page(
            title=title,
            version=version("seqniah"),
            study=found,
            sections=tuple(made),
            drawn={name: one.inline for name, one in drawn.items()},
            png=can_draw(),
            examples=chosen,
            wrong=sum(row.correct is False for run in found.runs for row in run.answers),
        )
    )
    return Report(study=found, page=html, figures=drawn, tables=tuple(tables))
