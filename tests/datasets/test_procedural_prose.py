"""The embedded corpus is about as varied as prose: measured on 128,000 tokens of every genre."""

from __future__ import annotations

import re
import zlib

import pytest

from seqniah_datasets import tokens
from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import LANGS, Lang

GENRES: list[tuple[Lang, int]] = [
    (lang, number) for lang in LANGS for number in range(len(procedural.genres(lang)))
]
NAMES = [f"{lang}-{number}" for lang, number in GENRES]

ZLIB = {"en": 4.5, "zh": 3.6}
"""War and Peace has 2.8, The Story of the Stone 2.2, one sentence repeated over 100."""


@pytest.fixture(scope="module", params=GENRES, ids=NAMES)
def genre(request: pytest.FixtureRequest) -> tuple[Lang, int]:
    lang, number = request.param
    return lang, number


@pytest.fixture(scope="module")
def text(genre: tuple[Lang, int]) -> str:
    """The first 128,000 tokens of a document that the benchmark uses."""
    text = procedural.write(genre[0], 768_000, genre[1])
    return text[: int(len(text) * 128_000 / tokens.tokenizer().count(text))]


def test_a_genre_is_as_varied_as_promised(genre: tuple[Lang, int], text: str) -> None:
    lang, number = genre
    raw = text.encode()
    assert len(raw) / len(zlib.compress(raw, 9)) <= ZLIB[lang]
    units = text.split() if lang == "en" else [sign for sign in text if not sign.isspace()]
    grams = {tuple(units[start : start + 8]) for start in range(len(units) - 7)}
    assert len(grams) / (len(units) - 7) >= 0.95, procedural.genres(lang)[number]


def test_no_slot_or_doubled_sign_is_left_in_the_text(text: str) -> None:
    assert not re.search(r"[{}]|，，|。。|、、|：：|的的|在在|是是|把把", text)
    assert not re.search(r"\b(?:the the|a a|an an|of of|to to|in in)\b", text)
    # Titles that a needle could have; 工日记着 is days of work, noted down.
    titles = r"(?<!工)日记|纪实|记事|每日纪要|\b(?:Diary|Journal|Record|Documentary) of\b"
    assert not re.search(titles, text)
