"""BEIR's layout: corpus.jsonl, queries.jsonl, and qrels/SPLIT.tsv."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.schema import Passage, Query, Split
from seqniah_datasets.sources import files

SIZES: Mapping[Split, int] = {"few_shot": 5, "dev": 10, "test": 100}
"""Queries of a split, as released."""


def _rows(path: Path, what: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Where each row of a file stands, its id, which no other has, and the row."""
    seen: set[str] = set()
    for where, row in files.json_lines(path):
        found = row.get("_id")
        if isinstance(found, bool) or not isinstance(found, str | int) or not str(found):
            raise SeqniahError(f"{where}: _id is missing, or no text.")
        id = str(found)
        if id in seen:
            raise SeqniahError(f"{where}: the _id {id!r} is another {what}'s; ids must differ.")
        seen.add(id)
        yield where, id, row


def _text(where: str, row: Mapping[str, Any], name: str) -> str:
    found = row.get(name)
    if found is None and name == "title":
        return ""
    if not isinstance(found, str):
        raise SeqniahError(f"{where}: {name} is missing, or no text.")
    return found


def passages(path: Path) -> dict[str, Passage]:
    """All passages by id. Raises `SeqniahError` that names the line."""
    found: dict[str, Passage] = {}
    for where, pid, row in _rows(path, "passage"):
        title, text = _text(where, row, "title"), _text(where, row, "text")
        found[pid] = Passage(pid, title.strip(), text.strip())
    return found


def queries(path: Path) -> dict[str, str]:
    """The texts of all queries by id. Raises `SeqniahError` that names the line."""
    return {qid: _text(where, row, "text").strip() for where, qid, row in _rows(path, "query")}


def qrels(path: Path) -> dict[str, list[str]]:
    """Golds by query: those with a score above 0, after a header line."""
    found: dict[str, list[str]] = {}
    for number, (where, line) in enumerate(files.text_lines(path)):
        if not number:
            continue
        parts = line.split("\t")
        if len(parts) != 3 or not parts[2].strip().lstrip("-").isdecimal():
            raise SeqniahError(f"{where}: a line has query-id, corpus-id and score, with tabs.")
        if int(parts[2]) > 0:
            golds = found.setdefault(parts[0], [])
            if parts[1] not in golds:
                golds.append(parts[1])
    return found


def splits(
    folder: Path, known: Mapping[str, Passage], seed: int
) -> tuple[dict[Split, tuple[Query, ...]], frozenset[str]]:
    """Queries by split, of the sizes released, and all golds, those of unused queries too.

    Few-shot queries are of train, and what there is no file for comes from test. Raises
    `SeqniahError` that names a query without a text, or a gold that the corpus lacks.
    """
    texts = queries(folder / "queries.jsonl")
    every: set[str] = set()
    found: dict[Split, tuple[Query, ...]] = {}
    names: tuple[tuple[Split, str], ...] = (("few_shot", "train"), ("dev", "dev"), ("test", "test"))
    paths = {split: folder / "qrels" / f"{name}.tsv" for split, name in names}
    if not paths["test"].is_file():
        raise SeqniahError(f"{paths['test']} is missing; BEIR's layout has the golds there.")
    pools: dict[Path, list[Query]] = {}
    for split, _ in names:
        path = paths[split] if paths[split].is_file() else paths["test"]
        if path not in pools:
            golds = qrels(path)
            every.update(gold for one in golds.values() for gold in one)
            made = [_query(path, qid, golds[qid], texts, known) for qid in sorted(golds)]
            pools[path] = rng.stream("loft", "beir", path.name, seed).shuffled(made)
        pool = pools[path]
        found[split], pools[path] = tuple(pool[: SIZES[split]]), pool[SIZES[split] :]
    return found, frozenset(every)


def _query(
    path: Path, qid: str, golds: list[str], texts: Mapping[str, str], known: Mapping[str, Passage]
) -> Query:
    if qid not in texts:
        raise SeqniahError(f"{path}: queries.jsonl lacks the query {qid!r}.")
    if lost := [one for one in golds if one not in known]:
        raise SeqniahError(f"{path}: corpus.jsonl lacks {lost[0]!r}, a gold of {qid!r}.")
    return Query(qid, (texts[qid],), (golds,), (tuple(golds),))
