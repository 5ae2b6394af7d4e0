"""Authored names and wordings of the encyclopaedia, kept as TOML beside it."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=32)
def table(name: str) -> dict[str, Any]:
    """The table of a file, e.g. "wordings/town.toml"; not to be changed."""
    place = files("seqniah_datasets").joinpath("encyclopaedia", *name.split("/"))
    return tomllib.loads(place.read_text(encoding="utf-8"))
