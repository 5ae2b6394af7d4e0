"""What benchmarks share whose samples are needles in a haystack: recipes, exact and rendered."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from seqniah_datasets import export, recipes
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.schema import Recipe, Sample
from seqniah_datasets.tokens import Tokenizer
from seqniah_tasks.benchmarks.protocol import Bench, Facts, P, Prompt, Text, Turn


class HaystackBench(Bench[P]):
    """A benchmark whose prompts are rendered from recipes."""

    @property
    @abstractmethod
    def corpus(self) -> Corpus:
        """What the haystacks are made of. Raises `CorpusError` when it is not there."""

    @abstractmethod
    def recipe(self, planned: P) -> Recipe:
        """Everything that the prompt follows from; takes a few milliseconds.

        Raises `SeqniahError` where there is none.
        """

    @abstractmethod
    def render(self, recipe: Recipe) -> Sample:
        """The finished prompt of a recipe."""

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
