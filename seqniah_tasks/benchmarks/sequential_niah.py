"""Sequential-NIAH: from options to slots, questions, recipes, prompts and verdicts.

Every sample is a function of its key: nothing here depends on the samples before it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from seqniah_datasets import haystack, rng, splits
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora.base import Corpus, Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.haystack import Order
from seqniah_datasets.schema import (
    LANGS,
    Lang,
    NeedleGroup,
    NoiseType,
    Origin,
    Pipeline,
    QAItem,
    Recipe,
    Sample,
)
from seqniah_datasets.sources import open_sources, paper_sources
from seqniah_datasets.sources.base import Demand, Supply
from seqniah_datasets.splits import Slot
from seqniah_scorers import rules
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.verdict import Case, NeedleType, Verdict
from seqniah_tasks.benchmarks.asking import Prompt, rendered
from seqniah_tasks.benchmarks.options import Options
from seqniah_tasks.benchmarks.shortfalls import Shortfall, too_small
from seqniah_tasks.prompts import sequential_niah as prompts

VERSION = 2
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


class SequentialNiah:
    """The benchmark with one set of options."""

    longest_answer = 0
    """Fifteen items are what the least room for an answer is made for."""

    def __init__(self, options: Options, cache: Path | None = None) -> None:
        """Raises `SeqniahError` when sources are missing or of the wrong kind."""
        self.options = options
        self._cache = cache
        self.sources = (
            open_sources()
            if options.edition == "open"
            else paper_sources(options.tkg, options.qa, _demands_order, options.pipelines)
        )

    @cached_property
    def corpus(self) -> Corpus:
        """Raises `CorpusError` when it is not there."""
        return open_corpus(self.options.corpus, self.options.tokenizer, self._cache)

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from, filters apart."""
        options = self.options
        parts = [source.digest for source in self.sources.values()]
        tokenizer = self.corpus.tokenizer.digest
        named: list[rng.Key] = [options.edition]
        if options.closed_book:
            named.append("closed-book")
        return rng.digest(
            VERSION, options.seed, options.order, tokenizer, self.corpus.digest, *named, *parts
        ).hex()

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
            if cell.pipeline not in self.sources:
                continue
            key = cell.lang, cell.pipeline, cell.group
            supply = self.supplies[cell.lang, cell.pipeline]
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
        found: list[tuple[Slot, int]] = []
        longer = [one for one in splits.LONGER_BINS if one.name in options.lengths]
        for slot in splits.slots(options.split, list(self.sources), options.seed, longer):
            if not self._wanted(slot):
                continue
            needles = self.supplies[slot.lang, slot.pipeline].needles(slot.serial)
            if needles is None:
                if options.shortfall != "smaller":
                    raise too_small(self.shortfalls, options)
                continue
            stratum = (slot.lang, slot.pipeline, slot.length.name)
            if options.needles and needles not in options.needles:
                continue
            taken[stratum] += 1
            if options.limit_per_stratum and taken[stratum] > options.limit_per_stratum:
                continue
            found.append((slot, needles))
        if not found and self.shortfalls:
            raise too_small(self.shortfalls, options)
        return found

    def _wanted(self, slot: Slot) -> bool:
        options = self.options
        return (
            (not options.langs or slot.lang in options.langs)
            and (not options.pipelines or slot.pipeline in options.pipelines)
            and (not options.lengths or slot.length.name in options.lengths)
            and (
                not options.needles
                or any(slot.group.low <= count <= slot.group.high for count in options.needles)
            )
        )

    def _id(self, slot: Slot, needles: int) -> str:
        return (
            f"{slot.split}-{slot.lang}-{slot.length.name}-n{needles:02d}-{slot.pipeline}"
            f"-{slot.serial:04d}-{self.digest[:6]}"
        )

    @cached_property
    def _by_id(self) -> dict[str, Planned]:
        return {planned.id: planned for planned in self.plan}

    def find(self, sample_id: str) -> Planned:
        """The sample of an id, or of a number in the plan.

        Raises `SeqniahError` when the options do not hold it.
        """
        if sample_id.isdecimal() and int(sample_id) < len(self.plan):
            return self.plan[int(sample_id)]
        if sample_id not in self._by_id:
            known = f"e.g. {self.plan[0].id}" if self.plan else "none"
            raise SeqniahError(
                f"No sample {sample_id!r} in the {self.options.split} split with these options "
                f"(known: {known}); other seeds, corpora, tokenizers and orders make other ids."
            )
        return self._by_id[sample_id]

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        options = self.options
        return {
            "benchmark": "sequential-niah",
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
            "reused": sum(supply.reused for supply in self.supplies.values()),
            "missing": sum(one.missing for one in self.shortfalls),
            "tokenizer": options.tokenizer,
            "tokenizer_digest": self.corpus.tokenizer.digest,
            "seed": options.seed,
            "order": options.order,
            "closed_book": options.closed_book,
            "shortfall": options.shortfall,
        }

    def qa(self, planned: Planned) -> QAItem:
        """The question, its needles and its reference."""
        slot = planned.slot
        return self.supplies[slot.lang, slot.pipeline].item(slot.serial)

    def recipe(self, planned: Planned) -> Recipe:
        """Where the needles go, and what the finished prompt will be. Takes about a millisecond.

        Raises `CorpusError` when the corpus cannot serve the sample.
        """
        slot, qa = planned.slot, self.qa(planned)
        frame = prompts.frame(slot.lang, qa.question, rng.stream(*self._key(slot), "frame"))
        return haystack.build(qa, self._order(planned), frame, self.corpus)

    def sample(self, planned: Planned) -> Sample:
        """The finished prompt."""
        return self.render(self.recipe(planned))

    def render(self, recipe: Recipe) -> Sample:
        """The finished prompt of a recipe."""
        return haystack.render(recipe, self.corpus)

    @property
    def bare(self) -> bool:
        """Whether questions are asked without their documents."""
        return self.options.closed_book

    def closed_book(self, planned: Planned) -> str:
        """The question without the document, to see what a model knows beforehand."""
        return prompts.closed_book(planned.slot.lang, self.qa(planned).question)

    def prompt(self, planned: Planned) -> Prompt:
        """What a model is asked; takes a few milliseconds."""
        if not self.bare:
            recipe = self.recipe(planned)
            return rendered(recipe, self.render(recipe))
        text = self.closed_book(planned)
        return Prompt(text, self.corpus.tokenizer.count(text), "", ())

    def target(self, planned: Planned) -> int:
        """About how many tokens the prompt will have, without building it."""
        if self.options.closed_book:
            return 0
        return haystack.target_tokens(self._order(planned))

    def prepare(self, progress: Progress | None = None) -> None:
        """Index what the options need, and find out now whether the corpus can serve them.

        Raises `CorpusError` when it has no document for the longest sample wanted.
        """
        if self.options.closed_book:
            return
        if self.corpus.eager:
            self.corpus.prepare(progress)
        longest: dict[Lang, int] = {}
        for planned in self.plan:
            lang = planned.slot.lang
            longest[lang] = max(longest.get(lang, 0), self.target(planned))
        for lang, target in longest.items():
            self.corpus.candidates(lang, target)

    def _order(self, planned: Planned) -> Order:
        slot = planned.slot
        source = self.sources[slot.pipeline]
        origin = Origin(VERSION, self.options.edition, f"{source.name} {source.digest[:12]}")
        return Order(planned.id, origin, self._key(slot), slot.length, self.options.order)

    def _key(self, slot: Slot) -> tuple[rng.Key, ...]:
        key = VERSION, self.options.seed, slot.split, slot.lang, slot.pipeline, slot.serial
        # Longer bins ask the same questions again, in haystacks of their own.
        return key if slot.length in splits.BINS else (*key, slot.length.name)


def _demands_order(question: str, lang: Lang) -> bool:
    return demands_order(question)


def needle_type(pipeline: Pipeline) -> NeedleType:
    """Which of the judge's two kinds of question a pipeline asks."""
    return "logical" if pipeline is Pipeline.REAL_LOGICAL else "temporal"


def judge(qa: QAItem, response: str, *, cut_off: bool = False) -> Verdict:
    """The rule judge's verdict on a response."""
    return rules.judge(
        Case(
            lang=qa.lang,
            needle_type=needle_type(Pipeline(qa.pipeline)),
            question=qa.question,
            reference=qa.reference,
            response=response,
            order_required=qa.order_required,
            cut_off=cut_off,
            parties=qa.parties,
        )
    )
