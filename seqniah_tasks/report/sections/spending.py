"""What answers took: tokens read and written, seconds, dollars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import (
    extremes,
    extremes_by_run,
    grouped,
    ordered,
    quantile,
    told_at,
)
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Lines,
    Point,
    Section,
    Series,
    Table,
)
from seqniah_tasks.report.runs import MOST_LINES, Run, Study
from seqniah_tasks.report.words import listed

_TENTHS = (10, 50, 90)
"""Percentiles that figures show: the median between the tenth and the ninetieth."""


@dataclass(frozen=True, slots=True)
class _Amount:
    """Something that an answer takes, whose spread is shown by length."""

    name: str
    title: str
    told: str
    """Its median, in a sentence."""
    kind: Kind
    value: Callable[[Record], float | None]
    words: Callable[[float], str]


_AMOUNTS = (
    _Amount(
        "output-tokens",
        "Output tokens",
        "The median output",
        Kind.COUNT,
        lambda row: row.output_tokens,
        lambda value: f"{value:,.0f} tokens",
    ),
    _Amount(
        "seconds",
        "Seconds",
        "The median time",
        Kind.SECONDS,
        lambda row: row.seconds,
        lambda value: f"{value:,.1f} s",
    ),
)

_TOLD: tuple[tuple[str, Callable[[Record], float | None]], ...] = (
    ("tokens", lambda row: row.input_tokens),
    ("time", lambda row: row.seconds),
    ("cost", lambda row: row.cost),
)


def section(study: Study) -> Section | None:
    """Spending of all runs, and how it grows with the prompt."""
    if not any(_tells(run, value) for run in study.runs for _, value in _TOLD):
        return None
    figures = [_figure(study.runs, one) for one in _AMOUNTS]
    return Section(
        name="spending",
        title="Tokens, time and cost",
        lead=(
            "What the answers took, unscored ones and every epoch included, as far as the files "
            "tell. Input tokens count cached ones, output tokens a model's thoughts. Seconds are "
            "from the start of a sample to its verdict, without waiting for limits: they depend on "
            "how much ran at once, and on the judge. Dollars are by the prices that the run knew."
        ),
        figures=tuple(figure for figure in figures if figure),
        tables=(_table(study.runs), _table_by_length(study.runs)),
        notes=_notes(study.runs),
    )


def _tells(run: Run, value: Callable[[Record], float | None]) -> bool:
    return any(value(row) is not None for row in run.answers)


def _notes(runs: Sequence[Run]) -> tuple[str, ...]:
    notes: list[str] = []
    for what, value in _TOLD:
        silent = [run.label for run in runs if not _tells(run, value)]
        partly = [
            run.label
            for run in runs
            if _tells(run, value) and any(value(row) is None for row in run.answers)
        ]
        if silent:
            names = "any run" if len(silent) == len(runs) else listed(silent)
            notes.append(f"The files tell no {what} of {names}.")
        if partly:
            notes.append(
                f"The {what} of some answers of {listed(partly)} is not told; the figures are of "
                "the others."
            )
    harnesses = {row.harness for run in runs for row in run.answers[:1]}
    if "lm-eval" in harnesses:
        notes.append("lm-eval keeps no tokens, time or cost of single answers.")
    if any(run.suite for run in runs):
        notes.append("The variants of the noise suite are not counted here.")
    return tuple(notes)


def _spread(rows: Sequence[Record], one: _Amount) -> list[float] | None:
    """The percentiles over the answers that tell the amount; None where none does."""
    values = [value for row in rows if (value := one.value(row)) is not None]
    return [quantile(values, percent) for percent in _TENTHS] if values else None


def _point(rows: Sequence[Record], one: _Amount) -> Point | None:
    spread = _spread(rows, one)
    if spread is None:
        return None
    low, middle, high = spread
    return Point(middle, low, high, sum(one.value(row) is not None for row in rows))


def _figure(runs: Sequence[Run], one: _Amount) -> Figure | None:
    """By length; of many runs, or of answers without lengths, a dot a run."""
    if not any(_tells(run, one.value) for run in runs):
        return None
    answers = [row for run in runs for row in run.answers if row.length_bin]
    places = ordered(row.length_bin for row in answers if row.length_bin)
    if all(one.value(row) is None for row in answers):
        places = []
    axis = Axis(one.title.lower(), low=0.0, high=None, percent=False)
    spread = "median, bars from the 10th to the 90th percentile"
    if len(runs) > MOST_LINES or not places:
        dots = tuple(DotRow(run.label, _point(run.answers, one)) for run in runs)
        shown = [(f"for {row.label}", row.point.value) for row in dots if row.point]
        return Figure(
            name=one.name,
            title=f"{one.title} of an answer: {spread}",
            told=extremes(one.told, shown, one.words),
            chart=Dots(axis, dots),
        )
    lines = [(run.label, _by_length(run, places, one)) for run in runs]
    names = tuple(map(runs[0].benchmark.labelled, places))
    told = {label: told_at("at {} tokens".format, names, points) for label, points in lines}
    return Figure(
        name=f"{one.name}-by-length",
        title=f"{one.title} of an answer by length: {spread}",
        told=extremes_by_run(one.told, told, one.words),
        chart=Lines(
            x_title="tokens of the prompt",
            places=names,
            axis=axis,
            series=tuple(Series(label, tuple(points)) for label, points in lines),
        ),
    )


def _by_length(run: Run, places: Sequence[str], one: _Amount) -> list[Point | None]:
    groups = grouped(run.answers, lambda row: row.length_bin)
    return [_point(groups.get(place, ()), one) for place in places]


def _table(runs: Sequence[Run]) -> Table:
    columns = (
        Column("run", "Run"),
        Column("answers", "Answers", Kind.COUNT),
        Column("input_tokens", "Input tokens", Kind.COUNT),
        Column("input_tokens_mean", "Input tokens, mean", Kind.NUMBER),
        Column("output_tokens", "Output tokens", Kind.COUNT),
        Column("output_tokens_mean", "Output tokens, mean", Kind.NUMBER),
        Column("output_tokens_p50", "Output tokens, median", Kind.COUNT),
        Column("output_tokens_p90", "Output tokens, 90th percentile", Kind.COUNT),
        Column("seconds_p50", "Seconds, median", Kind.SECONDS),
        Column("seconds_p90", "Seconds, 90th percentile", Kind.SECONDS),
        Column("cost", "Cost", Kind.DOLLARS),
        Column("cost_per_1000", "Cost of 1,000 answers", Kind.DOLLARS),
        Column("cost_per_right", "Cost of a right answer", Kind.DOLLARS),
    )
    return Table("spending", "Spending", columns, tuple(map(_line, runs)), open=True)


def _line(run: Run) -> tuple[Cell, ...]:
    read = [row.input_tokens for row in run.answers if row.input_tokens is not None]
    written = [row.output_tokens for row in run.answers if row.output_tokens is not None]
    seconds = [row.seconds for row in run.answers if row.seconds is not None]
    priced = [(row.cost, row.correct) for row in run.answers if row.cost is not None]
    cost = sum(dollars for dollars, _ in priced)
    right = sum(correct is True for _, correct in priced)
    return (
        run.label,
        len(run.answers),
        *_sum_and_mean(read),
        *_sum_and_mean(written),
        *_late(written),
        *_late(seconds),
        cost if priced else None,
        1_000 * cost / len(priced) if priced else None,
        cost / right if right else None,
    )


def _sum_and_mean(counts: Sequence[int]) -> tuple[Cell, Cell]:
    return (sum(counts), sum(counts) / len(counts)) if counts else (None, None)


def _late(values: Sequence[float]) -> tuple[Cell, Cell]:
    """The median and the ninetieth percentile."""
    return (quantile(values, 50), quantile(values, 90)) if values else (None, None)


def _table_by_length(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for stratum, answers in grouped(run.answers, lambda row: row.length_bin).items():
            spreads = [_spread(answers, one) or (None, None, None) for one in _AMOUNTS]
            cells = [value for spread in spreads for value in spread]
            rows.append((run.label, run.benchmark.labelled(stratum), len(answers), *cells))
    columns = (
        Column("run", "Run"),
        Column("length", "Length"),
        Column("answers", "Answers", Kind.COUNT),
        *(
            Column(f"{one.name.replace('-', '_')}_p{percent}", f"{one.title}, {word}", one.kind)
            for one in _AMOUNTS
            for percent, word in zip(
                _TENTHS, ("10th percentile", "median", "90th percentile"), strict=True
            )
        ),
    )
    return Table("spending-by-length", "Spending by length", columns, tuple(rows))
