"""How nearly an answer has the words of an accepted one: F1 over words, and exact match.

As MuSiQue and HaystackCraft measure it (arXiv 2510.07414, section 4): lower case, without
punctuation and articles, the best over the answer and its aliases.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_scorers.final_answer import READERS, Profile

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_IDEOGRAPH = re.compile("([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")

MOST_WORDS = 100_000
"""Of an answer that are compared."""


def words(text: str, profile: Profile = "strict", most: int | None = MOST_WORDS) -> list[str]:
    """The words that count, the first `most` or all. Strictly, punctuation is that of any script,
    and each character of a script without blanks is a word."""
    text = text.lower()
    if profile == "official":
        text = text.translate(_PUNCTUATION)
    else:
        text = unicodedata.normalize("NFKC", text)
        text = "".join(one for one in text if unicodedata.category(one)[0] not in "PS")
        text = _IDEOGRAPH.sub(r" \1 ", text)
    return _ARTICLES.sub(" ", text).split()[:most]


def f1(answer: Sequence[str], accepted: Sequence[str]) -> float:
    """The harmonic mean of precision and recall of words; 1 where both have none."""
    if not answer or not accepted:
        return float(answer == accepted)
    common = (Counter(answer) & Counter(accepted)).total()
    if not common:
        return 0.0
    precision, recall = common / len(answer), common / len(accepted)
    return 2 * precision * recall / (precision + recall)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a response is worth."""

    answer: str | None
    """As it was read; None: no answer was found, which counts 0."""
    f1: float
    """0 to 1; the best over all accepted answers."""
    exact: bool
    """Whether it has the very words of an accepted answer."""


def overlap(response: str, accepted: Sequence[str], profile: Profile) -> Overlap:
    """Read a response by a profile and compare its answer with each accepted one, at least one."""
    answer = READERS[profile](response)
    if answer is None:
        return Overlap(None, 0.0, False)
    mine = words(answer, profile)
    theirs = [words(one, profile) for one in accepted]
    return Overlap(answer, max(f1(mine, one) for one in theirs), mine in theirs)
