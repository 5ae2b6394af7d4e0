"""The `seqniah` command as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import command_line
import pytest
from in_process import run

import seqniah
from seqniah_datasets import recipes
from seqniah_tasks.commands.types import values

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SHORT = ("-T", "length=8k-16k")


def test_build_writes_recipes_that_read_back(tmp_path: Path) -> None:
    out = run("build", "--out", str(tmp_path / "r"), *SHORT, "-T", "limit_per_stratum=2")
    assert out.startswith("12 samples, ")
    made = list(recipes.read(tmp_path / "r"))
    assert len(made) == 12
    assert all(8_000 <= recipe.tokens < 16_000 for recipe in made)


@pytest.mark.parametrize("form", ["jsonl", "parquet", "arrow"])
def test_build_materializes_prompts(tmp_path: Path, form: str) -> None:
    small = (*SHORT, "-T", "limit_per_stratum=1")
    out = run("build", "--out", str(tmp_path / "r"), *small, "--materialize", form, "--json")
    facts = json.loads(out)
    assert facts["samples"] == 6
    assert facts["edition"] == "open"
    files = (path for path in (tmp_path / "r").rglob("*") if path.is_file())
    assert sorted(path.relative_to(tmp_path / "r").as_posix() for path in files) == [
        "README.md",
        f"data/test-00000-of-00001.{form}",
        "manifest.json",
        "recipes.jsonl",
    ]
    assert len(list(recipes.read(tmp_path / "r"))) == 6


def test_stats_sets_published_beside_achieved() -> None:
    margins = {(m["margin"], m["value"]): m for m in json.loads(run("stats", "--json"))}
    assert margins["length", "64k-128k"]["target"] == 560
    assert margins["pipeline", "synthetic-temporal"] == {
        "margin": "pipeline",
        "value": "synthetic-temporal",
        "target": 857,
        "derived": True,
        "here": 857,
    }
    assert "published" in run("stats")


def test_show_marks_the_needles() -> None:
    needles = len(json.loads(run("show", "0", "--json"))["needles"])
    shown = run("show", "0")
    assert "Question" in shown
    assert all(f"[{number}] " in shown for number in range(1, needles + 1))
    assert len(shown) < 20_000
    assert len(run("show", "0", "--full")) > 40_000


def test_show_as_json_gives_spans_that_fit() -> None:
    row = json.loads(run("show", "0", "--json"))
    raw = row["input"].encode()
    for needle in row["needles"]:
        assert raw[needle["start"] : needle["end"]].decode() == needle["text"]
    again = json.loads(run("show", row["id"], "--json"))
    assert again == row


def test_index_is_silent_off_a_terminal_and_says_what_it_made(texts: Path) -> None:
    facts = json.loads(run("index", str(texts), "--json"))
    assert facts["documents"] == {"en": 1, "zh": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "--out", "x", "-T", "lang=fr"], "seqniah: Unknown lang 'fr'; known: en, zh."),
        (["build", "tets", "--out", "x"], "There is no task 'tets'; did you mean test?"),
        (
            ["estimate", "counting-stars"],
            "There is no task 'counting-stars'; did you mean counting_stars?",
        ),
        (
            ["estimate", "dev", "-T", "lnag=en"],
            "The task dev has no option 'lnag'; did you mean lang?",
        ),
        (
            ["show", "noise", "0", "-T", "bass=2"],
            "The task noise has no option 'bass'; did you mean bases?",
        ),
        (["stats", "-T", "lang"], "An option is given as -T NAME=VALUE, not as -T lang."),
        (["stats", "counting_stars"], "Nothing was published that the plan of counting_stars"),
        (["options", "dve"], "There is no task 'dve'; did you mean dev?"),
        (["show", "test", "1", "2"], "One sample is shown at a time"),
        (["build", "--out", "x", "--materialize", "csv"], "known: jsonl, parquet, arrow"),
        (["stats", "tests"], "There is no task 'tests'; did you mean test?"),
        (["show", "test-nothing"], "seqniah: No sample 'test-nothing'"),
        (["show", "conting_stars"], "no task 'conting_stars'; did you mean counting_stars?"),
        (["show", "noise"], "noise is a task; say which sample of it: seqniah show noise 0."),
        (["index", "/nowhere"], "The corpus /nowhere is not there"),
        (["summary", "none.eval"], "The log none.eval is not there."),
        (["summary", "--log-dir", "nowhere"], "No log of a seqniah task is in nowhere"),
    ],
)
def test_a_mistake_is_one_sentence_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run(*words, code=1)
    assert message in said
    assert len(said.strip().split("\n")) == 1


def test_a_wrong_flag_is_a_usage_error() -> None:
    assert "--frobnicate" in run("stats", "--frobnicate", code=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "--split", "dev"), "No such option: --split. Options of a task are given as -T"),
        (("estimate", "--limit-per-stratum=2"), "-T name=value, after its name"),
        (("counting-stars", "show", "0"), "say what to do with it: seqniah build counting_stars"),
    ],
)
def test_where_options_of_a_task_belong_is_told(words: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run(*words, code=2).replace("│", " ").split())


def test_an_id_tells_its_task_and_its_length() -> None:
    (one,) = (json.loads(run("show", "dev", "3", "--json"))["id"],)
    assert json.loads(run("show", one, "--json"))["id"] == one
    longer = json.loads(run("show", "test", "0", "-T", "length=128k-256k", "--json"))["id"]
    for words in ((longer,), ("test", longer), ("seqniah/test", longer)):
        assert json.loads(run("show", *words, "--json"))["id"] == longer
    stars = json.loads(run("show", "counting_stars", "0", "-T", "m=8", "-T", "n=4", "--json"))["id"]
    assert json.loads(run("show", stars, "-T", "n=4", "--json"))["id"] == stars
    preset = json.loads(run("show", "counting_stars", "0", "-T", "preset=16-32", "--json"))["id"]
    for more in ((), ("-T", "preset=16-32")):
        assert json.loads(run("show", preset, *more, "--json"))["id"] == preset


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("a-b=1", 1),
        ("a_b=true", True),
        ("a_b=", None),
        ("a_b=en,zh", ["en", "zh"]),
        ("a_b=[3, 7]", [3, 7]),
        ('a_b="x,y"', "x,y"),
        ("a_b=x=y", "x=y"),
        ("a_b=>10", ">10"),
        ("a_b=" + "9" * 5_000, "9" * 5_000),
    ],
)
def test_values_are_read_as_inspect_reads_them(written: str, value: object) -> None:
    assert values([written]) == {"a_b": value}


def test_the_last_of_several_values_holds() -> None:
    assert values(["a=1", "b=2", "a=3"]) == {"a": 3, "b": 2}


def test_all_splits_are_counted_together() -> None:
    margins = {(m["margin"], m["value"]): m for m in json.loads(run("stats", "all", "--json"))}
    assert margins["all", "all"]["here"] == 14_000
    assert margins["split x language", "train, en"]["target"] > 0
    assert "Sequential-NIAH, all splits: samples" in run("stats", "all")


def test_questions_without_haystacks_are_built_and_shown_as_they_are(tmp_path: Path) -> None:
    bare = (*SHORT, "-T", "limit_per_stratum=1", "-T", "closed_book=true")
    out, where = json.loads(run("build", "--out", str(tmp_path / "r"), *bare, "--materialize",
        "jsonl", "--json")), tmp_path / "r" / "data" / "test-00000-of-00001.jsonl"  # fmt: skip
    rows = [json.loads(line) for line in where.read_text("utf-8").splitlines()]
    assert out["tokens"] == sum(row["tokens"] for row in rows) < 300 * len(rows)
    assert all(row["question"] in row["input"] for row in rows)
    shown = run("show", rows[0]["id"], *bare)
    assert " ".join(rows[0]["question"].split()) in " ".join(shown.split())
    assert "[1]" not in shown


def test_a_traceback_is_there_when_asked_for() -> None:
    done = subprocess.run(
        [SEQNIAH, "show", "nothing"], capture_output=True, encoding="utf-8",
        env={**os.environ, "SEQNIAH_DEBUG": "1"},
    )  # fmt: skip
    assert "Traceback" in done.stderr


def test_the_version_is_told_by_option_command_and_package() -> None:
    said = run("--version")
    assert said == run("version")
    assert said.startswith(f"seqniah {seqniah.__version__}\n")


@pytest.mark.parametrize("writes", [True, False], ids=["writing", "loading"])
def test_ctrl_c_in_a_build_leaves_nothing_and_says_so(tmp_path: Path, writes: bool) -> None:
    process = subprocess.Popen(
        [SEQNIAH, "build", "train", "--out", str(tmp_path / "new" / "r")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while writes and not list(tmp_path.glob("new/.r.*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0 if writes else 0.3)  # Python itself is there by then, and little of the command
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "seqniah: Interrupted; nothing written."
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_takes_no_more_leaves_nothing(tmp_path: Path) -> None:
    cache, text = tmp_path / "cache", tmp_path / "text.txt"
    text.write_text("The mill stood still for a year. " * 30_000, "utf-8")
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 300; exec {SEQNIAH} index {text}"],
        capture_output=True, encoding="utf-8", env={**os.environ, "SEQNIAH_CACHE": str(cache)},
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot be written" in done.stderr
    assert not list(cache.rglob("manifest.json"))


def test_summary_reads_what_inspect_wrote(tmp_path: Path) -> None:
    command_line.run(
        [
            "inspect", "eval", "seqniah/test", "--model", "seqniah/lexical", "--limit", "2",
            "-T", "length=8k-16k", "--log-dir", str(tmp_path), "--display", "none",
        ],
        check=True,
    )  # fmt: skip
    said = run("summary", "--log-dir", str(tmp_path))
    assert "Accuracy" in said
    assert f"inspect view --log-dir {tmp_path}" in said.replace("\n", "")
    facts = json.loads(run("summary", "--log-dir", str(tmp_path), "--json"))
    assert facts["accuracy"][3] == facts["strata"]["length: 8k-16k"][3] == 2
    assert facts["unscored"] == 0
