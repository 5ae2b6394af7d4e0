"""HaystackCraft over a user's own documents and engine: index, dense search, retrieval, builds."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import in_process
import numpy as np
import pytest
from http_parts import served

import seqniah
from seqniah_datasets import rng, store
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.retrieval import ndcg, recall
from seqniah_tasks.benchmarks.haystackcraft.report import published

COUNT, WIDTH = 60, 16
RIVERS = [f"River{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(COUNT // 2)]


def _vector(text: str) -> list[float]:
    """Near for texts with the same capitalised words."""
    rows = [
        [rng.stream("word", word, place).below(201) - 100 for place in range(WIDTH)]
        for word in text.replace("?", "").split()
        if word[:1].isupper() or word.isdecimal()
    ]
    return [float(sum(column)) for column in zip(*rows, strict=True)] or [0.0] * WIDTH


def _replying(method: str, path: str, body: Any, headers: Any) -> tuple[int, Any]:
    rows = [{"index": at, "embedding": _vector(text)} for at, text in enumerate(body["input"])]
    return 200, {"data": rows}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Towns with rivers, and rivers with seas, in the published layout; no index."""
    path = tmp_path_factory.mktemp("own") / "corpus"
    path.mkdir()
    draws = rng.stream("own test")
    with (path / "docs.jsonl").open("w", encoding="utf-8") as out:
        for n, river in enumerate(RIVERS):
            filler = " ".join(draws.choice(RIVERS) for _ in range(60))
            rows = [
                {"id": n, "title": f"Town {n}", "text": f"It lies on the {river}.\n{filler}"},
                {"id": 100 + n, "title": river, "text": f"It flows into Sea{n}.\n{filler}"},
            ]
            out.write("".join(json.dumps(row) + "\n" for row in rows))
    edges = "".join(f"{n},{100 + n}\n" for n in range(len(RIVERS)))
    (path / "edge_list.csv").write_text(f"source_node,target_node\n{edges}", "utf-8")
    with (path / "questions.jsonl").open("w", encoding="utf-8") as out:
        for n in range(6):
            golds = {"1": n, "2": 100 + n} if n % 2 else {"1": n}
            question = f"Where does the river of Town {n} end?"
            row = {"id": f"q{n}", "question": question, "answer": f"Sea{n}", "p2d_id": golds}
            out.write(json.dumps({**row, "answer_aliases": []}) + "\n")
    return path


@pytest.fixture(scope="module")
def files(plain: Path) -> tuple[Path, Path]:
    """Published vectors of documents and of questions."""
    place = plain.parent / "published"
    rows = [json.loads(line) for line in (plain / "docs.jsonl").open(encoding="utf-8")]
    for part, some in enumerate((rows[:25], rows[25:]), 1):
        folder = place / f"x_docs_part_{part}"
        folder.mkdir(parents=True)
        embs = [_vector(f"{row['title']} {row['text']}") for row in some]
        np.savez(folder / "0.npz", ids=[row["id"] for row in some], embs=embs)
    asked = [json.loads(line) for line in (plain / "questions.jsonl").open(encoding="utf-8")]
    embs = [_vector(row["question"]) for row in asked]
    np.savez(plain.parent / "questions.npz", ids=[row["id"] for row in asked], embs=embs)
    return place, plain.parent / "questions.npz"


@pytest.fixture(scope="module")
def indexed(plain: Path, files: tuple[Path, Path]) -> Path:
    """The same with vectors of documents and of questions."""
    documents, questions = map(str, files)
    told = in_process.run(
        *("haystackcraft", "index", str(plain), "--npz", documents, "--queries", questions),
        *("--out", str(plain.parent / "index"), "--json"),
    )
    assert json.loads(told)["vectors"].startswith(f"{WIDTH} numbers of npz ")
    return plain.parent / "index"


def _loaded(plain: Path, index: Path | None = None, **given: Any) -> Any:
    where = {"index": str(index)} if index else {}
    task = given.pop("task", "haystackcraft")
    chosen = {"corpus": str(plain), "length": "1k", **where, **given}
    return seqniah.load(task, **{name: value for name, value in chosen.items() if value})


