"""HaystackCraft: from options to questions, rankings, piles and prompts (arXiv 2510.07414).

A sample is a function of its key: question, strategy, length, order and seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.articles.contexts import Context
from seqniah_datasets.articles.pile import Piles
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search import strategies
from seqniah_datasets.search.base import Ranking
from seqniah_datasets.search.runs import write_run
from seqniah_datasets.tokens import tokenizer
from seqniah_tasks.benchmarks.haystackcraft import prompts, publishing
from seqniah_tasks.benchmarks.haystackcraft.collection import (
    DEEP,
    Asked,
    Collection,
    Rankings,
    collection,
    interleaved,
)
from seqniah_tasks.benchmarks.haystackcraft.decoding import official
from seqniah_tasks.benchmarks.haystackcraft.laying import (
    NAME,
    TITLE,
    VERSION,
    Laying,
    PlannedPile,
)
from seqniah_tasks.benchmarks.haystackcraft.options import OWN, PERMUTATIONS, PileOptions
from seqniah_tasks.benchmarks.haystackcraft.prompts import Frame
from seqniah_tasks.benchmarks.haystacks import LICENCE
from seqniah_tasks.benchmarks.protocol import Bench, Decoding, Item, Prompt
from seqniah_tasks.benchmarks.reading import length_name


class HaystackCraft(Bench[PlannedPile]):
    """The static benchmark with one set of options."""

    benchmark = NAME
    options: PileOptions

    def __init__(self, options: PileOptions) -> None:
        self.options = options

    @cached_property
    def collection(self) -> Collection:
        """Documents and questions. Raises `SeqniahError` when they cannot be read."""
        o = self.options
        return collection(o.corpus, o.seed, o.index)

    @cached_property
    def rankings(self) -> Rankings:
        """Of the documents, for each question. Raises `SeqniahError` where nothing can rank."""
        return Rankings(self.collection, self.options.run, self.options.retriever)

    @cached_property
    def _piles(self) -> Piles:
        return Piles(self.collection.library, tokenizer(self.options.tokenizer))

    @property
    def _laying(self) -> Laying:
        return Laying(self._piles, self.options)

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from but what their ids tell."""
        o = self.options
        run = ""
        if o.run:
            with Path(o.run).expanduser().open("rb") as file:
                run = hashlib.file_digest(file, "sha256").hexdigest()
        key: tuple[Any, ...] = o.profile, o.gold, run, o.seed, self._piles.tokenizer.digest
        vectors = self.collection.vectors_digest if self._by_vectors else ""
        own = self.rankings.digest if o.retriever else ""
        key += tuple(filter(None, (o.retriever, own, vectors)))
        return rng.digest(NAME, VERSION, self.collection.digest, *key, *self._own_key).hex()

    def _digest_of(self, strategy: str, tokens: int) -> str:
        """The same of samples of a strategy and a length."""
        return self.digest

    @property
    def _by_vectors(self) -> list[str]:
        """The strategies that search by vectors."""
        known = [one for one in self.options.strategy if one in strategies.STRATEGIES]
        return list(filter(strategies.needs_vectors, known))

    @property
    def _own_key(self) -> tuple[str, ...]:
        """What samples of a task follow from beside that."""
        return ()

    @cached_property
    def asked(self) -> list[Asked]:
        """The questions of each length, so ordered that any first part has all shares of hops."""
        o = self.options
        wanted = [one for one in self.collection.questions if not o.hops or one.hops in o.hops]
        return interleaved(wanted)[: o.questions or None]

    @cached_property
    def plan(self) -> Sequence[PlannedPile]:
        """Every question in every setting: one question after the other, each in another setting
        than the one before it."""
        o = self.options
        orders = [
            n
            for order in o.order
            for n in (range(1, PERMUTATIONS + 1) if order == "permuted" else (0,))
        ]
        settings = list(product(orders, o.strategy, o.length))
        return [
            self._planned(one, *settings[(place + turn) % len(settings)])
            for turn in range(len(settings))
            for place, one in enumerate(self.asked)
        ]

    def _planned(self, asked: Asked, permutation: int, strategy: str, tokens: int) -> PlannedPile:
        order = f"permuted{permutation}" if permutation else "ranked"
        told = f"{asked.id}-{length_name(tokens)}-{strategy.replace('+', '-')}-{order}"
        sample_id = f"hc-{told}-{self._digest_of(strategy, tokens)[:6]}"
        return PlannedPile(sample_id, self.collection.lang, asked, tokens, strategy, permutation)

    def item(self, planned: PlannedPile) -> Item:
        """The question and its answer."""
        asked, library = planned.asked, self.collection.library
        return Item(
            asked.text,
            asked.answer,
            {
                **self._told(planned),
                "gold_titles": [library.articles[number].title for number in asked.golds],
                "gold_ranks": gold_ranks(asked, self._ranking(planned)),
                "overfull": self._laying.overfull(planned, self._frame(planned)),
            },
        )

    def _told(self, planned: PlannedPile) -> dict[str, Any]:
        """What the question and the setting say."""
        return {
            "asked": planned.asked.id,
            "aliases": list(planned.asked.aliases),
            "hops": planned.asked.hops,
            "strategy": planned.strategy,
            "order": planned.order,
            "permutation": planned.permutation,
            "profile": self.options.profile,
            "bridges": list(planned.asked.bridges),
        }

    def _ranking(self, planned: PlannedPile) -> Ranking:
        return self.rankings.of(planned.asked, planned.strategy)

    def _frame(self, planned: PlannedPile) -> Frame:
        return prompts.static(self.options.profile, planned.asked.text)

    def prompt(self, planned: PlannedPile) -> Prompt:
        """What a model is asked."""
        return self._laying.shown(planned, self._ranking(planned), self._frame(planned)).prompt

    @property
    def tokenizer(self) -> Any:
        """The run's."""
        return self._piles.tokenizer

    def tokens(self, planned: PlannedPile) -> int:
        """How many tokens the prompt will have, or a few more."""
        return planned.tokens or self.prompt(planned).tokens

    @property
    def lengths(self) -> tuple[str, ...]:
        """Those of the options."""
        return tuple(map(length_name, self.options.length))

    @property
    def longest_answer(self) -> int:
        """A short sentence."""
        return 64

    @property
    def name(self) -> str:
        """The benchmark and its documents."""
        return f"{NAME}-{self.collection.name}".replace(" ", "-")

    @property
    def title(self) -> str:
        """With what is unusual."""
        return TITLE + (f" ({self.setup()})" if self.setup() else "")

    def setup(self) -> str:
        """What makes it another test than the usual one, in words; empty if nothing does."""
        o = self.options
        unusual = {
            f"profile {o.profile}": o.profile != "strict",
            f"decoding {o.decoding}": o.decoding != "own",
            f"golds {o.gold}": o.gold != "inserted",
            f"run {self.digest[:6]}": bool(o.run),
            f"retriever {o.retriever} {self.digest[:6]}": bool(o.retriever),
            self.collection.name: bool(o.corpus),
            f"seed {o.seed}": o.seed != 0,
        }
        return ", ".join(words for words, holds in unusual.items() if holds)

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        o = self.options
        return {
            **super().facts(),
            "edition": self.collection.name,
            "digest": self.digest,
            "corpus": o.corpus or "embedded",
            "corpus_digest": self.collection.corpus_digest,
            "seed": o.seed,
            "profile": o.profile,
            "decoding": o.decoding,
            "gold": o.gold,
            "strategies": list(o.strategy),
            "setup": self.setup(),
        }

    @property
    def licence(self) -> str:
        """That of the project, unless the documents are a user's."""
        return "" if self.options.corpus else LICENCE

    def answer_start(self, planned: PlannedPile) -> str:
        """The beginning of the sentence that states the answer."""
        return prompts.ANSWER_START

    def decoding(self, model: str) -> Decoding:
        """The paper's values, if asked for."""
        return official(model) if self.options.decoding == "official" else Decoding()

    def layout(self, place: Path) -> list[str]:
        """The rankings that floats of this machine decide, as run files; and questions and piles as
        they were published, where piles are like those."""
        o, names = self.options, []
        for strategy in o.strategy:
            if o.retriever or (o.corpus and strategy in self._by_vectors):
                names.append(f"{strategy.replace('+', '-')}.trec")
                ranked = ((one.id, self.rankings.of(one, strategy)) for one in self.asked)
                write_run(place / names[-1], ranked, self.collection.library, strategy)
        if o.run or o.retriever or o.gold == "retrieved":
            return names
        settings = dict.fromkeys((one.strategy, one.tokens) for one in self.plan)
        found = publishing.questions(place, self.asked, self.collection.library)
        return (
            names + found + publishing.contexts(place, {at: self._contexts(*at) for at in settings})
        )

    def _contexts(self, strategy: str, tokens: int) -> Iterator[tuple[str, Context]]:
        for asked in self.asked:
            one = self._planned(asked, 0, strategy, tokens)
            yield asked.id, self._laying.context(one, self._ranking(one), self._frame(one))

    def recipe_fields(self, planned: PlannedPile) -> dict[str, Any]:
        """With what is known of the golds."""
        return {**super().recipe_fields(planned), **self.item(planned).facts}

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `SeqniahError` where documents, questions, rankings or the run file are amiss."""
        o = self.options
        for strategy in o.strategy:
            if self.asked:
                self.rankings.of(self.asked[0], strategy)
        for planned in self.plan if o.run else ():
            self._ranking(planned)
        most = max(o.length, default=0)
        everything = range(len(self.collection.library))
        if not self._holds(everything, most):
            there = sum(map(self._piles.tokens, everything))
            raise SeqniahError(
                f"{self.collection.name} has {there:,} tokens in all, fewer than the length "
                f"{most:,}; give shorter lengths, or more documents."
            )
        for asked in self.asked if o.retriever else ():
            found = self.rankings.of(asked, OWN)
            wanted = min(len(everything), DEEP)
            if len(found) < wanted and not self._holds({*found.numbers, *asked.golds}, most):
                raise SeqniahError(
                    f"The retriever {o.retriever} finds {len(found):,} documents for the question "
                    f"{asked.id!r}, though asked for {wanted:,}, and they do not fill a prompt of "
                    f"{most:,} tokens; let it find more, or give shorter lengths."
                )

    def _holds(self, numbers: Iterable[int], tokens: int) -> bool:
        """Whether these documents have more tokens than that."""
        left = tokens
        return any((left := left - self._piles.tokens(int(one))) < 0 for one in numbers)


def gold_ranks(asked: Asked, ranking: Ranking) -> list[int | None]:
    """The rank of each gold, from 1; None where it is not found."""
    places = ranking.places(asked.golds)
    return [places[number] + 1 if number in places else None for number in asked.golds]
