"""Readers without a language model: the floor of the benchmark, and a way to run it for nothing.

A baseline sees what a model sees, the prompt, and nothing else.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache

from seqniah_datasets.segment import segment
from seqniah_scorers.reading.dates import find_dates
from seqniah_tasks import benchmarks

TOP_K = 10
"""Sentences that the lexical reader gives at most, unless told otherwise."""

_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_TERM = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d+|[\u4e00-\u9fff]")
_DIGITS = re.compile(r"\d+")
_LINE_END = re.compile(r"(?<=[.!?。！？”\"]) *\n")
_LONGEST_PHRASE = 8


def lexical(prompt: str, top_k: int = TOP_K) -> str:
    """Answer by looking words up: no understanding, no sight of the reference.

    The question is the last paragraph. Its subject is taken to be the phrase whose words are
    rarest in the text among those that several sentences share; the answer is these sentences,
    the first `top_k` of them, by date where every one has a date and else as found. A prompt that
    ends in the beginning of an answer is continued.
    """
    return _look_up(prompt, top_k)


def skimming(prompt: str, top_k: int = TOP_K) -> str:
    """The lexical reader with two known flaws, for looking at what reports make of them.

    It reads the first and the last 800 sentences only, so that of texts of more than about 46,000
    tokens (Chinese: 88,000) it never sees the middle; and it puts no more than six sentences in
    order.
    """
    return _look_up(prompt, top_k, ends=800, ordered=6)


def _look_up(prompt: str, top_k: int, *, ends: float = math.inf, ordered: float = math.inf) -> str:
    """The answer of who reads so many sentences at either end, and orders at most so many."""
    prompt, begun = _opened(prompt)
    document, _, question = prompt.rstrip().rpartition("\n\n")
    sentences = list(_sentences(document))
    if len(sentences) > 2 * ends:
        sentences = sentences[: int(ends)] + sentences[-int(ends) :]
    found = _found(sentences, question, top_k, ordered)
    if begun.startswith(_OBJECT):
        return _object(found or [], begun)
    if found is None:
        return "Not found." if not _IDEOGRAPH.search(question) else "没有找到。"
    lines = [" ".join(sentence.split()) for sentence in found]
    answer = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return answer.removeprefix(begun)


def _found(sentences: list[str], question: str, top_k: int, ordered: float) -> list[str] | None:
    """The sentences that answer, in their order; None where the question has no subject."""
    phrase = _subject(question, sentences)
    if phrase is None:
        return None
    found = [sentence for sentence in sentences if phrase in sentence][:top_k]
    dated = [(_first_date(sentence), sentence) for sentence in found]
    if all(when for when, _ in dated) and len(dated) <= ordered:
        dated.sort(key=lambda pair: pair[0] or date.min)
    return [sentence for _, sentence in dated]


_LIST, _OBJECT = "1.", '{"'
"""How answers begin: that of a list of items, and that of JSON."""


@lru_cache(maxsize=1)
def _labels() -> tuple[str, ...]:
    """What stands before a begun answer, whatever it is an answer to."""
    starts = (start for one in benchmarks.known().values() for start in one.answer_starts())
    return tuple(dict.fromkeys(start.rpartition("\n")[0] for start in starts))


def _opened(prompt: str) -> tuple[str, str]:
    """A prompt without the beginning of an answer that it ends in, and that beginning, if any."""
    before, _, begun = prompt.rpartition("\n")
    if begun == _LIST or begun.startswith(_OBJECT):
        for label in _labels():
            if before.endswith(label):
                return before.removesuffix(label), begun
    return prompt, ""


def _object(sentences: list[str], begun: str) -> str:
    """The rest of a JSON object: of each sentence its last number, or the last of all."""
    numbers = [found[-1] for sentence in sentences if (found := _DIGITS.findall(sentence))]
    if begun.endswith("["):
        return f"{', '.join(numbers)}]}}"
    return f" {numbers[-1] if numbers else 'null'}}}"


def _sentences(document: str) -> Iterator[str]:
    """The sentences, those before a line that opens with a number told apart from it."""
    raw = document.encode()
    start = 0
    for end in [*segment(raw).ends.tolist(), len(raw)]:
        for sentence in _LINE_END.split(raw[start:end].decode()):
            if sentence.strip():
                yield sentence.strip()
        start = end


def _subject(question: str, sentences: list[str]) -> str | None:
    """The question's phrase with the greatest sum of inverse sentence frequencies."""
    terms = list(_TERM.finditer(question))
    wanted = {term.group() for term in terms}
    frequency = Counter(
        word for sentence in sentences for word in wanted.intersection(_TERM.findall(sentence))
    )
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
"""Name after `seqniah/` to reader: those of any prompt, and what benchmarks declare."""

for _benchmark in benchmarks.known().values():
    BASELINES.update(_benchmark.readers)
