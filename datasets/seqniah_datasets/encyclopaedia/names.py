"""Invented names, as many as are asked for: each a function of seed, kind and number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia import tables
from seqniah_datasets.sources.tables import table as source_table


class Kind(StrEnum):
    """What an entity is."""

    STATE = "state"
    REGION = "region"
    TOWN = "town"
    RIVER = "river"
    PERSON = "person"
    INSTITUTION = "institution"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Name:
    """What an entity is called."""

    title: str
    """Of its article, e.g. "River Tamolk"."""
    text: str
    """As other articles name it in a sentence, e.g. "the River Tamolk"."""
    shorts: tuple[str, ...]
    """As its own article names it after the first time; of a person the surname."""
    aliases: tuple[str, ...] = ()
    """Other titles under which an answer counts."""


_SURNAMES = 500
"""Of so many people as there are pairs of a given name and one of these."""


def words(seed: int, kind: Kind, number: int) -> tuple[str, ...]:
    """The words of a name; of a person given name and surname, else mostly one invented word."""
    world = source_table("world/names.toml")
    match kind:
        case Kind.PERSON:
            given, surnames = world["given"], world["surnames"]
            order = rng.walk(len(given) * _SURNAMES, "encyclopaedia", seed, kind)
            block, spot = divmod(number, len(given) * _SURNAMES)
            which, first = divmod(order(spot), len(given))
            which += block * _SURNAMES
            if which < len(surnames):
                return (given[first][0], surnames[which][0])
            return (given[first][0], _spelt(seed, kind, which - len(surnames)))
        case Kind.STATE if number < len(world["states"]):
            order = rng.walk(len(world["states"]), "encyclopaedia", seed, kind)
            return (world["states"][order(number)][0],)
        case Kind.INSTITUTION:
            sorts = list(tables.table("names.toml")["sorts"])
            return (_spelt(seed, kind, number), sorts[number % len(sorts)])
        case Kind.BOOK:
            nouns = tables.table("names.toml")["titles"]["nouns"]
            noun = nouns[rng.digest("title", seed, number)[0] % len(nouns)]
            return ("The", noun, "of", _spelt(seed, kind, number))
        case Kind.RIVER:
            return ("River", _spelt(seed, kind, number))
        case _:
            return (_spelt(seed, kind, number),)


def _spelt(seed: int, kind: Kind, number: int) -> str:
    """A word put together from parts; longer ones come when the shorter ones are used up."""
    bank = tables.table("names.toml")
    first, middle, close = bank["open"], bank["middle"], bank["close"][kind]
    size = len(first) * len(middle) * len(close)
    block, spot = divmod(number, size)
    rest, last = divmod(rng.walk(size, "encyclopaedia", seed, "spelt", kind)(spot), len(close))
    start, inner = divmod(rest, len(middle))
    more = ""
    while block:
        block, digit = divmod(block - 1, len(middle))
        more += middle[digit]
    word: str = first[start] + more + middle[inner] + close[last]
    return word.capitalize()


def named(kind: Kind, parts: tuple[str, ...]) -> Name:
    """The forms of a name whose words are given."""
    title = " ".join(parts)
    match kind:
        case Kind.PERSON:
            return Name(title, title, (parts[-1],))
        case Kind.RIVER:
            return Name(title, f"the {title}", (f"the {parts[-1]}", "the river"), (parts[-1],))
        case Kind.INSTITUTION:
            return Name(title, f"the {title}", (f"the {parts[-1].lower()}",))
        case Kind.BOOK:
            return Name(title, f'"{title}"', ("the book",))
        case Kind.STATE | Kind.REGION | Kind.TOWN:
            return Name(title, title, (title, f"the {kind}"))
