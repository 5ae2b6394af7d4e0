"""What every engine gives: a ranking; and the one rule by which scores become ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from seqniah_datasets.articles.library import Library
from seqniah_datasets.errors import SeqniahError

DEPTH = 2_560
"""Documents that the published benchmark keeps of a ranking."""

Scores: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Distinct documents, best first."""

    numbers: Numbers
    """As the library numbers them."""
    scores: Scores
    """Falling; of any scale, and below 0 too where the engine's are."""

    def __len__(self) -> int:
        return len(self.numbers)

    def first(self, count: int) -> Ranking:
        """Its best documents."""
        return Ranking(self.numbers[:count], self.scores[:count])

    def places(self, wanted: Sequence[int]) -> dict[int, int]:
        """The places, from 0, of those documents that it has."""
        found = {one: np.flatnonzero(self.numbers == one) for one in wanted}
        return {one: int(places[0]) for one, places in found.items() if len(places)}


NOTHING = Ranking(np.empty(0, np.int64), np.empty(0, np.float64))
"""What a query finds that says nothing to the engine."""


class Retriever(Protocol):
    """Finds documents of one library.

    An engine may ask a server: a call may then take long and raise `SeqniahError` when the server
    is gone. Calls may come from several threads at once.
    """

    def search(self, query: str, k: int) -> Ranking:
        """At most `k` documents, fewer where no more are found; no document twice.

        Asked for fewer, an exact engine gives the beginning of the same ranking.
        """
        ...


def top(scores: npt.NDArray[Any], k: int) -> Ranking:
    """The `k` best documents of all: by score falling, equal ones by number rising.

    `scores` holds a number for each document, never NaN.
    """
    count = min(k, len(scores))
    if count <= 0:
        return NOTHING
    if count == len(scores):
        near = np.arange(count)
    else:  # with all documents that tie at the cut, so that the cut is theirs to make by number
        near = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    best = near[np.argsort(-scores[near].astype(np.float64), kind="stable")[:count]]
    return Ranking(best.astype(np.int64), scores[best].astype(np.float64))


def ranked(found: Iterable[tuple[str, float]], library: Library, where: str) -> Ranking:
    """Ids and scores as another engine gives them: by score falling, equal ones as they came.

    Raises `SeqniahError` for an id that the library lacks or that comes twice, and for a score
    that is not finite; `where` begins its sentence.
    """
    numbers: dict[int, float] = {}
    for id, score in found:
        number = library.numbers.get(id)
        if number is None or number in numbers or not isfinite(score):
            wrong = f"has the score {score}"
            if isfinite(score):
                wrong = "is no article of the library" if number is None else "comes twice"
            raise SeqniahError(
                f"{where}: {id!r} {wrong}; give each article once, by its id in this library."
            )
        numbers[number] = float(score)
    scores = np.fromiter(numbers.values(), np.float64, len(numbers))
    order = np.argsort(-scores, kind="stable")
    return Ranking(np.fromiter(numbers, np.int64, len(numbers))[order], scores[order])


Engine: TypeAlias = Callable[[str, int], Iterable[tuple[str, float]]]
"""From a query and how many documents are wanted: their ids, each with its score."""


@dataclass(frozen=True, slots=True)
class ById:
    """A `Retriever` made of an engine that knows documents by id."""

    engine: Engine
    library: Library
    name: str
    """The engine's, for messages."""

    def search(self, query: str, k: int) -> Ranking:
        """Raises `SeqniahError` as `ranked`."""
        return ranked(self.engine(query, k), self.library, self.name).first(k)
