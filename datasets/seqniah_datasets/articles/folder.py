"""A folder of articles, links and questions in the layout of the published benchmark.

- `docs.jsonl`, `docs.parquet` or `docs/*.parquet` with `id`, `title`, `text`, and if wanted
  `links`, a list of ids;
- if wanted, `edge_list.csv` with the header `source_node,target_node`;
- other `*.jsonl`: questions with `id`, `question`, `answer`, `answer_aliases`, and `p2d_id`, whose
  values are the ids of gold articles or lists of them.

Ids are texts or whole numbers.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets.articles.library import Article, Library, Link, Placed
from seqniah_datasets.corpora import unpacking
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.sources import files

DOCUMENTS, EDGES = "docs.jsonl", "edge_list.csv"
EDGE_COLUMNS = ["source_node", "target_node"]
_COLUMNS = ("id", "title", "text", "links")
_BATCH = 256
"""Rows of a Parquet file that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the articles that its answer follows from."""

    id: str
    text: str
    answer: str
    aliases: tuple[str, ...]
    """Other wordings of the answer."""
    golds: tuple[str, ...]
    """Ids of the articles to be found, each once, in the order of the file."""

    @property
    def hops(self) -> int:
        """How many articles the question leads through."""
        return len(self.golds)


def read_library(folder: Path) -> Library:
    """The articles of a folder, with their links from the column and from the file of edges.

    Raises `SeqniahError` that names file and line of what cannot be read, and as `Library.placed`.
    """
    pending: list[tuple[str, str, list[str]]] = []

    def articles() -> Iterator[Placed[Article]]:
        for where, row in _rows(folder):
            article = Article(*_identified(where, row))
            if targets := _ids(where, "links", row.get("links") or []):
                pending.append((where, article.id, targets))
            yield where, article

    def links() -> Iterator[Placed[Link]]:
        for where, source, targets in pending:
            yield from ((where, (source, target)) for target in targets)
        if (folder / EDGES).exists():
            yield from _edges(folder / EDGES)

    return Library.placed(articles(), links())


def memory_needed(folder: Path) -> dict[str, int]:
    """Bytes that articles and links take while they are read, about, from the sizes of files.

    Python has two bytes for each character of a text that holds a dash or a curly quote.
    """
    packed = [folder / "docs.parquet", *(folder / "docs").glob("*.parquet")]
    text = _size(folder / DOCUMENTS) + _UNPACKED * sum(map(_size, packed))
    return {"articles": text * 2, "links": _size(folder / EDGES) * 4}


_UNPACKED = 2
"""Times its size that the text of a Parquet file has, at least."""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def question_files(folder: Path) -> list[Path]:
    """All JSON lines of a folder but its articles, by name. Raises `SeqniahError` without any."""
    found = sorted(path for path in folder.glob("*.jsonl") if path.name != DOCUMENTS)
    if not found:
        raise SeqniahError(f"{folder} has no questions; put them into a file of JSON lines there.")
    return found


def read_questions(paths: Sequence[Path], library: Library | None = None) -> list[Question]:
    """The questions of some files, in order; without a library, golds are not looked up.

    Raises `SeqniahError` that names file and line of a field that is missing or of another kind,
    of a repeated id, and of a gold that the library lacks.
    """
    found: dict[str, Question] = {}
    for path in paths:
        for where, row in files.json_lines(path):
            question = _question(where, row, library)
            if question.id in found:
                raise SeqniahError(
                    f"{where}: the id {question.id!r} is already another question's; ids must "
                    "differ, also between files."
                )
            found[question.id] = question
    if not found:
        raise SeqniahError(f"{', '.join(map(str, paths))}: there are no questions.")
    return list(found.values())


def _question(where: str, row: Mapping[str, Any], library: Library | None) -> Question:
    given = row.get("p2d_id")
    values = given.values() if isinstance(given, dict) else ()
    listed = [one for value in values for one in _ids(where, "p2d_id", value)]
    if not listed:
        raise SeqniahError(f"{where}: p2d_id is an object whose values are ids of gold articles.")
    for gold in listed:
        if library is not None and gold not in library.numbers:
            raise SeqniahError(
                f"{where}: the gold article {gold!r} is not in the library; add it, or drop the "
                "question."
            )
    aliases = row.get("answer_aliases") or []
    if not isinstance(aliases, list) or not all(isinstance(one, str) for one in aliases):
        raise SeqniahError(f"{where}: answer_aliases is a list of texts.")
    return Question(
        id=_id(where, "id", row.get("id")),
        text=_text(where, row, "question"),
        answer=_text(where, row, "answer"),
        aliases=tuple(aliases),
        golds=tuple(dict.fromkeys(listed)),
    )


def _identified(where: str, row: Mapping[str, Any]) -> tuple[str, str, str]:
    title, text = (row.get(name) or "" for name in ("title", "text"))
    if not isinstance(title, str) or not isinstance(text, str):
        raise SeqniahError(f"{where}: title and text are texts.")
    return _id(where, "id", row.get("id")), title, text


def _id(where: str, name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        raise SeqniahError(f"{where}: {name} is a text or a whole number, not {str(value)[:60]!r}.")
    return str(value)


def _ids(where: str, name: str, value: object) -> list[str]:
    """One id or a list of them."""
    return [_id(where, name, one) for one in (value if isinstance(value, list) else [value])]


def _text(where: str, row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise SeqniahError(f"{where} has no {name}; it is a text that is not empty.")
    return value


def _rows(folder: Path) -> Iterator[Placed[Mapping[str, Any]]]:
    """The rows of the one form in which the folder has its articles."""
    forms = [
        [path for path in (folder / DOCUMENTS, folder / "docs.parquet") if path.exists()],
        sorted((folder / "docs").glob("*.parquet")),
    ]
    if len(forms[0]) + bool(forms[1]) != 1:
        state = "articles in several forms; keep one" if any(forms) else "no articles"
        raise SeqniahError(f"{folder} has {state}: {DOCUMENTS}, docs.parquet, or docs/*.parquet.")
    for path in (*forms[0], *forms[1]):
        yield from files.json_lines(path) if path.name == DOCUMENTS else _table(path)


def _table(path: Path) -> Iterator[Placed[Mapping[str, Any]]]:
    import pyarrow
    import pyarrow.parquet

    number, done, most = 0, 0, unpacking.ratio()
    try:
        size = path.stat().st_size
        table = pyarrow.parquet.ParquetFile(path)
        present = [name for name in _COLUMNS if name in table.schema_arrow.names]
        for batch in table.iter_batches(batch_size=_BATCH, columns=present):
            done += batch.nbytes
            unpacking.refuse_swelling(done, size, most, str(path))
            for row in batch.to_pylist():
                number += 1
                yield f"{path}, row {number}", row
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise SeqniahError(f"{path} is not a readable Parquet file: {error}.") from error


def _edges(path: Path) -> Iterator[Placed[Link]]:
    where = str(path)

    def lines() -> Iterator[str]:
        nonlocal where
        for place, line in files.text_lines(path):
            where = place
            yield line

    rows = csv.reader(lines())
    try:
        if next(rows, None) != EDGE_COLUMNS:
            raise SeqniahError(f"{where}: the header is {','.join(EDGE_COLUMNS)}.")
        for row in rows:
            if len(row) != 2:
                raise SeqniahError(f"{where}: a link is two ids, not {len(row)}.")
            yield where, (row[0], row[1])
    except csv.Error as error:
        raise SeqniahError(f"{where} is not CSV: {error}.") from error
