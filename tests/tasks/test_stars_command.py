"""`seqniah counting-stars` as a user meets it, in processes of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from seqniah_datasets import recipes

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SMALL = ("--m", "4", "--n", "2", "--max-length", "8k")


def _run(*words: str, code: int = 0) -> str:
    done = subprocess.run(
        [SEQNIAH, "counting-stars", *words], capture_output=True, encoding="utf-8", timeout=120,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def test_build_writes_recipes_and_prompts_that_agree(tmp_path: Path) -> None:
    folder = tmp_path / "stars"
    facts = json.loads(
        _run("build", "--out", str(folder), *SMALL, "--materialize", "jsonl", "--json")
    )
    assert (facts["samples"], facts["edition"], facts["benchmark"]) == (4, "4-2", "counting-stars")
    made = {recipe.id: recipe for recipe in recipes.read(folder)}
    rows = [json.loads(line) for line in (folder / "samples.jsonl").read_text("utf-8").splitlines()]
    assert {row["id"] for row in rows} == set(made)
    for row in rows:
        recipe = made[row["id"]]
        raw = row["input"].encode()
        assert hashlib.sha256(raw).hexdigest() == recipe.sha256
        assert row["tokens"] == recipe.tokens <= int(row["id"].split("-")[2][:-1]) * 1_000
        (listed,) = json.loads(row["reference"]).values()
        assert [int(one["item"]) for one in row["needles"]] == listed
        for one in row["needles"]:
            (number,) = re.findall(r"\d+", raw[one["start"] : one["end"]].decode())
            assert number == one["item"]


def test_the_same_command_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        _run("build", "--out", str(tmp_path / name), *SMALL, "--task", "players")
    files = [(tmp_path / name / "recipes.jsonl").read_bytes() for name in ("one", "other")]
    assert files[0] == files[1]


def test_show_marks_every_star() -> None:
    shown = _run("show", "1", *SMALL, "--lang", "en")
    assert re.findall(r"^\[(\d)\] The little penguin counted \d+ ★\.", shown, re.M) == list("1234")
    whole = _run("show", "1", *SMALL, "--lang", "en", "--full")
    assert len(re.findall(r"penguin counted \d+ ★", whole)) == 4
    assert len(whole) > 4 * len(shown)


def test_show_finds_a_sample_by_its_id() -> None:
    first = json.loads(_run("show", "0", *SMALL, "--json"))
    again = json.loads(_run("show", first["id"], *SMALL, "--json"))
    assert first == again


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--preset", "32-33"), "32-32-shuffled"),
        (("--preset", "32-32", "--m", "4"), "leave one of the two out"),
        (("--m", "4000", "--n", "1", "--max-length", "8k"), "do not fit"),
        (("--m", "0"), "whole number from 1"),
        (("--max-length", "long"), "128k"),
        (("--ask", "sum"), "task=players"),
        (("--numbers", "3,3"), "twice"),
        (("--corpus", "/nowhere"), "is not there"),
        (("--task", "players", "--m", "2"), "too few for 4 players"),
        (("--task", "reasoning", "--numbers", "4,5,6,7"), "too close together"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(words: tuple[str, ...], told: str) -> None:
    said = _run("show", "0", *words, code=1)
    assert said.startswith("seqniah: ")
    assert said.count("\n") == 1
    assert told in said


def test_an_unknown_sample_is_told() -> None:
    said = _run("show", "stars-nothing", *SMALL, code=1)
    assert "No sample 'stars-nothing'" in said


def test_an_unknown_format_is_told(tmp_path: Path) -> None:
    said = _run("build", "--out", str(tmp_path / "r"), *SMALL, "--materialize", "csv", code=1)
    assert "jsonl" in said
    assert not (tmp_path / "r").exists()
