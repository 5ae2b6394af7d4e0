"""What the makers of cases need of a source of random draws; they are always handed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Draws(Protocol):
    """Draws of one purpose, the same on every machine."""

    def below(self, count: int) -> int:
        """A whole number in [0, count)."""

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high], both included."""

    def choice(self, items: Sequence[T]) -> T:
        """One of some things."""

    def sample(self, count: int, population: int) -> list[int]:
        """Distinct numbers of range(population)."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A copy in random order."""
