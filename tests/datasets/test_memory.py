"""Memory: what is told to be there, and a refusal where it does not reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_datasets import memory
from seqniah_datasets.errors import SeqniahError


@pytest.mark.parametrize(
    ("machine", "most", "stat", "there"),
    [
        ("MemTotal: 900 kB\nMemAvailable:   100 kB\n", "max", "", 102_400),
        ("MemAvailable: 100 kB\n", "50000", "anon 7\ninactive_file 3000\n", 43_000),
        ("MemAvailable: 1 kB\n", "50000", "anon 7\n", 1_024),
        ("", "50000", "", 40_000),
        ("", "max", "", None),
    ],
)
def test_the_least_that_is_told_counts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    most: str,
    stat: str,
    there: int | None,
) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    for name, text in (
        ("meminfo", machine),
        ("memory.max", most),
        ("memory.current", "10000"),
        ("memory.stat", stat),
    ):
        (tmp_path / name).write_text(text, "ascii")
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory.available() == there


def test_what_does_not_reach_is_told_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(memory.VARIABLE, "5e9")
    memory.refuse_lacking("It", {"a": 3_000_000_000, "b": 2_000_000_000})
    with pytest.raises(SeqniahError) as error:
        memory.refuse_lacking("It", {"a": 3_000_000_001, "none": 0, "b": 2_000_000_000})
    assert "It needs about 5.0 GB of memory (a 3.0 GB, b 2.0 GB), and 5.0 GB" in str(error.value)
    monkeypatch.setenv(memory.VARIABLE, "much")
    with pytest.raises(SeqniahError, match="is a number of bytes"):
        memory.available()
