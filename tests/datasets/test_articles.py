from __future__ import annotations

import hashlib
import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from seqniah_datasets.articles import folder
from seqniah_datasets.articles.folder import Question
from seqniah_datasets.articles.library import Article, Library, Link
from seqniah_datasets.errors import SeqniahError

A, B, C = Article("a", "Ada", "Sea."), Article("b", "Bo", ""), Article("c", "", "Text.")


def test_links_join_both_ways_once_and_none_to_itself() -> None:
    library = Library.of([A, B, C], [("a", "c"), ("c", "a"), ("a", "c"), ("b", "b")])
    assert library.graph.toarray().tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert library.graph.dtype == np.float32
    assert library.graph.nnz == 2
    assert [library.number(one.id) for one in library.articles] == [0, 1, 2]
    assert Library.of([A]).graph.nnz == 0
    with pytest.raises(SeqniahError, match="no article 'd'"):
        library.number("d")


@pytest.mark.parametrize(
    ("articles", "links", "told"),
    [
        ([], [], "has no articles"),
        ([A, Article("b", " ", "\n")], [], "article 2: the article 'b' has neither title nor text"),
        ([A, B, A], [], "article 3: the id 'a' is already that of article 1"),
        ([A, B], [("a", "b"), ("a", "c")], "link 2: 'a' links to 'c', but there is no article 'c'"),
        ([A, B], [("c", "a")], "link 1: 'c' links to 'a', but there is no article 'c'"),
    ],
)
def test_what_is_no_library_is_refused(
    articles: list[Article], links: list[Link], told: str
) -> None:
    with pytest.raises(SeqniahError, match=told):
        Library.of(articles, links)


def test_the_digest_tells_libraries_apart() -> None:
    told = [
        Library.of([Article(*parts)]).digest for parts in permutations(("x", "xy", "y"))
    ]  # framed: in all of these the same letters follow one another in two ways
    told += [Library.of([Article("xx", "y", "y")]).digest]
    told += [Library.of([A, B, C], links).digest for links in ([], [("a", "b")], [("a", "c")])]
    told += [Library.of(some).digest for some in ([A, B], [B, A])]
    assert len(set(told)) == len(told)
    assert Library.of([A, B, C], [("b", "a"), ("a", "b")]).digest == told[8]
    # One article without links, by hand: count, then each part after its length, then two offsets.
    raw = b"library 1" + bytes([1, *[0] * 7])
    for part in (b"b", b"Bo", b""):
        raw += bytes([len(part), *[0] * 7]) + part
    assert Library.of([B]).digest == hashlib.sha256(raw + bytes(16)).hexdigest()


ROWS = [
    {"id": 7, "title": "Ada", "text": "Line\u2028one", "links": ["8", 9]},
    {"id": "8", "title": "Bo", "text": ""},
    {"id": 9, "text": "Seen\x85twice", "links": None},
]


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def _tables(where: Path) -> None:
    """The rows as two tables, one with ids that are numbers."""
    where.mkdir()
    first = {"id": [7], "title": ["Ada"], "text": ["Line\u2028one"], "links": [[8, 9]]}
    second = {
        "id": ["8", "9"],
        "title": ["Bo", None],
        "text": ["", "Seen\x85twice"],
        "other": [1, 2],
    }
    for name, columns in (("00", first), ("01", second)):
        pyarrow.parquet.write_table(pyarrow.table(columns), where / f"{name}.parquet")


