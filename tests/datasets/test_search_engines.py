"""Engines of a user's own: a function of a module, and Qdrant in its local mode."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest

from seqniah_datasets import rng
from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search import engines
from seqniah_datasets.search.dense import DenseIndex, DenseRetriever, unit
from seqniah_datasets.search.qdrant import Qdrant

LIBRARY = Library.of([Article(id, f"T{id}", "x") for id in ("10", "a b", "12")])

MODULE = """
import numpy as np
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import Ranking


class Engine:
    def __init__(self, found):
        self.found = found

    def search(self, query, k):
        return self.found(query, k) if callable(self.found) else self.found


def pairs(): return Engine([("12", 1), ("a b", np.float32(0.5)), ["10", 0.25]])
def numbers(library): return Engine([(int(one.id), 1.0) for one in library.articles[::2]])
def lazy(library, k1=0.9): return Engine(lambda query, k: ((one, 1.0) for one in library.numbers))
def ranking(): return Engine(Ranking(np.array([2, 0]), np.array([3.0, -1.0])))
def out(): return Engine(Ranking(np.array([3]), np.array([3.0])))
def twice(): return Engine(Ranking(np.array([1, 1]), np.array([3.0, 2.0])))
def uneven(): return Engine(Ranking(np.array([1]), np.array([3.0, 2.0])))
def unknown(): return Engine([("13", 1.0)])
def doubled(): return Engine([("12", 1.0), ("12", 1.0)])
def ids(): return Engine(["12", "10"])
def scored(): return Engine([("12", "high")])
def infinite(): return Engine([("12", float("inf"))])
def nothing(): return Engine(None)
def raising(): return Engine(lambda query, k: 1 / 0)
def gone(): return Engine(lambda query, k: (_ for _ in ()).throw(SeqniahError("The server left.")))
def broken(): raise KeyError("key")
def none(): return None
def named(name):
    engine = pairs()
    engine.digest = name
    return engine
def first(): return named("1")
def second(): return named("2")
def numbered(): return named(1)
constant = 3
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "our_engines.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("our_engines", None)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("pairs", [(2, 1.0), (1, 0.5), (0, 0.25)]),
        ("lazy", [(0, 1.0), (1, 1.0), (2, 1.0)]),
        ("numbers", [(0, 1.0), (2, 1.0)]),
        ("ranking", [(2, 3.0), (0, -1.0)]),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_an_engine_finds_is_mapped(function: str, found: list[tuple[int, float]]) -> None:
    engine = engines.own(f"our_engines:{function}", LIBRARY)
    ranking = engine.search("x", 3)
    assert list(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True)) == found
    assert engine.search("x", 1).numbers.tolist() == [found[0][0]]
    assert len(engine.search(" ", 3)) == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("our_engines:out", "distinct numbers of articles from 0 to 2"),
        ("our_engines:twice", "distinct numbers of articles"),
        ("our_engines:uneven", "each with a finite score"),
        ("our_engines:unknown", "our_engines:unknown: '13' is no article of the library"),
        ("our_engines:doubled", "'12' comes twice"),
        ("our_engines:ids", "'12' is no pair of an article's id and a score"),
        ("our_engines:scored", "'high'.* is no pair"),
        ("our_engines:infinite", "has the score inf"),
        ("our_engines:nothing", "fails for the query 'x' [(]TypeError"),
        ("our_engines:raising", "fails for the query 'x' [(]ZeroDivisionError"),
        ("our_engines:gone", "^The server left.$"),
        ("our_engines:broken", "cannot be had [(]KeyError: 'key'"),
        ("our_engines:none", "gives NoneType, which has no search"),
        ("our_engines:numbered", "its digest is no text"),
        ("our_engines:constant", "int is no function"),
        ("our_engines:absent", "has no attribute 'absent'"),
        ("no_such_module:f", "No module named 'no_such_module'"),
        ("our_engines", "given as MODULE:FUNCTION, not as our_engines"),
        (":pairs", "given as MODULE:FUNCTION"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_no_engine_is_one_sentence(name: str, told: str) -> None:
    with pytest.raises(SeqniahError, match=told) as error:
        engines.own(name, LIBRARY).search("x", 3)
    assert "\n" not in str(error.value)


def test_an_engine_is_named_by_its_digest_or_by_its_module(here: Path) -> None:
    file = here / "our_engines.py"

    def digest(function: str) -> str:
        return engines.own(f"our_engines:{function}", LIBRARY).digest

    before = {name: digest(name) for name in ("pairs", "lazy", "first", "second")}
    assert before == {
        **dict.fromkeys(("pairs", "lazy"), hashlib.sha256(MODULE.encode()).hexdigest()),
        "first": "1",
        "second": "2",
    }
    file.write_text(f"{MODULE}# changed\n", "utf-8")
    sys.modules.pop("our_engines")
    assert digest("pairs") != before["pairs"] and digest("first") == "1"


def test_an_engine_without_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = ModuleType("notebook_of_ours")
    exec(MODULE, vars(notebook))
    monkeypatch.setitem(sys.modules, "notebook_of_ours", notebook)
    with pytest.raises(SeqniahError, match="there is no source of notebook_of_ours"):
        engines.own("notebook_of_ours:pairs", LIBRARY)
    assert engines.own("notebook_of_ours:first", LIBRARY).digest == "1"


WIDTH = 24


class Hashed:
    """A random direction for each text."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [
            [rng.stream("vector", text, place).below(2_001) - 1_000 for place in range(WIDTH)]
            for text in texts
        ]
        return unit(np.array(rows), texts, "hashed")


@pytest.mark.parametrize("place", [":memory:", "path"])
def test_qdrant_finds_what_exact_search_finds(place: str, tmp_path: Path) -> None:
    client = pytest.importorskip("qdrant_client", reason="needs the extra qdrant")
    articles = [Article(f"a{number}", f"Title {number}", "") for number in range(120)]
    library = Library.of(articles)
    vectors = Hashed().encode([article.content for article in articles])
    exact = DenseRetriever(DenseIndex(vectors), Hashed(), "query: ")
    own = {"location": place} if place == ":memory:" else {"path": str(tmp_path / "db")}
    engine = Qdrant(client.QdrantClient(**own), "articles", Hashed(), library, "query: ")
    engine.fill(vectors)
    for number in range(10):
        ours, theirs = (one.search(f"question {number}", 60) for one in (exact, engine))
        assert theirs.scores == pytest.approx(ours.scores, abs=1e-5)
        scores = dict(zip(ours.numbers.tolist(), ours.scores.tolist(), strict=True))
        for document, score in zip(theirs.numbers.tolist(), theirs.scores.tolist(), strict=True):
            # Near ties may change places, also at the end.
            assert scores.get(document, ours.scores[-1]) == pytest.approx(score, abs=1e-5)
    assert len(engine.search("", 5)) == 0
    with pytest.raises(SeqniahError, match="has a collection articles already"):
        engine.fill(vectors)
    absent = Qdrant(engine.client, "nowhere", Hashed(), library)
    with pytest.raises(SeqniahError, match="Qdrant's collection nowhere cannot be asked"):
        absent.search("x", 3)
    fewer = Qdrant(engine.client, "articles", Hashed(), Library.of(articles[:5]))
    with pytest.raises(SeqniahError, match="is no article of the library"):
        fewer.search("question 1", 100)
    engine.client.close()


def test_without_the_extra_qdrant_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    with pytest.raises(SeqniahError, match=r"seqniah\[qdrant\]"):
        Qdrant(None, "articles", Hashed(), LIBRARY).search("x", 3)  # type: ignore[arg-type]
