"""From a ranking to a pile, and from a pile to a prompt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from seqniah_datasets import rng
from seqniah_datasets.articles.pile import Laid, Pile, Piles
from seqniah_datasets.search.base import Ranking
from seqniah_tasks.benchmarks.haystackcraft.collection import Asked
from seqniah_tasks.benchmarks.haystackcraft.options import PileOptions
from seqniah_tasks.benchmarks.haystackcraft.prompts import Frame
from seqniah_tasks.benchmarks.protocol import Prompt, Text, Turn
from seqniah_tasks.benchmarks.reading import length_name

VERSION = 1
"""Of the benchmark's bytes; any change of a prompt or an id raises it."""

NAME, TITLE = "haystackcraft", "HaystackCraft"

_TRIES = 4
"""Times that a pile is laid shorter where its tokens do not add up."""


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
    numbers: tuple[int, ...]
    """Of its articles, in their order."""
    overfull: bool
    """The golds and what stands around them are longer than asked for."""


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
            shown = self._written(planned, pile, self._ordered(planned, ranking, pile), frame)
            over = shown.prompt.tokens - planned.tokens
            if self.piles.adds_up or over <= 0 or pile.overfull or not planned.tokens:
                break
            less += over
        return shown

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
        around = sum(map(self.piles.tokenizer.count, frame.counted))
        return max(planned.tokens - around - less, 1) if planned.tokens else 0

    def _others(self, planned: PlannedPile, ranking: Ranking) -> Iterator[int]:
        """Articles by rank, then others that are not found, in random order, but no golds."""
        ranked = ranking.numbers.tolist()
        yield from ranked
        key = NAME, VERSION, self.options.seed, "not found", planned.asked.id, planned.strategy
        left = sorted(set(range(len(self.piles.library))).difference(ranked, planned.asked.golds))
        yield from rng.stream(*key).shuffled(left)

    def _ordered(self, planned: PlannedPile, ranking: Ranking, pile: Pile) -> list[Laid]:
        """The articles of a pile by rank, those not found last; or in random order."""
        asked = planned.asked
        if planned.permutation:
            told = asked.id, planned.strategy, planned.permutation
            key = NAME, VERSION, self.options.seed, "order", *told
            return rng.stream(*key).shuffled(pile.laid)
        # All but the golds stand by rank already, without a gap.
        ordered = [laid for laid in pile.laid if laid.number not in asked.golds]
        placed = {laid.number: laid for laid in pile.laid if laid.number in asked.golds}
        ranks = ranking.places(list(placed))
        for number in sorted(placed, key=lambda one: ranks.get(one, len(ranking))):
            ordered.insert(ranks.get(number, len(ordered)), placed[number])
        return ordered

    def _written(
        self, planned: PlannedPile, pile: Pile, ordered: Sequence[Laid], frame: Frame
    ) -> Shown:
        shown = list(map(self.piles.text, ordered))
        if frame.numbered:
            shown = [frame.label(place) + one for place, one in enumerate(shown, 1)]
        parts = [frame.before, *shown, frame.after]
        text = "".join(parts)
        numbers = tuple(laid.number for laid in ordered)
        starts = dict(zip(numbers, accumulate(map(len, parts)), strict=False))
        exact, count = self.piles.adds_up and not frame.numbered, self.piles.tokenizer.count
        around = (frame.before, frame.after)
        tokens = sum(map(count, around)) + pile.tokens if exact else count(text)
        depths = [starts[number] / len(text) for number in planned.asked.golds if number in starts]
        prompt = Prompt(
            turns=(Turn((Text(text),)),),
            tokens=tokens,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            depths=tuple(round(depth, 4) for depth in depths),
        )
        return Shown(prompt, numbers, pile.overfull)
