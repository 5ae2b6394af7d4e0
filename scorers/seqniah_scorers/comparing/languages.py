"""Whether a text is in English, told by small words, where its script is Latin."""

from __future__ import annotations

import re
from functools import lru_cache

_ENGLISH_WORDS = """
the a an of to in on at and or with for from by was were is are had has have she he it they his
her its their my i after before into about then that this who which
"""
_OTHER_WORDS = """
el la los las un una del de en y o con por para que se su sus al lo le les des du et ou dans sur
avec pour par est une der die das und mit auf im am ein eine einen dem den von zu zum zur ist nach
il gli di della nel e per che uma um do da dos no na os as ao mi sie er ich hat desde hasta fue ha
été à au aux ne pas nicht
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_OTHERS = frozenset(_OTHER_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")
LEAST = 2
"""Small words of another language, above those of English, from which a text is in it."""


@lru_cache(maxsize=1024)
def other_latin(text: str) -> bool:
    """Whether the text is in a language of Europe other than English."""
    tokens = [w.lower() for w in _WORD.findall(text[:400])]
    english = sum(w in _ENGLISH for w in tokens)
    return sum(w in _OTHERS for w in tokens) >= LEAST + 2 * english
