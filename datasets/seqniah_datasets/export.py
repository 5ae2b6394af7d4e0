"""Rendered samples as files that training and other harnesses read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from seqniah_datasets import store
from seqniah_datasets.schema import Sample

CANARY = (
    "SEQNIAH BENCHMARK DATA, NOT FOR TRAINING CORPORA; canary 5d0f3d0e-8a67-4c55-9c0e-7f2b6f7c1a93"
)
"""Stands in every exported row, never in a prompt, so that leaked exports can be found."""

Row = dict[str, Any]

_BATCH = 64
"""Rows written at once: memory stays at a few megabytes a row group."""


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


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows as JSON, one a line. Returns how many."""
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for one in rows:
            out.write(json.dumps(one, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, rows: Iterator[Row]) -> int:
    import pyarrow.parquet

    return _write_tables(partial(pyarrow.parquet.ParquetWriter, path, compression="zstd"), rows)


def _write_arrow(path: Path, rows: Iterator[Row]) -> int:
    import pyarrow

    with pyarrow.OSFile(str(path), "wb") as file:
        return _write_tables(partial(pyarrow.ipc.new_file, file), rows)


def _write_tables(writer: Callable[..., Any], rows: Iterator[Row]) -> int:
    import pyarrow

    schema, rows = _schema(rows)
    count = 0
    with writer(schema=schema) as out:
        while batch := list(islice(rows, _BATCH)):
            out.write_table(pyarrow.Table.from_pylist(batch, schema))
            count += len(batch)
    return count


def _schema(rows: Iterator[Row]) -> tuple[Any, Iterator[Row]]:
    """What columns hold: those of samples, or what the first rows have; and all of the rows."""
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
    first = list(islice(rows, _BATCH))
    if first and list(first[0]) != samples.names:
        samples = pa.Table.from_pylist(first).schema
    return samples, chain(first, rows)


FORMATS: dict[str, Callable[[Path, Iterator[Row]], int]] = {
    "jsonl": write_jsonl,
    "parquet": _write_parquet,
    "arrow": _write_arrow,
}
"""File suffix to writer; a new format is a new line here."""


def write(path: Path, form: str, rows: Iterable[Row]) -> int:
    """Write rows to `path`, whole or not at all. Returns how many; `form` is in `FORMATS`."""
    with store.new_file(path) as place:
        return FORMATS[form](place, ({**one, "canary": CANARY} for one in rows))
