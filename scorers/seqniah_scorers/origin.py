"""Where a wrong answer to a question over a pile of articles comes from.

Told by the text alone: the answer's words are looked for in the articles that the model was shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from seqniah_scorers.overlap import words

_ARTICLE = re.compile(r"^(?:Article \d+\n: )?Article Title: (.*)$", re.MULTILINE)

NEAR = 2
"""Letters by which the title of a namesake differs at most."""

LEAST_NAME = 5
"""Letters of a title that can have namesakes."""


class Origin(StrEnum):
    """Whose the answer is."""

    BRIDGE = "bridge"
    """It ends a hop too early, or stands in a gold article all the same."""
    NAMESAKE = "namesake"
    """It stands in the article on something that is named nearly like a gold one."""
    DISTRACTOR = "distractor"
    """It stands in another article."""
    NOWHERE = "nowhere"
    """No article has it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A wrong answer and the article that it stands in."""

    origin: Origin
    place: int | None
    """Which article of the prompt has it first, from 1; None: none has."""


def trace(answer: str, prompt: str, golds: Sequence[str], bridges: Sequence[str] = ()) -> Traced:
    """Whose a wrong answer is. `golds`: titles of the gold articles; `bridges`: answers of the
    hops before the last one, where they are known."""
    wanted = words(answer)
    if not wanted:
        return Traced(Origin.NOWHERE, None)
    holding = [
        (place, title)
        for place, (title, text) in enumerate(articles(prompt), 1)
        if _holds(text, wanted)
    ]
    first = holding[0][0] if holding else None
    titles = [title for _, title in holding]
    if any(words(bridge) == wanted for bridge in bridges) or not set(golds).isdisjoint(titles):
        return Traced(Origin.BRIDGE, first)
    if any(_namesakes(title, gold) for title in titles for gold in golds):
        return Traced(Origin.NAMESAKE, first)
    return Traced(Origin.DISTRACTOR if holding else Origin.NOWHERE, first)


def articles(prompt: str) -> Iterator[tuple[str, str]]:
    """Title and content of each article of a prompt, the title among its content."""
    starts = list(_ARTICLE.finditer(prompt))
    ends = [*(one.start() for one in starts[1:]), max(prompt.rfind("</text>"), 0)]
    for start, end in zip(starts, ends, strict=False):  # without a start, there is one end
        yield start[1], prompt[start.start() : end]


def _holds(text: str, wanted: Sequence[str]) -> bool:
    """Whether a text has these words in a row."""
    if wanted[0] not in text.lower():
        return False
    return f" {' '.join(wanted)} " in f" {' '.join(words(text))} "


def _namesakes(title: str, gold: str) -> bool:
    """Whether two titles differ by a letter or two."""
    alike = min(len(title), len(gold)) >= LEAST_NAME
    return alike and 0 < Levenshtein.distance(title, gold, score_cutoff=NEAR) <= NEAR
