"""The index of a shard: its text in one buffer, and where it may be cut at what token count.

A shard's folder holds the documents' text, NFC-normalised with LF line ends, and, as arrays,
where documents and sentences end. Each tokenizer adds a file of its own. A folder appears whole
or not at all, and everything in it is compared with its SHA-256 before it is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import filelock
import numpy as np
import numpy.typing as npt

from seqniah_datasets import rng, store
from seqniah_datasets.corpora.arrays import Offsets, array_of, load, mapped, save
from seqniah_datasets.corpora.grams import bitmap, is_absent
from seqniah_datasets.corpora.language import language_of
from seqniah_datasets.errors import CorpusError, DamagedFile
from seqniah_datasets.schema import LANGS
from seqniah_datasets.segment import segment
from seqniah_datasets.tokens import Tokenizer

FORMAT = 2
"""Of the index folder; another number is indexed anew."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One text as its corpus gives it."""

    text: str
    where: str
    """File, and line or row, for messages."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The unit of indexing: documents that are read, indexed and verified together."""

    key: str
    """Unique in its corpus, the same on every machine; also the name of its index folder."""
    fingerprint: str
    """Changes when the documents may have changed; then they are indexed anew."""
    size: int
    """Bytes to read, about; for progress bars."""
    documents: Callable[[], Iterator[SourceDocument]]
    """Gives the documents, in an order that never changes. May raise `CorpusError`."""


_NEXT = np.isin(np.arange(256), list(b"\n\t \xe3"))
"""By byte: the first of an empty or indented line; U+3000 begins with 0xE3."""


@dataclass(frozen=True)
class ShardIndex:
    """One shard, opened."""

    text: memoryview
    """All documents, one after the other, as UTF-8."""
    documents: Offsets
    """Byte offset of each document's start, and, last, of the end."""
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

    @cached_property
    def breaks(self) -> Offsets:
        """Those of `ends` after which the next paragraph begins: an empty or indented line."""
        raw = np.frombuffer(self.text, np.uint8)
        ends = self.ends[self.ends + 1 < len(raw)]
        breaks: Offsets = ends[(raw[ends] == ord("\n")) & _NEXT[raw[ends + 1]]]
        return breaks

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
    """Each document's language, as its position in `LANGS`; 255 for any other language."""
    document_tokens: Offsets
    """Tokens of each document."""


def read_facts(folder: Path, shard: Shard, tokenizer: Tokenizer) -> DocumentFacts:
    """The facts of a shard's documents, indexed first if need be."""
    ensure_index(folder, shard, tokenizer)
    try:
        return _facts(folder, tokenizer)
    except DamagedFile:  # opening makes it again
        open_index(folder, shard, tokenizer)
        return _facts(folder, tokenizer)


_IDENTITY = ("text", "documents.npy", "languages.npy")
"""The files that tell one shard's content from another's."""


def is_indexed(folder: Path, shard: Shard, tokenizer: Tokenizer) -> bool:
    """Whether an index of the shard's present documents seems complete, read without verifying."""
    counted = folder / f"{_stem(tokenizer)}.json"
    return _is_current(folder, shard, store.read_manifest) and counted.is_file()


def _is_current(folder: Path, shard: Shard, read: Callable[[Path], dict[str, Any]]) -> bool:
    try:
        fields = read(folder / store.MANIFEST)
        _identity(folder, fields)
    except DamagedFile:
        return False
    return fields.get("format") == FORMAT and fields.get("fingerprint") == shard.fingerprint


def _content(files: Mapping[str, Any]) -> str:
    """A digest of a shard's content, from what a manifest says of its files."""
    return rng.digest(*(str(files[name]["sha256"]) for name in _IDENTITY)).hex()


def _identity(folder: Path, fields: dict[str, Any]) -> str:
    """What a manifest says of a shard's content. Raises `DamagedFile` unless it says so twice."""
    with suppress(LookupError, TypeError):
        found = _content(fields["files"])
        if fields.get("identity") == found:
            return found
    raise DamagedFile(f"{folder / store.MANIFEST} is damaged: its digests do not agree.")


def make_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> None:
    """Index a shard into `folder`, reusing its text index when only the tokenizer is new."""
    store.sweep(folder)
    if not _is_current(folder, shard, store.verified):
        _write_texts(folder, shard)
    _write_tokens(folder, tokenizer)


