"""Invented people: every sample its own, and no person in two splits, whatever the seed."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, Split
from seqniah_datasets.sources.tables import lines

SHARES: dict[Split, tuple[int, int]] = {"train": (0, 5), "dev": (5, 6), "test": (6, 7)}
"""Each split's part of all names, in sevenths."""


def person(lang: Lang, split: Split, serial: int, seed: int) -> str:
    """The name of the person of a sample.

    Serials of one split and seed get distinct names until the split's part of the bank is used
    up (English: 6,714 in dev and test, 33,571 in train; Chinese: 4,950 and 24,750).
    """
    everyone = _everyone(lang)
    low, high = (everyone * share // 7 for share in SHARES[split])
    inner = rng.walk(high - low, "people", lang, split, seed)(serial)
    return _name(lang, _spot(lang, low + inner))


def namesakes(lang: Lang, split: Split, name: str) -> list[str]:
    """People of the split who share only the surname with one of its people.

    None of them holds the other's name or is held by it, as "Joanna Bell" holds "Anna Bell".
    """
    alike = [(one, one.casefold()) for one in _families(lang, split)[name]]
    own = name.casefold()
    return [one for one, folded in alike if own not in folded and folded not in own]


@lru_cache(maxsize=6)
def _families(lang: Lang, split: Split) -> dict[str, tuple[str, ...]]:
    """Everybody of a split with all of the split who have the same surname."""
    everyone = _everyone(lang)
    low, high = (everyone * share // 7 for share in SHARES[split])
    given, _ = _names(lang)
    families: defaultdict[int, list[str]] = defaultdict(list)
    for spot in sorted(_spot(lang, number) for number in range(low, high)):
        families[spot // len(given)].append(_name(lang, spot))
    return {name: tuple(family) for family in families.values() for name in family}


def _everyone(lang: Lang) -> int:
    given, surnames = _names(lang)
    return len(given) * len(surnames)


def _spot(lang: Lang, number: int) -> int:
    """A second, fixed walk over all names, so that a split is no block of the alphabet."""
    return rng.walk(_everyone(lang), "people", lang)(number)


def _name(lang: Lang, spot: int) -> str:
    given, surnames = _names(lang)
    first, last = given[spot % len(given)], surnames[spot // len(given)]
    return f"{first} {last}" if lang == "en" else f"{last}{first}"


@lru_cache(maxsize=2)
def _names(lang: Lang) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return lines(f"given_names_{lang}.txt"), lines(f"surnames_{lang}.txt")
