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
    r"\b(?:met|negotiated|consulted|conferred|talked|spoke (?:with|by)(?! \w+ (?:about|of))|talks"
    r"|negotiations|views|consultations|cooperated|collaborated|worked together|shared view"
    r"|agreed|agreement|sign(?:ed|s|ing)?)\b",
    re.IGNORECASE,
)
_WISHED_EN = re.compile(
    r"\b(?:will(?:ing(?:ness)?)?|read(?:y|iness)|inten\w*|offer\w*|propos\w*|open\w*|insist\w*"
    r"|signal\w*|voic\w*|express\w*|hope\w*|with approval|interest\w*|would|ask\w*|urg\w*"
    r"|demand\w*|request\w*|appeal\w*|prospect|reject\w*|refus\w*|halt\w*|broke|welcom\w*)\b",
    re.IGNORECASE,
)
_TOGETHER_ZH = re.compile(
    "磋商|商讨|会商|交换意见|谈判|会谈|会晤|会面|碰面|见面|通电话|电话|合作|协作|签|看法相同|意见一致"
)
_WISHED_ZH = re.compile("愿|有意|打算|希望|呼吁|要求|请|拒|表示|称|中止|终止|破裂")
PRONOUN = re.compile(r"\b(?:he|she|they|it|him|her(?! \w)|them)\b|[他她它]们?|对方|其")
_UNDERGOES_ZH = re.compile("被|遭|(?<!接)受到|获得?|得到|收到|接到|面对|面临|听到|看到|赢得|招致")
_TOWARDS_ZH = re.compile("(?:针对|对于|对|向|与|和|同|跟|就|给|为|因|在)$")
_UNDERGOES_EN = re.compile(
    r"\b(?:faced|received?|suffered|fell (?:victim|under)|underwent|came (?:in )?(?:under|for)"
    r"|heard|won|obtained|met (?:with|an?)|drew|got|gained|saw|lost|became (?:the|an?)|found an?"
    r"|ran into|featured|served|was|were|been|had .{1,40} (?:by|from))\b"
)
_DOER_EN = re.compile(
    r"\b(?:by|from|at the hands of|on the part of|of|defender in|statement by)(?: the)? $"
)
_ADMITS_EN = re.compile(r"\b(?:allow|host|let|welcom|peacekeep|inspect|halt|involvement)\w*")
_BY_EN = re.compile(r"\bby(?: the)? $")
_LEAD_IN = re.compile(r"\bit was that|\b(?:on|in) [^,]{1,25},|\b(?:also|then|again)\b")
_FROM_ZH = re.compile(
    "(?:被|遭到?|(?<!接)受到?|由|来自|获得?|得到|收到|接到|面对|面临|听到|看到|赢得)了?$"
)
_BY_LAST_ZH = re.compile("(?:方面|方)?(?:提出|发起|作出|做出|实施|所为|发出|采取)")

_SUBJECT = re.compile(r"[^a-z\u3400-\u9fff]*(?:the )?|.*[:：,，]\s*")
"""What may stand in front of a subject."""
_COPIED = 85.0
"""Points, of 100, from which a text is a copy."""
_CLEAR = 2.0
"""Points, of 100, by which an answer must be likelier with the sides exchanged."""


def changed_places(reference: str, answer: str, parties: tuple[str, str]) -> bool:
    """The answer tells the reference's fact with its two parties exchanged.

    False where both act alike ("A and B negotiated"), where the answer turned the sentence around
    ("B was visited by A"), or where it does not name both.
    """
    first, second = (name.casefold() for name in parties)
    ref = reference.casefold()
    ans = _named(answer.casefold(), first, second)
    if not all(name in text for name in (first, second) for text in (ref, ans)):
        return _undergoes(ref, ans, first, second)
    if _made_passive(ref, ans, first, second) or _made_passive(ref, ans, second, first):
        return True
    if _acts_together(ref, first, second):
        return False
    agent = _agent_zh if has_cjk(ref) else _agent_en
    if has_cjk(ref) == has_cjk(ans):
        return agent(ref, first, second) != agent(ans, first, second)
    if _turns(ref) % 2 != _turns(ans) % 2:
        return False
    exchanged = ref.replace(first, "\0").replace(second, first).replace("\0", second)
    return fuzz.ratio(exchanged, ans) > fuzz.ratio(ref, ans) + _CLEAR


def _undergoes(ref: str, ans: str, first: str, second: str) -> bool:
    """An answer without a subject copies the fact, but tells of the one who acts as its object."""
    named = [name for name in (first, second) if name in ans]
    if len(named) != 1 or first not in ref or second not in ref:
        return False
    if _TURNED_EN.search(ans) or _TURNED_ZH.search(ans) or _acts_together(ref, first, second):
        return False
    agent = (_agent_zh if has_cjk(ref) else _agent_en)(ref, first, second)
    at = ans.find(agent)
    if named != [agent] or _SUBJECT.fullmatch(ans[:at]) or not ref.startswith(agent):
        return False
    bare = ref.replace(first, "").replace(second, "")
    return fuzz.ratio(bare, ans.replace(agent, "")) >= _COPIED


def _named(text: str, first: str, second: str) -> str:
    """The text with the one side that it does not name in the place of its pronoun."""
    missing = [name for name in (first, second) if name not in text]
    if len(missing) != 1:
        return text
    return PRONOUN.sub(missing[0], text, count=1)


def _agent_en(text: str, first: str, second: str) -> str:
    """Which of the two does it to the other."""
    (at, one), (then, other) = sorted((text.find(name), name) for name in (first, second))
    between = text[at + len(one) : then]
    if _BY_EN.search(text[:at]):
        return one
    subject = not re.search(r"[a-z]", _LEAD_IN.sub("", text[:at].removesuffix("the ")))
    if _BY_EN.search(between) and not subject and not _ADMITS_EN.search(between):
        return other
    return other if _UNDERGOES_EN.search(between) and _DOER_EN.search(between) else one


def _agent_zh(text: str, first: str, second: str) -> str:
    """Which of the two does it to the other."""
    (at, one), (then, other) = sorted((text.find(name), name) for name in (first, second))
    between = text[at + len(one) : then]
    if _FROM_ZH.search(text[:at]):
        return one
    if _TOWARDS_ZH.search(text[:at]):
        return other  # "towards B, A ..."
    if _BY_LAST_ZH.match(text[then + len(other) :]) and re.search(r"[\s(（,，]", between):
        return other  # "demanded of A (put forward by B)"
    if _FROM_ZH.search(between) or _UNDERGOES_ZH.match(between.lstrip("也还则又再次")):
        return other
    return one


def _made_passive(ref: str, ans: str, one: str, two: str) -> bool:
    """ "A warned B" is told as "A was warned by B"."""
    if not has_cjk(ref) or _TURNED_ZH.search(ref):
        return False
    passive = f"{re.escape(one)}.{{0,6}}(?:被|遭到?|(?<!接)受到?){re.escape(two)}"
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
