"""Whose the wrong answers are: a bridge's, a namesake's, another article's, or nobody's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seqniah_tasks.benchmarks.haystackcraft.report.settings import at, sizes
from seqniah_tasks.benchmarks.haystackcraft.score import FAILURE_MODES, RIGHT
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import extremes, modes_of, tabled, weighed
from seqniah_tasks.report.parts import Cell, Column, Figure, Kind, Section, Stacks, Table, of_kind
from seqniah_tasks.report.parts import of_run as of_one_run
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import counted

_MODES = tuple(map(str, FAILURE_MODES))

_PARTS = {mode: mode.replace("_", " ") for mode in _MODES}

_LEAD = (
    f"Of the answers with an F1 below {RIGHT}, whose they are. Bridge: what an earlier hop leads "
    "to, or what stands in a gold article all the same. Namesake: it stands in the article on "
    "something named nearly like a gold one. Distractor: it stands in another article. Nowhere: "
    "in none of the pile. No answer: none is stated."
)


@dataclass(frozen=True, slots=True)
class _Line:
    """The wrong answers about piles of one size, or of all."""

    label: str
    modes: dict[str, float]
    """How many are of each; epochs of one sample count as one together."""
    untold: float
    """Of how many nothing is told."""
    samples: int
    """Whose answers are wrong and told."""

    @property
    def told(self) -> float:
        return sum(self.modes.values())

    @property
    def shares(self) -> tuple[float, ...]:
        """Of those told, in the order of the modes; there is one."""
        return tuple(count / self.told for count in self.modes.values())


def section(study: Study) -> Section | None:
    """Whose wrong answers are; None where none is told of."""
    totals = [_line(run.label, run.answers) for run in study.runs]
    if not any(line.told for line in totals):
        return None
    by_size = {run.label: _by_size(run) for run in study.runs}
    return Section(
        name="haystackcraft-origins",
        title="HaystackCraft: whose wrong answers are",
        lead=_LEAD,
        figures=(_of_all(totals), *_of_runs(study, by_size)),
        tables=(_table(totals, by_size),),
        notes=tuple(filter(None, (*_untold(totals), study.left_out))),
    )


def _line(label: str, rows: Sequence[Record]) -> _Line:
    wrong = [(row, weight) for row, weight in weighed(rows) if (row.score or 0.0) < RIGHT]
    told = [(row, weight) for row, weight in wrong if row.failure_modes]
    modes = modes_of(told, _MODES)
    untold = sum(weight for _, weight in wrong) - sum(weight for _, weight in told)
    return _Line(label, modes, untold, len({row.id for row, _ in told}))


def _by_size(run: Run) -> list[_Line]:
    return [_line(size, at(run.answers, size)) for size in sizes(run.answers)]


def _stacks(lines: Sequence[_Line]) -> tuple[str, Stacks]:
    """In words, and as a chart; lines without a wrong answer are left out."""
    lines = [line for line in lines if line.told]
    rows = tuple((line.label, line.shares, line.samples) for line in lines)
    told = [
        (f"for {part} ({line.label})", share)
        for line in lines
        for part, share in zip(_PARTS.values(), line.shares, strict=True)
    ]
    return extremes("The share of wrong answers", told), Stacks(tuple(_PARTS.values()), rows)


def _of_all(totals: Sequence[_Line]) -> Figure:
    return Figure("haystackcraft-origins", "Whose wrong answers are", *_stacks(totals))


def _of_runs(study: Study, by_size: dict[str, list[_Line]]) -> Iterator[Figure]:
    for number, run in enumerate(study.facets, 1):
        lines = by_size[run.label]
        if len(lines) > 1 and any(line.told for line in lines):
            title = "Whose wrong answers are, by size"
            yield of_one_run("haystackcraft-origins", title, number, run.label, *_stacks(lines))


def _table(totals: Sequence[_Line], by_size: dict[str, list[_Line]]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", size="Size", mode="Whose"),
        *of_kind(Kind.COUNT, answers="Wrong answers", wrong="Wrong answers told of"),
        Column("share", "Share of these", Kind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = []
    for total in totals:
        for size, line in (("all", total), *((one.label, one) for one in by_size[total.label])):
            for mode, count in line.modes.items():
                rows.append(
                    (
                        total.label,
                        size,
                        mode,
                        count,
                        line.told,
                        count / line.told if line.told else None,
                    )
                )
    return tabled("haystackcraft-origins", "Whose wrong answers are", columns, rows)


def _untold(totals: Sequence[_Line]) -> Iterator[str]:
    for line in totals:
        if line.untold:
            wrong = counted(max(1, round(line.untold)), "wrong answer")
            yield f"{line.label}: nothing is told of {wrong}."
