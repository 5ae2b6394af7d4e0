"""Whether a passage can stand at a place of a text without breaking a quotation or a poem."""

from __future__ import annotations

_BACK = 900
"""Bytes before a place in which its paragraph is looked for."""

_PAIRS = tuple((one.encode(), other.encode()) for one, other in ("“”", "「」", "『』", "«»"))

_SHORT = 50
"""Bytes of a line of verse at most; of those of three bytes a character half as many more."""


def is_plain(text: memoryview, start: int, place: int, end: int) -> bool:
    """Of a place within a window from `start` to `end`: outside quotations and verse."""
    before = bytes(text[max(start, place - _BACK) : place])
    paragraph = before[before.rfind(b"\n\n") + 1 :]
    for opening, closing in () if paragraph.isascii() else _PAIRS:
        if paragraph.rfind(opening) > paragraph.rfind(closing):
            return False
    if paragraph.count(b'"') % 2:
        return False
    line = before[before.rfind(b"\n") + 1 :]
    after = bytes(text[place : min(end, place + 4 * _SHORT)])
    rest, broken, following = after.partition(b"\n")
    return not (broken and _is_short(line + rest) and _is_short(following.partition(b"\n")[0]))


def _is_short(line: bytes) -> bool:
    limit = _SHORT if line.isascii() else _SHORT * 3 // 2
    return 0 < len(line.strip()) <= limit
