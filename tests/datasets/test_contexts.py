"""Published files: contexts read by line, folders and what they lack, a hub on this machine."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import huggingface_hub.constants
import pytest

from seqniah_datasets.articles.contexts import Context, Contexts, line_of, place
from seqniah_datasets.articles.published import Local, release
from seqniah_datasets.errors import SeqniahError

PUBLISHED = Path(__file__).parent.parent / "data" / "haystackcraft"
FILE = "bm25_ppr/seed_10_alpha_0.5/8000.jsonl"
TWO_HOPS = "2hop__101_102"


@pytest.mark.parametrize(
    ("strategy", "folder"),
    [
        ("bm25", "bm25"),
        ("bm25+ppr", "bm25_ppr/seed_10_alpha_0.5"),
        ("dense", "qwen3_0.6"),
        ("dense+ppr", "qwen3_0.6_ppr/seed_5_alpha_0.5"),
        ("hybrid", "hybrid_bm25_qwen3_0.6"),
        ("hybrid+ppr", "hybrid_bm25_qwen3_0.6_ppr/seed_5_alpha_0.15"),
    ],
)
def test_files_have_the_published_names(strategy: str, folder: str) -> None:
    assert place(strategy, 64_000) == f"{folder}/64000.jsonl"


# Contexts


def test_a_context_is_read_as_it_stands() -> None:
    path = PUBLISHED / "data" / FILE
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = Contexts(path)
    for row in rows:
        context = found.of(row["id"], [])
        assert context.texts == row["docs_added"]
        assert line_of(row["id"], context) == row
    assert found.digest == hashlib.sha256(path.read_bytes()).hexdigest()


RANKS: list[tuple[list[str], list[str], list[int | None]]] = [
    # order, golds, ranks
    (["b", "x", "a", "y"], ["a", "b"], [3, 1]),
    (["x", "y", "a"], ["a"], [None]),
    (["a", "x", "b", "c"], ["a", "c", "b"], [1, None, None]),
    (["a", "b"], ["a", "b"], [None, None]),
]


@pytest.mark.parametrize(("order", "golds", "ranks"), RANKS)
def test_golds_behind_all_others_have_no_rank(
    order: list[str], golds: list[str], ranks: list[int | None]
) -> None:
    context = Context(dict.fromkeys(order, ""), (tuple(order),) * 4)
    assert context.ranks(golds) == ranks
    assert context.overfull(golds) == (len(golds) == len(order))


def test_a_context_can_be_of_golds_alone() -> None:
    whole = Contexts(PUBLISHED / "data" / FILE).of(TWO_HOPS, [])
    golds = whole.only(["101", "102"])
    assert golds.texts.keys() == {"101", "102"}
    assert golds.orders == (("101", "102"), ("101", "102"), ("102", "101"), ("102", "101"))
    assert whole.title("101") == "Tessa Varn"


def _line(**changed: Any) -> str:
    order = ["1", "2"]
    orders = dict.fromkeys(("descending_order", "permutation_1", "permutation_2"), order)
    usual = {"id": "q", "docs_added": {"1": "One", "2": "Two"}, **orders, "permutation_3": order}
    return json.dumps({**usual, **changed}) + "\n"


def test_ids_may_be_numbers_and_stand_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "8000.jsonl"
    row = json.loads(_line(id=7, descending_order=[2, 1]))
    row["id"] = row.pop("id")
    path.write_text("\n" + json.dumps(row) + "\n" + _line(id='"p"'), "utf-8")
    found = Contexts(path)
    assert found.of("7", ["1"]).orders[0] == ("2", "1")
    assert found.of('"p"', ["2"]).orders[0] == ("1", "2")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (_line() + _line(), "line 2, has the id 'q' of .*line 1; drop one"),
        (_line(id="other"), "has no context of the question 'q'"),
        ("", "has no context of the question 'q'"),
        (_line(id=None), "line 1, has no id"),
        (_line(id=True), "line 1, has no id"),
        (_line()[:-20], "line 1, is not JSON"),
        (_line(docs_added=["One"]), "line 1: docs_added is an object of texts"),
        (_line(docs_added={"1": "One", "2": 2}), "line 1: docs_added is an object of texts"),
        (_line(docs_added={"2": "Two"}), "line 1: docs_added lacks the gold document '1'"),
        (_line(descending_order=["1"]), "line 1: descending_order is a list of all the ids"),
        (_line(permutation_2=["1", "1"]), "line 1: permutation_2 is a list of all the ids"),
        (_line(permutation_3=None), "line 1: permutation_3 is a list of all the ids"),
    ],
)
def test_what_is_not_of_the_layout_is_named_with_its_line(
    tmp_path: Path, lines: str, told: str
) -> None:
    path = tmp_path / "8000.jsonl"
    path.write_text(lines, "utf-8")
    with pytest.raises(SeqniahError, match=told) as raised:
        Contexts(path).of("q", ["1"])
    assert "\n" not in str(raised.value)


def test_a_file_that_changes_midway_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "8000.jsonl"
    path.write_text(_line(), "utf-8")
    found = Contexts(path)
    found.check(["q"])
    path.write_text(_line(id="p"), "utf-8")
    with pytest.raises(SeqniahError, match="is not what it was"):
        found.of("q", ["1"])


# Folders


def test_a_folder_is_named_by_its_root_or_its_data() -> None:
    for path in (PUBLISHED, PUBLISHED / "data"):
        assert Local(path).folder([FILE]) == PUBLISHED / "data"
    assert Local(PUBLISHED).sizes("bm25+ppr") == (8_000, 16_000)
    assert Local(PUBLISHED).sizes("dense") == (8_000, 16_000, 32_000, 64_000, 128_000)


def test_what_is_missing_is_told_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError) as raised:
        Local(tmp_path).folder(["nq_filtered.jsonl", FILE])
    assert str(raised.value) == (
        f"{tmp_path}/data/nq_filtered.jsonl and 1 more are not there; fetch them with hf "
        f"download Graph-COM/HaystackCraft data/nq_filtered.jsonl data/{FILE} --repo-type dataset "
        f"--local-dir {tmp_path}"
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nowhere", "There is no folder nowhere"),
        ("hub:Graph-COM/HaystackCraft", "names no commit"),
        ("hub:Graph-COM/HaystackCraft@main", "names no commit"),
        (f"hub:../HaystackCraft@{'a' * 40}", "names no commit"),
    ],
)
def test_data_that_is_neither_is_refused(given: str, told: str) -> None:
    with pytest.raises(SeqniahError, match=told):
        release(given)


# The hub

REPO, COMMIT = "Graph-COM/HaystackCraft", "c0" * 20


class _Hub(ThreadingHTTPServer):
    """The files of the fixture as a data set's at one commit."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.sent: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answers(BaseHTTPRequestHandler):
    server: _Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        if body := self._answer():
            self.server.sent.append(self.path.rpartition("/")[2])
            self.wfile.write(body)

    def _answer(self) -> bytes:
        prefix, path = f"/datasets/{REPO}/resolve/", unquote(self.path)
        commit, _, name = path.removeprefix(prefix).partition("/")
        file = PUBLISHED / name
        if not path.startswith(prefix):
            return self._head(404, {"X-Error-Code": "RepoNotFound"})
        if commit != COMMIT:
            return self._head(404, {"X-Error-Code": "RevisionNotFound"})
        if not file.is_file():
            return self._head(404, {"X-Error-Code": "EntryNotFound"})
        body = file.read_bytes()
        etag = f'"{hashlib.sha256(body).hexdigest()}"'
        self._head(200, {"ETag": etag, "X-Repo-Commit": COMMIT}, len(body))
        return body

    def _head(self, status: int, headers: dict[str, str], size: int = 0) -> bytes:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(size)}.items():
            self.send_header(name, value)
        self.end_headers()
        return b""

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[_Hub]:
    with _Hub() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
        yield running
        running.shutdown()


