"""What answers took: tokens read and written, seconds, dollars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from seqniah_tasks.records import Record
from seqniah_tasks.report.figures import over_places
from seqniah_tasks.report.measures import (
    CACHED,
    cached_share,
    extremes,
    grouped,
    ordered,
    quantile,
    without_empty,
)
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import MOST_LINES, Run, Study
from seqniah_tasks.report.words import listed

_TENTHS = {10: "10th percentile", 50: "median", 90: "90th percentile"}
"""Percentiles that figures show."""

_Value = Callable[[Record], float | None]


@dataclass(frozen=True, slots=True)
class _Amount:
    """Something that an answer takes, whose spread is shown by length."""

    name: str
    title: str
    told: str
    """Its median, in a sentence."""
    kind: Kind
    value: _Value
    words: Callable[[float], str]


_READ: _Value = attrgetter("input_tokens")
_WRITTEN = _Amount(
    "output-tokens",
    "Output tokens",
    "The median output",
    Kind.COUNT,
    attrgetter("output_tokens"),
    lambda value: f"{value:,.0f} tokens",
)
_SECONDS = _Amount(
    "seconds",
    "Seconds",
    "The median time",
    Kind.SECONDS,
    attrgetter("seconds"),
    lambda value: f"{value:,.1f} s",
)
_COST: _Value = attrgetter("cost")

_AMOUNTS = _WRITTEN, _SECONDS
_TOLD = {"tokens": _READ, "time": _SECONDS.value, "cost": _COST}


def section(study: Study) -> Section | None:
    """Spending of all runs, and how it grows with the prompt."""
    if not any(_values(run.answers, value) for run in study.runs for value in _TOLD.values()):
        return None
    figures = [_figure(study.runs, one) for one in _AMOUNTS]
    return Section(
        name="spending",
        title="Tokens, time and cost",
        lead=(
            "What the answers took, unscored ones and every epoch included, as far as the files "
            "tell. Input tokens count cached ones, output tokens a model's thoughts. Seconds are "
            "from the start of a sample to its verdict, without waiting for limits: they depend on "
            "how much ran at once, and on the judge. Dollars are by the prices that the run knew, "
            "else by those named below."
        ),
        figures=tuple(figure for figure in figures if figure),
        tables=(_table(study.runs), _table_by_length(study.runs)),
        notes=tuple(_notes(study.runs)),
    )


def _values(rows: Iterable[Record], value: _Value) -> list[float]:
    return [told for row in rows if (told := value(row)) is not None]


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for what, value in _TOLD.items():
        counts = [(run, len(_values(run.answers, value))) for run in runs]
        silent = [run.label for run, count in counts if not count]
        partly = [run.label for run, count in counts if 0 < count < len(run.answers)]
        if silent:
            names = "any run" if len(silent) == len(runs) else listed(silent)
            yield f"The files tell no {what} of {names}."
        if partly:
            yield (
                f"The {what} of some answers of {listed(partly)} is not told; the figures are of "
                "the others."
            )
    for source, labels in _sources(runs).items():
        yield (
            f"The cost of {listed(labels)} was computed from the tokens, with the price of "
            f"{source}: the files tell none."
        )
    unpriced = [run.label for run in runs if _unpriced(run)]
    if unpriced:
        yield (
            f"No price of the model of {listed(unpriced)} is known; inspect's --model-cost-config "
            "gives a run one."
        )
    if any(row.harness == "lm-eval" for run in runs for row in run.answers[:1]):
        yield "lm-eval keeps no tokens, time or cost of single answers."
    if any(run.suite for run in runs):
        yield "Variants of samples are not counted here."


def _sources(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Where prices are from that costs were computed with, and of which runs."""
    sources: dict[str, list[str]] = {}
    for run in runs:
        for source in sorted({row.price for row in run.answers if row.price}):
            sources.setdefault(source, []).append(run.label)
    return sources


def _unpriced(run: Run) -> bool:
    """Whether inspect counted tokens that nobody knows the price of."""
    counted = [row for row in run.answers if row.harness == "inspect" and _READ(row)]
    return bool(counted) and not any(row.cost is not None for row in counted)