def test_dense_and_hybrid_search_work_over_a_folder(plain: Path, indexed: Path) -> None:
    every = "bm25,bm25+ppr,dense,dense+ppr,hybrid,hybrid+ppr"
    samples = _loaded(plain, indexed, strategy=every)
    assert len({sample.prompt for sample in samples}) > len(samples) / 2
    rows = [json.loads(line) for line in (plain / "docs.jsonl").open(encoding="utf-8")]
    known = np.array([_vector(f"{row['title']} {row['text']}") for row in rows])
    known /= np.linalg.norm(known, axis=1, keepdims=True)
    for sample in samples:
        if sample.planned.strategy == "dense":
            scores = known @ np.array(_vector(sample.planned.asked.text))
            order = np.argsort(-scores, kind="stable").tolist()
            golds = sample.planned.asked.golds
            assert sample.item.facts["gold_ranks"] == [order.index(gold) + 1 for gold in golds]


def test_a_server_makes_vectors_and_those_of_refined_questions(plain: Path, tmp_path: Path) -> None:
    with served(_replying) as url:
        words = ["haystackcraft", "index", str(plain), "--out", str(tmp_path / "index")]
        words += ["--embeddings", f"{url}/v1", "--embedding-model", "m"]
        told = in_process.run(*words, "--instruction", r"Instruct: find\nQuery:")
        assert "vectors: 16 numbers of server m" in told
        assert r"queries: server m, after 'Instruct: find\nQuery:'" in told
        bench = _loaded(plain, tmp_path / "index", task="haystackcraft_dynamic", strategy="dense")
        assert bench[0].item.facts["gold_ranks"]
        bench.bench.rankings.of_query("On which sea?", "dense")
        ids = {sample.id for sample in bench}
        in_process.run(*words)
        bench = _loaded(plain, tmp_path / "index", task="haystackcraft_dynamic", strategy="dense")
    assert len(ids) == 6


def test_the_instruction_and_the_vectors_are_in_ids(
    plain: Path, indexed: Path, files: tuple[Path, Path], tmp_path: Path
) -> None:
    def ids(index: Path, strategy: str = "dense") -> set[str]:
        opened = seqniah.load(
            "haystackcraft", corpus=str(plain), length="1k", index=str(index), strategy=strategy
        )
        return {one.id for one in opened.bench.plan}

    scaled = tmp_path / "other.npz"
    with np.load(files[1]) as known:
        np.savez(scaled, ids=known["ids"], embs=known["embs"] + 1)
    words = ["haystackcraft", "index", str(plain), "--npz", str(files[0]), "--queries"]
    in_process.run(*words, str(files[1]), "--out", str(tmp_path / "same"))
    in_process.run(*words, str(scaled), "--out", str(tmp_path / "other"))
    assert ids(tmp_path / "same") == ids(indexed)
    assert not ids(tmp_path / "other") & ids(indexed)
    assert ids(tmp_path / "other", "bm25") == ids(indexed, "bm25")


