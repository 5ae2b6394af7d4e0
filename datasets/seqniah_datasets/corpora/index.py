"""The index of a shard: its text in one buffer, and where it may be cut at what token count.

A shard's folder holds the documents' text, NFC-normalised with LF line ends, and, as arrays,
where documents and sentences end. Each tokenizer adds a file of its own. A folder appears whole
or not at all, and everything in it is compared with its SHA-256 before it is used.
"""

from __future__ import annotations

import mmap
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import filelock
import numpy as np
import numpy.typing as npt

from seqniah_datasets import rng, store
from seqniah_datasets.corpora.grams import bitmap, is_absent
from seqniah_datasets.corpora.language import language_of
from seqniah_datasets.errors import CorpusError, DamagedFile
from seqniah_datasets.schema import LANGS
from seqniah_datasets.segment import segment
from seqniah_datasets.tokens import Tokenizer

FORMAT = 1
"""Of the index folder; another number is indexed anew."""

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One text as its corpus gives it."""

    text: str
    where: str
    """File, and line or row, for messages."""


class Shard(Protocol):
    """The unit of indexing: documents that are read, indexed and verified together."""

    @property
    def key(self) -> str:
        """Unique in its corpus, the same on every machine; also the name of its index folder."""

    @property
    def fingerprint(self) -> str:
        """Changes when the documents may have changed; then they are indexed anew."""

    @property
    def size(self) -> int:
        """Bytes to read, about; for progress bars."""

    def documents(self) -> Iterator[SourceDocument]:
        """The documents, in an order that never changes. May raise `CorpusError`."""


@dataclass(frozen=True, slots=True)
class ShardIndex:
    """One shard, opened."""

    key: str
    text: memoryview
    """All documents, one after the other, as UTF-8."""
    documents: Offsets
    """Byte offset of each document's start, and, last, of the end."""
    languages: npt.NDArray[np.uint8]
    """Each document's language, as its position in `LANGS`; 255 for any other language."""
    ends: Offsets
    """Byte offsets just after each sentence."""
    anchors: Offsets
    """Byte offsets at which the text may be cut without changing a token."""
    counts: Offsets
    """Tokens between the shard's start and each anchor, documents counted one by one."""
    document_tokens: Offsets
    """Tokens of each document."""
    grams: memoryview
    """Bitmap that proves phrases absent; see `grams`."""

    def holds(self, phrase: bytes, start: int, end: int) -> bool:
        """Whether a phrase stands in a stretch of the text."""
        if is_absent(phrase, self.grams):
            return False
        return phrase in bytes(self.text[start:end])


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What must be known of a shard's documents to choose among them; the text stays closed."""

    digest: str
    """Of the text, its documents' borders and their languages; hexadecimal digits."""
    languages: npt.NDArray[np.uint8]
    """As in `ShardIndex`."""
    document_tokens: Offsets
    """Tokens of each document."""


def read_facts(folder: Path, shard: Shard, tokenizer: Tokenizer) -> DocumentFacts:
    """The facts of a shard's documents, indexed first if need be."""
    ensure_index(folder, shard, tokenizer)
    try:
        return _facts(folder, tokenizer)
    except (OSError, ValueError, KeyError):  # damaged: opening verifies it and makes it again
        open_index(folder, shard, tokenizer)
        return _facts(folder, tokenizer)


_IDENTITY = ("text", "documents.npy", "languages.npy")
"""The files that tell one shard's content from another's."""


def is_indexed(folder: Path, shard: Shard, tokenizer: Tokenizer) -> bool:
    """Whether an index of the shard's present documents seems complete, read without verifying."""
    try:
        fields = store.read_manifest(folder / store.MANIFEST)
    except DamagedFile:
        return False
    return _is_current(fields, shard) and (folder / _tokens_manifest(tokenizer)).is_file()


def make_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> None:
    """Index a shard into `folder`, reusing its text index when only the tokenizer is new."""
    store.sweep(folder)
    try:
        fields = store.read_manifest(folder / store.MANIFEST)
        store.verify(folder / store.MANIFEST, fields)
        current = _is_current(fields, shard)
    except DamagedFile:
        current = False
    if not current:
        _write_texts(folder, shard)
    _write_tokens(folder, tokenizer)


def ensure_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> None:
    """Index a shard unless that has been done; of several processes at once, one does it."""
    with alone(folder):
        _make_unless_done(folder, shard, tokenizer)


def open_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> ShardIndex:
    """Open an index, verifying every file; one that is missing or damaged is made again."""
    with alone(folder):
        _make_unless_done(folder, shard, tokenizer)
        try:
            return _open(folder, shard.key, tokenizer)
        except DamagedFile:
            make_index(folder, shard, tokenizer)
            return _open(folder, shard.key, tokenizer)


