"""What a harness needs of any benchmark: a plan of questions, and the finished prompt of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from seqniah_datasets.corpora.base import Corpus, Progress
from seqniah_datasets.schema import Lang, Recipe, Sample


@dataclass(frozen=True, slots=True)
class Prompt:
    """One finished prompt."""

    text: str
    tokens: int
    """Exact, in the encoding of the run."""
    sha256: str
    """Of the text in UTF-8; empty for a question without its haystack."""
    depths: tuple[float, ...]
    """Where each needle begins, 0 to 1, in true order; empty likewise."""


class Question(Protocol):
    """One sample of a plan, before its prompt is built."""

    @property
    def id(self) -> str:
        """It names the sample's bytes."""

    @property
    def lang(self) -> Lang: ...

    @property
    def length(self) -> str:
        """Name of the range or length that its prompt has, as options write it."""


Q = TypeVar("Q", bound=Question)


class Benchmark(Protocol[Q]):
    """One benchmark with one set of options."""

    @property
    def corpus(self) -> Corpus:
        """What the haystacks are made of; its tokenizer is the run's."""

    @property
    def plan(self) -> Sequence[Q]:
        """What is asked, in its order."""

    @property
    def bare(self) -> bool:
        """Whether questions are asked without their haystacks."""

    @property
    def longest_answer(self) -> int:
        """Tokens that the longest right answer can take; 0: no more than in most runs."""

    def find(self, sample_id: str) -> Q:
        """The sample of an id. Raises `SeqniahError` when the options do not hold it."""

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""

    def target(self, planned: Q) -> int:
        """About how many tokens the prompt will have, without building it."""

    def recipe(self, planned: Q) -> Recipe:
        """Everything that the prompt follows from. Raises `SeqniahError` where there is none."""

    def render(self, recipe: Recipe) -> Sample:
        """The finished prompt of a recipe."""

    def prompt(self, planned: Q) -> Prompt:
        """Build and render a prompt; takes a few milliseconds. Raises `SeqniahError`."""

    def prepare(self, progress: Progress | None = None) -> None:
        """Index what the options need. Raises `SeqniahError` when the corpus cannot serve them."""


def rendered(recipe: Recipe, sample: Sample) -> Prompt:
    """The prompt of a recipe, which was rendered as `sample`."""
    depths = tuple(round(span.depth, 4) for span in sample.spans)
    return Prompt(sample.input, recipe.tokens, recipe.sha256, depths)
