"""The embedded corpus reads as prose: as varied, and without the slips of a text with slots."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import replace

import pytest

from seqniah_datasets import rng, tokens
from seqniah_datasets.corpora import procedural
from seqniah_datasets.corpora.grammar import Grammar, document
from seqniah_datasets.schema import LANGS, Lang

GENRES = [(lang, genre) for lang in LANGS for genre in procedural.grammars(lang)]
ZLIB: dict[Lang, float] = {"en": 2.8, "zh": 2.2}
"""Those of War and Peace and of The Story of the Stone; one sentence repeated has over 100."""

SLIPS: dict[Lang, tuple[str, ...]] = {
    "en": (
        r"\b(\w+) \1\b",
        r"\b[Aa] (?!one\b|once\b|use|uni|eu|one-)[aeioAEIO]\w",
        r"\b[Aa]n [bcdfgjklmnpqrstvwxyzBCDFGJKLMNPQRSTVWXYZ]",
        r" [,.;:!?]|[,;:][^\s\d]|\.\.|,,|[^\n]  ",
        r"[.!?] [a-z]",
        r"[\"“”‘{}|\[\]()]",
        r"\b(?:I|my|me|we|our|us|you|your)\b",
        r"\b(?:they|these|those|both) (?:was|is|has)\b",
        r"\b(?:he|she) (?:were|are|have)\b",
        r"\b(?:1|one) (?:men|women|houses|days|years|pounds|miles|feet|yards|people|children)\b",
        r"\b(?:Diary|Journal|Record|Daybook) of\b",
    ),
    "zh": (
        r"[，。、；：][，。、；：]",
        r"[，。；：、][的了着们]",
        r"([的了在是把被和就也都还从对向到让给于与])\1",
        r"(?!一.一.)([\u4e00-\u9fff]{2})\1",
        r"[“”‘’「」『』\"{}|（）()\[\]]",
        r"[我你咱您]",
        r"日记|纪实|记事|每日纪要",
        r"[a-zA-Z,.;:?!]|[\u4e00-\u9fff] [\u4e00-\u9fff]",
    ),
}
"""What no text may hold: doubled words and signs, wrong articles, wrong agreement, quotations, the
first and the second person, and titles that a needle could have."""

END: dict[Lang, str] = {"en": r"(?<=[.!?])\s+", "zh": r"(?<=[。！？])\s*|\n+"}


@pytest.mark.parametrize(("lang", "genre"), GENRES, ids=[genre.genre for _, genre in GENRES])
def test_a_megabyte_of_a_genre_has_no_slip(lang: Lang, genre: Grammar) -> None:
    text = document([genre], rng.stream("prose", lang), 1_000_000)
    found = [
        f"{slip}: {text[max(0, hit.start() - 40) : hit.end() + 40]}"
        for slip in SLIPS[lang]
        for hit in [re.search(slip, text)]
        if hit
    ]
    assert not found, found


@pytest.fixture(scope="module", params=LANGS)
def lang(request: pytest.FixtureRequest) -> Lang:
    return "en" if request.param == "en" else "zh"


def test_a_document_is_about_as_varied_as_a_novel(lang: Lang) -> None:
    text = procedural.write(lang, 768_000, "varied")
    text = text[: int(len(text) * 128_000 / tokens.tokenizer().count(text))]
    raw = text.encode()
    assert len(raw) / len(zlib.compress(raw, 9)) <= ZLIB[lang]
    units = text.split() if lang == "en" else [sign for sign in text if not sign.isspace()]
    grams = {tuple(units[start : start + 8]) for start in range(len(units) - 7)}
    assert len(grams) / (len(units) - 7) >= 0.97


def test_few_sentences_open_alike_when_names_and_numbers_are_masked(lang: Lang) -> None:
    """In a novel none of the sentences of eight words or more opens with five words that open four
    others within 500,000 characters; Chinese: eight characters, of twelve or more."""
    masked = [_masked(one, lang) for one in procedural.grammars(lang)]
    text = document(masked, rng.stream("openings"), 500_000 * (1 if lang == "en" else 3))
    text = re.sub(r"\d+", "#", text[:500_000])
    units = [
        sentence.split() if lang == "en" else list(sentence)
        for sentence in re.split(END[lang], text)
    ]
    least, opening = (8, 5) if lang == "en" else (12, 8)
    openings = Counter(tuple(one[:opening]) for one in units if len(one) >= least)
    often = sum(count for count in openings.values() if count >= 5)
    assert often / openings.total() < 0.05, openings.most_common(5)


def _masked(genre: Grammar, lang: Lang) -> Grammar:
    """The same with one sign in the place of each name."""
    names = procedural.names(lang)
    return replace(
        genre,
        rules={
            rule: (("#",),) if rule in names or rule.startswith("n_") else choices
            for rule, choices in genre.rules.items()
        },
    )
