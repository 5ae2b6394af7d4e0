"""What the makers of sentences share."""

from __future__ import annotations


def capital(text: str) -> str:
    """The text with a capital first letter; nothing else is changed."""
    return text[:1].upper() + text[1:]
