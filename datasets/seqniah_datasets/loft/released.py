"""LOFT's files as they were released, and a folder of one's own in LOFT's or BEIR's layout."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft import beir, corpora, rows
from seqniah_datasets.loft.schema import Kind, Passage, Query, Source, Split
from seqniah_datasets.loft.table import DataSet
from seqniah_datasets.sources.files import digest_of

SPLITS: tuple[Split, ...] = ("few_shot", "dev", "test")


def _nothing() -> Iterator[Passage]:
    yield from ()


def released(one: DataSet, data: Path, length: str) -> Source:
    """A released corpus: its passages in their order, and the queries of all splits that are there.

    `data` holds the folders of tasks, or a folder data with them. Raises `SeqniahError` in one
    sentence that says what to fetch, or names file and line.
    """
    if length not in one.lengths:
        known = ", ".join(one.lengths)
        raise SeqniahError(f"{one.title} is not released at {length}; known lengths: {known}.")
    if not data.is_dir():
        raise SeqniahError(f"There is no folder {data}; {one.fetch} (into {data}/{one.task}).")
    base = next((d for d in (data / "data", data) if (d / one.task).is_dir()), data)
    folder = base / one.folder / length
    texts = _infill(one, base / one.folder / "source" / one.name) if one.beir else None
    return _read(one.name, one.kind, folder, f"{one.fetch} (into {base}/{one.task})", texts)


def _infill(one: DataSet, source: Path) -> tuple[Path, Path] | None:
    """BEIR's files, where they are there; files that were filled in need none."""
    found = source / "corpus.jsonl", source / "queries.jsonl"
    return found if all(path.is_file() for path in found) else None


def own(path: Path, kind: Kind, seed: int) -> Source:
    """A folder of one's own: corpus.jsonl beside SPLIT_queries.jsonl, or BEIR's; its passages that
    are no golds are filler, in a keyed order. Raises `SeqniahError` like `released`."""
    if not path.is_dir():
        raise SeqniahError(f"There is no folder {path}; give a data set's name, or a folder.")
    if kind == "retrieval" and (path / "qrels").is_dir():
        texts = beir.passages(_there(path / "corpus.jsonl", "BEIR's layout has the passages there"))
        queries, golds = beir.splits(path, texts, seed)
        paths = [path / "corpus.jsonl", path / "queries.jsonl", *sorted(path.glob("qrels/*.tsv"))]
    else:
        told = "a folder of one's own has it beside its queries"
        read = _read(path.resolve().name, kind, path, told, None)
        texts, queries = dict(read.passages), dict(read.queries)
        golds = frozenset(corpora.golds(kind, chain(*queries.values())))
        paths = [one for one in sorted(path.iterdir()) if one.suffix in (".json", ".jsonl")]
    digest = rng.digest("own", kind, seed, *map(digest_of, paths)).hex()

    def filler() -> Iterator[Passage]:
        pool = [one for pid, one in texts.items() if pid not in golds]
        yield from rng.stream("loft", "filler", digest).shuffled(pool)

    kept = texts if kind == "sql" else {pid: one for pid, one in texts.items() if pid in golds}
    return Source(path.resolve().name, kind, digest, queries, kept, filler)


def _there(path: Path, why: str) -> Path:
    if not path.is_file():
        raise SeqniahError(f"{path} is missing; {why}.")
    return path


def _read(
    name: str, kind: Kind, folder: Path, fetch: str, infill: tuple[Path, Path] | None
) -> Source:
    end = ".json" if kind == "icl" else ".jsonl"
    corpus = _there(folder / f"corpus{end}", fetch)
    paths = {split: folder / f"{split}_queries{end}" for split in SPLITS}
    paths = {split: path for split, path in paths.items() if path.is_file()}
    queries: dict[Split, tuple[Query, ...]]
    if kind == "icl":
        texts = rows.examples(corpus)
        queries = {split: rows.asked(path) for split, path in paths.items()}
    else:
        passages = asked = None
        if infill:
            passages, asked = beir.passages(infill[0]), beir.queries(infill[1])
        texts = rows.passages(corpus, passages)
        if kind != "sql" and not any(one.text for one in texts.values()):
            raise SeqniahError(f"{corpus} has ids without texts; {fetch}.")
        queries = {split: rows.queries(p, kind, texts, asked) for split, p in paths.items()}
        if kind != "sql" and "few_shot" not in queries:
            raise SeqniahError(f"{folder / 'few_shot_queries.jsonl'} is missing; {fetch}.")
    if not any(split in queries for split in ("dev", "test")):
        raise SeqniahError(f"{folder / f'dev_queries{end}'} is missing; {fetch}.")
    digest = rng.digest("released", kind, *map(digest_of, (corpus, *paths.values()))).hex()
    return Source(name, kind, digest, queries, texts, _nothing)
