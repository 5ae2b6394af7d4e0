"""The rule judge: a verdict from parsing and alignment alone, without a model."""

from __future__ import annotations

from functools import lru_cache

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.matching import match
from seqniah_scorers.comparing.report import beyond_limit, report, without_items
from seqniah_scorers.embedding import Embedding
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.reading.cues import is_refusal
from seqniah_scorers.text import fold, unread
from seqniah_scorers.verdict import Case, Verdict

VERSION = 2
"""Raised with every release in which verdicts change; logs name it."""


def judge(case: Case, embedding: Embedding | None = None) -> Verdict:
    """Decide by fixed rules; the same case always gives the same verdict.

    With an `embedding`, items that share few words may still state the same.
    """
    logical = case.needle_type == "logical"
    required = case.order_required
    if required is None:
        required = demands_order(case.question, case.needle_type)
    refs = _reference(case.reference, logical, case.question, case.parties, embedding)
    if unread(case.response):
        return beyond_limit(refs, required)
    items = parse(case.response)
    if not items:
        refused = not fold(case.response) or is_refusal(case.response)
        return without_items(case, refs, required, refused)
    reading = match(refs, items, case.cut_off)
    if not reading.pairs and is_refusal(case.response) and all(i.loose for i in items):
        return without_items(case, refs, required, True)
    return report(case, refs, reading, required)


@lru_cache(maxsize=1024)
def _reference(
    text: str,
    logical: bool,
    asked: str,
    parties: tuple[str, ...],
    embedding: Embedding | None,
) -> Index:
    """The reference read once for all answers to its question."""
    items = tuple(parse(text, trusted=True))
    intro = text.lstrip().partition("\n")[0]
    return Index(items, logical, asked, parties, intro, embedding)
