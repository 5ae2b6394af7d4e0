"""Which way something went: who gave and who took, told from either end, and ways in or out.

"I sold it to a neighbour" and "a neighbour bought it" are one fact, "I bought it from a neighbour"
is another: the verb alone tells nothing, nor does the one who opens the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from seqniah_scorers.comparing.concepts import meanings, people, words
from seqniah_scorers.comparing.lexicon import stem
from seqniah_scorers.text import has_cjk


@dataclass(frozen=True, slots=True)
class _Deal:
    """Two verbs for one happening, seen from its two ends."""

    gives: re.Pattern[str]
    """Its subject hands on."""
    takes: re.Pattern[str]
    """Its subject gets."""


_DEALS_EN = (
    _Deal(re.compile(r"\b(?:sold|sells?|selling)\b"),
          re.compile(r"\b(?:bought|buys?|buying|purchas\w+)\b")),
    _Deal(re.compile(r"\b(?:lent|lends?|lending|loaned)\b"),
          re.compile(r"\b(?:borrow\w*)\b")),
    _Deal(re.compile(r"\b(?:taught|teach\w*)\b(?! (?:him|her|my|our)sel)"),
          re.compile(r"\b(?:learn(?:ed|t|s|ing)?|taught (?:him|her|my)self)\b")),
    _Deal(re.compile(r"\b(?:gave|gives?|giving|given|hand(?:ed|s)|present(?:ed|s)|sent|sends?"
                     r"|mail(?:ed|s)|post(?:ed|s)|shipped|offered)\b"),
          re.compile(r"\b(?:receiv\w+|got(?=.{1,50} from ))\b")),
)  # fmt: skip
_DEALS_ZH = (
    _Deal(re.compile("卖|出售|售出"), re.compile("买|购入|购得")),
    _Deal(re.compile("借给|出借"), re.compile("借(?![给阅此口助])")),
    _Deal(re.compile("教(?![师室练堂育授材学程科练会])"), re.compile("学(?![校生期院者术])")),
    _Deal(re.compile("[送赠](?!别|行|走|到|来|去|回|医|货)|寄(?!来|宿)"),
          re.compile("收到|接到|获赠|得到|[寄送]来")),
)  # fmt: skip

_NARRATOR = re.compile(
    r"(?:(?:i|he|she|we|they|the (?:author|narrator|writer|diarist)|also|then|later|finally|just"
    r"|had|has|have|once|\w+ly)\s*)*"
)
_CLAUSE = re.compile(r"[,;.:]\s*|\b(?:and|then|who|which|that|to|of|when|while|after|before)\s+")
_PASSIVE = re.compile(r"\b(?:was|were|been|being|is|are|got)\s+(?:\w+ly\s+)?$")
_TO_NARRATOR = re.compile(
    r"^\s*(?:me|us|him|them|her)\b(?! own)"
    r"(?! (?:\w+ )?(?:tent|bike|bicycle|car|ladder|book|friend|family)s?\b)"
    r"|\b(?:to|for) (?:me|us|him|them|her|the (?:author|narrator|writer|diarist))(?![\w' ]* \w)"
)
_BY_NARRATOR = re.compile(r"\bby (?:me|us|him|them|her|the (?:author|narrator|writer))\b(?! \w)")
_JOINED_ZH = re.compile("[和与跟同帮替陪让请叫]")
_TIME_ZH = re.compile(
    "^(?:当[天日]|今[天日早晚]|[上下中]午|[早晚]上|清晨|傍晚|随后|后来|之后|又|还|也|他们?|她们?|我们?|作者)+[,，]?"
)
_OWN_ZH = re.compile("(?:[^从向和与跟同把将给替帮为在到去陪带]{0,4}的|[他她我]|一[位个名])?")
_GOT_ZH = re.compile("收到|接到|获赠|得到|[寄送]来|[给送寄赠]了?[他她我]们?(?!的|家)")

_TOGETHER = re.compile(r"\b(?:(?:i|he|she|we|they) and|and (?:i|he|she|they))\b")
_ADVERBS = re.compile(r"\b(?:also|then|later|finally|just|had|has|\w+ly)\b")
_TO_ME = re.compile(
    r"(?:[^,]{1,40}, )?(?:my|our|his|her|their|an?|the) ((?:[a-z'-]+ ){1,3}?)"
    r"(?:then |also |\w+ly )?([a-z]+) (?:me|us|him|them|her)\b"
)
_BY_ME = re.compile(
    r"(?:[^,]{1,40}, )?(?:(?:i|we|he|she|they) )?(?:then |also |\w+ly )?([a-z]+) ([a-z' -]+)"
)

_WAYS_EN = (
    (r"\b(?:pick\w* (?:\w+ ){0,4}up|pick\w* up|collect(?:ed|ing) (?!money)|fetch\w*"
     r"|met (?:\w+ ){1,6}at the (?:airport|station))",
     r"\b(?:drop\w* (?:\w+ ){0,4}off|s(?:aw|een) (?:\w+ ){0,4}off"
     r"|t(?:ook|aken) (?:\w+ ){1,4}to the (?:airport|station))"),
    (r"\b(?:arriv\w+|reached|landed|(?:got|came|went) (?:to|home|back)|returned)\b",
     r"\b(?:left(?! behind)|depart\w*|set off)\b"),
    (r"\b(?:won|win|beat|victor\w*|prevailed|came first)\b(?!en)",
     r"\b(?:lost|lose|(?:was|were) (?:beaten|defeated)|defeat(?:ed)? by|came last|loss)\b"),
    (r"\bmoved (?:in|into)\b", r"\bmoved out\b"),
    (r"\b(?:borrow\w*|check\w* out|took out)\b",
     r"\b(?:return\w*|brought back|gave back|took (?:\w+ ){0,4}back)\b"),
    (r"\b(?:hired|taken on|got the job|job offer)\b", r"\b(?:fired|laid off|dismissed)\b"),
    (r"\bchecked in(?:to)?\b", r"\bchecked out of\b"),
)  # fmt: skip
_WAYS_ZH = (
    ("接(?![受到触待着力种近送收])|迎接|接到了?(?=.{0,6}(?:父|母|亲|友|人|孩|子))",
     "送(?:走|别|行|.{1,8}(?:回|离|去|上)|去(?=车站|机场))"),
    ("赢|获胜|取胜|战胜|夺冠|胜出", "输|落败|败给|失利|惨败"),
    ("抵达|到达|到了|来到|回到|回家|返回|赶到|前往", "离开|启程离|动身离"),
    ("搬进|搬入|入住|住进", "搬出|搬离|退房"),
    ("借(?!给|此|口|助)", "归还|还了|还给|还回|还掉"),
    ("录用|录取|入选|中选", "拒绝|落选|淘汰|落榜|被拒"),
    ("(?<![晚早楼以])上[车船](?![站库棚票间])", "(?<![地楼以])下[车船](?![站库棚票间])"),
    ("升职|晋升", "降职|免职"), ("存入|存了", "取出|取了"),
)  # fmt: skip
_WAYS = {
    False: tuple((re.compile(a), re.compile(b)) for a, b in _WAYS_EN),
    True: tuple((re.compile(a), re.compile(b)) for a, b in _WAYS_ZH),
}
_INVITED = (re.compile(r"\binvited\b"), re.compile("邀请?"))
_GUEST = (re.compile(r"\b(?:was|were|been|got) invited\b|invited (?:me|us|him|her (?=to)|them)\b"
                     r"|invitation (?:of|from|by)"),
          re.compile("[应受].{0,8}邀|被.{0,8}邀|邀请?[他她我]|[的之]邀"))  # fmt: skip
_DONE_TO_ZH = re.compile("(?:被|遭到?|受到?)([\u3400-\u9fff]{3,7})")


def turned(ref: str, ans: str) -> str | None:
    """What goes the other way in the answer; None: nothing that the words show."""
    ref, ans = ref.lower(), ans.lower()
    chinese = has_cjk(ref)
    if chinese is not has_cjk(ans):
        return None
    for deal in _DEALS_ZH if chinese else _DEALS_EN:
        mine, theirs = _gives(ref, deal, chinese), _gives(ans, deal, chinese)
        if mine is not None and theirs is not None and mine is not theirs:
            return "who gave and who received changed places"
    for one, other in _WAYS[chinese]:
        for way, back in ((one, other), (other, one)):
            if way.search(ref) and not back.search(ref) and not way.search(ans):
                found = back.search(ans)
                if found:
                    return f"{_first(way, ref)} became {found.group()}"
    invited, guest = _INVITED[chinese], _GUEST[chinese]
    both = invited.search(ref) and invited.search(ans)
    if both and bool(guest.search(ref)) is not bool(guest.search(ans)):
        return "host and guest changed places"
    if not chinese:
        return _done_to_author(ref, ans) or _done_to_author(ans, ref)
    return _done_to(ref, ans) or _done_to(ans, ref)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group() if found else ""


def _done_to(passive: str, other: str) -> str | None:
    """Who does it in the passive, suffers it in the other text's active voice."""
    match = _DONE_TO_ZH.search(passive)
    if match is None or re.search("[被遭受由获]|得到", other):
        return None
    rest = match[1]
    for size in range(1, min(5, len(rest) - 1)):
        person, deed = rest[:size], rest[size : size + 2]
        at = other.find(deed)
        if at >= 0 and 0 < other.find(person, at) - at <= len(deed) + 2:
            return f"{person} became the one it was done to"
    return None


