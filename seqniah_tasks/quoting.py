"""Texts that somebody else wrote, as explanations show them."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_QUOTED = 300
"""Characters of a quoted text, unless told otherwise."""

_TICKS = re.compile("`+")


def listed(rows: Sequence[str], most: int) -> str:
    """Lines of a list, with how many more there are than are shown."""
    left = len(rows) - most
    more = f"\n\nAnd {left:,} more." if left > 0 else ""
    return "\n".join(rows[:most]) + more


def quoted(text: str, most: int = MOST_QUOTED) -> str:
    """A text that somebody else wrote, as code: on one line, nothing hidden, cut to a length."""
    line = " ".join(text[: 4 * most].split())
    line = "".join(one if one.isprintable() else "\ufffd" for one in line)
    if len(line) > most:
        line = f"{line[: most - 3]}..."
    if not line:
        return "(nothing)"
    # Code ends at as many ticks as it began with, so it begins with more than it holds.
    ticks = "`" * (max(map(len, _TICKS.findall(line)), default=0) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"
