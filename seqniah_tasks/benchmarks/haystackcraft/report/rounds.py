"""F1 by rounds of search: by those that a run asks for, and by those that were used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from statistics import fmean

from seqniah_tasks.benchmarks.haystackcraft.report import beside, published
from seqniah_tasks.benchmarks.haystackcraft.report.beside import Named, Over
from seqniah_tasks.benchmarks.haystackcraft.report.settings import (
    SETTING,
    Setting,
    by_setting,
    cells,
    setting_of,
    settings,
    sizes,
)
from seqniah_tasks.benchmarks.haystackcraft.rounds import OPTIONS, named
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import ends, grouped, means, point, share_columns
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
from seqniah_tasks.report.runs import MOST_FACETS, Run, Study

_USED = "rounds_used"

NAMES = frozenset(map(named, OPTIONS))
"""Of numbers of rounds, as set-ups have them."""

_LEAD = (
    "Word F1 over all sizes, by the rounds of search that were asked for and, where the model may "
    "answer early, by those that it used: it answers early what it finds easy, so that more rounds "
    "may go with less F1 without doing harm. Bars are 95 % intervals, resampled over questions."
)


def section(study: Study) -> Section | None:
    """F1 by rounds; None where no answer tells of any."""
    if not any(_used(row) or row.traits.get("rounds") for run in study.runs for row in run.answers):
        return None
    figures = *_by_asked(study), *_by_used(study)
    return Section(
        name="haystackcraft-rounds",
        title="HaystackCraft: F1 by rounds",
        lead=_LEAD,
        figures=figures,
        tables=tuple(one for one in (_asked_table(study), _used_table(study)) if one.rows),
    )


def _used(row: Record) -> str | None:
    used = row.figures.get(_USED)
    return None if used is None else f"{used:g}"


def _by_asked(study: Study) -> Iterator[Figure]:
    """For each way of searching that was asked for in several numbers of rounds."""
    ways: dict[Setting, list[Setting]] = {}
    for one in settings(study.runs):
        if one.rounds:
            ways.setdefault(replace(one, rounds=""), []).append(one)
    several = [(way, asked) for way, asked in ways.items() if len(asked) > 1]
    for number, (way, asked) in enumerate(several[:MOST_FACETS], 1):
        names = tuple(named(one.rounds) for one in asked)
        over = Over("asked for", names, "after {}", joined=False)
        lines = [
            (name, runs, [by_setting(answers).get(one, []) for one in asked])
            for name, runs in _models(study.runs)
            for answers in [[row for run in runs for row in run.answers]]
        ]
        lines = [line for line in lines if any(line[2])]
        rows = [row for _, _, found in lines for answers in found for row in answers]
        ours = [
            (name, [point(mean_score(answers)) for answers in found]) for name, _, found in lines
        ]
        theirs = _theirs(asked, sizes(rows))
        shown = beside.alike(
            [run for _, runs, _ in lines for run in runs], [model for model, _ in theirs]
        )
        yield of_run(
            "haystackcraft-rounds",
            f"F1 by rounds{beside.words(theirs)}",
            number,
            way.name,
            beside.told(over, ours, theirs),
            beside.chart(over, "model", ours, theirs, shown),
        )


def _models(runs: Sequence[Run]) -> list[tuple[str, list[Run]]]:
    """Runs that differ in their rounds alone, under the model's name and what tells it from others
    of the same name."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        setup = ", ".join(one for one in run.setting.setup.split(", ") if one not in NAMES)
        told = astuple(replace(run.setting, setup=setup))
        groups.setdefault((run.model, run.generation, *told), []).append(run)
    return [(_model(key, groups), found) for key, found in groups.items()]


def _model(key: Sequence[str], keys: Iterable[Sequence[str]]) -> str:
    namesakes = zip(*(other for other in keys if other[0] == key[0]), strict=True)
    apart = [one for one, values in zip(key, namesakes, strict=True) if len(set(values)) > 1]
    return f"{key[0]} ({', '.join(filter(None, apart)) or 'as usual'})" if apart else key[0]


def _theirs(asked: Sequence[Setting], names: Sequence[str]) -> Named:
    """Published models by rounds, as means over these sizes; none where the paper lacks one."""
    found: dict[str, list[Point | None]] = {}
    for place, setting in enumerate(asked):
        for line in published.of_setting(setting):
            known = [cell.value for name in names if (cell := line.trusted.get(name))]
            if known and len(known) == len(names):
                found.setdefault(line.model, [None] * len(asked))[place] = Point(fmean(known))
    return list(found.items())


def _early(rows: Sequence[Record]) -> dict[str, list[Record]]:
    """Scored answers by the rounds that they took, but for those that had to take so many."""
    free = (row for row in rows if not setting_of(row).rounds.isdecimal())
    return grouped(free, _used)


def _by_used(study: Study) -> Iterator[Figure]:
    groups = [(run.label, _early(run.answers)) for run in study.runs]
    used = sorted({name for _, found in groups for name in found}, key=float)
    if len(used) > 1:
        over = Over("rounds used", tuple(used), "after {}", joined=False)
        ours = [
            (label, [point(mean_score(found.get(one, ()))) for one in used])
            for label, found in groups
            if found
        ]
        yield Figure(
            "haystackcraft-rounds-used",
            "F1 by rounds used, where the model may answer early",
            beside.told(over, ours),
            beside.chart(over, "run", ours),
        )


def _asked_table(study: Study) -> Table:
    columns = (
        Column("run", "Run"),
        *SETTING,
        *share_columns("f1", "F1"),
        *of_kind(Kind.NUMBER, rounds_used="Rounds used, mean"),
        *of_kind(Kind.COUNT, questions="Questions"),
    )
    rows: list[tuple[Cell, ...]] = []
    for run in study.runs:
        for setting, found in by_setting(run.answers).items():
            if setting.rounds:
                share = mean_score(found)
                told = *ends(share), *means(found, [_USED]), share.draws
                rows.append((run.label, *cells(setting), *told))
    return Table("haystackcraft-rounds", "F1 by rounds asked for", columns, tuple(rows), open=True)


def _used_table(study: Study) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", used="Rounds used"),
        *share_columns("f1", "F1"),
        *of_kind(Kind.COUNT, questions="Questions"),
    )
    rows: list[tuple[Cell, ...]] = []
    for run in study.runs:
        for used, found in _early(run.answers).items():
            share = mean_score(found)
            rows.append((run.label, used, *ends(share), share.draws))
    return Table("haystackcraft-rounds-used", "F1 by rounds used", columns, tuple(rows))
