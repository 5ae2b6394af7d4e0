"""The wheel in a clean environment, away from the checkout: tasks by name, offline."""

from __future__ import annotations

import os
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
    subprocess.run(
        [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)], check=True
    )
    return place / "bin"


def _away(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # A proxy that is not there: whoever tries the network fails.
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    return {**kept, **nowhere, "SEQNIAH_CACHE": str(tmp_path / "cache"), "COLUMNS": "100"}


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


def test_uninstalling_leaves_nothing(clean: Path) -> None:
    site = next(clean.parent.glob("lib/python*/site-packages"))
    python = str(clean / "python")
    subprocess.run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "seqniah"], check=True)
    assert not list(site.glob("seqniah*"))
