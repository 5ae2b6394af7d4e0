"""Titles of records ("Diary of Ann Lee", "朱芳日记"): they say whose item it is, not what it is."""

from __future__ import annotations

import re

_KIND = (
    r"(?:diary|diaries|journal|record|records|daily\s(?:summary|record|log)|documentary|log|logbook"
    r"|notebook|memoirs?|chronicle)"
)
_WORD = r"(?!I\b)[A-Z][\w.'-]*"
_TITLE = re.compile(
    r"['\"(\[《]*(?:(?i:entry|excerpt|from|in|the)\s+(?i:from\s+|of\s+|in\s+)?(?i:the\s+)?)?['\"]?"
    rf"(?:(?i:{_KIND})\s+(?i:of)\s+{_WORD}(?:\s{_WORD}){{0,3}}"
    rf"|{_WORD}(?:\s{_WORD}){{0,3}}'s?\s+(?i:{_KIND}))"
    r"['\")\]》]*(?:\s?[(,-]?\s?(?i:entry|no\.|part|continued|#)\s?#?\d{0,3}\)?)?"
)
_TITLE_ZH = re.compile(
    r"[《\"'(【]*[\u3400-\u9fff·]{2,6}?的?(?:日记|记录|纪实|记事|每日纪要|周记|手记)[》\"')】]*"
)
_REST = " \t:;,.-\u2013\u2014'\""


def is_title(text: str) -> bool:
    """Whether the text is nothing but a record's title."""
    return len(text) < 80 and bool(text) and not without_title(text, whole=True)


def without_title(text: str, whole: bool = False) -> str:
    """The text without a record's title in front; `whole`: only if nothing else is there."""
    match = _TITLE.match(text)
    if match is None and not text.isascii():
        match = _TITLE_ZH.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    bare = rest.strip(_REST)
    if whole:
        return bare
    # "Diary of Ann Lee: I swam" has a title; "Record of Ann Lee shows that" has none.
    return rest.lstrip(_REST) if not bare or rest[0] in ":,;-" or rest.startswith(" :") else text
