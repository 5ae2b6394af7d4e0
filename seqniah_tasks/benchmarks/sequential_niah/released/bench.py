"""Sequential-NIAH as its authors released it: their prompts, unchanged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from seqniah_datasets import released, rng
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.released import Row
from seqniah_datasets.schema import NoiseType
from seqniah_datasets.sources.files import digest_of
from seqniah_tasks.benchmarks.protocol import Bench, Item, Prompt, Text, Turn
from seqniah_tasks.benchmarks.sequential_niah import prompts
from seqniah_tasks.benchmarks.sequential_niah.bench import NAME, TITLE, VERSION
from seqniah_tasks.benchmarks.sequential_niah.options import UNKNOWN, NoiseOptions, Options
from seqniah_tasks.benchmarks.sequential_niah.released import index
from seqniah_tasks.benchmarks.sequential_niah.released.index import Entry
from seqniah_tasks.benchmarks.sequential_niah.varied import of_document, of_sample

_TYPES = [None, *NoiseType]
"""In the order of a sample and its variants."""


_NAMED = 3
"""Files that logs name as the corpus; all of them are among the sources."""


class Released(Bench[Entry]):
    """The samples of released files that pass the filters; ids are the authors' own."""

    benchmark = NAME
    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self._all: list[Entry] = []

    def prepare(self, progress: Progress | None = None) -> None:
        """Read all files, the first time. Raises `SeqniahError` like `index.entries`."""
        self._all = self._all or index.entries(self.options.data, self.tokenizer, progress)

    @cached_property
    def plan(self) -> list[Entry]:
        """What is asked; any first part has of each stratum its share."""
        self.prepare()
        return self._planned([one for one in self._all if self._wanted(one)])

    def _planned(self, passing: Sequence[Entry]) -> list[Entry]:
        """The samples in their order, each for itself."""
        return [replace(one, noise=None, variant=0, base=one.id) for one in self._fair(passing)]

    def _wanted(self, one: Entry) -> bool:
        """Whether it may pass the filters, of which an empty one lets all pass."""
        options = self.options
        return (
            one.lang in (options.lang or (one.lang,))
            and one.pipeline in (options.pipeline or (one.pipeline,))
            and one.length in (options.length or (one.length,))
            and one.needles in (options.needles or (one.needles,))
        )

    def _fair(self, given: Sequence[Entry]) -> list[Entry]:
        """Strata mixed by their shares, each at most as large as the options say."""
        most = self.options.limit_per_stratum
        strata: defaultdict[tuple[str, str, str], list[Entry]] = defaultdict(list)
        for one in given:
            strata[one.lang, one.pipeline, one.length].append(one)
        kept = [part[:most] for part in strata.values()]
        placed = ((Fraction(n, len(part)), one) for part in kept for n, one in enumerate(part))
        return [one for _, one in sorted(placed, key=lambda pair: pair[0])]

    in_suite = False
    """Whether samples are asked as a part of the noise suite."""

    def item(self, planned: Entry) -> Item:
        """Question and reference, and what logs keep of the sample."""
        facts: dict[str, Any] = {
            "split": self.options.split,
            "lang": planned.lang,
            "pipeline": planned.pipeline,
            "length_bin": planned.length,
            "needle_group": planned.needle_group,
            "needles": planned.needles,
            "order_required": planned.order_required,
            "parties": [],
        }
        return Item(planned.question, planned.reference, facts)

    def sample_facts(self, planned: Entry) -> dict[str, Any]:
        """Those of its item; of a variant, also what it is a variant of."""
        return of_sample(self.item(planned), planned)

    def document_facts(self, planned: Entry) -> dict[str, Any]:
        """The same fields for every sample, variant or not."""
        return of_document(self.item(planned), planned, self.in_suite)

    def prompt(self, planned: Entry) -> Prompt:
        """The released prompt. Raises `SeqniahError` where its file has changed."""
        row = planned.row
        return Prompt(
            turns=(Turn((Text(row.prompt),)),),
            tokens=planned.tokens,
            sha256=planned.sha256,
            depths=depths(row, planned.needles),
        )

    def tokens(self, planned: Entry) -> int:
        """Exact."""
        return planned.tokens

    @property
    def lengths(self) -> tuple[str, ...]:
        """Those that samples have."""
        present = {one.length for one in self.plan}
        return tuple(one.name for one in index.BINS if one.name in present)

    def answer_start(self, planned: Entry) -> str:
        """A numbered list that has begun."""
        return prompts.answer_start(planned.lang)

    @property
    def name(self) -> str:
        """The benchmark and the edition."""
        return f"{NAME}-released"

    @property
    def title(self) -> str:
        """As headings name it."""
        return f"{TITLE}, released samples"

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests: the files' digests."""
        paths = released.find(self.options.data)
        digests = list(map(digest_of, paths))
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        names = ", ".join(path.name for path in paths[:_NAMED]) + more
        whole = digests[0] if len(digests) == 1 else rng.digest(*digests).hex()
        return {
            **super().facts(),
            "version": VERSION,
            "edition": self.options.edition,
            "split": self.options.split,
            "digest": rng.digest(VERSION, self.tokenizer.digest, *digests).hex(),
            "corpus": names,
            "corpus_digest": whole,
            "sources": {
                path.name: {"name": path.name, "digest": digest}
                for path, digest in zip(paths, digests, strict=True)
            },
            "order": self.options.order,
            "closed_book": False,
        }

    def remarks(self) -> list[str]:
        """How many samples do not tell their pipeline."""
        unknown = sum(one.pipeline == UNKNOWN for one in self.plan)
        told = f"unknown: the pipeline of {unknown:,} of {len(self.plan):,} samples."
        return [told] if unknown else []


