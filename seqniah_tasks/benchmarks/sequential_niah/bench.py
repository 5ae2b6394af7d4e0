"""Sequential-NIAH: from options to slots, questions, recipes, prompts and verdicts.

Every sample is a function of its key: nothing here depends on the samples before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from seqniah_datasets import haystack, rng, splits
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.haystack import Order
from seqniah_datasets.schema import (
    LANGS,
    Lang,
    Lure,
    NeedleGroup,
    NoiseType,
    Origin,
    Pipeline,
    QAItem,
    Recipe,
)
from seqniah_datasets.sources import open_sources, paper_sources
from seqniah_datasets.sources.base import Demand, Supply
from seqniah_datasets.splits import Slot
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.benchmarks.haystacks import LICENCE, HaystackBench
from seqniah_tasks.benchmarks.protocol import Item, Prompt, Text, Turn
from seqniah_tasks.benchmarks.sequential_niah import prompts
from seqniah_tasks.benchmarks.sequential_niah.options import LENGTHS, Options
from seqniah_tasks.benchmarks.sequential_niah.series import Texts, reuse_lines
from seqniah_tasks.benchmarks.sequential_niah.shortfalls import (
    Shortfall,
    shortfall_lines,
    too_small,
)
from seqniah_tasks.benchmarks.sequential_niah.varied import of_document, of_sample

NAME, TITLE = "sequential-niah", "Sequential-NIAH"

VERSION = 3
"""Of the benchmark's bytes; any change of a recipe or prompt raises it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One sample before its haystack is built."""

    id: str
    slot: Slot
    needles: int
    noise: NoiseType | None = None
    """What makes it a variant of another sample; None: it is none."""
    variant: int = 0
    """Number of the variant within its type, from 1; 0: it is none."""

    @property
    def base(self) -> str:
        """Id of the sample that it is a variant of, or its own."""
        return self.id.removesuffix(f"-{self.noise}{self.variant}") if self.noise else self.id

    @property
    def lang(self) -> Lang:
        return self.slot.lang

    @property
    def length(self) -> str:
        """Name of its length bin."""
        return self.slot.length.name


