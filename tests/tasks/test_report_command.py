"""`seqniah report`, as a user calls it, on logs that both harnesses wrote."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import command_line
import pytest

SMALL = ["-T", "length=8k-16k", "--limit", "12"]


def _run(words: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    here = str(Path(sys.executable).parent)
    env = {
        **os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "INSPECT_DISPLAY": "none",
        "COLUMNS": "300", **more,
    }  # fmt: skip
    return command_line.run(words, cwd=folder, env=env)


def _report(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return _run(["seqniah", "report", *words], folder, **more)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two readers on the same samples, and a noise suite."""
    folder = tmp_path_factory.mktemp("runs")
    for task, model in (("test", "lexical"), ("test", "skimming"), ("noise", "lexical")):
        words = ["inspect", "eval", f"seqniah/{task}", "--model", f"seqniah/{model}", *SMALL]
        more = ["-T", "bases=1", "--limit", "13"] if task == "noise" else []
        done = _run([*words, *more, "--log-dir", "logs"], folder)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "logs"


def test_two_readers_are_compared(logs: Path, tmp_path: Path) -> None:
    done = _report(tmp_path, str(logs), "--out", "report", "--title", "Two readers & a suite")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^seqniah/lexical: \d+\.\d% of 12$", done.stdout, re.M)
    assert done.stdout.endswith("Open report/index.html\n")
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "<title>Two readers &amp; a suite</title>" in page
    for section in ("accuracy", "pairs", "depth", "failures", "order", "noise", "page-singles"):
        assert f'id="{section}"' in page, section
    with (tmp_path / "report" / "tables" / "runs.csv").open(newline="", encoding="utf-8") as file:
        told = {row["run"]: row["answers"] for row in csv.DictReader(file)}
    assert told == {"seqniah/lexical": "12", "seqniah/skimming": "12"}
    texts = [path for path in _files(tmp_path / "report") if path.suffix != ".png"]
    telling = [path.name for path in texts if str(logs.parent) in path.read_text("utf-8")]
    assert not telling, "where files are on this machine is nobody's business"
    assert "figures/recall-by-depth-and-length-of-seqniah-skimming.svg" in page
    linked = set(re.findall(r'href="((?:figures|tables)/[^"]+)"', page))
    assert linked == {
        str(path.relative_to(tmp_path / "report"))
        for path in (tmp_path / "report").glob("*/*")
    }  # fmt: skip


def test_the_same_logs_give_the_same_bytes(logs: Path, tmp_path: Path) -> None:
    for out, seed in (("one", {}), ("two", {"PYTHONHASHSEED": "2"})):
        assert _report(tmp_path, str(logs), "--out", out, **seed).returncode == 0
    first, second = (
        {path.relative_to(tmp_path / out): path.read_bytes() for path in _files(tmp_path / out)}
        for out in ("one", "two")
    )
    assert len(first) > 40
    assert first == second


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_lm_eval_and_single_logs_and_verdicts_are_read_alike(tmp_path: Path) -> None:
    words = ["lm_eval", "run", "--model", "dummy", "--limit", "1", "--tasks", "seqniah_en"]
    assert _run([*words, "--log_samples", "--output_path", "out"], tmp_path).returncode == 0
    assert (
        _run(["seqniah", "score", "lm-eval", "out", "--out", "v.jsonl"], tmp_path).returncode == 0
    )
    for given in ("out", "v.jsonl"):
        done = _report(tmp_path, given, "--out", f"report-{given}")
        assert done.returncode == 0, done.stderr
        assert "0.0% of 3" in done.stdout
    whole, bare = (
        (tmp_path / f"report-{given}" / "index.html").read_text("utf-8")
        for given in ("out", "v.jsonl")
    )
    # Verdicts have no texts, so nothing to show one by one.
    assert 'id="page-singles"' in whole and 'id="page-singles"' not in bare


def test_without_matplotlib_only_the_png_files_are_missing(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / "matplotlib.py").write_text("raise ImportError('hidden')\n", "utf-8")
    hidden = {"PYTHONPATH": str(tmp_path / "hide")}
    done = _report(tmp_path, str(logs), "--out", "report", **hidden)
    assert done.returncode == 0
    assert "pip install 'seqniah[report]'" in done.stderr
    kinds = {path.suffix for path in _files(tmp_path / "report")}
    assert kinds == {".html", ".svg", ".csv"}
    assert ".png" not in (tmp_path / "report" / "index.html").read_text("utf-8")


def test_no_single_answers_where_none_are_wanted(logs: Path, tmp_path: Path) -> None:
    assert _report(tmp_path, str(logs), "--out", "report", "--examples", "0").returncode == 0
    assert 'id="page-singles"' not in (tmp_path / "report" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "out", "told"),
    [
        ("nowhere", "report", "There is no nowhere; give logs, or a folder of them."),
        ("empty", "report", "No log of a seqniah task with a sample in it is in empty"),
        ("notes.txt", "report", "notes.txt is no log by its name"),
        ("broken.eval", "report", "broken.eval is not a readable log of inspect"),
        ("LOGS", "notes.txt", "notes.txt is a file; --out is a folder."),
        ("LOGS", ".", "holds other things than a report; give --out a new or empty folder."),
    ],
)
def test_mistakes_are_one_sentence(
    logs: Path, tmp_path: Path, given: str, out: str, told: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    (tmp_path / "broken.eval").write_bytes(b"PK\x03\x04")
    done = _report(tmp_path, str(logs) if given == "LOGS" else given, "--out", out)
    assert done.returncode == 1
    assert done.stderr.startswith("seqniah: ") and told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "report").exists()


def test_logs_in_the_folder_to_write_are_not_at_risk(logs: Path, tmp_path: Path) -> None:
    assert _report(tmp_path, str(logs), "--out", "report").returncode == 0
    log = next(logs.glob("*.eval"))
    kept = tmp_path / "report" / "figures" / log.name
    kept.write_bytes(log.read_bytes())
    done = _report(tmp_path, str(kept), "--out", "report")
    assert done.returncode == 1
    assert "is in the folder that --out names; name another folder." in done.stderr
    assert kept.is_file()
