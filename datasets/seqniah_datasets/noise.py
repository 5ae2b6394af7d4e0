"""Noise on a sample: needles moved, reordered, or joined by lures (paper, section 5.3).

A variant keeps its sample's window, question and needles; only what stands where is another.
Nothing is rendered: seams and lures are counted, the rest follows from the corpus index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from seqniah_datasets import haystack, rendering, rng
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import Insertion, Lure, NoiseType, Recipe, Stray, Window

VARIANTS = 3
"""Variants of each sample and type (section 5.3)."""

STEPS = (-2, -1, 1, 2)
"""Sentence positions by which a tiny movement shifts a needle (section 5.3)."""

FAR = 0.05
"""Share of the window by which a significant movement shifts every needle at least."""

_ROOM = 3
"""Places between paragraphs for each passage, where there are as many, else between sentences."""

_ATTEMPTS = 4_000
"""Draws of places, or of an order, before a sample counts as unfit for a type."""

Layout = tuple[int, ...]
"""Places as numbers in the list of all places, or needles in their order in the text."""


class Unfit(Exception):
    """A sample that has no variants of some type; another one takes its place."""


def vary(
    recipe: Recipe, noise: NoiseType, variant: int, lures: Sequence[Lure], corpus: Corpus
) -> Recipe:
    """The variant of a sample; `variant` counts from 1. Raises `Unfit` if there is none."""
    everywhere = places(recipe, noise, corpus)
    made = replace(recipe, id=f"{recipe.id}-{noise}{variant}")
    if noise is NoiseType.SN:
        strays = _strays(recipe, variant, lures, everywhere, corpus)
        return rendering.changed(replace(made, strays=strays), corpus)
    text = rendering.window_text(recipe, corpus)
    layout = layouts(recipe, noise, everywhere)[variant - 1]
    if noise is NoiseType.RO:
        placed = [(number, old.at) for number, old in zip(layout, recipe.insertions, strict=True)]
    else:
        placed = [
            (old.needle, everywhere[at]) for at, old in zip(layout, recipe.insertions, strict=True)
        ]
    insertions = tuple(Insertion(n, at, rendering.separator(text, at)) for n, at in placed)
    return rendering.changed(replace(made, insertions=insertions), corpus)


def places(recipe: Recipe, noise: NoiseType, corpus: Corpus) -> list[int]:
    """Where the needles and lures of a variant may stand, in rising order.

    Fresh places are between paragraphs, as the sample's own are. Tiny movements count sentences,
    and another order keeps the places.
    """
    if noise is NoiseType.RO:
        return [place.at for place in recipe.insertions]
    room = None if noise is NoiseType.TM else _ROOM * len(recipe.insertions)
    return haystack.places(recipe, corpus, between=room)


def layouts(recipe: Recipe, noise: NoiseType, everywhere: Sequence[int]) -> list[Layout]:
    """Those of all variants, none like another or the sample's own. Raises `Unfit` if too few."""
    draws = rng.stream("noise", recipe.id, str(noise))
    if noise is NoiseType.RO:
        own = tuple(place.needle for place in recipe.insertions)
    else:
        own = tuple(everywhere.index(place.at) for place in recipe.insertions)
    draw: Callable[[], Layout | None] = {
        NoiseType.RO: lambda: tuple(draws.shuffled(own)),
        NoiseType.TM: lambda: _near(own, len(everywhere), draws),
        NoiseType.SM: lambda: _far(own, everywhere, recipe.window, draws),
    }[noise]
    found = {own: None}
    for _ in range(_ATTEMPTS):
        if (layout := draw()) is not None:
            found[layout] = None
        if len(found) > VARIANTS:
            return list(found)[1:]
    raise Unfit(f"{recipe.id} has no {VARIANTS} variants of type {noise}")


def _near(here: Sequence[int], size: int, draws: Stream) -> Layout | None:
    """Every place one or two further on or back, none past its neighbour; None if that fails."""
    moved: list[int] = []
    for at in here:
        least = moved[-1] + 1 if moved else 0
        fitting = [at + step for step in STEPS if least <= at + step < size]
        if not fitting:
            return None
        moved.append(draws.choice(fitting))
    return tuple(moved)


def _far(
    here: Sequence[int], everywhere: Sequence[int], window: Window, draws: Stream
) -> Layout | None:
    """Fresh places in the same order, each far from where it was."""
    least = FAR * (window.end - window.start)
    moved = sorted(draws.sample(len(here), len(everywhere)))
    away = (
        abs(everywhere[new] - everywhere[old]) >= least
        for new, old in zip(moved, here, strict=True)
    )
    return tuple(moved) if all(away) else None


def _strays(
    recipe: Recipe,
    variant: int,
    lures: Sequence[Lure],
    everywhere: Sequence[int],
    corpus: Corpus,
) -> tuple[Stray, ...]:
    """One or two lures at places where no needle stands."""
    if len(lures) < VARIANTS:
        raise Unfit(f"{recipe.id} has no {VARIANTS} lures")
    order = rng.stream("noise", recipe.id, str(NoiseType.SN)).shuffled(lures)
    draws = rng.stream("noise", recipe.id, str(NoiseType.SN), variant)
    count = min(draws.between(1, 2), len(order) // VARIANTS)
    mine = order[variant - 1 :: VARIANTS][:count]
    taken = {place.at for place in recipe.insertions}
    free = [at for at in everywhere if at not in taken]
    if len(free) < count:
        raise Unfit(f"{recipe.id} has no free places for lures")
    chosen = sorted(free[pick] for pick in draws.sample(count, len(free)))
    text = rendering.window_text(recipe, corpus)
    return tuple(
        Stray(lure.text, at, rendering.separator(text, at))
        for lure, at in zip(mine, chosen, strict=True)
    )
