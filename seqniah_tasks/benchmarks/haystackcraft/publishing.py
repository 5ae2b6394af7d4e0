"""Builds in the layout of the published benchmark, which its code and `edition=paper` read."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy.sparse import triu

from seqniah_datasets.articles.contexts import Context, line_of, place
from seqniah_datasets.articles.folder import DOCUMENTS, EDGE_COLUMNS, EDGES
from seqniah_datasets.articles.library import Library
from seqniah_datasets.articles.published import FOLDER, MULTI_HOP, ROUNDS, SINGLE_HOP
from seqniah_datasets.export import write_jsonl
from seqniah_tasks.benchmarks.haystackcraft.collection import Asked


def questions(folder: Path, asked: Sequence[Asked], library: Library) -> list[str]:
    """Write those of one hop and the others into their files. Returns the files' paths."""
    single = [_row(one, library) for one in asked if one.hops == 1]
    multi = [_row(one, library) for one in asked if one.hops != 1]
    return [_written(folder, MULTI_HOP, multi), _written(folder, SINGLE_HOP, single)]


def contexts(
    folder: Path, found: Mapping[tuple[str, int], Iterable[tuple[str, Context]]]
) -> list[str]:
    """Write the contexts of each strategy and length, with the ids of their questions."""
    return [
        _written(folder, place(*at), (line_of(*one) for one in lines))
        for at, lines in found.items()
    ]


def documents(folder: Path, asked: Sequence[Asked], library: Library) -> list[str]:
    """Write what the dynamic task needs: its questions, all articles, and the links between them,
    each once whatever its direction. Returns the files' paths."""
    articles = ({"id": one.id, "title": one.title, "text": one.text} for one in library.articles)
    found = [
        _written(folder, ROUNDS, (_row(one, library) for one in asked)),
        _written(folder, DOCUMENTS, articles),
    ]
    ends = triu(library.graph).tocoo().coords
    with (folder / FOLDER / EDGES).open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(EDGE_COLUMNS)
        for pair in zip(*(one.tolist() for one in ends), strict=True):
            rows.writerow([library.articles[number].id for number in pair])
    return [*found, f"{FOLDER}/{EDGES}"]


def _row(asked: Asked, library: Library) -> dict[str, Any]:
    golds = (library.articles[number].id for number in asked.golds)
    return {
        "id": asked.id,
        "question": asked.text,
        "answer": asked.answer,
        "answer_aliases": list(asked.aliases),
        "p2d_id": {str(hop): gold for hop, gold in enumerate(golds, 1)},
    }


def _written(folder: Path, name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    path = folder / FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_jsonl(path, rows)
    return f"{FOLDER}/{name}"
