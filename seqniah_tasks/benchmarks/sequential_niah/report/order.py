"""Found but misordered, or not found? Why answers are wrong where the question demands order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from seqniah_tasks.records import Record, accuracy
from seqniah_tasks.report.measures import SCORED, mean_of, means, tabled, weighed
from seqniah_tasks.report.parts import (
    Cell,
    Column,
    Figure,
    Heatmap,
    Kind,
    Point,
    Section,
    Stacks,
    Table,
    of_kind,
    of_run,
)
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import listed, percent

_PARTS = (
    "all found, misordered",
    "all found, more added",
    "some found, in order",
    "some found, misordered",
    "none found",
)

_RECALLS = ("0 %", "up to 25 %", "up to 50 %", "up to 75 %", "below 100 %", "100 %")
_ORDERS = ("1 (true order)", "0.5 to 1", "0 to 0.5", "below 0", "not defined")


@dataclass(frozen=True, slots=True)
class _Demanded:
    """A run's scored answers to questions that demand order; epochs of a sample weigh 1."""

    run: Run
    number: int
    """Place of the run in the study, from 1."""
    answers: list[tuple[Record, float]]

    @property
    def wrong(self) -> list[tuple[Record, float]]:
        return [(row, weight) for row, weight in self.answers if row.correct is False]


def section(study: Study) -> Section | None:
    """Why wrong answers are wrong as far as order goes, and order agreement against recall."""
    runs = [
        _Demanded(run, number, _demanded(run)) for number, run in enumerate(study.runs, start=1)
    ]
    runs = [one for one in runs if one.answers]
    if not runs:
        return None
    maps = [(one, _map(one)) for one in runs]
    darkest = _rounded_up(max(share for _, cells in maps for _, share in cells.values()))
    facets = [(one, cells) for one, cells in maps if one.number <= len(study.facets)]
    reasons = _reasons(runs)
    return Section(
        name="order",
        title="Found but misordered, or not found?",
        lead=(
            "Only answers to questions that demand the true order. An item is found if it is "
            "stated rightly. Order agreement is Kendall's tau over the found items: 1 is the true "
            "order, 0 no better than chance, -1 the reverse; with fewer than two found items it "
            "is not defined."
        ),
        figures=(
            *((reasons,) if reasons else ()),
            *(_figure(one, cells, darkest) for one, cells in facets),
        ),
        tables=(_reasons_table(runs), _map_table(maps), _means_table(study.runs)),
        notes=tuple(filter(None, (_definitions(), _perfect(runs), study.left_out))),
    )


def _demanded(run: Run) -> list[tuple[Record, float]]:
    return weighed(
        row
        for row in run.answers
        if row.traits.get("order_required") and "item_recall" in row.figures
    )


def _reason(row: Record) -> int:
    """The number of the part that a wrong answer belongs to."""
    tau, recall = row.figures.get("order_agreement"), row.figures["item_recall"]
    if recall == 0:
        return 4
    if recall != 1:
        return 2 if tau is None or tau == 1 else 3
    return 0 if row.figures.get("item_precision") == 1 and tau != 1 else 1


def _definitions() -> str:
    return (
        f'"{_PARTS[0].capitalize()}": every item is found and nothing else stated, only the order '
        f'is wrong. "{_PARTS[1].capitalize()}": every item is found, but something else is stated '
        "too, in whatever order, or a model judge refused the answer for a reason of its own. "
        '"Some found": the others are missing or stated wrongly; a single found item is in order.'
    )


def _perfect(runs: Sequence[_Demanded]) -> str:
    names = [one.run.label for one in runs if not one.wrong]
    return f"No wrong answer where order is demanded: {listed(names)}." if names else ""


def _parts(one: _Demanded) -> list[float]:
    """Wrong answers by part."""
    counts = [0.0] * len(_PARTS)
    for row, weight in one.wrong:
        counts[_reason(row)] += weight
    return counts


def _reasons(runs: Sequence[_Demanded]) -> Figure | None:
    rows: list[tuple[str, tuple[float, ...], int]] = []
    told: list[str] = []
    for one in runs:
        counts = _parts(one)
        wrong = sum(counts)
        if not wrong:
            continue
        shares = tuple(count / wrong for count in counts)
        rows.append((one.run.label, shares, len({row.id for row, _ in one.wrong})))
        ordering = percent(shares[0])
        most = max(range(len(_PARTS)), key=lambda place: shares[place])
        told.append(
            f"Of {one.run.label}'s wrong answers {ordering} are wrong in order alone; the largest "
            f"part is {_PARTS[most]} ({percent(shares[most])})."
        )
    if not rows:
        return None
    more = f" The chart has {len(rows) - 2} more runs." if len(rows) > 2 else ""
    return Figure(
        name="why-wrong",
        title="Wrong answers where order is demanded",
        told=" ".join(told[:2]) + more,
        chart=Stacks(_PARTS, tuple(rows)),
    )


