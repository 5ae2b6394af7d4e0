"""The `seqniah` command as a user meets it, in processes of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seqniah_datasets import recipes

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))


def _run(
    *words: str, code: int = 0, env: dict[str, str] | None = None, cwd: Path | None = None
) -> str:
    done = subprocess.run(
        [SEQNIAH, *words], capture_output=True, encoding="utf-8", cwd=cwd, timeout=120,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def test_build_writes_recipes_that_read_back(tmp_path: Path) -> None:
    out = _run(
        "build", "--out", str(tmp_path / "r"), "--length", "8k-16k", "--limit-per-stratum", "2"
    )
    assert out.startswith("12 samples, ")
    made = list(recipes.read(tmp_path / "r"))
    assert len(made) == 12
    assert all(8_000 <= recipe.tokens < 16_000 for recipe in made)


@pytest.mark.parametrize("form", ["jsonl", "parquet", "arrow"])
def test_build_materializes_prompts(tmp_path: Path, form: str) -> None:
    small = ("--length", "8k-16k", "--limit-per-stratum", "1")
    out = _run("build", "--out", str(tmp_path / "r"), *small, "--materialize", form, "--json")
    facts = json.loads(out)
    assert facts["samples"] == 6
    assert facts["edition"] == "open"
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == [
        "manifest.json",
        "recipes.jsonl",
        f"samples.{form}",
    ]
    assert len(list(recipes.read(tmp_path / "r"))) == 6


def test_stats_sets_published_beside_achieved() -> None:
    margins = {(m["margin"], m["value"]): m for m in json.loads(_run("stats", "--json"))}
    assert margins["length", "64k-128k"]["target"] == 560
    assert margins["pipeline", "synthetic-temporal"] == {
        "margin": "pipeline",
        "value": "synthetic-temporal",
        "target": 857,
        "derived": True,
        "here": 857,
    }
    assert "published" in _run("stats")


def test_show_marks_the_needles() -> None:
    needles = len(json.loads(_run("show", "0", "--json"))["needles"])
    shown = _run("show", "0")
    assert "Question" in shown
    assert all(f"[{number}] " in shown for number in range(1, needles + 1))
    assert len(shown) < 20_000
    assert len(_run("show", "0", "--full")) > 40_000


def test_show_as_json_gives_spans_that_fit() -> None:
    row = json.loads(_run("show", "0", "--json"))
    raw = row["input"].encode()
    for needle in row["needles"]:
        assert raw[needle["start"] : needle["end"]].decode() == needle["text"]
    again = json.loads(_run("show", row["id"], "--json"))
    assert again == row


def test_index_is_silent_off_a_terminal_and_says_what_it_made(texts: Path) -> None:
    facts = json.loads(_run("index", str(texts), "--json"))
    assert facts["documents"] == {"en": 1, "zh": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "--out", "x", "--lang", "fr"], "seqniah: Unknown lang 'fr'; known: en, zh."),
        (["build", "--out", "x", "--materialize", "csv"], "known: jsonl, parquet, arrow"),
        (["stats", "--split", "tests"], "Unknown split 'tests'; known: train, dev, test."),
        (["show", "nothing"], "seqniah: No sample 'nothing'"),
        (["index", "/nowhere"], "The corpus /nowhere is not there"),
        (["summary", "none.eval"], "The log none.eval is not there."),
        (["summary", "--log-dir", "nowhere"], "No log of inspect is in nowhere"),
    ],
)
def test_a_mistake_is_one_sentence_on_standard_error(
    tmp_path: Path, words: list[str], message: str
) -> None:
    said = _run(*words, code=1, cwd=tmp_path)
    assert message in said
    assert len(said.strip().split("\n")) == 1


def test_a_wrong_flag_is_a_usage_error() -> None:
    assert "--frobnicate" in _run("stats", "--frobnicate", code=2)


def test_a_traceback_is_there_when_asked_for() -> None:
    done = subprocess.run(
        [SEQNIAH, "show", "nothing"], capture_output=True, encoding="utf-8",
        env={**os.environ, "SEQNIAH_DEBUG": "1"},
    )  # fmt: skip
    assert "Traceback" in done.stderr


def test_ctrl_c_in_a_build_leaves_nothing_and_says_130(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [SEQNIAH, "build", "--out", str(tmp_path / "r"), "--split", "train"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".r.*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_takes_no_more_leaves_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 300; exec {SEQNIAH} index procedural"],
        capture_output=True, encoding="utf-8", env={**os.environ, "SEQNIAH_CACHE": str(cache)},
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot be written" in done.stderr
    assert not list(cache.rglob("manifest.json"))


def test_summary_reads_what_inspect_wrote(tmp_path: Path) -> None:
    subprocess.run(
        [
            str(Path(sys.executable).with_name("inspect")), "eval", "seqniah/test",
            "--model", "seqniah/lexical", "--limit", "2", "-T", "length=8k-16k",
            "--log-dir", str(tmp_path), "--display", "none",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    said = _run("summary", "--log-dir", str(tmp_path))
    assert "Accuracy" in said
    assert f"inspect view --log-dir {tmp_path}" in said.replace("\n", "")
    facts = json.loads(_run("summary", "--log-dir", str(tmp_path), "--json"))
    assert facts["accuracy"][3] == facts["strata"]["length: 8k-16k"][3] == 2
    assert facts["unscored"] == 0
