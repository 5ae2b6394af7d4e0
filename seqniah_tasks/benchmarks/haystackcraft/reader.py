"""`seqniah/reader`: answers questions over piles without a language model, with known flaws.

It takes the question apart and follows its chain from article to article, as the embedded
encyclopaedia words them; between rounds it asks for the rest of the chain. It has two flaws, so
that settings differ. It takes the first article whose title fits but for a letter, so namesakes
mislead it, the more the earlier they stand; and where the next article is missing in the end it
answers with what it has come to. Of a question that is none of the encyclopaedia's it knows
nothing: it answers with the first article's title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from seqniah_scorers.origin import articles

NEAR = 1
"""Letters by which a title may differ from what is looked for."""

_QUESTION = re.compile(r"^(?:Answer this question|Question): (.+)$", re.MULTILINE)


def reader(prompt: str, top_k: int) -> str:
    """An answer in the form that prompts ask for; `top_k` does not matter.

    Where more rounds follow and the chain breaks off, a summary and a question for the rest of it.
    """
    from seqniah_datasets.encyclopaedia import proof

    asked: str = (_QUESTION.findall(prompt) or [""])[-1]
    pile = list(articles(prompt))
    try:
        start, relations = proof.asked(asked)
    except ValueError:
        return _stated(pile[0][0] if pile else "nothing")
    reached, left = _follow(start, relations, pile)
    refines = _REFINED in prompt
    if not refines or (not left and _FORM in prompt):
        return _stated(reached)
    question = proof.worded(reached, left) if left else asked
    return f"Summary: {start} leads to {reached}.\n\nRefined Question: {question}"


_REFINED, _FORM = "Refined Question: (", "The correct answer is ("
"""How prompts ask for a refined question, and for an answer."""


def _follow(
    start: str, relations: Sequence[str], pile: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[str]]:
    """The title that a chain gets to, and the relations that are left to follow from there."""
    from seqniah_datasets.encyclopaedia import proof

    for place, relation in enumerate(relations):
        told = next(
            (
                min(found)
                for title, text in pile
                if Levenshtein.distance(title, start, score_cutoff=NEAR) <= NEAR
                and (found := proof.facts(text.partition("\n")[2]).get(relation))
            ),
            None,
        )
        if told is None:
            return start, relations[place:]
        start = told
    return start, ()


def _stated(answer: str) -> str:
    return f"The correct answer is ({answer})."
