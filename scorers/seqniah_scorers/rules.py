"""The rule judge: a verdict from parsing and alignment alone, without a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.matching import Reading, match
from seqniah_scorers.comparing.report import beyond_limit, report, without_items, words
from seqniah_scorers.embedding import Embedding
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.reading.cues import is_refusal
from seqniah_scorers.text import fold, spoken, unread
from seqniah_scorers.verdict import Case, FailureMode, Verdict

VERSION = 3
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
    mark. Some items were cut out of a line or joined of several. Only where one had a short form,
    such as "again" or initials, it has words that the response does not say there.
    """


def judge(case: Case, embedding: Embedding | None = None) -> Verdict:
    """Decide by fixed rules; the same case always gives the same verdict.

    With an `embedding`, items that share few words may still state the same.
    """
    return _decided(case, _index(case, embedding))[0]


def align(case: Case, embedding: Embedding | None = None) -> Aligned:
    """The verdict of `judge` on the same case, and which words stand beside which."""
    refs = _index(case, embedding)
    verdict, reading = _decided(case, refs)
    given = [*(a.item for a in reading.answers), *reading.extra] if reading else []
    return Aligned(verdict, tuple(map(words, refs.items)), tuple(map(words, given)))


def _decided(case: Case, refs: Index) -> tuple[Verdict, Reading | None]:
    """The verdict, and the reading that it follows from, where the answer has items."""
    required = case.order_required
    if required is None:
        required = demands_order(case.question, case.needle_type)
    if unread(case.response):
        return beyond_limit(refs, required), None
    items = parse(case.response)
    said = case.response[spoken(case.response)]
    if not items:
        refused = FailureMode.REFUSED if is_refusal(said) else FailureMode.UNREADABLE
        why = refused if fold(said) else FailureMode.NO_ANSWER
        return without_items(case, refs, required, why), None
    reading = match(refs, items, case.cut_off)
    if not reading.pairs and is_refusal(said) and all(i.loose for i in items):
        return without_items(case, refs, required, FailureMode.REFUSED), None
    return report(case, refs, reading, required), reading


def _index(case: Case, embedding: Embedding | None) -> Index:
    logical = case.needle_type == "logical"
    return _reference(case.reference, logical, case.question, case.parties, embedding)


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
