"""The list that a response states as its answer, as the released parser reads it, and strictly."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

from seqniah_scorers.text import LINE_BREAK, spoken

MOST_LITERAL = 1_000_000
"""Characters of a list that are read officially; a longer one is no list. The released parser has
no limit, and dies of lists that fill the memory."""

MOST_LIST = 200_000
"""Characters of a list that are read strictly."""

MOST_TRIED = 1_000_000
"""Characters of a response that are read strictly, the last ones, and of the lists in them that are
tried, from the last one backwards."""

MOST_LISTS = 1_000
"""Places of a response that are tried strictly, the last ones."""

MOST_FIELDS = 1_000
"""Fields that a formatted text may have. None is a literal, and Python takes minutes to see it."""

_FORMATTED = re.compile("[fF][rR]?['\"]")
_BETWEEN_LETTERS = re.compile("([a-zA-Z0-9])'([a-zA-Z0-9])")


def official(response: str) -> Any:
    """What stands from the first `[` to the last `]` of the first line that has both.

    A list, or a tuple of several; empty where that line does not parse, or there is none. Stars
    and backticks are deleted everywhere (`extract_prediction` of the released code).
    """
    for line in response.replace("*", "").replace("`", "").strip().split("\n"):
        if "[" in line and "]" in line:
            text = line[line.find("[") : line.rfind("]") + 1]
            found = _literal(_BETWEEN_LETTERS.sub(r"\1\\'\2", text[: MOST_LITERAL + 1]))
            return [] if found is None else found
    return []


def _literal(text: str) -> Any:
    """A Python literal; None where the text is none, or is too long."""
    many = text.count("{") > MOST_FIELDS and _FORMATTED.search(text)
    if len(text) > MOST_LITERAL or many:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that are none
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def strict(response: str) -> list[Any] | None:
    """The last list outside thoughts that parses, as Python or JSON; None where none does.

    Line breaks, markup, curly quotes and apostrophes within a list are read.
    """
    text = response[spoken(response)][-MOST_TRIED:]
    left = MOST_TRIED
    for start, end in _places(text):
        left -= end - start
        if left < 0:
            return None
        if end - start <= MOST_LIST and (found := _read(text[start:end])) is not None:
            return found
    return None


def _places(text: str) -> list[tuple[int, int]]:
    """Where lists may stand, the last first, and of those that end together the longest first.

    Pairs of brackets, and of each line what its first and last bracket enclose, since a bracket in
    a quoted text may have no partner.
    """
    found: set[tuple[int, int]] = set()
    opened: list[int] = []
    for bracket in re.finditer(r"[\[\]]", text):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif opened:
            found.add((opened.pop(), bracket.end()))
    at = 0
    for line in text.splitlines(keepends=True):
        if 0 <= line.find("[") < line.rfind("]"):
            found.add((at + line.find("["), at + line.rfind("]") + 1))
        at += len(line)
    return sorted(found, key=lambda place: (-place[1], place[0]))[:MOST_LISTS]


def _read(text: str) -> list[Any] | None:
    """A list from its text."""
    for read in (_literal, _json, _mended):
        found = read(text)
        if isinstance(found, list):
            return found
    return None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


_SIGNS = str.maketrans("“”‘’", "\"\"''", "*`")
_APOSTROPHE = re.compile(r"(?<=[^\s\[(,\\])(\s*)'(?!\s*[\])},:])")


def _mended(text: str) -> Any:
    """The list without markup, on one line, and with its apostrophes told from its quotes."""
    text = LINE_BREAK.sub(" ", text.translate(_SIGNS))
    return _literal(_APOSTROPHE.sub(r"\1\\'", text))
