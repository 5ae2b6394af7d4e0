"""Commands that are killed, and what then stands in their folder: a part of `kills.py`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from seqniah_datasets.store import is_temporary, sha256_of

BIN = Path(sys.executable).parent
OWN = ("data", "tmp", "logs")
"""Folders of a place that are not compared byte by byte: inspect's data, temporary files, logs."""


def start(words: tuple[str, ...], place: Path) -> subprocess.Popen[str]:
    """The command in a process group of its own, all of whose files are in the place."""
    own = {"SEQNIAH_CACHE": "cache", "XDG_DATA_HOME": "data", "TMPDIR": "tmp"}
    for name in own.values():
        (place / name).mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "HF_HUB_OFFLINE": "1", **{k: str(place / v) for k, v in own.items()}}
    with (place / "tmp" / "said").open("w") as out, (place / "tmp" / "errors").open("w") as errors:
        return subprocess.Popen(
            [str(BIN / words[0]), *words[1:]], cwd=place, env=env, text=True,
            stdin=subprocess.DEVNULL, stdout=out, stderr=errors, start_new_session=True,
        )  # fmt: skip


def said(place: Path, name: str = "said") -> str:
    return (place / "tmp" / name).read_text("utf-8")


def hidden(place: Path) -> set[Path]:
    """What is being written there, or was when its writer was killed."""
    found: set[Path] = set()
    for here, folders, names in os.walk(place):
        new = {one for one in (*folders, *names) if _is_half(Path(here, one))}
        found.update(Path(here, one) for one in new)
        folders[:] = [one for one in folders if one not in new]
    return found


def _is_half(path: Path) -> bool:
    return is_temporary(path) or path.name.startswith(".inspect_tmp_")


def standing(place: Path) -> dict[str, str]:
    """Digests of the files under final names, by their paths."""
    half = hidden(place)
    return {
        path.relative_to(place).as_posix(): sha256_of(path)
        for path in sorted(place.rglob("*"))
        if path.is_file()
        and not half.intersection((path, *path.parents))
        and not (path.suffix == ".lock" and path.name.startswith("."))
        and path.relative_to(place).parts[0] not in OWN
    }


def kill(words: tuple[str, ...], place: Path, nth: int, after: float) -> bool:
    """Kill it so long after the nth hidden temporary appeared, or after its start for 0.

    Returns False if it ended before.
    """
    process = start(words, place)
    seen: set[Path] = set()
    while len(seen) < nth and process.poll() is None:
        seen |= hidden(place)
        time.sleep(0.0002)
    time.sleep(after)
    if process.poll() is not None:
        return False
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(500):  # until its workers are gone too
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    return True
