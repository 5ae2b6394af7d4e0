"""Random draws that are the same on every machine and Python.

Every draw comes from a stream with a key of its own, so that sample 731 does not depend on
sample 730, and neighbouring seeds share nothing. Only `Random.random()` is used, whose sequence
Python guarantees; `choice`, `shuffle` and their kin are not guaranteed and are built on it here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import gcd
from random import Random
from typing import TypeVar

T = TypeVar("T")

Key = str | int


def digest(*key: Key) -> bytes:
    """SHA-256 of a key, as JSON: ("ab", "c") and ("a", "bc") differ, and so do 1 and "1"."""
    return hashlib.sha256(json.dumps(key).encode("ascii")).digest()


class Stream:
    """Draws of one purpose; see `stream`."""

    __slots__ = ("random",)

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def below(self, count: int) -> int:
        """A whole number in [0, count)."""
        return int(self.random() * count)

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high], both included."""
        return low + int(self.random() * (high - low + 1))

    def choice(self, items: Sequence[T]) -> T:
        return items[int(self.random() * len(items))]

    def sample(self, count: int, population: int) -> list[int]:
        """`count` distinct numbers of range(population), in the order drawn (Floyd's method)."""
        if count > population:
            raise ValueError(f"cannot draw {count} distinct numbers from {population}")
        random = self.random
        chosen: dict[int, None] = {}
        for top in range(population - count, population):
            pick = int(random() * (top + 1))
            chosen[top if pick in chosen else pick] = None
        return self.shuffled(list(chosen))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A copy in random order (Fisher and Yates)."""
        out, random = list(items), self.random
        for high in range(len(out) - 1, 0, -1):
            low = int(random() * (high + 1))  # as `below`, which is slow to call this often
            out[high], out[low] = out[low], out[high]
        return out


def stream(*key: Key) -> Stream:
    """The stream of draws that belongs to a key, e.g. ("niah", 1, 0, "test", 7, "qa")."""
    return Stream(int.from_bytes(digest(*key)[:16], "big"))


@lru_cache(maxsize=256)
def walk(size: int, *key: Key) -> Callable[[int], int]:
    """A keyed order of `size` places: distinct numbers below `size` lead to distinct places."""
    draws = stream(*key)
    step = draws.between(size // 3, size - 1)
    while gcd(step, size) != 1:
        step += 1
    first = draws.below(size)
    return lambda number: (first + number * step) % size
