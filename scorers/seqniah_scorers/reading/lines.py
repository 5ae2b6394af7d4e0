"""The lines of an answer and what each one is: a list item, a heading, a table row, text."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from seqniah_scorers.reading.cues import cue
from seqniah_scorers.text import LINE_BREAK, MAX_CHARS, plain, spoken, strip_markup


class Kind(Enum):
    BLANK = "blank"
    NUMBER = "numbered"
    BULLET = "bullet"
    HEADING = "heading"
    ROW = "table row"
    TEXT = "text"


@dataclass(slots=True)
class Line:
    """One line without its markup and its list marker; not to be changed.

    It is not frozen only because that would double the time to make one.
    """

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
    marker: str = ""
    """The number or the bullet that was taken off; "#" in front says that it is a heading's."""

    def number(self) -> int:
        """The number of a numbered line; 0: not in digits."""
        digits = "".join(c for c in self.marker[:8] if c.isdecimal())
        return int(digits) if digits else 0


_NUMBER, _OUTER, _BULLET, _DAY_MARKER = map(cue, ("number", "outer", "bullet", "day_marker"))
_NEXT, _FIRST = map(cue, ("next_number", "first_number"))
_INNER = re.compile(r"\(?\d{1,2}")
_SHORT = 30
"""Characters that hold no list of several items."""
_RULE = re.compile(r"[\s\-=_*|:+~.]*")

# Answers in JSON or as a Python literal.
_OPENING = re.compile(r"(?:^|\n)[ \t]*(?:[a-z_]+\s*=\s*)?([\[{])", re.IGNORECASE)
_ENTRY_LIMIT = 2000


def read_lines(response: str) -> list[Line]:
    """Every line of the response; code fences and rules become blank, JSON becomes bullets."""
    response = response[:MAX_CHARS]
    part = spoken(response)
    response = response[part]
    text = plain(response)
    ends = [m.span() for m in LINE_BREAK.finditer(response)]
    starts = [part.start, *(part.start + after for _, after in ends)]
    stops = [*(part.start + before for before, _ in ends), part.stop]
    # Folding makes "“" the sign that ends a JSON text, so the entries are folded one by one.
    data = [plain(entry) for entry in _as_data(response)] or _as_data(text)
    if data:
        return [Line(Kind.BULLET, 0, entry, part.start, part.stop) for entry in data]
    out: list[Line] = []
    for line, *place in zip(text.split("\n"), starts, stops, strict=False):
        read = _read_line(line, *place)
        out += _run_in_list(read) if len(read.text) > _SHORT else [read]
    return _outer_headings(out)


def _outer_headings(lines: list[Line]) -> list[Line]:
    """The lines with "一、" or "II." turned into headings where "1." follows on its own line."""
    filled = [n for n, line in enumerate(lines) if line.kind is not Kind.BLANK]
    outer = [
        a
        for a, b in pairwise(filled)
        if lines[a].kind is lines[b].kind is Kind.NUMBER
        and _OUTER.match(lines[a].marker)
        and _INNER.match(lines[b].marker)
        and lines[a].indent == lines[b].indent
    ]
    if len(outer) > 1:
        for n in outer:
            lines[n] = replace(lines[n], kind=Kind.HEADING, marker="")
    return lines


def _run_in_list(line: Line) -> list[Line]:
    """A list written in one line, "1. A 2. B 3. C", as the lines that it stands for."""
    text, start, sign, last = line.text, 0, line.marker.strip()[-1:], line.number()
    if line.kind is Kind.TEXT:
        first = _FIRST.search(text) if "1" in text else None
        if first is None:
            return [line]
        start, sign, last = first.end(), first[1], 1
    elif line.kind is not Kind.NUMBER or not last:
        return [line]
    opening = text[: first.start()].strip() if line.kind is Kind.TEXT and first else ""
    cuts: list[re.Match[str]] = []
    for match in _NEXT.finditer(text, start) if f"{last + 1}{sign}" in text else ():
        if int(match[2]) == last + len(cuts) + 1 and match[3] == sign:
            cuts.append(match)
    alone = not cuts or (len(cuts) == 1 and cuts[0]["soft"])
    if alone and not opening.endswith(":"):  # "Answer: 1. A" with "2. B" on the next line
        return [line]
    out = [replace(line, text=opening)] if opening else []
    starts = [start, *(m.end() for m in cuts)]
    stops = [*(m.start() for m in cuts), len(text)]
    for number, (a, b) in enumerate(zip(starts, stops, strict=True), last):
        body = text[a:b].strip(" ;,")
        marker = f"{number}{sign}"
        out.append(Line(Kind.NUMBER, line.indent, body, line.start, line.end, marker))
    return out


def _read_line(raw: str, start: int, end: int) -> Line:
    body = raw.strip()
    if body[:1] == ">":  # a quotation, not a list: what it holds may be of any kind
        body = body.lstrip("> ")
    if not body or (not body[0].isalnum() and (body[:3] == "```" or _RULE.fullmatch(body))):
        return Line(Kind.BLANK, 0, "", start, end, body[:3])
    if body[0] == "|" or body.count("|") >= 2:
        return Line(Kind.ROW, 0, body, start, end)
    indent = 0
    if raw[0].isspace():
        indent = len(raw[: len(raw) - len(raw.lstrip())].expandtabs(4))
    heading = body[:2] == "**" and body.rstrip(":. ")[-2:] == "**" and body.count("**") == 2
    text = strip_markup(body).strip()
    if text[:1] == "#" and not text[1:2].isdigit():
        heading, text = True, text.lstrip("#").strip()
    kind, size = _marker(text)
    marker, text = text[:size], text[size:]
    if kind is Kind.TEXT and heading:
        kind = Kind.HEADING
    if heading and kind is Kind.NUMBER:
        marker = f"#{marker}"
    return Line(kind if text else Kind.BLANK, indent, text, start, end, marker)


def _marker(text: str) -> tuple[Kind, int]:
    """What kind of marker the line opens with, and how long it is."""
    if match := _NUMBER.match(text):
        return Kind.NUMBER, match.end()
    match = _BULLET.match(text)
    if not match:
        return Kind.TEXT, 0
    inner = _NUMBER.match(text, match.end())
    # "- 18: I swam" below a month has a day, not a number; "20. Mai" is German.
    day = inner and _DAY_MARKER.match(text, match.end())
    return Kind.BULLET, inner.end() if inner and not day else match.end()


def _as_data(text: str) -> list[str]:
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
    return [strip_markup(one) for one in _entries(value) if one.strip()][:_ENTRY_LIMIT]


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
