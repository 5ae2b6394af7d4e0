"""What the project promises about its own shape."""

from __future__ import annotations

import re
from pathlib import Path

from seqniah_tasks import benchmarks

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


def test_a_file_fits_in_a_head() -> None:
    lines = {path: path.read_text("utf-8").count("\n") for path in PACKAGES}
    assert not {path: count for path, count in lines.items() if count > 400}


def test_harnesses_are_imported_by_adapters_alone() -> None:
    others = [one for one in PACKAGES[1:] if "adapters" not in one.parts]
    harness = re.compile(r"^\s*(?:from|import) (inspect_ai|lm_eval)\b", re.M)
    assert not [path for path in others if harness.search(path.read_text("utf-8"))]


def test_nothing_draws_from_global_random_state() -> None:
    drawing = re.compile(
        r"\bnp\.random\b|\brandom\.(?:seed|choice|shuffle|randint)\(|import random"
    )
    assert not [path for path in PACKAGES if drawing.search(path.read_text("utf-8"))]


def test_nothing_runs_what_it_reads() -> None:
    running = re.compile(r"\bpickle\b|\beval\(|\bexec\(|yaml\.load\(")
    assert not [path for path in PACKAGES if running.search(path.read_text("utf-8"))]


def test_everything_registered_stands_in_the_face() -> None:
    for path in PACKAGES[1:]:
        assert not re.search(
            r"^@(?:task|solver|scorer|metric|modelapi)\b", path.read_text("utf-8"), re.M
        )


def test_the_changelog_tells_of_every_benchmarks_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for one in (one for one in benchmarks.known().values() if one.tasks):
        assert re.search(rf"{one.title},? version {one.version}\b", changelog)


BENCHMARKS = ROOT / "seqniah_tasks" / "benchmarks"
FOLDERS = [path for path in BENCHMARKS.iterdir() if (path / "__init__.py").is_file()]
GENERIC = [
    path
    for path in PACKAGES
    if "seqniah_tasks" in path.parts and not any(map(path.is_relative_to, FOLDERS))
]


def _imports(path: Path) -> set[str]:
    """Names of the benchmark folders that a file imports from."""
    folder = re.compile(r"seqniah_tasks\.benchmarks\.(\w+)")
    return set(folder.findall(path.read_text("utf-8"))) & {one.name for one in FOLDERS}


def test_no_benchmark_imports_another() -> None:
    for folder in FOLDERS:
        for path in folder.rglob("*.py"):
            assert _imports(path) <= {folder.name}, path


def test_generic_code_knows_no_benchmark() -> None:
    named = re.compile(r"counting.?stars|sequential.?niah|[^a-z]stars?[^a-z]", re.I)
    for path in GENERIC:
        assert not _imports(path), path
        assert not named.search(path.read_text("utf-8")), path
