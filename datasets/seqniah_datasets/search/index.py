"""What is made once of a library for its engines: its words, its vectors, and how to ask them.

A folder has `words`, `vectors` and `queries`, each whole or absent under a manifest. Words and
vectors name the articles that they are of, and those of others are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from seqniah_datasets import memory, rng, store
from seqniah_datasets.articles import folder
from seqniah_datasets.articles.library import Library
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.corpora.index import alone
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search import embedding, sparse, vectors
from seqniah_datasets.search.dense import DenseIndex, DenseRetriever, Encoder
from seqniah_datasets.search.embedding import Model
from seqniah_datasets.search.sparse import SparseIndex

WORDS, VECTORS, QUERIES = "words", "vectors", "queries"

_TEXTS, _ARRAY = "texts.json", "vectors.f32"
_AGAIN = "make it anew with seqniah haystackcraft index"


@dataclass(frozen=True)
class Index:
    """The index of a library in a folder; whatever it lacks is None."""

    folder: Path
    library: Library

    def make_words(self) -> None:
        """Index words, unless that is done."""
        place = self.folder / WORDS
        with alone(place):
            if _told(place).get("documents") == self.library.articles_digest:
                return
            made = SparseIndex.build(article.content for article in self.library.articles)
            with store.new_folder(place) as temporary:
                made.save(temporary)
                fields = {"documents": self.library.articles_digest}
                store.write_manifest(temporary / store.MANIFEST, fields, list(sparse.FILES))

    def make_vectors(self, source: vectors.Source, workers: int, progress: Progress) -> None:
        """Make the vectors of all articles, unless that is done. Raises as `vectors.make`."""
        vectors.make(
            self.folder / VECTORS, self.library, source, workers=workers, progress=progress
        )

    def facts(self) -> dict[str, object]:
        """What there is, for people."""
        made, by = _told(self.folder / VECTORS), _told(self.folder / QUERIES)
        queries = by.get("identity") or ("given vectors" if by.get("files") else "nothing")
        has = f"{made['width']} numbers of {made['source']}" if made else "none"
        if made and made["documents"] != self.library.articles_digest:
            has += ", of other articles than these"
        return {
            "documents": len(self.library),
            "digest": self.library.articles_digest,
            "vectors": has,
            "queries": f"{queries}, after {by['instruction']!r}"
            if by.get("instruction")
            else queries,
        }

    @cached_property
    def words(self) -> SparseIndex | None:
        """Raises `SeqniahError` where the index is of other articles, or damaged."""
        return SparseIndex.load(self.folder / WORDS) if self._has(WORDS) else None

    @cached_property
    def dense(self) -> DenseRetriever | None:
        """Raises `SeqniahError` where vectors are of other articles, damaged, of another width than
        those of queries, or where nothing makes those."""
        if not self._has(VECTORS):
            return None
        size = store.size_of(self.folder / VECTORS)
        memory.refuse_lacking(f"Search by {self.folder / VECTORS}", {"vectors": size})
        index = DenseIndex(vectors.load(self.folder / VECTORS))
        return DenseRetriever(index, self._encoder(), str(self._queries.get("instruction", "")))

    @cached_property
    def vectors_digest(self) -> str:
        """Names the vectors of articles, what makes those of queries, and the words before them;
        empty where there are none."""
        if not self._has(VECTORS):
            return ""
        made = store.read_manifest(self.folder / VECTORS / store.MANIFEST)
        told = self._queries
        by = told.get("identity", ""), told.get("instruction", ""), told.get("digest", "")
        return rng.digest(str(made["files"]), *map(str, by)).hex()

    def set_queries(self, model: Model | None, instruction: str, known: Known | None) -> None:
        """Keep what makes vectors of queries: a model, or vectors of known ones, or nothing.

        Raises `SeqniahError` where they are of another width than those of articles.
        """
        width = int(_told(self.folder / VECTORS).get("width", 0))
        encoder: Encoder | None = known or model
        if encoder and width:
            text = known.texts[0] if known else instruction + "A question?"
            found = encoder.encode([text]).shape[1]
            if found != width:
                raise SeqniahError(
                    f"Vectors of queries have {found:,} numbers, those in {self.folder / VECTORS} "
                    f"{width:,}; take the encoder that made those."
                )
        fields: dict[str, Any] = {"instruction": "" if known else instruction}
        if model and not known:
            fields |= {"model": dict(model.fields), "identity": model.identity}
        with store.new_folder(self.folder / QUERIES) as place:
            names = known.save(place) if known else []
            fields["digest"] = str(store.entries(place, names)) if names else ""
            store.write_manifest(place / store.MANIFEST, fields, names)

    @cached_property
    def _queries(self) -> Mapping[str, Any]:
        return _told(self.folder / QUERIES)

    def _encoder(self) -> Encoder:
        place, told = self.folder / QUERIES, self._queries
        if told.get("files"):
            store.verified(place / store.MANIFEST)
            return Known.load(place)
        if not isinstance(told.get("model"), dict):
            raise SeqniahError(
                f"{self.folder} has vectors of articles, but nothing that makes those of queries; "
                "give seqniah haystackcraft index a server (--embeddings), a model (--model2vec) "
                "or files (--queries) for them, or choose another strategy."
            )
        return embedding.opened(told["model"])

    def _has(self, name: str) -> bool:
        """Raises `SeqniahError` where it has that of other articles."""
        place = self.folder / name
        if not place.exists():
            return False
        if _told(place).get("documents") != self.library.articles_digest:
            raise SeqniahError(
                f"{place} is not the index of these articles, but of others or of earlier ones; "
                f"{_AGAIN}."
            )
        return True


@dataclass(frozen=True, slots=True)
class Known:
    """An `Encoder` of the queries whose vectors were given."""

    texts: Sequence[str]
    vectors: npt.NDArray[np.float32]
    """A row for each."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Raises `SeqniahError` for any other query."""
        places = {text: place for place, text in enumerate(self.texts)}
        for text in texts:
            if text not in places:
                raise SeqniahError(
                    f"There is no vector of the query {text[:80]!r}, as the index was given those "
                    "of questions alone; give seqniah haystackcraft index a server (--embeddings) "
                    "or a model (--model2vec) that makes them, or choose another strategy."
                )
        return self.vectors[[places[text] for text in texts]]

    def save(self, place: Path) -> list[str]:
        """Write it into a folder that is there; returns the names of files."""
        told = {"texts": list(self.texts), "width": self.vectors.shape[1]}
        (place / _TEXTS).write_text(json.dumps(told, ensure_ascii=False), "utf-8")
        (place / _ARRAY).write_bytes(np.ascontiguousarray(self.vectors, "<f4").data)
        return [_TEXTS, _ARRAY]

    @classmethod
    def load(cls, place: Path) -> Known:
        """What `save` wrote, when its manifest holds."""
        told = json.loads((place / _TEXTS).read_text("utf-8"))
        rows = np.frombuffer((place / _ARRAY).read_bytes(), "<f4")
        return cls(told["texts"], rows.reshape(-1, told["width"]).astype(np.float32))


def memory_needed(documents: Path, index: Path) -> dict[str, int]:
    """Bytes that a library of a folder and its words take, about: those of an index that is there,
    or while it is made."""
    needs = folder.memory_needed(documents)
    made = store.size_of(index / WORDS) if (index / WORDS).exists() else 0
    return {**needs, "words": made or _BUILDING * needs["articles"]}


_BUILDING = 2
"""Times the memory of articles that the making of their index takes beside them."""


def _told(place: Path) -> Mapping[str, Any]:
    """What a manifest tells; nothing where there is none."""
    try:
        return store.read_manifest(place / store.MANIFEST)
    except DamagedFile:
        return {}
