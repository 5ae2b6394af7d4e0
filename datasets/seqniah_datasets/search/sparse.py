"""Sparse search: BM25 with Lucene's scores, k1 = 0.9, b = 0.4 (paper, Appendix E)."""

from __future__ import annotations

import json
import logging
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

from seqniah_datasets.corpora import arrays
from seqniah_datasets.errors import DamagedFile
from seqniah_datasets.search import words
from seqniah_datasets.search.base import NOTHING, Ranking, top
from seqniah_datasets.search.words import Words

K1, B = 0.9, 0.4

WORDS = "words.json"
POSTINGS = {"data": "<f4", "indices": "<i4", "indptr": "<i8"}
"""Files of an index, and what numbers they hold: scores, the documents that have them, and where
each word's begin."""

FILES = (WORDS, *POSTINGS)
"""All files of an index."""

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it asks for all that it can tell


class SparseIndex:
    """A `Retriever` by words; a document is what its place among the texts is."""

    def __init__(
        self, words: dict[str, int], postings: dict[str, npt.NDArray[Any]], documents: int
    ) -> None:
        self._words = words
        self._postings = postings
        self._documents = documents
        self._scorer = bm25s.BM25(k1=K1, b=B, method="lucene")
        self._scorer.scores = {**postings, "num_docs": documents}
        self._scorer.nonoccurrence_array = None

    def __len__(self) -> int:
        """How many documents it has."""
        return self._documents

    @classmethod
    def build(cls, texts: Iterable[str]) -> SparseIndex:
        """Index texts, at least one; the same bytes on every machine and under every hash seed."""
        reader = Words()
        numbers: dict[str, int] = {}
        read: list[array[int]] = []
        for text in texts:
            found = reader.of(text)
            read.append(array("i", [numbers.setdefault(word, len(numbers)) for word in found]))
        scorer = bm25s.BM25(k1=K1, b=B, method="lucene")
        with np.errstate(invalid="ignore"):  # where no text has a word
            scorer.index((read, numbers), create_empty_token=False, show_progress=False)
        postings = {name: np.asarray(scorer.scores[name], kind) for name, kind in POSTINGS.items()}
        return cls(numbers, postings, len(read))

    def search(self, query: str, k: int) -> Ranking:
        """Documents that share a word with the query; a word that comes twice counts twice."""
        asked = [self._words[word] for word in Words().of(query) if word in self._words]
        if not asked:
            return NOTHING
        # Not bm25s's own `retrieve`: which of equal documents it takes is left open.
        scores = self._scorer.get_scores_from_ids(asked)
        found = np.flatnonzero(scores > 0)
        best = top(scores[found], k)
        return Ranking(found[best.numbers], best.scores)

    def save(self, folder: Path) -> None:
        """Write `FILES` into a folder that is there."""
        told = {"version": words.VERSION, "documents": len(self), "words": list(self._words)}
        (folder / WORDS).write_text(json.dumps(told, ensure_ascii=False), "utf-8")
        for name, numbers in self._postings.items():
            (folder / name).write_bytes(np.ascontiguousarray(numbers).data)

    @classmethod
    def load(cls, folder: Path) -> SparseIndex:
        """What `save` wrote; postings are read from the disk where they are asked for.

        Raises `DamagedFile` where the files do not fit together, or are of another version.
        """
        try:
            told = json.loads((folder / WORDS).read_text("utf-8"))
            numbers = {str(word): number for number, word in enumerate(told["words"])}
            documents = int(told["documents"])
            postings = {
                name: np.frombuffer(arrays.mapped(folder / name), kind)
                for name, kind in POSTINGS.items()
            }
            fits = told["version"] == words.VERSION and len(numbers) == len(told["words"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedFile(
                f"The index {folder} cannot be read ({error}); make it anew."
            ) from error
        data, indices, starts = postings.values()
        if not (
            fits
            and len(starts) == len(numbers) + 1
            and starts[0] == 0
            and (np.diff(starts) >= 0).all()
            and starts[-1] == len(indices) == len(data)
            and (len(data) == 0 or (indices.min() >= 0 and indices.max() < documents))
            and np.isfinite(data).all()
        ):
            raise DamagedFile(
                f"The index {folder} is damaged, or of another version; remove it and make it anew."
            )
        return cls(numbers, postings, documents)
