"""Why wrong answers are wrong, beside the paper's Table 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.benchmarks.sequential_niah.report.published import (
    BEST_FIRST,
    TABLE_8,
    WORDS,
    Failures,
    is_beside,
)
from seqniah_tasks.report.figures import modes_map
from seqniah_tasks.report.measures import modes_of, tabled, weighed
from seqniah_tasks.report.parts import Cell, Column, Figure, Kind, Section, Table, of_kind
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import listed, percent

_OTHERS = "others"
"""A mode of the paper alone: beside the question, or content besides the items."""

_NONE = "none told"
"""Where a model alone finds an answer wrong, the verdict names no mode."""

_TITLES = {str(mode): mode.replace("_", " ") for mode in FailureMode}
_TITLES |= {_OTHERS: "others (paper)", _NONE: "no mode told"}

_PUBLISHED_MODES = (*(str(mode) for mode in TABLE_8[0].modes), _OTHERS)


@dataclass(frozen=True, slots=True)
class _Line:
    """The wrong answers of a run, or of a model in the paper."""

    label: str
    source: str
    """Empty for a run."""
    wrong: float
    """Wrong answers; epochs of one sample count as one together."""
    samples: int
    """Samples with a wrong answer."""
    modes: dict[str, float]
    """Of these, how many show the mode; a mode that could not be told is not in it."""

    @property
    def shares(self) -> dict[str, float]:
        """The same of all wrong answers; nothing of none."""
        return {mode: one / self.wrong for mode, one in self.modes.items() if self.wrong}


def section(study: Study) -> Section | None:
    """Failure modes of all runs, and of the paper's models where the test split was run."""
    ours = [_line(run) for run in study.runs]
    if not any(line.wrong for line in ours):
        return None
    is_test = any(map(is_beside, study.runs))
    beside = BEST_FIRST if is_test else ()
    lines = [*ours, *map(_published, beside)]
    shown = {mode: told for mode, told in _TITLES.items() if _is_shown(mode, ours, is_test)}
    notes = [
        "The judge here knows modes that the paper has not: no answer, unreadable, cut off. The "
        'paper\'s "others" (beside the question, or more than the items) has no counterpart.'
    ]
    clean = [line.label for line in ours if not line.wrong]
    if clean:
        notes.append(f"No wrong answer, and so no line in the figure: {listed(clean)}.")
    if is_test:
        notes.append(f"The lower rows are of {TABLE_8[0].source}: {WORDS}.")
    return Section(
        name="failures",
        title="Failure modes",
        lead=(
            "Of the wrong answers, the share that shows each failure. Several failures may hold "
            "for one answer, so a row may add up to more than 100 %. Order counts only where the "
            "question demands it. A model with few wrong answers may have high shares: they are "
            "not of all its answers."
        ),
        figures=(_figure([line for line in lines if line.wrong], shown, len(beside)),),
        tables=(_table(lines),),
        notes=tuple(notes),
    )


def _line(run: Run) -> _Line:
    wrong = [(row, weight) for row, weight in weighed(run.answers) if row.correct is False]
    modes = modes_of(wrong, (*map(str, FailureMode), _NONE), _NONE)
    samples = len({row.id for row, _ in wrong})
    return _Line(run.label, "", sum(weight for _, weight in wrong), samples, modes)


def _published(line: Failures) -> _Line:
    modes = {str(mode): float(count) for mode, count in line.modes.items()}
    modes[_OTHERS] = float(line.others)
    return _Line(line.model, line.source, float(line.wrong), line.wrong, modes)


def _is_shown(mode: str, ours: Sequence[_Line], is_test: bool) -> bool:
    """Columns that would be empty in every row are left out; the four main modes are always in."""
    if mode in _PUBLISHED_MODES:
        return is_test or mode != _OTHERS
    return any(line.modes.get(mode) for line in ours)


def _figure(lines: Sequence[_Line], shown: Mapping[str, str], published: int) -> Figure:
    source = f" (lower rows: {WORDS}, Table 8)" if published else ""
    figure = modes_map(
        "failure-modes",
        f"Wrong answers by failure mode{source}",
        "failure mode",
        "The share of wrong answers",
        shown,
        [(line.label, line.shares, line.samples) for line in lines],
        published,
    )
    missing = [line.shares["missing_items"] for line in lines if line.source]
    if not missing:
        return figure
    span = f"{percent(min(missing))} to {percent(max(missing))}"
    told = f"Missing items are in {span} of the published models' wrong answers."
    return replace(figure, told=f"{figure.told} {told}")


def _table(lines: Sequence[_Line]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", mode="Failure mode"),
        *of_kind(Kind.COUNT, answers="Answers", wrong="Wrong answers"),
        Column("share", "Share of the wrong", Kind.SHARE),
        Column("source", "Source"),
    )
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        source = f"{line.source} ({WORDS})" if line.source else "this report"
        for mode, count in line.modes.items():
            rows.append((line.label, mode, count, line.wrong, line.shares.get(mode), source))
    return tabled("failure-modes", "Failure modes", columns, rows)