def _reasons_table(runs: Sequence[_Demanded]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in runs:
        counts = _parts(one)
        wrong = sum(counts)
        rows += [
            (one.run.label, part, count, wrong, count / wrong if wrong else None)
            for part, count in zip(_PARTS, counts, strict=True)
        ]
    columns = (
        *of_kind(Kind.TEXT, run="Run", part="Why wrong"),
        *of_kind(Kind.COUNT, answers="Answers", wrong="Wrong answers"),
        Column("share", "Share of the wrong", Kind.SHARE),
    )
    return tabled("why-wrong", "Why wrong, where order is demanded", columns, rows)


_Map = dict[tuple[int, int], tuple[float, float]]
"""Answers and their share of all, by bins of order agreement and of recall; none that is empty."""


def _map(one: _Demanded) -> _Map:
    total = sum(weight for _, weight in one.answers)
    counts: dict[tuple[int, int], float] = {}
    for row, weight in one.answers:
        figures = row.figures
        place = _order_bin(figures.get("order_agreement")), _recall_bin(figures["item_recall"])
        counts[place] = counts.get(place, 0.0) + weight
    return {place: (counts[place], counts[place] / total) for place in sorted(counts)}


def _recall_bin(recall: float) -> int:
    if recall in (0, 1):
        return 5 if recall else 0
    return next(place for place, end in enumerate((0.25, 0.5, 0.75, 1.0), 1) if recall <= end)


def _order_bin(tau: float | None) -> int:
    if tau is None:
        return 4
    return 0 if tau == 1 else 1 if tau >= 0.5 else 2 if tau >= 0 else 3


def _rounded_up(share: float) -> float:
    """To the next 5 %, for a legible scale."""
    return ceil(round(20 * share, 9)) / 20


def _figure(one: _Demanded, cells: _Map, darkest: float) -> Figure:
    samples = len({row.id for row, _ in one.answers})

    def cell(order: int, recall: int) -> Point:
        _, share = cells.get((order, recall), (0, 0.0))
        return Point(share, of=samples)

    return of_run(
        name="order-by-recall",
        title="Order agreement by item recall, share of the answers",
        number=one.number,
        run=one.run.label,
        told=_told(cells),
        chart=Heatmap(
            x_title="item recall",
            places=_RECALLS,
            y_title="order agreement (tau)",
            lines=_ORDERS,
            cells=tuple(
                tuple(cell(order, recall) for recall in range(len(_RECALLS)))
                for order in range(len(_ORDERS))
            ),
            high=darkest,
        ),
    )


def _told(cells: _Map) -> str:
    def share(whole: bool, ordered: bool) -> str:
        return percent(
            sum(
                found
                for (order, recall), (_, found) in cells.items()
                if (_RECALLS[recall] == "100 %") is whole and (order == 0) is ordered
            )
        )

    return (
        f"Of the answers {share(True, True)} state all items in the true order and "
        f"{share(True, False)} all items in another; {share(False, True)} state not all items, but "
        f"those in the true order; {share(False, False)} neither all nor in the true order."
    )


def _map_table(maps: Sequence[tuple[_Demanded, _Map]]) -> Table:
    rows = [
        (one.run.label, _ORDERS[order], _RECALLS[recall], *told)
        for one, cells in maps
        for (order, recall), told in cells.items()
    ]
    columns = (
        *of_kind(
            Kind.TEXT, run="Run", order_agreement="Order agreement", item_recall="Item recall"
        ),
        Column("answers", "Answers", Kind.COUNT),
        Column("share", "Share of the answers", Kind.SHARE),
    )
    return tabled("order-by-recall", "Order agreement by item recall", columns, rows)


def _means_table(runs: Sequence[Run]) -> Table:
    """Means over samples, with order demanded and without."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for demanded in (True, False):
            scored = [row for row in run.scored if row.traits.get("order_required") is demanded]
            if scored:
                share, told = accuracy(scored), "yes" if demanded else "no"
                found = means(scored, run.benchmark.figures)
                agreement = mean_of(scored, list(run.benchmark.figures)[-1])
                ordered = agreement.of if agreement else 0
                rows.append((run.label, told, share.of, share.value, *found, ordered))
    columns = (
        *of_kind(Kind.TEXT, run="Run", order_demanded="Order demanded"),
        SCORED,
        Column("accuracy", "Accuracy", Kind.SHARE),
        Column("item_recall", "Mean item recall", Kind.SHARE),
        Column("item_precision", "Mean item precision", Kind.SHARE),
        Column("order_agreement", "Mean order agreement", Kind.NUMBER),
        Column("ordered", "Samples with an order agreement", Kind.COUNT),
    )
    return Table(
        "items-by-order", "Items by whether order is demanded", columns, tuple(rows), open=True
    )
