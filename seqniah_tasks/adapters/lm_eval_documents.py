"""Samples as the documents of lm-eval: small, and enough to judge an answer by."""

from __future__ import annotations

from typing import Any, TypedDict

# The checkout's folder of the same name is no package, but type checkers take it for one.
from datasets import Dataset  # type: ignore[attr-defined]
from seqniah_datasets.schema import Lang, Pipeline
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah

_FACTS = ("benchmark", "version", "edition", "tokenizer", "corpus", "order", "closed_book")


class Document(TypedDict):
    """One sample without its haystack, which its id names: what the samples file holds of it."""

    id: str
    benchmark: str
    version: int
    edition: str
    tokenizer: str
    corpus: str
    order: str
    closed_book: bool
    split: str
    lang: Lang
    pipeline: str
    length_bin: str
    needle_group: str
    needles: int
    question: str
    reference: str
    order_required: bool
    parties: list[str]
    """The two sides that every item is about, if there are two."""
    in_suite: bool
    """Whether it is asked as a part of the noise suite."""
    base: str
    """Id of the sample that it is a variant of, or its own."""
    noise: str
    """Type of noise; empty for a sample as it is."""
    variant: int
    """From 1; 0 for a sample as it is."""


def documents(
    bench: SequentialNiah, pipeline: Pipeline | None = None, lang: Lang | None = None
) -> Dataset:
    """The samples of a pipeline and language, or all, in the benchmark's fair order."""
    facts = bench.facts()
    constant = {name: facts[name] for name in _FACTS}
    found: list[dict[str, Any]] = []
    for planned in bench.plan:
        slot = planned.slot
        if pipeline not in (None, slot.pipeline) or lang not in (None, slot.lang):
            continue
        qa = bench.qa(planned)
        found.append(
            {
                "id": planned.id,
                **constant,
                "split": slot.split,
                "lang": slot.lang,
                "pipeline": str(slot.pipeline),
                "length_bin": slot.length.name,
                "needle_group": slot.group.name,
                "needles": planned.needles,
                "question": qa.question,
                "reference": qa.reference,
                "order_required": qa.order_required,
                "parties": list(qa.parties),
                "in_suite": bench.options.bases > 0,
                "base": planned.base,
                "noise": str(planned.noise or ""),
                "variant": planned.variant,
            }
        )
    return Dataset.from_list(found)


def case(document: Document, response: str) -> Case:
    """What a judge is shown of a document and the answer to it."""
    return Case(
        lang=document["lang"],
        needle_type=benchmark.needle_type(Pipeline(document["pipeline"])),
        question=document["question"],
        reference=document["reference"],
        response=response,
        order_required=document["order_required"],
        parties=tuple(document["parties"]),
    )
