"""Fixtures: a cache of its own for the whole run, and small corpora in both languages."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import LANGS

# What several test files share is a module beside them; none is a package.
sys.path.append(str(Path(__file__).with_name("tasks")))

REAL_DATA = os.environ.get("SEQNIAH_REAL_DATA")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the run, shared by all workers and by the processes they start."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / "seqniah-cache"
    os.environ["SEQNIAH_CACHE"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real texts; tests that want it are skipped where it is not given."""
    if not REAL_DATA:
        pytest.skip("SEQNIAH_REAL_DATA is not set")
    return Path(REAL_DATA)


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one document of about 200 KB in each language."""
    folder = tmp_path_factory.mktemp("texts")
    for lang in LANGS:
        (folder / f"{lang}.txt").write_text(procedural.write(lang, 200_000, 900), "utf-8")
    return folder
