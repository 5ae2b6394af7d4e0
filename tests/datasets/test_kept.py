"""What is kept is read back whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_datasets import kept
from seqniah_datasets.errors import SeqniahError

VALUE = {"a\n": [1, None, "é"], "b": {}}


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: raw + b" ", lambda raw: b""])
def test_a_damaged_file_is_as_none(tmp_path: Path, damage: object) -> None:
    file = tmp_path / "new" / "a.json"
    assert kept.read(file) is None
    kept.write(file, VALUE)
    assert kept.read(file) == VALUE
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    assert kept.read(file) is None


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SeqniahError, match="cannot be written"):
        kept.write(tmp_path / "file" / "a.json", VALUE)
    assert kept.read(tmp_path / "file" / "a.json") is None
