"""What took long to work out, kept for the next run: one JSON value a file, behind its digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from seqniah_datasets.store import new_file


def read(path: Path) -> Any:
    """The value of a file; None where it is not there, or not what was written."""
    try:
        digest, _, body = path.read_text("utf-8").partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return json.loads(body) if digest == _digest(body) else None


def write(path: Path, value: object) -> None:
    """Write a JSON value whole or not at all. Raises `SeqniahError` where it cannot be written."""
    body = json.dumps(value)
    with new_file(path) as temporary:
        temporary.write_text(f"{_digest(body)}\n{body}", "utf-8")


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
