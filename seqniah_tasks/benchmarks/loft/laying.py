"""From a query to its prompt: corpora, what prompts share, and what a search finds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.corpora import Corpus
from seqniah_datasets.loft.schema import Passage, Query
from seqniah_datasets.search.sparse import SparseIndex
from seqniah_datasets.tokens import Tokenizer
from seqniah_tasks.benchmarks.loft import corpora
from seqniah_tasks.benchmarks.loft.options import LoftOptions
from seqniah_tasks.benchmarks.loft.prefix import Prefix, added
from seqniah_tasks.benchmarks.loft.prompts import Builder
from seqniah_tasks.benchmarks.loft.words import Words, closed, words
from seqniah_tasks.benchmarks.protocol import Prompt, Text, Turn
from seqniah_tasks.benchmarks.reading import length_name


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

    @property
    def prefix(self) -> str:
        """Names what its prompt and others begin with."""
        return f"{self.tokens}/{self.query.database}"


class Laying:
    """Makes the prompts of one data set in one way."""

    def __init__(
        self, task: str, options: LoftOptions, data: corpora.Data, tokenizer: Tokenizer
    ) -> None:
        self._task = task
        self._options = options
        self._data = data
        self._tokenizer = tokenizer
        self._corpora: dict[int, Corpus] = {}
        self._prefixes: dict[str, Prefix] = {}
        self.builder = lru_cache(maxsize=8)(self._built)
        self._index = lru_cache(maxsize=2)(self._indexed)

    @cached_property
    def _words(self) -> Words:
        found = words(self._task, self._data.shape, self._options.words)
        if self._options.via == "context":
            return found
        if self._options.via == "closed":
            if self._task == "retrieval" and "{title}" not in found.candidate:
                raise SeqniahError(
                    f"{self._data.name} has no titles that could be named without its corpus; "
                    "leave via=closed out, or take another data set."
                )
            return closed(self._task, found)
        if self._task == "sql":
            raise SeqniahError("via=bm25 finds passages, and SQL is about whole tables; leave it.")
        return replace(found, reason=None)

    def corpus(self, length: int) -> Corpus:
        """The corpus of one of the lengths. Raises `SeqniahError` where it cannot be made."""
        if length not in self._corpora:
            bare = Builder(self._words, self._data.kind, {})
            formatted = bare.candidate if self._task != "sql" else self._table
            self._corpora[length] = self._data.corpus(length, formatted, self._tokenizer)
        return self._corpora[length]

    def _table(self, one: Passage, id: str) -> str:
        return Builder(self._words, "sql", {}).tables([one]) + "\n"

    def _built(self, length: int) -> Builder:
        o = self._options
        ids = {pid: str(rank) for rank, pid in enumerate(self.corpus(length).passages)}
        nested = self._data.conversations and (bool(o.words) or o.history == "official")
        return Builder(self._words, self._data.kind, ids, nested)

    def conversation(self, planned: PlannedQuery, before: Sequence[str]) -> Prompt:
        """One prompt with all turns up to the next one; `before`: what stands after each."""
        parts = []
        for turn in range(len(before) + 1):
            parts += [self.asked(planned, turn), *before[turn : turn + 1]]
        prefix = self.prefix(planned)
        tail = "".join(parts).removeprefix(prefix.begun)
        text, sha256 = prefix.text + tail, prefix.sha256.copy()
        sha256.update(tail.encode())
        tokens = added(self._tokenizer, prefix.text, prefix.tokens, tail)
        return Prompt((Turn((Text(text),)),), tokens, sha256.hexdigest(), prefix=prefix.text)

    def asked(self, planned: PlannedQuery, turn: int) -> str:
        """The query of a turn, with what was found for it where a search finds something."""
        builder, query = self.builder(planned.tokens), planned.query
        found = ""
        if self._options.via == "bm25":
            found = builder.candidates(self._found(planned, turn))
        return found + builder.asked(query.turns[turn], turn, self._tables(planned, turn))

    def _tables(self, planned: PlannedQuery, turn: int) -> str:
        if self._task != "sql" or turn or self._options.via != "context":
            return ""
        passages = self.corpus(planned.tokens).passages
        named = (passages[pid] for pid in planned.query.golds[0])
        return self.builder(planned.tokens).tables(named)

    def _found(self, planned: PlannedQuery, turn: int) -> list[Passage]:
        """What BM25 finds for the questions up to a turn, best first."""
        passages = list(self.corpus(planned.tokens).passages.values())
        asked = " ".join(planned.query.turns[: turn + 1])
        ranking = self._index(planned.tokens).search(asked, self._options.top)
        return [passages[number] for number in ranking.numbers.tolist()]

    def _indexed(self, length: int) -> SparseIndex:
        passages = self.corpus(length).passages.values()
        hide = self._task == "icl"  # whose titles are the answers
        return SparseIndex.build(
            one.text if hide else f"{one.title}\n{one.text}" for one in passages
        )

    def prefix(self, planned: PlannedQuery) -> Prefix:
        """What the sample's prompt and others begin with."""
        key = planned.prefix
        if key not in self._prefixes:
            self._prefixes[key] = self._prefix(planned)
        return self._prefixes[key]

    def _prefix(self, planned: PlannedQuery) -> Prefix:
        builder, corpus = self.builder(planned.tokens), self.corpus(planned.tokens)
        candidates = examples = ""
        if self._task != "sql" and self._options.via == "context":
            candidates = builder.candidates(corpus.passages.values())
        if self._task != "retrieval" or self._options.via == "context":
            examples = builder.examples(corpus.queries.get("few_shot", ()), corpus.passages)
        text, known = builder.head, self._tokenizer.count(builder.head)
        counted = corpus.tokens if self._task in ("retrieval", "rag") and candidates else None
        for part, tokens in ((candidates, counted), (examples, None)):
            known = added(self._tokenizer, text, known, part, tokens)
            text += part
        begun = ""
        if tables := self._tables(planned, 0):
            # They stand in the query's own chunk, of which all lines before the query are shared.
            before = builder.asked("\0", 0, tables).partition("\0")[0]
            begun = before[: before.rfind("\n") + 1]
            known, text = added(self._tokenizer, text, known, begun), text + begun
        return Prefix(text, known, hashlib.sha256(text.encode()), begun)
