"""Counting-Stars: the score by length of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from seqniah_tasks.benchmarks.counting_stars.report.cells import MOST_PLACES
from seqniah_tasks.benchmarks.counting_stars.report.runs import Group, by_language, lengths
from seqniah_tasks.kinds import ranges, span
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.figures import over_places
from seqniah_tasks.report.measures import (
    SCORED,
    UNSCORED,
    ends,
    mean_of,
    means,
    point,
    share_columns,
    unscored,
)
from seqniah_tasks.report.parts import (
    Cell,
    Column,
    Figure,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import MOST_LINES, Study
from seqniah_tasks.report.sections import effective

_Measure = Callable[[Sequence[Record]], Point | None]

_position: _Measure = partial(mean_of, figure="position")

_FEW = 10
"""Samples of a length below which its interval, which says little, is in the table only."""


def section(study: Study) -> Section | None:
    """Score and position by length; None where no answer tells its length."""
    groups = by_language(study.runs)
    names = lengths(row for group in groups for row in group.rows)
    if not names:
        return None
    figures = [_figure(groups, names, "stars-by-length", "Mean score", _score)]
    if any("position" in row.figures for group in groups for row in group.rows):
        title = "Stars in their own place"
        figures.append(_figure(groups, names, "stars-position-by-length", title, _position))
    return Section(
        name="stars-by-length",
        title="Counting-Stars: by length",
        lead=(
            "The mean score of the samples of each length, and beside it the share of stars whose "
            "number stands in its own place of the list. A length has few samples: as many as "
            f"languages, repeats and questions. Bars are 95 % intervals, of {_FEW} samples or more."
        ),
        figures=tuple(figures) if len(names) > 1 else (),
        tables=(_table(groups, names),),
        notes=() if len(names) > 1 else (f"All answers are of one length: {names[0]}.",),
    )


def effective_section(study: Study) -> Section | None:
    """The effective lengths of runs, apart by language."""
    groups = [(group.label, group.rows) for group in by_language(study.runs)]
    return effective.of_groups(study, groups)


def _of(group: Group, names: Sequence[str]) -> list[Record]:
    return [row for row in group.rows if row.length_bin in names]


def _score(rows: Sequence[Record]) -> Point | None:
    found = point(mean_score(rows))
    few = found and found.of and found.of < _FEW
    return replace(found, low=None, high=None) if found and few else found


def _figure(
    groups: Sequence[Group], names: Sequence[str], name: str, title: str, value: _Measure
) -> Figure:
    together = ranges(names, MOST_PLACES)
    places = list(map(span, together))
    lines = [(group.label, [value(_of(group, part)) for part in together]) for group in groups]
    if len(lines) > MOST_LINES:
        # Rows of a map, whose cells would all be marked as of few samples.
        lines = [(label, [one and replace(one, of=None) for one in row]) for label, row in lines]
    return over_places(name, title, "length", "length of the prompt", places, lines, "at {}")


def _table(groups: Sequence[Group], names: Sequence[str]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", length="Length"),
        *share_columns("score", "Mean score"),
        *(Column("position", "Position", Kind.SHARE), SCORED, UNSCORED),
    )
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for name in names:
            if answers := _of(group, [name]):
                share, position = mean_score(answers), means(answers, ["position"])
                told = *ends(share), *position, share.of, unscored(answers)
                rows.append((group.label, name, *told))
    return Table("stars-by-length", "Score by length", columns, tuple(rows))
