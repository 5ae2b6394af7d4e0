"""The bytes are the same in every process: other hash seed, locale, time zone, working folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"

ELSEWHERE = {
    "PYTHONHASHSEED": "4242",
    "LC_ALL": "tr_TR.UTF-8",
    "TZ": "America/Caracas",
    "PYTHONUTF8": "0",
}
"""Surroundings unlike those in which the golden file was made."""


@pytest.mark.parametrize(
    ("script", "golden"),
    [
        ("make.py", "recipes.jsonl"),
        ("make_piles.py", "haystackcraft.jsonl"),
        ("make_loft.py", "loft.jsonl"),
    ],
)
def test_samples_are_the_golden_ones(tmp_path: Path, script: str, golden: str) -> None:
    made = subprocess.run(
        [sys.executable, str(GOLDEN / script)],
        env={**os.environ, **ELSEWHERE},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    ).stdout
    kept = (GOLDEN / golden).read_bytes()
    for number, (here, there) in enumerate(
        zip(made.splitlines(), kept.splitlines(), strict=True), 1
    ):
        assert here == there, f"line {number} of golden/{golden}"