def _done_to_author(suffered: str, other: str) -> str | None:
    """What somebody does to the author in the one text, the author does to him in the other."""
    mine, theirs = _TO_ME.match(suffered), _BY_ME.match(other)
    if mine is None or theirs is None or stem(mine[2]) != stem(theirs[1]):
        return None
    person = mine[1].split()[-1]
    return f"{person} became the one it was done to" if person in theirs[2].split()[:3] else None


def retold(ref: str, ans: str) -> str:
    """The answer's sentence told from the end from which the reference tells it."""
    chinese = has_cjk(ref)
    if chinese is not has_cjk(ans):
        return ans
    for deal in _DEALS_ZH if chinese else _DEALS_EN:
        mine = _gives(ref.lower(), deal, chinese)
        theirs = _gives(ans.lower(), deal, chinese)
        if mine is None or mine is not theirs:
            continue
        for here, there in ((deal.gives, deal.takes), (deal.takes, deal.gives)):
            own, said = here.search(ref.lower()), there.search(ans.lower())
            if own is None or said is None or there.search(ref.lower()):
                continue
            head, tail = ans[: said.start()], ans[said.end() :]
            if chinese:
                return f"{own.group()}{tail.rstrip('。')}，{head}"
            return f"{own.group()}{tail.rstrip('.')} {head.strip()}"
    return ans


