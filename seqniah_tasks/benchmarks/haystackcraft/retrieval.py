"""How much of the golds each strategy finds, by hops, beside Tables 3 and 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from rich.console import Console

from seqniah_scorers import retrieval
from seqniah_scorers.retrieval import DEPTHS
from seqniah_tasks.benchmarks.haystackcraft.bench import HaystackCraft
from seqniah_tasks.benchmarks.haystackcraft.collection import Asked
from seqniah_tasks.benchmarks.haystackcraft.report import published
from seqniah_tasks.terminal import new_table

Measure = Literal["recall", "ndcg"]

MEASURES = {"recall": ("Recall", retrieval.recall), "ndcg": ("NDCG", retrieval.ndcg)}
"""By name: as tables call it, and what measures it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy over some questions."""

    strategy: str
    hops: int | None
    """None: whatever the hops."""
    questions: int
    measures: Mapping[str, Mapping[int, float]]
    """By measure and number of documents, 0 to 1."""

    def printed(self, measure: Measure) -> dict[int, float]:
        """What the paper has; empty where it has nothing."""
        return published.retrieval(measure, self.strategy, self.hops)


def rows(bench: HaystackCraft) -> Iterator[Row]:
    """Each strategy over all the questions that are asked, then by hops.

    Raises `SeqniahError` where a strategy lacks a part.
    """
    for strategy in bench.options.strategy:
        found = [(one, _measured(bench, one, strategy)) for one in bench.asked]
        for hops in (None, *sorted({one.hops for one in bench.asked})):
            some = [measures for one, measures in found if hops in (None, one.hops)]
            means = {
                name: {depth: fmean(one[name][depth] for one in some) for depth in DEPTHS}
                for name in MEASURES
            }
            yield Row(strategy, hops, len(some), means)


def _measured(bench: HaystackCraft, asked: Asked, strategy: str) -> dict[str, dict[int, float]]:
    articles = bench.collection.library.articles
    ranking = bench.rankings.of(asked, strategy).first(max(DEPTHS))
    found = [articles[number].id for number in ranking.numbers.tolist()]
    golds = [articles[number].id for number in asked.golds]
    return {
        name: {depth: measure(found, golds, depth) for depth in DEPTHS}
        for name, (_, measure) in MEASURES.items()
    }


def as_json(bench: HaystackCraft, found: Sequence[Row]) -> dict[str, object]:
    """For a script."""
    return {
        "corpus": bench.collection.name,
        "corpus_digest": bench.collection.library.digest,
        "documents": len(bench.collection.library),
        "published": {name: published.retrieval_source(name) for name in ("recall", "ndcg")},
        "rows": [
            {
                "strategy": row.strategy,
                "hops": row.hops,
                "questions": row.questions,
                **row.measures,
                "published": {name: row.printed(name) for name in ("recall", "ndcg")},
            }
            for row in found
        ],
    }


def show(console: Console, bench: HaystackCraft, found: Sequence[Row]) -> None:
    """A table a measure, in percent."""
    depths = list(map(str, DEPTHS))
    for name in ("recall", "ndcg"):
        title = f"{MEASURES[name][0]}, {bench.collection.name}, percent"
        table = new_table(title, ["strategy", "hops"], ["n", *depths, "published", *depths[1:]])
        for row in found:
            ours, theirs = row.measures[name], row.printed(name)
            table.add_row(
                row.strategy,
                "all" if row.hops is None else str(row.hops),
                f"{row.questions:,}",
                *(f"{100 * ours[depth]:.1f}" for depth in DEPTHS),
                *(f"{100 * theirs[depth]:.0f}" if depth in theirs else "" for depth in DEPTHS),
                end_section=False,
            )
        console.print(table)
        console.print(
            f"On the right: {published.WORDS}, {published.retrieval_source(name)}.", markup=False
        )
