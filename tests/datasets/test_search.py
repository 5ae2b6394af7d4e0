"""Engines over words and vectors, their fusion, and the rule by which scores become ranks."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_datasets import rng
from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search import strategies
from seqniah_datasets.search.base import ById, Ranking, top
from seqniah_datasets.search.dense import DenseIndex, DenseRetriever
from seqniah_datasets.search.fusion import FusedRetriever
from seqniah_datasets.search.pagerank import PageRankRetriever
from seqniah_datasets.search.sparse import FILES, WORDS, SparseIndex
from seqniah_datasets.search.words import STOP_WORDS, Words

F32, I8 = np.float32, np.int8


def _pairs(ranking: Ranking) -> list[tuple[int, float]]:
    return list(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True))


@given(st.lists(st.integers(-3, 3), max_size=40), st.integers(0, 45))
def test_ranks_follow_scores_and_then_numbers(scores: list[int], k: int) -> None:
    best = sorted(range(len(scores)), key=lambda number: (-scores[number], number))[:k]
    for kind in (np.float32, np.float64, np.int64):
        found = top(np.array(scores, kind), k)
        assert _pairs(found) == [(number, scores[number]) for number in best]
        assert (found.numbers.dtype, found.scores.dtype) == (np.int64, np.float64)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cities' walls, and Bonn's\u2019s: a b!", ["citi", "wall", "bonn'", "b"]),
        ("It isn't in Bonn’s U.S.A. office", ["isn't", "bonn", "u.s.a", "offic"]),
        ("3.5 million or 1,000 (v2.x)", ["3.5", "million", "1,000", "v2", "x"]),
        ("C++ ___ a_b e-mail", ["c", "a_b", "e", "mail"]),
        ("Größe E\u0301te\u0301 हिन्दी", ["größe", "été", "हिन्दी"]),
        ("李白是诗人。大 Tokyo東京", ["李白", "白是", "是诗", "诗人", "大", "tokyo", "東京"]),
        ("서울은 ไทย", ["서울", "울은", "ไท", "ทย"]),
        (" ".join(STOP_WORDS), []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert Words().of(text) == words


@pytest.mark.usefixtures("linear")
@pytest.mark.parametrize("piece", ["a.", "1,", "李", "'", "_", "\u0301", "a'", "x\u0300."])
def test_words_of_any_text_take_time_in_proportion(piece: str) -> None:
    assert len("".join(Words().of(piece * 300_000))) <= 600_000


def test_bm25_is_lucenes_formula() -> None:
    texts = [
        "river bank river",
        "bank of the city",
        "a long walk by rivers, towns and hills",
        "sun",
    ]
    index = SparseIndex.build(texts)
    lengths = [3, 2, 5, 1]  # "by" and its like do not count

    def term(frequency: int, holders: int, length: int) -> float:
        weight = log(1 + (4 - holders + 0.5) / (holders + 0.5))
        return weight * frequency / (frequency + 0.9 * (0.6 + 0.4 * length / (sum(lengths) / 4)))

    river = {0: term(2, 2, 3), 2: term(1, 2, 5)}
    bank = {0: term(1, 2, 3), 1: term(1, 2, 2)}
    for query, scores in (
        ("Rivers?", river),
        ("the river of a bank", {0: river[0] + bank[0], 1: bank[1], 2: river[2]}),
        ("banks, river and river", {0: 2 * river[0] + bank[0], 1: bank[1], 2: 2 * river[2]}),
    ):
        best = sorted(scores, key=lambda number: -scores[number])
        found = index.search(query, 10)
        assert found.numbers.tolist() == best
        assert found.scores == pytest.approx([scores[number] for number in best], rel=1e-6)
        assert _pairs(index.search(query, 1)) == _pairs(found)[:1]
    for query in ("", "the of", "moon", "…"):
        assert len(index.search(query, 10)) == 0


def test_equal_documents_come_in_order_also_at_the_cut() -> None:
    index = SparseIndex.build([f"town number {one % 2}" for one in range(50)])
    assert index.search("town", 7).numbers.tolist() == list(range(7))
    assert index.search("town 1", 30).numbers.tolist() == [*range(1, 50, 2), 0, 2, 4, 6, 8]


def test_an_index_without_words_finds_nothing() -> None:
    assert len(SparseIndex.build(["the", "…"]).search("the x", 3)) == 0


TEXTS = ["Ada was born in Bonn.", "Bonn lies on the Rhine.", "", "李白是诗人", "Ada Ada"]


def test_a_saved_index_finds_the_same(tmp_path: Path) -> None:
    index = SparseIndex.build(TEXTS)
    index.save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
    loaded = SparseIndex.load(tmp_path)
    assert len(loaded) == len(TEXTS)
    for query in ("Ada of Bonn", "诗人李白", "nobody"):
        assert _pairs(loaded.search(query, 9)) == _pairs(index.search(query, 9))
    SparseIndex.build(["the"]).save(tmp_path)
    assert len(SparseIndex.load(tmp_path).search("ada", 9)) == 0


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (WORDS, b'"version": 1', b'"version": 0'),
        (WORDS, b'"documents": 5', b'"documents": 4'),
        (WORDS, b'"ada"', b'"bonn"'),
        (WORDS, b'"ada", ', b""),
        (WORDS, b'"words"', b'"word"'),
        (WORDS, b"{", b""),
        ("data", b"", None),
        ("indptr", bytes(8), bytes(7) + b"\x01"),
        ("indptr", b"\x02" + bytes(7), b"\xff" * 8),
        ("indices", b"\x01" + bytes(3), b"\xff" * 4),
        ("indices", b"\x01" + bytes(3), b"\x05" + bytes(3)),
    ],
)
def test_a_damaged_index_is_not_asked(
    tmp_path: Path, name: str, old: bytes, new: bytes | None
) -> None:
    SparseIndex.build(TEXTS).save(tmp_path)
    path = tmp_path / name
    raw = path.read_bytes()
    assert old in raw
    path.write_bytes(raw.replace(old, new, 1) if new is not None else raw[:-4])
    with pytest.raises(DamagedFile, match="make it anew"):
        SparseIndex.load(tmp_path)
    path.unlink()
    with pytest.raises(DamagedFile, match="cannot be read"):
        SparseIndex.load(tmp_path)


class Letters:
    """Vectors that count letters; whole numbers."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], F32)


