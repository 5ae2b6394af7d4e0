"""Stars of Counting-Stars: their numbers, who counts them, and how the text tells it (2403.11802).

Section numbers are those of the paper; what is called the repository is the published one, whose
later data has the reasoning task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import Lang
from seqniah_datasets.sources.tables import table

StarOrder = Literal["increasing", "shuffled", "given"]
ORDERS: tuple[StarOrder, ...] = ("increasing", "shuffled", "given")
"""Of the numbers in the sky: rising, in random order, or as the user gave them."""

_STEP = 4
"""One number of every four is drawn, the last of the four left out (paper, Figure 10)."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who counts stars."""

    name: str
    """As the text has it in the middle of a sentence."""
    key: str
    """As a JSON answer names the list of their counts."""


@dataclass(frozen=True, slots=True)
class Star:
    """One counting that stands in the sky."""

    number: int
    """How many stars were counted, rightly."""
    player: Player
    mistake: int | None = None
    """What was counted first, wrongly; None: nothing was."""


_TEXTS = table("stars.toml")
_ANIMALS: dict[str, str] = _TEXTS["animals"]

PLAYERS: dict[Lang, tuple[Player, ...]] = {
    "en": tuple(Player(f"little {one}", f"little_{one}") for one in _ANIMALS),
    "zh": tuple(Player(f"小{one}", f"小{one}") for one in _ANIMALS.values()),
}
"""By language; the first one counts where there is only one (paper, Figure 2)."""

MOST_PLAYERS = 24
"""Of one sky; some are left in case that the text speaks of others."""


def sentence(lang: Lang, star: Star) -> str:
    """What the sky says of a star."""
    pattern: str = _TEXTS[lang]["counted" if star.mistake is None else "counted_twice"]
    return pattern.format(name=star.player.name, number=star.number, mistake=star.mistake)


def numbers(
    count: int, order: StarOrder, draws: Stream, given: Sequence[int] = ()
) -> tuple[int, ...]:
    """Distinct numbers for `count` stars, in the order of their places.

    Without `given` ones, star i gets 4i + 1 to 4i + 3 (paper, Figure 10): rising, without any step
    that a model could guess.
    """
    if given:
        found = list(given[:count])
    else:
        found = [_STEP * place + draws.between(1, _STEP - 1) for place in range(count)]
    if order == "increasing":
        found.sort()
    return tuple(draws.shuffled(found) if order == "shuffled" else found)


def mistakes(right: Sequence[int], draws: Stream) -> tuple[int, ...]:
    """A wrong number for each right one, one above or below it; all numbers differ (repository).

    Raises `SeqniahError` when the right numbers leave no room for that.
    """
    by_size, taken = sorted(right), frozenset(right)
    above = [*by_size[1:], by_size[-1] + 3]

    def choices(place: int, used: bool) -> list[int]:
        """For one number, where the one below it is `used` by its neighbour: what leaves room."""
        number = by_size[place]
        low, high = number - 1, number + 1
        found = []
        if low > 0 and low not in taken and not used and room[place + 1][False]:
            found.append(low)
        if high not in taken and room[place + 1][above[place] - 1 == high]:
            found.append(high)
        return found

    # From the greatest down: whether the numbers from here on can all have one.
    room = [(True, True)] * (len(by_size) + 1)
    for place in reversed(range(len(by_size))):
        room[place] = bool(choices(place, False)), bool(choices(place, True))
    found: dict[int, int] = {}
    used = False
    for place, number in enumerate(by_size):
        near = choices(place, used)
        if not near:
            raise SeqniahError(
                "The numbers stand too close together for the reasoning task, where each one needs "
                "a wrong number beside it that is nobody else's; give numbers that lie three apart "
                "or more."
            )
        found[number] = draws.choice(near)
        used = found[number] == above[place] - 1
    return tuple(found[number] for number in right)


def dealt(count: int, players: int, draws: Stream) -> tuple[int, ...]:
    """Who counted each of `count` stars, as numbers below `players`, as evenly as can be."""
    return tuple(draws.shuffled([place % players for place in range(count)]))
