"""The lines of an answer and what each one is: a list item, a heading, a table row, text."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from enum import Enum

from seqniah_scorers.text import LINE_BREAK, MAX_CHARS, plain, strip_markup


class Kind(Enum):
    BLANK = "blank"
    NUMBER = "numbered"
    BULLET = "bullet"
    HEADING = "heading"
    ROW = "table row"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its markup and its list marker."""

    kind: Kind
    """What the marker, or its absence, says it is."""
    indent: int
    """Columns of white space in front, a tab counting as four."""
    text: str
    """What is left to read."""
    start: int
    """Offset of the line in the response."""
    end: int
    """Offset after the line, without its line break."""


_NUMBER = re.compile(
    r"(?:\(?\d{1,3}\s?[.)、](?!\d)|\d{1,2}\.(?=\d{4}[-年/.])|\d{1,2}(?:\.\d{1,2}){1,2}[.)]?(?=\s)"
    r"|\d{1,2}:(?=\s|[^\d\s])"
    r"|\(?[一二三四五六七八九十]{1,3}[)、.]|第[一二三四五六七八九十\d]{1,3}(?:步骤?|[项条点个件])\s?[、:,.]?"
    r"|(?:step|event|entry|item|步骤|事件|日记)\s?(?:\d{1,3}|[一二三四五六七八九十]{1,2})(?:\s?[.):、-]\s?|\s*$)"
    r"|\(?[a-z][.)](?=\s))\s*",
    re.IGNORECASE,
)
_BULLET = re.compile(
    r"(?:[-*+\u2013\u2014](?=\s)|[-\u2013\u2014](?=[^\s\d-])|[•·●○◦▪■◆‣∙►➢✓✔✅→>])\s*"
)
_RULE = re.compile(r"[\s\-=_*|:+~.]*")
_THOUGHT_END = "</think>"


def read_lines(response: str) -> list[Line]:
    """Every line of the response; code fences and rules become blank, JSON becomes bullets."""
    response = response[:MAX_CHARS]
    text = plain(response)
    lines = text.split("\n")
    ends = [m.span() for m in LINE_BREAK.finditer(response)]
    starts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(response)]
    first = next((i for i in range(len(lines) - 1, -1, -1) if _THOUGHT_END in lines[i]), -1)
    data = _as_data(text)
    if data:
        return [Line(Kind.BULLET, 0, entry, 0, len(response)) for entry in data]
    out: list[Line] = []
    for number, (line, start, stop) in enumerate(zip(lines, starts, stops, strict=False)):
        if number == first:
            line = line.rpartition(_THOUGHT_END)[2]
        if number >= first:
            out.append(_read_line(line, start, stop))
    return out


def _read_line(raw: str, start: int, end: int) -> Line:
    body = raw.strip()
    if not body or (not body[0].isalnum() and (body[:3] == "```" or _RULE.fullmatch(body))):
        return Line(Kind.BLANK, 0, "", start, end)
    if body[0] == "|" or body.count("|") >= 2:
        return Line(Kind.ROW, 0, body, start, end)
    indent = 0
    if raw[0].isspace():
        indent = len(raw[: len(raw) - len(raw.lstrip())].expandtabs(4))
    heading = body[:2] == "**" and body.rstrip(":. ")[-2:] == "**" and body.count("**") == 2
    text = strip_markup(body).strip()
    if text[:1] == "#":
        heading, text = True, text.lstrip("#").strip()
    kind, text = _marker(text)
    if kind is Kind.TEXT and heading:
        kind = Kind.HEADING
    return Line(kind if text else Kind.BLANK, indent, text, start, end)


def _marker(text: str) -> tuple[Kind, str]:
    match = _NUMBER.match(text)
    if match:
        return Kind.NUMBER, text[match.end() :]
    match = _BULLET.match(text)
    if not match:
        return Kind.TEXT, text
    rest = text[match.end() :]
    inner = _NUMBER.match(rest)
    return Kind.BULLET, rest[inner.end() :] if inner else rest


_OPENING = re.compile(r"(?:^|\n)[ \t]*(?:[a-z_]+\s*=\s*)?([\[{])", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"\n]{2,2000})"(?!\s*:)|(?<!\w)\'([^\n]{2,2000}?)\'(?=\s*[,\]}])')
_OBJECT = re.compile(r"\{[^{}]{3,4000}\}")
_ENTRY_LIMIT = 2000


def _as_data(text: str) -> list[str]:
    """The entries of a JSON or Python list or mapping that makes up the answer; else nothing."""
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
        return [": ".join(a or b for a, b in _QUOTED.findall(o)) for o in objects][:_ENTRY_LIMIT]
    found = [a or b for a, b in _QUOTED.findall(source)]
    return found[:_ENTRY_LIMIT] if len(found) > 1 else []


def _entries(value: object) -> list[str]:
    if isinstance(value, dict):
        parts = list(value.values())
        if len(parts) == 1 and isinstance(parts[0], list | dict):
            return _entries(parts[0])
        if any(isinstance(p, list | dict) for p in parts):
            return [f"{k}: {e}" for k, p in value.items() for e in _entries(p)]
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
