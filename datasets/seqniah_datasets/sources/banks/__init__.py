"""Authored texts of the sources, one a line."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=16)
def lines(name: str) -> tuple[str, ...]:
    """The lines of a bank, e.g. "events_en.txt"."""
    return tuple((files(__package__) / name).read_text(encoding="utf-8").split("\n")[:-1])
