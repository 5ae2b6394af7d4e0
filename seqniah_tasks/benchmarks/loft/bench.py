"""LOFT: from options to corpora, prompts and answers (arXiv 2406.13121)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from seqniah_datasets import atlas, rng
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.corpora import Corpus
from seqniah_tasks.benchmarks.haystacks import LICENCE
from seqniah_tasks.benchmarks.loft import corpora
from seqniah_tasks.benchmarks.loft.laying import Laying, PlannedQuery
from seqniah_tasks.benchmarks.loft.options import LoftOptions
from seqniah_tasks.benchmarks.protocol import Bench, Decoding, Item, Prefixes, Prompt
from seqniah_tasks.benchmarks.reading import length_name

NAME, TITLE = "loft", "LOFT"

OFFICIAL = Decoding(temperature=0.0, top_p=1.0)
"""How the paper's models answered, whichever they were (released code, inference/models.py)."""

VERSION = 2
"""Of the benchmark's bytes; any change of a prompt or an id raises it."""


class Loft(Bench[PlannedQuery]):
    """A task of LOFT with one set of options."""

    benchmark = NAME
    options: LoftOptions

    def __init__(self, task: str, options: LoftOptions) -> None:
        self.task = task
        self.options = options

    @cached_property
    def data(self) -> corpora.Data:
        """The data set. Raises `SeqniahError` where there is none."""
        return corpora.opened(self.task, self.options)

    @cached_property
    def laying(self) -> Laying:
        """What makes prompts of queries."""
        return Laying(self.task, self.options, self.data, self.tokenizer)

    def corpus(self, length: int) -> Corpus:
        """The corpus of one of the lengths. Raises `SeqniahError` where it cannot be made."""
        return self.laying.corpus(length)

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
        ids = self.laying.builder(planned.tokens).ids
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
        return self.laying.conversation(planned, ())

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
            found += self.laying.prefix(one).tokens if key in seen else 0
            seen.add(key)
        what = "tables of one database" if self.task == "sql" else "the corpus and the examples"
        return Prefixes(found, f"prompts of one length begin with {what}")

    def shared(self, planned: PlannedQuery) -> str:
        """Names the prefix."""
        return planned.prefix

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
        """What there is to know of the data set and its corpora."""
        found = [line for length in self.options.length for line in self.corpus(length).remarks]
        if self.data.may_want_all:
            found.append(
                f"Each question of {self.data.name} has as many answers as golds, and any of them "
                "counts; where all are asked for, give answers=all."
            )
        return found


def _flat(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with nested lists as JSON: columns of tables hold no mixed ones."""
    return {**facts, **{name: json.dumps(facts[name]) for name in ("answers", "gold_ids")}}
