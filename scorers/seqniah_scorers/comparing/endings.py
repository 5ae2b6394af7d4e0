"""Whether the last item of an answer breaks off before its fact is told."""

from __future__ import annotations

import re

from seqniah_scorers.comparing.align import Entry
from seqniah_scorers.comparing.lexicon import STOP_EN
from seqniah_scorers.text import is_cjk

_FINAL = (".", "!", "?", "。", '"', "'", ")", "…", "」", "』", ";")
_LAST_WORD = re.compile(r"([A-Za-z']+)\W*$")
_CAN_END = frozenset(("it", "him", "her", "them", "me", "us", "there", "here", "up", "out", "too"))
MOST_LOST = 2 / 3
"""Share of the reference's words up to which a beginning is too short to be a terse item."""


def breaks_off(ref: Entry, ans: Entry, others: list[str], cut_off: bool) -> bool:
    """The last item is only the beginning of its reference item, and ends inside a sentence.

    `others` are the texts of the answer's other items, which tell whether its items end in a
    full stop at all.
    """
    text = ans.item.text.rstrip()
    if not text or text.endswith(_FINAL):
        return False
    mine = [w for part in ref.fact.parts for w in part]
    theirs = [w for part in ans.fact.parts for w in part]
    if not theirs or len(theirs) >= len(mine) or not _opens(mine, theirs):
        return False
    last = _LAST_WORD.search(text)
    word = last[1].lower() if last else ""
    if word in STOP_EN and word not in _CAN_END and not is_cjk(text[-1]):
        return True
    finished = sum(o.rstrip().endswith(_FINAL) for o in others)
    inside = cut_off or (bool(others) and finished > len(others) / 2)
    return inside and len(theirs) <= MOST_LOST * len(mine)


def _opens(mine: list[str], theirs: list[str]) -> bool:
    """The words are the first of the reference's; the last of them may be half a word."""
    *whole, last = theirs
    if mine[: len(whole)] != whole:
        return False
    return mine[len(whole)].startswith(last[:3]) or last in mine[len(whole) : len(whole) + 2]
