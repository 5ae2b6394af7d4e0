"""What the doctor finds in installations, caches and servers that are well, and in broken ones."""

from __future__ import annotations

import importlib
import io
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest
from rich.console import Console

from seqniah_datasets import tokens
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_tasks import doctor
from seqniah_tasks.adapters.lm_eval.tasks import TASKS
from seqniah_tasks.checks import around, installed, kept
from seqniah_tasks.checks.base import Finding, Said, Setting, State
from seqniah_tasks.views import doctor as view


@pytest.fixture
def here(tmp_path: Path) -> Setting:
    """This installation, with a cache of its own and none of the tester's variables."""
    return replace(doctor.setting(), environ={}, cache=tmp_path / "cache", judge_url="")


def _only(found: Iterator[Said]) -> Said:
    said = list(found)
    assert len(said) == 1, said
    return said[0]


def _snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- all of it


def test_a_sound_installation_has_no_problem_and_is_left_as_it_is(here: Setting) -> None:
    here.cache.mkdir()
    found = doctor.examine(here)
    assert [one for one in found if one.state is State.PROBLEM] == []
    assert doctor.exit_code(found) == 0
    assert list(dict.fromkeys(one.check for one in found)) == list(doctor.CHECKS)
    assert list(here.cache.iterdir()) == []


def test_a_check_that_breaks_hides_no_other(here: Setting) -> None:
    def broken(setting: Setting) -> list[Said]:
        raise RuntimeError("no bells")

    found = doctor.examine(here, {"bells": broken, "Python": installed.python})
    assert [(one.check, one.state) for one in found] == [
        ("bells", State.PROBLEM),
        ("Python", State.OK),
    ]
    assert "no bells" in found[0].found
    assert doctor.exit_code(found) == 1
    assert doctor.exit_code([Finding("x", State.NOTE, "y", "z")]) == 0


# --- what is installed


def _install(site: Path, name: str, version: str, *lines: str, entries: str = "") -> None:
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    text = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines])
    (info / "METADATA").write_text(text + "\n", "utf-8")
    (info / "entry_points.txt").write_text(entries, "utf-8")


def _module(site: Path, name: str) -> None:
    (site / name).mkdir(parents=True)
    (site / name / "__init__.py").write_text("raise RuntimeError('run')\n", "utf-8")


def test_packages_are_compared_with_what_seqniah_requires(here: Setting, tmp_path: Path) -> None:
    site = tmp_path / "site"
    _install(
        site, "seqniah", "0.1.0", "Requires-Dist: inspect-ai>=0.3.280", "Requires-Dist: numpy>=2.0",
        "Requires-Dist: tiktoken>=0.9", "Requires-Dist: rich>=13.7", "Requires-Dist: scipy>=1.11",
        "Requires-Dist: gigatoken>=0.10; extra == 'fast'",
    )  # fmt: skip
    _install(site, "inspect-ai", "0.3.99")  # 99 is less than 280
    _install(site, "numpy", "2")  # 2 is 2.0
    _install(site, "tiktoken", "0.10.0")  # 10 is more than 9
    _install(site, "rich", "13.7.1.dev4")
    found = list(installed.packages(replace(here, path=(str(site),))))
    assert found == [
        (
            State.PROBLEM,
            "inspect-ai 0.3.99 is older than 0.3.280",
            "Run pip install 'inspect-ai>=0.3.280'.",
        ),
        (State.PROBLEM, "scipy is missing", "Run pip install 'scipy>=1.11'."),
        (State.OK, "seqniah 0.1.0, tiktoken 0.10.0", ""),
    ]


def test_code_that_is_not_installed_is_a_problem(here: Setting, tmp_path: Path) -> None:
    nowhere = replace(here, path=(str(tmp_path),))
    assert _only(installed.packages(nowhere))[0] is State.PROBLEM
    assert _only(installed.inspect(nowhere))[0] is State.PROBLEM
    assert _only(installed.lm_eval(nowhere))[0] is State.PROBLEM
    state, _, todo = _only(installed.fast_engine(nowhere))
    assert state is State.NOTE
    assert "seqniah[fast]" in todo


