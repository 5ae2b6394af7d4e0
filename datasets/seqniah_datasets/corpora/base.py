"""What a corpus is: named shards of documents, and which documents can fill a length."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora import index
from seqniah_datasets.corpora.haystacks import DocumentRef, Haystacks
from seqniah_datasets.corpora.index import Shard, ShardIndex
from seqniah_datasets.corpora.worker import index_in_parallel
from seqniah_datasets.errors import CorpusError, DiskFull
from seqniah_datasets.schema import Lang, Split

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much: bytes for a corpus."""

Wanted: TypeAlias = Callable[[], Mapping[str, int]]
"""Gives the tokens of each sample of a series, by its name."""

_ALONE = 4_000_000
"""Bytes of work below which starting more processes costs more than it saves."""

_OPEN = 192
"""Shards kept open; each holds a file descriptor."""


class Corpus(ABC):
    """A source of documents in one or both languages, indexed for one tokenizer."""

    spec: str
    """As the option `corpus` takes it."""
    eager: bool
    """Which documents there are is known only once all of them are indexed."""

    def __init__(self, root: Path, name: str, tokenizer: tokens.Tokenizer) -> None:
        """`root` is where all corpora are kept, `name` this one's folder there."""
        self.root = root
        self.folder = root / name
        self.tokenizer = tokenizer
        self._opened: OrderedDict[str, ShardIndex] = OrderedDict()

    @property
    @abstractmethod
    def digest(self) -> str:
        """Names the documents' content in ids, recipes and logs; hexadecimal digits."""

    @abstractmethod
    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        """Every document of `lang` with at least `tokens` tokens, in an order that never changes.

        Raises `CorpusError`, naming the longest there is, when there is none.
        """

    @abstractmethod
    def haystacks(self, lang: Lang, split: Split, series: str, wanted: Wanted) -> Haystacks:
        """Haystacks for a series of samples of a split, by its name: the split's or a longer one.

        Raises `CorpusError` like `candidates`, when there is no document of the language.
        """

    @abstractmethod
    def shards(self) -> Sequence[Shard]:
        """Every shard, in an order that never changes."""

    @abstractmethod
    def shard(self, key: str) -> Shard:
        """The shard of a key. Raises `CorpusError` when there is none."""

    def ensure(self, key: str) -> None:
        """Index a shard unless that has been done."""
        index.ensure_index(self.folder / key, self.shard(key), self.tokenizer)

    def open(self, key: str) -> ShardIndex:
        """The index of a shard, verified, and made first if need be."""
        opened = self._opened.get(key)
        if opened is None:
            opened = self._opened[key] = self._open(key)
            while len(self._opened) > _OPEN:
                with suppress(KeyError):  # another thread may have been quicker
                    self._opened.popitem(last=False)
        return opened

    def _open(self, key: str) -> ShardIndex:
        return index.open_index(self.folder / key, self.shard(key), self.tokenizer)

    def prepare(self, progress: Progress | None = None) -> None:
        """Index whatever is not indexed yet, in parallel; safe to break off and to repeat."""
        pending = {
            shard.key: shard
            for shard in self.shards()
            if not index.is_indexed(self.folder / shard.key, shard, self.tokenizer)
        }
        total, done = sum(shard.size for shard in pending.values()), 0
        try:
            for key in self._index(list(pending), total):
                done += pending[key].size
                if progress:
                    progress(f"Indexing {self.spec}", done, total)
        except DiskFull as error:
            left = index.room(total - done)
            if left <= shutil.disk_usage(self.root).free:  # as where they are packed
                raise
            raise DiskFull(
                f"{str(error).rstrip('.')}; all parts of {self.spec} that are not indexed yet need "
                f"about {store.in_units(left)}."
            ) from error

    def _index(self, keys: list[str], total: int) -> Iterator[str]:
        workers = min(os.cpu_count() or 1, len(keys))
        if workers < 2 or total < _ALONE:
            for key in keys:
                self.ensure(key)
                yield key
        else:
            yield from index_in_parallel(
                keys, self.spec, self.tokenizer.name, self.root.parent, workers
            )


def unknown_shard(corpus: str, key: str) -> CorpusError:
    """The error of a recipe that names a shard which the corpus does not have."""
    return CorpusError(f"The corpus {corpus} has no part {key!r}; is it the corpus of the recipe?")
