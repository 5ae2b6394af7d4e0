"""What a model is asked, with what a run notes of it."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_datasets import haystack
from seqniah_tasks.benchmarks.sequential_niah import Planned, SequentialNiah


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


def prompt(bench: SequentialNiah, planned: Planned) -> Prompt:
    """Build and render the prompt of a sample; takes a few milliseconds."""
    if bench.options.closed_book:
        text = bench.closed_book(planned)
        return Prompt(text, bench.corpus.tokenizer.count(text), "", ())
    recipe = bench.recipe(planned)
    sample = haystack.render(recipe, bench.corpus)
    depths = tuple(round(span.depth, 4) for span in sample.spans)
    return Prompt(sample.input, recipe.tokens, recipe.sha256, depths)
