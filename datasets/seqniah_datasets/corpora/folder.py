"""A folder of files with texts, found at any depth, or one such file."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path

from seqniah_datasets import rng, store, tokens
from seqniah_datasets.corpora.base import Corpus, Wanted, unknown_shard
from seqniah_datasets.corpora.haystacks import DocumentRef, Haystacks, allotted
from seqniah_datasets.corpora.index import DocumentFacts, Shard, SourceDocument, read_facts
from seqniah_datasets.corpora.readers import READERS, reader_of, refuse
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import LANGS, Lang, Split

_GROUP = 32_000_000
"""Small files are indexed together until they have this many bytes."""


_READ_AGAIN = 64_000_000
"""Up to so many bytes, a corpus is known by what its files hold; a larger one by their sizes and
times, so that a change that leaves both as they were is not noticed."""

_File = tuple[str, int, int]
"""Path, bytes, and time of the last change in nanoseconds."""


def _documents(files: Sequence[_File]) -> Iterator[SourceDocument]:
    for name, _, _ in files:
        reader = reader_of(name)
        assert reader
        try:
            with Path(name).open("rb") as stream:
                yield from reader(stream, name, refuse)
        except OSError as error:
            raise CorpusError(f"{name} cannot be read: {error.strerror or error}.") from error


def _find(root: Path) -> list[_File]:
    """The readable files under `root`, sorted by path with / between its parts."""
    if root.is_file() and reader_of(root.name):
        paths = [root]
    elif root.is_dir():
        paths = [p for p in root.rglob("*") if reader_of(p.name) and p.is_file()]
        paths.sort(key=lambda path: path.relative_to(root).as_posix())
    elif root.exists():
        raise CorpusError(f"The corpus {root} is none of {', '.join(READERS)}, and no folder.")
    else:
        raise CorpusError(
            f"The corpus {root} is not there; pass 'procedural', a folder, or one of its files."
        )
    files = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    if not any(size for _, size, _ in files):
        raise CorpusError(f"The corpus {root} holds no text: no {', '.join(READERS)} with content.")
    return files


def _content(name: str) -> str:
    try:
        return store.sha256_of(Path(name))
    except OSError:  # the reader names it when it comes to it
        return ""


def _group(files: Sequence[_File]) -> Iterator[Shard]:
    """Some neighbouring files a shard."""
    groups: list[list[_File]] = [[]]
    filled = 0
    for file in files:
        if groups[-1] and filled + file[1] > _GROUP:
            groups.append([])
            filled = 0
        groups[-1].append(file)
        filled += file[1]
    small = sum(size for _, size, _ in files) <= _READ_AGAIN
    for number, group in enumerate(groups):
        parts = [part for file in group for part in file]
        if small:
            parts += [_content(name) for name, _, _ in group]
        fingerprint = rng.digest(*parts).hex()
        size = sum(size for _, size, _ in group)
        yield Shard(f"{number:05d}", fingerprint, size, partial(_documents, group))


class FolderCorpus(Corpus):
    """`corpus=PATH`. Documents in neither language are left out and counted."""

    eager = True

    def __init__(
        self, root: Path, path: str, tokenizer: tokens.Tokenizer, name: str | None = None
    ) -> None:
        """With a `name` of its own under `root`, the files need to be there only at first use."""
        self._path = Path(path).expanduser().resolve()
        own = f"folder-{rng.digest(str(self._path)).hex()[:12]}"
        super().__init__(root, name or own, tokenizer)
        self.spec = path
        if name is None:
            self.shards()

    @cached_property
    def _shards(self) -> dict[str, Shard]:
        return {shard.key: shard for shard in _group(_find(self._path))}

    def shards(self) -> Sequence[Shard]:
        return list(self._shards.values())

    def shard(self, key: str) -> Shard:
        if key not in self._shards:
            raise unknown_shard(self.spec, key)
        return self._shards[key]

    @cached_property
    def _facts(self) -> dict[str, DocumentFacts]:
        return {
            key: read_facts(self.folder / key, shard, self.tokenizer)
            for key, shard in self._shards.items()
        }

    @cached_property
    def digest(self) -> str:
        return rng.digest(*(facts.digest for facts in self._facts.values())).hex()

    def counts(self) -> Counter[str]:
        """Documents by language, "other" for those left out."""
        names = [*LANGS, *["other"] * (256 - len(LANGS))]
        return Counter(names[code] for facts in self._facts.values() for code in facts.languages)

    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        longest_first = self._by_size[lang]
        if not longest_first:
            instead = [
                f", or ask for the language that it holds with -T lang={other}"
                for other in LANGS
                if self._by_size[other]
            ]
            raise CorpusError(
                f"The corpus {self.spec} holds no document in {_NAMES[lang]}; add some"
                f"{''.join(instead)}."
            )
        fitting = bisect_right(longest_first, -tokens, key=lambda entry: -entry[0])
        if not fitting:
            size, ref = longest_first[0]
            where = list(self._shards[ref.shard].documents())[ref.number].where
            raise CorpusError(
                f"No {_NAMES[lang]} document of the corpus {self.spec} has the {tokens:,} tokens "
                f"that this length needs; the longest, {where}, has {size:,}. "
                "Add longer documents or ask for shorter samples with -T length=."
            )
        return [ref for _, ref in longest_first[:fitting]]

    def haystacks(self, lang: Lang, split: Split, series: str, wanted: Wanted) -> Haystacks:
        self.candidates(lang, 1)
        return allotted(self._by_size[lang], lang, split, wanted())

    @cached_property
    def _by_size(self) -> dict[Lang, list[tuple[int, DocumentRef]]]:
        """Tokens and place of each document by language, longest first."""
        found: dict[Lang, list[tuple[int, DocumentRef]]] = {lang: [] for lang in LANGS}
        for key, facts in self._facts.items():
            for number, code in enumerate(facts.languages):
                if code < len(LANGS):
                    entry = int(facts.document_tokens[number]), DocumentRef(key, number)
                    found[LANGS[code]].append(entry)
        return {lang: sorted(some, key=lambda entry: -entry[0]) for lang, some in found.items()}


_NAMES = {"en": "English", "zh": "Chinese"}
