"""Qdrant as an engine: exact search among a collection's points by a query's vector (extra qdrant).

A module of one's own gives it its client, for `-T retriever=module:function`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqniah_datasets.articles.library import Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import NOTHING, Ranking, ranked
from seqniah_datasets.search.dense import Encoder, Vectors

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

_POINTS = 256
"""Points of a request that uploads them."""


@dataclass(frozen=True, slots=True)
class Qdrant:
    """A `Retriever` over a collection whose points tell the ids of articles.

    Scores of its server are float32, summed up in an order of its own: near ties may change places.
    """

    client: QdrantClient
    collection: str
    encoder: Encoder
    library: Library
    instruction: str = ""
    """Stands before the query where the encoder wants one."""
    field: str = "id"
    """Of a point's payload, with the id of its article."""

    def search(self, query: str, k: int) -> Ranking:
        """Raises `SeqniahError` where the server fails, and as `ranked`."""
        vector = self.encoder.encode([self.instruction + query])[0]
        if not query.strip() or not vector.any():
            return NOTHING
        models = _models()
        try:
            points = self.client.query_points(
                self.collection,
                query=vector.tolist(),
                limit=k,
                with_payload=[self.field],
                search_params=models.SearchParams(exact=True),
            ).points
        except Exception as error:  # of the client, of HTTP, of gRPC
            raise self._failed(error) from error
        where = f"Qdrant's collection {self.collection}"
        found = ((str((one.payload or {}).get(self.field)), one.score) for one in points)
        return ranked(found, self.library, where)

    def fill(self, vectors: Vectors) -> None:
        """Make the collection, whole or not at all, of a vector for each article of the library.

        Raises `SeqniahError` where the collection is there, or the server fails.
        """
        models = _models()
        try:
            if self.client.collection_exists(self.collection):
                raise SeqniahError(
                    f"Qdrant has a collection {self.collection} already; drop it, or name another."
                )
            self.client.create_collection(
                self.collection,
                vectors_config=models.VectorParams(
                    size=vectors.shape[1], distance=models.Distance.DOT
                ),
            )
        except SeqniahError:
            raise
        except Exception as error:
            raise self._failed(error) from error
        try:
            self.client.upload_collection(
                self.collection,
                vectors=_rows(vectors),
                payload=({self.field: one.id} for one in self.library.articles),
                ids=range(len(vectors)),
                batch_size=_POINTS,
                wait=True,
            )
        except BaseException as error:
            with suppress(Exception):  # what went wrong before is the error to show
                self.client.delete_collection(self.collection)
            if not isinstance(error, Exception):
                raise
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> SeqniahError:
        first = (str(error).splitlines() or [""])[0][:200]
        return SeqniahError(
            f"Qdrant's collection {self.collection} cannot be asked ({type(error).__name__}: "
            f"{first}); look after the server, or name another collection."
        )


def _rows(vectors: Vectors) -> Iterator[list[float]]:
    for row in vectors:
        yield row.tolist()


def _models() -> Any:
    try:
        from qdrant_client import models
    except ImportError as error:
        raise SeqniahError(
            "Qdrant needs the extra qdrant: pip install 'seqniah[qdrant]'."
        ) from error
    return models
