"""A library: articles, each with a number, and the links between them."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
from scipy.sparse import coo_array, csr_array

from seqniah_datasets.errors import SeqniahError

T = TypeVar("T")
Placed: TypeAlias = tuple[str, T]
"""Something after the words that say where it stands, such as "docs.jsonl, line 3"."""

Link: TypeAlias = tuple[str, str]
"""The id of the article that links, and of the one it links to."""


@dataclass(frozen=True, slots=True)
class Article:
    """One document; it is found and shown as a whole."""

    id: str
    title: str
    text: str

    @property
    def content(self) -> str:
        """What search engines read: title and text."""
        return f"{self.title}\n{self.text}"


@dataclass(frozen=True, eq=False)
class Library:
    """Articles in order; an article's number is its place, from 0. See `of` and `placed`."""

    articles: Sequence[Article]
    numbers: Mapping[str, int]
    """From an id to the article's number."""
    graph: csr_array
    """Symmetric, float32: 1 where one of two articles links to the other; nothing on the diagonal,
    indices in rising order."""

    @classmethod
    def of(cls, articles: Iterable[Article], links: Iterable[Link] = ()) -> Library:
        """As `placed`; errors tell places as "article 3" and "link 7"."""
        return cls.placed(
            ((f"article {number}", one) for number, one in enumerate(articles, 1)),
            ((f"link {number}", one) for number, one in enumerate(links, 1)),
        )

    @classmethod
    def placed(
        cls, articles: Iterable[Placed[Article]], links: Iterable[Placed[Link]] = ()
    ) -> Library:
        """Number the articles and join them by links, read in this order.

        Links to oneself and repeated ones are dropped. Raises `SeqniahError` that names the place
        of an empty article, a repeated id, and a link from or to no article; and without articles.
        """
        kept: list[Article] = []
        numbers: dict[str, int] = {}
        for where, article in articles:
            if not article.content.strip():
                raise SeqniahError(
                    f"{where}: the article {article.id!r} has neither title nor text; give it one, "
                    "or drop it."
                )
            if numbers.setdefault(article.id, len(kept)) != len(kept):
                raise SeqniahError(
                    f"{where}: the id {article.id!r} is already that of article "
                    f"{numbers[article.id] + 1}; ids must differ."
                )
            kept.append(article)
        if not kept:
            raise SeqniahError("The library has no articles; give it at least one.")
        return cls(tuple(kept), numbers, _graph(numbers, links))

    def __len__(self) -> int:
        return len(self.articles)

    def number(self, id: str) -> int:
        """The number of an article. Raises `SeqniahError` where none has the id."""
        found = self.numbers.get(id)
        if found is None:
            raise SeqniahError(f"The library has no article {id!r}; is the id of another corpus?")
        return found

    @cached_property
    def _hashed(self) -> Any:
        found = hashlib.sha256(b"library 1")
        found.update(len(self).to_bytes(8, "little"))
        for article in self.articles:
            for part in (article.id, article.title, article.text):
                raw = part.encode("utf-8")
                found.update(len(raw).to_bytes(8, "little"))
                found.update(raw)
        return found

    @property
    def articles_digest(self) -> str:
        """SHA-256 of ids, titles and texts, as 64 hexadecimal digits."""
        return str(self._hashed.hexdigest())

    @cached_property
    def digest(self) -> str:
        """The same with the links."""
        found = self._hashed.copy()
        for numbers in (self.graph.indptr, self.graph.indices):  # of fixed and of told length
            found.update(np.ascontiguousarray(numbers, "<i8").data)
        return str(found.hexdigest())


def _graph(numbers: Mapping[str, int], links: Iterable[Placed[Link]]) -> csr_array:
    ends = array("i")
    for where, link in links:
        for id in link:
            if id not in numbers:
                raise SeqniahError(
                    f"{where}: {link[0]!r} links to {link[1]!r}, but there is no article {id!r}; "
                    "add the article, or drop the link."
                )
        if link[0] != link[1]:
            ends.extend((numbers[link[0]], numbers[link[1]]))
    pairs = np.frombuffer(ends, np.int32).reshape(-1, 2)
    rows, columns = np.concatenate((pairs, pairs[:, ::-1])).T
    ones = np.ones(len(rows), np.int8)
    graph = csr_array(coo_array((ones, (rows, columns)), shape=(len(numbers), len(numbers))))
    graph.sum_duplicates()
    return csr_array(
        (np.ones(graph.nnz, np.float32), graph.indices, graph.indptr), shape=graph.shape
    )
