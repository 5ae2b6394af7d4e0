"""Accuracy by length, number of needles, pipeline and language: Figure 6 of the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_tasks.records import labelled
from seqniah_tasks.report.benchmarks import accuracy
from seqniah_tasks.report.measures import (
    accuracy_table,
    by_run,
    extremes_by_run,
    grouped,
    ordered,
    point,
)
from seqniah_tasks.report.parts import Axis, Column, Figure, Point, Section, Table
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.table import Row


@dataclass(frozen=True, slots=True)
class _Division:
    """What samples are divided by."""

    by: str
    name: Callable[[Row], str | None]
    x_title: str
    joined: bool
    """Whether the strata have an order that a line may join."""
    told: str
    """A stratum in a sentence."""


_DIVISIONS = (
    _Division("length", lambda row: row.length_bin, "tokens of the prompt", True, "at {} tokens"),
    _Division("needles", lambda row: row.needle_group, "needles", True, "with {} needles"),
    _Division("pipeline", lambda row: row.pipeline, "source of the question", False, "for {}"),
    _Division("language", lambda row: row.lang, "language", False, "in {}"),
)


def section(study: Study) -> Section | None:
    """Accuracy of all runs by stratum."""
    parts = [(one, _grouped(one, study.runs)) for one in _DIVISIONS]
    parts = [(one, groups) for one, groups in parts if any(groups)]
    if not parts:
        return None
    notes = ["Figure 6 of the paper prints no numbers, so no published marks stand here."]
    for one, groups in parts:
        places = _places(groups)
        if len(places) == 1:
            notes.append(f"All answers are of one {one.by}: {labelled(places[0])}.")
    return Section(
        name="strata",
        title="Accuracy by length, needles, pipeline and language",
        lead=(
            "Share of the scored answers that are right, by what samples differ in (Figure 6 of "
            "the paper). The bars are 95 % Wilson intervals; a difference that is small beside "
            "them may be chance. Strata differ in more than their name: by the published quotas, "
            "nearly all samples with more than 10 needles are synthetic-temporal."
        ),
        figures=tuple(
            _figure(study, one, groups) for one, groups in parts if len(_places(groups)) > 1
        ),
        tables=(_table(study, parts),),
        notes=tuple(notes),
    )


_Groups = Sequence[dict[str, list[Row]]]
"""Of each run, its answers by stratum."""


def _grouped(one: _Division, runs: Sequence[Run]) -> _Groups:
    return [grouped(run.answers, one.name) for run in runs]


def _places(groups: _Groups) -> list[str]:
    return ordered(name for group in groups for name in group)


def _figure(study: Study, one: _Division, groups: _Groups) -> Figure:
    places = _places(groups)
    lines: list[tuple[str, list[Point | None]]] = []
    shown: dict[str, list[tuple[str, float]]] = {}
    for run, group in zip(study.runs, groups, strict=True):
        points = [point(accuracy(group.get(place, []))) for place in places]
        lines.append((run.label, points))
        shown[run.label] = [
            (one.told.format(labelled(place)), found.value)
            for place, found in zip(places, points, strict=True)
            if found
        ]
    return Figure(
        name=f"accuracy-by-{one.by}",
        title=f"Accuracy by {one.by}",
        told=extremes_by_run("Accuracy", shown) or "No answer is scored.",
        chart=by_run(
            one.x_title,
            [labelled(place) for place in places],
            Axis("accuracy"),
            lines,
            joined=one.joined,
        ),
    )


def _table(study: Study, parts: Sequence[tuple[_Division, _Groups]]) -> Table:
    return accuracy_table(
        "accuracy-by-stratum",
        "Accuracy by stratum",
        (Column("run", "Run"), Column("by", "By"), Column("stratum", "Stratum")),
        (
            ((run.label, one.by, labelled(stratum)), answers)
            for number, run in enumerate(study.runs)
            for one, groups in parts
            for stratum, answers in groups[number].items()
        ),
    )
