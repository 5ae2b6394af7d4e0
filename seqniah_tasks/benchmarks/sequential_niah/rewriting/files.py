"""Questions gathered from sources, written for `qa=`, and a model's replies kept beside them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import BinaryIO

from seqniah_datasets import rng, splits, store
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang, NeedleGroup, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import open_sources, qa_pool
from seqniah_datasets.sources.base import Demand, Source
from seqniah_datasets.sources.event_pool import EventPool
from seqniah_datasets.sources.qa_pool import QAPool
from seqniah_tasks.benchmarks.sequential_niah.bench import order_demanded
from seqniah_tasks.benchmarks.sequential_niah.options import Options
from seqniah_tasks.benchmarks.sequential_niah.rewriting import prompts

REWRITABLE = (Pipeline.REAL_TEMPORAL, Pipeline.REAL_LOGICAL)
"""Pipelines whose questions a model wrote in the paper."""

_MOST_LINE = 4_000_000
"""Bytes that a kept reply's line may have."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A QA on its way from a source to a file."""

    item: QAItem
    split: Split
    names: tuple[frozenset[str], ...] = ()
    """What each needle names besides the subject, where the source knows it."""


def gather(wanted: Sequence[Options], limit: int | None = None) -> tuple[list[Drawn], int]:
    """The QAs of some splits, each question once, and how often one came again.

    A user's pool gives all of a split, any other source what the samples of the split take. With
    a limit, all languages and pipelines get about the same part. Raises `SeqniahError`.
    """
    strata = [
        _stratum(source, lang, options)
        for options in wanted
        for source in _sources(options)
        for lang in options.lang or LANGS
    ]
    gathered: dict[str, Drawn] = {}
    again = 0
    # Round after round, one of each.
    for drawn in filter(None, chain.from_iterable(zip_longest(*strata))):
        if limit is not None and len(gathered) >= limit:
            break
        again += drawn.item.question in gathered
        gathered.setdefault(drawn.item.question, drawn)
    return list(gathered.values()), again


def _sources(options: Options) -> list[Source]:
    """The sources whose questions are to be rewritten, as far as options ask for them."""
    for pipeline in options.pipeline:
        if pipeline not in REWRITABLE:
            raise SeqniahError(
                f"{pipeline} questions are not rewritten; known: {', '.join(REWRITABLE)}."
            )
    if options.edition == "released":
        raise SeqniahError(
            "The released edition's prompts are asked as they are; rewrite the questions of "
            "edition=open or edition=paper."
        )
    embedded = open_sources()
    found: list[Source] = []
    if options.tkg:
        found.append(EventPool(options.tkg))
    elif options.edition == "open":
        found.append(embedded[Pipeline.REAL_TEMPORAL])
    for path in options.qa:
        pools = qa_pool.read([path], order_demanded)
        found += [pool for pipeline, pool in pools.items() if pipeline in REWRITABLE]
    if Pipeline.REAL_LOGICAL in options.pipeline and not any(
        source.pipeline is Pipeline.REAL_LOGICAL for source in found
    ):
        found.append(embedded[Pipeline.REAL_LOGICAL])
    chosen = options.pipeline or REWRITABLE
    found = [source for source in found if source.pipeline in chosen]
    if not found:
        raise SeqniahError(
            "There is no question to rewrite: pass tkg= with ICEWS or FEG, or qa= with questions "
            "of your own, both with edition=paper; or take the open edition."
        )
    return found


def _stratum(source: Source, lang: Lang, options: Options) -> Iterator[Drawn]:
    if isinstance(source, QAPool):
        wishes = _wishes_for_all(source, lang, options)
    else:
        wishes = splits.wishes(options.split, lang, source.pipeline, options.seed)
    supply = source.supply(Demand(lang, options.split, options.seed, wishes))
    # Wishes stand by needle group; mixed, any first part is like the whole.
    draws = rng.stream("rewriting", lang, options.split, str(source.pipeline), options.seed)
    names = _names(source, lang)
    for serial in draws.shuffled(range(len(wishes))):
        needles = supply.needles(serial)
        if needles is not None and (not options.needles or needles in options.needles):
            item = supply.item(serial)
            named = ((names[item.subject, one.date], one.text) for one in item.needles)
            kept = (frozenset(name for name in known if name in text) for known, text in named)
            yield Drawn(item, options.split, tuple(kept))


