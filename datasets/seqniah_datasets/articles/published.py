"""The files of the published benchmark: in a folder, or at a commit of the hub's data set."""

from __future__ import annotations

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from seqniah_datasets.articles import contexts
from seqniah_datasets.corpora.hub_files import Remote
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import MANIFEST

REPO = "Graph-COM/HaystackCraft"
"""The published data set of the hub."""

LICENCE = "cc-by-sa-4.0"
"""Of its texts, as the hub names it."""

HUB = f"hub:{REPO}@"
"""What names of its commits begin with."""

FOLDER = "data"
"""Of all its files."""

MULTI_HOP, SINGLE_HOP = "musique_400_250616.jsonl", "nq_filtered.jsonl"
QUESTIONS = (MULTI_HOP, SINGLE_HOP)
"""Those of the static tasks."""

ROUNDS = "100_for_multi.jsonl"
"""Questions of the dynamic task; `DOCUMENTS` and `EDGES` are what it searches."""

SIZES = (8_000, 16_000, 32_000, 64_000, 128_000)
"""Tokens of the contexts."""

_HUB = re.compile(r"hub:([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)@([0-9a-f]{40})", re.ASCII)


class Release(ABC):
    """Files in the published layout."""

    @abstractmethod
    def folder(self, names: Sequence[str]) -> Path:
        """Where files of these names, with slashes, lie together.

        Raises `SeqniahError` that says what is missing and how it is fetched.
        """

    @abstractmethod
    def sizes(self, strategy: str) -> tuple[int, ...]:
        """Tokens of the contexts that there may be of a strategy, rising."""

    def with_golds(self, strategy: str) -> str:
        """The smallest file of a strategy: its contexts too hold all golds."""
        return contexts.place(strategy, self.sizes(strategy)[0])


class Local(Release):
    """A folder: a copy of the data set, of some of its files, or what `seqniah build` wrote."""

    def __init__(self, path: Path) -> None:
        """`path` is that of the copy, or of the folder `data` in it. Raises `SeqniahError`."""
        if not path.is_dir():
            raise SeqniahError(
                f"There is no folder {path}; data= is a copy of {REPO}, or hub:{REPO}@COMMIT."
            )
        self.root = path.parent if path.name == FOLDER and not (path / FOLDER).is_dir() else path

    def folder(self, names: Sequence[str]) -> Path:
        """Where files of these names lie. Raises `SeqniahError` that says what to fetch."""
        place = self.root / FOLDER
        missing = [name for name in dict.fromkeys(names) if not (place / name).is_file()]
        if missing:
            first, others = str(place / missing[0]), len(missing) - 1
            lacks = (
                f"{first} and {others} more are not there" if others else f"{first} is not there"
            )
            if (self.root / MANIFEST).exists():
                raise SeqniahError(
                    f"{lacks}: the folder holds a build of other "
                    "samples; build these, or ask for those."
                )
            words = [REPO, *(f"{FOLDER}/{name}" for name in missing), "--repo-type", "dataset"]
            command = shlex.join(["hf", "download", *words, "--local-dir", str(self.root)])
            raise SeqniahError(f"{lacks}; fetch {'them' if others else 'it'} with {command}")
        return place

    def sizes(self, strategy: str) -> tuple[int, ...]:
        """Those of the files that are there; without any, the published ones."""
        inside = (self.root / FOLDER / contexts.place(strategy, 0)).parent
        there = [int(path.stem) for path in inside.glob("*.jsonl") if path.stem.isdecimal()]
        return tuple(sorted(there)) or SIZES


class Hub(Release):
    """A commit of a data set of the hub; its files are fetched whole, each when it is needed."""

    def __init__(self, repo: str, commit: str) -> None:
        self._remote, self._commit = Remote(repo, "data", "files"), commit

    def folder(self, names: Sequence[str]) -> Path:
        """Where files of these names lie, after fetching them. Raises `SeqniahError`."""
        for name in names:
            found = self._remote.fetch(self._commit, f"{FOLDER}/{name}")
        return found.parents[len(Path(name).parts) - 1]

    def sizes(self, strategy: str) -> tuple[int, ...]:
        """The published ones."""
        return SIZES


def release(given: str) -> Release:
    """A path, or hub:OWNER/NAME@COMMIT. Raises `SeqniahError` for neither."""
    if not given.startswith("hub:"):
        return Local(Path(given).expanduser())
    match = _HUB.fullmatch(given)
    if match is None:
        raise SeqniahError(
            f"data={given} names no commit of a data set; write hub:{REPO}@COMMIT with the 40 "
            "digits of the commit, which the data set's page lists under its history."
        )
    return Hub(match[1], match[2])
