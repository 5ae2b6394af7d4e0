"""Everyday events, composed of authored frames: what entries of invented records tell.

A frame is a sentence with alternatives, `I {!mended|patched} the {torn|split} awning`, all of which
go together; `!` marks those of its main verb. Frames belong to splits, so that no wording met in
training is met in a test, and are dealt evenly, so that none is common in a split.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import Lang, Split
from seqniah_datasets.sources.tables import lines

VERSION = 1
"""Of what is composed here; any change of its bytes raises it."""

_SHARES: dict[Split, tuple[int, int]] = {"test": (0, 37), "dev": (37, 62), "train": (62, 100)}
"""Each split's part of all frames, in hundredths."""

_ALTERNATIVES = re.compile(r"\{!?([^{}]*)\}")
_EVERY_MONTH = frozenset(range(1, 13))


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence with alternatives."""

    parts: tuple[tuple[str, ...], ...]
    """Words, in their order; where there are several, any of them will do."""
    months: frozenset[int]
    """In which it can happen, from 1."""

    @property
    def count(self) -> int:
        """Different events that it makes."""
        return prod(map(len, self.parts))

    def event(self, number: int) -> str:
        """One of them, from 0."""
        words = []
        for part in self.parts:
            number, pick = divmod(number, len(part))
            words.append(part[pick])
        return "".join(words)


@lru_cache(maxsize=2)
def frames(lang: Lang) -> tuple[Frame, ...]:
    """All of a language, in an order that follows from each frame alone."""
    texts = [line for line in lines(f"events_{lang}.txt") if not line.startswith("#")]
    return tuple(map(_frame, sorted(texts, key=lambda text: rng.digest("frame", text))))


def _frame(line: str) -> Frame:
    text, _, months = line.partition("\t")
    pieces = _ALTERNATIVES.split(text)
    parts = tuple(tuple(piece.split("|")) if n % 2 else (piece,) for n, piece in enumerate(pieces))
    return Frame(parts, frozenset(map(int, months.split(","))) if months else _EVERY_MONTH)


@lru_cache(maxsize=8)
def of_split(lang: Lang, split: Split) -> tuple[Frame, ...]:
    """The frames of a split, whatever the seed."""
    every = frames(lang)
    low, high = (len(every) * share // 100 for share in _SHARES[split])
    return every[low:high]


def deal(
    lang: Lang, split: Split, seed: int, wanted: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, ...]]:
    """For each record, of a month and so many events: a frame's number and an event's, in turns.

    No record has a frame twice. All frames are used about equally often, and none of its events
    comes again before all have come.
    """
    bank = of_split(lang, split)
    draws = rng.stream("events", VERSION, lang, split, seed)
    walks = [rng.walk(frame.count, "events", lang, split, seed, n) for n, frame in enumerate(bank)]
    used = [0] * len(bank)
    for month, count in wanted:
        fit = [n for n in draws.shuffled(range(len(bank))) if month in bank[n].months]
        ticket: list[int] = []
        for number in draws.shuffled(sorted(fit, key=used.__getitem__)[:count]):
            ticket += number, walks[number](used[number] % bank[number].count)
            used[number] += 1
        yield tuple(ticket)


def others(
    draws: Stream, lang: Lang, split: Split, month: int, count: int, used: Collection[int]
) -> list[str]:
    """Events of a month, of frames that are not among the used ones."""
    bank = of_split(lang, split)
    fit = [frame for n, frame in enumerate(bank) if n not in used and month in frame.months]
    picks = [fit[pick] for pick in draws.sample(count, len(fit))]
    return [frame.event(draws.below(frame.count)) for frame in picks]
