"""Texts of a data set on the Hugging Face hub, taken once into a snapshot that then serves offline.

Only the beginnings of the data set's files are streamed, in the order of their paths. A path that
names a language (LongData_zh/..., NIAH_en.jsonl) is searched for that language alone. Each file
may give a language its share: what the budget lacks yet, divided by the files still to come.
Documents of the longest class count beyond the share until there are enough of them, and to find
such, a file is read on to `Budget.reach` times its share. So the transfer is bounded by the
budget, not by the data set, and the same commit gives the same snapshot everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from seqniah_datasets import rng, store, tokens
from seqniah_datasets.corpora import index
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.corpora.hub_files import COMMIT, HubError, Remote
from seqniah_datasets.corpora.index import Shard, SourceDocument
from seqniah_datasets.corpora.language import language_of
from seqniah_datasets.corpora.readers import MAX_ROW, reader_of
from seqniah_datasets.errors import CorpusError, DamagedFile
from seqniah_datasets.schema import LANGS, Lang

FORMAT = 1
"""Of the snapshot and of the rule it is made by; another number is fetched anew."""

_MANIFEST = "snapshot"
"""Beside the texts, and with no ending that a reader would take."""

_FILE = 24_000_000
"""Bytes of a snapshot file, about."""

_SPEC = re.compile(r"hub:([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)(?:@([\w./-]+))?", re.ASCII)
_RUN = re.compile(r"([\W_])\1{4,}")


@dataclass(frozen=True)
class Budget:
    """How much a snapshot takes. A snapshot that is there serves whatever its budget was."""

    text: int = 120_000_000
    """Bytes of text in each language."""
    long_documents: int = 48
    """Documents of the longest class wanted in each language."""
    long: Mapping[Lang, int] = field(default_factory=lambda: {"en": 600_000, "zh": 500_000})
    """Bytes of a document of the longest class: enough for 128,000 tokens."""
    shortest: Mapping[Lang, int] = field(default_factory=lambda: {"en": 64_000, "zh": 48_000})
    """Bytes below which a document is left out: 16,000 tokens, at 4 bytes each and at 3."""
    longest: int = 10_000_000
    """Bytes above which a document is left out; as JSON it stays within `MAX_ROW`."""
    reach: int = 4
    """Times its share that a file is read to in search of documents of the longest class."""


class _Harvest:
    """Documents taken from the files of a commit until the budget is met."""

    def __init__(self, remote: Remote, commit: str, paths: list[str], budget: Budget) -> None:
        self._remote, self._commit, self._budget = remote, commit, budget
        self._files = [(path, _languages(path)) for path in paths]
        self._left = dict.fromkeys(LANGS, budget.text)
        self._long = dict.fromkeys(LANGS, budget.long_documents)
        self._share: dict[Lang, int] = {}
        self.counts: Counter[str] = Counter()
        """Documents by what became of them: the language of those taken, or why not."""

    def __iter__(self) -> Iterator[tuple[Lang, str, str]]:
        """Language, text and place of each document taken."""
        to_come = Counter(lang for _, langs in self._files for lang in langs)
        for path, langs in self._files:
            self._share = {lang: max(0, self._left[lang]) // to_come[lang] for lang in langs}
            to_come.subtract(langs)
            if any(self._share.values()):
                yield from self._of_file(path)

    def _of_file(self, path: str) -> Iterator[tuple[Lang, str, str]]:
        reader = reader_of(path)
        assert reader
        reach = self._budget.reach * sum(self._share.values())
        with self._remote.open(self._commit, path, reach + MAX_ROW) as (stream, buffered):
            try:
                for document in reader(buffered, path, self._unreadable):
                    yield from self._judge(document)
                    if stream.done > reach or not self._wants_more():
                        return
            except HubError:
                raise
            except CorpusError as error:
                self._unreadable(str(error))

    def _unreadable(self, message: str) -> None:
        self.counts["unreadable"] += 1

    def _wants_more(self) -> bool:
        return any(
            share > 0 or (self._long[lang] > 0 and self._left[lang] > 0)
            for lang, share in self._share.items()
        )

    def _judge(self, document: SourceDocument) -> Iterator[tuple[Lang, str, str]]:
        text = clean(document.text)
        try:
            size = len(text.encode("utf-8"))
        except UnicodeEncodeError:  # half a surrogate pair
            self.counts["unreadable"] += 1
            return
        lang = language_of(text)
        if lang is None or lang not in self._share:
            self.counts["language"] += 1
        elif size < self._budget.shortest[lang]:
            self.counts["short"] += 1
        elif size > self._budget.longest:
            self.counts["overlong"] += 1
        elif self._share[lang] <= 0 and not self._is_wanted_long(lang, size):
            self.counts["surplus"] += 1
        else:
            self._long[lang] -= self._is_wanted_long(lang, size)
            self._share[lang] -= size
            self._left[lang] -= size
            self.counts[lang] += 1
            yield lang, text, document.where

    def _is_wanted_long(self, lang: Lang, size: int) -> bool:
        return self._long[lang] > 0 and size >= self._budget.long[lang]


def clean(text: str) -> str:
    """Text as the index keeps it, runs of one mark or space cut to four."""
    return _RUN.sub(lambda run: run[1] * 4, index.clean(text))


def _languages(path: str) -> list[Lang]:
    """The languages that a path names, all of them where it names none."""
    words = re.split(r"[^a-z]+", path.lower())
    return [lang for lang in LANGS if lang in words] or list(LANGS)


def _pinned(root: Path, remote: Remote, revision: str) -> str:
    """The commit of a revision as it was when it was first asked for in this cache."""
    if COMMIT.fullmatch(revision):
        return revision
    name = f"{remote.repo.replace('/', '-')}-{rng.digest(remote.repo, revision).hex()[:12]}"
    note = root / "hub-revisions" / name
    with index.alone(note):
        try:
            known = note.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            known = ""
        if not COMMIT.fullmatch(known):
            known, _ = remote.look(revision)
            with store.new_file(note) as place:
                place.write_text(known + "\n", "utf-8")
        return known


class HubCorpus(FolderCorpus):
    """`corpus=hub:OWNER/NAME[@REVISION]`. Its `spec` names the full commit."""

    prefix = "hub:"

    def __init__(
        self, root: Path, spec: str, tokenizer: tokens.Tokenizer, budget: Budget | None = None
    ) -> None:
        """Resolves the revision, by default main, unless that was done before."""
        match = _SPEC.fullmatch(spec)
        if match is None:
            raise CorpusError(f"{spec!r} is no data set of the hub; write hub:OWNER/NAME@REVISION.")
        repo = match[1]
        self._remote, self._budget = Remote(repo), budget or Budget()
        self._is_fetched = False
        self.commit = _pinned(root, self._remote, match[2] or "main")
        home = f"hub-{repo.replace('/', '-')}-{self.commit[:12]}"
        super().__init__(root, str(root / home / "texts"), tokenizer, f"{home}/index")
        self.spec = f"{self.prefix}{repo}@{self.commit}"

    @cached_property
    def digest(self) -> str:
        """The commit, then what the snapshot holds."""
        return self.commit + super().digest[:24]

    def prepare(self, progress: Progress | None = None) -> None:
        self._fetch(progress)
        super().prepare(progress)

    def counts(self) -> Counter[str]:
        return super().counts() + Counter(other=self.left_out()["language"])

    def left_out(self) -> Counter[str]:
        """Documents that were looked at and not taken, by the reason."""
        self._fetch(None)
        return Counter(store.read_manifest(self._path / _MANIFEST)["left_out"])

    @cached_property
    def _shards(self) -> dict[str, Shard]:
        self._fetch(None)
        return super()._shards

    def _fetch(self, progress: Progress | None) -> None:
        """Make the snapshot unless it is there and whole; of several processes, one does it."""
        if self._is_fetched:
            return
        if not _is_whole(self._path):
            with index.alone(self._path):
                if not _is_whole(self._path):
                    self._take(progress)
        self._is_fetched = True

    def _take(self, progress: Progress | None) -> None:
        _, paths = self._remote.look(self.commit)
        paths = [path for path in paths if reader_of(path) and not path.endswith(".parquet")]
        if not paths:
            raise CorpusError(
                f"The data set {self._remote.repo} has no .csv, .json, .jsonl, .jsonl.zst or .txt "
                "at this commit; download it and give its folder with corpus=PATH."
            )
        harvest = _Harvest(self._remote, self.commit, paths, self._budget)
        total = self._budget.text * len({lang for path in paths for lang in _languages(path)})

        def report(done: int) -> None:
            if progress:
                progress(f"Fetching {self.spec}", min(done, total), total)

        with store.new_folder(self._path) as place:
            names = _write(place, harvest, report)
            left_out = {name: n for name, n in harvest.counts.items() if name not in LANGS}
            if not names:
                raise CorpusError(
                    f"No text of {self.spec} will serve (left out: {left_out or 'none'}); "
                    "give a folder of texts with corpus=PATH."
                )
            facts = {"format": FORMAT, "repo": self._remote.repo, "commit": self.commit}
            rule = {"budget": asdict(self._budget), "left_out": left_out}
            store.write_manifest(place / _MANIFEST, facts | rule, names)
        report(total)


def _is_whole(folder: Path) -> bool:
    try:
        return store.verified(folder / _MANIFEST).get("format") == FORMAT
    except DamagedFile:
        return False


def _write(place: Path, harvest: _Harvest, report: Callable[[int], None]) -> list[str]:
    """Write the documents in files of one language each; returns the files' names."""
    names: list[str] = []
    files: dict[Lang, BinaryIO] = {}
    done = 0
    with ExitStack() as stack:
        for lang, text, where in harvest:
            out = files.get(lang)
            if out is None or out.tell() > _FILE:
                names.append(f"{lang}-{len(names):03d}.jsonl")
                out = files[lang] = stack.enter_context((place / names[-1]).open("wb"))
            row = json.dumps({"text": text, "source": where}, ensure_ascii=False).encode()
            out.write(row + b"\n")
            done += len(row)
            report(done)
    return names
