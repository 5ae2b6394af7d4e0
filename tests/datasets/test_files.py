"""A user's JSON lines are read as they are, or refused by their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.sources import files


def _fields(tmp_path: Path, line: str) -> object:
    file = tmp_path / "a.jsonl"
    file.write_text(line, "utf-8")
    return next(files.lines(file)).fields


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r'{"a": "😀"}', "😀"),
        (r'{"a": "\uD83D\uDE00"}', "😀"),
        (r'{"a": "\\ud800"}', "\\ud800"),
        (r'{"a": "\u00e9"}', "é"),
    ],
)
def test_whole_characters_are_read_however_they_are_written(
    tmp_path: Path, line: str, text: str
) -> None:
    assert _fields(tmp_path, line) == {"a": text}


@pytest.mark.parametrize(
    "line",
    [r'{"a": "\ud83d"}', r'{"a": "\uDE00\uD83D"}', r'{"\udfff": 1}', r'{"a": [{"b": "\\\uD83d"}]}'],
)
def test_half_a_character_is_refused_by_its_place(tmp_path: Path, line: str) -> None:
    with pytest.raises(SeqniahError, match=r"a\.jsonl, line 1, is not JSON: .*surrogates"):
        _fields(tmp_path, line)
