"""Stars evenly over one shared sky: the placement of Counting-Stars (2403.11802, section 2.1).

Star i of M follows the (i + 1)-th M-th of the sky, so that the last one stands at its end. Skies of
all lengths begin with the same text. Tokens and digests come from `haystack`, as for any recipe.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from seqniah_datasets import rendering
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.haystack import Frame
from seqniah_datasets.rulers import CharacterRuler, Ruler, Sky, TokenRuler, WordRuler
from seqniah_datasets.schema import Insertion, Lang, Origin, QAItem, Recipe, StarTask, Stray, Window

Snap = Literal["none", "word", "sentence"]
SNAPS: tuple[Snap, ...] = get_args(Snap)
"""Where a star may stand: anywhere, as published; between words; after a sentence."""

Unit = Literal["tokens", "characters", "words"]
UNITS: tuple[Unit, ...] = get_args(Unit)
"""In which length is measured: tokens of the finished prompt, or, as published, characters or words
of the sky without its stars."""

_SHARES = {"en": (0.82, 0.815), "zh": (0.725, 0.72)}
"""Of a nominal length: the second one in the reasoning task, whose stars are longer."""

_ROUNDS = 8
"""Corrections of a sky's length before its prompt counts as close enough."""

_AROUND = 16
"""Smaller sizes from which to go on by characters to a prompt of just the right length."""

_CHARACTERS = 12
"""Of the sky for each token that is missing, at most."""

_LATE = 8
"""Characters by which the first star may come late for the same end, and one more."""


def published_size(length: int, unit: Unit, lang: Lang, task: StarTask) -> int:
    """How much of the sky a nominal length of so many tokens has in the released data.

    A share of it in English words and Chinese characters, which are also its words, as it has no
    blanks; English characters one to one (paper, section 3.1).
    """
    if lang == "en" and unit == "characters":
        return length
    return int(length * _SHARES[lang][task is StarTask.REASONING])


@dataclass(frozen=True, slots=True)
class Placed:
    """One star in the order of places."""

    text: str
    needle: int | None
    """Which needle of the question it is; None: one that is not asked for."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What is wanted of one prompt."""

    id: str
    origin: Origin
    qa: QAItem
    stars: Sequence[Placed]
    frame: Frame
    length: int
    """Of the finished prompt in tokens, or nominal, in the unit of the run."""
    snap: Snap
    unit: Unit
    task: StarTask


class Skies:
    """The sky of a language and the ruler along it."""

    def __init__(self, sky: Sky, unit: Unit, lang: Lang) -> None:
        self.sky = sky
        self.ruler: Ruler
        if unit == "tokens":
            self.ruler = TokenRuler(sky)
        else:
            self.ruler = WordRuler(sky) if (unit, lang) == ("words", "en") else CharacterRuler(sky)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the stars of a sky stand, whatever is asked of it."""

    places: tuple[int, ...]
    """In bytes from the sky's start, one for each star."""
    end: int
    """Where the sky ends, likewise."""


def layout(wanted: Spread, skies: Skies) -> Layout:
    """Even places for the stars of a prompt.

    In tokens, the finished prompt is the longest that has no more than `length`: exactly so many
    with snap none (some fewer where few stars leave no choice), a word or a sentence fewer else.
    Raises `SeqniahError` where the stars do not fit, and `CorpusError` where the sky is too short.
    """
    if wanted.unit == "tokens":
        return _fitted(wanted, skies)
    size = published_size(wanted.length, wanted.unit, wanted.qa.lang, wanted.task)
    step = size // len(wanted.stars)
    if not step:
        raise _too_many(wanted)
    ideal = [skies.ruler.cut(step * (place + 1)) for place in range(len(wanted.stars))]
    places = _placed(ideal, wanted.snap, skies.sky)
    end = _snapped_down(skies.ruler.cut(size), wanted.snap, skies.sky, len(wanted.stars))
    return Layout(tuple(places), max(end, places[-1]))


def _fitted(wanted: Spread, skies: Skies) -> Layout:
    """The longest sky whose prompt is not too long, by correcting a first guess."""
    fit = _Fit(wanted, skies)
    size = wanted.length - sum(map(fit.count, fit.words))
    tried: dict[int, tuple[int, Layout]] = {}
    for _ in range(_ROUNDS):
        end = fit.end(size)
        if end in tried:
            break
        found = fit.places(end)
        tried[end] = fit.tokens(found), found
        size = skies.ruler.size(end) + wanted.length - tried[end][0]
    fitting = [one for one in tried.values() if one[0] <= wanted.length]
    while not fitting:
        found = fit.places(fit.end(skies.ruler.size(min(tried)) - 1))
        tried[found.end] = fit.tokens(found), found
        fitting = [one for one in tried.values() if one[0] <= wanted.length]
    tokens, found = max(fitting, key=lambda one: (one[0], one[1].end))
    if wanted.snap == "none" and tokens < wanted.length:
        return _exact(fit, skies.ruler.size(found.end)) or found
    return found


