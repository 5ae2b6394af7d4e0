"""Who visited whom: a visit can be told from the side of the guest or of the host."""

from __future__ import annotations

import re

_VISIT = re.compile(
    r"\b(?:visit\w*|came to|went to|host(?:ed|s|ing)?|guests?|welcom(?:ed|es|ing)|hospitality"
    r"|(?:was|were) (?:\w+ ){0,3}received)\b"
    "|访问|到访|来访|造访|出访|回访|走访|往访|接待|迎来|东道主|款待"
)
_SUBJECT_HOSTS = re.compile(
    r"\b(?:host(?:ed|s|ing)|welcom(?:ed|es|ing)|receiv(?:ed|es|ing)|played host|acted as host"
    r"|gave .{0,20}hospitality)\b|接待|迎来|招待|款待|东道主"
)
_PASSIVE = re.compile(
    r"\b(?:was|were|been|being|is|are)\s+(?:\w+\s+){0,2}?(?:host|welcom|receiv|visit)\w*|\bby\b"
    "|受到|得到|获得|被|由|为.{1,12}所"
)
_TO = r"(?:visit\w*|trip|travel\w*|came|went|flew|drove|sailed)\s+(?:to\s+)?(?:the\s+)?"
_FROM = r"(?:visit\w*|guests?|delegation)\s+(?:from|by|of)\s+(?:the\s+)?"
_NO_VISIT = re.compile(
    r"\b(?:refus|reject|inten|cancel|demand|appeal|will)\w*|\b(?:not|never)\b|n't\b|没有|并未|未曾|从未|拒绝|取消|希望|打算|意向|愿"
)


def other_guest(ref: str, ans: str, sides: tuple[str, ...]) -> str | None:
    """What changed where both tell of a visit; empty: the visit is the same; None: not known."""
    if len(sides) != 2 or not _of_visit(ref.lower(), sides) or not _of_visit(ans.lower(), sides):
        return None
    if _NO_VISIT.search(ref.lower()) or _NO_VISIT.search(ans.lower()):
        return None
    mine, theirs = _guest(ref, sides), _guest(ans, sides)
    if mine is None or theirs is None:
        return None
    return "" if mine == theirs else f"the guest is {theirs} instead of {mine}"


def _of_visit(text: str, sides: tuple[str, ...]) -> bool:
    """Whether the text tells of a visit; what is received can be anything but a guest."""
    if _VISIT.search(text):
        return True
    received = (rf"receiv\w+ (?:the )?{re.escape(s.lower())}" for s in sides)
    return any(re.search(r, text) for r in received)


def _guest(text: str, sides: tuple[str, ...]) -> str | None:
    """The one who comes, as far as the sentence tells."""
    lower = text.lower()
    one, two = (s.lower() for s in sides)
    for guest, other, name in ((one, two, sides[0]), (two, one, sides[1])):
        comes, host = re.escape(guest), re.escape(other)
        signs = (
            _FROM + comes,
            rf"{comes}\w*(?:'s|ese|i|n)? visit",
            rf"{comes} paid (?:the )?{host}",
            _TO + host,
            rf"(?:访问?过?了?|前往|[对到赴]){host}.{{0,8}}访|访问?过?了?{host}",
            rf"{comes}(?:方面|方)?[对到赴]{host}",
            rf"{comes}(?:方面|方|代表团)?的?(?:来访|到访|回访|访客|访问)",
        )
        if any(re.search(sign, lower) for sign in signs):
            return name
    return _by_subject(lower, one, two, sides)


def _by_subject(lower: str, one: str, two: str, sides: tuple[str, ...]) -> str | None:
    at_one, at_two = lower.find(one), lower.find(two)
    if at_one < 0 and at_two < 0:
        return None
    first = 0 if at_two < 0 or 0 <= at_one < at_two else 1
    hosts = _SUBJECT_HOSTS.search(lower)
    if hosts is None:
        return None
    if min(at_one, at_two) < 0 and hosts.start() < max(at_one, at_two):
        first = 1 - first  # "received B": the one who hosts is not named
    passive = bool(_PASSIVE.search(lower))
    # Who hosts, receives; without such a word the one who opens the sentence comes.
    return sides[first] if passive is (hosts is not None) else sides[1 - first]
