"""LOFT's data: files as released, folders of one's own, and corpora of any length."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loft_folders import candidate, musique, rows

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft import corpora, released
from seqniah_datasets.loft.schema import Kind, Passage, Query, Source
from seqniah_datasets.loft.table import data_set, data_sets
from seqniah_datasets.tokens import tokenizer

CL100K = tokenizer()


def example(one: Passage, id: str) -> str:
    return f"{one.text}\nOutput: {[one.title]}\n"


def table(one: Passage, id: str) -> str:
    return f"Table: {one.title}\n{one.text}\n"


# Corpora


def passage(number: int) -> Passage:
    """A passage of a length that depends on its number."""
    return Passage(f"p{number}", f"Title {number}", "word " * (number % 17) + f"end {number}")


def source(few_shot: int = 2, dev: int = 3, test: int = 5, fill: int | None = None) -> Source:
    """Queries with two golds each, of which the first is the next query's too; endless filler
    unless told otherwise."""
    numbers = iter(range(few_shot + dev + test))
    made = {
        split: tuple(
            Query(f"q{n}", ("?",), ([f"p{n}", f"p{n + 1}"],), ((f"p{n}", f"p{n + 1}"),))
            for n in (next(numbers) for _ in range(many))
        )
        for split, many in (("few_shot", few_shot), ("dev", dev), ("test", test))
    }
    golds = few_shot + dev + test + 1

    def filler() -> Iterator[Passage]:
        numbers = count(1_000) if fill is None else range(1_000, 1_000 + fill)
        return map(passage, numbers)

    passages = {f"p{n}": passage(n) for n in range(golds)}
    return Source("made", "retrieval", "digest", made, passages, filler)  # type: ignore[arg-type]


def whole(passages: Mapping[str, Passage], shown: Any = candidate) -> int:
    return CL100K.count("".join(shown(p, str(n)) for n, p in enumerate(passages.values())))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(2_000, 60_000), min_size=2, max_size=4, unique=True))
def test_corpora_are_nested_counted_and_within_the_budget(lengths: list[int]) -> None:
    before: set[str] = set()
    for length in sorted(lengths):
        found = corpora.build(source(), length, candidate, CL100K)
        assert found.tokens == whole(found.passages) <= 0.9 * length
        # The fill ends at the first passage that overflows, so another one has no room.
        longer = [*found.passages.values(), passage(1_000 + len(found.passages) - 11)]
        assert whole({one.pid: one for one in longer}) > 0.9 * length
        assert before <= found.passages.keys()
        before = set(found.passages)
        assert {f"p{n}" for n in range(11)} <= before


def test_a_length_that_the_golds_of_test_exceed_has_no_test_split() -> None:
    made = source(test=60)
    without = whole({f"p{n}": passage(n) for n in range(6)})
    with_test = whole({f"p{n}": passage(n) for n in range(66)})
    short = corpora.build(made, with_test, candidate, CL100K)
    assert short.queries.keys() == {"few_shot", "dev"}
    assert any("no test split" in line for line in short.remarks)
    assert not {f"p{n}" for n in range(6, 66)} & short.passages.keys()
    enough = -(-with_test * 10 // 9) + 1
    assert corpora.build(made, enough, candidate, CL100K).queries.keys() == made.queries.keys()
    with pytest.raises(SeqniahError, match=f"golds of made are {without:,} tokens, more than"):
        corpora.build(made, without, candidate, CL100K)


def test_what_a_user_should_know_is_told() -> None:
    found = corpora.build(source(fill=4), 100_000, candidate, CL100K)
    assert len(found.passages) == 11 + 4
    assert found.remarks == (
        f"made has no more passages: the corpus has {whole(found.passages):,} of 90,000 tokens.",
        "9 golds of made are golds of several queries.",
    )
    twice = source()
    again = Passage("other", passage(0).title, passage(0).text)
    doubled = Source("x", "retrieval", "d", twice.queries, twice.passages, lambda: iter([again]))
    told = corpora.build(doubled, 100_000, candidate, CL100K).remarks
    assert "1 candidates of x have the very words of another one." in told
    leak = Source("x", "retrieval", "d", twice.queries, twice.passages, lambda: iter([passage(0)]))
    with pytest.raises(SeqniahError, match="'p0' is filler and gold"):
        corpora.build(leak, 100_000, candidate, CL100K)


def test_the_order_is_shuffled_anew_for_each_length() -> None:
    orders = [list(corpora.build(source(), n, candidate, CL100K).passages) for n in (3_000, 6_000)]
    kept = [pid for pid in orders[1] if pid in set(orders[0])]
    assert set(kept) == set(orders[0]) and kept != orders[0]


def test_examples_have_one_of_each_class_first() -> None:
    passages = {f"e{n}": Passage(f"e{n}", f"class {n // 50}", f"What is {n}?") for n in range(200)}
    asked = tuple(Query(str(n), ("?",), (["class", str(n)],), ((),)) for n in range(4))
    made = Source("kinds", "icl", "d", {"test": asked}, passages, lambda: iter(()))
    short = corpora.build(made, 120, example, CL100K)
    assert {one.title for one in short.passages.values()} == {f"class {n}" for n in range(4)}
    long = corpora.build(made, 2_000, example, CL100K)
    assert short.passages.keys() < long.passages.keys()
    assert long.tokens == whole(long.passages, example) <= 1_800


def test_sql_has_the_largest_databases_that_fit_as_a_whole() -> None:
    sizes = {"small": 10, "middle": 100, "large": 120, "huge": 2_000}
    tables = {
        f"{name}/{n}": Passage(f"{name}/{n}", f"T{n}", "a,b\n" + "1,2\n" * rows)
        for name, rows in sizes.items()
        for n in range(2)
    }
    queries = tuple(Query(name, ("?",), ([[1]],), ((f"{name}/1",),), name) for name in sizes)
    more = tuple(Query(f"{name}0", ("?",), ([[1]],), ((f"{name}/0",),), name) for name in sizes)
    made = Source("db", "sql", "d", {"test": (*queries, *more)}, tables, lambda: iter(()))
    found = corpora.build(made, 2_000, table, CL100K)
    assert {one.database for one in found.queries["test"]} == {"middle", "large"}
    # Each query is over all tables of its database, whichever it is answered from.
    assert {frozenset(one.golds[0]) for one in found.queries["test"]} == {
        frozenset((f"{name}/0", f"{name}/1")) for name in ("middle", "large")
    }
    with pytest.raises(SeqniahError, match="No database of db is within 9 tokens"):
        corpora.build(made, 10, table, CL100K)


# Files


def released_files(folder: Path) -> Path:
    """NQ at 32k, with one query a split."""
    place = folder / "data" / "retrieval" / "nq" / "32k"
    texts = [("p1", " One ", " First childhood abuse. "), ("p0", "", "Zeroth.")]
    rows(
        place / "corpus.jsonl",
        [{"pid": p, "title_text": t, "passage_text": x, "metadata": {}} for p, t, x in texts],
    )
    for split, pid in (("few_shot", "p1"), ("dev", "p0")):
        query = {"qid": split, "query_text": " Which? ", "answers": [[pid, 1]], "metadata": {}}
        rows(place / f"{split}_queries.jsonl", [query])
    return place


def test_released_files_are_read_as_they_stand(tmp_path: Path) -> None:
    released_files(tmp_path)
    found = released.released(data_set("retrieval", "nq"), tmp_path, "32k")
    assert list(found.passages.values()) == [
        Passage("p1", "One", "First ."),
        Passage("p0", "", "Zeroth."),
    ]
    assert found.queries["dev"] == (Query("dev", ("Which?",), (["p0"],), (("p0",),)),)
    assert found.queries.keys() == {"few_shot", "dev"} and not list(found.filler())


def test_texts_that_licences_keep_out_come_from_beir(tmp_path: Path) -> None:
    place = tmp_path / "retrieval" / "fiqa"
    short = place / "32k"
    rows(short / "corpus.jsonl", [{"pid": "7", "title_text": "", "passage_text": ""}])
    for split in ("few_shot", "dev"):
        query = {"qid": split, "query_text": "", "answers": [["7", 1]], "metadata": {}}
        rows(short / f"{split}_queries.jsonl", [query])
    fiqa = data_set("retrieval", "fiqa")
    with pytest.raises(SeqniahError, match=r"query_text is a text|ids without texts.*fiqa\.zip"):
        released.released(fiqa, tmp_path, "32k")
    beir = place / "source" / "fiqa"
    rows(beir / "corpus.jsonl", [{"_id": "7", "title": "", "text": "Seventh."}])
    texts = [{"_id": "few_shot", "text": "What?"}, {"_id": "dev", "text": "Where?"}]
    rows(beir / "queries.jsonl", texts)
    found = released.released(fiqa, tmp_path, "32k")
    assert found.passages["7"].text == "Seventh." and found.queries["dev"][0].turns == ("Where?",)
    rows(beir / "queries.jsonl", texts[:1])
    with pytest.raises(SeqniahError, match=r"dev_queries.jsonl, line 1: BEIR's queries lack 'dev'"):
        released.released(fiqa, tmp_path, "32k")


_QUERY = {"qid": "a", "query_text": "Which?", "answers": [["p0", 1]], "metadata": {}}


@pytest.mark.parametrize(
    ("name", "written", "words"),
    [
        ("corpus", '{"pid": "p0", "passage_text": "x"}\n' * 2, "line 2: the pid 'p0' is another"),
        ("corpus", '{"pid": "p0"}', "line 1: passage_text is missing"),
        ("corpus", "[" * 100_000, "line 1, is not JSON"),
        ("corpus", "\n", "holds no passage"),
        ("dev_queries", json.dumps(_QUERY) + "\n{", "line 2, is not JSON"),
        ("dev_queries", (json.dumps(_QUERY) + "\n") * 2, "line 2: the qid 'a' is another"),
        ("dev_queries", {"answers": [["p9", 1]]}, "line 1: the corpus lacks 'p9'"),
        ("dev_queries", {"answers": ["p0"]}, "line 1: answers are pairs like"),
        ("dev_queries", {"answers": []}, "line 1: answers are pairs like"),
        ("dev_queries", {"query_text": 7}, "line 1: query_text is a text"),
        ("dev_queries", {"query_text": ["a", "b"]}, "another shape for 2 turns"),
        ("dev_queries", {"metadata": {"qrels": [["p0", 1, 2]]}}, "line 1: qrels are pairs"),
        ("dev_queries", {"metadata": [1]}, "line 1: metadata are an object"),
    ],
)
def test_a_fault_is_told_with_its_file_and_line(
    name: str, written: str | dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = released_files(tmp_path) / f"{name}.jsonl"
    text = written if isinstance(written, str) else json.dumps({**_QUERY, **written})
    path.write_text(text, "utf-8")
    with pytest.raises(SeqniahError) as told:
        released.released(data_set("retrieval", "nq"), tmp_path, "32k")
    assert words in str(told.value) and path.name in str(told.value)
    assert str(told.value).endswith((".", ")."))


@pytest.mark.parametrize(
    ("task", "name", "length", "words"),
    [
        ("retrieval", "nq", "64k", "NQ is not released at 64k; known lengths: 32k, 128k, 1m"),
        ("retrieval", "nq", "128k", r"corpus.jsonl is missing; fetch https://.*/retrieval/nq.zip"),
        ("retrieval", "quora", "32k", "BEIR/datasets/quora.zip into its folder source/quora"),
        ("rag", "nq", "32k", "/rag/nq.zip"),
    ],
)
def test_what_is_missing_is_told_with_what_to_fetch(
    task: str, name: str, length: str, words: str, tmp_path: Path
) -> None:
    released_files(tmp_path)
    with pytest.raises(SeqniahError, match=words):
        released.released(data_set(task, name), tmp_path, length)


def test_conversations_have_an_answer_a_turn(tmp_path: Path) -> None:
    place = tmp_path / "rag" / "topiocqa" / "32k"
    rows(place / "corpus.jsonl", [{"pid": "p0", "title_text": "A", "passage_text": "B"}])
    asked = {
        "qid": "c",
        "query_text": ["Who?", "And then?"],
        "answers": [["x", "y"], "z"],
        "metadata": {"qrels": [[["p0", 1]], []]},
    }
    for split in ("few_shot", "dev"):
        rows(place / f"{split}_queries.jsonl", [asked])
    found = released.released(data_set("rag", "topiocqa"), tmp_path, "32k")
    golds = (("p0",), ())
    assert found.queries["dev"] == (Query("c", ("Who?", "And then?"), (["x", "y"], ["z"]), golds),)


def test_the_table_has_the_text_data_sets_of_the_paper() -> None:
    found = data_sets()
    tasks = [one.task for one in found.values()]
    assert [tasks.count(task) for task in ("retrieval", "rag", "sql", "icl")] == [13, 6, 2, 5]
    assert [one.folder for one in found.values() if not one.released] == [
        "icl/long_icl_bench_dialogue_re"
    ]
    assert {one.name for one in found.values() if one.conversations} == {"topiocqa", "sparc"}
    # Averages as Table 2 has them.
    for task, averages in (("retrieval", (0.77, 0.67, 0.65, 0.76)), ("sql", (0.38, 0.13, 0.20))):
        rows = [one.table2 for one in found.values() if one.task == task]
        for column, wanted in enumerate(averages):
            assert sum(row[column] for row in rows) / len(rows) == pytest.approx(wanted, abs=0.008)
    with pytest.raises(SeqniahError, match="LIB-dialogue is not released"):
        data_set("icl", "long_icl_bench_dialogue_re")


# A folder of one's own


def beir(folder: Path, queries: int = 130, passages: int = 200) -> Path:
    texts = [{"_id": f"d{n}", "title": f"T{n}", "text": f"Text {n}."} for n in range(passages)]
    rows(folder / "corpus.jsonl", texts)
    rows(folder / "queries.jsonl", [{"_id": str(n), "text": f"Q{n}?"} for n in range(queries)])
    lines = [f"{n}\td{n}\t1\n{n}\td{n + 1}\t0\n" for n in range(queries)]
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(f"q\tc\ts\n{''.join(lines)}", "utf-8")
    return folder


def test_beir_folders_make_splits_and_keep_all_golds_out_of_the_fill(tmp_path: Path) -> None:
    found = released.own(beir(tmp_path), "retrieval", 0)
    sizes = {split: len(queries) for split, queries in found.queries.items()}
    assert sizes == {"few_shot": 5, "dev": 10, "test": 100}
    ids = [one.qid for split in found.queries.values() for one in split]
    assert len(set(ids)) == 115
    # Golds of the 15 queries that nobody asks are in no corpus; a score of 0 makes no gold.
    assert {one.pid for one in found.filler()} == {f"d{n}" for n in range(130, 200)}
    assert list(found.filler()) == list(found.filler())
    assert all(one.golds == ((f"d{one.qid}",),) for one in found.queries["test"])
    other = released.own(tmp_path, "retrieval", 1)
    assert other.digest != found.digest and other.queries != found.queries


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("corpus.jsonl", '{"title": "x", "text": "y"}', "line 1: _id is missing"),
        ("queries.jsonl", '{"_id": "0", "text": "y"}', "queries.jsonl lacks the query '1'"),
        ("qrels/test.tsv", "h\n0\td999\t1\n", "corpus.jsonl lacks 'd999', a gold of '0'"),
        ("qrels/test.tsv", "h\n0 d1 1\n", "test.tsv, line 2: a line has query-id"),
    ],
)
def test_a_fault_of_beirs_layout_is_told(name: str, text: str, words: str, tmp_path: Path) -> None:
    beir(tmp_path)
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(SeqniahError, match=words):
        released.own(tmp_path, "retrieval", 0)


@pytest.mark.parametrize("kind", ["retrieval", "rag"])
def test_a_folder_in_lofts_layout_is_ones_own(kind: Kind, tmp_path: Path) -> None:
    place = released_files(tmp_path)
    if kind == "rag":
        for path in place.glob("*_queries.jsonl"):
            rows(path, [{"qid": "a", "query_text": "?", "answers": ["x"], "metadata": {}}])
    found = released.own(place, kind, 0)
    golds = {"p0", "p1"} if kind == "retrieval" else set()
    assert found.passages.keys() == golds
    assert {one.pid for one in found.filler()} == {"p0", "p1"} - golds


# Real data


def test_musique_becomes_corpora_of_the_released_sizes(real_data: Path, tmp_path: Path) -> None:
    folder = musique(real_data, tmp_path)
    CL100K.count("warm")
    began = time.process_time()
    made = released.own(folder, "retrieval", 0)
    found = {n: corpora.build(made, n, candidate, CL100K) for n in (32_000, 128_000, 1_000_000)}
    assert time.process_time() - began < 1.5
    assert "test" not in found[32_000].queries and "test" in found[128_000].queries
    assert 850 <= len(found[128_000].passages) <= 900
    assert found[32_000].passages.keys() - found[128_000].passages.keys() == set()
    assert found[128_000].passages.keys() < found[1_000_000].passages.keys()
    assert found[128_000].tokens == whole(found[128_000].passages)
