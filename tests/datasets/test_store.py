"""Files that are whole or absent, and what killed writers leave."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seqniah_datasets import store
from seqniah_datasets.errors import SeqniahError

WRITE = """
import sys
from pathlib import Path
from seqniah_datasets import store
make = store.new_folder if sys.argv[2] == "folder" else store.new_file
with make(Path(sys.argv[1])) as place:
    (place / "half" if sys.argv[2] == "folder" else place).write_bytes(bytes(5_000))
    print(flush=True)
    sys.stdin.readline()
"""


def _writer(path: Path, what: str) -> subprocess.Popen[str]:
    """A process that has written half of something, and waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path), what],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    process.stdout.readline()
    return process


def _end(process: subprocess.Popen[str], *, killed: bool) -> None:
    if killed:
        process.send_signal(signal.SIGKILL)
    process.communicate("\n", timeout=60)
    assert process.returncode == (-signal.SIGKILL if killed else 0)


def _write(path: Path, what: str) -> None:
    if what == "folder":
        with store.new_folder(path) as place:
            (place / "whole").touch()
    else:
        with store.new_file(path) as place:
            place.touch()


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_a_killed_writer_left_goes_when_the_same_is_written_again(
    tmp_path: Path, what: str
) -> None:
    for name in ("mine [1]", "other"):
        _end(_writer(tmp_path / name, what), killed=True)
    left = [path for path in tmp_path.iterdir() if store.is_left(path)]
    assert len(left) == 2
    assert [store.size_of(path) for path in left] == [5_000, 5_000]
    _write(tmp_path / "mine [1]", what)
    assert not list(tmp_path.glob(".mine*"))
    assert len(list(tmp_path.glob(".other*"))) == 1


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_a_living_process_writes_is_left_alone(tmp_path: Path, what: str) -> None:
    writer = _writer(tmp_path / "mine", what)
    (writing,) = tmp_path.iterdir()
    long_ago = time.time() - 1e7
    os.utime(writing, (long_ago, long_ago))
    _write(tmp_path / "mine", what)
    assert writing.exists()
    assert not store.is_left(writing)
    _end(writer, killed=False)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    "name", [".mine.0123abcd-1-89abcdef", ".mine.1-89abcdef", ".mine.old-89abcdef"]
)
def test_what_another_machine_or_version_wrote_is_left_for_a_day(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    inside = tmp_path / name / "text"
    inside.touch()
    ages = time.time() - 23 * 3600, time.time() - 25 * 3600
    os.utime(tmp_path / name, (ages[1], ages[1]))
    os.utime(inside, (ages[0], ages[0]))
    _write(tmp_path / "mine", "file")
    assert inside.exists()
    os.utime(inside, (ages[1], ages[1]))
    os.utime(tmp_path / name, (ages[1], ages[1]))
    _write(tmp_path / "mine", "file")
    assert not inside.exists()


def test_hidden_files_of_the_user_are_never_swept(tmp_path: Path) -> None:
    names = [".mine.my-notes", ".mine.123-abc", ".mine.2026-01", ".mine", ".mine.swp"]
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    _write(tmp_path / "mine", "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "mine"])


MOUNTING = ("unshare", "--mount", "--map-root-user")
"""Begins a command that may mount what nobody else sees."""


def _mounted(place: Path) -> bool:
    """Whether a small disk of its own could be mounted there, in a space that this process made."""
    place.mkdir()
    done = subprocess.run(
        [*MOUNTING, "mount", "-t", "tmpfs", "none", str(place)],
        capture_output=True,
    )
    return done.returncode == 0


FULL = r"""
import sys
from pathlib import Path
from seqniah_datasets.corpora import corpus
from seqniah_datasets.errors import SeqniahError
spec = "procedural" if sys.argv[2].startswith("en-") else sys.argv[2]
opened = corpus(spec, root=Path(sys.argv[1]) / "cache")
try:
    opened.ensure(sys.argv[2]) if spec == "procedural" else opened.prepare()
except SeqniahError as error:
    print(error)
print(*(path.name for path in Path(sys.argv[1]).rglob("*")), sep="\n")
"""


def _on_a_small_disk(disk: Path, size: str, *words: str) -> tuple[str, list[str]]:
    """What `FULL` says with a disk of its own, and the names that it leaves there."""
    try:
        mounts = _mounted(disk)
    except FileNotFoundError:
        mounts = False
    if not mounts:
        pytest.skip("a small disk cannot be mounted here")
    command = f'mount -t tmpfs -o size={size} none "$1" && exec "$2" -c "$3" "$1" $4'
    done = subprocess.run(
        [*MOUNTING, "sh", "-c", command, "sh", str(disk), sys.executable, FULL, *words],
        env={**os.environ, "SEQNIAH_CACHE": str(disk / "cache")},
        capture_output=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    said, *files = done.stdout.splitlines() or [done.stderr]
    return said, files


def test_a_full_cache_tells_the_folder_what_it_needs_and_what_there_is(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    said, files = _on_a_small_disk(disk, "1m", "en-x-300k")
    assert said.startswith(f"The disk is full: {disk / 'cache' / 'corpora'}"), said
    assert re.search(r"/en-x-300k needs about \d+ MB, and \d+ [kM]B are free;", said)
    assert said.endswith(
        f"or set SEQNIAH_CACHE to a folder on another disk, as it is {disk}/cache."
    )
    assert not [name for name in files if name.startswith(".") and not name.endswith(".lock")]


def test_a_corpus_that_finds_a_full_disk_tells_what_all_of_it_needs(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(3):  # each a part of its own
        (texts / f"{number}.txt").write_bytes(b"The mill stood still. " * 1_000_000)
    said, files = _on_a_small_disk(tmp_path / "disk", "6m", str(texts))
    assert said.startswith("The disk is full: "), said
    told = re.search(
        rf"; all parts of {texts} that are not indexed yet need about (\d+) MB\.$", said
    )
    assert told and 66 < int(told[1]) < 200
    assert said.count(". ") == 0
    # What the other processes were writing is gone as well.
    assert not [name for name in files if name.startswith(".") and not name.endswith(".lock")]


def test_an_output_on_a_full_disk_is_not_told_of_the_cache(tmp_path: Path) -> None:
    with (
        pytest.raises(SeqniahError, match=r"x needs more than 3 kB, and .* or write elsewhere\.$"),
        store.new_file(tmp_path / "x") as place,
    ):
        place.write_bytes(bytes(3_000))
        raise OSError(28, "No space left on device")


def test_a_writer_that_ended_is_dead_though_nobody_asked_how(tmp_path: Path) -> None:
    writer = _writer(tmp_path / "mine", "file")
    (left,) = tmp_path.iterdir()
    writer.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, writer.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays to be asked
    assert store.is_left(left)
    _write(tmp_path / "mine", "file")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    writer.communicate(timeout=60)


KILLED_BETWEEN = """
import os, signal, sys
from pathlib import Path
from seqniah_datasets import store
path, rename, times = Path(sys.argv[1]), Path.rename, [0]
def counted(self, target):
    times[0] += 1
    if times[0] == 3:  # the first fails, as something is there; the second moves that away
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)
Path.rename = counted
with store.new_folder(path) as place:
    (place / "new").touch()
"""


def test_what_a_killed_writer_moved_out_of_its_way_comes_back(tmp_path: Path) -> None:
    place = tmp_path / "mine"
    place.mkdir()
    (place / "old").touch()
    done = subprocess.run([sys.executable, "-c", KILLED_BETWEEN, str(place)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not place.exists()
    store.sweep(place)
    assert [path.name for path in place.iterdir()] == ["old"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
