"""Files of vectors as they are published: `.npz` with `ids` and `embs`, a row for each id."""

from __future__ import annotations

import glob
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from seqniah_datasets.corpora import unpacking
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.dense import unit

_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)


def files(given: Iterable[str]) -> list[Path]:
    """The files of some paths and patterns, in order; of a folder, all in it, however deep.

    Raises `SeqniahError` where there are none.
    """
    found: dict[Path, None] = {}
    for one in given:
        path = Path(one).expanduser()
        places = [path] if path.exists() else sorted(map(Path, glob.glob(str(path))))  # noqa: PTH207
        here = [
            file
            for place in places
            for file in (sorted(place.rglob("*.npz")) if place.is_dir() else [place])
        ]
        if not here:
            raise SeqniahError(f"There are no files of vectors at {one}; give .npz files.")
        found.update(dict.fromkeys(here))
    return list(found)


def ids(path: Path) -> list[str]:
    """The ids of a file. Raises `SeqniahError` as `read`."""
    return list(map(str, _columns(path, "ids")[0].tolist()))


def read(path: Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Ids, and vectors of length 1, or of length 0.

    Raises `SeqniahError` that names the file which cannot be read, whose ids and vectors do not fit
    together, and which has a vector that is not finite.
    """
    found, vectors = _columns(path, "ids", "embs")
    if vectors.dtype.kind not in "fi":
        raise SeqniahError(f"{path}: embs are numbers, not {vectors.dtype}.")
    if vectors.ndim != 2 or len(vectors) != len(found) or not vectors.shape[1]:
        raise SeqniahError(
            f"{path}: {len(found):,} ids do not fit embs of shape {vectors.shape}; embs has a row "
            "for each id."
        )
    names = list(map(str, found.tolist()))
    return names, unit(vectors, names, str(path))


def of_all(paths: Sequence[Path], wanted: Sequence[str]) -> npt.NDArray[np.float32]:
    """The vectors of these ids, whatever else the files hold.

    Raises `SeqniahError` as `read`, for vectors of another width, an id that comes twice, and one
    that is missing.
    """
    found: dict[str, npt.NDArray[np.float32]] = {}
    width = 0
    for path in paths:
        names, vectors = read(path)
        width = width or vectors.shape[1]
        refuse_width(str(path), vectors.shape[1], width)
        for name, vector in zip(names, vectors, strict=True):
            if name in found:
                raise SeqniahError(f"{path}: {name!r} has a vector already; keep one of them.")
            found[name] = vector
    missing = [name for name in wanted if name not in found]
    if missing:
        raise SeqniahError(
            f"{len(missing):,} questions have no vector, such as {missing[0]!r}; make vectors of "
            "all, under their ids."
        )
    return np.stack([found[name] for name in wanted])


def refuse_width(where: str, width: int, wanted: int) -> None:
    """Raise `SeqniahError` where vectors are of another width than those before them."""
    if width != wanted:
        raise SeqniahError(
            f"{where}: vectors are {width:,} numbers, those before them {wanted:,}; make all with "
            "one encoder."
        )


def _columns(path: Path, *names: str) -> list[npt.NDArray[Any]]:
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(one.file_size for one in packed.infolist())  # no more of each is read
        unpacking.refuse_swelling(size, path.stat().st_size, unpacking.ratio(), str(path))
        with np.load(path, allow_pickle=False) as arrays:
            found = [arrays[name] for name in names]
    except _UNREADABLE as error:
        raise SeqniahError(
            f"{path} cannot be read ({error}); it is an .npz file of ids and embs."
        ) from error
    if found[0].ndim != 1 or found[0].dtype.kind not in "iuU":
        raise SeqniahError(f"{path}: ids are a row of whole numbers or texts.")
    return found
