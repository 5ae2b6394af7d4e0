"""Whether the two sides of a fact changed places: who did it, and to whom.

Both names stand in most facts between two parties, so their words alone tell nothing: what counts
is which side stands in which place of a sentence of the same voice.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from seqniah_scorers.text import has_cjk

_TURNED_EN = re.compile(
    r"\b(?:by|from|received|faced|won|suffered|underwent|obtained|heard|met with|fell|came under"
    r"|drew|was|were|been|being|got|found)\b",
    re.IGNORECASE,
)
_TURNED_ZH = re.compile("对[^，,]{1,30}[，,]|被|遭|受到|由|获|得到|收到|接到|面对|面临|来自|听到")

_TOGETHER_EN = re.compile(
    r"\b(?:met|negotiated|consulted|conferred|talked|spoke (?:with|by)|talks|negotiations|views"
    r"|consultations|cooperated|collaborated|worked together|shared view|agreed|agreement"
    r"|sign(?:ed|s|ing)?)\b",
    re.IGNORECASE,
)
_WISHED_EN = re.compile(
    r"\b(?:will(?:ing(?:ness)?)?|read(?:y|iness)|inten\w*|offer\w*|propos\w*|ask\w*|urg\w*|demand\w*"
    r"|request\w*|appeal\w*|prospect|reject\w*|refus\w*|halt\w*|broke|welcom\w*)\b",
    re.IGNORECASE,
)
_TOGETHER_ZH = re.compile(
    "磋商|商讨|会商|交换意见|谈判|会谈|会晤|会面|碰面|见面|通电话|电话|合作|协作|签|看法相同|意见一致"
)
_WISHED_ZH = re.compile("愿|有意|打算|希望|呼吁|要求|请|拒|表示|称|中止|终止|破裂")

_CLEAR = 2.0
"""Points, of 100, by which an answer must be likelier with the sides exchanged."""


def changed_places(reference: str, answer: str, parties: tuple[str, str]) -> bool:
    """The answer tells the reference's fact with its two parties exchanged.

    False where both act alike ("A and B negotiated"), where the answer turned the sentence around
    ("B was visited by A"), or where it does not name both.
    """
    first, second = (name.casefold() for name in parties)
    ref, ans = reference.casefold(), answer.casefold()
    if not all(name in text for name in (first, second) for text in (ref, ans)):
        return False
    if _made_passive(ref, ans, first, second) or _made_passive(ref, ans, second, first):
        return True
    if _acts_together(ref, first, second):
        return False
    if _turns(ref) % 2 != _turns(ans) % 2:
        return False
    exchanged = ref.replace(first, "\0").replace(second, first).replace("\0", second)
    return fuzz.ratio(exchanged, ans) > fuzz.ratio(ref, ans) + _CLEAR


def _made_passive(ref: str, ans: str, one: str, two: str) -> bool:
    """ "A warned B" is told as "A was warned by B"."""
    if not has_cjk(ref) or _TURNED_ZH.search(ref):
        return False
    passive = f"{re.escape(one)}.{{0,6}}(?:被|遭到?|受到?){re.escape(two)}"
    return ref.find(one) < ref.find(two) and bool(re.search(passive, ans))


def _turns(text: str) -> int:
    """Words that make the one acted upon the subject, once a sentence."""
    return int(bool(_TURNED_EN.search(text) or _TURNED_ZH.search(text)))


def _acts_together(text: str, first: str, second: str) -> bool:
    """Both sides do the same to each other."""
    rest = text.replace(first, "").replace(second, "")
    if text.isascii() or not re.search(r"[\u4e00-\u9fff]", rest):
        return bool(_TOGETHER_EN.search(rest)) and not _WISHED_EN.search(rest)
    both = re.search(f"(?:{re.escape(first)}|{re.escape(second)})[与和同跟]", text)
    return bool(both and _TOGETHER_ZH.search(rest)) and not _WISHED_ZH.search(rest)
