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
from seqniah_datasets.schema import Lang, Pipeline, QAItem, Recipe, Sample
from seqniah_datasets.sources import SOURCES
from seqniah_datasets.splits import Slot
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case, NeedleType, Verdict
from seqniah_tasks.benchmarks.options import Options
from seqniah_tasks.prompts import sequential_niah as prompts

VERSION = 1
"""Of the benchmark's bytes; any change of a recipe or prompt raises it."""

EDITION = "open"
"""Everything from embedded or user-given sources; scores compare only within an edition."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One sample before its haystack is built."""

    id: str
    slot: Slot
    needles: int


class SequentialNiah:
    """The benchmark with one set of options."""

    def __init__(self, options: Options, cache: Path | None = None) -> None:
        self.options = options
        self.corpus: Corpus = open_corpus(options.corpus, options.tokenizer, cache)

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from, filters apart."""
        options = self.options
        parts = [source.digest for source in SOURCES.values()]
        tokenizer = self.corpus.tokenizer.digest
        return rng.digest(
            VERSION, options.seed, options.order, tokenizer, self.corpus.digest, *parts
        ).hex()

    @cached_property
    def plan(self) -> list[Planned]:
        """The samples that pass the filters, in their fair order."""
        options = self.options
        taken: Counter[tuple[str, Pipeline, str]] = Counter()
        found: list[Planned] = []
        for slot in splits.slots(options.split, list(SOURCES), options.seed):
            needles = splits.needles_of(slot, options.seed)
            stratum = (slot.lang, slot.pipeline, slot.length.name)
            if not self._passes(slot, needles):
                continue
            taken[stratum] += 1
            if options.limit_per_stratum and taken[stratum] > options.limit_per_stratum:
                continue
            found.append(Planned(self._id(slot, needles), slot, needles))
        return found

    def _passes(self, slot: Slot, needles: int) -> bool:
        options = self.options
        return (
            (not options.langs or slot.lang in options.langs)
            and (not options.pipelines or slot.pipeline in options.pipelines)
            and (not options.lengths or slot.length.name in options.lengths)
            and (not options.needles or needles in options.needles)
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
            "edition": EDITION,
            "split": options.split,
            "digest": self.digest,
            "corpus": options.corpus,
            "corpus_digest": self.corpus.digest,
            "sources": {str(name): source.digest for name, source in SOURCES.items()},
            "tokenizer": options.tokenizer,
            "tokenizer_digest": self.corpus.tokenizer.digest,
            "seed": options.seed,
            "order": options.order,
        }

    def qa(self, planned: Planned) -> QAItem:
        """The question, its needles and its reference."""
        slot = planned.slot
        source = SOURCES[slot.pipeline]
        return source.item(slot.lang, slot.split, slot.serial, planned.needles, self.options.seed)

    def recipe(self, planned: Planned) -> Recipe:
        """Where the needles go, and what the finished prompt will be. Takes about a millisecond.

        Raises `CorpusError` when the corpus cannot serve the sample.
        """
        slot, qa = planned.slot, self.qa(planned)
        frame = prompts.frame(slot.lang, qa.question, rng.stream(*self._key(slot), "frame"))
        return haystack.build(qa, self._order(planned), frame, self.corpus)

    def sample(self, planned: Planned) -> Sample:
        """The finished prompt."""
        return haystack.render(self.recipe(planned), self.corpus)

    def prepare(self, progress: Progress | None = None) -> None:
        """Index what the options need, and find out now whether the corpus can serve them.

        Raises `CorpusError` when it has no document for the longest sample wanted.
        """
        if self.corpus.eager:
            self.corpus.prepare(progress)
        longest: dict[Lang, int] = {}
        for planned in self.plan:
            slot = planned.slot
            target = haystack.target_tokens(self._order(planned))
            longest[slot.lang] = max(longest.get(slot.lang, 0), target)
        for lang, target in longest.items():
            self.corpus.candidates(lang, target)

    def _order(self, planned: Planned) -> Order:
        slot = planned.slot
        return Order(planned.id, self._key(slot), slot.length, self.options.order)

    def _key(self, slot: Slot) -> tuple[rng.Key, ...]:
        return VERSION, self.options.seed, slot.split, slot.lang, slot.pipeline, slot.serial


def needle_type(pipeline: Pipeline) -> NeedleType:
    """Which of the judge's two kinds of question a pipeline asks."""
    return "logical" if pipeline is Pipeline.REAL_LOGICAL else "temporal"


def judge(qa: QAItem, response: str, *, cut_off: bool = False) -> Verdict:
    """The rule judge's verdict on a response."""
    return rules.judge(
        Case(
            lang=qa.lang,
            needle_type=needle_type(qa.pipeline),
            question=qa.question,
            reference=qa.reference,
            response=response,
            order_required=qa.order_required,
            cut_off=cut_off,
        )
    )
