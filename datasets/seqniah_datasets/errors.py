"""Errors that a user can fix: one sentence each, shown without a traceback."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """A text as a terminal may show it: what would steer or turn it round becomes an escape.

    That is, every character that cannot be seen, but for spaces of any width.
    """
    return "".join(
        one
        if one.isprintable() or unicodedata.category(one) == "Zs"
        else one.encode("unicode_escape").decode()
        for one in text
    )


class SeqniahError(Exception):
    """Something the user gave or the machine lacks; the message names it and the way out.

    It is shown by the command, by either harness, in logs and by servers, and can hold names of
    files that somebody else chose; so it tells them as `visible` does, wherever it is shown.
    """

    def __str__(self) -> str:
        return visible(super().__str__())


class UnknownName(SeqniahError):
    """An option's value is not one of the known names."""

    def __init__(self, what: str, given: str, known: list[str]) -> None:
        super().__init__(f"Unknown {what} {given!r}; known: {', '.join(known)}.")


class CorpusError(SeqniahError):
    """A corpus is missing, empty, unreadable, or too small for what is asked of it."""


class DiskFull(SeqniahError):
    """Something was not written, as the disk is full."""


class DamagedFile(SeqniahError):
    """A file does not hold what its manifest or the package says it should."""