class ReleasedSuite(Released):
    """Samples with their variants, as far as they are in the files."""

    options: NoiseOptions
    in_suite = True

    @property
    def name(self) -> str:
        """The benchmark, the edition and the suite."""
        return f"{super().name}-noise"

    def _planned(self, passing: Sequence[Entry]) -> list[Entry]:
        """Each sample, then its variants by type. Raises `SeqniahError` when there is none."""
        sets: defaultdict[str, list[Entry]] = defaultdict(list)
        for one in passing:
            sets[one.base].append(one)
        members = {
            base: sorted(one, key=lambda member: (_TYPES.index(member.noise), member.variant))
            for base, one in sets.items()
            if any(member.noise for member in one)
        }
        if not members:
            raise SeqniahError(
                "No sample of data= that passes the filters is a variant with noise (its md5 ends "
                "in _1 to _12); drop a filter, or run the task test."
            )
        firsts = self._fair([one[0] for one in members.values()])[: self.options.bases]
        return [member for first in firsts for member in members[first.base]]

    def facts(self) -> dict[str, object]:
        """As of the edition, with the number of samples that have variants."""
        bases = len({one.base for one in self.plan})
        return {**super().facts(), "suite": "noise", "bases": bases}


def depths(row: Row, count: int) -> tuple[float, ...]:
    """How much of the text around the needles stands before each of them, 0 to 1, in true order.

    None where they are not `count`, and where one of them does not stand in the document exactly
    once, or the document not in the prompt.
    """
    document, needles = row.document, row.needles
    if len(needles) != count or document not in row.prompt:
        return ()
    if any(document.count(one) != 1 for one in needles):
        return ()
    at = {one: document.index(one) for one in needles}
    own = {one: len(one.encode()) for one in needles}
    around = len(document.encode()) - sum(own.values())
    found = []
    for one in needles:
        before = len(document[: at[one]].encode())
        inside = sum(own[other] for other in needles if at[other] < at[one])
        found.append(round(max(0, before - inside) / max(1, around), 4))
    return tuple(found)
