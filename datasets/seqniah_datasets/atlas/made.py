"""What a data set is made of, and how its queries are split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from seqniah_datasets.loft.schema import Passage, Query, Split

SIZES: Mapping[Split, int] = {"few_shot": 5, "dev": 10, "test": 100}
"""Queries of each split."""

ALL = sum(SIZES.values())
"""Queries of a data set."""


class Made(NamedTuple):
    """See `Source`."""

    queries: Mapping[Split, tuple[Query, ...]]
    passages: Mapping[str, Passage]
    filler: Callable[[], Iterator[Passage]]


def splits(every: Sequence[Query]) -> dict[Split, tuple[Query, ...]]:
    """All queries of a data set by split."""
    found: dict[Split, tuple[Query, ...]] = {}
    start = 0
    for split, size in SIZES.items():
        found[split] = tuple(every[start : start + size])
        start += size
    return found
