"""Encoders that a user brings: an OpenAI-compatible server, or a static model of model2vec."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search.dense import unit

if TYPE_CHECKING:
    from model2vec import StaticModel

KEY = "SEQNIAH_EMBEDDINGS_KEY"
"""The environment variable with the key of a server that wants one."""

WAITS = (0.5, 2.0, 5.0, 10.0)
"""Seconds before each further try of a request that failed but may succeed later."""

_SECONDS = 120.0
"""How long a server may take for a request."""

_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504}
"""States of a server in which the same request may succeed later."""

Vectors = npt.NDArray[np.float32]


class ServerGone(SeqniahError):
    """A server does not answer, or refuses; it may do later what it was asked."""


class Model(Protocol):
    """An `Encoder` that can be told in a file and opened from it again."""

    @property
    def batch(self) -> int:
        """Texts that are best encoded at once."""

    @property
    def identity(self) -> str:
        """What makes its vectors others than another one's."""

    @property
    def fields(self) -> Mapping[str, str]:
        """What `opened` takes."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 or 0 for each text. Raises `SeqniahError`."""


def opened(fields: Mapping[str, str]) -> Model:
    """The model of such fields. Raises `SeqniahError` where it is not there, or another one."""
    if {"url", "model"} <= fields.keys():
        return Server(fields["url"], fields["model"])
    if "model2vec" not in fields:
        raise DamagedFile("An index does not tell what makes vectors of queries; make it anew.")
    found = Static(fields["model2vec"])
    if fields.get("identity", found.identity) != found.identity:
        raise SeqniahError(
            f"The model {found.name} is another one than that which documents were indexed with; "
            "index them anew."
        )
    return found


class Server:
    """An embeddings server that speaks OpenAI's language (vLLM, TEI, Ollama, OpenAI)."""

    batch = 64

    def __init__(self, url: str, model: str, waits: Sequence[float] = WAITS) -> None:
        """`url` is what /embeddings follows. Raises `SeqniahError` where it is none."""
        import httpx

        self.url = url.rstrip("/").removesuffix("/embeddings")
        self.model = model
        self._waits = waits
        if not self.url.startswith(("http://", "https://")) or "@" in self.url:
            raise SeqniahError(
                f"An embeddings server is given as http://HOST:PORT/v1, its key in {KEY}, not as "
                f"{url.rpartition('@')[2]}."
            )
        self._client = httpx.Client(timeout=_SECONDS)

    @property
    def identity(self) -> str:
        """The model's name; where it is served does not matter."""
        return f"server {self.model}"

    @property
    def fields(self) -> dict[str, str]:
        """Address and model; the key stays in the environment."""
        return {"url": self.url, "model": self.model}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Raises `SeqniahError` where the server is gone after some tries, refuses, or answers what
        are no vectors of these texts."""
        body = self._answered({"model": self.model, "input": list(texts)})
        try:
            rows = sorted(body["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], np.float64)
            right = [row["index"] for row in rows] == list(range(len(texts)))
        except (LookupError, TypeError, ValueError):
            right = False
        if not right or vectors.ndim != 2 or not vectors.shape[1]:
            raise SeqniahError(
                f"{self._named} did not answer a vector of {self.model} for each text; is it a "
                "server of embeddings?"
            )
        return unit(vectors, texts, self._named)

    @property
    def _named(self) -> str:
        return f"The embeddings server {self.url}"

    def _answered(self, request: Mapping[str, Any]) -> Any:
        import httpx

        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        for wait in (*self._waits, None):
            try:
                answer = self._client.post(f"{self.url}/embeddings", json=request, headers=headers)
                if answer.is_success:
                    return answer.json()
                failed = f"HTTP {answer.status_code}: {answer.text[:200].strip()}"
                again = answer.status_code in _AGAIN
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                failed = str(error) or type(error).__name__
                again = isinstance(error, httpx.TransportError)
            if wait is None or not again:
                break
            time.sleep(wait)
        tries = f" after {len(self._waits) + 1} tries" if again else ""
        keyed = f"set {KEY} to its key" if failed.startswith(("HTTP 401", "HTTP 403")) else ""
        raise ServerGone(
            f"{self._named} does not make vectors of {self.model}{tries} ({failed}); "
            f"{keyed or 'look after it'}, and give the command again."
        )


class Static:
    """A static model of model2vec: a vector a token, and their mean for a text."""

    batch = 1_024

    def __init__(self, name: str) -> None:
        """Raises `SeqniahError` as `static_model`."""
        self.name = name
        self._model = static_model(name)

    @cached_property
    def identity(self) -> str:
        """A digest of its vectors of tokens; the name may be that of any folder."""
        table = np.ascontiguousarray(self._model.embedding)
        return f"model2vec {hashlib.sha256(table.data).hexdigest()[:16]}"

    @property
    def fields(self) -> dict[str, str]:
        """Its name, and which one it was."""
        return {"model2vec": self.name, "identity": self.identity}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Of the first 512 tokens of each text."""
        return unit(self._model.encode(list(texts), use_multiprocessing=False), texts, self.name)


@lru_cache(maxsize=4)
def static_model(name: str) -> StaticModel:
    """The model of a folder, or of a name on the Hugging Face hub.

    Raises `SeqniahError` when the extra is absent or the model cannot be had.
    """
    try:
        from model2vec import StaticModel
    except ImportError as error:
        raise SeqniahError(
            f"The embeddings {name} need the extra embed: pip install 'seqniah[embed]'."
        ) from error
    try:
        return StaticModel.from_pretrained(name, force_download=False)
    except Exception as error:  # the hub, the tokenizer and the file reader raise their own
        first = (str(error).splitlines() or [""])[0][:200]
        raise SeqniahError(
            f"The embeddings {name} cannot be loaded ({first}); give a folder or a name of a "
            "model2vec model, for instance minishlab/potion-multilingual-128M."
        ) from error
