"""A folder of .txt, .jsonl and .parquet files, found at any depth, or one such file."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets import rng, tokens
from seqniah_datasets.corpora.base import Corpus, DocumentRef, unknown_shard
from seqniah_datasets.corpora.index import DocumentFacts, Shard, SourceDocument, read_facts
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import LANGS, Lang

TEXT_FIELDS = ("text", "content", "document")
"""Names under which a JSON line or a parquet table may hold the text; the first found counts."""

_GROUP = 32_000_000
"""Small files are indexed together until they have this many bytes."""


@dataclass(frozen=True)
class FolderShard:
    """Some neighbouring files of the folder."""

    key: str
    files: tuple[tuple[str, int, int], ...]
    """Path, bytes, and time of the last change in nanoseconds."""

    @property
    def fingerprint(self) -> str:
        return rng.digest(*(part for entry in self.files for part in entry)).hex()

    @property
    def size(self) -> int:
        return sum(size for _, size, _ in self.files)

    def documents(self) -> Iterator[SourceDocument]:
        for name, _, _ in self.files:
            path = Path(name)
            try:
                yield from READERS[path.suffix.lower()](path)
            except OSError as error:
                raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from error


def _read_text(path: Path) -> Iterator[SourceDocument]:
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CorpusError(_not_utf8(path, line)) from error
    if text.strip():
        yield SourceDocument(text, str(path))


def _read_json_lines(path: Path) -> Iterator[SourceDocument]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number}"
            if not line.strip():
                continue
            try:
                fields = json.loads(line.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                raise CorpusError(_not_utf8(path, number)) from error
            except json.JSONDecodeError as error:
                raise CorpusError(f"{where} is not JSON: {error.msg}.") from error
            text = _text_of(fields) if isinstance(fields, dict) else None
            if text is None:
                wanted = ", ".join(TEXT_FIELDS)
                raise CorpusError(f"{where} has no text; it needs one of the fields {wanted}.")
            if text.strip():
                yield SourceDocument(text, where)


def _text_of(fields: dict[str, Any]) -> str | None:
    for name in TEXT_FIELDS:
        if isinstance(fields.get(name), str):
            return str(fields[name])
    return None


def _read_parquet(path: Path) -> Iterator[SourceDocument]:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(path)
        column = next((name for name in TEXT_FIELDS if name in table.schema_arrow.names), None)
        if column is None:
            wanted = ", ".join(TEXT_FIELDS)
            raise CorpusError(f"{path} has no text; it needs one of the columns {wanted}.")
        row = 0
        for batch in table.iter_batches(batch_size=64, columns=[column]):
            for text in batch.column(0).to_pylist():
                row += 1
                if isinstance(text, str) and text.strip():
                    yield SourceDocument(text, f"{path}, row {row}")
    except pyarrow.ArrowException as error:
        raise CorpusError(f"{path} is not a readable parquet file: {error}.") from error


def _not_utf8(path: Path, line: int) -> str:
    return f"{path}, line {line}, is not UTF-8; convert the file, e.g. with iconv -t utf-8."


READERS: dict[str, Callable[[Path], Iterator[SourceDocument]]] = {
    ".txt": _read_text,
    ".jsonl": _read_json_lines,
    ".parquet": _read_parquet,
}
"""File suffix to reader; a new kind of file is a new line here."""


def _find(root: Path) -> list[tuple[str, int, int]]:
    """The readable files under `root`, sorted by path with / between its parts."""
    if root.is_file() and root.suffix.lower() in READERS:
        paths = [root]
    elif root.is_dir():
        paths = [p for p in root.rglob("*") if p.suffix.lower() in READERS and p.is_file()]
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


def _group(files: Sequence[tuple[str, int, int]]) -> list[FolderShard]:
    groups: list[list[tuple[str, int, int]]] = [[]]
    filled = 0
    for entry in files:
        if groups[-1] and filled + entry[1] > _GROUP:
            groups.append([])
            filled = 0
        groups[-1].append(entry)
        filled += entry[1]
    return [FolderShard(f"{number:05d}", tuple(group)) for number, group in enumerate(groups)]


class FolderCorpus(Corpus):
    """`corpus=PATH`. Documents in neither language are left out and counted."""

    eager = True

    def __init__(self, root: Path, path: str, tokenizer: tokens.Tokenizer) -> None:
        self._path = Path(path).expanduser().resolve()
        self._shards = {shard.key: shard for shard in _group(_find(self._path))}
        super().__init__(root, f"folder-{rng.digest(str(self._path)).hex()[:12]}", tokenizer)
        self.spec = path
        self._digest: str | None = None
        self._sizes: dict[Lang, list[tuple[int, DocumentRef]]] = {}

    def shards(self) -> Sequence[Shard]:
        return list(self._shards.values())

    def shard(self, key: str) -> Shard:
        if key not in self._shards:
            raise unknown_shard(self.spec, key)
        return self._shards[key]

    @property
    def digest(self) -> str:
        if self._digest is None:
            parts = (facts.digest for _, facts in self._facts())
            self._digest = rng.digest(*parts).hex()
        return self._digest

    def counts(self) -> Counter[str]:
        """Documents by language, "other" for those left out."""
        names = [*LANGS, *["other"] * (256 - len(LANGS))]
        return Counter(names[code] for _, facts in self._facts() for code in facts.languages)

    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        longest_first = self._by_size(lang)
        if not longest_first:
            raise CorpusError(
                f"The corpus {self.spec} holds no document in {_NAMES[lang]}; "
                f"add some, or ask for one language with -T lang={_other(lang)}."
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

    def _by_size(self, lang: Lang) -> list[tuple[int, DocumentRef]]:
        """Tokens and place of each document of a language, longest first."""
        if lang not in self._sizes:
            code = LANGS.index(lang)
            found = [
                (int(facts.document_tokens[number]), DocumentRef(key, number))
                for key, facts in self._facts()
                for number, language in enumerate(facts.languages)
                if language == code
            ]
            self._sizes[lang] = sorted(found, key=lambda entry: -entry[0])
        return self._sizes[lang]

    def _facts(self) -> Iterator[tuple[str, DocumentFacts]]:
        for key, shard in self._shards.items():
            yield key, read_facts(self.folder / key, shard, self.tokenizer)


_NAMES = {"en": "English", "zh": "Chinese"}


def _other(lang: Lang) -> Lang:
    return "zh" if lang == "en" else "en"
