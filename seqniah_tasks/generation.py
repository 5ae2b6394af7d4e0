"""How a model was asked to answer, in words that tell its runs apart."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

KNOWN = (
    *("reasoning_effort", "reasoning_tokens", "reasoning_mode", "effort", "verbosity"),
    *("enable_thinking", "max_tokens", "max_gen_toks", "max_new_tokens", "do_sample"),
    *("temperature", "top_p", "top_k", "min_p", "seed", "num_beams", "best_of", "num_choices"),
    *("frequency_penalty", "presence_penalty", "repetition_penalty"),
    *("max_model_len", "max_length", "dtype", "quantization", "kv_cache_dtype"),
    *("load_in_4bit", "load_in_8bit", "revision"),
)
"""What changes answers, in the order in which it is told; anything else may be a secret."""

_SHORT = re.compile(r"[a-z0-9_.+-]{1,40}", re.ASCII)
_MOST = 10**15
"""A number beyond it is none that anybody has set."""


def words(*given: Mapping[str, Any]) -> str | None:
    """Known settings, e.g. "reasoning_effort=high, top_k=64", the first that tell one; or None."""
    values = {name: one[name] for one in given[::-1] for name in KNOWN if one.get(name) is not None}
    told = [(name, _text(values.get(name))) for name in KNOWN]
    return ", ".join(f"{name}={text}" for name, text in told if text) or None


def _text(value: object) -> str:
    """A short value, the same however a file writes it; else empty."""
    if not isinstance(value, str | int | float):
        return ""
    text = str(value).strip().lower()
    if not _SHORT.fullmatch(text):
        return ""
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number) or abs(number) > _MOST:
        return ""
    return str(int(number)) if number.is_integer() else repr(number)
