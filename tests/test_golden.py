"""The bytes are the same in every process: other hash seed, locale, time zone, working folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"

ELSEWHERE = {
    "PYTHONHASHSEED": "4242",
    "LC_ALL": "tr_TR.UTF-8",
    "TZ": "America/Caracas",
    "PYTHONUTF8": "0",
}
"""Surroundings unlike those in which the golden file was made."""


def test_recipes_are_the_golden_ones(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, str(GOLDEN / "make.py")],
        env={**os.environ, **ELSEWHERE},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    ).stdout
    golden = (GOLDEN / "recipes.jsonl").read_bytes()
    for number, (here, there) in enumerate(
        zip(made.splitlines(), golden.splitlines(), strict=True), 1
    ):
        assert here == there, f"line {number} of golden/recipes.jsonl"
