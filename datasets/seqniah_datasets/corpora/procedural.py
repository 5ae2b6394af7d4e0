"""The embedded corpus: long documents written from grammars, with no network and no licence.

A document is a function of its key, so only those that a run needs are ever written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from seqniah_datasets import rng, tokens
from seqniah_datasets.corpora.base import Corpus, DocumentRef, unknown_shard
from seqniah_datasets.corpora.grammar import Grammar, Writer, parse
from seqniah_datasets.corpora.index import Shard, SourceDocument
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import LANGS, Lang

ENGINE = 1
"""Version of the writer; any change of its bytes raises it."""

DOCUMENTS = 48
"""Documents of each size class a language: about 8 million tokens in the smallest class."""

SMALLEST = 768_000
"""Bytes of the smallest class, enough for 128,000 tokens of at most 6 bytes."""

LARGEST = 12_288_000
"""Bytes of the largest class, enough for 2 million tokens."""

_BYTES_PER_TOKEN = 6


@lru_cache(maxsize=1)
def _sources() -> dict[Lang, tuple[tuple[str, str], ...]]:
    """Each language's grammars as (file name, TOML), sorted by name."""
    found: dict[Lang, tuple[tuple[str, str], ...]] = {}
    for lang in LANGS:
        folder = files("seqniah_datasets") / "corpora" / "grammars" / lang
        entries = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
        entries.sort(key=lambda entry: entry.name)
        found[lang] = tuple((entry.name, entry.read_text(encoding="utf-8")) for entry in entries)
    return found


@lru_cache(maxsize=32)
def _grammar(lang: Lang, number: int) -> Grammar:
    genres = _sources()[lang]
    name, text = genres[number % len(genres)]
    return parse(text, name)


def genres(lang: Lang) -> list[str]:
    """What kinds of documents the corpus holds, in words."""
    return [_grammar(lang, number).genre for number in range(len(_sources()[lang]))]


def write(lang: Lang, size: int, number: int) -> str:
    """Document `number` of the class of `size` bytes; at least that long, always the same."""
    random = rng.stream("procedural", ENGINE, lang, size, number)
    return Writer(_grammar(lang, number), random.random).document(size)


@lru_cache(maxsize=1)
def digest() -> str:
    """Of everything that the documents' bytes follow from."""
    hasher = hashlib.sha256(f"{ENGINE} {DOCUMENTS} {SMALLEST}".encode())
    for lang in LANGS:
        for name, text in _sources()[lang]:
            hasher.update(rng.digest(lang, name, text.replace("\r\n", "\n")))
    return hasher.hexdigest()


@dataclass(frozen=True)
class ProceduralShard:
    """One document that is written rather than read."""

    lang: Lang
    size: int
    number: int

    @property
    def key(self) -> str:
        return f"{self.lang}-{self.size // 1000}k-{self.number:02d}"

    @property
    def fingerprint(self) -> str:
        return digest()

    def documents(self) -> Iterator[SourceDocument]:
        yield SourceDocument(write(self.lang, self.size, self.number), f"procedural {self.key}")


class ProceduralCorpus(Corpus):
    """`corpus=procedural`, the default."""

    spec = "procedural"
    eager = False

    def __init__(self, root: Path, tokenizer: tokens.Tokenizer) -> None:
        super().__init__(root, f"procedural-{digest()[:12]}", tokenizer)

    @property
    def digest(self) -> str:
        return digest()

    def shards(self) -> Sequence[Shard]:
        """The smallest class; larger documents are written when a length asks for them."""
        return [shard for lang in LANGS for shard in _class(lang, SMALLEST)]

    def shard(self, key: str) -> Shard:
        lang, _, rest = key.partition("-")
        size, _, number = rest.partition("k-")
        if lang in LANGS and size.isdecimal() and number.isdecimal():
            for shard in _class("en" if lang == "en" else "zh", int(size) * 1000):
                if shard.key == key:
                    return shard
        raise unknown_shard(self.spec, key)

    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        size = SMALLEST
        while size < tokens * _BYTES_PER_TOKEN:
            size *= 2
        if size > LARGEST:
            raise CorpusError(
                f"The procedural corpus holds documents of up to {LARGEST // _BYTES_PER_TOKEN:,} "
                f"tokens, not {tokens:,}; pass a folder of longer documents as corpus."
            )
        return _references(lang, size)


def _class(lang: Lang, size: int) -> list[ProceduralShard]:
    """All documents of one language and size."""
    return [ProceduralShard(lang, size, number) for number in range(DOCUMENTS)]


@lru_cache(maxsize=16)
def _references(lang: Lang, size: int) -> tuple[DocumentRef, ...]:
    return tuple(DocumentRef(shard.key, 0) for shard in _class(lang, size))
