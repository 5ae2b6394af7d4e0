"""Tables as CSV that a spreadsheet shows and never calculates."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet would calculate rather than show."""


def csv_cell(value: Any) -> str:
    """A value as a spreadsheet shows it and never calculates it; lists are JSON."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value)
    return f"'{value}" if value.startswith(_FORMULAS) else value


def write_csv(path: Path, names: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a file in UTF-8 with a line for each row, below the names."""
    with path.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(map(_on_lines, map(csv_cell, row)) for row in rows)


def _on_lines(cell: str) -> str:
    """Python's writer does not quote a carriage return alone, which would then end the row."""
    return cell.replace("\r\n", "\n").replace("\r", "\n")