def test_files_of_the_hub_are_fetched_whole_and_once(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = release(f"hub:{REPO}@{COMMIT}").folder(["nq_filtered.jsonl", FILE])
    for name in ("nq_filtered.jsonl", FILE):
        assert (place / name).read_bytes() == (PUBLISHED / "data" / name).read_bytes()
    assert hub.sent == ["nq_filtered.jsonl", "8000.jsonl"]
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert release(f"hub:{REPO}@{COMMIT}").folder([FILE, "nq_filtered.jsonl"]) == place
    assert len(hub.sent) == 2


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (f"hub:{REPO}@{COMMIT}", f"there is no data/gone.jsonl at the commit {COMMIT}"),
        (f"hub:{REPO}@{'d' * 40}", f"has no revision {'d' * 40} .*data=hub:.*files with data=PATH"),
        (f"hub:Graph-COM/Other@{COMMIT}", "There is no data set Graph-COM/Other"),
    ],
)
def test_what_the_hub_lacks_is_told_in_one_sentence(hub: _Hub, given: str, told: str) -> None:
    with pytest.raises(SeqniahError) as raised:
        release(given).folder(["gone.jsonl"])
    assert re.search(told, str(raised.value))
    assert "\n" not in str(raised.value)


def test_without_a_network_the_hub_says_what_to_do(
    hub: _Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(SeqniahError, match=r"HF_HUB_OFFLINE is set, but the files of .*data=PATH"):
        release(f"hub:{REPO}@{COMMIT}").folder([FILE])
