"""The hub corpus, against a small hub on this machine; and the kinds of file it brought along."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import huggingface_hub.constants
import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from seqniah_datasets import tokens
from seqniah_datasets.corpora import corpus, hub, readers, worker
from seqniah_datasets.corpora.hub import Budget, HubCorpus
from seqniah_datasets.errors import CorpusError

REPO = "miller/Long-Texts"
COMMIT, LATER = "a1" * 20, "b2" * 20
SMALL = Budget(
    text=60_000,
    long_documents=2,
    long={"en": 12_000, "zh": 12_000},
    shortest={"en": 2_000, "zh": 2_000},
    longest=100_000,
)


def _english(number: int, size: int = 4_000) -> str:
    line = f"The miller of house {number} went to the town and came back with flour in a sack. "
    return line * (size // len(line) + 1)


def _chinese(number: int, size: int = 4_000) -> str:
    line = f"第{number}号磨坊的主人去了镇上，傍晚带着一袋面粉回来。"
    return line * (size // len(line.encode()) + 1)


PORTUGUESE = "O moinho da cidade ficava perto do rio. Era velho e fazia muito barulho. " * 60


def _lines(*rows: Mapping[str, object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _table(header: list[str], *rows: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue().encode("utf-8-sig")


def _paragraphs(text: str) -> str:
    half = len(text) // 2
    return json.dumps([{"行号": 1, "内容": text[:half]}, {"行号": 2, "内容": text[half:]}])


def _pack(raw: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(raw)


def _layout() -> dict[str, bytes]:
    """Files as LongData-Corpus has them, and what should not be taken."""
    return {
        "README.md": b"# Texts",
        "LongData_en/Books-100k/part 1.jsonl.zst": _pack(
            _lines({"text": _english(1)}, {"text": PORTUGUESE}, {"text": _english(2)})
        ),
        "LongData_en/Crawl-32k-3条.json": _lines(
            {"title": "The mill", "text": _english(3) + "=" * 30}, {"title": "None"}
        ),
        "LongData_zh/mill.csv": _table(["text", "id"], [_chinese(4), "1"], [_english(5), "2"]),
        "LongData_zh/mnbvc.csv": _table(["id", "段落"], ["1", _paragraphs(_chinese(6))]),
        "LongData_zh/short.json": _lines({"text": _chinese(7, 500)}, {"text": _chinese(8)}),
    }


class Hub(ThreadingHTTPServer):
    """The few answers of a hub that its client needs, counted, and spoilt when told."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.files = _layout()
        self.revisions = {"main": COMMIT, COMMIT: COMMIT}
        self.sent = 0
        self.asked: list[str] = []
        self.refuses: dict[str, tuple[int, str]] = {}
        """Beginning of a path to status and error code."""
        self.cuts: list[int] = []
        """Bytes after which each next transfer breaks off."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has read enough hangs up; that is no error."""


