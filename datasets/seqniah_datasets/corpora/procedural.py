"""The embedded corpus: documents written from grammars, with no network and no licence.

A document is a function of its key. Each sample has one of its own, as long as it needs, which is
written when it is needed.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from seqniah_datasets import rng, tokens
from seqniah_datasets.corpora import packed
from seqniah_datasets.corpora.base import Corpus, Wanted, unknown_shard
from seqniah_datasets.corpora.grammar import Grammar, document, parse
from seqniah_datasets.corpora.haystacks import DocumentRef, Haystacks, Reuse, Stretch
from seqniah_datasets.corpora.index import Shard, ShardIndex, SourceDocument
from seqniah_datasets.errors import CorpusError, DamagedFile
from seqniah_datasets.schema import LANGS, Lang, Split

ENGINE = 2
"""Version of the writer; any change of its bytes raises it."""

MOST = 16_000_000
"""Tokens of the longest document."""

_UNIT = 1_000
"""Documents are made for so many tokens, or twice, three times ... as many."""

_PROBE = 40_000
"""Bytes of each genre from which a tokenizer's bytes per token are measured."""

_MARGIN = 1.05
"""By how much a document is longer than the tokens wanted would make it."""

_LONGEST_TOKEN = 6
"""Bytes of a token, about, at most."""

_KEY = re.compile(r"(en|zh)-([a-z0-9][a-z0-9-]{0,80})-([1-9]\d{0,5})k", re.ASCII)


_NAMES = "names.toml"
"""What all grammars of a language have in common."""


@lru_cache(maxsize=1)
def _sources() -> dict[Lang, dict[str, str]]:
    """Each language's TOML by file name, sorted."""
    folder = files("seqniah_datasets") / "corpora" / "grammars"
    return {
        lang: {
            entry.name: entry.read_text(encoding="utf-8")
            for entry in sorted((folder / lang).iterdir(), key=lambda entry: entry.name)
            if entry.name.endswith(".toml")
        }
        for lang in LANGS
    }


def names(lang: Lang) -> dict[str, list[str]]:
    """Rules for the names of people and places."""
    rules: dict[str, list[str]] = tomllib.loads(_sources()[lang][_NAMES])["rules"]
    return rules


@lru_cache(maxsize=len(LANGS))
def grammars(lang: Lang) -> tuple[Grammar, ...]:
    """What the corpus is written from: one a genre."""
    texts, known = _sources()[lang], names(lang)
    return tuple(parse(text, name, known) for name, text in texts.items() if name != _NAMES)


def write(lang: Lang, size: int, name: rng.Key) -> str:
    """A document of at least `size` bytes, always the same."""
    return document(grammars(lang), rng.stream("procedural", ENGINE, lang, name), size)


@lru_cache(maxsize=1)
def digest() -> str:
    """Of everything that the documents' bytes follow from."""
    hasher = hashlib.sha256(f"{ENGINE} {_UNIT} {_PROBE} {_MARGIN}".encode())
    for lang in LANGS:
        for name, text in _sources()[lang].items():
            hasher.update(rng.digest(lang, name, text.replace("\r\n", "\n")))
    return hasher.hexdigest()


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
        """None beforehand: documents are written when samples ask for them."""
        return []

    def shard(self, key: str) -> Shard:
        lang, name, wanted = self._parsed(key)
        # Longer than any document, so that it is not measured before it is written.
        size = wanted * _LONGEST_TOKEN

        def documents() -> Iterator[SourceDocument]:
            size = int(wanted * self._bytes_per_token[lang] * _MARGIN)
            yield SourceDocument(write(lang, size, name), f"procedural {key}")

        return Shard(key, digest(), size, documents)

    def _parsed(self, key: str) -> tuple[Lang, str, int]:
        """Language, name and tokens of a document."""
        found = _KEY.fullmatch(key)
        wanted = int(found[3]) * _UNIT if found else 0
        if found is None or wanted > MOST:
            raise unknown_shard(self.spec, key)
        return LANGS[found[1] == LANGS[1]], found[2], wanted

    def _file(self, key: str) -> Path:
        self._parsed(key)
        return self.folder / self.tokenizer.digest[:16] / key

    def _write(self, key: str) -> None:
        (document,) = self.shard(key).documents()
        packed.write(self._file(key), document.text.encode(), self.tokenizer)

    def ensure(self, key: str) -> None:
        if not self._file(key).is_file():
            self._write(key)

    def _open(self, key: str) -> ShardIndex:
        try:
            return packed.read(self._file(key))
        except DamagedFile:
            self._write(key)
            return packed.read(self._file(key))

    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        """One, which all have in common who ask for as many tokens, or half of them."""
        return [self.document(lang, "shared", tokens, min(1 << (tokens - 1).bit_length(), MOST))]

    @cached_property
    def _bytes_per_token(self) -> Mapping[Lang, float]:
        """Of the genre whose tokens are longest."""
        count = self.tokenizer.count
        return {
            lang: max(
                len(text.encode()) / count(text)
                for genre in grammars(lang)
                for text in (document([genre], rng.stream("probe", ENGINE, lang), _PROBE),)
            )
            for lang in LANGS
        }

    def document(self, lang: Lang, name: str, needed: int, wanted: int) -> DocumentRef:
        """One of `wanted` tokens. Raises `CorpusError` where those needed are too many."""
        if needed > MOST:
            raise CorpusError(
                f"The procedural corpus writes documents of up to {MOST:,} tokens, not "
                f"{needed:,}; pass a folder of longer documents as corpus."
            )
        return DocumentRef(f"{lang}-{name}-{-(-wanted // _UNIT)}k", 0)

    def haystacks(self, lang: Lang, split: Split, series: str, wanted: Wanted) -> Haystacks:
        return _Written(self, lang, series)


class _Written(Haystacks):
    """A document for each sample."""

    def __init__(self, corpus: ProceduralCorpus, lang: Lang, series: str) -> None:
        self._corpus, self._lang, self._series = corpus, lang, series

    def stretch(self, sample: str, tokens: int, variant: int) -> Stretch:
        name = f"{self._series}-{sample}-{variant}"
        return Stretch(self._corpus.document(self._lang, name, tokens, tokens), 0, None)

    def reuse(self) -> Reuse:
        return Reuse(0, 0, 0)