def test_a_build_pins_rankings_that_rebuild_the_prompts(
    plain: Path, indexed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    given = ["-T", f"corpus={plain}", "-T", f"index={indexed}"]
    chosen = ["-T", "length=1k", "-T", "strategy=bm25,dense,hybrid+ppr"]
    in_process.run("build", "haystackcraft", "--out", str(out), *given, *chosen)
    pinned = {"dense.trec", "hybrid-ppr.trec"}
    written = {*pinned, "data", "recipes.jsonl", "manifest.json"}
    assert {path.name for path in out.iterdir()} == written
    assert pinned < store.read_manifest(out / "manifest.json")["files"].keys()
    in_process.run("build", "haystackcraft", "--out", str(out), *given, *chosen, "--replace")
    for strategy in ("dense", "hybrid+ppr"):
        run = out / f"{strategy.replace('+', '-')}.trec"
        ours = {one.planned.asked.id: one for one in _loaded(plain, indexed, strategy=strategy)}
        theirs = {one.planned.asked.id: one for one in _loaded(plain, run=str(run))}
        assert {one: ours[one].prompt for one in ours} == {one: theirs[one].prompt for one in ours}
    told = [
        json.loads(in_process.run("haystackcraft", "retrieval", *given, "-T", one, "--json"))[
            "rows"
        ]
        for one in ("strategy=dense", f"run={out / 'dense.trec'}")
    ]
    assert [row["recall"] for row in told[0]] == [row["recall"] for row in told[1]]
    embedded = tmp_path / "embedded"
    few = ["-T", "questions=2", "-T", "length=8k", "-T", "strategy=dense"]
    in_process.run("build", "haystackcraft", "--out", str(embedded), *few)
    assert not list(embedded.glob("*.trec"))  # whole numbers, the same everywhere


def test_retrieval_is_told_by_hops_beside_the_paper(plain: Path, indexed: Path) -> None:
    given = ["-T", f"corpus={plain}", "-T", f"index={indexed}"]
    told = json.loads(in_process.run("haystackcraft", "retrieval", *given, "--json"))
    rows = {(row["strategy"], row["hops"]): row for row in told["rows"]}
    strategies = ("bm25", "bm25+ppr", "dense", "dense+ppr", "hybrid", "hybrid+ppr")
    assert list(rows) == [(name, hops) for name in strategies for hops in (None, 1, 2)]
    assert [rows["dense", hops]["questions"] for hops in (None, 1, 2)] == [6, 3, 3]
    of = _loaded(plain, indexed).bench
    for name in strategies:
        for hops in (1, 2):
            some = [one for one in of.asked if one.hops == hops]
            for depth in (10, 40):
                found = [list(map(str, of.rankings.of(one, name).numbers)) for one in some]
                golds = [list(map(str, one.golds)) for one in some]
                for measure, by in (("recall", recall), ("ndcg", ndcg)):
                    values = [by(*pair, depth) for pair in zip(found, golds, strict=True)]
                    mean = sum(values) / 3
                    assert rows[name, hops][measure][str(depth)] == pytest.approx(mean)
        printed = published.retrieval("recall", name, 2)
        assert rows[name, 2]["published"]["recall"] == {str(at): v for at, v in printed.items()}
    shown = in_process.run("haystackcraft", "retrieval", *given, "-T", "strategy=bm25")
    assert "published, on Wikipedia, arXiv 2510.07414, Table 4" in shown
    assert "dense" not in shown
    without = json.loads(
        in_process.run("haystackcraft", "retrieval", "-T", f"corpus={plain}", "--json")
    )
    assert {row["strategy"] for row in without["rows"]} == {"bm25", "bm25+ppr"}


def test_retrieval_is_not_of_ready_piles() -> None:
    words = "haystackcraft", "retrieval", "-T", "edition=paper", "-T", "data=x"
    assert "nothing is searched" in in_process.run(*words, code=1)


ENGINES = """
class Reversed:
    def __init__(self, ids): self.ids = ids
    def search(self, query, k): return [(id, -rank) for rank, id in enumerate(self.ids[:k])]

def last(library): return Reversed([one.id for one in library.articles][::-1])
def few(library): return Reversed([one.id for one in library.articles][:2])
"""


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_engines.py").write_text(ENGINES, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return "own_engines"


def test_an_engine_of_ones_own_ranks_in_both_tasks(plain: Path, engines: str) -> None:
    for task in ("haystackcraft", "haystackcraft_dynamic"):
        samples = _loaded(plain, task=task, retriever=f"{engines}:last")
        for sample in samples:
            assert sample.planned.strategy == "own"
            golds = sample.planned.asked.golds
            assert sample.item.facts["gold_ranks"] == [COUNT - gold for gold in golds]
            assert sample.prompt.index(f"Article Title: {RIVERS[-1]}\n") < 100
    run = in_process.run("haystackcraft", "retrieval", "-T", f"retriever={engines}:last",
                         "-T", f"corpus={plain}", "--json")  # fmt: skip
    assert {row["strategy"] for row in json.loads(run)["rows"]} == {"own"}


def test_a_changed_engine_gives_other_samples(plain: Path, engines: str) -> None:
    def opened(length: str) -> Any:
        sys.modules.pop(engines, None)
        return _loaded(plain, retriever=f"{engines}:last", length=length).bench

    before = opened("1k")
    assert opened("1k,2k").digest == before.digest
    with Path(f"{engines}.py").open("a", encoding="utf-8") as file:
        file.write("\nk1 = 1.2\n")
    after = opened("1k,0")
    assert after.digest != before.digest and after.setup() != before.setup()
    assert not {one.id for one in before.plan} & {one.id for one in after.plan}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"retriever": "own_engines:few"}, "finds 2 documents for the question 'q0', though asked"),
        ({"retriever": "own_engines:few", "run": "x"}, "run and retriever both rank"),
        ({"retriever": "own_engines:few", "strategy": "bm25"}, "leave strategy out, or retriever"),
        ({"retriever": "nowhere:f"}, "No module named 'nowhere'"),
        ({"corpus": "", "index": "x"}, "give corpus=FOLDER too"),
        ({"strategy": "dense"}, "The strategy dense needs vectors"),
        ({"strategy": "hybrid+ppr"}, "needs vectors"),
        ({"index": "nowhere"}, "There is no index nowhere; make it with"),
    ],
)
def test_what_cannot_rank_is_one_sentence(
    plain: Path, engines: str, given: dict[str, str], told: str
) -> None:
    with pytest.raises(SeqniahError) as error:
        _loaded(plain, **given)[0].prompt  # noqa: B018
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_known_questions_do_not_do_in_rounds(plain: Path, indexed: Path) -> None:
    with pytest.raises(SeqniahError, match="no vector of the query 'A refined question"):
        _loaded(plain, indexed, task="haystackcraft_dynamic", strategy="dense")[0].prompt  # noqa: B018


