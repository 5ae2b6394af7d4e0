"""Shares and lists of names as sentences of a report have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_NAMED = 3
"""Names that a sentence has, unless it says otherwise."""

LANGUAGES = {"en": "English", "zh": "Chinese"}


def percent(share: float) -> str:
    """With one decimal; a tiny negative share is no -0.0 %."""
    return f"{round(100 * share, 1) + 0.0:,.1f} %"


def listed(names: Sequence[str]) -> str:
    """Names with an "and", the first few of many."""
    if len(names) > MOST_NAMED + 1:
        return joined(names, MOST_NAMED)
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def joined(names: Sequence[str], most: int) -> str:
    """Names with commas, the first of many; one more than `most` has room, as "1 more" has.

    Where a name itself holds a comma, semicolons part them.
    """
    between = "; " if any(", " in name for name in names) else ", "
    if len(names) <= most + 1:
        return between.join(names)
    return f"{between.join(names[:most])} and {len(names) - most:,} more"


def counted(count: int, what: str) -> str:
    """A number of things, e.g. "1 sample"."""
    return f"{count:,} {what if count == 1 else what + 's'}"


def slug(name: str) -> str:
    """A name as those of files and links are written: lower case, hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
