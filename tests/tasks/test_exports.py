"""Exports as `datasets.load_dataset` and the hub read them, without a network."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import command_line
import pytest
from huggingface_hub import DatasetCard
from in_process import run

import seqniah
from seqniah_datasets import export, recipes
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.options import read as read_options
from seqniah_tasks.exports import Export

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SMALL = {"length": "8k-16k", "limit_per_stratum": 1}

LOAD = """
import json, sys
from datasets import load_dataset

for folder in sys.argv[1:]:
    found = load_dataset(folder)
    features = {split: str(rows.features) for split, rows in found.items()}
    rows = {split: rows.to_list() for split, rows in found.items()}
    print(json.dumps([features, rows]))
"""


@dataclass(frozen=True)
class Found:
    """What `load_dataset` makes of a folder."""

    features: dict[str, str]
    rows: dict[str, list[dict[str, Any]]]


def loaded(cache: Path, *folders: Path) -> list[Found]:
    """What a process of its own makes of folders, offline and with an empty cache."""
    env = {
        **os.environ,
        "HF_DATASETS_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_CACHE": str(cache),
    }
    done = command_line.run(["python", "-c", LOAD, *map(str, folders)], env=env)
    assert done.returncode == 0, done.stderr
    return [Found(*json.loads(line)) for line in done.stdout.splitlines()]


def given(options: dict[str, object]) -> Iterator[str]:
    for name, value in options.items():
        yield from ("-T", f"{name}={value}")


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


STARS = {"m": 4, "n": 2, "max_length": "4k"}
TASKS: dict[str, tuple[str, str, str, dict[str, object]]] = {
    "test": ("test", "test", "parquet", {**SMALL}),
    "test as jsonl": ("test", "test", "jsonl", {**SMALL}),
    "test as arrow": ("test", "test", "arrow", {**SMALL}),
    "dev": ("dev", "dev", "jsonl", {**SMALL, "lang": "zh"}),
    "train": ("train", "train", "parquet", {**SMALL, "needles": "3-5"}),
    "noise": ("noise", "test", "arrow", {**SMALL, "lang": "en", "bases": 1}),
    "stars": ("counting_stars", "test", "jsonl", {**STARS}),
    "given numbers": ("counting_stars", "test", "parquet", {**STARS, "numbers": "3,7,8,9"}),
    "closed book": ("dev", "dev", "jsonl", {**SMALL, "closed_book": "true"}),
    "long": (
        "test",
        "test",
        "jsonl",
        {"length": "512k-1m", "limit_per_stratum": 1, "lang": "en", "pipeline": "real-logical"},
    ),
}
"""Task, split, format and options by name."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each of them."""
    here = tmp_path_factory.mktemp("exports")
    found = {name: here / name for name in TASKS}
    for name, (task, _, form, options) in TASKS.items():
        run("build", task, "--out", str(found[name]), "--materialize", form, *given(options))
    return found


