"""A prefix cache as servers have it: which part of a prompt was computed for an earlier one."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

BLOCK = 256
"""Characters that are remembered together, about 64 tokens of English."""

_REMEMBERED = 200_000
"""Blocks kept: those of about a hundred prompts of 128k tokens, in some 40 MB."""


class PrefixCache:
    """Remembers prompts as chains of digests, each of a block and of all before it."""

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._blocks: OrderedDict[bytes, None] = OrderedDict()
        self._remembered = remembered
        self._lock = threading.Lock()

    def seen(self, text: str, *, model: str) -> int:
        """Characters at the start of `text` that an earlier text had too; remembers `text`.

        Whole blocks count only. The blocks longest not asked for are forgotten first, and of
        one text the last ones.
        """
        chain = _chain(text, model)
        with self._lock:
            known = 0
            while known < len(chain) and chain[known] in self._blocks:
                known += 1
            for block in reversed(chain):
                self._blocks[block] = None
                self._blocks.move_to_end(block)
            while len(self._blocks) > self._remembered:
                self._blocks.popitem(last=False)
        return known * BLOCK


def _chain(text: str, model: str) -> list[bytes]:
    digests, digest = [], model.encode()
    for start in range(0, len(text) - BLOCK + 1, BLOCK):
        block = text[start : start + BLOCK].encode()
        digest = hashlib.blake2b(digest + block, digest_size=16).digest()
        digests.append(digest)
    return digests