def test_dense_search_is_the_inner_product() -> None:
    vectors = np.array([[1, 0, 2], [0, 3, 0], [1, 0, 2], [-4, 0, 1]], F32)
    for index in (DenseIndex(vectors), DenseIndex(vectors.astype(I8))):
        found = DenseRetriever(index, Letters()).search("aac", 3)
        assert _pairs(found) == [(0, 4.0), (2, 4.0), (1, 0.0)]
        found = DenseRetriever(index, Letters(), instruction="bb: ").search("a", 1)
        assert _pairs(found) == [(1, 6.0)]
        assert len(DenseRetriever(index, Letters()).search("", 3)) == 0
        assert (len(index), index.width) == (4, 3)


@pytest.mark.parametrize("width", [1_040, 1_041, 3_000])
def test_whole_vectors_are_multiplied_exactly(width: int) -> None:
    draws = rng.stream("whole", width)
    rows = [[127] * width, [127] * (width - 1) + [126]]
    rows += [[draws.between(-127, 127) for _ in range(width)] for _ in range(8)]
    index = DenseIndex(np.array(rows, I8))
    query = rows[0]
    exact = [sum(a * b for a, b in zip(row, query, strict=True)) for row in rows]
    best = sorted(range(len(rows)), key=lambda number: -exact[number])
    assert _pairs(index.search(np.array(query, F32), 10)) == [(one, exact[one]) for one in best]


@pytest.mark.parametrize(
    ("kind", "query", "told"),
    [
        (F32, [1.0, 2.0], "shape .2,. or not finite; documents have 3 numbers"),
        (F32, [1.0, 2.0, np.nan], "not finite"),
        (I8, [1.0, 0.5, 0.0], "whole numbers from -127 to 127"),
        (I8, [1.0, 128.0, 0.0], "whole numbers from -127 to 127"),
    ],
)
def test_a_vector_that_does_not_fit_is_refused(kind: Any, query: list[float], told: str) -> None:
    with pytest.raises(SeqniahError, match=told):
        DenseIndex(np.ones((2, 3), kind)).search(np.array(query, F32), 1)


def test_what_is_no_vector_is_refused() -> None:
    for wrong in (np.ones(3, F32), np.ones((2, 3)), np.array([[-128]], I8)):
        with pytest.raises(ValueError, match="vectors"):
            DenseIndex(wrong)  # type: ignore[arg-type]
    holed = DenseIndex(np.array([[1], [np.inf]], F32))
    with pytest.raises(SeqniahError, match="vector of document 1 is not finite"):
        holed.search(np.ones(1, F32), 1)


LIBRARY = Library.of([Article(str(number), f"T{number}", "x") for number in (10, 11, 12)])


