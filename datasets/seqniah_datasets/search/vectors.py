"""Vectors of a library on the disk: made batch by batch, whole or absent, read where asked for.

What is being made stands beside its place, under a name with a dot: the array, of which rows are
filled in, and the names of the batches that are done. Whoever goes on with the same articles and
the same source makes only the others.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
import numpy.typing as npt

from seqniah_datasets import rng, store
from seqniah_datasets.articles.library import Library
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.corpora.index import alone
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search import npz
from seqniah_datasets.search.base import Numbers
from seqniah_datasets.search.embedding import Model, ServerGone

FORMAT = 1
"""Of the folder."""

ARRAY = "vectors.npy"
_DONE, _INPUTS = "done.txt", "inputs.json"

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Batch:
    """Some articles whose vectors are made at once."""

    name: str
    """Of digits, and no other's of the same source."""
    where: str
    """What it is made of, for messages."""
    numbers: Numbers
    """Of the articles, distinct."""
    made: Callable[[], Vectors]
    """A row of length 1 or 0 for each. Raises `SeqniahError`."""


class Source(Protocol):
    """Where vectors come from."""

    @property
    def identity(self) -> str:
        """What makes its vectors others than another one's."""

    def batches(self, library: Library) -> Iterator[Batch]:
        """Each article in one of them; the same again whenever asked. Raises `SeqniahError`."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Vectors that a model makes of titles and texts."""

    model: Model
    characters: int = 0
    """At most so many of each article; 0: all."""

    @property
    def identity(self) -> str:
        """The model's, and how much it reads."""
        return self.model.identity + (f", {self.characters} characters" if self.characters else "")

    def batches(self, library: Library) -> Iterator[Batch]:
        """Articles in order."""
        for at in range(0, len(library), self.model.batch):
            numbers = np.arange(at, min(at + self.model.batch, len(library)))
            where = f"{self.model.identity}, from article {at + 1:,}"
            yield Batch(str(at), where, numbers, partial(self._made, library, numbers))

    def _made(self, library: Library, numbers: Numbers) -> Vectors:
        texts = [library.articles[number].content for number in numbers.tolist()]
        return self.model.encode([text[: self.characters or None] for text in texts])


@dataclass(frozen=True, slots=True)
class Published:
    """Vectors that `.npz` files hold."""

    files: Sequence[Path]

    @property
    def identity(self) -> str:
        """Of the files' bytes, whatever their names."""
        return f"npz {rng.digest(*map(store.sha256_of, self.files)).hex()[:16]}"

    def batches(self, library: Library) -> Iterator[Batch]:
        """A file at a time.

        Raises `SeqniahError` that names the file of an article which the library lacks, or which
        has a vector already, and an article without one.
        """
        missing = np.ones(len(library), np.bool_)
        found: list[Batch] = []
        for number, path in enumerate(self.files):
            numbers = _numbers(path, library, missing)
            found.append(Batch(str(number), str(path), numbers, partial(_read, path)))
        if missing.any():
            one = library.articles[int(np.flatnonzero(missing)[0])].id
            raise SeqniahError(
                f"There is no vector of {missing.sum():,} of {len(missing):,} articles, such as "
                f"{one!r}; make vectors of all."
            )
        yield from found


def _read(path: Path) -> Vectors:
    return npz.read(path)[1]


def _numbers(path: Path, library: Library, missing: npt.NDArray[np.bool_]) -> Numbers:
    ids = npz.ids(path)
    found = np.empty(len(ids), np.int64)
    for row, id in enumerate(ids):
        number = library.numbers.get(id)
        if number is None or not missing[number]:
            wrong = "is no article of the library" if number is None else "has a vector already"
            raise SeqniahError(
                f"{path}, row {row}: {id!r} {wrong}; are the vectors of another corpus?"
            )
        missing[number] = False
        found[row] = number
    return found


