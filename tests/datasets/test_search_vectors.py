"""Vectors of a library on the disk: from files, servers and static models, and their index."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from http_parts import served

from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search import embedding, npz, vectors
from seqniah_datasets.search.embedding import KEY, Server
from seqniah_datasets.search.index import Index, Known
from seqniah_datasets.search.vectors import Encoded, Published

F32, I8 = np.float32, np.int8
LIBRARY = Library.of([Article(str(number), f"T{number}", "x") for number in (10, 11, 12)])
ALL = [10, 11, 12]


def _npz(path: Path, **columns: npt.ArrayLike) -> Path:
    np.savez(path, **columns)  # type: ignore[arg-type]
    return path


def test_vectors_come_in_the_librarys_order_and_of_length_one(tmp_path: Path) -> None:
    one = _npz(tmp_path / "1.npz", ids=[12, 10], embs=np.array([[3, 4], [0, 0]], np.float16))
    two = _npz(tmp_path / "2.npz", ids=["11"], embs=np.array([[-2.0, 0.0]], np.float64))
    vectors.make(tmp_path / "made", LIBRARY, Published([one, two]))
    found = vectors.load(tmp_path / "made")
    assert found.dtype == F32
    assert found.tolist() == [[0, 0], [-1, 0], [F32(0.6), F32(0.8)]]
    assert np.load(tmp_path / "made" / vectors.ARRAY).tolist() == found.tolist()
    whole = _npz(tmp_path / "3.npz", ids=[11, 12, 10], embs=np.array([[5], [6], [-7]], I8))
    vectors.make(tmp_path / "made", LIBRARY, Published([whole]))
    assert vectors.load(tmp_path / "made").tolist() == [[-1], [1], [1]]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([{"ids": ALL[:2], "embs": np.ones((2, 4))}], "no vector of 1 of 3 articles, such as '12'"),
        ([], "no vector of 3 of 3 articles, such as '10'"),
        ([{"ids": [10, 13], "embs": np.ones((2, 4))}], "0.npz, row 1: '13' is no article"),
        ([{"ids": [10, 10], "embs": np.ones((2, 4))}], "row 1: '10' has a vector already"),
        ([{"ids": ALL, "embs": np.ones((3, 4))}, {"ids": [11], "embs": np.ones((1, 4))}],
         "1.npz, row 0: '11' "),
        ([{"ids": [10], "embs": np.ones((1, 4))}, {"ids": [11, 12], "embs": np.ones((2, 5))}],
         "1.npz: vectors are 5 numbers, those before them 4"),
        ([{"ids": ALL, "embs": [[1], [np.nan], [1]]}], "0.npz: the vector of '11' is not finite"),
        ([{"ids": ALL, "embs": [[1], [1e300], [1]]}], "0.npz: the vector of '11' is not finite"),
        ([{"ids": ALL, "embs": np.ones((2, 4))}], r"3 ids do not fit embs of shape \(2, 4\)"),
        ([{"ids": ALL, "embs": np.ones(3)}], "do not fit embs"),
        ([{"ids": ALL, "embs": np.ones((3, 0))}], "do not fit embs"),
        ([{"ids": ALL, "embs": np.array([["a"]] * 3)}], "embs are numbers"),
        ([{"ids": np.array(ALL, object), "embs": np.ones((3, 4))}], "cannot be read"),
        ([{"ids": [1.5], "embs": np.ones((1, 4))}], "ids are a row of whole numbers or texts"),
        ([{"ids": ALL}], "cannot be read"),
    ],
)  # fmt: skip
def test_files_of_vectors_that_do_not_fit_name_their_place(
    tmp_path: Path, files: list[dict[str, Any]], told: str
) -> None:
    paths = [_npz(tmp_path / f"{number}.npz", **one) for number, one in enumerate(files)]
    with pytest.raises(SeqniahError, match=told):
        vectors.make(tmp_path / "made", LIBRARY, Published(paths))
    assert not (tmp_path / "made").exists()


def test_no_vectors_are_read_of_other_files(tmp_path: Path) -> None:
    for content in (b"", b"\x93NUMPY", b"PK\x03\x04 and no more"):
        (tmp_path / "x.npz").write_bytes(content)
        with pytest.raises(SeqniahError, match=r"x\.npz cannot be read"):
            npz.read(tmp_path / "x.npz")
    with pytest.raises(SeqniahError, match=r"y\.npz cannot be read"):
        npz.read(tmp_path / "y.npz")
    np.savez_compressed(tmp_path / "z.npz", ids=ALL, embs=np.zeros((3, 30_000_000), I8))
    with pytest.raises(SeqniahError, match=r"z\.npz unpacks to more than 200 times"):
        npz.read(tmp_path / "z.npz")


def test_files_are_found_in_folders_and_by_patterns(tmp_path: Path) -> None:
    for name in ("part_2/b.npz", "part_1/a.npz", "part_1/deep/c.npz", "part_1/note.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    wanted = ["part_1/a.npz", "part_1/deep/c.npz", "part_2/b.npz"]
    for given in ([str(tmp_path)], [f"{tmp_path}/part_*"], [f"{tmp_path}/part_1", str(tmp_path)]):
        assert [str(one.relative_to(tmp_path)) for one in npz.files(given)] == wanted
    with pytest.raises(SeqniahError, match="no files of vectors at"):
        npz.files([f"{tmp_path}/part_3*"])


MANY = Library.of([Article(f"a{number}", f"Title {number}", "") for number in range(300)])


def _vector(text: str) -> list[float]:
    """One that tells the last number of a text."""
    last = text.split()[-1]
    return [1.0, float(last) if last.isdigit() else 0.0]


class _Replying:
    """Makes vectors of texts, until it is out of requests."""

    def __init__(self, requests: int = 1_000) -> None:
        self.left = requests
        self.asked: list[list[str]] = []
        self.keys: list[str | None] = []

    def __call__(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> tuple[int, Any]:
        assert (method, path, body["model"]) == ("POST", "/v1/embeddings", "m")
        self.keys.append(headers.get("authorization"))
        if self.left <= 0:
            return 503, {"error": "busy"}
        self.left -= 1
        self.asked.append(body["input"])
        rows = [
            {"index": place, "embedding": _vector(text)} for place, text in enumerate(body["input"])
        ]
        return 200, {"data": rows[::-1]}


@contextmanager
def _server(replying: Any) -> Iterator[Server]:
    with served(replying) as url:
        yield Server(f"{url}/v1/", "m", waits=(0, 0))


def test_a_server_gone_midway_costs_no_batch_that_is_done(tmp_path: Path) -> None:
    for replying, kept in ((_Replying(3), 192), (_Replying(0), 192)):
        with _server(replying) as server, pytest.raises(SeqniahError) as error:
            vectors.make(tmp_path / "v", MANY, Encoded(server))
        assert "after 3 tries (HTTP 503" in str(error.value)
        assert f"{kept} vectors are kept" in str(error.value)
        assert not (tmp_path / "v").exists()
    again = _Replying()
    with _server(again) as server:
        vectors.make(tmp_path / "v", MANY, Encoded(server), workers=4)
        assert sorted(map(len, again.asked)) == [44, 64]
        vectors.make(tmp_path / "v", MANY, Encoded(server))
        assert len(again.asked) == 2
        found = vectors.load(tmp_path / "v")
        numbers = np.arange(300)
        lengths = np.sqrt(1.0 + numbers**2)
        assert found == pytest.approx(np.stack([1 / lengths, numbers / lengths], axis=1), rel=1e-6)
        # Others are not taken for what is asked.
        vectors.make(tmp_path / "v", MANY, Encoded(server, characters=6))
        assert again.asked[2][:2] == ["Title ", "Title "]
    assert sorted(one.name for one in tmp_path.iterdir()) == [".v.lock", "v"]


def test_what_was_begun_of_other_articles_is_begun_anew(tmp_path: Path) -> None:
    with _server(_Replying(2)) as server, pytest.raises(SeqniahError, match="128 vectors are kept"):
        vectors.make(tmp_path / "v", MANY, Encoded(server))
    fewer = Library.of(list(MANY.articles[:200]))
    with _server(replying := _Replying()) as server:
        vectors.make(tmp_path / "v", fewer, Encoded(server))
    assert sum(map(len, replying.asked)) == 200


def test_damaged_vectors_are_refused_and_made_again(tmp_path: Path) -> None:
    path = _npz(tmp_path / "1.npz", ids=ALL, embs=np.eye(3))
    vectors.make(tmp_path / "v", LIBRARY, Published([path]))
    raw = bytearray((tmp_path / "v" / vectors.ARRAY).read_bytes())
    raw[-1] ^= 1
    (tmp_path / "v" / vectors.ARRAY).write_bytes(raw)
    with pytest.raises(DamagedFile, match="damaged"):
        vectors.load(tmp_path / "v")
    vectors.make(tmp_path / "v", LIBRARY, Published([path]))
    assert vectors.load(tmp_path / "v").tolist() == np.eye(3).tolist()


def test_the_key_of_a_server_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with _server(replying := _Replying()) as server:
        server.encode(["a 1"])
        monkeypatch.setenv(KEY, "secret")
        server.encode(["a 1"])
    assert replying.keys == [None, "Bearer secret"]


def _rows(*embeddings: Any) -> dict[str, Any]:
    return {"data": [{"index": at, "embedding": one} for at, one in enumerate(embeddings)]}


@pytest.mark.parametrize(
    ("status", "body", "told", "requests"),
    [
        (401, {"error": "who?"}, f"set {KEY} to its key", 1),
        (404, {"error": "no such model"}, r"of m \(HTTP 404: .*no such model", 1),
        (500, {}, "after 3 tries", 3),
        (200, None, "after 3 tries", 3),
        (200, b"<html>", "does not make vectors", 1),
        (200, {}, "did not answer a vector of m for each text", 1),
        (200, _rows([1.0]), "for each text", 1),
        (200, _rows([1.0], [1.0, 2.0]), "for each text", 1),
        (200, _rows([], []), "for each text", 1),
        (200, _rows(["x"], ["y"]), "for each text", 1),
        (200, _rows([1.0], [None]), "the vector of 'b 2' is not finite", 1),
    ],
)
def test_what_is_no_answer_of_vectors_is_refused(
    status: int, body: Any, told: str, requests: int
) -> None:
    asked: list[str] = []

    def replying(method: str, path: str, sent: Any, headers: Any) -> tuple[int, Any]:
        asked.append(path)
        return status, body

    with _server(replying) as server, pytest.raises(SeqniahError, match=told) as error:
        server.encode(["a 1", "b 2"])
    assert len(asked) == requests
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("url", ["localhost:1", "ftp://host/v1", "http://name:secret@host/v1"])
def test_what_is_no_address_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(SeqniahError, match="given as http://HOST:PORT/v1") as error:
        Server(url, "m")
    assert "secret" not in str(error.value)


class Letters:
    """Counts the letters a to c."""

    batch = 2
    identity = "letters"
    fields = {"model2vec": "letters"}  # noqa: RUF012

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([[text.count(one) for one in "abc"] for text in texts], F32)


WORDS = Library.of([Article("1", "aab", ""), Article("2", "bbc", ""), Article("3", "ccc", "")])


def _index(folder: Path, library: Library = WORDS) -> Index:
    index = Index(folder, library)
    index.make_words()
    index.make_vectors(Encoded(Letters()), 1, None)
    return index


def test_an_index_is_of_its_articles_alone(tmp_path: Path) -> None:
    assert Index(tmp_path, WORDS).words is None
    assert Index(tmp_path, WORDS).dense is None
    index = _index(tmp_path)
    assert index.words is not None
    assert index.words.search("bbc", 3).numbers.tolist() == [1]
    linked = Library.of(WORDS.articles, [("1", "2")])
    assert Index(tmp_path, linked).words is not None  # links are not in it
    other = Index(tmp_path, Library.of([*WORDS.articles, Article("4", "b", "")]))
    for part in ("words", "dense", "vectors_digest"):
        with pytest.raises(SeqniahError, match="is not the index of these articles"):
            getattr(other, part)
    assert "of other articles" in str(other.facts()["vectors"])


def test_queries_are_encoded_as_they_were_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "Static", lambda name: Letters())
    index = _index(tmp_path)
    with pytest.raises(
        SeqniahError, match=r"nothing that makes those of queries; give .*--queries"
    ):
        _ = index.dense
    digests = set()
    for instruction, best in (("", [1, 0, 2]), ("cccc ", [2, 1, 0]), ("aaaa ", [0, 1, 2])):
        index.set_queries(Letters(), instruction, None)
        opened = Index(tmp_path, WORDS)
        assert opened.dense is not None
        assert opened.dense.search("bb", 3).numbers.tolist() == best
        assert len(opened.dense.search(" ", 3)) == 0
        digests.add(opened.vectors_digest)
    assert len(digests) == 3


def _static(folder: Path, words: Sequence[str]) -> str:
    """A model with a direction for each word, in a folder."""
    model2vec = pytest.importorskip("model2vec", reason="needs the extra embed")
    tokenizers = pytest.importorskip("tokenizers")
    known = {word: number for number, word in enumerate(("[UNK]", *words))}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    table = np.eye(len(known), dtype=F32)
    table[0] = 0
    model2vec.StaticModel(table, made, normalize=True).save_pretrained(str(folder))
    return str(folder)


def test_a_static_model_makes_vectors_and_is_known_again(tmp_path: Path) -> None:
    name = _static(tmp_path / "model", ["aab", "bbc"])
    index = Index(tmp_path / "index", WORDS)
    index.make_vectors(Encoded(embedding.Static(name)), 1, None)
    index.set_queries(embedding.Static(name), "", None)
    found = Index(tmp_path / "index", WORDS).dense
    assert found is not None
    assert found.search("the bbc", 1).numbers.tolist() == [1]
    assert len(found.search("the", 1)) == 0
    embedding.static_model.cache_clear()
    _static(tmp_path / "model", ["aab", "ccc"])
    table = tmp_path / "model" / "model.safetensors"
    table.write_bytes(table.read_bytes()[:-4] + np.float32(0.5).tobytes())
    with pytest.raises(SeqniahError, match="is another one than that which documents were"):
        _ = Index(tmp_path / "index", WORDS).dense


def test_known_queries_alone_are_encoded(tmp_path: Path) -> None:
    index = _index(tmp_path)
    index.set_queries(None, "ignored", Known(["first?", "second?"], np.eye(3, dtype=F32)[[2, 0]]))
    found = Index(tmp_path, WORDS).dense
    assert found is not None
    assert found.search("first?", 1).numbers.tolist() == [2]
    assert found.search("second?", 1).numbers.tolist() == [0]
    with pytest.raises(SeqniahError, match="no vector of the query 'third\\?'"):
        found.search("third?", 1)
    with pytest.raises(SeqniahError, match=r"have 2 numbers, those in .*vectors 3"):
        index.set_queries(None, "", Known(["first?"], np.ones((1, 2), F32)))


def test_vectors_of_questions_are_found_by_id(tmp_path: Path) -> None:
    one = _npz(tmp_path / "1.npz", ids=["q2", "q9"], embs=np.array([[2.0, 0], [0, 0]]))
    two = _npz(tmp_path / "2.npz", ids=["q1"], embs=np.array([[0, 0.5]]))
    assert npz.of_all([one, two], ["q1", "q2"]).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(SeqniahError, match="1 questions have no vector, such as 'q3'"):
        npz.of_all([one, two], ["q1", "q3"])
    with pytest.raises(SeqniahError, match="'q2' has a vector already"):
        npz.of_all([one, two, one], ["q1"])
    three = _npz(tmp_path / "3.npz", ids=["q3"], embs=np.ones((1, 3)))
    with pytest.raises(SeqniahError, match=r"3\.npz: vectors are 3 numbers, those before them 2"):
        npz.of_all([one, three], ["q3"])


def test_a_full_disk_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        if (tmp_path / ".v.part" / "done.txt").read_text() != "":
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, _server(_Replying()) as server:
        patch.setattr("os.fsync", full)
        with pytest.raises(SeqniahError, match=r"No space left on device.*done are kept"):
            vectors.make(tmp_path / "v", MANY, Encoded(server))
    with _server(replying := _Replying()) as server:
        vectors.make(tmp_path / "v", MANY, Encoded(server))
    assert sum(map(len, replying.asked)) == 300 - 64
    assert len(vectors.load(tmp_path / "v")) == 300
