"""Found but misordered, or not found? Why answers are wrong where the question demands order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from seqniah_tasks.means import accuracy
from seqniah_tasks.records import Record
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

_DEFINITIONS = (
    f'"{_PARTS[0].capitalize()}": every item is found and nothing else stated, only the order is '
    f'wrong. "{_PARTS[1].capitalize()}": every item is found, but something else is stated too, in '
    "whatever order, or a model judge refused the answer for a reason of its own. "
    '"Some found": the others are missing or stated wrongly; a single found item is in order.'
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

    @property
    def parts(self) -> list[float]:
        """Wrong answers by part."""
        counts = [0.0] * len(_PARTS)
        for row, weight in self.wrong:
            counts[_reason(row)] += weight
        return counts

    @property
    def counts(self) -> NDArray[np.float64]:
        """Answers by bins of order agreement and of recall."""
        counts = np.zeros((len(_ORDERS), len(_RECALLS)))
        for row, weight in self.answers:
            tau, recall = row.figures.get("order_agreement"), row.figures["item_recall"]
            counts[_order_bin(tau), _recall_bin(recall)] += weight
        return counts

    @property
    def shares(self) -> NDArray[np.float64]:
        """The same of all answers."""
        return self.counts / sum(weight for _, weight in self.answers)


def section(study: Study) -> Section | None:
    """Why wrong answers are wrong as far as order goes, and order agreement against recall."""
    runs = [_Demanded(run, at, _demanded(run)) for at, run in enumerate(study.runs, 1)]
    runs = [one for one in runs if one.answers]
    if not runs:
        return None
    # To the next 5 %, for a legible scale.
    darkest = ceil(round(20 * max(float(one.shares.max()) for one in runs), 9)) / 20
    facets = [one for one in runs if one.number <= len(study.facets)]
    reasons = _reasons(runs)
    perfect = listed([one.run.label for one in runs if not one.wrong])
    notes = (
        _DEFINITIONS,
        f"No wrong answer where order is demanded: {perfect}." if perfect else "",
        study.left_out,
    )
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
            *(_figure(one, darkest) for one in facets),
        ),
        tables=(_reasons_table(runs), _map_table(runs), _means_table(study.runs)),
        notes=tuple(filter(None, notes)),
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


def _reasons(runs: Sequence[_Demanded]) -> Figure | None:
    rows: list[tuple[str, tuple[float, ...], int]] = []
    told: list[str] = []
    for one in runs:
        if wrong := sum(one.parts):
            shares = tuple(count / wrong for count in one.parts)
            rows.append((one.run.label, shares, len({row.id for row, _ in one.wrong})))
            most = shares.index(max(shares))
            told.append(
                f"Of {one.run.label}'s wrong answers {percent(shares[0])} are wrong in order "
                f"alone; the largest part is {_PARTS[most]} ({percent(shares[most])})."
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
        wrong = sum(one.parts)
        rows += [
            (one.run.label, part, count, wrong, count / wrong if wrong else None)
            for part, count in zip(_PARTS, one.parts, strict=True)
        ]
    columns = (
        *of_kind(Kind.TEXT, run="Run", part="Why wrong"),
        *of_kind(Kind.COUNT, answers="Answers", wrong="Wrong answers"),
        Column("share", "Share of the wrong", Kind.SHARE),
    )
    return tabled("why-wrong", "Why wrong, where order is demanded", columns, rows)


def _recall_bin(recall: float) -> int:
    if recall in (0, 1):
        return 5 if recall else 0
    return next(place for place, end in enumerate((0.25, 0.5, 0.75, 1.0), 1) if recall <= end)


def _order_bin(tau: float | None) -> int:
    if tau is None:
        return 4
    return 0 if tau == 1 else 1 if tau >= 0.5 else 2 if tau >= 0 else 3


def _figure(one: _Demanded, darkest: float) -> Figure:
    samples = len({row.id for row, _ in one.answers})
    return of_run(
        name="order-by-recall",
        title="Order agreement by item recall, share of the answers",
        number=one.number,
        run=one.run.label,
        told=_told(one.shares),
        chart=Heatmap(
            x_title="item recall",
            places=_RECALLS,
            y_title="order agreement (tau)",
            lines=_ORDERS,
            cells=tuple(
                tuple(Point(share, of=samples) for share in line) for line in one.shares.tolist()
            ),
            high=darkest,
        ),
    )


def _told(shares: NDArray[np.float64]) -> str:
    parts = shares[:1, -1], shares[1:, -1], shares[:1, :-1], shares[1:, :-1]
    whole, whole_only, ordered, neither = (percent(sum(part.ravel().tolist())) for part in parts)
    return (
        f"Of the answers {whole} state all items in the true order and {whole_only} all items in "
        f"another; {ordered} state not all items, but those in the true order; {neither} neither "
        "all nor in the true order."
    )


def _map_table(runs: Sequence[_Demanded]) -> Table:
    rows = [
        (label, _ORDERS[order], _RECALLS[recall], count, float(shares[order, recall]))
        for label, counts, shares in ((one.run.label, one.counts, one.shares) for one in runs)
        for (order, recall), count in np.ndenumerate(counts)
        if count
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
