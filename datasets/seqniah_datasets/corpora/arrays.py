"""Arrays and texts of an index as files."""

from __future__ import annotations

import io
import mmap
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Offsets = npt.NDArray[np.int64]
_N = TypeVar("_N", np.int64, np.uint8)


def mapped(path: Path) -> memoryview:
    """The bytes of a file, read where they are asked for."""
    with path.open("rb") as stream:
        if path.stat().st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def save(path: Path, array: npt.NDArray[Any]) -> None:
    """Write an array as numpy does."""
    # Of a full disk, numpy's own writing of a file says how many bytes were written, but not why.
    raw = io.BytesIO()
    np.save(raw, array, allow_pickle=False)
    path.write_bytes(raw.getbuffer())


def load(path: Path) -> Offsets:
    """An array of offsets or counts that `save` wrote."""
    return array_of(path.read_bytes(), np.int64)


def array_of(raw: bytes, kind: type[_N]) -> npt.NDArray[_N]:
    """The numbers of a file of one dimension that `save` wrote.

    `np.load` parses a header with Python's compiler, which has failed in a run with several threads
    (CPython 3.11, see gh-106905); the header of a verified file holds no news.
    """
    return np.frombuffer(raw, kind, offset=10 + int.from_bytes(raw[8:10], "little"))
