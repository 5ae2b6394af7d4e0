"""A user's files of facts and questions: read line by line, with errors that name the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from seqniah_datasets import store
from seqniah_datasets.errors import SeqniahError

_LONGEST = 16_000_000
"""Bytes that one line may have."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON writes half of a character beyond the first 65,536; UTF-8 itself has no halves."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file as it stands there."""

    where: str
    """The words "FILE, line N" that name it."""
    offset: int
    """Bytes of the file before it."""
    raw: bytes
    """With its line break, if it has one."""

    @property
    def text(self) -> str:
        """Without its line break. Raises `SeqniahError` where it is not UTF-8."""
        try:
            return self.raw.decode("utf-8-sig").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise SeqniahError(
                f"{self.where}, is not UTF-8; convert the file, e.g. with iconv -t utf-8."
            ) from error

    @property
    def fields(self) -> dict[str, Any]:
        """Its JSON object. Raises `SeqniahError` where it holds none."""
        text = self.text
        try:
            fields = json.loads(text)
            if _SURROGATE.search(text):
                json.dumps(fields, ensure_ascii=False).encode("utf-8")  # half a pair cannot
        except (ValueError, RecursionError) as error:
            raise SeqniahError(f"{self.where}, is not JSON: {error}.") from error
        if not isinstance(fields, dict):
            raise SeqniahError(f"{self.where}, is no JSON object.")
        return fields


def lines(path: Path, named: Path | None = None) -> Iterator[Line]:
    """Each line that is not blank; messages call the file `named` where it is another's copy.

    Raises `SeqniahError` when the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            offset = 0
            for number, raw in enumerate(iter(lambda: file.readline(_LONGEST + 1), b""), 1):
                where = f"{named or path}, line {number}"
                if len(raw) > _LONGEST:
                    raise SeqniahError(f"{where}, is longer than {_LONGEST:,} bytes.")
                if raw.strip():
                    yield Line(where, offset, raw)
                offset += len(raw)
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error


def line_at(path: Path, offset: int, size: int, where: str) -> Line:
    """A line again that was read before. Raises `SeqniahError` when the file cannot be read."""
    try:
        with path.open("rb") as stream:
            stream.seek(offset)
            return Line(where, offset, stream.read(size))
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error


def text_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, after the words "FILE, line N" that name it.

    Raises `SeqniahError` when the file cannot be read or is not UTF-8.
    """
    for line in lines(path):
        if (text := line.text).strip():
            yield line.where, text


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's JSON object, after the words that name the line."""
    for line in lines(path):
        if line.text.strip():
            yield line.where, line.fields


def digest_of(path: Path) -> str:
    """SHA-256 of a file's content as it is now; read again only when the file has changed."""
    try:
        facts = path.stat()
        return _digest_of(str(path.resolve()), facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error


@lru_cache(maxsize=64)
def _digest_of(path: str, size: int, changed: int) -> str:
    return store.sha256_of(Path(path))
