"""The wheel in a clean environment, away from the checkout: tasks by name, offline."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(out), str(ROOT)],
        check=True,
    )
    return next(out.glob("seqniah-*.whl"))


@pytest.fixture(scope="session")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts folder of an environment that holds the wheel and its dependencies alone."""
    place = tmp_path_factory.mktemp("clean")
    venv.create(place, with_pip=True)
    # What is imported is compiled then; to compile all that is installed takes a minute.
    _pip(place / "bin", "install", "--no-compile", str(wheel))
    return place / "bin"


@pytest.fixture(scope="session")
def few_tasks(clean: Path) -> Path:
    """The same with few of lm-eval's own 14,000 files, which it reads for 15 s at every start."""
    for folder in (_site(clean) / "lm_eval" / "tasks").iterdir():
        if folder.is_dir() and folder.name not in ("longbench", "mmlu", "seqniah"):
            shutil.rmtree(folder)
    return clean


def _away(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # A proxy that is not there: whoever tries the network fails.
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    # The tests share the cache: each would index the corpus anew.
    cache = tmp_path.parent / "seqniah-cache"
    return {**kept, **nowhere, "SEQNIAH_CACHE": str(cache), "COLUMNS": "100"}


def test_the_wheel_is_small_and_whole(wheel: Path) -> None:
    assert wheel.stat().st_size < 15_000_000
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"seqniah.py", "seqniah_tasks/cli.py", "seqniah_scorers/rules.py"} <= names
    for needed in ("ranks/qwen.tiktoken.gz", "sources/banks/events_zh.txt", "py.typed"):
        assert f"seqniah_datasets/{needed}" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "datasets/", "scorers/"))]


