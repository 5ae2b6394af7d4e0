"""Means over the answers of records: accuracy, scores and figures, with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.records import Record
from seqniah_tasks.shares import Share, mean_of_epochs, mean_share


def clusters(found: Iterable[Record]) -> dict[str, str]:
    """The cluster of each sample, by id, where its benchmark declares any; empty: none does."""
    declared = {name: one.scoring.cluster for name, one in benchmarks.known().items()}
    return {
        one.id: str(one.traits[cluster.trait])
        for one in found
        if (cluster := declared.get(one.benchmark)) and cluster.trait in one.traits
    }


def accuracy(found: Sequence[Record]) -> Share:
    """Strict accuracy of the scored ones; epochs of one sample count as one, by their mean."""
    scored = ((one.id, one.correct) for one in found if one.correct is not None)
    return mean_of_epochs(scored, clusters(found))


def mean_score(found: Sequence[Record]) -> Share:
    """The mean score of the scored ones; epochs of one sample count as one, by their mean."""
    scored = ((one.id, one.score) for one in found if one.score is not None)
    return mean_share(scored, clusters(found))


def mean_figure(found: Sequence[Record], name: str) -> Share:
    """The mean of a figure over the answers that have it; epochs are no further samples.

    A sample that counts several times is drawn as a cluster of so many.
    """
    inside = clusters(found)
    told: list[tuple[str, float]] = []
    for one in found:
        if (value := one.figures.get(name)) is not None:
            again = [f"{one.id} again {count}" for count in range(1, times(one, name))]
            inside |= dict.fromkeys(again, inside.get(one.id, one.id))
            told += [(id, value) for id in (one.id, *again)]
    return mean_share(told, inside)


def times(one: Record, figure: str) -> int:
    """How often a sample counts in the mean of a figure."""
    declared = benchmarks.known().get(one.benchmark)
    return declared.scoring.times(figure, one.traits) if declared else 1


def headline(benchmark: Benchmark, found: Sequence[Record]) -> Share:
    """A benchmark's key figure: accuracy, or the mean score."""
    return accuracy(found) if benchmark.scoring.binary else mean_score(found)
