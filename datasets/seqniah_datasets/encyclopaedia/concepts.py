"""Concept vectors: what stands in for dense retrieval where no model is at hand.

A text becomes 256 numbers by the stems of its words, their concepts in a small thesaurus, and the
letters of its names; words that mean the same, and names that look alike, come near each other.
Up to one division all is done in whole numbers, so that every machine makes the same vectors.
They are no embeddings of a model; results go by the label "concept vectors".
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import Stemmer
from scipy.sparse import csr_array

from seqniah_datasets.encyclopaedia.tables import table

LABEL = "concept vectors"

DIMENSIONS = 256

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.?!] )(?<![\n\"])[A-Z][a-z]{2,}")
"""A word with a capital that does not start a sentence, nor a line but the first."""

_STEM, _CONCEPT, _NAME_STEM, _GRAM = 2, 2, 3, 1
"""Weights of a word's stem, of each of its concepts, of a name, and of each of its four letters."""

_COUNTS = np.array([0, 4, 6, 7, 8, 8, 9, 9, 10], np.int32)
"""What a word counts that comes so often, or more often."""

_TITLE = 4
"""So many times does the first line count."""

_LENGTH = 480
"""Of a vector, before it is rounded to whole numbers from -127 to 127."""

_COMMON = (
    "a an and are as at be but by for from had has have he her him his if in into is it its no not "
    "of on or she so such that the their them then there these they this to was were what which "
    "who whom will with identify"
)
_STOP_WORDS = frozenset(_COMMON.split())


class ConceptEncoder:
    """An encoder for dense search; see `encode`."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Whole numbers, as `encode` gives them."""
        return encode(texts).astype(np.float32)


def encode(texts: Sequence[str]) -> npt.NDArray[np.int8]:
    """A row of `DIMENSIONS` numbers for each text; zeros where it has no word that counts."""
    words: dict[str, int] = {}
    found, counts, starts = array("i"), array("i"), array("i", [0])
    for text in texts:
        told = _counted(text)
        found.extend([words.setdefault(word, len(words)) for word in told])
        counts.extend(told.values())
        starts.append(len(found))
    weights = _COUNTS[np.minimum(np.frombuffer(counts, np.int32), len(_COUNTS) - 1)]
    bags = csr_array(
        (weights, np.frombuffer(found, np.int32), np.frombuffer(starts, np.int32)),
        shape=(len(texts), len(words)),
    )
    sums = bags @ _vectors(words)
    lengths = np.sqrt((sums.astype(np.int64) ** 2).sum(axis=1, keepdims=True).astype(np.float64))
    scaled = np.rint(sums * (_LENGTH / np.maximum(lengths, 1)))
    vectors: npt.NDArray[np.int8] = np.clip(scaled, -127, 127).astype(np.int8)
    return vectors


def _counted(text: str) -> Mapping[str, int]:
    """How often words and names come; names keep their capital, and are words besides."""
    first = text.partition("\n")[0]
    told = Counter(_WORD.findall(text.lower()))
    told.update(_NAME.findall(text))
    told.update(_WORD.findall(first.lower()) * (_TITLE - 1))
    told.update(_NAME.findall(first) * (_TITLE - 1))
    return told


def _vectors(words: Collection[str]) -> npt.NDArray[np.int32]:
    """The sum of each word's features, as a row."""
    features: dict[str, int] = {}
    found, weights, starts = array("i"), array("i"), array("i", [0])
    roots = _stemmer().stemWords([word.lower() for word in words])
    for word, root in zip(words, roots, strict=True):
        for feature, weight in _features(word, root):
            found.append(features.setdefault(feature, len(features)))
            weights.append(weight)
        starts.append(len(found))
    numbers = np.frombuffer(found, np.int32), np.frombuffer(starts, np.int32)
    shape = len(starts) - 1, len(features)
    bags = csr_array((np.frombuffer(weights, np.int32), *numbers), shape=shape)
    sums: npt.NDArray[np.int32] = bags @ _signs(features)
    return sums


def _features(word: str, root: str) -> list[tuple[str, int]]:
    low = word.lower()
    if low in _STOP_WORDS:
        return []
    if low != word:
        framed = f"<{low}>"
        grams = {framed[at : at + 4] for at in range(len(framed) - 3)}
        return [(f"name {root}", _NAME_STEM), *((gram, _GRAM) for gram in sorted(grams))]
    concepts = _thesaurus().get(root, ())
    return [(f"stem {root}", _STEM), *((f"concept {one}", _CONCEPT) for one in concepts)]


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("porter")


@lru_cache(maxsize=1)
def _thesaurus() -> Mapping[str, tuple[str, ...]]:
    """The concepts of each stem."""
    found: dict[str, list[str]] = {}
    for concept, words in table("thesaurus.toml").items():
        for root in dict.fromkeys(_stemmer().stemWords(words)):
            found.setdefault(root, []).append(concept)
    return {root: tuple(concepts) for root, concepts in found.items()}


def _signs(features: Iterable[str]) -> npt.NDArray[np.int32]:
    """1 and -1 in random places that belong to each feature."""
    size = DIMENSIONS // 8
    raw = b"".join(hashlib.blake2b(one.encode(), digest_size=size).digest() for one in features)
    bits = np.unpackbits(np.frombuffer(raw, np.uint8)).reshape(-1, DIMENSIONS)
    return bits.astype(np.int32) * 2 - 1
