"""What a check is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias


class State(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing needs to be done for a run."""
    PROBLEM = "problem"
    """A run will fail, or not be what it should be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found."""

    check: str
    """Name of the check, in a word or two."""
    state: State
    found: str
    todo: str = ""
    """What to do, in one sentence; never empty with a problem."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is looked at."""

    corpus: str
    tokenizer: str
    judge_url: str
    """Of an OpenAI-compatible server, up to and with /v1; empty where there is no judge."""
    environ: Mapping[str, str]
    cache: Path
    path: tuple[str, ...]
    """Folders in which installed packages are looked for."""
    ranks: Path
    """The folder of the embedded rank files."""
    encoding: str
    """Of standard output."""


Said: TypeAlias = tuple[State, str, str]
"""A finding without the check's name."""

Check: TypeAlias = Callable[[Setting], Iterable[Said]]
