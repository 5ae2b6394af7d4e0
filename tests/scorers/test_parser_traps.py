"""Layouts that a reader of answers stumbles over, with the items that a person finds in them.

The traps stand in parser_traps_en.txt and parser_traps_zh.txt: "== name", the answer, "-->", then
one line an item: its date ("?" for a part left open, "undated") and its content. An ellipsis says
that more may stand around those words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_scorers.reading.answers import Item, parse
from seqniah_scorers.text import fold, plain

Expected = list[tuple[str, str]]


def read_traps(lang: str) -> dict[str, tuple[str, Expected]]:
    """Name -> answer and items."""
    source = (Path(__file__).parent / f"parser_traps_{lang}.txt").read_text(encoding="utf-8")
    traps: dict[str, tuple[str, Expected]] = {}
    for block in f"\n{source}".split("\n== ")[1:]:
        name, _, rest = block.partition("\n")
        answer, _, items = rest.partition("\n-->\n")
        pairs = [line.split(" | ", 1) for line in items.strip().split("\n")]
        assert name not in traps, name
        traps[name] = (answer, [(date, words) for date, words in pairs])
    return traps


TRAPS = {f"{lang}: {k}": trap for lang in ("en", "zh") for k, trap in read_traps(lang).items()}


def shown(item: Item, expected: str) -> tuple[str, str]:
    """The item as the tables write it; where other words may surround it, only what is expected."""
    date = "undated"
    if item.date is not None:
        year, month, day = item.date.key()
        parts = (f"{year or '?'}", f"{month:02d}" if month else "?", f"{day:02d}" if day else "?")
        date = "-".join(parts)
    words = fold(plain(item.text))
    core = fold(plain(expected.rstrip("… ")))
    return date, core if expected.endswith("…") and core in words else words


@pytest.mark.parametrize("name", TRAPS)
def test_trap(name: str) -> None:
    answer, expected = TRAPS[name]
    items = parse(answer)
    wanted = [words for _, words in expected] + [""] * len(items)
    found = [shown(item, words) for item, words in zip(items, wanted, strict=False)]
    assert found == [(date, fold(plain(words.rstrip("… ")))) for date, words in expected]


@pytest.mark.parametrize("name", TRAPS)
def test_spans_stay_within_the_answer(name: str) -> None:
    answer, _ = TRAPS[name]
    for item in parse(answer):
        assert 0 <= item.span[0] < item.span[1] <= len(answer)


def test_there_are_traps_enough() -> None:
    assert len(TRAPS) > 200
