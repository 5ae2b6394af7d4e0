"""Authored texts of the sources, one a line."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

EVERY_MONTH = frozenset(range(1, 13))


@lru_cache(maxsize=16)
def lines(name: str) -> tuple[str, ...]:
    """The lines of a bank, e.g. "events_en.txt"."""
    return tuple((files(__package__) / name).read_text(encoding="utf-8").split("\n")[:-1])


@lru_cache(maxsize=4)
def seasonal(name: str) -> tuple[tuple[str, frozenset[int]], ...]:
    """The lines of a bank and the months that each fits: those after a tab, else all."""
    found: list[tuple[str, frozenset[int]]] = []
    for line in lines(name):
        text, _, months = line.partition("\t")
        fits = frozenset(map(int, months.split(","))) if months else EVERY_MONTH
        found.append((text, fits))
    return tuple(found)
