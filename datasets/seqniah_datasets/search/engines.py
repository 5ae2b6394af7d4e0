"""Engines of one's own: a function of a module gives a `Retriever`, or whatever ranks ids."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from seqniah_datasets.articles.library import Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import NOTHING, Ranking, ranked


@dataclass(frozen=True, slots=True)
class Own:
    """A `Retriever` made of an object of a user's."""

    name: str
    """As it was asked for."""
    engine: Any
    """Its `search(query, k)` gives a `Ranking`, or pairs of an id and a score, best first."""
    library: Library
    digest: str = ""
    """Names its state: what the object has as its `digest`, else the SHA-256 of its module."""

    def search(self, query: str, k: int) -> Ranking:
        """Raises `SeqniahError` where the engine fails, and for what is no ranking of the library;
        an empty query finds nothing, and is not asked."""
        if not query.strip():
            return NOTHING
        try:
            found = self.engine.search(query, k)
            pairs = None if isinstance(found, Ranking) else list(found)
        except SeqniahError:
            raise
        except Exception as error:  # it may raise anything
            raise self._failed(f"fails for the query {query[:80]!r}", error) from error
        if pairs is None:
            return self._checked(found).first(k)
        return ranked(self._pairs(pairs), self.library, self.name).first(k)

    def _pairs(self, found: Iterable[Any]) -> Iterator[tuple[str, float]]:
        for one in found:
            pair = tuple(one) if isinstance(one, tuple | list) else ()
            if len(pair) != 2 or not _is_id(pair[0]) or not _is_number(pair[1]):
                raise SeqniahError(
                    f"{self.name}: {str(one)[:80]!r} is no pair of an article's id and a score; "
                    "let its search(query, k) give such pairs, best first."
                )
            yield str(pair[0]), float(pair[1])

    def _checked(self, found: Ranking) -> Ranking:
        numbers, scores = np.asarray(found.numbers), np.asarray(found.scores)
        if (
            numbers.ndim != 1
            or numbers.shape != scores.shape
            or (len(numbers) and numbers.dtype.kind not in "iu")
            or ((numbers < 0) | (numbers >= len(self.library))).any()
            or len(np.unique(numbers)) != len(numbers)
            or not np.isfinite(scores).all()
        ):
            raise SeqniahError(
                f"{self.name}: its Ranking does not hold distinct numbers of articles from 0 to "
                f"{len(self.library) - 1:,}, each with a finite score."
            )
        return Ranking(numbers.astype(np.int64), scores.astype(np.float64))

    def _failed(self, what: str, error: Exception) -> SeqniahError:
        first = (str(error).splitlines() or [""])[0][:200]
        return SeqniahError(
            f"The retriever {self.name} {what} ({type(error).__name__}: {first}); set "
            "SEQNIAH_DEBUG=1 to see where."
        )


def _is_id(value: object) -> bool:
    return isinstance(value, str | int | np.integer) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def own(name: str, library: Library) -> Own:
    """The engine that the function MODULE:FUNCTION gives; modules are also those of the working
    directory.

    The function takes nothing, or the library. Raises `SeqniahError` where it is not there, fails,
    or gives what has no `search`, or nothing to be named by.
    """
    module, _, function = name.partition(":")
    if not module or not function.isidentifier():
        raise SeqniahError(f"A retriever is given as MODULE:FUNCTION, not as {name}.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    missing = Own(name, None, library)
    try:
        source = importlib.import_module(module)
        engine = _called(getattr(source, function), library)
        digest = getattr(engine, "digest", None) or _digest_of(source)
    except SeqniahError:
        raise
    except Exception as error:  # a user's module may raise anything
        raise missing._failed("cannot be had", error) from error
    if not callable(getattr(engine, "search", None)):
        raise SeqniahError(
            f"The retriever {name} gives {type(engine).__name__}, which has no search(query, k); "
            "let it give an object that has."
        )
    if not isinstance(digest, str) or not digest:
        raise SeqniahError(
            f"What the retriever {name} finds by has no name: there is no source of {module}, or "
            "its digest is no text; let its digest be a text that changes whenever it does."
        )
    return Own(name, engine, library, digest)


def _digest_of(source: ModuleType) -> str:
    """SHA-256 of a module's file; empty where it has none, as in a notebook."""
    path = getattr(source, "__file__", None)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else ""


def _called(made: object, library: Library) -> Any:
    if not callable(made):
        raise TypeError(f"{type(made).__name__} is no function")
    make = cast(Callable[..., Any], made)
    wanted = [
        one
        for one in inspect.signature(make).parameters.values()
        if one.default is one.empty and one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD}
    ]
    return make(library) if wanted else make()
