"""Readers without a language model: the floor of the benchmark, and a way to run it for nothing.

A baseline sees what a model sees, the prompt, and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from seqniah_datasets.schema import LANGS
from seqniah_datasets.segment import segment
from seqniah_scorers.reading.dates import find_dates
from seqniah_tasks.prompts.sequential_niah import answer_start

TOP_K = 10
"""Sentences that the lexical reader gives at most, unless told otherwise."""

_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_TERM = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d+|[\u4e00-\u9fff]")
_LONGEST_PHRASE = 8


def lexical(prompt: str, top_k: int = TOP_K) -> str:
    """Answer by looking words up: no understanding, no sight of the reference.

    The question is the last paragraph. Its subject is taken to be the phrase whose words are
    rarest in the text among those that several sentences share; the answer is these sentences,
    the first `top_k` of them, by date where every one has a date and else as found. A prompt that
    ends in the beginning of an answer is continued.
    """
    return _look_up(prompt, top_k, _ALL)


def skimming(prompt: str, top_k: int = TOP_K) -> str:
    """The lexical reader with two known flaws, for looking at what reports make of them.

    It reads the first and the last 800 sentences only, so that of texts of more than about 40,000
    tokens it never sees the middle; and it puts no more than six sentences in order.
    """
    return _look_up(prompt, top_k, _Flaws(ends=800, ordered=6))


@dataclass(frozen=True, slots=True)
class _Flaws:
    """What a reader does not do."""

    ends: int | None = None
    """Sentences that it reads at either end of the text; None: all there are."""
    ordered: int | None = None
    """The most sentences that it puts in order; None: any number."""


_ALL = _Flaws()


def _look_up(prompt: str, top_k: int, flaws: _Flaws) -> str:
    for start in map(answer_start, LANGS):
        if prompt.endswith(start):
            return _look_up(prompt.removesuffix(start), top_k, flaws).removeprefix("1.")
    document, question = _split(prompt)
    sentences = list(_sentences(document))
    if flaws.ends is not None and len(sentences) > 2 * flaws.ends:
        sentences = sentences[: flaws.ends] + sentences[-flaws.ends :]
    phrase = _subject(question, sentences)
    if phrase is None:
        return "Not found." if not _IDEOGRAPH.search(question) else "没有找到。"
    found = [sentence for sentence in sentences if phrase in sentence][:top_k]
    dated = [(_first_date(sentence), sentence) for sentence in found]
    if all(when for when, _ in dated) and (flaws.ordered is None or len(dated) <= flaws.ordered):
        dated.sort(key=lambda pair: pair[0] or date.min)
    lines = (" ".join(sentence.split()) for _, sentence in dated)
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _split(prompt: str) -> tuple[str, str]:
    document, _, question = prompt.rstrip().rpartition("\n\n")
    return document, question


def _sentences(document: str) -> Iterator[str]:
    raw = document.encode()
    start = 0
    for end in [*segment(raw).ends.tolist(), len(raw)]:
        sentence = raw[start:end].decode().strip()
        if sentence:
            yield sentence
        start = end


def _subject(question: str, sentences: list[str]) -> str | None:
    """The question's phrase with the greatest sum of inverse sentence frequencies."""
    terms = list(_TERM.finditer(question))
    wanted = {term.group() for term in terms}
    frequency = dict.fromkeys(wanted, 0)
    for sentence in sentences:
        for word in wanted.intersection(_TERM.findall(sentence)):
            frequency[word] += 1
    best: tuple[float, str] | None = None
    for first in range(len(terms)):
        weight = 0.0
        for last in range(first, min(first + _LONGEST_PHRASE, len(terms))):
            times = frequency[terms[last].group()]
            if times < 2:
                break
            weight += math.log(len(sentences) / times)
            phrase = question[terms[first].start() : terms[last].end()]
            if (best is None or weight > best[0]) and _shared(phrase, sentences):
                best = weight, phrase
    return best[1] if best else None


def _shared(phrase: str, sentences: list[str]) -> bool:
    """Whether at least two sentences hold the phrase."""
    holding = (sentence for sentence in sentences if phrase in sentence)
    return next(holding, None) is not None and next(holding, None) is not None


def _first_date(sentence: str) -> date | None:
    for found in find_dates(sentence):
        if found.year and found.month and found.day:
            return date(found.year, found.month, found.day)
    return None


BASELINES: dict[str, Callable[[str, int], str]] = {"lexical": lexical, "skimming": skimming}
"""Name after `seqniah/` to reader; a new baseline is a new line here."""
