"""Small measures that sections share: groups, means over epochs, quantiles, extremes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.kinds import natural
from seqniah_tasks.means import headline, times
from seqniah_tasks.records import Record
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    Heatmap,
    Kind,
    Lines,
    Point,
    Series,
    Table,
)
from seqniah_tasks.report.runs import MOST_LINES
from seqniah_tasks.report.words import MOST_NAMED, percent
from seqniah_tasks.shares import Share


def ordered(names: Iterable[str]) -> list[str]:
    """Strata, each once, by the number that they begin with, then by name."""
    return sorted(set(names), key=natural)


def grouped(
    rows: Iterable[Record], name: Callable[[Record], str | None]
) -> dict[str, list[Record]]:
    """Records by stratum, in the order of strata; a row that tells none is in none."""
    groups: dict[str, list[Record]] = {}
    for row in rows:
        if (stratum := name(row)) is not None:
            groups.setdefault(stratum, []).append(row)
    return {stratum: groups[stratum] for stratum in ordered(groups)}


def weighed(rows: Iterable[Record]) -> list[tuple[Record, float]]:
    """Scored answers, each with its share of its sample: a sample's epochs weigh 1 together."""
    scored = [row for row in rows if row.correct is not None]
    epochs = Counter(row.id for row in scored)
    return [(row, 1 / epochs[row.id]) for row in scored]


def mean(
    rows: Iterable[Record],
    value: Callable[[Record], float | None],
    weight: Callable[[Record], int] = lambda row: 1,
) -> Point | None:
    """The mean over samples, of each the mean over its epochs; None where no row tells a value."""
    told: dict[str, list[float]] = {}
    weights: dict[str, int] = {}
    for row in rows:
        if (found := value(row)) is not None:
            told.setdefault(row.id, []).append(found)
            weights[row.id] = weight(row)
    if not told:
        return None
    total = sum(weights[id] * sum(one) / len(one) for id, one in told.items())
    return Point(total / sum(weights.values()), of=len(told))


def mean_of(rows: Iterable[Record], figure: str) -> Point | None:
    """The same of a figure that stands beside scores, by its name."""
    return mean(rows, lambda row: row.figures.get(figure), lambda row: times(row, figure))


def means(rows: Sequence[Record], figures: Iterable[str]) -> list[float | None]:
    """The values of the same of several figures."""
    found = [mean_of(rows, figure) for figure in figures]
    return [one.value if one else None for one in found]


def cached_share(rows: Iterable[Record]) -> float | None:
    """The share of the input tokens that the provider had kept, over the answers that tell it."""
    told = [one for one in rows if one.cached_tokens is not None and one.input_tokens]
    read = sum(one.input_tokens or 0 for one in told)
    return sum(one.cached_tokens or 0 for one in told) / read if read else None


def without_empty(table: Table, *names: str) -> Table:
    """The table without those of these columns that tell nothing in any row."""
    kept = [
        at
        for at, column in enumerate(table.columns)
        if column.name not in names or any(row[at] is not None for row in table.rows)
    ]
    return replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in table.rows),
    )