@pytest.mark.parametrize("split", ["test", "dev", "train"])
def test_tasks_are_found_by_name_from_anywhere(clean: Path, tmp_path: Path, split: str) -> None:
    done = subprocess.run(
        [
            str(clean / "inspect"), "eval", f"seqniah/{split}", "--model", "seqniah/lexical",
            "--limit", "2", "-T", "lang=en", "-T", "length=8k-16k,16k-32k", "-M", "top_k=12",
        ],
        cwd=tmp_path, env=_away(tmp_path), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "accuracy" in done.stdout
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 1


def test_the_command_works_from_anywhere(clean: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [str(clean / "seqniah"), "show", "0"],
        cwd=tmp_path, env=_away(tmp_path), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Question" in done.stdout


def test_a_wrong_option_is_one_sentence_without_traceback(clean: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            str(clean / "inspect"), "eval", "seqniah/test", "--model", "seqniah/lexical",
            "-T", "lang=fr",
        ],
        cwd=tmp_path, env=_away(tmp_path), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "Unknown lang 'fr'; known: en, zh." in said
    assert "Traceback" not in said


def _run(place: Path, cwd: Path, *words: str, code: int = 0) -> str:
    """What a command of an environment says, on standard output and error."""
    done = subprocess.run(
        [str(place / words[0]), *words[1:]],
        cwd=cwd, env=_away(cwd), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == code, said
    return said


def test_a_report_is_made_with_the_wheel_alone(clean: Path, tmp_path: Path) -> None:
    for model in ("lexical", "skimming"):
        words = ("--model", f"seqniah/{model}", "--limit", "4", "-T", "length=8k-16k")
        _run(clean, tmp_path, "inspect", "eval", "seqniah/test", *words)
    said = _run(clean, tmp_path, "seqniah", "report", "logs", "--out", "report")
    assert "pip install 'seqniah[report]'" in said
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert page.count("<svg") > 10 and "seqniah/skimming" in page
    assert list((tmp_path / "report" / "figures").glob("*.svg"))
    assert list((tmp_path / "report" / "tables").glob("*.csv"))


def test_counting_stars_runs_with_the_wheel_alone(clean: Path, tmp_path: Path) -> None:
    options = ("-T", "m=4", "-T", "n=2", "-T", "max_length=8k", "-T", "task=players")
    words = ("inspect", "eval", "seqniah/counting_stars", "--model", "seqniah/lexical", *options)
    _run(clean, tmp_path, *words)
    said = _run(clean, tmp_path, "seqniah", "report", "logs", "--out", "r")
    assert "mean score" in said and "over 16 samples" in said
    assert "Counting-Stars" in (tmp_path / "r" / "index.html").read_text("utf-8")
    summed = json.loads(_run(clean, tmp_path, "seqniah", "summary", "--json"))
    assert "counting_stars" in json.dumps(summed)
    show = ("seqniah", "show", "counting_stars", "0", "-T", "preset=32-32")
    shown = _run(clean, tmp_path, *show)
    assert "little penguin" in shown


def _site(place: Path) -> Path:
    return next(place.parent.glob("lib/python*/site-packages"))


def _finding(place: Path, cwd: Path, check: str) -> dict[str, str]:
    """What the doctor says to one check."""
    done = subprocess.run(
        [str(place / "seqniah"), "doctor", "--json"],
        cwd=cwd, env=_away(cwd), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    (found,) = (one for one in json.loads(done.stdout) if one["check"] == check)
    return found


def test_lm_eval_lists_and_validates_the_tasks(clean: Path, tmp_path: Path) -> None:
    listed = _run(clean, tmp_path, "lm_eval", "ls", "tasks")
    names = {line.split("|")[1].strip() for line in listed.splitlines() if line.startswith("|")}
    assert {"seqniah", "seqniah_dev", "seqniah_en", "seqniah_real_logical_zh"} <= names
    assert {"counting_stars_en", "counting_stars_zh", "hellaswag"} <= names
    assert "All tasks found" in _run(clean, tmp_path, "lm_eval", "validate", "--tasks", "seqniah")
    assert _finding(clean, tmp_path, "lm-eval")["state"] == "ok"


@pytest.mark.parametrize("command", [("lm_eval",), ("python", "-m", "lm_eval")], ids=" ".join)
def test_lm_eval_runs_the_group_offline_and_without_torch(
    few_tasks: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    assert not (_site(few_tasks) / "torch").exists()
    said = _run(
        *(few_tasks, tmp_path, *command, "run", "--model", "dummy", "--tasks", "seqniah"),
        *("--limit", "2", "--log_samples", "--output_path", "out"),
    )
    (row,) = (line for line in said.splitlines() if line.startswith("|Sequential-NIAH|"))
    assert row.split("|")[5].strip() == "acc"
    files = list((tmp_path / "out").rglob("samples_seqniah_*.jsonl"))
    rows = [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]
    assert len(files) == 6
    assert len(rows) == 12
    # The dummy says the same to everything, and nothing that is asked for.
    assert {row["judged"]["correct"] for row in rows} == {False}
    assert all(row["judged"]["reason"] and row["acc"] == 0 for row in rows)


def _beside_a_checkout(clean: Path, folder: Path) -> tuple[Path, Path]:
    """An environment with the dependencies of the clean one, and lm-eval as sources to install."""
    venv.create(folder / "env", with_pip=True)
    place = folder / "env" / "bin"
    there = {path.name for path in _site(place).iterdir()}
    for path in _site(clean).iterdir():
        if path.name not in there and not path.name.startswith(("lm_eval", "seqniah")):
            (_site(place) / path.name).symlink_to(path)
    sources = folder / "sources"
    code = _site(clean) / "lm_eval"
    shutil.copytree(
        code, sources / "lm_eval",
        ignore=lambda at, names: [
            name for name in names if at == str(code / "tasks") and not name.endswith(".py")
        ],
    )  # fmt: skip
    (sources / "pyproject.toml").write_text(
        """
[build-system]
requires = ["setuptools>=64"]
build-backend = "setuptools.build_meta"
[project]
name = "lm_eval"
version = "0.4.13"
[project.scripts]
lm_eval = "lm_eval.__main__:cli_evaluate"
[tool.setuptools.packages.find]
include = ["lm_eval*"]
""",
        "utf-8",
    )
    return place, sources


def _pip(place: Path, *words: str) -> None:
    subprocess.run([str(place / "python"), "-m", "pip", *words, "--quiet"], check=True)


@pytest.mark.parametrize("order", ["checkout first", "checkout last"])
def test_a_checkout_of_lm_eval_keeps_working_and_is_served_by_our_command(
    order: str, few_tasks: Path, wheel: Path, tmp_path: Path
) -> None:
    place, sources = _beside_a_checkout(few_tasks, tmp_path)
    checkout = ("install", "--no-deps", "--editable", str(sources))
    ours = ("install", "--no-deps", str(wheel))
    for words in (checkout, ours) if order == "checkout first" else (ours, checkout):
        _pip(place, *words)
    said = _run(place, tmp_path, "seqniah", "lm-eval", "validate", "--tasks", "seqniah")
    assert "All tasks found" in said
    assert _finding(place, tmp_path, "lm-eval")["state"] == "note"
    validate = ("validate", "--tasks", "seqniah")
    assert "Tasks not found" in _run(place, tmp_path, "lm_eval", *validate, code=1)
    folder = _run(place, tmp_path, "seqniah", "lm-eval-path").strip()
    _run(place, tmp_path, "lm_eval", *validate, "--include_path", folder)
    _pip(place, "uninstall", "--yes", "seqniah")
    assert not (_site(place) / "lm_eval").exists()
    _run(place, tmp_path, "lm_eval", "ls", "groups")


SOURCES = (
    *("pyproject.toml", "hatch_build.py", "README.md", "NOTICE", "LICENSE", "LICENSES"),
    *("seqniah.py", "seqniah_tasks", "datasets", "scorers"),
)


def _wanted_by_builds(checkout: Path, tools: Path) -> list[str]:
    """What a build of a checkout asks for beside hatchling."""
    script = "from hatchling.build import *; print(*get_requires_for_build_wheel(), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=checkout, env={**os.environ, "PYTHONPATH": str(tools)}, capture_output=True,
        encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_a_benchmark_added_to_a_checkout_is_known_to_lm_eval_once_installed(
    few_tasks: Path, wheel: Path, tmp_path: Path
) -> None:
    checkout, tools = tmp_path / "checkout", tmp_path / "tools"
    checkout.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, checkout / name)
    _pip(few_tasks, "install", "hatchling>=1.27", "--target", str(tools))
    assert _wanted_by_builds(checkout, tools) == []
    added = checkout / "seqniah_tasks" / "benchmarks" / "picture_turns"
    shutil.copytree(ROOT / "tests" / "data" / "picture_turns", added)
    assert any(one.startswith("lm-eval") for one in _wanted_by_builds(checkout, tools))
    # The clean environment has all that is wanted; to install it once more takes minutes.
    build = ("wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(checkout))
    subprocess.run(
        [str(few_tasks / "python"), "-m", "pip", "--quiet", *build],
        env={**os.environ, "PYTHONPATH": str(tools)}, check=True,
    )  # fmt: skip
    assert not (checkout / "seqniah_tasks" / "lm_eval_tasks" / "plain_turns.yaml").exists()
    (made,) = tmp_path.glob("seqniah-*.whl")
    again = ("install", "--no-deps", "--force-reinstall")
    try:
        _pip(few_tasks, *again, str(made))
        listed = _run(few_tasks, tmp_path, "lm_eval", "ls", "tasks")
        assert {"plain_turns", "picture_turns", "seqniah_noise"} <= {
            line.split("|")[1].strip() for line in listed.splitlines() if line.startswith("|")
        }
        run = ("run", "--model", "dummy", "--limit", "1", "--tasks", "plain_turns")
        assert "Plain turns" in _run(few_tasks, tmp_path, "lm_eval", *run)
        assert _finding(few_tasks, tmp_path, "lm-eval")["state"] == "ok"
        folder = Path(_run(few_tasks, tmp_path, "seqniah", "lm-eval-path").strip())
        assert folder.is_relative_to(_site(few_tasks)) and (folder / "plain_turns.yaml").is_file()
    finally:
        _pip(few_tasks, *again, str(wheel))


def test_uninstalling_leaves_nothing_and_lm_eval_working(few_tasks: Path, tmp_path: Path) -> None:
    site = _site(few_tasks)
    assert (site / "lm_eval" / "tasks" / "seqniah").is_dir()
    _pip(few_tasks, "uninstall", "--yes", "seqniah")
    assert not list(site.glob("seqniah*"))
    assert not (site / "lm_eval" / "tasks" / "seqniah").exists()
    listed = _run(few_tasks, tmp_path, "lm_eval", "ls", "groups")
    assert "|mmlu " in listed
    assert "seqniah" not in listed
