"""What two sides do, compared without their names, which would make any two deeds look alike."""

from __future__ import annotations

from seqniah_scorers.comparing.concepts import meanings
from seqniah_scorers.comparing.details import Swap
from seqniah_scorers.comparing.facts import FactReader, has_relative
from seqniah_scorers.comparing.light import light
from seqniah_scorers.text import has_cjk


def other_deed(ref: str, ans: str, sides: tuple[str, ...]) -> Swap | None:
    """Both tell what one side does to the other, and no word of the one is in the other."""
    if len(sides) != 2 or has_cjk(ref) is not has_cjk(ans):
        return None
    bare_ref, bare_ans = _bare(ref, sides), _bare(ans, sides)
    mine, theirs = _content(bare_ref), _content(bare_ans)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return None
    if any(has_relative(word, theirs) for word in mine):
        return None
    if not meanings(bare_ref).isdisjoint(meanings(bare_ans)):
        return None
    return Swap(f"{bare_ref.strip(' .。')} became {bare_ans.strip(' .。')}", certain=False)


def _bare(text: str, sides: tuple[str, ...]) -> str:
    """The text without the names of the sides."""
    for side in sorted(sides, key=len, reverse=True):
        at = text.casefold().find(side.casefold())
        if at >= 0:
            text = f"{text[:at]} {text[at + len(side) :]}"
    return " ".join(text.split())


def _content(text: str) -> frozenset[str]:
    return frozenset(w for w in FactReader().read(text).bag if w not in "或與" and not light([w]))
