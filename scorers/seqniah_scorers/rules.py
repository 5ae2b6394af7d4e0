"""The rule judge: a verdict from reading, alignment and weighed evidence, without a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.embedding import Embedding
from seqniah_scorers.evidence.index import Index, View
from seqniah_scorers.evidence.report import report, without_items, written
from seqniah_scorers.evidence.sides import two_sides, with_sides
from seqniah_scorers.evidence.weigh import weigh
from seqniah_scorers.evidence.words import read
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.reading.cues import is_refusal
from seqniah_scorers.reading.items import split_date
from seqniah_scorers.text import fold, spoken, unread
from seqniah_scorers.verdict import Case, FailureMode, Verdict

VERSION = 7
"""Raised with every release in which verdicts change; logs name it."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A verdict with the words of the items that its pairs number."""

    verdict: Verdict
    references: tuple[str, ...]
    """By number of the reference item: its date, as year-month-day, and what it tells."""
    answers: tuple[str, ...]
    """The same by number of the answer's item, as it was compared.

    It has what the response says, without list marks, markup and the words that tie a date to its
    event; a heading may have given parts of the date, and one that stands nowhere is a question
    mark. Some items were joined of several.
    """


def judge(case: Case, embedding: Embedding | None = None) -> Verdict:
    """Decide by the evidence; the same case always gives the same verdict.

    With an `embedding`, items that share few words may still state the same.
    """
    return align(case, embedding).verdict


def align(case: Case, embedding: Embedding | None = None) -> Aligned:
    """The verdict of `judge` on the same case, and which words stand beside which."""
    refs, required = index(case, embedding), order_required(case)
    references = tuple(map(written, refs.items))
    items = [] if unread(case.response) else parse(case.response)
    found = weigh(refs, items, case, required) if items else None
    told = all(item.loose for item in items) and case.response[spoken(case.response)]
    if found is None or (told and not found.pairs and is_refusal(told)):
        verdict = without_items(case, len(refs.items), required, _why(case))
        return Aligned(verdict, references, ())
    verdict, counted = report(case, refs, found, required)
    return Aligned(verdict, references, tuple(map(written, counted)))


def order_required(case: Case) -> bool:
    """Whether the true order is part of being right."""
    if case.order_required is None:
        return demands_order(case.question, case.needle_type)
    return case.order_required


def _why(case: Case) -> FailureMode:
    """Why no item was read from an answer."""
    said = case.response[spoken(case.response)]
    if unread(case.response):
        return FailureMode.UNREADABLE
    if not fold(said):
        return FailureMode.NO_ANSWER
    return FailureMode.REFUSED if is_refusal(said) else FailureMode.UNREADABLE


def index(case: Case, embedding: Embedding | None = None) -> Index:
    """A case's reference, read once for all answers to its question."""
    logical = case.needle_type == "logical"
    return _index(case.reference, case.needles, logical, case.question, case.parties, embedding)


@lru_cache(maxsize=1024)
def _index(
    reference: str,
    needles: tuple[str, ...],
    logical: bool,
    asked: str,
    parties: tuple[str, ...],
    embedding: Embedding | None,
) -> Index:
    items = tuple(parse(reference, trusted=True))
    texts = [item.text for item in items]
    sides = parties or (() if logical else two_sides(texts, asked))
    wordings = [texts]
    if len(needles) == len(items):
        wordings.append([split_date(needle)[1] for needle in needles])
    known = read(f"{asked} {reference.lstrip().partition(chr(10))[0]}")
    views = (View(tuple(read(with_sides(t, sides)) for t in one), known) for one in wordings)
    return Index(items, tuple(views), logical, sides, embedding)
