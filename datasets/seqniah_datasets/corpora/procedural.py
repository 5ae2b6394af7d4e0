"""The embedded corpus: long documents written from grammars, with no network and no licence.

A document is a function of its key, so only those that a run needs are ever written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
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

_KEY = re.compile(r"(en|zh)-([1-9]\d*)k-(\d\d)", re.ASCII)


@lru_cache(maxsize=1)
def _sources() -> dict[Lang, tuple[tuple[str, str], ...]]:
    """Each language's grammars as (file name, TOML), sorted by name."""
    folder = files("seqniah_datasets") / "corpora" / "grammars"
    return {
        lang: tuple(
            (entry.name, entry.read_text(encoding="utf-8"))
            for entry in sorted((folder / lang).iterdir(), key=lambda entry: entry.name)
            if entry.name.endswith(".toml")
        )
        for lang in LANGS
    }


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
    draws = rng.stream("procedural", ENGINE, lang, size, number)
    return Writer(_grammar(lang, number), draws).document(size)


@lru_cache(maxsize=1)
def digest() -> str:
    """Of everything that the documents' bytes follow from."""
    hasher = hashlib.sha256(f"{ENGINE} {DOCUMENTS} {SMALLEST}".encode())
    for lang in LANGS:
        for name, text in _sources()[lang]:
            hasher.update(rng.digest(lang, name, text.replace("\r\n", "\n")))
    return hasher.hexdigest()


def _key(lang: Lang, size: int, number: int) -> str:
    return f"{lang}-{size // 1000}k-{number:02d}"


def _shard(lang: Lang, size: int, number: int) -> Shard:
    """One document that is written rather than read."""
    key = _key(lang, size, number)

    def documents() -> Iterator[SourceDocument]:
        yield SourceDocument(write(lang, size, number), f"procedural {key}")

    return Shard(key, digest(), size, documents)


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
        return [_shard(lang, SMALLEST, number) for lang in LANGS for number in range(DOCUMENTS)]

    def shard(self, key: str) -> Shard:
        found = _KEY.fullmatch(key)
        if found is None or int(found[3]) >= DOCUMENTS:
            raise unknown_shard(self.spec, key)
        return _shard("en" if found[1] == "en" else "zh", int(found[2]) * 1000, int(found[3]))

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


@lru_cache(maxsize=16)
def _references(lang: Lang, size: int) -> tuple[DocumentRef, ...]:
    return tuple(DocumentRef(_key(lang, size, number), 0) for number in range(DOCUMENTS))
