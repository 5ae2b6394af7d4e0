"""How a model was asked to answer, in words that tell its runs apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SECRET = re.compile(r"(?:^|_)(?:key|token|secret|password|auth\w*|credentials?|headers?)(?:_|$)")
"""Names whose values a page that may be mailed must not hold."""

_SHORT = re.compile(r"[\w.+-]{1,40}", re.ASCII)
"""Names and values that can be told: no address, no path, no text, nothing nested."""

_MOST = 24
"""Settings that are told."""


def words(settings: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Settings of a run, then arguments of its model, e.g. "reasoning_effort=high, top_k=64".

    None where there are none. What may be a secret, an address or a long text is left out.
    """
    given = {**settings, **{name: arguments[name] for name in sorted(arguments)}}
    told = [f"{name}={value}" for name, value in given.items() if _can_be_told(name, value)]
    return ", ".join(told[:_MOST]) or None


def _can_be_told(name: str, value: object) -> bool:
    return (
        isinstance(value, str | int | float)
        and _SHORT.fullmatch(name) is not None
        and _SHORT.fullmatch(str(value)) is not None
        and not _SECRET.search(name.lower())
    )
