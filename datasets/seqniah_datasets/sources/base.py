"""What a source of questions is, and how a pool of finite size is shared out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from seqniah_datasets import rng, splits
from seqniah_datasets.schema import SPLITS, Lang, Lure, Pipeline, QAItem, Split, Wish

Ticket = tuple[int, ...]
"""What a source gives to one sample; the last number is that of its needles."""


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


class Source(ABC):
    """Makes the questions and needles of one pipeline."""

    pipeline: Pipeline
    """The pipeline whose samples it serves."""
    name: str
    """What it is, as logs and recipes say it, e.g. "invented-world"."""

    @cached_property
    def digest(self) -> str:
        """Names everything that the items follow from; hexadecimal digits."""
        return rng.digest(*self.basis()).hex()

    @abstractmethod
    def basis(self) -> Sequence[rng.Key]:
        """Everything that the items follow from: versions, texts, digests of files."""

    def allot(self, demand: Demand) -> tuple[Sequence[Ticket | None], int]:
        """A ticket by serial, None where nothing is left, and how many have another sample's too.

        Meets every wish to the letter where a source knows no limit.
        """
        return [(wish.needles,) for wish in demand.wishes], 0

    @abstractmethod
    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        """The QA of a sample."""

    @abstractmethod
    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        """Passages that resemble needles of that item and are no answer; there may be none."""

    def supply(self, demand: Demand) -> Supply:
        """Items for a demand; those of different splits never share their subject."""
        return Supply(self, demand, *self.allot(demand))


class Supply:
    """A source's answer to a demand, decided beforehand for all serials at once."""

    def __init__(
        self, source: Source, demand: Demand, tickets: Sequence[Ticket | None], reused: int
    ) -> None:
        self._source, self._demand, self._tickets = source, demand, tickets
        self.reused = reused
        """How many samples get an item that another sample has too."""

    def needles(self, serial: int) -> int | None:
        """The needles of a sample's item; None where the pool has nothing left for it."""
        ticket = self._tickets[serial]
        return ticket[-1] if ticket else None

    def item(self, serial: int) -> QAItem:
        """The QA of a sample. Raises `LookupError` where the pool has nothing left for it."""
        ticket = self._tickets[serial]
        if ticket is None:
            raise LookupError(f"the pool has no item for serial {serial}")
        return self._source.item(self._demand, serial, ticket)

    def lures(self, serial: int) -> tuple[Lure, ...]:
        """See `Source.lures`."""
        ticket = self._tickets[serial]
        return self._source.lures(self._demand, serial, ticket) if ticket else ()


def divide(
    found: Iterable[tuple[str, Lang, int]], pipeline: Pipeline, ample: float = 1.0
) -> dict[str, Split]:
    """A split for each key of (key, language, most needles it serves): test first, then dev.

    So a pool too small for all falls short in train first. A split takes `ample` times the
    subjects that it has samples for. The order in which keys are dealt follows from the keys
    alone: no seed moves a subject from one split to another.
    """
    members: defaultdict[str, list[tuple[Lang, str]]] = defaultdict(list)
    for key, lang, needles in found:
        group = next((group.name for group in splits.GROUPS if needles <= group.high), "")
        members[key].append((lang, group))  # the group that a subject serves best
    keys = sorted(members, key=lambda key: rng.digest("divide", key))
    split_of: dict[str, Split] = {}
    for split in SPLITS[:0:-1]:  # test, then dev
        wanted: Counter[tuple[Lang, str]] = Counter()
        for cell in splits.cells(split):
            if cell.pipeline is pipeline:
                wanted[cell.lang, cell.group.name] += int(cell.count * ample)
        for key in keys:
            if key not in split_of and any(wanted[entry] > 0 for entry in members[key]):
                split_of[key] = split
                wanted.subtract(members[key])
    return {key: split_of.get(key, "train") for key in keys}


def give_again(
    given: list[Ticket | None],
    wishes: Sequence[Wish],
    pool: Mapping[int, int],
    served: Callable[[Wish, int], int],
) -> int:
    """Fill the gaps in `given` from the pool once more, each member as rarely as can be.

    `pool` has each member's size, and `served` says how many needles one of a size gives to a wish;
    0: it does not serve. Returns how many gaps were filled.
    """
    used: Counter[int] = Counter()
    for serial, wish in enumerate(wishes):
        if given[serial] is not None:
            continue
        fit = {number: count for number, size in pool.items() if (count := served(wish, size))}
        if fit:
            number = min(fit, key=used.__getitem__)
            used[number] += 1
            given[serial] = (number, 0, fit[number])
    return used.total()
