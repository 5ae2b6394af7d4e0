"""What the project promises about its own shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seqniah_tasks.benchmarks import sequential_niah as benchmark

ROOT = Path(__file__).parent.parent
PACKAGES = [
    ROOT / "seqniah.py",
    *sorted((ROOT / "seqniah_tasks").rglob("*.py")),
    *sorted((ROOT / "datasets").rglob("*.py")),
    *sorted((ROOT / "scorers").rglob("*.py")),
]


def test_the_folder_datasets_is_no_package() -> None:
    # It would shadow Hugging Face's `datasets`.
    assert not (ROOT / "datasets" / "__init__.py").exists()
    assert not (ROOT / "scorers" / "__init__.py").exists()


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_a_file_fits_in_a_head(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= 400, f"{path} has {lines} lines"


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_harnesses_are_imported_by_adapters_alone(path: Path) -> None:
    imports = re.findall(
        r"^\s*(?:from|import) (inspect_ai|lm_eval)\b", path.read_text("utf-8"), re.M
    )
    assert not imports or "adapters" in path.parts or path.name == "seqniah.py"


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.name)
def test_nothing_draws_from_global_random_state(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"\bnp\.random\b|\brandom\.(?:seed|choice|shuffle|randint)\(", text)
    assert "import random" not in text
    assert not re.search(r"\bpickle\b|\beval\(|\bexec\(|yaml\.load\(", text)


def test_everything_registered_stands_in_the_face() -> None:
    for path in PACKAGES[1:]:
        assert not re.search(
            r"^@(?:task|solver|scorer|metric|modelapi)\b", path.read_text("utf-8"), re.M
        )


def test_the_changelog_tells_of_the_benchmarks_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"Sequential-NIAH version {benchmark.VERSION}" in changelog
