"""Readers of files with texts, one function a kind of file; see `READERS`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO, TypeAlias

from seqniah_datasets.corpora import unpacking
from seqniah_datasets.corpora.index import SourceDocument
from seqniah_datasets.errors import CorpusError

TEXT_FIELDS = ("text", "content", "document")
"""Names under which a JSON object or a table may hold the text; the first found counts."""

_NEEDS = f"it needs one of the fields {', '.join(TEXT_FIELDS)}"

_PARAGRAPHS = "段落"
"""The field of MNBVC's texts: a list of {"内容": a paragraph}, in a table as JSON."""

MAX_ROW = 64_000_000
"""Bytes of the longest line, row of a table, or JSON value that is read."""

Bad: TypeAlias = Callable[[str], None]
"""Told of a row that cannot be read, in a sentence; where it returns, the row is left out."""

Reader: TypeAlias = Callable[[BinaryIO, str, Bad], Iterator[SourceDocument]]
"""From an open file, its name for messages. Raises `CorpusError` where no row can be left out."""

Row: TypeAlias = tuple[str, bytes]
"""A line and where it stands."""


def refuse(message: str) -> None:
    """What becomes of a bad row in files that the user can fix."""
    raise CorpusError(message)


def _read_text(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CorpusError(_not_utf8(f"{where}, line {line}")) from error
    if text.strip():
        yield SourceDocument(text, where)


def _lines(stream: BinaryIO, where: str, bad: Bad) -> Iterator[Row]:
    number, whole = 1, True
    while line := stream.readline(MAX_ROW + 1):
        if whole and len(line) <= MAX_ROW:
            yield f"{where}, line {number}", line
        elif whole:
            bad(f"{where}, line {number}, has more than {MAX_ROW:,} bytes; divide it.")
        whole = line.endswith(b"\n")
        number += whole


def _read_json_lines(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    return _documents(_parsed(_lines(stream, where, bad), bad), bad)


def _read_json(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    """JSON lines where the first line is an object of its own, else one array or object."""
    lines = _lines(stream, where, bad)
    first = next((row for row in lines if row[1].strip()), None)
    if first is None:
        return
    if any(isinstance(value, dict) for _, value in _parsed([first], lambda message: None)):
        yield from _documents(_parsed(chain([first], lines), bad), bad)
        return
    whole = bytearray(first[1])
    for _, line in lines:
        whole += line
        if len(whole) > MAX_ROW:
            bad(f"{where} is one JSON value of more than {MAX_ROW:,} bytes; make it JSON lines.")
            return
    for _, value in _parsed([(where, bytes(whole))], bad):
        rows = [(where, value)]
        if isinstance(value, list):
            rows = [(f"{where}, entry {number}", entry) for number, entry in enumerate(value, 1)]
        yield from _documents(rows, bad)


def _parsed(lines: Iterable[Row], bad: Bad) -> Iterator[tuple[str, object]]:
    for where, line in lines:
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError:
            bad(_not_utf8(where))
        except (ValueError, RecursionError) as error:  # ValueError: a number of 5,000 digits
            bad(f"{where} is not JSON: {getattr(error, 'msg', error)}.")
        else:
            yield where, value


def _documents(
    rows: Iterable[tuple[str, object]], bad: Bad, needs: str = _NEEDS
) -> Iterator[SourceDocument]:
    for where, row in rows:
        text = _text_of(row) if isinstance(row, dict) else None
        if text is None:
            bad(f"{where} has no text; {needs}.")
        elif text.strip():
            yield SourceDocument(text, where)


def _text_of(row: dict[str, Any]) -> str | None:
    """The text without needles of a built example, else that of the first field that has one."""
    nested = row.get("meta_text")
    if isinstance(nested, dict) and isinstance(nested.get("raw_text"), str):
        return str(nested["raw_text"])
    for name in TEXT_FIELDS:
        if isinstance(row.get(name), str):
            return str(row[name])
    return _joined(row.get(_PARAGRAPHS))


def _joined(paragraphs: object) -> str | None:
    if isinstance(paragraphs, str):
        try:
            paragraphs = json.loads(paragraphs)
        except (ValueError, RecursionError):
            return None
    if not isinstance(paragraphs, list):
        return None
    parts = [entry.get("内容") for entry in paragraphs if isinstance(entry, dict)]
    return "\n".join(part for part in parts if isinstance(part, str))


def _read_csv(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    fed = 0

    def lines() -> Iterator[str]:
        nonlocal fed
        for place, line in _lines(stream, where, refuse):
            fed += len(line)
            if fed > MAX_ROW:  # a quotation mark that never closes
                raise CorpusError(f"{place}, ends a row of more than {MAX_ROW:,} bytes; divide it.")
            try:
                yield line.decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise CorpusError(_not_utf8(place)) from error

    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))  # one for the whole process
    rows = csv.reader(lines())
    try:
        header = next(rows, [])
        column = _column(header, (*TEXT_FIELDS, _PARAGRAPHS), where)
        for row in rows:
            fed = 0
            fields = dict(zip(header, row, strict=False))
            if row:
                place = f"{where}, line {rows.line_num}"
                yield from _documents([(place, {column: fields.get(column)})], bad)
    except csv.Error as error:
        raise CorpusError(f"{where}, line {rows.line_num}, is not CSV: {error}.") from error


def _read_zstandard(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    return _read_json_lines(unpacking.unpacked(stream, where), where, bad)


def _read_parquet(stream: BinaryIO, where: str, bad: Bad) -> Iterator[SourceDocument]:
    import pyarrow
    import pyarrow.parquet

    size, most, done = stream.seek(0, io.SEEK_END), unpacking.ratio(), 0
    try:
        table = pyarrow.parquet.ParquetFile(stream)
        names = ("meta_text", *TEXT_FIELDS, _PARAGRAPHS)
        column = _column(table.schema_arrow.names, names, where)
        batches = table.iter_batches(batch_size=64, columns=[column])
        values = chain.from_iterable(batch.column(0).to_pylist() for batch in batches)
        rows = ((f"{where}, row {row}", {column: value}) for row, value in enumerate(values, 1))
        for document in _documents(rows, bad, f"give its column {column} one, or drop the row"):
            done += len(document.text)
            unpacking.refuse_swelling(done, size, most, where)
            yield document
    except pyarrow.ArrowException as error:
        raise CorpusError(f"{where} is not a readable parquet file: {error}.") from error


def _column(present: Sequence[str], wanted: Sequence[str], where: str) -> str:
    found = next((name for name in wanted if name in present), None)
    if found is None:
        raise CorpusError(
            f"{where} has no text; it needs one of the columns {', '.join(TEXT_FIELDS)}."
        )
    return found


def _not_utf8(where: str) -> str:
    return f"{where}, is not UTF-8; convert the file, e.g. with iconv -t utf-8."


READERS: dict[str, Reader] = {
    ".txt": _read_text,
    ".jsonl": _read_json_lines,
    ".jsonl.zst": _read_zstandard,
    ".json": _read_json,
    ".csv": _read_csv,
    ".parquet": _read_parquet,
}
"""End of a file's name to its reader; a new kind of file is a new line here."""


def reader_of(name: str) -> Reader | None:
    """The reader of a file; none when it is of no readable kind."""
    lower = name.lower()
    return next((reader for end, reader in READERS.items() if lower.endswith(end)), None)