class Fixed:
    """An engine that always finds the same."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def search(self, query: str, k: int) -> Ranking:
        scores = np.arange(len(self.numbers), 0, -1, np.float64)
        return Ranking(np.array(self.numbers, np.int64), scores).first(k)


def test_fusion_sums_up_reciprocal_ranks() -> None:
    fused = FusedRetriever((Fixed(5, 3, 9, 1), Fixed(3, 5, 7)))
    both = Fraction(1, 61) + Fraction(1, 62)
    scores = {3: both, 5: both, 7: Fraction(1, 63), 9: Fraction(1, 63), 1: Fraction(1, 64)}
    found = fused.search("", 10)
    assert found.numbers.tolist() == list(scores)
    assert found.scores == pytest.approx([float(one) for one in scores.values()], rel=1e-15)
    assert fused.search("", 2).numbers.tolist() == [3, 5]
    shallow = FusedRetriever((Fixed(5, 3, 9), Fixed(3, 7)), constant=1, depth=1)
    assert _pairs(shallow.search("", 9)) == [(3, 0.5), (5, 0.5)]
    assert len(FusedRetriever((Fixed(), Fixed())).search("", 3)) == 0


def test_an_engine_by_ids() -> None:
    found = ById(lambda query, k: [("12", 1), ("10", 2.5), ("11", 1)], LIBRARY, "mine:search")
    assert _pairs(found.search("", 3)) == [(0, 2.5), (2, 1.0), (1, 1.0)]
    assert found.search("", 1).numbers.tolist() == [0]
    for pairs, told in (
        ([("13", 1.0)], "mine:search: '13' is no article of the library"),
        ([("10", 1.0), ("10", 0.5)], "mine:search: '10' comes twice"),
        ([("10", float("nan"))], "mine:search: '10' has the score nan"),
    ):
        with pytest.raises(SeqniahError, match=told):
            ById(lambda query, k, pairs=pairs: pairs, LIBRARY, "mine:search").search("", 1)


def test_strategies_are_made_of_their_parts() -> None:
    sparse, vectors = Fixed(1, 0), Fixed(2)
    made = {
        name: strategies.retriever(name, LIBRARY, lambda: sparse, lambda: vectors)
        for name in strategies.STRATEGIES
    }
    assert list(made) == ["bm25", "bm25+ppr", "dense", "dense+ppr", "hybrid", "hybrid+ppr"]
    assert (made["bm25"], made["dense"]) == (sparse, vectors)
    assert made["hybrid"] == FusedRetriever((sparse, vectors), constant=60, depth=2_560)
    for name, seeds, damping in (("bm25", 10, 0.5), ("dense", 5, 0.5), ("hybrid", 5, 0.85)):
        ranker = made[f"{name}+ppr"]
        assert isinstance(ranker, PageRankRetriever)
        assert ranker.base == made[name]
        assert (ranker.walk.seeds, ranker.walk.damping) == (seeds, damping)


def test_only_the_parts_of_a_strategy_are_opened() -> None:
    def absent() -> None:
        raise AssertionError("asked for")

    sparse, vectors = Fixed(1, 0), Fixed(2)
    assert strategies.retriever("bm25", LIBRARY, lambda: sparse, absent) == sparse
    assert strategies.retriever("dense", LIBRARY, absent, lambda: vectors) == vectors
    vectored = list(filter(strategies.needs_vectors, strategies.STRATEGIES))
    assert vectored == ["dense", "dense+ppr", "hybrid", "hybrid+ppr"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bm25+prr", "no strategy 'bm25[+]prr'; did you mean bm25[+]ppr?"),
        ("BM25", "did you mean bm25?"),
        ("hybird", "did you mean hybrid?"),
        ("", "known: bm25, bm25[+]ppr, dense"),
        ("dense+ppr", "The strategy dense[+]ppr needs vectors"),
        ("hybrid", "The strategy hybrid needs vectors"),
    ],
)
def test_a_strategy_that_cannot_be_had_is_refused(name: str, told: str) -> None:
    with pytest.raises(SeqniahError, match=told):
        strategies.retriever(name, LIBRARY, lambda: Fixed(0), lambda: None)


SHOWN = """
import hashlib, sys, tempfile
from pathlib import Path
sys.path.append(sys.argv[1])
import test_search
sys.stdout.write(test_search.everything(Path(tempfile.mkdtemp())))
"""


def everything(folder: Path) -> str:
    """A digest of an index's files and of what all strategies find among many near ties."""
    draws = rng.stream("everything")
    names = [f"{one}{other}" for one in ("ada", "bo", "cy", "dora") for other in "abc"]
    articles = [
        Article(f"a{number}", draws.choice(names), " ".join(draws.choice(names) for _ in range(6)))
        for number in range(300)
    ]
    links = [(draws.choice(articles).id, draws.choice(articles).id) for _ in range(400)]
    library = Library.of(articles, links)
    sparse = SparseIndex.build(article.content for article in articles)
    sparse.save(folder)
    found = hashlib.sha256(library.digest.encode())
    for name in FILES:
        found.update((folder / name).read_bytes())
    vectors = Letters().encode([article.content for article in articles]).astype(I8)
    nearest = DenseRetriever(DenseIndex(vectors), Letters())
    for name in strategies.STRATEGIES:
        engine = strategies.retriever(name, library, lambda: sparse, lambda: nearest)
        for query in ("adaa doraa", "boc", "cyb cya ada"):
            ranking = engine.search(query, 100)
            found.update(ranking.numbers.tobytes() + ranking.scores.tobytes())
    return found.hexdigest()


def test_rankings_are_equal_under_every_hash_seed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SHOWN, str(Path(__file__).parent)]
    paths = os.pathsep.join(sys.path)
    told = {
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert told == {everything(tmp_path)}
