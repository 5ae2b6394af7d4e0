"""Dense search: the exact inner product of a query's vector with every document's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import NOTHING, Ranking, top

Vectors: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.int8]

_LARGEST = 127
"""Of a whole number in a vector."""
_EXACT = 1_040
"""Numbers of a vector up to which sums of products of whole ones stay below 2^24, where float32
holds every one, whatever the order of adding."""


def unit(vectors: npt.NDArray[Any], names: Sequence[str], where: str) -> npt.NDArray[np.float32]:
    """Rows as float32 of length 1, or of length 0.

    Raises `SeqniahError` that names the first which is not finite; `where` begins its sentence.
    """
    with np.errstate(over="ignore"):
        found = vectors.astype(np.float32)
    # Of numbers that float32 holds, the sum of squares may be too large for it.
    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        name = names[int(np.flatnonzero(~np.isfinite(lengths))[0])]
        raise SeqniahError(f"{where}: the vector of {name[:60]!r} is not finite; make it anew.")
    return np.asarray(found / np.where(lengths > 0, lengths, 1), np.float32)


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
        """Raises `SeqniahError` as `DenseIndex.search`; a query of blanks finds nothing."""
        if not query.strip():
            return NOTHING
        vectors = np.asarray(self.encoder.encode([self.instruction + query]))
        return self.index.search(vectors.reshape(-1), k)
