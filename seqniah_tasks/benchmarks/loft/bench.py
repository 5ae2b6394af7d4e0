"""LOFT: from options to corpora, prompts and answers (arXiv 2406.13121)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from seqniah_datasets import atlas, rng
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.corpora import Corpus
from seqniah_datasets.loft.schema import Passage, Query
from seqniah_datasets.search.sparse import SparseIndex
from seqniah_tasks.benchmarks.haystacks import LICENCE
from seqniah_tasks.benchmarks.loft import corpora
from seqniah_tasks.benchmarks.loft.options import LoftOptions
from seqniah_tasks.benchmarks.loft.prefix import Prefix, added
from seqniah_tasks.benchmarks.loft.prompts import Builder
from seqniah_tasks.benchmarks.loft.words import Words, closed, words
from seqniah_tasks.benchmarks.protocol import Bench, Decoding, Item, Prefixes, Prompt, Text, Turn
from seqniah_tasks.benchmarks.reading import length_name

NAME, TITLE = "loft", "LOFT"

OFFICIAL = Decoding(temperature=0.0, top_p=1.0)
"""How the paper's models answered, whichever they were (released code, inference/models.py)."""

VERSION = 1
"""Of the benchmark's bytes; any change of a prompt or an id raises it."""


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """One sample before its prompt is built."""

    id: str
    query: Query
    tokens: int
    """Length of which the corpus is."""
    split: str
    lang: str = "en"

    @property
    def length(self) -> str:
        """As reports name it."""
        return length_name(self.tokens)


