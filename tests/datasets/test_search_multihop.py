"""Search for the passages of real multi-hop questions, where SEQNIAH_REAL_DATA is set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from seqniah_datasets.articles.library import Article, Library, Link
from seqniah_datasets.search import strategies
from seqniah_datasets.search.sparse import SparseIndex

_WORD = re.compile(r"\w+")
_LONGEST = 8
"""Words of a title that links are made of."""


def _links(articles: Sequence[Article]) -> Iterator[Link]:
    """Links to the passages whose title another's text mentions."""
    titled: dict[tuple[str, ...], list[str]] = {}
    for article in articles:
        if len(article.title) > 3:
            titled.setdefault(tuple(_WORD.findall(article.title)), []).append(article.id)
    for article in articles:
        words = _WORD.findall(article.text)
        for at in range(len(words)):
            for end in range(at + 1, min(at + _LONGEST, len(words)) + 1):
                yield from ((article.id, id) for id in titled.get(tuple(words[at:end]), ()))


@pytest.fixture(scope="module")
def questions(real_data: Path) -> list[Any]:
    found: list[Any] = json.loads(
        (real_data / "multihop/musique_train_100.json").read_text("utf-8")
    )
    return found


@pytest.fixture(scope="module")
def library(real_data: Path) -> Library:
    rows = [
        row
        for name in ("musique_train_corpus", "2wiki_corpus")
        for row in json.loads((real_data / f"multihop/{name}.json").read_text("utf-8"))
    ]
    articles = [Article(str(number), row["title"], row["text"]) for number, row in enumerate(rows)]
    return Library.of(articles, _links(articles))


def test_recall_of_multihop_questions(questions: list[Any], library: Library) -> None:
    places = {article.content: number for number, article in enumerate(library.articles)}
    sparse = SparseIndex.build(article.content for article in library.articles)
    recalls = {}
    for name in ("bm25", "bm25+ppr"):
        engine, shares = strategies.retriever(name, library, lambda: sparse, lambda: None), []
        for question in questions:
            found = engine.search(question["question"], 20).numbers.tolist()
            golds = {
                places[f"{one['title']}\n{one['paragraph_text']}"]
                for one in question["paragraphs"]
                if one["is_supporting"]
            }
            shares.append([len(golds & set(found[:depth])) / len(golds) for depth in (10, 20)])
        recalls[name] = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    assert 0.53 <= recalls["bm25"][0] <= 0.57
    assert recalls["bm25+ppr"][0] > recalls["bm25"][0]
    assert recalls["bm25+ppr"][1] > recalls["bm25"][1]
