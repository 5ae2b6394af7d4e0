"""Rendered samples as files that training, other harnesses and the hub read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

from seqniah_datasets.schema import Sample

CANARY = (
    "SEQNIAH BENCHMARK DATA, NOT FOR TRAINING CORPORA; canary 5d0f3d0e-8a67-4c55-9c0e-7f2b6f7c1a93"
)
"""Stands in every exported row, never in a prompt, so that leaked exports can be found."""

CARD = "README.md"
"""The data card of an export, which its users may complete."""

FOLDER = "data"
"""Of an export's files, in its own folder; so the hub's data sets have it."""

SHARD = 500_000_000
"""Bytes of a file at most, counted as JSON: no other format takes more for long texts."""

_BATCH = 8_000_000
"""The same of rows that are written at once, so that memory stays bounded."""

_PEEK = 64
"""First rows, from which columns are known that are not those of samples."""

Row = dict[str, Any]

Line = tuple[bytes, Mapping[str, Any]]
"""A row, and its JSON with the end of the line."""


def row(sample: Sample) -> Row:
    """A sample as one flat row."""
    return {
        "id": sample.id,
        "lang": sample.qa.lang,
        "pipeline": str(sample.qa.pipeline),
        "input": sample.input,
        "question": sample.qa.question,
        "reference": sample.qa.reference,
        "order_required": sample.qa.order_required,
        "tokens": sample.tokens,
        "needles": [
            {
                "text": sample.qa.needles[span.needle].text,
                "item": sample.qa.needles[span.needle].item,
                "start": span.start,
                "end": span.end,
                "depth": span.depth,
            }
            for span in sample.spans
        ],
        "canary": CANARY,
    }


COLUMNS = {
    "id": "names the sample's bytes",
    "lang": "language tag",
    "pipeline": "where the question comes from, or what is asked",
    "version": "of the benchmark",
    "input": "the whole prompt",
    "question": "what is asked, without the haystack",
    "reference": "the right answer",
    "order_required": "whether the question asks for the order",
    "tokens": "tokens of `input`, counted exactly",
    "needles": "in true order, that of `reference`",
    "needles.text": "the sentence",
    "needles.item": "what the answer has to say of it",
    "needles.start": "bytes of `input` in UTF-8 before it",
    "needles.end": "bytes of `input` in UTF-8 up to its end",
    "needles.depth": "share of the haystack before it, from 0 to 1",
    "sha256": "of `input` in UTF-8",
    "canary": "the same in every row, so that leaked copies can be found",
}
"""What columns hold, with their units; benchmarks may write others."""


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows as JSON, one a line. Returns how many."""
    count = 0
    with path.open("wb") as out:
        for line, _ in _lines(rows):
            out.write(line)
            count += 1
    return count


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    for one in rows:
        yield f"{json.dumps(one, ensure_ascii=False)}\n".encode(), one


def _parts(lines: Iterable[Line], most: int) -> Iterator[Iterator[Line]]:
    """Consecutive lines of at most so many bytes together, or one that alone has more."""
    number = size = 0

    def part(line: Line) -> int:
        nonlocal number, size
        size += len(line[0])
        if most < size != len(line[0]):
            number, size = number + 1, len(line[0])
        return number

    return (group for _, group in groupby(lines, part))


def _write_lines(path: Path, schema: Any, lines: Iterator[Line]) -> None:
    with path.open("wb") as out:
        out.writelines(line for line, _ in lines)


def _write_parquet(path: Path, schema: Any, lines: Iterator[Line]) -> None:
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(path, schema, compression="zstd") as out:
        _write_tables(out, schema, lines)


def _write_arrow(path: Path, schema: Any, lines: Iterator[Line]) -> None:
    import pyarrow

    # A stream, as the library `datasets` keeps it: not all of its versions read Arrow's files.
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_stream(file, schema) as out:
        _write_tables(out, schema, lines)


def _write_tables(out: Any, schema: Any, lines: Iterator[Line]) -> None:
    import pyarrow

    for part in _parts(lines, _BATCH):
        out.write_table(pyarrow.Table.from_pylist([one for _, one in part], schema))


def _schema(lines: Iterator[Line]) -> tuple[Any, Iterator[Line]]:
    """What columns hold: those of samples, or what the first rows have; and all of the lines."""
    import pyarrow as pa

    text, number = pa.string(), pa.int64()
    needle = {"text": text, "item": text, "start": number, "end": number, "depth": pa.float64()}
    samples = pa.schema(
        {
            **dict.fromkeys(("id", "lang", "pipeline"), text),
            "input": pa.large_string(),
            **dict.fromkeys(("question", "reference"), text),
            "order_required": pa.bool_(),
            "tokens": number,
            "needles": pa.list_(pa.struct(needle.items())),
            "canary": text,
        }
    )
    first = list(islice(lines, 1))
    if first and list(first[0][1]) != samples.names:
        first += islice(lines, _PEEK - 1)
        samples = pa.Table.from_pylist([one for _, one in first]).schema
    return samples, chain(first, lines)


FORMATS: dict[str, Callable[[Path, Any, Iterator[Line]], None]] = {
    "jsonl": _write_lines,
    "parquet": _write_parquet,
    "arrow": _write_arrow,
}
"""File suffix to writer; a new format is a new line here."""


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an export."""

    split: str
    form: str
    """Name of the format."""
    files: tuple[str, ...]
    """Their paths in the folder of the export, with slashes; none where there was no row."""
    schema: Any
    """Of pyarrow; formats without one hold the same."""


def write(folder: Path, split: str, form: str, rows: Iterable[Row], most: int = SHARD) -> Written:
    """Write rows as the hub names them, into files of at most `most` bytes (see `SHARD`).

    A longer row has a file of its own. Files get their names when all are whole; `form` is in
    `FORMATS`.
    """
    schema, lines = _schema(_lines({**one, "canary": CANARY} for one in rows))
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    unnamed: list[Path] = []
    for number, part in enumerate(_parts(lines, most)):
        unnamed.append(place / f".{split}-{number:05d}")
        FORMATS[form](unnamed[-1], schema, part)
    files: list[str] = []
    for path in unnamed:
        name = f"{path.name[1:]}-of-{len(unnamed):05d}.{form}"
        path.rename(place / name)
        files.append(f"{FOLDER}/{name}")
    return Written(split, form, tuple(files), schema)