class Loft(Bench[PlannedQuery]):
    """A task of LOFT with one set of options."""

    benchmark = NAME
    options: LoftOptions

    def __init__(self, task: str, options: LoftOptions) -> None:
        self.task = task
        self.options = options
        self._corpora: dict[int, Corpus] = {}
        self._prefixes: dict[str, Prefix] = {}
        self._builder = lru_cache(maxsize=8)(self._built)
        self._index = lru_cache(maxsize=2)(self._indexed)

    @cached_property
    def data(self) -> corpora.Data:
        """The data set. Raises `SeqniahError` where there is none."""
        o = self.options
        return corpora.opened(self.task, o.dataset, o.data, o.seed)

    @cached_property
    def _words(self) -> Words:
        found = words(self.task, self.data.shape, self.options.words)
        if self.options.via == "context":
            return found
        if self.options.via == "closed":
            if self.task == "retrieval" and "{title}" not in found.candidate:
                raise SeqniahError(
                    f"{self.data.name} has no titles that could be named without its corpus; leave "
                    "via=closed out, or take another data set."
                )
            return closed(self.task, found)
        if self.task == "sql":
            raise SeqniahError("via=bm25 finds passages, and SQL is about whole tables; leave it.")
        return replace(found, reason=None)

    def corpus(self, length: int) -> Corpus:
        """The corpus of one of the lengths. Raises `SeqniahError` where it cannot be made."""
        if length not in self._corpora:
            bare = Builder(self._words, self.data.kind, {})
            formatted = bare.candidate if self.task != "sql" else self._table
            self._corpora[length] = self.data.corpus(length, formatted, self.tokenizer)
        return self._corpora[length]

    def _table(self, one: Passage, id: str) -> str:
        return Builder(self._words, "sql", {}).tables([one]) + "\n"

    def _built(self, length: int) -> Builder:
        o = self.options
        ids = {pid: str(rank) for rank, pid in enumerate(self.corpus(length).passages)}
        nested = self.data.conversations and (bool(o.words) or o.history == "official")
        return Builder(self._words, self.data.kind, ids, nested)

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from but what their ids tell."""
        o = self.options
        first = self.corpus(o.length[0]).source
        given = (
            hashlib.sha256(Path(o.words).expanduser().read_bytes()).hexdigest() if o.words else ""
        )
        key = self.data.shape, first.digest, given, o.via, o.top, o.history, self.tokenizer.digest
        return rng.digest(NAME, VERSION, self.task, *key).hex()

    @cached_property
    def plan(self) -> Sequence[PlannedQuery]:
        """The queries of each length, those of one prefix together."""
        return [one for length in self.options.length for one in self._planned(length)]

    def _planned(self, length: int) -> list[PlannedQuery]:
        queries = self.corpus(length).queries
        split = self.options.split or ("test" if "test" in queries else "dev")
        if split not in queries:
            there = ", ".join(one for one in queries if one != "few_shot") or "none"
            raise SeqniahError(
                f"{self.data.name} has no {split} split at {length_name(length)}; known: {there}."
            )
        asked = list(queries[split][: self.options.queries or None])
        databases = list(dict.fromkeys(one.database for one in asked))
        asked.sort(key=lambda one: databases.index(one.database))
        named = f"{NAME}-{self.task}-{self.data.name}-{length_name(length)}-{self.options.via}"
        end = self.digest[:6]
        return [
            PlannedQuery(f"{named}-{split}-{one.qid}-{end}", one, length, split) for one in asked
        ]

    def find(self, sample_id: str) -> PlannedQuery:
        """The sample of an id, of a query's id, or of a number in the plan."""
        return self._by_qid.get(sample_id) or super().find(sample_id)

    @cached_property
    def _by_qid(self) -> dict[str, PlannedQuery]:
        return {one.query.qid: one for one in reversed(self.plan)}

    def item(self, planned: PlannedQuery) -> Item:
        """The question, or all of a conversation, and the answers."""
        query, many = planned.query, self.in_rounds(planned)
        answers = self._answers(planned)
        golds = dict.fromkeys(gold for turn in query.golds for gold in turn)
        ids = self._builder(planned.tokens).ids
        question = "\n".join(query.turns)
        return Item(
            question,
            "\n".join(map(str, query.answers)),
            {
                "qid": query.qid,
                "kind": self.data.kind,
                "metric": self.data.metric,
                "dataset": self.data.name,
                "via": self.options.via,
                "turns": len(query.turns) if many else 0,
                "answers": answers,
                "candidates": len(ids) if self._by_id_in_prompt else 0,
                "gold_ids": [[ids[one], one] for one in golds] if self._by_id_in_prompt else [],
            },
        )

    def document_facts(self, planned: PlannedQuery) -> dict[str, Any]:
        """What a document of lm-eval holds of a sample."""
        return _flat(super().document_facts(planned))

    @property
    def _by_id_in_prompt(self) -> bool:
        return self.data.kind == "retrieval" and self.options.via != "closed"

    def _answers(self, planned: PlannedQuery) -> list[Any]:
        """In the released shape: pairs of a single question, or one a turn; titles where closed."""
        given = list(planned.query.answers)
        if self.data.kind == "retrieval":
            passages = self.corpus(planned.tokens).passages
            named = self.options.via == "closed"
            pairs = [[[passages[p].title if named else p, 1] for p in turn] for turn in given]
            return [turn[0] for turn in pairs] if self.in_rounds(planned) else pairs[0]
        return given if self.in_rounds(planned) or self.data.kind == "icl" else list(given[0])

    def in_rounds(self, planned: PlannedQuery) -> bool:
        """Whether it is a conversation."""
        return len(planned.query.turns) > 1

    def prompt(self, planned: PlannedQuery) -> Prompt:
        """What a model is shown first."""
        return self.conversation(planned, ())

    def conversation(self, planned: PlannedQuery, before: Sequence[str]) -> Prompt:
        """One prompt with all turns up to the next one; `before`: what stands after each."""
        parts = []
        for turn in range(len(before) + 1):
            parts += [self.asked(planned, turn), *before[turn : turn + 1]]
        prefix = self.prefix(planned)
        tail = "".join(parts).removeprefix(prefix.begun)
        text, sha256 = prefix.text + tail, prefix.sha256.copy()
        sha256.update(tail.encode())
        tokens = added(self.tokenizer, prefix.text, prefix.tokens, tail)
        return Prompt((Turn((Text(text),)),), tokens, sha256.hexdigest(), prefix=prefix.text)

    def asked(self, planned: PlannedQuery, turn: int) -> str:
        """The query of a turn, with what was found for it where a search finds something."""
        builder, query = self._builder(planned.tokens), planned.query
        found = ""
        if self.options.via == "bm25":
            found = builder.candidates(self._found(planned, turn))
        return found + builder.asked(query.turns[turn], turn, self._tables(planned, turn))

    def _tables(self, planned: PlannedQuery, turn: int) -> str:
        if self.task != "sql" or turn or self.options.via != "context":
            return ""
        passages = self.corpus(planned.tokens).passages
        named = (passages[pid] for pid in planned.query.golds[0])
        return self._builder(planned.tokens).tables(named)

    def _found(self, planned: PlannedQuery, turn: int) -> list[Passage]:
        """What BM25 finds for the questions up to a turn, best first."""
        passages = list(self.corpus(planned.tokens).passages.values())
        asked = " ".join(planned.query.turns[: turn + 1])
        ranking = self._index(planned.tokens).search(asked, self.options.top)
        return [passages[number] for number in ranking.numbers.tolist()]

    def _indexed(self, length: int) -> SparseIndex:
        passages = self.corpus(length).passages.values()
        hide = self.task == "icl"  # whose titles are the answers
        return SparseIndex.build(
            one.text if hide else f"{one.title}\n{one.text}" for one in passages
        )

    def prefix(self, planned: PlannedQuery) -> Prefix:
        """What the sample's prompt and others begin with."""
        key = self.shared(planned)
        if key not in self._prefixes:
            self._prefixes[key] = self._prefix(planned)
        return self._prefixes[key]

    def _prefix(self, planned: PlannedQuery) -> Prefix:
        builder, corpus = self._builder(planned.tokens), self.corpus(planned.tokens)
        candidates = examples = ""
        if self.task != "sql" and self.options.via == "context":
            candidates = builder.candidates(corpus.passages.values())
        if self.task != "retrieval" or self.options.via == "context":
            examples = builder.examples(corpus.queries.get("few_shot", ()), corpus.passages)
        text, known = builder.head, self.tokenizer.count(builder.head)
        counted = corpus.tokens if self.task in ("retrieval", "rag") and candidates else None
        for part, tokens in ((candidates, counted), (examples, None)):
            known = added(self.tokenizer, text, known, part, tokens)
            text += part
        begun = ""
        if tables := self._tables(planned, 0):
            # They stand in the query's own chunk, of which all lines before the query are shared.
            before = builder.asked("\0", 0, tables).partition("\0")[0]
            begun = before[: before.rfind("\n") + 1]
            known, text = added(self.tokenizer, text, known, begun), text + begun
        return Prefix(text, known, hashlib.sha256(text.encode()), begun)

    def tokens(self, planned: PlannedQuery) -> int:
        """How many tokens the first prompt will have."""
        return self.prompt(planned).tokens

    @property
    def lengths(self) -> tuple[str, ...]:
        """Those of the options."""
        return tuple(map(length_name, self.options.length))

    def decoding(self, model: str) -> Decoding:
        """The paper's values, if asked for."""
        return OFFICIAL if self.options.decoding == "official" else Decoding()

    @property
    def longest_answer(self) -> int:
        """Golds with their titles, and the list."""
        return 1_024

    def prefixes(self, planned: Sequence[PlannedQuery]) -> Prefixes:
        """All but the query, of all queries but the first."""
        seen: set[str] = set()
        found = 0
        for one in planned:
            key = self.shared(one)
            found += self.prefix(one).tokens if key in seen else 0
            seen.add(key)
        what = "tables of one database" if self.task == "sql" else "the corpus and the examples"
        return Prefixes(found, f"prompts of one length begin with {what}")

    def shared(self, planned: PlannedQuery) -> str:
        """Names the prefix."""
        return f"{planned.tokens}/{planned.query.database}"

    @property
    def name(self) -> str:
        """The task and its data set."""
        return f"{NAME}-{self.task}-{self.data.name}"

    @property
    def title(self) -> str:
        """With what is asked."""
        return f"{TITLE}, {self.task} ({self.data.name})"

    @property
    def split(self) -> str:
        """That of all samples; empty where lengths differ in it."""
        found = {one.split for one in self.plan}
        return found.pop() if len(found) == 1 else ""

    def setup(self) -> str:
        """What makes it another test than the usual one, in words; empty if nothing does."""
        o = self.options
        unusual = {
            f"via {o.via}" + (f", top {o.top}" if o.via == "bm25" else ""): o.via != "context",
            "history official": o.history != "turns",
            f"words {Path(o.words).name}": bool(o.words),
            f"decoding {o.decoding}": o.decoding != "own",
            f"seed {o.seed}": o.seed != 0,
        }
        return ", ".join(words for words, holds in unusual.items() if holds)

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        return {
            **super().facts(),
            "edition": f"{self.task}/{self.data.name}",
            "digest": self.digest,
            "split": self.split,
            "corpus": "released" if self.data.row else "built",
            "seed": self.options.seed,
            "dataset": self.data.name,
            "via": self.options.via,
            "metric": self.data.metric,
            "setup": self.setup(),
        }

    @property
    def licence(self) -> str:
        """That of the project, where the data are."""
        return LICENCE if self.options.dataset in atlas.NAMES and not self.options.data else ""

    def recipe_fields(self, planned: PlannedQuery) -> dict[str, Any]:
        """With what is known of the golds."""
        return _flat({**super().recipe_fields(planned), **self.item(planned).facts})

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `SeqniahError` where data, words or lengths are amiss."""
        for planned in {one.tokens: one for one in reversed(self.plan)}.values():
            self.item(planned)
            self.prompt(planned)

    def remarks(self) -> list[str]:
        """What there is to know of the corpora."""
        return [line for length in self.options.length for line in self.corpus(length).remarks]


def _flat(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with nested lists as JSON: columns of tables hold no mixed ones."""
    return {**facts, **{name: json.dumps(facts[name]) for name in ("answers", "gold_ids")}}
