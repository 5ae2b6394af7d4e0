"""Files that are whole or absent: the cache folder, atomic writes, checked manifests."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import DamagedFile, SeqniahError

MANIFEST = "manifest.json"


def cache_root() -> Path:
    """Where indexes are kept: SEQNIAH_CACHE, or the platform's cache folder."""
    chosen = os.environ.get("SEQNIAH_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("seqniah", appauthor=False)


@contextmanager
def _writing(path: Path) -> Iterator[Path]:
    """A temporary neighbour of `path`, removed again unless the block renames it away."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
    except OSError as error:
        why = f"The disk is full: {path} was not written; free some space or write elsewhere."
        if error.errno != errno.ENOSPC:
            why = (
                f"{path} cannot be written ({error.strerror or error}); choose a place that can, "
                "for indexes with SEQNIAH_CACHE."
            )
        raise SeqniahError(why) from error
    finally:
        with suppress(OSError):  # what went wrong above is the error to show
            if temporary.is_dir():
                shutil.rmtree(temporary, ignore_errors=True)
            else:
                temporary.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """Remove what writers of `path` left behind when they were killed."""
    for left in path.parent.glob(f".{path.name}.*-*"):
        shutil.rmtree(left, ignore_errors=True)
    for left in path.glob(".*.*-*"):
        left.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Write a file at the path given; it appears as `path` when the block ends without error."""
    with _writing(path) as temporary:
        yield temporary
        temporary.replace(path)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """As `new_file`, for a folder; one that is there is replaced, by the last of some writers."""
    with _writing(path) as temporary:
        temporary.mkdir()
        yield temporary
        try:
            temporary.rename(path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            retired = path.with_name(f".{path.name}.old-{secrets.token_hex(4)}")
            path.rename(retired)
            temporary.rename(path)
            shutil.rmtree(retired, ignore_errors=True)


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
