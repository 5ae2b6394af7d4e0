"""Why wrong answers are wrong, beside the paper's Table 8."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.benchmarks.sequential_niah.report.published import (
    BEST_FIRST,
    TABLE_8,
    WORDS,
    Failures,
    is_beside,
)
from seqniah_tasks.report.measures import extremes, tally, tally_kind, weighed
from seqniah_tasks.report.parts import Cell, Column, Figure, Heatmap, Kind, Point, Section, Table
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

    def share(self, mode: str) -> float | None:
        return self.modes[mode] / self.wrong if mode in self.modes and self.wrong else None


def section(study: Study) -> Section | None:
    """Failure modes of all runs, and of the paper's models where the test split was run."""
    ours = [_line(run) for run in study.runs]
    if not any(line.wrong for line in ours):
        return None
    is_test = any(map(is_beside, study.runs))
    beside = BEST_FIRST if is_test else ()
    lines = [*ours, *map(_published, beside)]
    shown = [mode for mode in _TITLES if _is_shown(mode, ours, is_test)]
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
        figures=(_figure([line for line in lines if line.wrong], shown, is_test),),
        tables=(_table(lines),),
        notes=tuple(notes),
    )


def _line(run: Run) -> _Line:
    wrong = [(row, weight) for row, weight in weighed(run.answers) if row.correct is False]
    modes = {str(mode): 0.0 for mode in FailureMode} | {_NONE: 0.0}
    for row, weight in wrong:
        for mode in row.failure_modes or (_NONE,):
            modes[mode] += weight
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


def _figure(lines: Sequence[_Line], shown: Sequence[str], is_test: bool) -> Figure:
    def cell(line: _Line, mode: str) -> Point | None:
        share = line.share(mode)
        return None if share is None else Point(share, of=line.samples)

    source = f" (lower rows: {WORDS}, Table 8)" if is_test else ""
    return Figure(
        name="failure-modes",
        title=f"Wrong answers by failure mode{source}",
        told=_told(lines, shown),
        chart=Heatmap(
            x_title="failure mode",
            places=tuple(_TITLES[mode] for mode in shown),
            y_title="run",
            lines=tuple(line.label for line in lines),
            cells=tuple(tuple(cell(line, mode) for mode in shown) for line in lines),
            published=frozenset(place for place, line in enumerate(lines) if line.source),
        ),
    )


def _told(lines: Sequence[_Line], shown: Sequence[str]) -> str:
    ours = [line for line in lines if not line.source]
    told = extremes(
        "The share of wrong answers",
        [
            (f"for {_TITLES[mode]} of {line.label}", share)
            for line in ours
            for mode in shown
            if (share := line.share(mode))
        ],
    )
    published = [line for line in lines if line.source]
    if not published:
        return told
    shares = [share for line in published if (share := line.share("missing_items")) is not None]
    return (
        f"{told} Missing items are in {percent(min(shares))} to {percent(max(shares))} of the "
        f"published models' wrong answers."
    )


def _table(lines: Sequence[_Line]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for line in lines:
        for mode, count in line.modes.items():
            told = tally(count), tally(line.wrong), line.share(mode)
            source = f"{line.source} ({WORDS})" if line.source else "this report"
            rows.append((line.label, mode, *told, source))
    columns = (
        Column("run", "Run"),
        Column("mode", "Failure mode"),
        Column("answers", "Answers", tally_kind(row[2] for row in rows)),
        Column("wrong", "Wrong answers", tally_kind(row[3] for row in rows)),
        Column("share", "Share of the wrong", Kind.SHARE),
        Column("source", "Source"),
    )
    return Table("failure-modes", "Failure modes", columns, tuple(rows))
