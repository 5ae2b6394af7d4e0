"""Authored words of the scorers, kept as TOML beside the code that reads them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Any

_NAMED = re.compile(r"<<(\w+)>>")


@lru_cache(maxsize=32)
def table(name: str) -> Any:
    """A table, e.g. "making/swaps.toml", as a dictionary that is not to be changed."""
    place = files("seqniah_scorers").joinpath(*name.split("/"))
    return tomllib.loads(place.read_text(encoding="utf-8"))


def patterns(name: str, **known: str) -> Callable[[str], re.Pattern[str]]:
    """A table of regular expressions, by their names; each may stand on several lines.

    In one of them, <<other>> stands for the expression of that name above it, or a known one.
    """
    for key, text in table(name).items():
        known[key] = _NAMED.sub(lambda named: known[named[1]], text.replace("\n", ""))
    return lambda key: re.compile(known[key])
