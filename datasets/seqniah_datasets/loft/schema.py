"""What every data set of LOFT is made of, released or embedded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["retrieval", "rag", "multi_value_rag", "sql", "icl"]
"""How answers are judged."""

Split = Literal["few_shot", "dev", "test"]
"""Queries that prompts show with their answers; the others are asked."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A candidate: an article's passage, a table as CSV, or an example's input."""

    pid: str
    """Its id in the data set; prompts show its rank instead."""
    title: str
    """Empty where it has none; of an example in context its target."""
    text: str
    """A passage, CSV with its header, or what an example asks."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question, or a conversation of several turns."""

    qid: str
    turns: tuple[str, ...]
    """One question a turn."""
    answers: tuple[Any, ...]
    """For each turn the accepted answer as JSON: ids of passages (retrieval), texts (RAG: any of
    them, or all where there are many values), rows (SQL), texts (ICL)."""
    golds: tuple[tuple[str, ...], ...]
    """For each turn the ids of the passages, tables or examples that it is answered from."""
    database: str = ""
    """Of SQL: the database whose tables the prompt holds."""


@dataclass(frozen=True, slots=True)
class Source:
    """A data set from which prompts of any length are made."""

    name: str
    """As users write it, such as musique or atlas_hops."""
    kind: Kind
    digest: str
    """Names all that its texts follow from."""
    queries: Mapping[Split, tuple[Query, ...]]
    passages: Mapping[str, Passage]
    """By id: at least the golds of all queries."""
    filler: Callable[[], Iterator[Passage]]
    """Passages that no query has as gold, in an order that is the same for every length; they may
    have no end."""