def ensure_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> None:
    """Index a shard unless that has been done; of several processes at once, one does it."""
    with alone(folder):
        if not is_indexed(folder, shard, tokenizer):
            make_index(folder, shard, tokenizer)


def open_index(folder: Path, shard: Shard, tokenizer: Tokenizer) -> ShardIndex:
    """Open an index, verifying every file; one that is missing or damaged is made again."""
    with alone(folder):
        if not is_indexed(folder, shard, tokenizer):
            make_index(folder, shard, tokenizer)
        try:
            return _open(folder, tokenizer)
        except DamagedFile:
            make_index(folder, shard, tokenizer)
            return _open(folder, tokenizer)


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


def _stem(tokenizer: Tokenizer) -> str:
    """With what the names of a tokenizer's files begin; STEM.json is their manifest."""
    return f"tokens-{tokenizer.digest[:16]}"


def clean(text: str) -> str:
    """Text as the index keeps it: no byte order mark, LF line ends, NFC."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text


def room(size: int) -> int:
    """Bytes of the index of a text of so many bytes, about."""
    return size * 3 // 2


def _write_texts(folder: Path, shard: Shard) -> None:
    starts, languages = [0], []
    ends: list[Offsets] = [np.empty(0, np.int64)]
    anchors: list[Offsets] = [np.empty(0, np.int64)]
    with store.new_folder(folder, room(shard.size)) as place:
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
        arrays: dict[str, npt.NDArray[Any]] = {
            "documents.npy": np.array(starts, np.int64),
            "languages.npy": np.array(languages, np.uint8),
            "ends.npy": np.concatenate(ends),
            "anchors.npy": np.concatenate(anchors),
            "grams.npy": bitmap(mapped(place / "text")),
        }
        for name, array in arrays.items():
            save(place / name, array)
        fields = {
            "format": FORMAT,
            "fingerprint": shard.fingerprint,
            "documents": len(languages),
            "identity": _content(store.entries(place, _IDENTITY)),
        }
        store.write_manifest(place / store.MANIFEST, fields, ["text", *arrays])


def _encode(document: SourceDocument) -> bytes:
    try:
        return clean(document.text).encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(
            f"{document.where} holds half a surrogate pair, which is no text; fix or remove it."
        ) from error


def _write_tokens(folder: Path, tokenizer: Tokenizer) -> None:
    text = mapped(folder / "text")
    documents, anchors = load(folder / "documents.npy"), load(folder / "anchors.npy")
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
    stem = _stem(tokenizer)
    arrays = {
        f"{stem}.anchors.npy": anchors[safe],
        f"{stem}.counts.npy": counts[safe],
        f"{stem}.documents.npy": per_document,
    }
    size = sum(array.nbytes for array in arrays.values())
    for name, array in arrays.items():
        with store.new_file(folder / name, size) as place:
            save(place, array)
    fields = {"tokenizer": tokenizer.name, "digest": tokenizer.digest}
    store.write_manifest(folder / f"{stem}.json", fields, list(arrays))


def _facts(folder: Path, tokenizer: Tokenizer) -> DocumentFacts:
    stem = _stem(tokenizer)
    manifest, counted = folder / store.MANIFEST, folder / f"{stem}.json"
    fields, counts = store.read_manifest(manifest), store.read_manifest(counted)
    return DocumentFacts(
        _identity(folder, fields),
        array_of(store.read_verified(manifest, fields, "languages.npy"), np.uint8),
        array_of(store.read_verified(counted, counts, f"{stem}.documents.npy"), np.int64),
    )


def _open(folder: Path, tokenizer: Tokenizer) -> ShardIndex:
    stem = _stem(tokenizer)
    store.verified(folder / store.MANIFEST)
    store.verified(folder / f"{stem}.json")
    return ShardIndex(
        text=mapped(folder / "text"),
        documents=load(folder / "documents.npy"),
        ends=load(folder / "ends.npy"),
        anchors=load(folder / f"{stem}.anchors.npy"),
        counts=load(folder / f"{stem}.counts.npy"),
        document_tokens=load(folder / f"{stem}.documents.npy"),
        grams=array_of((folder / "grams.npy").read_bytes(), np.uint8).data,
    )
