"""What prompts say, by task and shape: ours (`words.toml`), or those of a user's file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.table import TASKS

MOST_FILE = 4_000_000
"""Bytes of a file of words."""

_PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "instruction": (),
    "formatting": (),
    "candidate": ("pid", "title", "passage", "input", "target"),
    "example": ("example_id",),
    "start": ("example_id",),
    "query": ("query", "corpus", "example_id"),
    "follow_up": ("query", "corpus", "example_id"),
    "reason": ("pid", "title", "passage"),
    "answer": ("final_answer",),
}
"""Keys, and what may stand in braces in each; texts without any are taken as they are."""

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "retrieval": ("instruction", "candidate", "query", "answer"),
    "rag": ("instruction", "candidate", "query", "answer"),
    "sql": ("instruction", "candidate", "query"),
    "icl": ("instruction", "candidate"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Templates of one shape; what is None has no place in its prompts."""

    instruction: str
    formatting: str | None = None
    candidate: str = ""
    """Of a passage, a table, or an example with its target."""
    example: str = ""
    """Before the query of an example."""
    start: str = ""
    """Before the query that is asked."""
    query: str = ""
    follow_up: str = ""
    """Of a later turn; empty: `query`."""
    reason: str | None = None
    """Of an example, a gold each."""
    answer: str = "Final Answer: {final_answer}"
    examples: tuple[str, ...] = ()
    """Whole, of SQL."""


@lru_cache(maxsize=16)
def words(task: str, shape: str, path: str = "") -> Words:
    """The words of a shape. Raises `SeqniahError` where the file of a path lacks it, or has a key
    or a placeholder that there is not."""
    if not path:
        own = _own()
        common = {k: one for k, one in own[task].items() if not isinstance(one, dict)}
        found = {**common, **own[task][shape]}
        return _words("words.toml", task, {k: _joined(k, one) for k, one in found.items()})
    where = f"{path}: [{task}.{shape}]"
    table = _read(Path(path).expanduser()).get(task, {})
    given = table.get(shape) if isinstance(table, dict) else None
    if not isinstance(given, dict):
        raise SeqniahError(f"{where} is missing; a file of words has a table for task and shape.")
    return _words(where, task, given)


def closed(task: str, given: Words) -> Words:
    """The words of the same prompt without a corpus: ours, whatever the others are."""
    told = {k: _joined(k, one) for k, one in _own()["closed"].get(task, {}).items()}
    return Words(
        **{
            **{one.name: getattr(given, one.name) for one in fields(Words)},
            **{name: tuple(one) if isinstance(one, list) else one for name, one in told.items()},
            "reason": None,
        }
    )


def _joined(name: str, value: Any) -> Any:
    """A text of our file without the line break that it begins with for the eye."""
    if isinstance(value, list):
        return [one.removeprefix("\n") for one in value]
    return value.removeprefix("\n") if name in ("query", "follow_up") else value


@lru_cache(maxsize=1)
def _own() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        if path.stat().st_size > MOST_FILE:
            raise SeqniahError(f"{path} has more than {MOST_FILE:,} bytes.")
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise SeqniahError(f"{path} is not TOML: {error}.") from error


def _words(where: str, task: str, given: Mapping[str, Any]) -> Words:
    assert task in TASKS
    known = (*_PLACEHOLDERS, "examples")
    for name, value in given.items():
        if name not in known:
            raise SeqniahError(f"{where} has no key {name!r}; known: {', '.join(known)}.")
        if name == "examples":
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise SeqniahError(f"{where}: examples are a list of texts.")
        elif not isinstance(value, str):
            raise SeqniahError(f"{where}: {name} is a text.")
        elif _PLACEHOLDERS[name]:
            _check(f"{where}: {name}", value, _PLACEHOLDERS[name])
    if lost := [name for name in _NEEDED[task] if name not in given]:
        raise SeqniahError(f"{where} lacks {lost[0]}.")
    told: dict[str, Any] = dict(given)
    return Words(**{**told, "examples": tuple(told.get("examples", ()))})


def _check(where: str, template: str, known: tuple[str, ...]) -> None:
    """Refuse what is no plain name in braces, such as an attribute."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise SeqniahError(f"{where} has a brace too many ({error}); double it.") from error
    for _, name, spec, conversion in parts:
        if name is not None and (name not in known or spec or conversion):
            allowed = ", ".join(f"{{{one}}}" for one in known)
            raise SeqniahError(f"{where} has {{{name}}}; in braces may stand {allowed}.")