def _make_unless_done(folder: Path, shard: Shard, tokenizer: Tokenizer) -> None:
    if not is_indexed(folder, shard, tokenizer):
        make_index(folder, shard, tokenizer)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other threads and processes away from a shard; no lock where none can be written."""
    lock = filelock.FileLock(folder.with_name(f".{folder.name}.lock"))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except OSError:  # a cache that can only be read, or not even that: making it will say so
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _is_current(fields: dict[str, object], shard: Shard) -> bool:
    return fields.get("format") == FORMAT and fields.get("fingerprint") == shard.fingerprint


def _tokens_manifest(tokenizer: Tokenizer) -> str:
    return f"tokens-{tokenizer.digest[:16]}.json"


def clean(text: str) -> str:
    """Text as the index keeps it: no byte order mark, LF line ends, NFC."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text


def _write_texts(folder: Path, shard: Shard) -> None:
    starts, languages = [0], []
    ends: list[Offsets] = [np.empty(0, np.int64)]
    anchors: list[Offsets] = [np.empty(0, np.int64)]
    with store.new_folder(folder) as place:
        with (place / "text").open("wb") as out:
            for document in shard.documents():
                raw = _encode(document)
                found = segment(raw)
                ends.append(found.ends + starts[-1])
                anchors.append(found.anchors + starts[-1])
                lang = language_of(document.text)
                languages.append(LANGS.index(lang) if lang else 255)
                starts.append(starts[-1] + len(raw))
                out.write(raw)
        _save(place / "documents.npy", np.array(starts, np.int64))
        _save(place / "languages.npy", np.array(languages, np.uint8))
        _save(place / "ends.npy", np.concatenate(ends))
        _save(place / "anchors.npy", np.concatenate(anchors))
        fields = {"format": FORMAT, "fingerprint": shard.fingerprint, "documents": len(languages)}
        _save(place / "grams.npy", bitmap(_map(place / "text")))
        names = ["text", "documents.npy", "languages.npy", "ends.npy", "anchors.npy", "grams.npy"]
        store.write_manifest(place / store.MANIFEST, fields, names)


def _encode(document: SourceDocument) -> bytes:
    try:
        return clean(document.text).encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(
            f"{document.where} holds half a surrogate pair, which is no text; fix or remove it."
        ) from error


def _write_tokens(folder: Path, tokenizer: Tokenizer) -> None:
    text = _map(folder / "text")
    documents, anchors = _load(folder / "documents.npy"), _load(folder / "anchors.npy")
    counts = np.empty(len(anchors), np.int64)
    per_document = np.empty(len(documents) - 1, np.int64)
    before, first = 0, 0
    for number, (start, end) in enumerate(pairwise(documents.tolist())):
        last = int(np.searchsorted(anchors, end))
        found = tokenizer.prefix_counts(bytes(text[start:end]), anchors[first:last] - start)
        counts[first:last] = np.where(found[:-1] < 0, -1, found[:-1] + before)
        per_document[number] = found[-1]
        before, first = before + int(found[-1]), last
    safe = counts >= 0
    stem = _tokens_manifest(tokenizer).removesuffix(".json")
    for name, array in (
        (f"{stem}.anchors.npy", anchors[safe]),
        (f"{stem}.counts.npy", counts[safe]),
        (f"{stem}.documents.npy", per_document),
    ):
        with store.new_file(folder / name) as place:
            _save(place, array)
    store.write_manifest(
        folder / f"{stem}.json",
        {"tokenizer": tokenizer.name, "digest": tokenizer.digest},
        [f"{stem}.anchors.npy", f"{stem}.counts.npy", f"{stem}.documents.npy"],
    )


def _facts(folder: Path, tokenizer: Tokenizer) -> DocumentFacts:
    files: Any = store.read_manifest(folder / store.MANIFEST)["files"]
    stem = _tokens_manifest(tokenizer).removesuffix(".json")
    return DocumentFacts(
        rng.digest(*(files[name]["sha256"] for name in _IDENTITY)).hex(),
        np.load(folder / "languages.npy", allow_pickle=False),
        _load(folder / f"{stem}.documents.npy"),
    )


def _open(folder: Path, key: str, tokenizer: Tokenizer) -> ShardIndex:
    fields = store.read_manifest(folder / store.MANIFEST)
    store.verify(folder / store.MANIFEST, fields)
    tokens = folder / _tokens_manifest(tokenizer)
    store.verify(tokens, store.read_manifest(tokens))
    stem = tokens.name.removesuffix(".json")
    return ShardIndex(
        key=key,
        text=_map(folder / "text"),
        documents=_load(folder / "documents.npy"),
        languages=np.load(folder / "languages.npy", allow_pickle=False),
        ends=_load(folder / "ends.npy"),
        anchors=_load(folder / f"{stem}.anchors.npy"),
        counts=_load(folder / f"{stem}.counts.npy"),
        document_tokens=_load(folder / f"{stem}.documents.npy"),
        grams=np.load(folder / "grams.npy", allow_pickle=False).data,
    )


def _map(path: Path) -> memoryview:
    with path.open("rb") as stream:
        if path.stat().st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def _save(path: Path, array: npt.NDArray[Any]) -> None:
    with path.open("wb") as stream:
        np.save(stream, array, allow_pickle=False)


def _load(path: Path) -> Offsets:
    loaded: Offsets = np.load(path, allow_pickle=False)
    return loaded
