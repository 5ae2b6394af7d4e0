"""The bytes are the same in every process: other hash seed, locale, time zone, working folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    "surroundings",
    [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
        {
            "PYTHONHASHSEED": "4242",
            "LC_ALL": "tr_TR.UTF-8",
            "TZ": "America/Caracas",
            "PYTHONUTF8": "0",
        },
    ],
    ids=["one", "other"],
)
def test_recipes_are_the_golden_ones(surroundings: dict[str, str], tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, str(GOLDEN / "make.py")],
        env={**os.environ, **surroundings},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    ).stdout
    golden = (GOLDEN / "recipes.jsonl").read_bytes()
    for number, (here, there) in enumerate(
        zip(made.splitlines(), golden.splitlines(), strict=True), 1
    ):
        assert here == there, f"line {number} of golden/recipes.jsonl"
