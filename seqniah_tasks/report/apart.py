"""What tells runs of one model apart that were asked alike: where and when they were made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from seqniah_tasks.report.words import counted

_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2})[-:]([0-9]{2})[-:]([0-9]{2})")
"""As harnesses write it in the names of their files."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a run has left that no setting tells."""

    file: Path
    """The first of its files."""
    samples: int
    epochs: int
    harness: str


def told_apart(traces: Sequence[Trace]) -> Iterator[list[str]]:
    """Of each trace facts by which no two are alike, in words: the fewest first, files last."""
    kinds = [kind for kind in _kinds(traces) if all(kind) and len(set(kind)) > 1]
    numbers = range(1, len(kinds) + 1)
    sets = [chosen for number in numbers for chosen in combinations(kinds, number)]
    for chosen in (*sets, ([one.file.name for one in traces],)):
        rows = list(zip(*chosen, strict=True))
        if len(set(rows)) == len(rows):
            yield [", ".join(row) for row in rows]


def _kinds(traces: Sequence[Trace]) -> Iterator[list[str]]:
    """One fact of each trace after another; the first say most to a reader."""
    yield _folders([one.file for one in traces])
    yield [counted(one.samples, "sample") for one in traces]
    yield [counted(one.epochs, "epoch") for one in traces]
    yield [one.harness for one in traces]
    times = [_TIME.search(one.file.name) for one in traces]
    yield [time[1] if time else "" for time in times]
    yield [f"at {time[2]}:{time[3]}" if time else "" for time in times]
    yield [f"at {time[2]}:{time[3]}:{time[4]}" if time else "" for time in times]


def _folders(files: Sequence[Path]) -> list[str]:
    """The folders of files without what is at the start or the end of all."""
    parts = [list(file.parent.parts) for file in files]
    for end in (0, -1):
        while all(len(part) > 1 for part in parts) and len({part[end] for part in parts}) == 1:
            for part in parts:
                del part[end]
    return ["/".join(part) for part in parts]
