"""Files that are packed, read as they come out, and no further than any text would swell."""

from __future__ import annotations

import io
import os
from typing import Any, BinaryIO, cast

from seqniah_datasets.errors import CorpusError

VARIABLE = "SEQNIAH_UNPACK_RATIO"
"""The environment variable with another number than `RATIO`."""

RATIO = 200.0
"""Times its packed size to which a file may unpack. With zstd's highest level, 22, and a window of
128 MB, novels reach 3.1 (Chinese) and 3.7 (English) and prompts that share their haystack 47; with
level 19, a novel that stands in its file twenty times reaches 76. Zeros reach 33,000."""

FREE = 64_000_000
"""Bytes that any file may unpack to."""


def ratio() -> float:
    """The ratio that counts. Raises `CorpusError` where the user's own is none."""
    given = os.environ.get(VARIABLE, "").strip()
    try:
        chosen = float(given or RATIO)
    except ValueError:
        chosen = 0.0
    if not chosen >= 1:  # nor is it where it is not a number
        raise CorpusError(f"{VARIABLE} is a number from 1, not {given!r}; set another or unset it.")
    return chosen


def refuse_swelling(out: int, packed: int, most: float, where: str) -> None:
    """Raise `CorpusError` where so many bytes have come out of so many as out of no text."""
    if out > FREE and out > most * packed:
        raise CorpusError(
            f"{where} unpacks to more than {most:,g} times its size, as no text does; if it is one "
            f"all the same, set {VARIABLE} to a higher number."
        )


class _Counted(io.RawIOBase):
    """A stream of bytes, and how many of them were read."""

    def __init__(self, stream: Any) -> None:
        self.done = 0
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        done: int = self._stream.readinto(buffer)
        self.done += done
        return done


class _Unpacked(_Counted):
    """What comes out of a stream packed with zstandard."""

    def __init__(self, packed: _Counted, where: str) -> None:
        import pyarrow

        super().__init__(pyarrow.CompressedInputStream(pyarrow.PythonFile(packed, "r"), "zstd"))
        self._packed, self._where, self._most = packed, where, ratio()

    def readinto(self, buffer: Any) -> int:
        try:
            done = super().readinto(buffer)
        except OSError as error:
            if error.errno is not None:  # of the disk
                raise
            why = f"is not readable zstandard: {str(error).rstrip('.')}"
            if "Truncated" in str(error):
                why = "ends early; it was cut, or is still being written: copy it anew"
            raise CorpusError(f"{self._where} {why}.") from error
        refuse_swelling(self.done, self._packed.done, self._most, self._where)
        return done


def unpacked(stream: BinaryIO, where: str) -> BinaryIO:
    """What a stream packed with zstandard holds.

    Reading it raises `CorpusError` where it is damaged, ends early, or swells as no text does.
    """
    return io.BufferedReader(cast(io.RawIOBase, _Unpacked(_Counted(stream), where)))
