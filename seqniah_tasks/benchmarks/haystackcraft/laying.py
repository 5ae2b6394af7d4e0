"""From a ranking to a pile, and from a pile to a prompt."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from seqniah_datasets import rng
from seqniah_datasets.articles.contexts import Context
from seqniah_datasets.articles.pile import GAP, Pile, Piles
from seqniah_datasets.search.base import Numbers, Ranking
from seqniah_tasks.benchmarks.haystackcraft.collection import Asked
from seqniah_tasks.benchmarks.haystackcraft.options import PERMUTATIONS, PileOptions
from seqniah_tasks.benchmarks.haystackcraft.prompts import Frame
from seqniah_tasks.benchmarks.protocol import Prompt, Text, Turn
from seqniah_tasks.benchmarks.reading import length_name
from seqniah_tasks.benchmarks.shown import sha256_of

Key = TypeVar("Key", bound=Hashable)

VERSION = 1
"""Of the benchmark's bytes; any change of a prompt or an id raises it."""

NAME, TITLE = "haystackcraft", "HaystackCraft"

_TRIES = 4
"""Times that a pile is laid shorter where its tokens do not add up."""


_PART = 512
"""Articles of a ranking that are looked at together; a prompt seldom holds more."""


@dataclass(frozen=True, slots=True)
class PlannedPile:
    """One sample before its pile is laid."""

    id: str
    lang: str
    asked: Asked
    tokens: int
    """Length aimed at; 0: the golds alone."""
    strategy: str
    permutation: int
    """Which of the random orders, from 1; 0: by rank."""

    @property
    def length(self) -> str:
        """As reports name it."""
        return length_name(self.tokens)

    @property
    def order(self) -> str:
        """As options name it."""
        return "permuted" if self.permutation else "ranked"


@dataclass(frozen=True, slots=True)
class Shown:
    """A prompt and the pile in it."""

    prompt: Prompt
    pile: Pile
    """Overfull where the golds and what stands around them are longer than asked for."""
    numbers: tuple[int, ...]
    """Of its articles, in their order."""


@dataclass(frozen=True, slots=True)
class Laying:
    """Lays piles by rankings, and writes prompts over them."""

    piles: Piles
    options: PileOptions

    def shown(self, planned: PlannedPile, ranking: Ranking, frame: Frame) -> Shown:
        """The prompt of a sample in this frame, over a pile of this ranking."""
        less = 0
        for _ in range(_TRIES):
            pile = self.pile(planned, ranking, frame, less)
            shown = self._written(planned, pile, self.ordered(planned, ranking, pile), frame)
            over = shown.prompt.tokens - planned.tokens
            if self.piles.adds_up or over <= 0 or pile.overfull or not planned.tokens:
                break
            less += over
        return shown

    def context(self, planned: PlannedPile, ranking: Ranking, frame: Frame) -> Context:
        """The pile of a sample that stands by rank, in all orders.

        Where tokens do not add up, its piles in random orders may be cut a little otherwise.
        """
        pile = self.shown(planned, ranking, frame).pile
        articles = self.piles.library.articles
        ids = {number: articles[number].id for number in pile.numbers}
        orders = (
            self.ordered(replace(planned, permutation=number), ranking, pile)
            for number in range(PERMUTATIONS + 1)
        )
        texts = (text.removesuffix(GAP) for text in self.piles.texts(pile, pile.numbers))
        return Context(
            dict(zip(ids.values(), texts, strict=True)),
            tuple(tuple(ids[number] for number in order) for order in orders),
        )

    def pile(self, planned: PlannedPile, ranking: Ranking, frame: Frame, less: int = 0) -> Pile:
        """The pile of a sample, `less` tokens shorter than there is room."""
        room = self._room(planned, frame, less)
        return self.piles.lay(self._golds(planned), self._others(planned, ranking), room)

    def overfull(self, planned: PlannedPile, frame: Frame) -> bool:
        """Whether the golds of a sample alone are longer than asked for."""
        return self.piles.lay(self._golds(planned), (), self._room(planned, frame)).overfull

    def _golds(self, planned: PlannedPile) -> tuple[int, ...]:
        """Those that are in the pile whether they are found or not."""
        inserted = self.options.gold == "inserted" or not planned.tokens
        return planned.asked.golds if inserted else ()

    def _room(self, planned: PlannedPile, frame: Frame, less: int = 0) -> int:
        """Tokens for articles; 0: for the golds alone."""
        around = sum(map(self.piles.count, frame.counted))
        return max(planned.tokens - around - less, 1) if planned.tokens else 0

    def _others(self, planned: PlannedPile, ranking: Ranking) -> Iterator[Numbers]:
        """Articles by rank, then others that are not found, in random order, but no golds."""
        for start in range(0, len(ranking), _PART):
            yield ranking.numbers[start : start + _PART]
        key = NAME, VERSION, self.options.seed, "not found", planned.asked.id, planned.strategy
        left = np.ones(len(self.piles.library), np.bool_)
        left[ranking.numbers] = left[list(planned.asked.golds)] = False
        shuffled = rng.stream(*key).shuffled(np.flatnonzero(left).tolist())
        yield np.array(shuffled, np.int64)

    def ordered(self, planned: PlannedPile, ranking: Ranking, pile: Pile) -> list[int]:
        """The articles of a pile by rank, those not found last; or in random order."""
        if planned.permutation:
            told = planned.asked.id, planned.strategy, planned.permutation
            key = NAME, VERSION, self.options.seed, "order", *told
            return rng.stream(*key).shuffled(pile.numbers)
        # All but the golds put in front stand by rank already, without a gap.
        golds = self._golds(planned)
        ordered = list(pile.numbers[len(golds) :])
        ranks = ranking.places(golds)
        for number in sorted(golds, key=lambda one: ranks.get(one, len(ranking))):
            ordered.insert(ranks.get(number, len(ordered)), number)
        return ordered

    def _written(
        self, planned: PlannedPile, pile: Pile, ordered: Sequence[int], frame: Frame
    ) -> Shown:
        articles, golds = self.piles.texts(pile, ordered), planned.asked.golds
        text, depths = written(frame, ordered, articles, golds)
        if self.piles.adds_up and not frame.numbered:
            tokens = sum(map(self.piles.count, (frame.before, frame.after))) + pile.tokens
        else:
            tokens = self.piles.tokenizer.count(text)
        prompt = Prompt((Turn((Text(text),)),), tokens, sha256_of(text), depths)
        return Shown(prompt, pile, tuple(ordered))


def written(
    frame: Frame, keys: Sequence[Key], articles: Sequence[str], golds: Sequence[Key]
) -> tuple[str, tuple[float, ...]]:
    """A prompt over articles as they stand in a pile, each named by a key, and how deep each gold
    that is there begins, 0 to 1."""
    shown = articles
    if frame.numbered:
        shown = [frame.label(place) + one for place, one in enumerate(articles, 1)]
    parts = [frame.before, *shown, frame.after]
    text = "".join(parts)
    starts = (sum(map(len, parts[: keys.index(one) + 1])) for one in golds if one in keys)
    return text, tuple(round(start / len(text), 4) for start in starts)