def _spread(rows: Iterable[Record], one: _Amount) -> list[float] | None:
    """The percentiles over the answers that tell the amount; None where none does."""
    values = _values(rows, one.value)
    return [quantile(values, percent) for percent in _TENTHS] if values else None


def _point(rows: Sequence[Record], one: _Amount) -> Point | None:
    spread = _spread(rows, one)
    if spread is None:
        return None
    low, middle, high = spread
    return Point(middle, low, high, len(_values(rows, one.value)))


def _figure(runs: Sequence[Run], one: _Amount) -> Figure | None:
    """By length; of many runs, or of answers without lengths, a dot a run."""
    if not any(_values(run.answers, one.value) for run in runs):
        return None
    binned = [row for run in runs for row in run.answers if row.length_bin]
    places = ordered(row.length_bin or "" for row in binned) if _values(binned, one.value) else []
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
    groups = [(run.label, grouped(run.answers, attrgetter("length_bin"))) for run in runs]
    return over_places(
        f"{one.name}-by-length",
        one.told,
        "length",
        "tokens of the prompt",
        tuple(map(runs[0].benchmark.labelled, places)),
        [(label, [_point(group.get(at, ()), one) for at in places]) for label, group in groups],
        "at {} tokens",
        title=f"{one.title} of an answer by length: {spread}",
        axis=axis,
        words=one.words,
    )


def _percentiles(one: _Amount) -> list[Column]:
    name = one.name.replace("-", "_")
    return [
        Column(f"{name}_p{at}", f"{one.title}, {word}", one.kind) for at, word in _TENTHS.items()
    ]


def _table(runs: Sequence[Run]) -> Table:
    columns = (
        Column("run", "Run"),
        *of_kind(Kind.COUNT, answers="Answers", input_tokens="Input tokens"),
        Column("input_tokens_mean", "Input tokens, mean", Kind.NUMBER),
        CACHED,
        Column("output_tokens", "Output tokens", Kind.COUNT),
        Column("output_tokens_mean", "Output tokens, mean", Kind.NUMBER),
        *_percentiles(_WRITTEN)[1:],
        *_percentiles(_SECONDS)[1:],
        *of_kind(Kind.DOLLARS, cost="Cost", cost_per_1000="Cost of 1,000 answers"),
        *of_kind(Kind.DOLLARS, cost_per_right="Cost of a right answer"),
    )
    table = Table("spending", "Spending", columns, tuple(map(_line, runs)), open=True)
    return without_empty(table, CACHED.name)


def _line(run: Run) -> tuple[Cell, ...]:
    cells: list[Cell] = [run.label, len(run.answers)]
    cells += [*_sum_and_mean(run.answers, _READ), cached_share(run.answers)]
    cells += _sum_and_mean(run.answers, _WRITTEN.value)
    for one in _AMOUNTS:
        _, *late = _spread(run.answers, one) or (None, None, None)
        cells += late
    priced = [row for row in run.answers if row.cost is not None]
    cost, right = sum(_values(priced, _COST)), sum(row.correct is True for row in priced)
    cells.append(cost if priced else None)
    return *cells, 1_000 * cost / len(priced) if priced else None, cost / right if right else None


def _sum_and_mean(rows: Sequence[Record], value: _Value) -> tuple[Cell, Cell]:
    given = _values(rows, value)
    return (sum(given), sum(given) / len(given)) if given else (None, None)


def _table_by_length(runs: Sequence[Run]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for stratum, answers in grouped(run.answers, attrgetter("length_bin")).items():
            spreads = [_spread(answers, one) or (None, None, None) for one in _AMOUNTS]
            cells = [value for spread in spreads for value in spread]
            rows.append((run.label, run.benchmark.labelled(stratum), len(answers), *cells))
    columns = (
        *of_kind(Kind.TEXT, run="Run", length="Length"),
        Column("answers", "Answers", Kind.COUNT),
        *(column for one in _AMOUNTS for column in _percentiles(one)),
    )
    return Table("spending-by-length", "Spending by length", columns, tuple(rows))