@lru_cache(maxsize=2048)
def _gives(text: str, deal: _Deal, chinese: bool) -> bool | None:
    """Whether the author hands on; None: the text does not tell."""
    if chinese:
        return _gives_zh(text, deal)
    give, take = deal.gives.search(text), deal.takes.search(text)
    verb = give or take
    if verb is None or (give and take):
        return None
    out = give is not None
    head = _CLAUSE.split(text[: verb.start()])[-1]
    tail = text[verb.end() : verb.end() + 80]
    passive = _PASSIVE.search(head)
    if passive is not None:
        if _NARRATOR.fullmatch(head[: passive.start()].strip()):
            return not out
        if _BY_NARRATOR.search(tail) or " by " not in tail:
            return out if _BY_NARRATOR.search(tail) else None
        return not out
    if _NARRATOR.fullmatch(head.strip() + " " if head.strip() else ""):
        return out
    if _TOGETHER.search(text[: verb.start()]):
        return None
    last = _ADVERBS.sub("", head).split()[-1:]
    return not out if meanings("".join(last)) & people() or _TO_NARRATOR.search(tail) else None


def _gives_zh(text: str, deal: _Deal) -> bool | None:
    give, take = deal.gives.search(text), deal.takes.search(text)
    if deal is _DEALS_ZH[-1] and (give or take) and _GOT_ZH.search(text):
        return False
    verb = give or take
    if verb is None or (give and take):
        return None
    out = give is not None
    head = re.split("[,，;；。]", _TIME_ZH.sub("", text[: verb.start()]))[-1]
    if re.search("[被由]", head):
        return None
    if _other_first(head):
        return not out
    return out


def _other_first(head: str) -> bool:
    """Whether somebody else than the author opens the clause."""
    first = next((w for w in words(head) if w.ids & people()), None)
    if first is None:
        return False
    before, _, after = head.partition(first.text)
    return bool(_OWN_ZH.fullmatch(before)) and not _JOINED_ZH.search(after)
