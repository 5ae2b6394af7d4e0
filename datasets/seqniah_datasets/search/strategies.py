"""The six strategies of the benchmark by name (paper, section 4.1), and what each is made of."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import TypeAlias

from seqniah_datasets.articles.library import Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import Retriever
from seqniah_datasets.search.fusion import FusedRetriever
from seqniah_datasets.search.pagerank import PageRankRetriever, Walk

WALKS = {"bm25": Walk(10, 0.5), "dense": Walk(5, 0.5), "hybrid": Walk(5, 0.85)}
"""PageRank's settings by base engine (paper, Table 2)."""

_PPR = "+ppr"
STRATEGIES = tuple(f"{base}{ppr}" for base in WALKS for ppr in ("", _PPR))


def check(name: str) -> None:
    """Raises `SeqniahError` for a name that is none of `STRATEGIES`, with the nearest that is."""
    if name not in STRATEGIES:
        near = get_close_matches(name.lower(), STRATEGIES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(STRATEGIES)}."
        raise SeqniahError(f"There is no strategy {name!r}; {hint}")


def needs_vectors(name: str) -> bool:
    """Whether a strategy searches by vectors."""
    return name.removesuffix(_PPR) != "bm25"


Part: TypeAlias = Callable[[], Retriever | None]
"""Gives a part of engines, which may take long to open; None where the corpus lacks it."""


def retriever(name: str, library: Library, sparse: Part, dense: Part) -> Retriever:
    """The engine of a strategy, of which only the parts that it has are opened.

    Raises `SeqniahError` as `check`, and where the corpus lacks a part.
    """
    check(name)
    base = name.removesuffix(_PPR)
    parts = [
        _there(name, what, part())
        for what, part, bases in (
            ("an index of words", sparse, ("bm25", "hybrid")),
            ("vectors and their encoder", dense, ("dense", "hybrid")),
        )
        if base in bases
    ]
    found = parts[0] if len(parts) == 1 else FusedRetriever(tuple(parts))
    return PageRankRetriever(found, library.graph, WALKS[base]) if base != name else found


def _there(strategy: str, what: str, part: Retriever | None) -> Retriever:
    if part is None:
        raise SeqniahError(
            f"The strategy {strategy} needs {what}, which this corpus does not have; make them "
            "with seqniah haystackcraft index, or choose another strategy."
        )
    return part
