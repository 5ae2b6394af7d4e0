"""What benchmarks share whose samples are needles in a haystack: recipes, exact and rendered."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from seqniah_datasets import export, recipes, rendering
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.schema import Recipe, Sample
from seqniah_datasets.tokens import DEFAULT_TOKENIZER, Tokenizer
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.protocol import Bench, Facts, P, Prompt, Text, Turn

Decoder = Literal["own", "official"]
"""Who says how a model writes its answers."""

# Options: default, reader and help.
CORPUS = (
    DEFAULT_CORPUS,
    reading.text,
    "procedural (embedded), a folder of texts, or hub:OWNER/NAME@REVISION.",
)
SEED = 0, reading.whole_from(0), "Of everything drawn."
TOKENIZER = (
    DEFAULT_TOKENIZER,
    reading.text,
    "cl100k_base, o200k_base, qwen, or the path of a tokenizer file.",
)
DECODING = (
    "own",
    reading.one_of("own", "official"),
    "Answers are written with the model's own values, or the paper's (official).",
)

LICENCE = "mit"
"""Of this project's own texts, as the hub names it."""


class HaystackBench(Bench[P]):
    """A benchmark whose prompts are rendered from recipes, and whose options name a corpus."""

    def __init__(self, options: Any, cache: Path | None = None) -> None:
        self.options = options
        self._cache = cache

    @cached_property
    def corpus(self) -> Corpus:
        """What the haystacks are made of. Raises `CorpusError` when it is not there."""
        return open_corpus(self.options.corpus, self.options.tokenizer, self._cache)

    @abstractmethod
    def recipe(self, planned: P) -> Recipe:
        """All that the prompt follows from, in milliseconds. Raises `SeqniahError` for none."""

    def render(self, recipe: Recipe) -> Sample:
        """The finished prompt of a recipe, with the needles' places in it."""
        return rendering.render(recipe, self.corpus)

    @property
    def tokenizer(self) -> Tokenizer:
        """The corpus's, which has counted its documents."""
        return self.corpus.tokenizer

    def sample(self, planned: P) -> Sample:
        """The finished prompt, with the needles' places in it."""
        return self.render(self.recipe(planned))

    def prompt(self, planned: P) -> Prompt:
        """What a model is asked."""
        recipe = self.recipe(planned)
        sample = self.render(recipe)
        return Prompt(
            turns=(Turn((Text(sample.input),)),),
            tokens=recipe.tokens,
            sha256=recipe.sha256,
            depths=tuple(round(span.depth, 4) for span in sample.spans),
        )

    def recipe_fields(self, planned: P) -> dict[str, Any]:
        """The recipe, from which the prompt can be rendered again; bare questions have none."""
        if self.bare:
            return super().recipe_fields(planned)
        return recipes.as_json(self.recipe(planned))

    def exported(self, fields: Facts) -> dict[str, Any]:
        """The rendered sample as a flat row."""
        if self.bare:
            return super().exported(fields)
        return export.row(self.render(recipes.from_json(fields)))