class SequentialNiah(HaystackBench[Planned]):
    """The benchmark with one set of options."""

    benchmark = NAME
    options: Options

    def __init__(self, options: Options, cache: Path | None = None) -> None:
        """Raises `SeqniahError` when sources are missing or of the wrong kind."""
        super().__init__(options, cache)
        self.sources = (
            open_sources()
            if options.edition == "open"
            else paper_sources(options.tkg, options.qa, order_demanded, options.pipeline)
        )

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from, filters apart."""
        options, corpus = self.options, self.corpus
        texts = corpus.tokenizer.digest, corpus.digest, options.edition
        closed = ["closed-book"] if options.closed_book else []
        closed += [f"{name} {told}" for name, told in options.harder.items()]
        sources = [source.digest for source in self.sources.values()]
        return rng.digest(VERSION, options.seed, options.order, *texts, *closed, *sources).hex()

    @cached_property
    def supplies(self) -> dict[tuple[Lang, Pipeline], Supply]:
        """What the sources give for the whole split, filters apart."""
        options = self.options
        return {
            (lang, pipeline): source.supply(
                Demand(
                    lang,
                    options.split,
                    options.seed,
                    splits.wishes(options.split, lang, pipeline, options.seed),
                    reuse=options.shortfall == "reuse",
                )
            )
            for pipeline, source in self.sources.items()
            for lang in LANGS
        }

    @cached_property
    def shortfalls(self) -> list[Shortfall]:
        """By how much the sources fall short of the quotas, filters apart; empty if nowhere."""
        wanted: Counter[tuple[Lang, Pipeline, NeedleGroup]] = Counter()
        missing: Counter[tuple[Lang, Pipeline, NeedleGroup]] = Counter()
        for cell in splits.cells(self.options.split):
            if supply := self.supplies.get((cell.lang, cell.pipeline)):
                key = cell.lang, cell.pipeline, cell.group
                serials = range(cell.first, cell.first + cell.count)
                wanted[key] += cell.count
                missing[key] += sum(supply.needles(serial) is None for serial in serials)
        return [Shortfall(*key, wanted[key], count) for key, count in missing.items() if count]

    @cached_property
    def plan(self) -> list[Planned]:
        """What is asked, in its order, under its names."""
        return self._planned()

    def _planned(self) -> list[Planned]:
        """The samples that pass the filters, in their fair order."""
        return [Planned(self._id(slot, needles), slot, needles) for slot, needles in self.chosen]

    @cached_property
    def chosen(self) -> list[tuple[Slot, int]]:
        """Slot and needles of the samples that pass the filters; needs no corpus.

        Raises `SeqniahError` when a pool is too small for them, unless the option `shortfall`
        is "smaller"; under "reuse", when it has nothing at all for some.
        """
        options = self.options
        taken: Counter[tuple[str, Pipeline, str]] = Counter()
        most = options.limit_per_stratum
        found: list[tuple[Slot, int]] = []
        longer = tuple(one for one in splits.LONGER_BINS if one.name in options.length)
        for slot in splits.slots(options.split, tuple(self.sources), options.seed, longer):
            if not self._wanted(slot):
                continue
            needles = self.supplies[slot.lang, slot.pipeline].needles(slot.serial)
            stratum = slot.lang, slot.pipeline, slot.length.name
            if needles is None:
                if options.shortfall != "smaller":
                    raise too_small(self.shortfalls, options)
            elif needles in (options.needles or (needles,)):
                taken[stratum] += 1
                if not most or taken[stratum] <= most:
                    found.append((slot, needles))
        if not found and self.shortfalls:
            raise too_small(self.shortfalls, options)
        return found

    def _wanted(self, slot: Slot) -> bool:
        """Whether it may pass the filters, of which an empty one lets all pass."""
        options, group = self.options, slot.group
        return (
            slot.lang in (options.lang or (slot.lang,))
            and slot.pipeline in (options.pipeline or (slot.pipeline,))
            and slot.length.name in (options.length or (slot.length.name,))
            and any(group.low <= count <= group.high for count in options.needles or [group.low])
        )

    def _id(self, slot: Slot, needles: int) -> str:
        return (
            f"{self.options.prefix}-{slot.lang}-{slot.length.name}-n{needles:02d}-{slot.pipeline}"
            f"-{slot.serial:04d}-{self.digest[:6]}"
        )

    @property
    def name(self) -> str:
        """The benchmark and the split."""
        return f"{NAME}-{self.options.split}"

    @property
    def title(self) -> str:
        """As estimates name it."""
        return f"{TITLE}, {self.options.split} split"

    @property
    def display_name(self) -> str:
        """As a harness shows it."""
        closed = ", closed book" if self.bare else ""
        return f"{TITLE} ({self.name.removeprefix(NAME)[1:]}{closed})"

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        options = self.options
        return {
            "benchmark": NAME,
            "version": VERSION,
            "edition": options.edition,
            "split": options.split,
            "digest": self.digest,
            "corpus": self.corpus.spec,
            "corpus_digest": self.corpus.digest,
            "sources": {
                str(pipeline): {"name": source.name, "digest": source.digest}
                for pipeline, source in self.sources.items()
            },
            "reused": self._reused,
            "missing": sum(one.missing for one in self.shortfalls),
            "tokenizer": options.tokenizer,
            "tokenizer_digest": self.corpus.tokenizer.digest,
            "seed": options.seed,
            "order": options.order,
            "closed_book": options.closed_book,
            "shortfall": options.shortfall,
            **self._again(),
            **options.harder,
        }

    def _again(self) -> dict[str, object]:
        """The share of tokens, by language, whose text other samples have too; empty if none."""
        if self.bare:
            return {}
        found = {lang: self.texts.reuse(lang) for lang in self._langs}
        told = {lang: round(one.again / one.wanted, 4) for lang, one in found.items() if one.again}
        return {"text_again": told} if told else {}

    @property
    def licence(self) -> str:
        """That of the project, unless questions or documents are of other people's."""
        options = self.options
        own = options.edition == "open" and options.corpus == DEFAULT_CORPUS
        return LICENCE if own else ""

    @property
    def _reused(self) -> int:
        return sum(supply.reused for supply in self.supplies.values())

    def qa(self, planned: Planned) -> QAItem:
        """The question, its needles and its reference."""
        item = self._items(planned.slot)
        return prompts.asking_for_order(item) if self.options.ask_order else item

    @cached_property
    def _items(self) -> Callable[[Slot], QAItem]:
        """Keeps the last one, as harnesses ask for several things of a sample in turn."""
        return lru_cache(1)(lambda slot: self.supplies[slot.lang, slot.pipeline].item(slot.serial))

    def recipe(self, planned: Planned) -> Recipe:
        """In about a millisecond. Raises `CorpusError` when the corpus cannot serve the sample."""
        slot, qa, options = planned.slot, self.qa(planned), self.options
        frame = prompts.frame(slot.lang, self._asked(qa), rng.stream(*self._key(slot), "frame"))
        draws = rng.stream(*self._key(slot), "lures")
        lures = draws.shuffled(self.lures(planned))[: options.lures] if options.lures else ()
        texts = [lure.text for lure in lures]
        own = partial(self.texts.stretch, slot)
        return haystack.build(qa, self._order(planned), frame, self.corpus, own, texts)

    @cached_property
    def texts(self) -> Texts:
        """Which stretch of the corpus is whose."""
        return Texts(self.corpus, self.options, self._key)

    def lures(self, planned: Planned) -> tuple[Lure, ...]:
        """Passages that resemble a sample's needles and are no part of its answer."""
        slot = planned.slot
        return self.supplies[slot.lang, slot.pipeline].lures(slot.serial)

    def _asked(self, qa: QAItem) -> str:
        """The question as the prompt has it."""
        return prompts.quoted(qa) if self.options.answer == "quoted" else qa.question

    @property
    def bare(self) -> bool:
        """Whether questions are asked without their documents."""
        return self.options.closed_book

    def prompt(self, planned: Planned) -> Prompt:
        """What a model is asked; takes a few milliseconds."""
        if not self.bare:
            return super().prompt(planned)
        text = prompts.closed_book(planned.lang, self._asked(self.qa(planned)))
        return Prompt((Turn((Text(text),)),), self.tokenizer.count(text))

    def item(self, planned: Planned) -> Item:
        """Question and reference, and what logs keep of the sample."""
        slot, qa = planned.slot, self.qa(planned)
        facts: dict[str, Any] = {
            "split": slot.split,
            "lang": slot.lang,
            "pipeline": str(slot.pipeline),
            "length_bin": slot.length.name,
            "needle_group": slot.group.name,
            "needles": planned.needles,
            "order_required": qa.order_required,
            "parties": list(qa.parties),
            "needle_texts": [needle.text for needle in qa.needles],
        }
        return Item(qa.question, qa.reference, facts)

    def sample_facts(self, planned: Planned) -> dict[str, Any]:
        """Those of its item; of a variant, also what it is a variant of."""
        return of_sample(self.item(planned), planned)

    def document_facts(self, planned: Planned) -> dict[str, Any]:
        """The same fields for every sample, variant or not."""
        return {**of_document(self.item(planned), planned, self.in_suite), **self.options.harder}

    in_suite = False
    """Whether samples are asked as a part of the noise suite."""

    def answer_start(self, planned: Planned) -> str:
        """A numbered list that has begun."""
        return prompts.answer_start(planned.lang)

    @property
    def lengths(self) -> tuple[str, ...]:
        """Published bins, then unpublished ones."""
        return tuple(one.name for one in LENGTHS)

    def remarks(self) -> list[str]:
        """What is to be said where sources or corpus could not serve the whole split."""
        short = shortfall_lines(self.options.split, self.shortfalls, self._reused)
        return short if self.bare else [*short, *reuse_lines(self.texts, self._langs)]

    def tokens(self, planned: Planned) -> int:
        """About how many tokens the prompt will have, without building it."""
        if self.bare:
            return self.prompt(planned).tokens
        return haystack.target_tokens(self._key(planned.slot), planned.slot.length)

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `CorpusError` when the corpus has no document for the longest sample wanted."""
        if self.options.closed_book:
            return
        if self.corpus.eager:
            self.corpus.prepare(progress)
        for lang in self._langs:
            of_lang = (self.tokens(planned) for planned in self.plan if planned.lang == lang)
            self.corpus.candidates(lang, max(of_lang))

    @property
    def _langs(self) -> list[Lang]:
        """Languages of the samples that pass the filters."""
        return list(dict.fromkeys(planned.lang for planned in self.plan))

    def for_estimate(self, progress: Progress | None = None) -> SequentialNiah:
        """The same with the embedded corpus: neither lengths nor questions depend on the corpus."""
        return type(self)(replace(self.options, corpus=DEFAULT_CORPUS), self._cache)

    def _order(self, planned: Planned) -> Order:
        slot = planned.slot
        source = self.sources[slot.pipeline]
        origin = Origin(VERSION, self.options.edition, f"{source.name} {source.digest[:12]}")
        needles, placement = self.options.order, self.options.placement
        return Order(planned.id, origin, self._key(slot), slot.length, needles, placement)

    def _key(self, slot: Slot) -> tuple[rng.Key, ...]:
        key = VERSION, self.options.seed, slot.split, slot.lang, slot.pipeline, slot.serial
        # Longer bins ask the same questions again, in haystacks of their own.
        return key if slot.length in splits.BINS else (*key, slot.length.name)


def order_demanded(question: str, lang: Lang) -> bool:
    """Whether a question of a user's own asks for the true order."""
    return demands_order(question)
