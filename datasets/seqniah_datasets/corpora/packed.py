"""The index of a document that is written rather than read: one file, text and arrays together.

It begins with the CRC-32 of all that follows, which is compared whenever it is opened.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from seqniah_datasets import store
from seqniah_datasets.corpora.grams import bitmap
from seqniah_datasets.corpora.index import ShardIndex
from seqniah_datasets.errors import DamagedFile
from seqniah_datasets.segment import segment
from seqniah_datasets.tokens import Tokenizer

_CHECK = 8
"""Bytes of the checksum; half of them are for the arrays to stand where such numbers stand."""

_SIZES = 5
"""Numbers in the header: sentence ends, cuts, bytes of the bitmap, bytes of text, tokens."""


def write(path: Path, text: bytes, tokenizer: Tokenizer) -> None:
    """Index a document of at most 2 GB."""
    found = segment(text)
    counts = tokenizer.prefix_counts(text, found.anchors)
    safe = counts[:-1] >= 0
    marks = bitmap(memoryview(text))
    sizes = [len(found.ends), int(safe.sum()), len(marks), len(text), int(counts[-1])]
    body = b"".join(
        [
            np.array(sizes, "<i8").tobytes(),
            found.ends.astype("<i4").tobytes(),
            found.anchors[safe].astype("<i4").tobytes(),
            counts[:-1][safe].astype("<i4").tobytes(),
            marks.tobytes(),
            text,
        ]
    )
    with store.new_file(path, len(body)) as place:
        place.write_bytes(_checksum(body) + body)


def _checksum(body: bytes | memoryview) -> bytes:
    return zlib.crc32(body).to_bytes(_CHECK, "little")


def read(path: Path) -> ShardIndex:
    """Open what `write` wrote. Raises `DamagedFile` where it is missing or other bytes."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DamagedFile(f"{path} cannot be read ({error.strerror or error}).") from error
    body = memoryview(raw)[_CHECK:]
    if _checksum(body) != raw[:_CHECK]:
        raise DamagedFile(f"{path} is damaged: its bytes are not those that were written.")
    sizes = np.frombuffer(body, "<i8", _SIZES).tolist()
    ends, cuts, marks, length, tokens = sizes
    arrays, at = [], 8 * _SIZES
    for count in (ends, cuts, cuts):
        arrays.append(np.frombuffer(body, "<i4", count, at).astype(np.int64))
        at += 4 * count
    return ShardIndex(
        text=body[at + marks : at + marks + length],
        documents=np.array([0, length], np.int64),
        ends=arrays[0],
        anchors=arrays[1],
        counts=arrays[2],
        document_tokens=np.array([tokens], np.int64),
        grams=body[at : at + marks],
    )


def is_whole(path: Path) -> bool:
    """Whether a file has the size that its beginning tells; the rest stays unread."""
    with path.open("rb") as stream:
        head = stream.read(_CHECK + 8 * _SIZES)
    if len(head) < _CHECK + 8 * _SIZES:
        return False
    ends, cuts, marks, length, _ = np.frombuffer(head, "<i8", _SIZES, _CHECK).tolist()
    return bool(path.stat().st_size == len(head) + 4 * (ends + 2 * cuts) + marks + length)
