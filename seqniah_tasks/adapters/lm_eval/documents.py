"""Samples as the documents of lm-eval: small, and enough to judge an answer by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from seqniah_tasks.adapters.lm_eval import tasks
from seqniah_tasks.benchmarks.protocol import Bench, Benchmark, Facts
from seqniah_tasks.kinds import FILLED_NAME, FILLED_TEXT, NAME_OR_NONE, POSITIVE, Kind

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")

_RUN = {
    "version": POSITIVE,
    "edition": NAME_OR_NONE,
    "tokenizer": FILLED_NAME,
    "corpus": NAME_OR_NONE,
}
"""What documents repeat of their run, where they do, whatever the benchmark."""

_SAMPLE = {
    "id": FILLED_NAME,
    "lang": Kind(
        "string",
        lambda given: isinstance(given, str) and bool(_TAG.fullmatch(given)),
        "a language tag like en",
    ),
    "question": FILLED_TEXT,
    "reference": FILLED_TEXT,
}


@lru_cache(maxsize=4)
def documents(bench: Bench[Any]) -> list[dict[str, Any]]:
    """All samples without their prompts, which ids name, in the benchmark's order.

    Raises `SeqniahError` when one cannot be made.
    """
    facts = bench.facts()
    run = {name: facts[name] for name in tasks.of(bench.declared).run_facts}
    return [{"id": one.id, **run, **bench.document_facts(one)} for one in bench.plan]


@lru_cache(maxsize=16)
def _kinds(benchmark: Benchmark) -> dict[str, Kind]:
    lm = tasks.of(benchmark)
    run = {name: kind for name, kind in _RUN.items() if name in lm.run_facts}
    return {**_SAMPLE, **run, "length_bin": benchmark.columns.length, **lm.fields}


def fault(benchmark: Benchmark, document: Facts) -> tuple[str, str] | None:
    """The first field of an untrusted document that is wrong, and what it should be."""
    for name, kind in _kinds(benchmark).items():
        if not kind.holds(document.get(name)):
            return name, kind.words
    return tasks.of(benchmark).fault(document)
