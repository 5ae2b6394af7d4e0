"""Invented people: every sample its own, and no person in two splits, whatever the seed."""

from __future__ import annotations

from functools import lru_cache

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, Split
from seqniah_datasets.sources.banks import lines

SHARES: dict[Split, tuple[int, int]] = {"train": (0, 5), "dev": (5, 6), "test": (6, 7)}
"""Each split's part of all names, in sevenths."""


def person(lang: Lang, split: Split, serial: int, seed: int) -> str:
    """The name of the person of a sample.

    Serials of one split and seed get distinct names until the split's part of the bank is used
    up (English: 6,714 in dev and test, 33,571 in train; Chinese: 4,950 and 24,750).
    """
    given, surnames = _names(lang)
    everyone = len(given) * len(surnames)
    low, high = (everyone * share // 7 for share in SHARES[split])
    # A second, fixed walk over all names, so that a split is no block of the alphabet.
    inner = rng.walk(high - low, "people", lang, split, seed)(serial)
    spot = rng.walk(everyone, "people", lang)(low + inner)
    first, last = given[spot % len(given)], surnames[spot // len(given)]
    return f"{first} {last}" if lang == "en" else f"{last}{first}"


@lru_cache(maxsize=2)
def _names(lang: Lang) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return lines(f"given_names_{lang}.txt"), lines(f"surnames_{lang}.txt")
