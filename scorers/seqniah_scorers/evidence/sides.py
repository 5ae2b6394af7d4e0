"""The two sides that all items of a reference are about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seqniah_scorers.text import has_cjk

MOST = 0.6
"""Share of the items from which a name stands in "all" of them."""
_NAME = re.compile(r"\b[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)*")
_HAN = re.compile("[\u3400-\u9fff·]+")


def two_sides(texts: Sequence[str], asked: str) -> tuple[str, ...]:
    """The two names of the question that most of the texts have; nothing if there are not two."""
    if len(texts) < 2:
        return ()
    enough = max(2.0, MOST * len(texts))
    names = _runs(texts, asked, enough) if has_cjk(asked) else _names(texts, asked, enough)
    return tuple(names[:2]) if len(names) >= 2 else ()


def _names(texts: Sequence[str], asked: str, enough: float) -> list[str]:
    found: list[str] = []
    for name in _NAME.findall(asked)[1:] if asked[:1].isupper() else _NAME.findall(asked):
        last = name.split()[-1]
        if name not in found and sum(last in text for text in texts) >= enough:
            found.append(name)
    return found


def _runs(texts: Sequence[str], asked: str, enough: float) -> list[str]:
    """Runs of characters that the question shares with most of the texts."""
    found: list[str] = []
    for piece in _HAN.findall(re.sub("[与和对同向]", " ", asked)):
        start = 0
        while start < len(piece) - 1:
            end = start
            while end < len(piece) and sum(piece[start : end + 1] in t for t in texts) >= enough:
                end += 1
            if end - start >= 2 and piece[start:end] not in found:
                found.append(piece[start:end])
            start = max(end, start + 1)
    return found
