"""Errors that a user can fix: one sentence each, shown without a traceback."""

from __future__ import annotations


class SeqniahError(Exception):
    """Something the user gave or the machine lacks; the message names it and the way out."""


class UnknownName(SeqniahError):
    """An option's value is not one of the known names."""

    def __init__(self, what: str, given: str, known: list[str]) -> None:
        super().__init__(f"Unknown {what} {given!r}; known: {', '.join(known)}.")


class CorpusError(SeqniahError):
    """A corpus is missing, empty, unreadable, or too small for what is asked of it."""


class DamagedFile(SeqniahError):
    """A file does not hold what its manifest or the package says it should."""