class _Fit:
    """Skies of other lengths for one prompt. Seams that they share are counted once."""

    def __init__(self, wanted: Spread, skies: Skies) -> None:
        self.wanted, self.skies = wanted, skies
        self.count = lru_cache(maxsize=None)(skies.sky.corpus.tokenizer.count)
        frame = wanted.frame
        self.words = [frame.before, frame.after, *(f"\n{star.text}" for star in wanted.stars)]

    def end(self, size: int) -> int:
        """Where a sky of so many tokens ends. Raises like `layout`."""
        many = len(self.wanted.stars)
        if size < many:
            raise _too_many(self.wanted)
        return _snapped_down(self.skies.ruler.cut(size), self.wanted.snap, self.skies.sky, many)

    def places(self, end: int) -> Layout:
        """The stars of a sky that ends there."""
        ruler, many = self.skies.ruler, len(self.wanted.stars)
        whole = ruler.size(end)
        ideal = [ruler.cut(whole * (place + 1) // many) for place in range(many - 1)]
        places = _placed([*ideal, end], self.wanted.snap, self.skies.sky)
        # Tokens of one character begin at the same place.
        if len({*places[:-1], end}) < many:
            raise _too_many(self.wanted)
        return Layout((*places[:-1], end), end)

    def tokens(self, found: Layout) -> int:
        """Of the finished prompt."""
        made = _recipe(self.wanted, self.skies, found)
        return rendering.counted(made, self.skies.sky.corpus, self.count)

    def tail(self, found: Layout, end: int) -> int:
        """Tokens of the prompt behind the last safe cut before its last star, were that at `end`.

        About so where the encoding's counts do not add up at cuts.
        """
        sky = self.skies.sky
        start = int(sky.anchors[bisect_left(sky.anchors, found.end) - 1])
        if start <= max(found.places[:-1], default=0):
            return self.tokens(Layout((*found.places[:-1], end), end))
        text = bytes(sky.text[start:end]).decode("utf-8")
        return self.count(f"{text}\n{self.wanted.stars[-1].text}{self.wanted.frame.after}")


def _exact(fit: _Fit, size: int) -> Layout | None:
    """A sky that goes on by some characters, so that its prompt has `length` tokens.

    None if none is near: a character can have three tokens, and one star alone cannot be moved.
    """
    many = len(fit.wanted.stars)
    smaller = range(max(size - _AROUND, many), size + 1)[::-1]
    for late in range(_LATE if many > 1 else 1):
        for one in smaller:
            found = fit.places(fit.end(one))
            if late:
                found = _later(found, late, fit.skies.sky)
            if longer := _longer(fit, found):
                return longer
    return None


def _later(found: Layout, late: int, sky: Sky) -> Layout:
    """The same with its first star some characters later, as far as the second one lets it."""
    first = found.places[0]
    for _ in range(late):
        if (later := sky.following(first)) < found.places[1]:
            first = later
    return Layout((first, *found.places[1:]), found.end)


def _longer(fit: _Fit, found: Layout) -> Layout | None:
    """The same with a later end, so that its prompt has `length` tokens; None if none fits."""
    missing = fit.wanted.length - fit.tokens(found)
    end, before = found.end, fit.tail(found, found.end)
    for _ in range(_CHARACTERS * missing):
        if fit.tail(found, end) >= before + missing:
            break
        end = fit.skies.sky.following(end)
    longer = Layout((*found.places[:-1], end), end)
    return longer if fit.tokens(longer) == fit.wanted.length else None


def _too_many(wanted: Spread) -> SeqniahError:
    many = len(wanted.stars)
    stars = f"{many:,} stars do" if many > 1 else "1 star does"
    return SeqniahError(
        f"{stars} not fit into {wanted.length:,} {wanted.unit} beside the "
        f"question ({wanted.id}); ask for fewer stars (m), or for longer prompts (a smaller n, a "
        "greater max_length)."
    )


def _snapped_down(at: int, snap: Snap, sky: Sky, many: int) -> int:
    """The last good end of a sky up to `at`, no more than half a step before it."""
    if snap == "none":
        return at
    number = bisect_right(sky.ends, at) if snap == "sentence" else 0
    if number and 2 * many * (at - sky.ends[number - 1]) <= at:
        return sky.ends[number - 1]
    return sky.word(at)


def _placed(ideal: Sequence[int], snap: Snap, sky: Sky) -> list[int]:
    """Where stars stand that should stand at `ideal`: none further off than half a step."""
    if snap == "none":
        return list(ideal)
    found: list[int] = []
    for place, at in enumerate(ideal):
        before = ideal[place - 1] if place else 0
        low, high = at - (at - before) // 2, at
        if place + 1 < len(ideal):
            high = at + (ideal[place + 1] - at - 1) // 2
        near = _sentence(at, low, high, sky) if snap == "sentence" else None
        word = sky.word(at)
        found.append(near if near is not None else word if word > low else at)
    return found


def _sentence(at: int, low: int, high: int, sky: Sky) -> int | None:
    """The sentence end nearest to `at` in (low, high], past its blanks; None if there is none."""
    right = bisect_left(sky.ends, at)
    near = [sky.past_blanks(end) for end in sky.ends[max(0, right - 1) : right + 1]]
    fitting = [end for end in near if low < end <= high]
    return min(fitting, key=lambda end: abs(end - at), default=None)


def recipe(wanted: Spread, skies: Skies, found: Layout) -> Recipe:
    """The recipe of a prompt with its stars in these places."""
    return rendering.changed(_recipe(wanted, skies, found), skies.sky.corpus)


def _recipe(wanted: Spread, skies: Skies, found: Layout) -> Recipe:
    """The same without its tokens and digest."""
    sky = skies.sky
    text = sky.text[: found.end]
    insertions: list[Insertion] = []
    strays: list[Stray] = []
    for star, at in zip(wanted.stars, found.places, strict=True):
        after = rendering.separator(text, at)
        if star.needle is None:
            strays.append(Stray(star.text, at, after))
        else:
            insertions.append(Insertion(star.needle, at, after))
    return Recipe(
        id=wanted.id,
        origin=wanted.origin,
        qa=wanted.qa,
        window=Window(sky.shard, sky.start, sky.start + found.end),
        insertions=tuple(insertions),
        before=wanted.frame.before,
        after=wanted.frame.after,
        tokenizer=sky.corpus.tokenizer.name,
        strays=tuple(strays),
    )
