"""What a source of questions is, and how a pool of finite size is shared out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from seqniah_datasets.schema import Lang, Lure, Pipeline, QAItem, Split, Wish

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Demand:
    """What the samples of one split and language ask of a source."""

    lang: Lang
    split: Split
    seed: int
    wishes: tuple[Wish, ...]
    """By serial, the running number of a sample within split, language and pipeline."""
    reuse: bool = False
    """Whether a pool that is used up may give items again."""


class Supply(Protocol):
    """A source's answer to a demand."""

    @property
    def reused(self) -> int:
        """How many samples get an item that another sample has too."""

    def needles(self, serial: int) -> int | None:
        """The needles of a sample's item; None where the pool has nothing left for it."""

    def item(self, serial: int) -> QAItem:
        """The QA of a sample that has one."""

    def lures(self, serial: int) -> tuple[Lure, ...]:
        """Passages that resemble needles of that item and are no answer; there may be none."""


class Source(Protocol):
    """Makes the questions and needles of one pipeline."""

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline whose samples it serves."""

    @property
    def name(self) -> str:
        """What it is, as logs and recipes say it, e.g. "invented-world"."""

    @property
    def digest(self) -> str:
        """Names everything that the items follow from; hexadecimal digits."""

    def supply(self, demand: Demand) -> Supply:
        """Items for a demand; those of different splits never share their subject."""


class Unlimited:
    """Supplies every wish to the letter, by a function of serial and number of needles."""

    reused = 0

    def __init__(
        self,
        demand: Demand,
        make: Callable[[int, int], QAItem],
        lures: Callable[[int, int], tuple[Lure, ...]] | None = None,
    ) -> None:
        self._demand = demand
        self._make = make
        self._lures = lures

    def needles(self, serial: int) -> int | None:
        return self._demand.wishes[serial].needles

    def item(self, serial: int) -> QAItem:
        return self._make(serial, self._demand.wishes[serial].needles)

    def lures(self, serial: int) -> tuple[Lure, ...]:
        return self._lures(serial, self._demand.wishes[serial].needles) if self._lures else ()


@dataclass(frozen=True, slots=True)
class Ticket(Generic[T]):
    """What a pool gives to one sample."""

    entry: T
    needles: int


class Allotted(Generic[T]):
    """Supplies what a pool could give, decided beforehand for all serials at once."""

    def __init__(
        self,
        tickets: Sequence[Ticket[T] | None],
        make: Callable[[T, int], QAItem],
        reused: int = 0,
        lures: Callable[[T, int], tuple[Lure, ...]] | None = None,
    ) -> None:
        """`tickets` by serial; `make` and `lures` take an entry and the serial it is for."""
        self._tickets = tickets
        self._make = make
        self._lures = lures
        self.reused = reused

    def needles(self, serial: int) -> int | None:
        ticket = self._tickets[serial]
        return None if ticket is None else ticket.needles

    def item(self, serial: int) -> QAItem:
        ticket = self._tickets[serial]
        if ticket is None:
            raise LookupError(f"the pool has no item for serial {serial}")
        return self._make(ticket.entry, serial)

    def lures(self, serial: int) -> tuple[Lure, ...]:
        ticket = self._tickets[serial]
        return self._lures(ticket.entry, serial) if self._lures and ticket else ()
