"""Scores by what samples differ in: length, language, and whatever else a benchmark names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_tasks.benchmarks.protocol import Group
from seqniah_tasks.means import headline
from seqniah_tasks.records import Record, fields_of
from seqniah_tasks.report.figures import over_places
from seqniah_tasks.report.measures import drawn, grouped, ordered, point, score_table
from seqniah_tasks.report.parts import Figure, Kind, Section, Table, of_kind
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.words import slug


@dataclass(frozen=True, slots=True)
class Division:
    """What samples are divided by."""

    by: str
    name: Callable[[Record], str | None]
    x_title: str
    joined: bool
    """Whether the strata have an order that a line may join."""
    told: str
    """A stratum in a sentence."""
    order: tuple[str, ...] = ()
    """Strata in their order; others follow by number, then by name."""


_Groups = Sequence[dict[str, list[Record]]]
"""Of each run, its answers by stratum."""


def section(study: Study) -> Section | None:
    """Scores by the groups that the benchmark declares; None where no answer is of any."""
    divisions = [_division(one) for run in study.runs[:1] for one in run.benchmark.scoring.groups]
    return by_divisions(study, divisions)


def _division(group: Group) -> Division:
    joined = group.name == "length"
    x_title, told = ("length of the prompt", "at {}") if joined else (group.name, "for {}")
    return Division(
        group.name, lambda row: group.of(fields_of(row)), x_title, joined, told, group.order
    )


def by_divisions(study: Study, divisions: Sequence[Division]) -> Section | None:
    """Scores by stratum, a figure for each division that has several."""
    parts = [(one, [grouped(run.answers, one.name) for run in study.runs]) for one in divisions]
    parts = [(one, groups) for one, groups in parts if any(groups)]
    if not parts:
        return None
    benchmark = study.runs[0].benchmark
    measure = "accuracy" if benchmark.scoring.binary else "mean score"
    places = [_places(*part) for part in parts]
    return Section(
        name="strata",
        title="Scores by what samples differ in",
        lead=(
            "Scores of the samples of each kind. The bars are 95 % intervals; a difference that is "
            f"small beside them may be chance.{drawn(benchmark)}"
        ),
        figures=tuple(
            _figure(study, measure, *part, names)
            for part, names in zip(parts, places, strict=True)
            if len(names) > 1
        ),
        tables=(_table(study, measure, parts),),
        notes=tuple(
            f"All answers are of one {one.by}: {benchmark.labelled(names[0])}."
            for (one, _), names in zip(parts, places, strict=True)
            if len(names) == 1
        ),
    )


def _places(one: Division, groups: _Groups) -> list[str]:
    """All strata that are there, in their order."""
    place = {name: number for number, name in enumerate(one.order)}
    found = ordered(name for group in groups for name in group)
    return sorted(found, key=lambda name: place.get(name, len(place)))


def _figure(
    study: Study, measure: str, one: Division, groups: _Groups, names: Sequence[str]
) -> Figure:
    benchmark = study.runs[0].benchmark
    places = list(map(benchmark.labelled, names))
    lines = [
        (run.label, [point(headline(benchmark, group.get(name, []))) for name in names])
        for run, group in zip(study.runs, groups, strict=True)
    ]
    name, what, told = f"{slug(measure)}-by-{slug(one.by)}", measure.capitalize(), one.told
    return over_places(name, what, one.by, one.x_title, places, lines, told, joined=one.joined)


def _table(study: Study, measure: str, parts: Sequence[tuple[Division, _Groups]]) -> Table:
    benchmark, title = study.runs[0].benchmark, f"{measure.capitalize()} by stratum"
    keys = of_kind(Kind.TEXT, run="Run", by="By", stratum="Stratum")
    lines = (
        ((run.label, one.by, benchmark.labelled(stratum)), answers)
        for number, run in enumerate(study.runs)
        for one, groups in parts
        for stratum, answers in groups[number].items()
    )
    return score_table(benchmark, slug(title), title, keys, lines)
