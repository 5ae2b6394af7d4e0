"""What a corpus is: named shards of documents, and which documents can fill a length."""

from __future__ import annotations

import multiprocessing
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from seqniah_datasets import tokens
from seqniah_datasets.corpora import index
from seqniah_datasets.corpora.index import Shard, ShardIndex
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import Lang

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, the bytes done so far, and the bytes in all."""

_ALONE = 4_000_000
"""Bytes of work below which starting more processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document that can fill a given length."""

    shard: str
    """Key of the shard that holds it."""
    number: int
    """Its position in the shard."""


class Corpus(ABC):
    """A source of documents in one or both languages, indexed for one tokenizer."""

    spec: str
    """As the option `corpus` takes it."""
    eager: bool
    """Which documents there are is known only once all of them are indexed."""

    def __init__(self, folder: Path, tokenizer: tokens.Tokenizer) -> None:
        self.folder = folder
        self.tokenizer = tokenizer
        self._opened: dict[str, ShardIndex] = {}

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
    def shards(self) -> Sequence[Shard]:
        """Every shard, in an order that never changes."""

    @abstractmethod
    def shard(self, key: str) -> Shard:
        """The shard of a key. Raises `CorpusError` when there is none."""

    def open(self, key: str) -> ShardIndex:
        """The index of a shard, verified, and made first if need be."""
        opened = self._opened.get(key)
        if opened is None:
            folder = self.folder / key
            opened = index.open_index(folder, self.shard(key), self.tokenizer)
            self._opened[key] = opened
        return opened

    def prepare(self, progress: Progress | None = None) -> None:
        """Index whatever is not indexed yet, in parallel; safe to break off and to repeat."""
        pending = [
            shard
            for shard in self.shards()
            if not index.is_indexed(self.folder / shard.key, shard, self.tokenizer)
        ]
        total, done = sum(shard.size for shard in pending), 0
        for shard in _index_all(pending, self.folder, self.tokenizer, total):
            done += shard.size
            if progress:
                progress(f"Indexing {self.spec}", done, total)


def _index_all(
    pending: Sequence[Shard], folder: Path, tokenizer: tokens.Tokenizer, total: int
) -> Iterator[Shard]:
    """Index shards, yielding each when it is done."""
    if len(pending) < 2 or total < _ALONE or (os.cpu_count() or 1) < 2:
        for shard in pending:
            index.ensure_index(folder / shard.key, shard, tokenizer)
            yield shard
        return
    jobs = [(folder / shard.key, shard, tokenizer.name) for shard in pending]
    workers = min(os.cpu_count() or 1, len(pending))
    # Leaving the block ends the workers at once, by Ctrl-C too; what they were writing is swept
    # away by the next one who indexes the shard.
    with multiprocessing.get_context("spawn").Pool(workers, _leave_interrupts_alone) as pool:
        yield from pool.imap_unordered(_index_one, jobs)


def _index_one(job: tuple[Path, Shard, str]) -> Shard:
    folder, shard, tokenizer = job
    index.ensure_index(folder, shard, tokens.tokenizer(tokenizer))
    return shard


def _leave_interrupts_alone() -> None:
    # Ctrl-C reaches every process of the terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def unknown_shard(corpus: str, key: str) -> CorpusError:
    """The error of a recipe that names a shard which the corpus does not have."""
    return CorpusError(f"The corpus {corpus} has no part {key!r}; is it the corpus of the recipe?")