def quantile(values: Iterable[float], percent: int) -> float:
    """The least value that has so many percent of the values at or below it; there is one."""
    kept = sorted(values)
    place = -(-len(kept) * percent // 100)
    return kept[max(place, 1) - 1]


def drawn(benchmark: Benchmark) -> str:
    """What leads say of intervals over samples that are no independent draws; else nothing."""
    cluster = benchmark.scoring.cluster
    if cluster is None:
        return ""
    return f" Resamples are of {cluster.plural}: all samples of one are drawn together."


def point(share: Share) -> Point | None:
    """A share with its interval; None of nothing."""
    return Point(share.value, share.low, share.high, share.of) if share.of else None


def ends(share: Share) -> tuple[Cell, Cell, Cell]:
    """A share and its interval as cells; nothing of nothing."""
    return (share.value, share.low, share.high) if share.of else (None, None, None)


def share_columns(name: str, title: str) -> tuple[Column, ...]:
    """The columns of the same."""
    low, high = Column("low", "Lower end", Kind.SHARE), Column("high", "Upper end", Kind.SHARE)
    return Column(name, title, Kind.SHARE), low, high


SCORED = Column("scored", "Samples scored", Kind.COUNT)
CACHED = Column("cached_share", "Input kept by the provider", Kind.SHARE)
UNSCORED = Column("unscored", "Answers unscored", Kind.COUNT)


def unscored(rows: Iterable[Record]) -> int:
    """Answers without a verdict."""
    return sum(row.correct is None for row in rows)


def tally(count: float) -> int | float:
    """A count of samples: whole, but where some epochs of one count and others do not."""
    rounded = round(float(count), 6)
    return int(rounded) if rounded.is_integer() else rounded


def tally_kind(counts: Iterable[Cell]) -> Kind:
    """How a column of such counts is shown."""
    return Kind.NUMBER if any(isinstance(count, float) for count in counts) else Kind.COUNT


def tabled(
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    *,
    open: bool = False,
) -> Table:
    """A table whose counts are tallied, and shown as numbers in columns where not all are whole."""
    counts = {at for at, column in enumerate(columns) if column.kind is Kind.COUNT}
    told = tuple(
        tuple(
            tally(cell) if at in counts and isinstance(cell, float) else cell
            for at, cell in enumerate(row)
        )
        for row in rows
    )
    kinds = {at: tally_kind(row[at] for row in told) for at in counts}
    shown = (replace(one, kind=kinds.get(at, one.kind)) for at, one in enumerate(columns))
    return Table(name, title, tuple(shown), told, open)


def modes_of(
    answers: Iterable[tuple[Record, float]], modes: Iterable[str], none: str = ""
) -> dict[str, float]:
    """The weight of the answers that show each failure mode; `none`: that show none."""
    found = dict.fromkeys(modes, 0.0)
    for row, weight in answers:
        for mode in row.failure_modes or filter(None, (none,)):
            found[mode] += weight
    return found


def score_table(
    benchmark: Benchmark,
    name: str,
    title: str,
    keys: Sequence[Column],
    groups: Iterable[tuple[Sequence[Cell], Sequence[Record]]],
) -> Table:
    """A line a group of answers: its values of the key columns, then its accuracy or mean score."""
    rows: list[tuple[Cell, ...]] = []
    binary = benchmark.scoring.binary
    for values, answers in groups:
        share = headline(benchmark, answers)
        hits = (share.hits,) if binary else ()
        rows.append((*values, *hits, share.of, *ends(share), unscored(answers)))
    columns = (
        *keys,
        *((Column("right", "Right", Kind.COUNT),) if binary else ()),
        SCORED,
        *share_columns(*(("accuracy", "Accuracy") if binary else ("score", "Mean score"))),
        UNSCORED,
    )
    return tabled(name, title, columns, rows)


def by_run(
    x_title: str,
    places: Sequence[str],
    axis: Axis,
    lines: Sequence[tuple[str, Sequence[Point | None]]],
    *,
    joined: bool = True,
) -> Lines | Heatmap:
    """Shares of several runs at the same places: a line each, or a row each where they are many."""
    if len(lines) <= MOST_LINES:
        series = tuple(Series(label, tuple(points)) for label, points in lines)
        return Lines(x_title, tuple(places), axis, series, joined)
    labels, cells = tuple(label for label, _ in lines), tuple(tuple(points) for _, points in lines)
    return Heatmap(x_title, tuple(places), "run", labels, cells)


def told_at(
    word: Callable[[str], str], places: Iterable[str], points: Iterable[Point | None]
) -> list[tuple[str, float]]:
    """Values with their places in words, as `extremes` takes them; none where nothing is."""
    pairs = zip(places, points, strict=True)
    return [(word(place), point.value) for place, point in pairs if point]


def extremes(
    what: str,
    shown: Iterable[tuple[str, float]],
    words: Callable[[float], str] = percent,
) -> str:
    """Where values are highest and lowest, in a sentence; empty where none is shown.

    Each comes with its place, as it follows on "highest". Of equal ones the first is named.
    """
    found = list(shown)
    if not found:
        return ""
    high, low = max(found, key=lambda one: one[1]), min(found, key=lambda one: one[1])
    if words(high[1]) == words(low[1]):
        return f"{what} is {words(high[1])} throughout."
    return f"{what} is highest {high[0]} ({words(high[1])}) and lowest {low[0]} ({words(low[1])})."


def extremes_by_run(
    what: str,
    shown: Mapping[str, Sequence[tuple[str, float]]],
    words: Callable[[float], str] = percent,
    *,
    together: bool = False,
) -> str:
    """The same of each run where they are few, else over all of them; places by run's label."""
    if len(shown) <= MOST_NAMED and not together:
        told = (extremes(f"{what} of {label}", found, words) for label, found in shown.items())
        return " ".join(filter(None, told))
    whose = "by" if together else "for"
    places = [
        (f"{place} {whose} {label}", value)
        for label, found in shown.items()
        for place, value in found
    ]
    return extremes(what, places, words)
