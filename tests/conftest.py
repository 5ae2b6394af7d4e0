"""Fixtures: a cache of its own for the whole run, and small corpora in both languages."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import LANGS

# What several test files share is a module beside them; none is a package.
sys.path.append(str(Path(__file__).with_name("tasks")))
import how_many

# A shell's background jobs ignore Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REAL_DATA = os.environ.get("SEQNIAH_REAL_DATA")

# --hypothesis-profile=explore tries other examples, and HYPOTHESIS_PROFILE=nightly many more.
how_many.load()

gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole commands first, small functions last, so that no worker ends long after the others."""
    items.sort(key=lambda item: _SLOW_FIRST.index(item.path.parent.name))


_SLOW_FIRST = ("tests", "tasks", "scorers", "datasets")
"""Folders of tests."""


def pytest_collection_finish() -> None:
    """From here on the collector of garbage passes over all imported objects, and seldom runs."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    gc.enable()


MOST_SECONDS = 10
"""Processor time that no text of the tests needs by far, and quadratic work on it exceeds."""


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the run, shared by all workers and by the processes they start.

    What else the tests share, they keep in the folder that TESTS_SHARED names.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / "seqniah-cache"
    os.environ["SEQNIAH_CACHE"] = str(folder)
    os.environ["TESTS_SHARED"] = str(shared)
    return folder


@pytest.fixture
def linear() -> Iterator[None]:
    """Fails a test whose work grows faster than its text: a limit for hanging, not a timing."""

    def give_up(number: int, frame: object) -> NoReturn:
        raise AssertionError(f"not done after {MOST_SECONDS} s of processor time")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


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
