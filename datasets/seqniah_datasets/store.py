"""Files that are whole or absent: the cache folder, atomic writes, checked manifests."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import DamagedFile, DiskFull, SeqniahError

MANIFEST = "manifest.json"


def cache_root() -> Path:
    """Where indexes are kept: SEQNIAH_CACHE, or the platform's cache folder."""
    chosen = os.environ.get("SEQNIAH_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("seqniah", appauthor=False)


@contextmanager
def _writing(path: Path, room: int) -> Iterator[Path]:
    """A temporary neighbour of `path`, removed again unless the block renames it away."""
    temporary = _beside(path)
    made = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path)
        yield temporary
    except OSError as error:
        written = size_of(temporary)
        _remove(temporary)  # so that what is free is told rightly
        if error.errno == errno.ENOSPC:
            raise _full(path, room, written) from error
        raise SeqniahError(
            f"{path} cannot be written ({error.strerror or error}); choose a place that can, "
            "for indexes with SEQNIAH_CACHE."
        ) from error
    finally:
        _remove(temporary)
        with suppress(OSError):  # at the first that is not empty
            for folder in made:
                folder.rmdir()


def _full(path: Path, room: int, written: int) -> DiskFull:
    there = next(place for place in path.parents if place.exists())
    needs = f"about {in_units(room)}" if room > written else f"more than {in_units(written)}"
    elsewhere = "write elsewhere"
    if path.is_relative_to(cache_root()):
        elsewhere = f"set SEQNIAH_CACHE to a folder on another disk, as it is {cache_root()}"
    return DiskFull(
        f"The disk is full: {path} needs {needs}, and "
        f"{in_units(shutil.disk_usage(there).free)} are free; free some space, or {elsewhere}."
    )


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder; 0 of what is not there."""
    total = 0
    for one in below(path):
        with suppress(OSError):  # removed by somebody else
            total += 0 if one.is_dir() else one.lstat().st_size
    return total


def in_units(size: int) -> str:
    """Bytes as people read them."""
    if size >= 1e9:
        return f"{size / 1e9:,.1f} GB"
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


def below(path: Path) -> Iterator[Path]:
    """A file or folder, and everything in it."""
    yield path
    for place, folders, names in os.walk(path):
        yield from (Path(place, name) for name in (*folders, *names))


_TEMPORARY = re.compile(r"\..+\.(?:([0-9a-f]{8})-([0-9]{1,9})|[0-9]+|old)-[0-9a-f]{8}")
"""Names of what is being written; those of earlier versions do not tell the machine."""

_DAY = 86_400.0
"""Seconds without a change after which nobody writes any more, whatever the machine."""


_RETIRED = "~old"
"""Marks what was at a place and gives way to what is new there."""


def _beside(path: Path, mark: str = "") -> Path:
    """A new name beside `path` that tells who writes there."""
    who = f"{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"
    return path.with_name(f".{path.name}{mark}.{who}")


@cache
def _machine() -> str:
    """Names all that share process ids: a machine since it was started, or a container on it."""
    told = [platform.node()]
    with suppress(OSError):
        told.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii"))
        told.append(str(Path("/proc/self/ns/pid").readlink()))
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]


def is_temporary(path: Path) -> bool:
    """Whether a name is one of what is being written, or was when its writer was killed."""
    return _TEMPORARY.fullmatch(path.name) is not None


def is_left(path: Path) -> bool:
    """Whether it is what a killed writer left behind.

    Process ids mean nothing on another machine that shares the disk, nor after a restart: what was
    written there is taken for left behind after a day without a change.
    """
    found = _TEMPORARY.fullmatch(path.name)
    if found is None:
        return False
    if found[1] == _machine() and os.name == "posix":  # elsewhere, to ask would be to kill
        return not _runs(int(found[2]))
    try:
        return time.time() - max(one.lstat().st_mtime for one in below(path)) > _DAY
    except OSError:  # removed by somebody else
        return False


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    with suppress(OSError):  # where the system tells
        # One that has ended, though nobody has asked how, is Z behind its name in brackets.
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    return True


def sweep(path: Path) -> None:
    """Remove what killed writers of `path`, or of files in the folder `path`, left behind; what one
    had moved out of its way comes back.
    """
    with suppress(OSError):
        for one in path.parent.iterdir():
            if one.name.startswith(f".{path.name}{_RETIRED}.") and is_left(one):
                if path.exists():
                    _remove(one)
                else:
                    one.rename(path)
    for folder, start in ((path.parent, f".{path.name}."), (path, ".")):
        with suppress(OSError):  # a folder that is not there, or cannot be read
            for one in folder.iterdir():
                if one.name.startswith(start) and is_left(one):
                    _remove(one)


def _remove(path: Path) -> None:
    with suppress(OSError):  # what went wrong before is the error to show
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path, room: int = 0) -> Iterator[Path]:
    """Write a file at the path given; it appears as `path` when the block ends without error.

    `room` is how many bytes it takes, about, if known: the error of a full disk tells it.
    """
    with _writing(path, room) as temporary:
        yield temporary
        temporary.replace(path)


@contextmanager
def new_folder(path: Path, room: int = 0) -> Iterator[Path]:
    """As `new_file`, for a folder; one that is there is replaced, by the last of some writers."""
    with _writing(path, room) as temporary:
        temporary.mkdir()
        yield temporary
        try:
            temporary.rename(path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            retired = _beside(path, _RETIRED)
            path.rename(retired)
            temporary.rename(path)
            _remove(retired)


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def entries(folder: Path, names: Iterable[str]) -> dict[str, dict[str, object]]:
    """What a manifest says of files in its folder: their sizes and digests."""
    return {
        name: {"size": (folder / name).stat().st_size, "sha256": sha256_of(folder / name)}
        for name in names
    }


def write_manifest(path: Path, fields: Mapping[str, object], names: list[str]) -> None:
    """Write the manifest `path` over the named files beside it, with their sizes and digests."""
    files = entries(path.parent, names)
    body = json.dumps({**fields, "files": files}, indent=1, ensure_ascii=False, sort_keys=True)
    with new_file(path) as temporary:
        temporary.write_text(body + "\n", encoding="utf-8")


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a manifest. Raises `DamagedFile` when it is no JSON object with a table of files."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DamagedFile(f"The manifest {path} cannot be read ({error}).") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("files"), dict):
        raise DamagedFile(f"The manifest {path} is not of the expected form.")
    return fields


def verified(path: Path) -> dict[str, Any]:
    """Read a manifest and compare the files beside it with what it says of them.

    Raises `DamagedFile` like `read_manifest`, and at the first file that is missing or differs.
    """
    fields = read_manifest(path)
    for name, entry in fields["files"].items():
        file = path.parent / Path(name).name
        if not isinstance(entry, dict) or not file.is_file():
            raise DamagedFile(f"{file} is missing.")
        if file.stat().st_size != entry.get("size") or sha256_of(file) != entry.get("sha256"):
            raise DamagedFile(f"{file} is damaged: it is not what {path.name} describes.")
    return fields


def read_verified(path: Path, fields: Mapping[str, Any], name: str) -> bytes:
    """One file beside the manifest `path`, compared as it is read. Raises `DamagedFile`."""
    file, entry = path.parent / name, fields["files"].get(name)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise DamagedFile(f"{file} is missing.") from error
    if not isinstance(entry, dict) or hashlib.sha256(raw).hexdigest() != entry.get("sha256"):
        raise DamagedFile(f"{file} is damaged: it is not what {path.name} describes.")
    return raw
