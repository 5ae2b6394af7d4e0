"""Samples of Counting-Stars as documents of lm-eval: small, and enough to judge an answer by."""

from __future__ import annotations

from typing import Any, TypedDict

# The checkout's folder of the same name is no package, but type checkers take it for one.
from datasets import Dataset  # type: ignore[attr-defined]
from seqniah_datasets.schema import Lang
from seqniah_tasks.benchmarks.counting_stars import CountingStars

_FACTS = ("benchmark", "version", "edition", "tokenizer", "corpus", "setup", "split")
"""What all documents say of their benchmark."""


class StarDocument(TypedDict):
    """One sample without its sky, which its id names: what the samples file holds of it."""

    id: str
    benchmark: str
    version: int
    edition: str
    tokenizer: str
    corpus: str
    setup: str
    """What makes it another test than the plain one, in words; empty if nothing does."""
    split: str
    question: str
    reference: str
    """The right answer, as the question wants it."""
    lang: Lang
    pipeline: str
    """The task: searching, reasoning or players."""
    ask: str
    """What is wanted of the stars: list, sum, largest or order."""
    length_bin: str
    """Name of the length, e.g. 4k."""
    length: int
    """The length aimed at, in the run's unit."""
    needles: int
    """Stars that are asked for."""
    stars: int
    """Of the whole sky, whoever counted them."""
    repeat: int
    """Which of the skies of this length, from 1."""
    right: list[int]
    """Numbers of the stars asked for, in the order of their places."""
    wrong: list[int]
    """What was counted by mistake, for each of them; empty where nothing was."""
    others: list[list[int]]
    """The numbers of each player that is not asked for."""
    asked: list[str]
    """Keys of the answer that the question asks for."""


def documents(bench: CountingStars) -> Dataset:
    """All samples, in the benchmark's order."""
    facts = bench.facts()
    constant = {name: facts[name] for name in _FACTS}
    found: list[dict[str, Any]] = []
    for planned in bench.plan:
        asked = bench.asked(planned)
        found.append(
            {
                "id": planned.id,
                **constant,
                "question": asked.question,
                "reference": asked.reference,
                **asked.facts(planned, bench.options),
            }
        )
    return Dataset.from_list(found)
