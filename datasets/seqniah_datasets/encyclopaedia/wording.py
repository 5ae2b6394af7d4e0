"""How facts become articles: openings, sentences for each relation, and what stands around them.

A wording is a pattern: `[one|another]` is one of these patterns, `{slot}` is filled in. The reader
of `proof` uses the same patterns, the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia.entities import Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.encyclopaedia.tables import table

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")

Pieces = tuple[str, ...]
"""Text and names of slots, in turn, from text to text."""

Pattern = tuple[Pieces, ...]
"""All that a pattern can become."""


@lru_cache(maxsize=4096)
def pattern(text: str) -> Pattern:
    """Read a pattern."""
    return tuple(tuple(_SLOT.split(one)) for one in _expanded(text))


def _expanded(text: str) -> list[str]:
    choices: list[list[str]] = []
    while found := _INNERMOST.search(text):
        inner = [_filled(one, choices) for one in found[1].split("|")]
        text = f"{text[: found.start()]}\0{len(choices)}\0{text[found.end() :]}"
        choices.append([one for several in inner for one in several])
    return _filled(text, choices)


def _filled(text: str, choices: Sequence[Sequence[str]]) -> list[str]:
    """All texts in which each number between NULs gives way to one of its choices."""
    parts = text.split("\0")
    options = [choices[int(part)] if spot % 2 else [part] for spot, part in enumerate(parts)]
    return ["".join(one) for one in product(*options)]


def filled(told: Pattern, slot: Callable[[str], str], draws: rng.Stream) -> str:
    """A sentence: one of what a pattern can become, its slots filled in from left to right."""
    pieces = list(draws.choice(told))
    for spot in range(1, len(pieces), 2):
        pieces[spot] = slot(pieces[spot])
    text = "".join(pieces)
    return f"{text[0].upper()}{text[1:]}."


def drawn(slot: str, draws: rng.Stream) -> str:
    """A word of the bank of that name."""
    return draws.choice(_banks()[slot])


class Part(NamedTuple):
    """A stretch of an article of one kind."""

    joined: bool
    """Whether it goes on in the paragraph of the part before."""
    facts: tuple[str, ...]
    """Relations, in the order told."""
    sentences: tuple[Pattern, ...]
    """Of which some are told around them,"""
    fillers: tuple[int, int]
    """from so many to so many."""
    mentioned: tuple[tuple[Kind, Pattern], ...]
    """Passing mentions, by the kind of what is named,"""
    mentions: tuple[int, int]
    """from so many to so many."""


class Style(NamedTuple):
    """How articles of a kind are worded."""

    openings: tuple[Pattern, ...]
    parts: tuple[Part, ...]
    facts: Mapping[str, tuple[Pattern, ...]]
    """The wordings of each relation."""
    asks: Mapping[str, str]
    """What questions call each relation, e.g. "place of death"."""


@lru_cache(maxsize=len(Kind))
def style(kind: Kind) -> Style:
    """The authored wordings of a kind."""
    raw = table(f"wordings/{kind}.toml")
    parts = [
        Part(
            part.get("joined", False),
            tuple(part["facts"]),
            tuple(map(pattern, part["sentences"])),
            (part["fillers"][0], part["fillers"][1]),
            tuple((Kind(named), pattern(text)) for named, text in part.get("mentioned", [])),
            (part["mentions"][0], part["mentions"][1]),
        )
        for part in raw["parts"]
    ]
    facts = {name: tuple(map(pattern, one["wordings"])) for name, one in raw["facts"].items()}
    asks = {name: one["ask"] for name, one in raw["facts"].items()}
    return Style(tuple(map(pattern, raw["openings"])), tuple(parts), facts, asks)


@lru_cache(maxsize=1)
def _banks() -> Mapping[str, tuple[str, ...]]:
    """Words that any article may use, by slot."""
    banks = {name: tuple(words) for name, words in table("wordings/common.toml")["banks"].items()}
    banks["tens"] = tuple(map(str, range(12, 97)))
    banks["hundreds"] = tuple(map(str, range(110, 990, 10)))
    return banks


_PRONOUNS = {
    True: {"he": "she", "him": "her", "his": "her"},
    False: {"he": "he", "him": "him", "his": "his"},
}
_THING = {"he": "it", "him": "it", "his": "its"}

_NAME_AGAIN = 0.25
"""How often a sentence names its subject where a pronoun would do."""


class _Writer:
    """Writes one article."""

    def __init__(self, world: World, entity: Entity, draws: rng.Stream) -> None:
        self._world, self._entity, self._draws = world, entity, draws
        self._year, self._until = entity.figures["since"], entity.figures["until"]
        self._person = entity.ref.kind == Kind.PERSON
        self._fixed = _fixed(entity)
        self._named_somebody = True
        self.named: dict[Ref, None] = {}

    def text(self) -> str:
        """The whole article, a paragraph a line."""
        style_of = style(self._entity.ref.kind)
        paragraphs = [[self._sentence(self._draws.choice(style_of.openings))]]
        for number, part in enumerate(style_of.parts):
            if number and not part.joined:
                paragraphs.append([])
            self._named_somebody |= not paragraphs[-1]
            paragraphs[-1] += self._part(part, style_of.facts)
        return "\n".join(" ".join(sentences) for sentences in paragraphs if sentences)

    def passage(self, part: Part) -> str:
        """The opening and one part, cut to the length of a paragraph."""
        style_of = style(self._entity.ref.kind)
        told = [self._sentence(self._draws.choice(style_of.openings))]
        told_facts = sum(name in self._entity.facts for name in part.facts)
        room = max(1, self._draws.between(*_SENTENCES) - told_facts)
        mentions = self._draws.below(min(room, part.mentions[1]) + 1)
        short = part._replace(fillers=(room - mentions,) * 2, mentions=(mentions,) * 2)
        return " ".join([*told, *self._part(short, style_of.facts)])

    def _part(self, part: Part, wordings: Mapping[str, tuple[Pattern, ...]]) -> list[str]:
        draws, facts = self._draws, self._entity.facts
        plan: list[tuple[Pattern, Ref | None]] = [
            (draws.choice(wordings[name]), facts[name]) for name in part.facts if name in facts
        ]
        around: list[tuple[Pattern, Ref | None]] = [
            (part.sentences[spot], None)
            for spot in draws.sample(draws.between(*part.fillers), len(part.sentences))
        ]
        for spot in draws.sample(draws.between(*part.mentions), len(part.mentioned)):
            kind, told = part.mentioned[spot]
            if (target := self._passing(kind)) is not None:
                around.append((told, target))
        for one in around:
            plan.insert(draws.between(min(1, len(plan)), len(plan)), one)
        return [self._sentence(told, target) for told, target in plan]

    def _passing(self, kind: Kind) -> Ref | None:
        """What may be named in passing: near by, of that time, and not otherwise connected."""
        own, draws, world = self._entity, self._draws, self._world
        if kind in (Kind.TOWN, Kind.RIVER, Kind.REGION) and own.ref.kind in _PLACES:
            target = world.within(kind, world.state_of(own.ref), draws)
        elif kind == Kind.PERSON and self._person:
            target = world.of_generation(world.generation_of(own.ref), draws)
        elif kind == Kind.PERSON and own.ref.kind in (Kind.BOOK, Kind.INSTITUTION):
            target = world.adult_after(own.figures["year0"], draws)
        else:
            target = world.any(kind, draws)
        known = target == own.ref or target in own.facts.values() or target in self.named
        return None if known or own.ref in world.entity(target).facts.values() else target

    def _sentence(self, told: Pattern, target: Ref | None = None) -> str:
        due = self._named_somebody or self._draws.random() < _NAME_AGAIN

        def slot(name: str) -> str:
            nonlocal due
            if target is not None and name in ("o", "m"):
                self.named[target] = None
                return self._world.entity(target).name.text
            if name not in ("subj", "poss"):
                return self._fixed.get(name) or self._drawn(name)
            named, due = due and (self._person or name == "subj"), False
            if not named:
                return self._fixed["he" if name == "subj" else "his"]
            short = self._draws.choice(self._entity.name.shorts)
            return short if name == "subj" else f"{short}'s"

        text = filled(told, slot, self._draws)
        self._named_somebody = target is not None and target.kind == self._entity.ref.kind
        return text

    def _drawn(self, slot: str) -> str:
        """A word of a bank, or a year later than those before."""
        if slot != "year":
            return drawn(slot, self._draws)
        self._year += 1 + self._draws.below(max(1, (self._until - self._year) // 5))
        return str(self._year)


_PLACES = (Kind.REGION, Kind.TOWN, Kind.RIVER)


def _fixed(entity: Entity) -> dict[str, str]:
    """Slots that mean the same in the whole article."""
    figures, name = entity.figures, entity.name
    slots = {what: f"{value:,}" if value > 9_999 else str(value) for what, value in figures.items()}
    slots["name"] = name.text
    match entity.ref.kind:
        case Kind.PERSON:
            callings = _banks()["calling"]
            slots["calling"] = callings[figures["calling"] % len(callings)]
            # As in many tongues, women's given names end in a vowel, though not in o.
            slots |= _PRONOUNS[name.title.partition(" ")[0][-1] in "aeiu"]
        case Kind.INSTITUTION:
            slots["sort"] = table("names.toml")["sorts"][name.title.rpartition(" ")[2]]
    return _THING | slots


def article(world: World, entity: Entity) -> tuple[str, tuple[Ref, ...]]:
    """The text of an entity's article, and what it names, in order."""
    writer = _Writer(world, entity, rng.stream("article", world.seed, entity.name.title))
    return writer.text(), tuple(writer.named)


_SENTENCES = 4, 5
"""Fewest and most of a passage after its opening: facts, and what stands around them."""


def passage(world: World, entity: Entity, part: int) -> str:
    """A paragraph with the facts of one part of an entity's article: 80 to 150 tokens, mostly."""
    writer = _Writer(world, entity, rng.stream("passage", world.seed, entity.name.title, part))
    return writer.passage(style(entity.ref.kind).parts[part])
