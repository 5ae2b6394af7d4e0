"""The embedded data sets of LOFT: one invented gazetteer, asked in six ways.

They need no network and no licence. Their words and decoys are designed, so they are no evidence
about released data sets; they show that a set-up works, and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from seqniah_datasets import rng
from seqniah_datasets.atlas import articles, examples, tables
from seqniah_datasets.atlas.made import Made
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.loft.schema import Kind, Source

VERSION = 2
"""Of the texts; any change of their bytes raises it."""

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "atlas": "retrieval",
        "atlas_hops": "retrieval",
        "atlas_sets": "retrieval",
        "atlas_turns": "retrieval",
        "atlas_sql": "sql",
        "atlas_kinds": "icl",
    }
)
"""How answers are judged; those of retrieval are of RAG, too."""

NAMES = tuple(KINDS)


def source(
    name: str, seed: int, kind: Kind | None = None, lengths: Sequence[int] = tables.USUAL
) -> Source:
    """A data set of a seed; it takes about a second, and five for tables of a million tokens.

    Without a kind it is retrieval where it can be. As RAG, sets of answers are `multi_value_rag`.
    `atlas_sql` has databases for corpora of these lengths, in tokens. Raises `SeqniahError` where
    name and kind do not go together.
    """
    return _source(name, seed, kind, tables.fitting(lengths) if name == "atlas_sql" else ())


@lru_cache(maxsize=16)
def _source(name: str, seed: int, kind: Kind | None, sizes: tuple[str, ...]) -> Source:
    if name not in KINDS:
        raise UnknownName("embedded data set", name, list(NAMES))
    rag: Kind = "multi_value_rag" if name == "atlas_sets" else "rag"
    wanted = rag if kind == "rag" else kind or KINDS[name]
    if wanted != KINDS[name] and (KINDS[name] != "retrieval" or wanted != rag):
        raise SeqniahError(
            f"The data set {name} is of {KINDS[name]}, not of {kind}; take another task."
        )
    digest = rng.digest("atlas", VERSION, name, wanted, seed).hex()
    made = _made(name, seed, wanted, sizes)
    return Source(name, wanted, digest, made.queries, made.passages, made.filler)


def _made(name: str, seed: int, kind: Kind, sizes: Sequence[str]) -> Made:
    match name:
        case "atlas_sql":
            return tables.made(seed, sizes)
        case "atlas_kinds":
            return examples.made(seed)
        case _:
            return articles.made(name, seed, kind)