@pytest.mark.parametrize(
    ("entries", "face", "state"),
    [
        ("[inspect_ai]\nseqniah = seqniah\n", True, State.OK),
        ("[inspect_ai]\nseqniah = seqniah\n", False, State.PROBLEM),
        ("[inspect_ai]\nother = seqniah\n", True, State.PROBLEM),
        ("[console_scripts]\nseqniah = seqniah\n", True, State.PROBLEM),
        ("", True, State.PROBLEM),
    ],
)
def test_inspect_sees_the_tasks_where_they_are_registered(
    entries: str, face: bool, state: State, here: Setting, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    _module(site, "inspect_ai")
    _install(site, "seqniah", "0.1.0", entries=entries)
    if face:
        (site / "seqniah.py").write_text("raise RuntimeError('run')\n", "utf-8")
    assert _only(installed.inspect(replace(here, path=(str(site),))))[0] is state


def test_lm_eval_sees_the_tasks_where_its_own_folder_has_them(
    here: Setting, tmp_path: Path
) -> None:
    _module(tmp_path, "lm_eval")
    site = replace(here, path=(str(tmp_path),))
    state, what, todo = _only(installed.lm_eval(site))
    assert state is State.NOTE
    assert f"{tmp_path / 'lm_eval'} has no copy" in what
    assert "seqniah lm-eval" in todo and "seqniah lm-eval-path" in todo
    copy = tmp_path / "lm_eval" / "tasks" / "seqniah"
    shutil.copytree(TASKS, copy)
    assert _only(installed.lm_eval(site))[0] is State.OK


@pytest.mark.parametrize("change", ["altered", "missing", "more"])
def test_a_copy_of_other_tasks_is_noted(change: str, here: Setting, tmp_path: Path) -> None:
    _module(tmp_path, "lm_eval")
    copy = tmp_path / "lm_eval" / "tasks" / "seqniah"
    shutil.copytree(TASKS, copy)
    if change == "missing":
        (copy / "seqniah_dev.yaml").unlink()
    else:
        name = "_sequential_niah_yaml" if change == "altered" else "seqniah_old.yaml"
        (copy / name).write_text("task: seqniah_old\n", "utf-8")
    state, what, todo = _only(installed.lm_eval(replace(here, path=(str(tmp_path),))))
    assert state is State.NOTE
    assert f"of another version: {copy}" in what
    assert "seqniah lm-eval" in todo


def test_a_folder_without_code_is_no_package(here: Setting, tmp_path: Path) -> None:
    (tmp_path / "lm_eval" / "tasks" / "seqniah").mkdir(parents=True)
    state, what, todo = _only(installed.lm_eval(replace(here, path=(str(tmp_path),))))
    assert (state, what) == (State.PROBLEM, "lm_eval cannot be imported")
    assert "pip install lm-eval" in todo


def test_a_checkout_that_such_a_folder_hides_is_a_problem(
    here: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Finder:
        """What `pip install -e` appends for a checkout: it knows the place, whatever the path."""

        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
            return PathFinder.find_spec(name, [str(checkout)]) if name == "lm_eval" else None

    checkout = tmp_path / "check out"
    _module(checkout, "lm_eval")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    site = replace(here, path=(str(tmp_path / "site"),))
    assert _only(installed.lm_eval(site))[0] is State.NOTE
    folder = tmp_path / "site" / "lm_eval"
    (folder / "tasks" / "seqniah").mkdir(parents=True)
    importlib.invalidate_caches()
    state, what, todo = _only(installed.lm_eval(site))
    assert state is State.PROBLEM
    assert str(folder) in what and str(checkout / "lm_eval") in what
    assert f"pip install --no-deps -e '{checkout}' --config-settings" in todo


def test_each_damaged_rank_file_is_named(here: Setting, tmp_path: Path) -> None:
    ranks = tmp_path / "ranks"
    shutil.copytree(here.ranks, ranks)
    assert _only(installed.ranks(replace(here, ranks=ranks)))[0] is State.OK
    whole = (ranks / "qwen.tiktoken.gz").read_bytes()
    (ranks / "qwen.tiktoken.gz").write_bytes(whole[: len(whole) // 2])
    (ranks / "o200k_base.tiktoken.gz").unlink()
    shutil.copy(here.ranks / "qwen.tiktoken.gz", ranks / "cl100k_base.tiktoken.gz")
    found = list(installed.ranks(replace(here, ranks=ranks)))
    assert [state for state, _, _ in found] == [State.PROBLEM] * 3
    assert "cl100k_base.tiktoken.gz is not what was published" in found[0][1]
    assert "o200k_base.tiktoken.gz cannot be read" in found[1][1]
    assert "qwen.tiktoken.gz cannot be read" in found[2][1]
    assert all("Reinstall" in todo for _, _, todo in found)


# --- what is kept


def test_a_cache_says_where_it_is_and_how_big(here: Setting) -> None:
    assert "not made yet" in _only(kept.cache(here))[1]
    assert not here.cache.exists()
    (here.cache / "deep").mkdir(parents=True)
    (here.cache / "deep" / "file").write_bytes(bytes(3_000_000))
    state, what, _ = _only(kept.cache(here))
    assert state in (State.OK, State.NOTE)  # a note where the tester's disk is nearly full
    assert what.startswith(f"{here.cache} (3 MB there, ")


def test_a_cache_that_cannot_be_written_is_a_problem(here: Setting, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    state, what, todo = _only(kept.cache(replace(here, cache=tmp_path / "file" / "cache")))
    assert state is State.PROBLEM
    assert "cannot be written" in what
    assert "SEQNIAH_CACHE" in todo


@pytest.fixture
def indexed(here: Setting, texts: Path) -> Setting:
    """A cache with the index of a folder of two texts, which the setting names."""
    open_corpus(str(texts), "cl100k_base", here.cache).prepare()
    return replace(here, corpus=str(texts))


def test_a_folder_is_complete_once_it_is_indexed(here: Setting, indexed: Setting) -> None:
    before = _snapshot(indexed.cache)
    assert _only(kept.corpus(indexed))[0] is State.OK
    state, what, todo = _only(kept.indexes(indexed))
    assert (state, todo) == (State.OK, "")
    assert what.endswith(": 1 part, all whole")
    state, what, _ = _only(kept.corpus(replace(indexed, tokenizer="qwen")))
    assert state is State.NOTE
    assert "0 of 1 parts indexed with qwen; not complete" in what
    assert _snapshot(indexed.cache) == before


def _cut_text(part: Path) -> None:
    (part / "text").write_bytes((part / "text").read_bytes()[:-1])


def _lose_text(part: Path) -> None:
    (part / "text").unlink()


def _garble_manifest(part: Path) -> None:
    (part / "manifest.json").write_text('{"files": {"text": 3}}', "utf-8")


def _empty_manifest(part: Path) -> None:
    (part / "manifest.json").write_text("", "utf-8")


def _lose_counts(part: Path) -> None:
    for path in part.glob("tokens-*"):
        path.unlink()


@pytest.mark.parametrize(
    "damage", [_cut_text, _lose_text, _garble_manifest, _empty_manifest, _lose_counts]
)
def test_a_damaged_index_is_noted_and_not_mended(
    damage: Callable[[Path], None], indexed: Setting
) -> None:
    (part,) = [p for p in (indexed.cache / "corpora").glob("folder-*/*") if p.is_dir()]
    damage(part)
    before = _snapshot(indexed.cache)
    state, what, todo = _only(kept.indexes(indexed))
    assert state is State.NOTE
    assert f"incomplete or damaged: {part.name}" in what
    assert todo
    assert _snapshot(indexed.cache) == before


def test_indexes_of_other_versions_are_told_apart(here: Setting) -> None:
    open_corpus("procedural", "cl100k_base", here.cache).ensure("en-x-3k")
    old = here.cache / "corpora" / "procedural-000000000000"
    old.mkdir()
    (old / "file").write_bytes(bytes(2_000_000))
    found = list(kept.indexes(here))
    assert [state for state, _, _ in found] == [State.OK, State.NOTE]
    assert found[0][1].endswith(": 1 part, all whole")
    assert found[1][1] == "1 of other versions of the embedded corpus, 2 MB"
    state, what, _ = _only(kept.corpus(here))
    assert state is State.OK
    assert what == "procedural: written as samples need it"


KILLED = """
import os, signal, sys
from pathlib import Path
from seqniah_datasets import store
with store.new_folder(Path(sys.argv[1])) as place:
    (place / "half").write_bytes(bytes(3_000_000))
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    print(flush=True)
    sys.stdin.readline()
"""


def test_what_killed_commands_left_is_told_with_its_size(
    here: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "reports").mkdir()
    monkeypatch.chdir(tmp_path)
    assert _only(kept.leftovers(here))[0] is State.OK
    for path in (here.cache / "corpora" / "folder-x" / "00000", tmp_path / "reports" / "figures"):
        subprocess.run([sys.executable, "-c", KILLED, str(path), "killed"], timeout=60)
    writing = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path / "build"), "alive"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert writing.stdout and writing.stdout.readline()
    before = _snapshot(tmp_path)
    state, what, todo = _only(kept.leftovers(here))
    assert state is State.NOTE
    assert what.startswith("2 left half-written by killed commands, 6 MB: ")
    assert "/folder-x/.00000." in what and "/reports/.figures." in what
    assert "Delete them" in todo
    assert _snapshot(tmp_path) == before
    writing.communicate(b"\n", timeout=60)


@pytest.mark.parametrize("make", ["missing", "empty", "odd"])
def test_a_corpus_that_cannot_be_used_is_a_problem(
    make: str, here: Setting, tmp_path: Path
) -> None:
    place = tmp_path / "corpus"
    if make == "empty":
        place.mkdir()
    if make == "odd":
        place.write_bytes(b"x")
    state, what, todo = _only(kept.corpus(replace(here, corpus=str(place))))
    assert state is State.PROBLEM
    assert str(place) in what
    assert "--corpus" in todo


def test_a_tokenizer_that_cannot_be_used_is_told_once(here: Setting, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    for name in ("cl200k", str(tmp_path / "tokenizer.json")):
        setting = replace(here, tokenizer=name)
        assert _only(kept.tokenizer(setting))[0] is State.PROBLEM
        assert _only(kept.corpus(setting))[0] is State.NOTE
    assert _only(kept.tokenizer(here))[1].startswith("cl100k_base (223921b76ee9")
    assert tokens.ENCODINGS["cl100k_base"].sha256.startswith("223921b76ee9")


def test_a_hub_corpus_is_looked_up_in_the_cache_alone(here: Setting) -> None:
    commit = "ab" * 20
    setting = replace(here, corpus=f"hub:owner/name@{commit}")
    assert _only(kept.corpus(setting))[0] is State.NOTE
    offline = replace(setting, environ={"HF_HUB_OFFLINE": "1"})
    assert _only(kept.corpus(offline))[0] is State.PROBLEM
    assert not here.cache.exists()
    folder = here.cache / "corpora" / f"hub-owner-name-{commit[:12]}"
    (folder / "texts").mkdir(parents=True)
    (folder / "texts" / "en-000.jsonl").write_text("12345", "utf-8")
    manifest = {"files": {"en-000.jsonl": {"size": 5, "sha256": ""}}}
    (folder / "texts" / "snapshot").write_text(json.dumps(manifest), "utf-8")
    assert _only(kept.corpus(offline))[0] is State.OK
    assert _only(kept.corpus(replace(offline, corpus="hub:owner/name")))[0] is State.OK
    assert _only(kept.corpus(replace(setting, corpus="hub:owner/other")))[0] is State.NOTE
    assert _only(kept.indexes(setting))[0] is State.OK
    (folder / "texts" / "en-000.jsonl").write_text("1234", "utf-8")
    assert "damaged: texts" in _only(kept.indexes(setting))[1]
    assert _only(kept.corpus(setting))[0] is State.NOTE
    assert _only(kept.corpus(replace(setting, corpus="hub:name")))[0] is State.PROBLEM


# --- what lies around


@contextmanager
def _server(status: int, body: bytes, wait: float = 0) -> Iterator[tuple[str, list[str]]]:
    """A server's URL, and what it is asked: path and authorization."""
    asked: list[str] = []
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.path} {self.headers.get('Authorization')}")
            over.wait(wait)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # who waited too long has gone
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            over.set()
            server.shutdown()


def _judged(
    here: Setting, status: int, body: bytes, environ: Mapping[str, str] | None = None
) -> tuple[Said, list[str]]:
    with _server(status, body) as (url, asked):
        setting = replace(here, judge_url=f"{url}/v1/", environ=environ or {})
        return _only(around.judge(setting)), asked


def test_a_judge_says_which_models_it_serves(here: Setting) -> None:
    models = [{"id": "big/judge", "max_model_len": 32_768}, {"id": "small"}]
    (state, what, _), asked = _judged(here, 200, json.dumps({"data": models}).encode())
    assert state is State.OK
    assert what.endswith("/v1 serves big/judge (window 32,768), small")
    assert asked == ["/v1/models None"]


def test_a_judge_is_sent_its_key_which_is_never_shown(here: Setting) -> None:
    key = {"JUDGE_API_KEY": "sk-secret"}
    said, asked = _judged(here, 401, b"", key)
    assert said[0] is State.PROBLEM
    assert "JUDGE_API_KEY" in said[2]
    assert asked == ["/v1/models Bearer sk-secret"]
    said, _ = _judged(here, 200, b'{"data": [{"id": "m"}]}', {"JUDGE_API_KEY": "sk-se\ncret"})
    assert said[0] is State.PROBLEM
    assert "cret" not in " ".join(said)


@pytest.mark.parametrize(
    ("status", "body", "what"),
    [
        (404, b"", "answers with status 404"),
        (200, b"<html>", "does not list models"),
        (200, b"[]", "does not list models"),
        (200, b'{"data": [{}]}', "does not list models"),
        (200, b'{"data": null}', "does not list models"),
        (200, b'{"data": [3]}', "does not list models"),
        (200, b"\xff\xfe", "does not list models"),
        (200, b'{"data": []}', "serves no model"),
    ],
)
def test_a_judge_that_is_none_is_a_problem(
    status: int, body: bytes, what: str, here: Setting
) -> None:
    (state, found, todo), _ = _judged(here, status, body)
    assert state is State.PROBLEM
    assert what in found
    assert todo


@pytest.mark.parametrize("url", ["http://name:word@127.0.0.1:9/v1?key=word", "http://127.0.0.1:9"])
def test_a_judge_that_is_not_there_is_a_problem(url: str, here: Setting) -> None:
    state, what, _ = _only(around.judge(replace(here, judge_url=url)))
    assert state is State.PROBLEM
    assert "http://127.0.0.1:9" in what
    assert "word" not in what


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "http://h:port/"])
def test_a_judge_needs_a_url(url: str, here: Setting) -> None:
    state, _, todo = _only(around.judge(replace(here, judge_url=url)))
    assert state is State.PROBLEM
    assert "http://localhost:8000/v1" in todo


def test_a_judge_that_says_nothing_is_not_waited_for(here: Setting) -> None:
    with _server(200, b"{}", wait=30) as (url, _):
        start = time.monotonic()
        state, what, _ = _only(around.judge(replace(here, judge_url=url)))
        assert 2.5 < time.monotonic() - start < 25
    assert state is State.PROBLEM
    assert "did not answer in 3 s" in what


def test_no_judge_is_no_problem_and_the_variable_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_BASE_URL", raising=False)
    assert _only(around.judge(doctor.setting()))[0] is State.OK
    monkeypatch.setenv("JUDGE_BASE_URL", "http://one/v1")
    assert doctor.setting().judge_url == "http://one/v1"
    assert doctor.setting(judge_url="http://two/v1").judge_url == "http://two/v1"


def test_keys_are_told_by_name_alone(here: Setting) -> None:
    environ = {"OPENAI_API_KEY": "sk-1234", "HF_TOKEN": "hf-5678", "X_API_KEY": " ", "PATH": "/"}
    found = list(around.keys(replace(here, environ=environ)))
    assert found[0] == (State.OK, "HF_TOKEN, OPENAI_API_KEY", "")
    assert found[1][:2] == (State.NOTE, "set, but empty: X_API_KEY")
    assert "1234" not in str(found) and "5678" not in str(found)
    assert _only(around.keys(here))[0] is State.OK


def test_variables_that_seqniah_never_reads_are_noted(here: Setting) -> None:
    environ = {"SEQNIAH_CACHE": "/place", "SEQNIAH_CASHE": "secret", "OTHER": "x"}
    found = list(around.variables(replace(here, environ=environ)))
    assert found[0] == (State.OK, "SEQNIAH_CACHE=/place (where indexes are kept)", "")
    assert found[1][:2] == (State.NOTE, "set, but never read: SEQNIAH_CASHE")
    assert "secret" not in str(found)


@pytest.mark.parametrize(
    ("encoding", "state"),
    [("utf-8", State.OK), ("gb18030", State.OK), ("ascii", State.NOTE), ("cp1252", State.NOTE),
     ("no-such", State.NOTE)],
)  # fmt: skip
def test_a_terminal_without_chinese_is_noted(encoding: str, state: State, here: Setting) -> None:
    assert _only(around.terminal(replace(here, encoding=encoding)))[0] is state


# --- what is printed


@pytest.mark.parametrize("width", [80, 120])
def test_findings_fit_the_terminal(width: int) -> None:
    long = "/a/folder/with/a/long/name" * 8
    found = [
        Finding("cache", State.OK, "there"),
        Finding("cache", State.NOTE, long, "Nothing."),
        Finding("judge", State.PROBLEM, "[Errno 111] refused", "Start [it]."),
    ]
    out = io.StringIO()
    view.print_findings(Console(file=out, width=width), found)
    printed = out.getvalue()
    assert max(map(len, printed.splitlines())) <= width
    assert "[Errno 111] refused" in printed
    assert "> Start [it]." in printed
    assert printed.rstrip().endswith("1 problem, 1 note.")


def test_findings_as_json() -> None:
    found = [Finding("cache", State.NOTE, "full", "Free some.")]
    assert json.loads(json.dumps(view.as_json(found))) == [
        {"check": "cache", "state": "note", "found": "full", "todo": "Free some."}
    ]


def test_every_problem_comes_with_what_to_do(here: Setting, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    worst = replace(
        here,
        corpus=str(tmp_path / "none"),
        tokenizer="none",
        judge_url="none",
        cache=tmp_path / "file" / "cache",
        path=(str(tmp_path),),
        ranks=tmp_path,
    )
    found = doctor.examine(worst)
    problems = [one for one in found if one.state is State.PROBLEM]
    assert {one.check for one in problems} == {
        "packages", "inspect", "lm-eval", "rank files", "cache", "tokenizer", "judge",
    }  # fmt: skip
    assert all(one.todo.endswith(".") for one in problems)
    assert doctor.exit_code(found) == 1