def make(
    folder: Path,
    library: Library,
    source: Source,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> None:
    """Make the vectors of all articles, unless `folder` has them; what is there gives way at the
    end.

    `workers`: batches under way at once. Raises `SeqniahError` as the source does; batches that are
    done are kept, and the next call goes on.
    """
    inputs = {"format": FORMAT, "documents": library.articles_digest, "source": source.identity}
    with alone(folder):
        if _inputs(folder) == inputs:
            return
        part = _Part(folder.with_name(f".{folder.name}.part"), inputs, len(library))
        batches = (one for one in source.batches(library) if one.name not in part.done)
        for batch, vectors in _made(batches, workers, part):
            part.write(batch, vectors)
            if progress:
                progress("Making vectors", part.rows, len(library))
        part.finish(folder)


def _inputs(folder: Path) -> Mapping[str, Any] | None:
    """What whole vectors were made of; None where they are not whole."""
    with suppress(DamagedFile):
        told = store.verified(folder / store.MANIFEST)
        return {name: told.get(name) for name in ("format", "documents", "source")}
    return None


def load(folder: Path) -> Vectors:
    """Vectors that `make` made, mapped. Raises `DamagedFile` where they are not as they were."""
    told = store.verified(folder / store.MANIFEST)
    shape = int(told["count"]), int(told["width"])
    start = (folder / ARRAY).stat().st_size - shape[0] * shape[1] * 4
    # Not by `np.load`, which parses the header; see `corpora.arrays.array_of`.
    return np.memmap(folder / ARRAY, "<f4", "r", start, shape)


def _made(batches: Iterator[Batch], workers: int, part: _Part) -> Iterator[tuple[Batch, Vectors]]:
    """Each batch with its vectors, in order, some of them under way at once."""
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[tuple[Batch, Future[Vectors]]] = deque()
        try:
            while True:
                for batch in islice(batches, workers - len(pending)):
                    pending.append((batch, pool.submit(batch.made)))
                if not pending:
                    return
                first, making = pending.popleft()
                yield first, making.result()
        except ServerGone as error:
            raise SeqniahError(
                f"{str(error).rstrip('.')}; {part.rows:,} vectors are kept, and the next call goes "
                "on from there."
            ) from error
        finally:
            for _, making in pending:
                making.cancel()


class _Part:
    """Vectors that are being made; a mapped array would crash where the disk is full."""

    def __init__(self, folder: Path, inputs: Mapping[str, Any], count: int) -> None:
        self._folder, self._inputs, self._count = folder, inputs, count
        self.done: set[str] = set()
        self.rows = 0
        self._width = 0
        try:
            if json.loads((folder / _INPUTS).read_text("utf-8")) != inputs:
                raise ValueError("they are of other articles, or of another source")
            with (folder / ARRAY).open("rb") as file:
                np.lib.format.read_magic(file)
                shape: tuple[int, ...] = np.lib.format.read_array_header_1_0(file)[0]
            if len(shape) != 2 or shape[0] != count:
                raise ValueError("the array has another shape")
            lines = [one.split() for one in (folder / _DONE).read_text("ascii").splitlines()]
            self.done = {name for name, _ in lines}
            self.rows, self._width = sum(int(rows) for _, rows in lines), shape[1]
        except (OSError, ValueError, EOFError):
            self._begin()

    def _begin(self) -> None:
        with _telling(self._folder):
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
            (self._folder / _DONE).touch()
            (self._folder / _INPUTS).write_text(json.dumps(self._inputs), "utf-8")

    def write(self, batch: Batch, vectors: Vectors) -> None:
        """Keep the vectors of a batch. Raises `SeqniahError` where they are of another width."""
        npz.refuse_width(batch.where, vectors.shape[1], self._width or vectors.shape[1])
        with _telling(self._folder):
            if not self._width:
                self._width = vectors.shape[1]
                self._write_header()
            with (self._folder / ARRAY).open("r+b") as file:
                first = _begins(file)
                for rows in _runs(batch.numbers):
                    file.seek(first + int(batch.numbers[rows[0]]) * self._width * 4)
                    file.write(np.ascontiguousarray(vectors[rows], "<f4").data)
                file.flush()
                os.fsync(file.fileno())  # before it is told to be there
            with (self._folder / _DONE).open("a", encoding="ascii") as done:
                done.write(f"{batch.name} {len(batch.numbers)}\n")
        self.rows += len(batch.numbers)

    def _write_header(self) -> None:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (self._count, self._width)}
        with (self._folder / ARRAY).open("wb") as file:
            np.lib.format.write_array_header_1_0(file, shape)
            file.truncate(file.tell() + self._count * self._width * 4)

    def finish(self, folder: Path) -> None:
        """Put all vectors into their place."""
        told = {**self._inputs, "count": self._count, "width": self._width}
        store.write_manifest(self._folder / store.MANIFEST, told, [ARRAY])
        with _telling(folder):
            for name in (_DONE, _INPUTS):
                (self._folder / name).unlink()
            shutil.rmtree(folder, ignore_errors=True)
            self._folder.rename(folder)


def _begins(file: BinaryIO) -> int:
    """Where an array's numbers begin, behind its header."""
    np.lib.format.read_magic(file)
    np.lib.format.read_array_header_1_0(file)
    return file.tell()


def _runs(numbers: Numbers) -> list[npt.NDArray[np.intp]]:
    """Places of numbers, those of numbers in a row together."""
    order = np.argsort(numbers)
    starts = np.flatnonzero(np.diff(numbers[order]) != 1) + 1
    return [run for run in np.split(order, starts) if len(run)]


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    """Tell in a sentence what the disk refuses."""
    try:
        yield
    except OSError as error:
        raise SeqniahError(
            f"{folder} cannot be written ({error.strerror or error}); make room or choose another "
            "place, and give the command again: batches that are done are kept."
        ) from error