def test_both_forms_of_a_folder_are_one_library(tmp_path: Path) -> None:
    _write(tmp_path / "lines" / "docs.jsonl", ROWS)
    (tmp_path / "tables").mkdir()
    _tables(tmp_path / "tables" / "docs")
    lines, tables = (folder.read_library(tmp_path / name) for name in ("lines", "tables"))
    assert [article.id for article in lines.articles] == ["7", "8", "9"]
    assert lines.articles[0].text == "Line\u2028one"
    assert lines.graph.toarray().tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert lines.digest == tables.digest
    edges = tmp_path / "lines" / "edge_list.csv"
    edges.write_bytes(b'source_node,target_node\r\n8,9\r\n"9",8\r\n')
    assert folder.read_library(tmp_path / "lines").graph.nnz == 6


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("docs.jsonl", b'{"id": 1, "text": "x"}\n{"id": 1, "text": "y"}\n', "docs.jsonl, line 2: "),
        ("docs.jsonl", b'\n{"id": 1, "title": " "}\n', "docs.jsonl, line 2: .* neither"),
        ("docs.jsonl", b'{"id": 1, "text": ["x"]}\n', "line 1: title and text are texts"),
        ("docs.jsonl", b'{"id": true, "text": "x"}\n', "line 1: id is a text or a whole number"),
        ("docs.jsonl", b'{"text": "x"}\n', "line 1: id is a text or a whole number, not 'None'"),
        ("docs.jsonl", b'{"id": 1, "text": "x", "links": [2]}\n', "line 1: '1' links to '2'"),
        ("docs.jsonl", b'{"id": 1, "text": "x", "links": [{}]}\n', "line 1: links is"),
        ("docs.jsonl", b'{"id": 1,\n', "docs.jsonl, line 1, is not JSON"),
        ("docs.jsonl", b'{"id": 1, "text": "\xff"}\n', "docs.jsonl, line 1, is not UTF-8"),
        ("docs.parquet", b"PAR1", "docs.parquet is not a readable Parquet file"),
        ("other.jsonl", b"{}\n", "has no articles: docs.jsonl, docs.parquet, or docs"),
    ],
)  # fmt: skip
def test_articles_that_cannot_be_read_name_their_place(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SeqniahError, match=told):
        folder.read_library(tmp_path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the header is source_node,target_node"),
        (b"source,target\n7,8\n", "line 1: the header is"),
        (b"source_node,target_node\n7,8\n\n7,8,9\n", "edge_list.csv, line 4: a link is two ids"),
        (b"source_node,target_node\n7,10\n", "edge_list.csv, line 2: '7' links to '10'"),
        (b"source_node,target_node\n7,8\r9,7\n", "edge_list.csv, line 2 is not CSV"),
    ],
)
def test_links_that_cannot_be_read_name_their_line(
    tmp_path: Path, content: bytes, told: str
) -> None:
    _write(tmp_path / "docs.jsonl", ROWS)
    (tmp_path / "edge_list.csv").write_bytes(content)
    with pytest.raises(SeqniahError, match=told):
        folder.read_library(tmp_path)


def test_a_folder_has_its_articles_once(tmp_path: Path) -> None:
    _write(tmp_path / "docs.jsonl", ROWS)
    _tables(tmp_path / "docs")
    with pytest.raises(SeqniahError, match="several forms; keep one"):
        folder.read_library(tmp_path)


LIBRARY = Library.of([Article(str(number), "x", "y") for number in range(5)])
ASKED = {"id": 12, "question": "Who?", "answer": "Ada", "answer_aliases": ["A."]}


def test_questions_of_the_published_layout(tmp_path: Path) -> None:
    first = {**ASKED, "p2d_id": {"0": 3, "4": ["1", 3], "5": "0"}}
    second = {"id": "n1", "question": "Where?", "answer": "Bonn", "p2d_id": {"": [2]}}
    _write(tmp_path / "b.jsonl", [second])
    _write(tmp_path / "a.jsonl", [first])
    _write(tmp_path / "docs.jsonl", ROWS)
    files = folder.question_files(tmp_path)
    assert [path.name for path in files] == ["a.jsonl", "b.jsonl"]
    read = folder.read_questions(files, LIBRARY)
    assert read == [
        Question("12", "Who?", "Ada", ("A.",), ("3", "1", "0")),
        Question("n1", "Where?", "Bonn", (), ("2",)),
    ]
    assert [question.hops for question in read] == [3, 1]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"p2d_id": {"0": 9}}, "line 2: the gold article '9' is not in the library"),
        ({"p2d_id": {"0": None}}, "line 2: p2d_id is a text or a whole number"),
        ({"p2d_id": {"0": []}}, "line 2: p2d_id is an object whose values are ids"),
        ({"p2d_id": [1]}, "line 2: p2d_id is an object whose values are ids"),
        ({"p2d_id": {"0": 1}, "question": " "}, "line 2 has no question"),
        ({"p2d_id": {"0": 1}, "answer": None}, "line 2 has no answer"),
        ({"p2d_id": {"0": 1}, "answer_aliases": "A."}, "line 2: answer_aliases is a list"),
        ({"p2d_id": {"0": 1}, "id": 1}, "line 2: the id '1' is already another question's"),
    ],
)
def test_questions_that_cannot_be_asked_name_their_line(
    tmp_path: Path, row: dict[str, object], told: str
) -> None:
    path = tmp_path / "q.jsonl"
    _write(path, [{**ASKED, "id": 1, "p2d_id": {"0": 1}}, {**ASKED, **row}])
    with pytest.raises(SeqniahError, match=told):
        folder.read_questions([path], LIBRARY)


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match="has no questions"):
        folder.question_files(tmp_path)
    (tmp_path / "q.jsonl").write_bytes(b"\n")
    with pytest.raises(SeqniahError, match=r"q\.jsonl: there are no questions"):
        folder.read_questions([tmp_path / "q.jsonl"], LIBRARY)