def test_another_corpus_index_is_refused(plain: Path, indexed: Path, tmp_path: Path) -> None:
    other = tmp_path / "corpus"
    shutil.copytree(plain, other)
    with (other / "docs.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps({"id": "new", "title": "New", "text": "x"}) + "\n")
    for strategy in ("bm25", "dense"):
        with pytest.raises(SeqniahError, match="is not the index of these articles"):
            _loaded(other, indexed, strategy=strategy)[0].prompt  # noqa: B018


def test_memory_is_asked_before_a_folder_is_read(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQNIAH_MEMORY", "1000")
    other = tmp_path / "corpus"
    shutil.copytree(plain, other)
    (other / "docs.jsonl").write_text("no JSON " * 1_000, "utf-8")
    for words in (["haystackcraft", "index", str(other)],
                  ["haystackcraft", "retrieval", "-T", f"corpus={other}"]):  # fmt: skip
        told = in_process.run(*words, code=1)
        assert "needs about" in told
        assert "articles 16 kB" in told
        assert not (other / "index").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "There is no folder nowhere"),
        (["CORPUS", "--npz", "nowhere"], "no files of vectors at nowhere"),
        (["CORPUS", "--embeddings", "http://h/v1"], "--embeddings URL and --embedding-model NAME"),
        (["CORPUS", "--embedding-model", "m"], "--embeddings URL and --embedding-model NAME"),
        (["CORPUS", "--embeddings", "h", "--embedding-model", "m"], "http://HOST:PORT/v1"),
        (["CORPUS", "--embeddings", "http://h", "--embedding-model", "m", "--model2vec", "x"],
         "give one of them"),
        (["CORPUS", "--model2vec", "./nowhere"], "cannot be loaded"),
        (["CORPUS", "--queries", "DOCUMENTS"], "questions have no vector, such as 'q0'"),
    ],
)  # fmt: skip
def test_what_cannot_be_indexed_is_one_sentence(
    plain: Path, files: tuple[Path, Path], tmp_path: Path, words: list[str], told: str
) -> None:
    if "./nowhere" in words:
        pytest.importorskip("model2vec", reason="needs the extra embed")
    named = {"CORPUS": str(plain), "DOCUMENTS": str(files[0])}
    given = [named.get(word, word) for word in words]
    said = in_process.run("haystackcraft", "index", *given, "--out", str(tmp_path / "i"), code=1)
    assert told in " ".join(said.split())
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "i").exists()
