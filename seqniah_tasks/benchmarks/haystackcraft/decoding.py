"""How the paper's models wrote their answers, by families of models (released code, utils/llm.py).

Hosted models that are not OpenAI's were asked with their own values. Any other model counts as an
open one, which had 512 tokens.
"""

from __future__ import annotations

import re

from seqniah_tasks.benchmarks.protocol import Decoding

OPEN = Decoding(max_tokens=512)

_FAMILIES = (
    (r"qwen-?3(?!.*embed)", Decoding(max_tokens=32_768, temperature=0.6, top_p=0.95, top_k=20)),
    (r"gpt-?5", Decoding(max_tokens=16_382, reasoning_effort="medium")),
    (r"gpt-(?!oss)|chatgpt|o[1-9]\b", Decoding(max_tokens=16_382)),
    (r"gemini|claude|grok", Decoding()),
)
"""Beginnings of models' names, and how those models were asked; the first that fits counts."""


def official(model: str) -> Decoding:
    """The paper's values for a model, by the last part of its name, as in vllm/Qwen/Qwen3-8B."""
    name = model.rpartition("/")[2].lower()
    return next((found for start, found in _FAMILIES if re.match(start, name)), OPEN)
