"""Answers in JSON or as a Python literal, read as lines."""

from __future__ import annotations

import ast
import json
import re

from seqniah_scorers.text import strip_markup

_OPENING = re.compile(r"(?:^|\n)[ \t]*(?:[a-z_]+\s*=\s*)?([\[{])", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"\n]{2,2000})"(?!\s*:)|(?<!\w)\'([^\n]{2,2000}?)\'(?=\s*[,\]}])')
_VALUE = re.compile(r'"\s*:\s*"([^"\n]{1,2000})"|\'\s*:\s*\'([^\n]{1,2000}?)\'(?=\s*[,\]}])')
_OBJECT = re.compile(r"\{[^{}]{3,4000}\}")
_ENTRY_LIMIT = 2000


def as_data(text: str) -> list[str]:
    """The entries of a JSON or Python list or mapping that makes up the answer; else nothing."""
    if "[" not in text and "{" not in text:
        return []
    opening = _OPENING.search(text)
    if not opening or not re.match(r"[\[{]\s*(?:[\"'{\[]|$)", text[opening.start(1) :][:200]):
        return []
    source = text[opening.start(1) :][:200_000]
    close = "]" if source[0] == "[" else "}"
    source = source[: source.rfind(close) + 1] or source
    try:
        value: object = json.loads(source)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(source) if len(source) < 50_000 else None
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            value = None
    if value is not None:
        return [strip_markup(e) for e in _entries(value) if e.strip()][:_ENTRY_LIMIT]
    objects = _OBJECT.findall(source)
    if objects:
        return [": ".join(a or b for a, b in _VALUE.findall(o)) for o in objects][:_ENTRY_LIMIT]
    found = [a or b for a, b in _QUOTED.findall(source)]
    return found[:_ENTRY_LIMIT] if len(found) > 1 else []


def _entries(value: object) -> list[str]:
    if isinstance(value, dict):
        parts = list(value.values())
        if len(parts) == 1 and isinstance(parts[0], list | dict):
            return _entries(parts[0])
        nested = [k for k, p in value.items() if isinstance(p, list | dict)]
        if len(nested) == 1 and not any(c.isdigit() for c in str(nested[0])):
            # {"name": ..., "entries": [...]}: all but the list is about the list.
            return _entries(value[nested[0]])
        if nested:
            return [f"{k}: {e}" for k in nested for e in _entries(value[k])]
        return [f"{k}: {p}" for k, p in value.items()]
    if isinstance(value, list | tuple):
        return [_joined(entry) for entry in value]
    return [str(value)] if isinstance(value, str | int | float) else []


def _joined(entry: object) -> str:
    """One entry as a line, its values without their keys."""
    if isinstance(entry, dict):
        entry = list(entry.values())
    if isinstance(entry, list | tuple):
        return ": ".join(str(e) for e in entry if isinstance(e, str | int | float)).replace(
            "\n", " "
        )
    return str(entry).replace("\n", " ")
