"""Dense search: the exact inner product of a query's vector with every document's."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from seqniah_datasets.articles.library import Library
from seqniah_datasets.corpora import unpacking
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import NOTHING, Ranking, top

Vectors: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.int8]

_LARGEST = 127
"""Of a whole number in a vector."""
_EXACT = 1_040
"""Numbers of a vector up to which sums of products of whole ones stay below 2^24, where float32
holds every one, whatever the order of adding."""


class Encoder(Protocol):
    """Makes vectors of texts."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row for each text; zeros for a text that says nothing to it."""
        ...


class DenseIndex:
    """Vectors of documents, a row for each.

    Products of int8 vectors are exact, hence their rankings the same on every machine; those of
    float32 depend on the processor's order of adding, though not on how many work at once, and
    near ties may change places.
    """

    def __init__(self, vectors: Vectors) -> None:
        """Takes float32 vectors as they are, read from the disk if they are mapped."""
        if vectors.ndim != 2 or vectors.dtype not in {np.dtype("f4"), np.dtype("i1")}:
            raise ValueError(f"{vectors.dtype} of shape {vectors.shape} are no vectors")
        self.whole = vectors.dtype == np.int8
        """Whether vectors, also those of queries, are whole numbers from -127 to 127."""
        if self.whole and len(vectors) and int(vectors.min()) < -_LARGEST:
            raise ValueError("int8 vectors hold numbers from -127 to 127")
        kind = np.float64 if self.whole and vectors.shape[1] > _EXACT else np.float32
        self._vectors: npt.NDArray[Any] = vectors.astype(kind, copy=False)

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return int(self._vectors.shape[1])

    def search(self, vector: npt.NDArray[Any], k: int) -> Ranking:
        """The nearest documents; none to a vector of zeros.

        Raises `SeqniahError` where the query's vector is of another width or kind than the
        documents', and where either is not finite.
        """
        if vector.shape != (self.width,) or not np.isfinite(vector).all():
            raise SeqniahError(
                f"The query's vector is of shape {vector.shape} or not finite; documents have "
                f"{self.width:,} numbers: take the encoder that made theirs."
            )
        if self.whole and ((vector != np.rint(vector)).any() or np.abs(vector).max() > _LARGEST):
            raise SeqniahError(
                "The query's vector does not hold whole numbers from -127 to 127, as documents' "
                "do; take the encoder that made theirs."
            )
        if not vector.any():
            return NOTHING
        scores = np.vecdot(self._vectors, vector.astype(self._vectors.dtype))
        if not np.isfinite(scores).all():
            number = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise SeqniahError(f"The vector of document {number} is not finite; make it anew.")
        return top(scores, k)


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """A `Retriever` by vectors."""

    index: DenseIndex
    encoder: Encoder
    instruction: str = ""
    """Stands before the query where the encoder wants one."""

    def search(self, query: str, k: int) -> Ranking:
        """Raises `SeqniahError` as `DenseIndex.search`."""
        vectors = np.asarray(self.encoder.encode([self.instruction + query]))
        return self.index.search(vectors.reshape(-1), k)


def read_vectors(paths: Sequence[Path], library: Library) -> Vectors:
    """A vector for each article, from `.npz` files with `ids` and `embs`.

    Vectors of int8 stay as they are; all others become float32 of length 1, or of length 0. Raises
    `SeqniahError` that names the file of vectors of another width or kind, not finite, of an
    article that the library lacks, or that comes twice; and an article without a vector.
    """
    found: Vectors | None = None
    missing = np.ones(len(library), np.bool_)
    for path in paths:
        ids, vectors = _arrays(path)
        if found is None:
            found = np.zeros((len(library), vectors.shape[1]), vectors.dtype)
        if (vectors.shape[1], vectors.dtype) != (found.shape[1], found.dtype):
            raise SeqniahError(
                f"{path}: vectors are {vectors.shape[1]:,} numbers of {vectors.dtype}, those "
                f"before them {found.shape[1]:,} of {found.dtype}; make all with one encoder."
            )
        numbers = _numbers(path, ids, library, missing)
        missing[numbers] = False
        found[numbers] = vectors
    if found is None or missing.any():
        one = library.articles[int(np.flatnonzero(missing)[0])].id
        raise SeqniahError(
            f"{missing.sum():,} articles have no vector, such as {one!r}; make vectors of all."
        )
    return found


def _numbers(
    path: Path, ids: Sequence[str], library: Library, missing: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    numbers: dict[int, None] = {}
    for row, id in enumerate(ids):
        number = library.numbers.get(id)
        if number is None or number in numbers or not missing[number]:
            wrong = "is no article of the library" if number is None else "has a vector already"
            raise SeqniahError(
                f"{path}, row {row}: {id!r} {wrong}; are the vectors of another corpus?"
            )
        numbers[number] = None
    return np.fromiter(numbers, np.int64, len(numbers))


def _arrays(path: Path) -> tuple[list[str], Vectors]:
    """Ids and vectors of a file."""
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(one.file_size for one in packed.infolist())  # no more of each is read
        unpacking.refuse_swelling(size, path.stat().st_size, unpacking.ratio(), str(path))
        with np.load(path, allow_pickle=False) as arrays:
            ids, vectors = arrays["ids"], arrays["embs"]
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        MemoryError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise SeqniahError(
            f"{path} cannot be read ({error}); it is an .npz file of ids and embs."
        ) from error
    if ids.ndim != 1 or ids.dtype.kind not in "iuU" or vectors.dtype.kind not in "fi":
        raise SeqniahError(f"{path}: ids are whole numbers or texts, and embs are numbers.")
    if vectors.ndim != 2 or len(vectors) != len(ids) or not vectors.shape[1]:
        raise SeqniahError(
            f"{path}: {len(ids):,} ids do not fit embs of shape {vectors.shape}; embs has a row "
            "for each id."
        )
    if vectors.dtype != np.int8:
        vectors = vectors.astype(np.float32)
        if not np.isfinite(vectors).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
            raise SeqniahError(
                f"{path}, row {row}: the vector of {str(ids[row])!r} is not finite; make it anew."
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1)
    return list(map(str, ids.tolist())), vectors
