"""Authored tables and texts of the sources, kept as TOML and lines beside them."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=64)
def text(name: str) -> str:
    """The text of a table, e.g. "relations/en.toml"; line ends are LF."""
    place = files("seqniah_datasets").joinpath("sources", *name.split("/"))
    return place.read_text(encoding="utf-8").replace("\r\n", "\n")


@lru_cache(maxsize=32)
def table(name: str) -> dict[str, Any]:
    """The table itself; not to be changed."""
    return tomllib.loads(text(name))


def names(folder: str) -> list[str]:
    """The tables of a folder, sorted, e.g. of "procedures/en"."""
    place = files("seqniah_datasets").joinpath("sources", *folder.split("/"))
    found = [entry.name for entry in place.iterdir() if entry.name.endswith(".toml")]
    return [f"{folder}/{name}" for name in sorted(found)]


@lru_cache(maxsize=4)
def relations(lang: str) -> dict[str, tuple[str, ...]]:
    """Clauses for each relation of the CAMEO code book, with slots {a} and {b}."""
    return {name: tuple(clauses) for name, clauses in table(f"relations/{lang}.toml").items()}


@lru_cache(maxsize=16)
def lines(name: str) -> tuple[str, ...]:
    """The lines of a bank, e.g. "events_en.txt"."""
    return tuple(text(f"banks/{name}").split("\n")[:-1])
