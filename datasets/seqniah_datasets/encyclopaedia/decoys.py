"""Articles that lead a search astray: by a question's words, or by names one letter off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia import names, wording
from seqniah_datasets.encyclopaedia.entities import RELATIONS, Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.encyclopaedia.questions import Chain, asks
from seqniah_datasets.encyclopaedia.tables import table
from seqniah_datasets.encyclopaedia.wording import style

_SHARE = 2, 5
"""So many of so many questions have wording decoys; the others have namesakes."""

_WORDING_DECOYS = 3, 13
"""Fewest and most for a question."""

_MORE = 5
"""Relations that such a page names besides. So the words of questions are no rare ones, and a page
made for one question seldom stands before the gold article of another."""

_SENTENCES = 8, 11
"""Fewest and most of such a page, after the first."""

_NAMESAKES = 3, 2
"""Of a question's start, and of each later gold article's subject."""

_STEP = 40
"""Numbers this far apart have generations and sorts in common."""

_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"


def by_wording(chains: Sequence[Chain]) -> list[bool]:
    """Which chains have wording decoys, as opposed to namesakes: by each number of hops."""
    part, whole = _SHARE
    met = Counter[int]()
    found: list[bool] = []
    for chain in chains:
        hops = len(chain.relations)
        before = met[hops] * part // whole
        met[hops] += 1
        found.append(met[hops] * part // whole > before)
    return found


def wording_decoys(world: World, chain: Chain) -> list[tuple[str, str]]:
    """Title and text of pages that repeat a question's words; they name no entity."""
    draws = rng.stream("wording decoys", world.seed, *chain.refs[0])
    words = names.words(world.seed, *chain.refs[0])
    term = " ".join(word.lower() for word in words if word not in ("The", "of"))
    openings = table("wordings/decoys.toml")["openings"]
    count = draws.between(*_WORDING_DECOYS)
    found: list[tuple[str, str]] = []
    for spot in draws.sample(count, len(openings)):
        thing, opening = openings[spot]
        found.append((f"{thing} ({term})", _page(opening, term, asks(chain), draws)))
    return found


def _page(opening: str, term: str, asked: Sequence[str], draws: rng.Stream) -> str:
    sentences = table("wordings/decoys.toml")["sentences"]
    order = draws.sample(draws.between(*_SENTENCES), len(sentences))
    more = [RELATIONS[number] for number in draws.sample(_MORE, len(RELATIONS))]
    *start, last = dict.fromkeys(
        f"the {one}" for one in (*asked, *(style(one.subject).asks[one.name] for one in more))
    )
    turns = cycle(asked)
    slots = {"term": term, "asks": f"{', '.join(start)} and {last}"}

    def slot(name: str) -> str:
        return next(turns) if name == "ask" else slots.get(name) or wording.drawn(name, draws)

    return " ".join(
        wording.filled(wording.pattern(one), slot, draws)
        for one in (opening, *(sentences[number] for number in order))
    )


def namesakes(world: World, chain: Chain, taken: set[str]) -> list[Entity]:
    """Entities whose names differ by a letter from those on a chain, and their facts wholly.

    `taken` are the titles there are; those made are added.
    """
    draws = rng.stream("namesakes", world.seed, *chain.refs[0])
    found: list[Entity] = []
    for spot, ref in enumerate(chain.refs[:-1]):
        if ref.kind in (Kind.STATE, Kind.REGION):  # their towns would have to know of them
            continue
        for _ in range(_NAMESAKES[min(spot, 1)]):
            found.append(_namesake(world, ref, taken, draws))
    return found


def _namesake(world: World, ref: Ref, taken: set[str], draws: rng.Stream) -> Entity:
    own = world.entity(ref)
    parts = list(names.words(world.seed, *ref))
    spot = {Kind.INSTITUTION: 0, Kind.PERSON: draws.below(2)}.get(ref.kind, -1)
    while True:
        changed = [*parts]
        changed[spot] = _near(parts[spot], draws)
        name = names.named(ref.kind, tuple(changed))
        if name.title not in taken:
            break
    taken.add(name.title)
    while True:
        number = ref.number + _STEP * draws.between(1_000, 99_999)
        other = world.entity(Ref(ref.kind, number))
        if own.facts.keys() <= other.facts.keys() and not _agree(own, other):
            return replace(other, name=name)


def _agree(own: Entity, other: Entity) -> bool:
    return any(own.facts[relation] == other.facts[relation] for relation in own.facts)


def _near(word: str, draws: rng.Stream) -> str:
    """A word with one inner letter changed: a vowel, or a consonant between two."""
    inner = range(1, len(word) - 1)
    spots = [
        spot
        for spot in inner
        if word[spot] in _VOWELS or (word[spot - 1] in _VOWELS and word[spot + 1] in _VOWELS)
    ]
    spot = draws.choice(spots)
    letters = _VOWELS if word[spot] in _VOWELS else _CONSONANTS
    letter = draws.choice([letter for letter in letters if letter != word[spot]])
    return f"{word[:spot]}{letter}{word[spot + 1 :]}"
