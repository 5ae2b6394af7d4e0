"""An embedding model for the rule judge: optional, small, on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seqniah_datasets.search.embedding import static_model

if TYPE_CHECKING:
    from model2vec import StaticModel

_KEPT = 4096
"""Texts whose vectors are remembered: a reference meets many answers."""


class StaticEmbedding:
    """A static model of model2vec: a vector a token, and their mean for a text."""

    def __init__(self, name: str, model: StaticModel) -> None:
        self.name = name
        self._vector = lru_cache(maxsize=_KEPT)(lambda text: _unit(model, text))

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])


def _unit(model: StaticModel, text: str) -> NDArray[np.float32]:
    vector = np.asarray(model.encode([text], use_multiprocessing=False)[0], dtype=np.float32)
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


@lru_cache(maxsize=4)
def open_embedding(name: str) -> StaticEmbedding:
    """The model of a folder, or of a name on the Hugging Face hub.

    Raises `SeqniahError` when the extra is absent or the model cannot be had.
    """
    return StaticEmbedding(name, static_model(name))
