"""Whose text is whose: disjoint stretches, splits with text of their own, documents written."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_datasets import rng, tokens
from seqniah_datasets.corpora import corpus, packed, procedural
from seqniah_datasets.corpora.haystacks import SLACK, DocumentRef, Stretch, allotted
from seqniah_datasets.errors import CorpusError, DamagedFile
from seqniah_datasets.schema import LANGS, SPLITS, Lang

SIZES = st.lists(st.integers(500, 40_000), min_size=1, max_size=30)
WANTED = st.lists(st.integers(100, 9_000), min_size=1, max_size=40)


def _documents(sizes: list[int]) -> list[tuple[int, DocumentRef]]:
    return [(size, DocumentRef("shard", number)) for number, size in enumerate(sizes)]


def _named(wanted: list[int]) -> dict[str, int]:
    return {f"sample-{number}": size for number, size in enumerate(wanted)}


def _overlap(one: Stretch, other: Stretch) -> bool:
    assert one.last and other.last
    same = one.document == other.document
    return same and one.first < other.last and other.first < one.last


@given(SIZES, WANTED)
def test_text_is_given_twice_only_where_it_is_said(sizes: list[int], wanted: list[int]) -> None:
    made = allotted(_documents(sizes), "en", "test", _named(wanted))
    for name, stretch in made.stretches.items():
        assert stretch.last == stretch.first + _named(wanted)[name] + SLACK
        assert 0 <= stretch.first < stretch.last <= sizes[stretch.document.number]
    overlapping = {
        name
        for (name, one), (_, other) in combinations(made.stretches.items(), 2)
        if _overlap(one, other)
    }
    told = made.reuse()
    assert told.wanted == sum(wanted) and told.there <= sum(sizes)
    if not told.again:
        assert not overlapping
    assert set(made.stretches) == {
        name for name, size in _named(wanted).items() if size + SLACK <= max(sizes)
    }


def test_as_long_as_there_is_text_none_is_given_twice() -> None:
    wanted = {f"sample-{number}": 1_000 + 10 * number for number in range(60)}
    enough = [20_000] * 15
    assert sum(wanted.values()) + 60 * SLACK < 0.4 * sum(enough)
    made = allotted(_documents(enough), "zh", "test", wanted)
    assert made.reuse().again == 0
    assert not any(_overlap(*pair) for pair in combinations(made.stretches.values(), 2))
    short = allotted(_documents([20_000] * 6), "zh", "test", wanted)
    assert 0 < short.reuse().again < short.reuse().wanted


@given(SIZES, st.sampled_from(LANGS))
def test_no_text_serves_two_splits(sizes: list[int], lang: Lang) -> None:
    parts = {split: allotted(_documents(sizes), lang, split, {}).pieces for split in SPLITS}
    spans = [
        (one.document, one.first, one.first + one.size, split)
        for split, pieces in parts.items()
        for one in pieces
    ]
    assert sum(end - start for _, start, end, _ in spans) == sum(sizes)
    for (one, a, b, split), (other, c, d, another) in combinations(spans, 2):
        assert split == another or one != other or b <= c or d <= a


def test_a_sample_longer_than_any_part_of_its_split_shares_with_others() -> None:
    made = allotted(_documents([10_000]), "en", "dev", {"long": 5_000, "short": 1_000})
    assert made.stretches["long"].document == DocumentRef("shard", 0)
    assert made.reuse().again >= 5_000


def test_another_stretch_is_another_place_of_the_splits_own_text() -> None:
    made = allotted(_documents([30_000] * 9), "en", "test", {"one": 2_000})
    own = {(piece.document, piece.first, piece.first + piece.size) for piece in made.pieces}
    for variant in range(1, 30):
        found = made.stretch("one", 2_000, variant)
        assert found.last and found.last - found.first >= 2_000
        assert any(
            found.document == document and first <= found.first and found.last <= end
            for document, first, end in own
        )
    assert made.stretch("one", 2_000, 1) != made.stretch("one", 2_000, 0)


# Documents that are written.


@pytest.mark.parametrize("encoding", ["cl100k_base", "qwen"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_sample_has_a_document_of_its_own_as_long_as_it_needs(
    lang: Lang, encoding: str, tmp_path: Path
) -> None:
    opened = corpus("procedural", encoding, tmp_path)
    haystacks = opened.haystacks(lang, "test", "test", dict)
    for number, wanted in enumerate((900, 9_000, 30_000)):
        stretch = haystacks.stretch(f"real-logical-{number:04d}", wanted, 0)
        assert (stretch.first, stretch.last) == (0, None)
        (there,) = opened.open(stretch.document.shard).document_tokens
        assert wanted <= there <= 1.35 * wanted + 4_000
    names = {
        haystacks.stretch(name, 9_000, variant).document.shard
        for name in ("a-0001", "a-0002")
        for variant in (0, 1)
    }
    names.add(opened.haystacks(lang, "dev", "dev", dict).stretch("a-0001", 9_000, 0).document.shard)
    assert len(names) == 5
    with pytest.raises(CorpusError, match="tokens, not 90,000,000; pass a folder of longer"):
        haystacks.stretch("a-0001", 90_000_000, 0)


def test_a_damaged_document_is_written_again(tmp_path: Path) -> None:
    tokenizer = tokens.tokenizer()
    text = procedural.write("en", 20_000, "damage").encode()
    path = tmp_path / "one"
    packed.write(path, text, tokenizer)
    whole = path.read_bytes()
    found = packed.read(path)
    assert bytes(found.text) == text and int(found.document_tokens[0]) == tokenizer.count(
        text.decode()
    )
    draws = rng.stream("damage")
    for _ in range(60):
        spot = draws.below(len(whole))
        path.write_bytes(
            whole[:spot] + bytes([whole[spot] ^ 1 << draws.below(8)]) + whole[spot + 1 :]
        )
        with pytest.raises(DamagedFile, match="one is damaged"):
            packed.read(path)
    for size in (0, 31, 32, 200, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(DamagedFile):
            packed.read(path)
    opened = corpus("procedural", root=tmp_path / "cache")
    ref = opened.candidates("en", 500)[0]
    before = bytes(opened.open(ref.shard).text)
    (kept,) = (tmp_path / "cache").rglob(ref.shard)
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    again = corpus("procedural", root=tmp_path / "cache")
    assert bytes(again.open(ref.shard).text) == before
    assert packed.read(kept)


@pytest.mark.parametrize("key", ["en-x-0k", "en-../x-1k", "de-x-1k", "en-x-99999k", "en-x-1", "x"])
def test_no_other_name_is_a_document(key: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="has no part"):
        corpus("procedural", root=tmp_path).open(key)