class _Answers(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(path)
        for start, (status, code) in self.server.refuses.items():
            if path.startswith(start):
                return self._answer(b"", status, code)
        for prefix, answer in (
            (f"/api/datasets/{REPO}/revision/", self._info),
            (f"/api/datasets/{REPO}/tree/{COMMIT}", self._tree),
            (f"/datasets/{REPO}/resolve/{COMMIT}/", self._file),
        ):
            if path.startswith(prefix):
                return answer(path.removeprefix(prefix))
        self._answer(b"", 404, "RepoNotFound")

    def _info(self, revision: str) -> None:
        if revision not in self.server.revisions:
            return self._answer(b"", 404, "RevisionNotFound")
        siblings = [{"rfilename": name} for name in self.server.files]
        facts = {"id": REPO, "sha": self.server.revisions[revision], "siblings": siblings}
        self._answer(json.dumps(facts).encode())

    def _tree(self, place: str) -> None:
        inside = place.strip("/") + "/" if place.strip("/") else ""
        names = [name for name in self.server.files if name.startswith(inside)]
        entries = [
            {"type": "file", "path": name, "oid": "0" * 40, "size": len(self.server.files[name])}
            for name in names
            if "/" not in name.removeprefix(inside)
        ]
        self._answer(json.dumps(entries).encode())

    def _file(self, name: str) -> None:
        raw = self.server.files[name]
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        cut = self.server.cuts.pop(0) if self.server.cuts else len(raw)
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(raw) - start))
        self.end_headers()
        for at in range(start, min(len(raw), start + cut), 8_192):
            part = raw[at : min(at + 8_192, start + cut)]
            self.wfile.write(part)
            self.server.sent += len(part)
        self.close_connection = True

    def _answer(self, body: bytes, status: int = 200, code: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if code:
            self.send_header("X-Error-Code", code)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
        yield running
        running.shutdown()


def _open(root: Path, spec: str = f"hub:{REPO}", budget: Budget = SMALL) -> HubCorpus:
    return HubCorpus(root / "corpora", spec, tokens.tokenizer(), budget)


def _rows(opened: HubCorpus) -> dict[str, str]:
    """Source and text of what the snapshot holds, and that it is what the index is made of."""
    opened.prepare()
    rows = [
        json.loads(line)
        for path in sorted((opened.folder.parent / "texts").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    read = [document.text for shard in opened.shards() for document in shard.documents()]
    assert read == [row["text"] for row in rows]
    return {row["source"]: row["text"] for row in rows}


def _folders(root: Path) -> list[Path]:
    """What stands in the folders of hub corpora, unfinished work included."""
    return [path for path in root.glob("corpora/hub-miller*/*") if path.is_dir()]


def test_a_snapshot_is_taken_cleaned_and_counted(server: Hub, tmp_path: Path) -> None:
    opened = _open(tmp_path)
    rows = _rows(opened)
    assert rows == {
        "LongData_en/Books-100k/part 1.jsonl.zst, line 1": _english(1),
        "LongData_en/Books-100k/part 1.jsonl.zst, line 3": _english(2),
        "LongData_en/Crawl-32k-3条.json, line 1": _english(3) + "====",
        "LongData_zh/mill.csv, line 2": _chinese(4),
        "LongData_zh/mnbvc.csv, line 2": _joined_halves(_chinese(6)),
        "LongData_zh/short.json, line 2": _chinese(8),
    }
    assert opened.left_out() == {"language": 2, "unreadable": 1, "short": 1}
    assert opened.counts() == {"en": 3, "zh": 3, "other": 2}
    assert opened.spec == f"hub:{REPO}@{COMMIT}"
    assert opened.digest.startswith(COMMIT)
    assert opened.folder.parent.name == f"hub-miller-Long-Texts-{COMMIT[:12]}"
    assert len(opened.candidates("zh", 500)) == 3
    with pytest.raises(CorpusError, match=rf"No English document of the corpus {opened.spec}"):
        opened.candidates("en", 100_000)


def _joined_halves(text: str) -> str:
    return text[: len(text) // 2] + "\n" + text[len(text) // 2 :]


def test_only_beginnings_are_transferred(server: Hub, tmp_path: Path) -> None:
    rows = [{"text": _english(number, 4_000)} for number in range(8_000)]
    raw = _lines(*rows)
    server.files = {"en.jsonl": raw, "zh/b.jsonl": raw, "zh/c.jsonl": _lines({"text": _chinese(1)})}
    rows_taken = _rows(_open(tmp_path))
    assert len(rows_taken) == 15 + 1  # the share of zh/b is spent on nothing
    assert server.sent < len(raw) / 3


def test_long_documents_count_beyond_the_share(server: Hub, tmp_path: Path) -> None:
    sizes = [4_000] * 10 + [13_000] * 4 + [101_000]
    rows = [{"text": _english(number, size)} for number, size in enumerate(sizes)]
    server.files = {"en-1.jsonl": _lines(*rows), "en-2.jsonl": _lines(*rows)}
    opened = _open(tmp_path)
    taken = [source.removesuffix(",") for source in _rows(opened)]
    assert sum("en-1" in source for source in taken) == 8 + 2  # 30,000 bytes, then two long ones
    assert "en-1.jsonl, line 12" in taken
    assert "en-1.jsonl, line 13" not in taken
    assert opened.left_out()["surplus"] > 0


def test_a_second_run_needs_no_hub_and_stays_at_its_commit(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _open(tmp_path)
    digest = _rows(first) and first.digest
    asked = len(server.asked)
    server.revisions["main"] = LATER
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    for spec in (f"hub:{REPO}", f"hub:{REPO}@main", first.spec):
        again = corpus(spec, root=tmp_path)
        assert (again.spec, again.digest) == (first.spec, digest)
    assert len(server.asked) == asked


def test_a_revision_is_resolved_and_pinned(server: Hub, tmp_path: Path) -> None:
    server.revisions["refs/pr/1"] = COMMIT
    assert _open(tmp_path, f"hub:{REPO}@refs/pr/1").commit == COMMIT
    assert server.asked == [f"/api/datasets/{REPO}/revision/refs/pr/1"]
    assert _open(tmp_path, f"hub:{REPO}@{LATER}").commit == LATER  # as it stands, not asked for


def test_a_snapshot_is_the_same_in_few_files_and_in_many(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = _open(tmp_path / "1"), _open(tmp_path / "2")
    rows = _rows(one)
    monkeypatch.setattr(hub, "_FILE", 4_000)
    assert _rows(two) == rows
    assert one.digest == two.digest
    texts = [sorted(path.name for path in tmp_path.glob(f"{n}/*/*/texts/*.jsonl")) for n in (1, 2)]
    assert texts[0] == ["en-000.jsonl", "zh-001.jsonl"]
    assert [name[:2] for name in texts[1]] == ["en"] * 3 + ["zh"] * 3


def test_prepare_tells_of_the_transfer_and_then_of_the_index(server: Hub, tmp_path: Path) -> None:
    reports: list[tuple[str, int, int]] = []
    _open(tmp_path).prepare(lambda *report: reports.append(report))
    fetching = [report for report in reports if report[0].startswith("Fetching hub:")]
    assert len(fetching) == 7
    assert [done for _, done, _ in fetching] == sorted(done for _, done, _ in fetching)
    assert fetching[-1][1:] == (120_000, 120_000)
    assert reports[-1][0].startswith("Indexing hub:")


@pytest.mark.parametrize(
    ("refused", "status", "code", "message"),
    [
        ("/api/", 404, "RevisionNotFound", r"no revision main .*corpus=hub:.*@REVISION.*=PATH"),
        ("/api/", 404, "RepoNotFound", r"There is no data set miller/Long-Texts .*corpus=PATH"),
        ("/api/", 401, "", r"gated, private or not there; .*HF_TOKEN.*corpus=PATH"),
        ("/datasets/", 401, "GatedRepo", r"gated, private or not there; .*HF_TOKEN"),
        ("/datasets/", 403, "GatedRepo", r"gated, private or not there; .*HF_TOKEN"),
        ("/datasets/", 403, "", r"gated, private or not there; .*HF_TOKEN"),
        ("/api/", 500, "", r"could not be fetched from http.*try again.*corpus=PATH"),
    ],
)
def test_a_refusal_is_one_sentence(
    server: Hub, tmp_path: Path, refused: str, status: int, code: str, message: str
) -> None:
    server.refuses[refused] = status, code
    with pytest.raises(CorpusError, match=message) as raised:
        _open(tmp_path).prepare()
    assert "\n" not in str(raised.value)
    assert not _folders(tmp_path)
    server.refuses.clear()
    assert len(_rows(_open(tmp_path))) == 6


def test_a_token_is_sent(server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str | None] = set()
    plain = _Answers.do_GET

    def spy(self: _Answers) -> None:
        seen.add(self.headers.get("Authorization"))
        plain(self)

    monkeypatch.setattr(_Answers, "do_GET", spy)
    monkeypatch.setenv("HF_TOKEN", "hf_flour")
    _open(tmp_path).prepare()
    assert seen == {"Bearer hf_flour"}


def test_a_commit_that_is_gone_is_named(server: Hub, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=f"no revision {LATER}"):
        _open(tmp_path, f"hub:{REPO}@{LATER}").prepare()


@pytest.mark.parametrize("spec", ["hub:x", "hub:a/b/c", "hub:../x", "hub:a/b@", "hub:a/b@c d"])
def test_a_spec_that_names_no_data_set_is_refused(tmp_path: Path, spec: str) -> None:
    with pytest.raises(CorpusError, match="is no data set of the hub; write hub:OWNER/NAME"):
        corpus(spec, root=tmp_path)


def test_a_set_without_readable_files_or_fit_texts_is_named(server: Hub, tmp_path: Path) -> None:
    server.files = {"README.md": b"x", "a.bin": b"x", "b.parquet": b"x"}
    with pytest.raises(CorpusError, match=r"has no \.csv, \.json.*corpus=PATH"):
        _open(tmp_path).prepare()
    server.files = {"a.json": b'{"x": 1}', "b.csv": b"", "c.jsonl.zst": b"no", "d.txt": b"\xff"}
    with pytest.raises(CorpusError, match=r"No text of .* will serve .*'unreadable': 4.*=PATH"):
        _open(tmp_path).prepare()
    assert not _folders(tmp_path)


def test_a_broken_transfer_goes_on_where_it_stopped(server: Hub, tmp_path: Path) -> None:
    raw = _lines(*({"text": _english(number, 50_000)} for number in range(6)))
    server.files = {"en.json": raw}
    server.cuts = [150_000]
    wide = replace(SMALL, text=400_000)
    assert list(_rows(_open(tmp_path, budget=wide)).values()) == [
        _english(number, 50_000) for number in range(6)
    ]
    assert sum("/resolve/" in path for path in server.asked) == 2
    assert len(raw) <= server.sent < len(raw) + (1 << 16)


def test_a_transfer_that_ends_leaves_nothing_and_starts_again(server: Hub, tmp_path: Path) -> None:
    server.files["LongData_zh/short.json"] = _lines({"text": _chinese(8, 90_000)})
    start = f"/datasets/{REPO}/resolve/{COMMIT}/LongData_zh/short"
    server.refuses[start] = 503, ""
    opened = _open(tmp_path)
    with pytest.raises(CorpusError, match="could not be fetched"):
        opened.prepare()
    assert not _folders(tmp_path)
    server.refuses.clear()
    assert len(_rows(opened)) == 6


KILLED = """
import os, signal, sys
from pathlib import Path
from seqniah_datasets import store
with store.new_folder(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_damaged_snapshot_is_taken_again(server: Hub, tmp_path: Path) -> None:
    wanted = _rows(_open(tmp_path))
    file = next(tmp_path.glob("corpora/hub-*/texts/en-*.jsonl"))
    file.write_bytes(file.read_bytes()[:-9])
    killed = subprocess.run([sys.executable, "-c", KILLED, str(file.parent)], timeout=60)
    assert killed.returncode == -signal.SIGKILL
    assert len(_folders(tmp_path)) == 3
    assert _rows(_open(tmp_path)) == wanted
    assert {path.name for path in _folders(tmp_path)} == {"texts", "index"}


def test_ctrl_c_leaves_nothing(server: Hub, tmp_path: Path) -> None:
    def interrupt(what: str, done: int, total: int) -> None:
        assert [path.name[:7] for path in _folders(tmp_path)] == [".texts."]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _open(tmp_path).prepare(interrupt)
    assert not _folders(tmp_path)


def test_an_unreachable_hub_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(CorpusError, match=r"could not be fetched from http://127\.0\.0\.1:9 "):
        corpus(f"hub:{REPO}", root=tmp_path)


WORKERS = """
import sys
from pathlib import Path
from seqniah_datasets.corpora import corpus
opened = corpus(sys.argv[1], root=Path(sys.argv[2]))
print(*opened._index([shard.key for shard in opened.shards()], 10**9))
"""


def test_processes_and_workers_open_it_offline(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", WORKERS, f"hub:{REPO}", str(tmp_path)],
            env={**os.environ, **more},
            capture_output=True,
            encoding="utf-8",
            timeout=100,
        )

    first = run(HF_HUB_OFFLINE="1")
    assert "HF_HUB_OFFLINE is set, but the texts of miller/Long-Texts have not" in first.stderr
    _open(tmp_path).left_out()
    asked = len(server.asked)
    done = run(HF_HUB_OFFLINE="1")
    assert done.stdout.split() == ["00000"], done.stderr
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    found = worker.index_in_parallel(["00000"], _open(tmp_path).spec, "qwen", tmp_path, 2)
    assert list(found) == ["00000"]
    assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl.zst", _pack(_lines({"text": "One."})) + _pack(_lines({"content": "Two."}))),
        ("a.json", _lines({"text": "One."}, {"document": "Two."})),
        ("a.json", b'\n[{"text": "One."},\n {"text": "Two."}]'),
        ("a.JSON", b'{\n "text":\n "One.\\nTwo."\n}'),
        ("a.csv", _table(["id", "content"], ["1", "One."], [], ["2", "Two."])),
        ("a.csv", _table(["段落"], [_paragraphs("One.Two.")])),
        ("a.jsonl", _lines({"段落": [{"内容": "One."}, {"行号": 1}, {"内容": "Two."}]})),
        ("a.jsonl", _lines({"meta_text": {"raw_text": "One.\nTwo."}, "text_with_needles": "No."})),
    ],
)
def test_a_folder_reads_these_too(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    shard = corpus(str(tmp_path), root=tmp_path / "cache").shards()[0]
    assert "\n".join(document.text for document in shard.documents()) == "One.\nTwo."


def test_a_table_of_built_examples_gives_the_raw_text(tmp_path: Path) -> None:
    rows = [{"raw_text": "One."}, {"raw_text": "Two."}]
    table = pyarrow.table({"text": ["No.", "No."], "meta_text": rows})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    shard = corpus(str(tmp_path), root=tmp_path / "cache").shards()[0]
    assert [document.text for document in shard.documents()] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"id,body\n1,x\n", r"a\.csv has no text; it needs one of the columns text"),
        ("a.csv", b'text\n"' + b"x\n" * 600, r"a\.csv, line \d+, ends a row of more than 1,000"),
        ("a.csv", b"text\nx\xff\n", r"a\.csv, line 2, is not UTF-8"),
        ("a.csv", b"text\nx\ry\n", r"a\.csv, line 2, is not CSV"),
        ("a.jsonl.zst", b"no such thing", r"a\.jsonl\.zst is not readable zstandard"),
        ("a.jsonl.zst", _pack(b"x" * 10**6), r"a\.jsonl\.zst, line 1, has more than 1,000 bytes"),
        (
            "a.json",
            b"[" + b'{"text": "x"},\n' * 99,
            r"a\.json is one JSON value of more than 1,000",
        ),
        ("a.json", b'[{"text": "x"},\n {"x": 1}]', r"a\.json, entry 2 has no text"),
        ("a.json", b"[" * 900, r"a\.json is not JSON"),
        ("a.jsonl", b'{"text": ' + b"9" * 900, r"a\.jsonl, line 1 is not JSON"),
        ("a.jsonl", _lines({"text_with_needles": "No.", "input": "No."}), r"line 1 has no text"),
        ("a.jsonl", _lines({"段落": "[{"}), r"line 1 has no text"),
    ],
)
def test_what_a_folder_refuses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, message: str
) -> None:
    monkeypatch.setattr(readers, "MAX_ROW", 1_000)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        list(corpus(str(tmp_path), root=tmp_path / "cache").shards()[0].documents())


def test_the_longest_rows_are_skipped_where_bad_ones_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readers, "MAX_ROW", 100)
    raw = _lines({"text": "a"}, {"text": "b" * 250}, {"text": "c"})
    told: list[str] = []
    reader = readers.reader_of("x.jsonl")
    assert reader
    assert [found.text for found in reader(io.BytesIO(raw), "x", told.append)] == ["a", "c"]
    assert len(told) == 1
