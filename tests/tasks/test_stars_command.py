"""Commands about the task counting_stars as a user meets them."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from in_process import run

from seqniah_datasets import recipes

SMALL = ("-T", "m=4", "-T", "n=2", "-T", "max_length=8k")


def test_build_writes_recipes_and_prompts_that_agree(tmp_path: Path) -> None:
    folder = tmp_path / "stars"
    facts = json.loads(
        run(
            "build",
            "counting_stars",
            "--out",
            str(folder),
            *SMALL,
            "--materialize",
            "jsonl",
            "--json",
        )
    )
    assert (facts["samples"], facts["edition"], facts["benchmark"]) == (4, "4-2", "counting-stars")
    made = {recipe.id: recipe for recipe in recipes.read(folder)}
    (data,) = (folder / "data").iterdir()
    rows = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
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
        run("build", "counting_stars", "--out", str(tmp_path / name), *SMALL, "-T", "task=players")
    files = [(tmp_path / name / "recipes.jsonl").read_bytes() for name in ("one", "other")]
    assert files[0] == files[1]


def test_show_marks_every_star() -> None:
    shown = run("show", "counting_stars", "1", *SMALL, "-T", "lang=en")
    assert re.findall(r"^\[(\d)\] The little penguin counted \d+ ★\.", shown, re.M) == list("1234")
    whole = run("show", "counting_stars", "1", *SMALL, "-T", "lang=en", "--full")
    assert len(re.findall(r"penguin counted \d+ ★", whole)) == 4
    assert len(whole) > 4 * len(shown)


def test_show_finds_a_sample_by_its_id() -> None:
    first = json.loads(run("show", "counting_stars", "0", *SMALL, "--json"))
    again = json.loads(run("show", "counting_stars", first["id"], *SMALL, "--json"))
    assert first == again


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("preset=32-33",), "32-32-shuffled"),
        (("preset=32-32", "m=4"), "leave one of the two out"),
        (("m=4000", "n=1", "max_length=8k"), "do not fit"),
        (("m=0",), "whole number from 1"),
        (("max_length=long",), "128k"),
        (("ask=sum",), "task=players"),
        (("numbers=3,3",), "twice"),
        (("corpus=/nowhere",), "is not there"),
        (("task=players", "m=2"), "too few for 4 players"),
        (("task=reasoning", "numbers=4,5,6,7"), "too close together"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(words: tuple[str, ...], told: str) -> None:
    said = run("show", "counting_stars", "0", *(f"-T{one}" for one in words), code=1)
    assert said.startswith("seqniah: ")
    assert said.count("\n") == 1
    assert told in said


def test_an_unknown_sample_is_told() -> None:
    said = run("show", "counting_stars", "stars-nothing", *SMALL, code=1)
    assert "No sample 'stars-nothing'" in said


def test_an_unknown_format_is_told(tmp_path: Path) -> None:
    said = run(
        "build",
        "counting_stars",
        "--out",
        str(tmp_path / "r"),
        *SMALL,
        "--materialize",
        "csv",
        code=1,
    )
    assert "jsonl" in said
    assert not (tmp_path / "r").exists()