def _wishes_for_all(pool: QAPool, lang: Lang, options: Options) -> tuple[Wish, ...]:
    """As many wishes of every size as the pool can meet."""
    sizes = range(qa_pool.FEWEST, qa_pool.MOST + 1)
    each = tuple(Wish(NeedleGroup(str(size), size, size), size) for size in sizes)
    rounds = 32
    while True:
        wishes = each * rounds
        supply = pool.supply(Demand(lang, options.split, options.seed, wishes))
        if all(supply.needles(len(wishes) - back) is None for back in range(1, len(each) + 1)):
            return wishes
        rounds *= 4


def _names(source: Source, lang: Lang) -> defaultdict[tuple[str, object], set[str]]:
    """What the events of a knowledge graph name, by subject and day; nothing of other sources."""
    found: defaultdict[tuple[str, object], set[str]] = defaultdict(set)
    for chronicle in source.chronicles if isinstance(source, EventPool) else ():
        for fact in chronicle.facts if chronicle.lang == lang else ():
            parts = chain.from_iterable(
                value.replace("，", "、").split("、") for value in fact.names.values()
            )
            named = {part.removesuffix("等").removeprefix("融资额为") for part in parts}
            found[chronicle.subject, fact.date] |= named - {""}
    return found


def write(path: Path, drawn: Sequence[Drawn]) -> None:
    """Write QAs as `qa=` reads them; the file is whole or absent. Raises `SeqniahError`."""
    with store.new_file(path) as temporary:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            for one in drawn:
                file.write(json.dumps(_row(one), ensure_ascii=False) + "\n")
        # What could not be read again must not take a readable file's place.
        qa_pool.read([temporary], order_demanded)


def _row(drawn: Drawn) -> dict[str, object]:
    item = drawn.item
    return {
        "question": item.question,
        "answer": item.reference,
        "needles": [needle.text for needle in item.needles],
        "lang": item.lang,
        "pipeline": str(item.pipeline),
        "order_required": item.order_required,
        "subject": item.subject,
        "split": drawn.split,
    }


class Replies:
    """A model's raw replies in a file of JSON lines, one a call; the first one for a prompt counts.

    A line that is broken, as the last one is when a run was killed, counts as not there.
    """

    def __init__(self, path: Path, model: str) -> None:
        """Raises `SeqniahError` when the file is there but cannot be read."""
        self.path = path
        self.model = model
        self.damaged = 0
        self._replies: dict[str, str] = {}
        self._file: BinaryIO | None = None
        try:
            with path.open("rb") as file:
                for raw in iter(lambda: file.readline(_MOST_LINE), b""):
                    self._take(raw)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error

    def _take(self, raw: bytes) -> None:
        try:
            fields = json.loads(raw) if raw.endswith(b"\n") else None
        except (ValueError, RecursionError):
            fields = None
        if isinstance(fields, dict):
            key, reply = fields.get("key"), fields.get("reply")
            if isinstance(key, str) and isinstance(reply, str):
                self._replies.setdefault(key, reply)
                return
        self.damaged += 1

    def key(self, prompt: str) -> str:
        """What a reply is kept under: SHA-256 of model, version of the wordings, and prompt."""
        parts = json.dumps([self.model, prompts.VERSION, prompt])
        return sha256(parts.encode("ascii")).hexdigest()

    def get(self, prompt: str) -> str | None:
        return self._replies.get(self.key(prompt))

    @contextmanager
    def appending(self) -> Iterator[Replies]:
        """Add replies; each is in the file when `add` returns. Raises `SeqniahError`."""
        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as self._file:
                self._file.seek(0)
                # What stands after the last line end is half a line.
                self._file.truncate(self._file.read().rfind(b"\n") + 1)
                yield self

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            told = f"{self.path} cannot be written: {error.strerror or error}."
            raise SeqniahError(told) from error

    def add(self, prompt: str, reply: str, tokens: tuple[int, int]) -> None:
        """Keep a reply, with the tokens read and written, while `appending`."""
        assert self._file is not None
        key = self.key(prompt)
        self._replies.setdefault(key, reply)
        fields = {
            "key": key,
            "model": self.model,
            "prompts": prompts.VERSION,
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "reply": reply,
        }
        with self._writing():
            # A whole line at once: a run that is killed leaves at most one line unfinished.
            self._file.write(json.dumps(fields).encode("ascii") + b"\n")
            self._file.flush()