@pytest.fixture(scope="module")
def read(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """What `load_dataset` makes of each."""
    cache = tmp_path_factory.mktemp("cache")
    return dict(zip(built, loaded(cache, *built.values()), strict=True))


@pytest.mark.parametrize("name", TASKS)
def test_a_folder_is_loaded_as_the_split_of_its_task(name: str, read: dict[str, Found]) -> None:
    task, split, _, options = TASKS[name]
    bench = seqniah.load(task, **options)  # type: ignore[arg-type]
    assert list(read[name].rows) == [split]
    rows = read[name].rows[split]
    assert [row["id"] for row in rows] == [one.id for one in bench]
    assert [row["input"] for row in rows] == [one.prompt for one in bench]
    assert [row["tokens"] for row in rows] == [one.tokens for one in bench]


def test_formats_are_loaded_alike(read: dict[str, Found]) -> None:
    assert read["test"] == read["test as jsonl"] == read["test as arrow"]


@pytest.mark.parametrize("name", TASKS)
def test_a_card_names_every_file_and_says_what_they_are(
    name: str, built: dict[str, Path], read: dict[str, Found]
) -> None:
    task, split, _, options = TASKS[name]
    bench = seqniah.load(task, **options)  # type: ignore[arg-type]
    card = DatasetCard.load(built[name] / "README.md")
    (config,) = card.data["configs"]
    (data,) = config["data_files"]
    assert data["split"] == split
    assert data["path"] == sorted(one for one in files(built[name]) if one.startswith("data/"))
    assert card.data["license"] == "mit"
    assert card.data["language"] == sorted({planned.lang for planned in bench.bench.plan})
    assert card.data["size_categories"] == ["n<1K"]
    for word in (f"task `{task}`", f"{len(bench):,} samples", "cl100k_base", "procedural"):
        assert word in card.text
    told = [line.split(" | ")[0] for line in card.text.splitlines() if line.startswith("| ")]
    assert {f"| {name}" for name in read[name].rows[split][0]} < set(told)
    assert "| tokens | int64 | tokens of `input`" in card.text


def test_the_command_of_a_card_writes_the_same_bytes(
    built: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("train", "stars", "test as arrow"):
        card = (built[name] / "README.md").read_text("utf-8")
        (command,) = (line for line in card.splitlines() if line.startswith("seqniah build"))
        subprocess.run(["bash", "-c", command.replace("seqniah", SEQNIAH, 1)], check=True)
        assert files(tmp_path / "FOLDER") == files(built[name])
        shutil.rmtree(tmp_path / "FOLDER")


@pytest.mark.parametrize("form", export.FORMATS)
def test_several_files_are_one_split(form: str, tmp_path: Path) -> None:
    bench = seqniah.load("dev", length="8k-16k", limit_per_stratum=2)
    made = [bench.bench.recipe_fields(planned) for planned in bench.bench.plan]
    wanted = Export("dev", {}, bench.bench, form, shard=120_000)
    recipes.write(tmp_path / "out", made, bench.bench.facts(), wanted.write)
    shards = sorted((tmp_path / "out" / "data").iterdir())
    assert len(shards) > 3
    assert all(path.stat().st_size <= 120_000 for path in shards)
    names = [f"dev-{number:05d}-of-{len(shards):05d}.{form}" for number in range(len(shards))]
    assert [path.name for path in shards] == names
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert card.data["configs"][0]["data_files"][0]["path"] == [f"data/{name}" for name in names]
    (found,) = loaded(tmp_path / "cache", tmp_path / "out")
    assert [row["input"] for row in found.rows["dev"]] == [one.prompt for one in bench]


def test_no_licence_is_claimed_for_a_corpus_of_the_users_and_no_place_is_told(
    texts: Path, tmp_path: Path
) -> None:
    options = ("-T", "length=8k-16k", "-T", "limit_per_stratum=1", "-T", f"corpus={texts}")
    where = tmp_path / "out"
    run("build", "dev", "--out", str(where), *options, "--materialize", "jsonl")
    card = DatasetCard.load(where / "README.md")
    assert "license" not in card.data.to_dict()
    assert "add `license:`" in card.text
    card.data["license"] = "cc0-1.0"
    card.save(where / "README.md")
    assert len(list(recipes.read(where))) == 6
    assert f"-T corpus={texts.name} " in card.text
    assert not [name for name, raw in files(where).items() if str(texts.parent).encode() in raw]


@pytest.mark.parametrize(
    ("task", "others"),
    [
        ("test", {"corpus": f"hub:owner/name@{'0' * 40}"}),
        ("counting_stars", {"corpus": f"hub:owner/name@{'0' * 40}"}),
        ("test", {"edition": "paper", "pipeline": ("real-logical",)}),
    ],
)
def test_no_licence_is_claimed_where_texts_may_be_of_others(
    task: str, others: dict[str, Any]
) -> None:
    opened = benchmarks.task(task).spec.open
    spec = benchmarks.task(task).spec
    own = read_options(spec.options, {}, spec.fixed)
    assert opened(own).licence == "mit"
    assert opened(replace(own, **others)).licence == ""


def test_an_export_without_a_sample_is_refused(tmp_path: Path) -> None:
    none = ("-T", "pipeline=real-logical", "-T", "needles=15", "-T", "length=64k-128k")
    out = ("dev", "--out", str(tmp_path / "r"), *none)
    assert run("build", *out, "--materialize", "parquet", code=1) == (
        "seqniah: No sample passes these options: there is nothing to export.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_an_export_is_replaced_whole_and_by_another_format(tmp_path: Path) -> None:
    out = ("dev", "--out", str(tmp_path / "r"), *given(SMALL))
    run("build", *out, "--materialize", "jsonl")
    assert "pass --replace" in run("build", *out, "--materialize", "parquet", code=1)
    run("build", *out, "--materialize", "parquet", "--replace")
    assert [path.suffix for path in (tmp_path / "r" / "data").iterdir()] == [".parquet"]
    run("build", *out, "--replace")
    assert sorted(files(tmp_path / "r")) == ["manifest.json", "recipes.jsonl"]


def test_a_killed_build_leaves_no_folder_and_can_be_repeated(tmp_path: Path) -> None:
    where = tmp_path / "r"
    many = {"m": 4, "n": 1, "max_length": "32k", "lang": "en", "repeats": 1_000}
    process = subprocess.Popen(
        [SEQNIAH, "build", "counting_stars", "--out", str(where), "--materialize", "parquet",
         *given(many)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(".r.*/data/.test-*")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=60) == -signal.SIGKILL
    assert not where.exists()
    assert not list(tmp_path.rglob("test-*"))
    run("build", "--out", str(where), "--materialize", "parquet", *given(SMALL))
    assert len(list(recipes.read(where))) == 6
