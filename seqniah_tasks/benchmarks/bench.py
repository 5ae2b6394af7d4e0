"""A benchmark opened with one set of options: its plan, and each sample of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.tokens import DEFAULT_TOKENIZER, Tokenizer, tokenizer
from seqniah_tasks.benchmarks.options import names
from seqniah_tasks.benchmarks.scoring import Facts
from seqniah_tasks.benchmarks.shown import Prompt

if TYPE_CHECKING:
    from seqniah_tasks.benchmarks.protocol import Benchmark


class Planned(Protocol):
    """One sample of a plan, before its prompt is built."""

    @property
    def id(self) -> str:
        """It names the sample's bytes."""

    @property
    def lang(self) -> str:
        """A language tag: en, zh, de ..."""

    @property
    def length(self) -> str:
        """Name of the range or length that its prompt has, as options write it."""


P = TypeVar("P", bound=Planned)


@dataclass(frozen=True, slots=True)
class Sample:
    """A planned sample, e.g. for a benchmark that needs no more."""

    id: str
    lang: str = "en"
    length: str = ""
    key: Any = None
    """Whatever the benchmark makes the sample from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How a model writes its answers; None: as it does by itself."""

    max_tokens: int | None = None
    """Thoughts included."""
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    reasoning_effort: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """The question of a sample, its reference answer, and what logs keep of it."""

    question: str
    reference: str
    facts: Facts = field(default_factory=dict)
    """JSON values; together with question and reference, enough to judge an answer."""

    @property
    def texts(self) -> Facts:
        """Question and reference, by name."""
        return {"question": self.question, "reference": self.reference}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request of a sample and the reply to it."""

    prompt_tokens: int
    """About."""
    reply_tokens: int | None = None
    """About; None: those of an answer."""


class Bench(ABC, Generic[P]):
    """A benchmark with one set of options. Making one is cheap; `prepare` does what takes long."""

    benchmark: str
    """Its name, as it is declared."""
    options: Any

    @property
    def declared(self) -> Benchmark:
        """What it is declared to be."""
        from seqniah_tasks import benchmarks

        return benchmarks.known()[self.benchmark]

    @property
    def longest_answer(self) -> int:
        """Tokens that the longest right answer can take; 0: no more than fifteen items do."""
        return 0

    def decoding(self, model: str) -> Decoding:
        """How a model, as harnesses name it, is to decode, where the benchmark or its options say.

        What a user sets comes first. Raises `SeqniahError` where nothing is known of the model.
        """
        return Decoding()

    @property
    def bare(self) -> bool:
        """Whether questions are asked without their haystacks, too short to be cut."""
        return False

    @property
    @abstractmethod
    def plan(self) -> Sequence[P]:
        """What is asked, so ordered that any first part is a fair miniature."""

    @abstractmethod
    def item(self, planned: P) -> Item:
        """The question and the reference of a sample, without its haystack."""

    @abstractmethod
    def prompt(self, planned: P) -> Prompt:
        """What a model is shown. Raises `SeqniahError` where it cannot be made."""

    @property
    def tokenizer(self) -> Tokenizer:
        """Of the run; all that others may ask of its corpus."""
        return tokenizer(getattr(self.options, "tokenizer", DEFAULT_TOKENIZER))

    @cached_property
    def _by_id(self) -> dict[str, P]:
        return {planned.id: planned for planned in self.plan}

    def find(self, sample_id: str) -> P:
        """The sample of an id, or of a number in the plan. Raises `SeqniahError` for any other."""
        if sample_id.isdecimal() and len(sample_id) < 10 and int(sample_id) < len(self.plan):
            return self.plan[int(sample_id)]
        if sample_id not in self._by_id:
            known = f"e.g. {self.plan[0].id}" if self.plan else "none"
            raise SeqniahError(
                f"No sample {sample_id!r} of {self.name} with these options (known: {known}); "
                "other options make other ids."
            )
        return self._by_id[sample_id]

    @property
    def name(self) -> str:
        """As data sets and messages name it: benchmark and edition, or split."""
        return self.declared.name

    @property
    def title(self) -> str:
        """As headings name it."""
        return self.declared.title

    @property
    def display_name(self) -> str:
        """As a harness shows it."""
        return self.title

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        return {
            "benchmark": self.declared.name,
            "version": self.declared.version,
            "edition": "",
            "split": "test",
            "tokenizer": self.tokenizer.name,
            "tokenizer_digest": self.tokenizer.digest,
            "corpus": "",
        }

    @property
    def licence(self) -> str:
        """Of all the samples' texts, as the hub names it; empty: none that can be told here."""
        return ""

    def sample_facts(self, planned: P) -> dict[str, Any]:
        """What a log of inspect keeps of a sample."""
        return {
            "benchmark": self.declared.name,
            "lang": planned.lang,
            "length_bin": planned.length,
            **self.item(planned).facts,
        }

    def document_facts(self, planned: P) -> dict[str, Any]:
        """What a document of lm-eval holds of a sample: the same fields for every sample, and the
        question and the reference among them."""
        return {**self.item(planned).texts, **self.sample_facts(planned)}

    def tokens(self, planned: P) -> int:
        """How many tokens the prompt has, or about how many, without building it if possible."""
        return self.prompt(planned).tokens

    def exchanges(self, planned: P) -> Sequence[Exchange]:
        """All requests of a sample, in their order: as many as there can be."""
        return (Exchange(self.tokens(planned)),)

    @property
    def lengths(self) -> tuple[str, ...]:
        """Names of all lengths that a sample may have, shortest first."""
        sizes: dict[str, int] = {}
        for planned in self.plan:
            if planned.length not in sizes:
                sizes[planned.length] = self.tokens(planned)
        return tuple(sorted(sizes, key=lambda name: (sizes[name], name)))

    def narrower(self, fitting: Sequence[str]) -> Facts:
        """Options of a run whose prompts all fit, from the lengths that do, the shortest first."""
        has_lengths = "length" in names(type(self.options))
        return {"length": ",".join(fitting)} if has_lengths else {}

    narrower_is_another = False
    """Whether `narrower` makes other samples, so another test, instead of fewer."""

    def narrower_than(self, fitting: Sequence[str], first: P, share: float) -> Facts:
        """The same where of the prompt `first` only a `share` fits."""
        return self.narrower(fitting) if fitting else {}

    def answer_start(self, planned: P) -> str:
        """The end of a prompt for a model that continues text; its last line begins the answer."""
        return "\n\nAnswer:\n"

    def prefixes(self, planned: Sequence[P]) -> Prefixes | None:
        """What prompts asked in this order share; None where every prompt begins anew."""
        return None

    def shared(self, planned: P) -> str:
        """Names the beginning that the prompt shares with others, of which the first is asked
        alone, so that a server keeps it for the rest; empty: all may be asked at once."""
        return ""

    def in_rounds(self, planned: P) -> bool:
        """Whether replies to a sample lead to more prompts, of a task that asks so `sometimes`."""
        return True

    def prepare(self, progress: Progress | None = None) -> None:
        """Do what takes long. Raises `SeqniahError` when the options cannot be served."""

    def for_estimate(self, progress: Progress | None = None) -> Bench[P]:
        """As far as an estimate needs it: questions, lengths of prompts. Raises like `prepare`."""
        self.prepare(progress)
        return self

    def recipe_fields(self, planned: P) -> dict[str, Any]:
        """What `build` writes of a sample, from which the sample can be made again."""
        item, prompt = self.item(planned), self.prompt(planned)
        return {
            "id": planned.id,
            "version": self.declared.version,
            "lang": planned.lang,
            **item.texts,
            "input": prompt.text,
            "tokens": prompt.tokens,
            "sha256": prompt.sha256,
        }

    def layout(self, place: Path) -> list[str]:
        """Write into the folder of a build what it has beside recipes: samples in a layout of the
        benchmark's own, or what may differ between machines. Returns the files' paths in the
        folder. Raises `SeqniahError`."""
        return []

    def exported(self, fields: Facts) -> dict[str, Any]:
        """A sample as a flat row with its prompt, from what `recipe_fields` gave."""
        return dict(fields)

    def remarks(self) -> list[str]:
        """What commands say of the plan on standard error, a line each."""
        return []


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a server that keeps the beginnings of prompts need not read again."""

    tokens: int
    """Of all samples, each asked once and one after another; about."""
    why: str
    """What prompts have in common, in words."""


@dataclass(frozen=True, slots=True)
class Stats:
    """A table of what a plan holds."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Of a group's rows, all but the first have an empty first cell."""
    fields: tuple[Facts, ...]
    """The same for a script."""
