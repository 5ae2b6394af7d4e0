"""Small words that turn a fact round: who did it, which way, before or after, and then what."""

from __future__ import annotations

import re
from itertools import pairwise

from seqniah_scorers.comparing.concepts import meanings, people
from seqniah_scorers.comparing.facts import TOKEN, Fact, base_form, has_relative
from seqniah_scorers.comparing.lexicon import SAME_EN, SAME_ZH, stem
from seqniah_scorers.text import has_cjk

_KIN_EN = re.compile(
    r"\b(?:(?:step|grand|great-?grand|god|half-)?(?:mother|father|sister|brother|son|daughter"
    r"|mom|mum|dad|parent)|grandma|granny|grandpa|granddad|uncle|aunt|auntie|cousin|nephew|niece"
    r"|husband|wife|grandchild)(?:-in-law)?(?=s?\b)(?!'s day)"
)
_KIN_ZH = re.compile(
    "曾?外?祖[父母]|爷爷|奶奶|外公|外婆|姥爷|姥姥|[岳伯叔舅姑姨][父母]|父母|[父母]亲(?!节)|爸爸|妈妈|老爸|老妈"
    "|[姐妹哥弟叔舅姑]{2}|姨妈|阿姨|[表堂][哥弟姐妹兄]|丈夫|妻子|儿子|女儿|孙[子女]|[侄甥][子女儿]"
)
_FIRST_EN = re.compile(
    r"(?:[^,.]{1,40}, )?i (?:(?:also|then|just|had|finally|once|\w+ly) )?([a-z]+)"
)
_OTHER_EN = re.compile(
    r"(?:[^,.]{1,40}, )?(?:my|his|her|their|our|the|an?) ((?:[a-z'-]+ ){1,3}?)"
    r"(?:(?:also|then|just|had|finally|once|\w+ly) )?([a-z]+)\b"
)
_AUTHOR = re.compile(
    r"\b(?:author|narrator|writer|diarist|owner|protagonist|speaker|person|man|woman|user|he|she|i"
    r"|they|we|next|same|following|day|morning|afternoon|evening)\b"
)
_PERSON_ZH = re.compile(
    "(?:他们?|她们?|我们?|作者)?的?(?:一[个位名])?(邻居|朋友|好友|同事|同学|老师|师傅|医生|护士|室友|房东|老板"
    "|经理|店主|店员|司机|孩子|老人|警察)(?![和与跟同一送家给的])"
)
_CONNECTIVES = frozenset(
    ("for", "while", "with", "instead", "to", "by", "than", "into", "as", "because")
)
_CONNECTIVES_ZH = ("当成", "当作", "换成", "代替", "误认", "把", "被", "给", "比", "换", "到")
_AS_AUTHOR = frozenset(("", "i ", "he ", "she ", "we ", "they ", "他", "她", "我"))
_PRONOUNS = frozenset(("i", "me", "he", "him", "she", "author", "我", "他", "她"))
_TIMES = frozenset(
    base_form(w) for w in ("morning", "noon", "afternoon", "evening", "midnight", "dawn")
)
_CLAUSE_END = frozenset(",.;!?")
_WORDS = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[,.;!?]")
_OPPOSITES_EN = (
    ("against", "for"), ("against", "favor"), ("against", "favour"), ("before", "after"),
    ("inside", "outside"), ("above", "below"), ("above", "under"), ("above", "beneath"),
    ("over", "under"), ("up", "down"), ("into", "out"), ("on", "off"), ("left", "right"),
    ("upstairs", "downstairs"), ("toward", "from"), ("towards", "from"),
)  # fmt: skip
_OPPOSITE_WORDS = frozenset(w for pair in _OPPOSITES_EN for w in pair)
_OPPOSITES_ZH = {
    "前": "后", "后": "前", "上": "下", "下": "上", "里": "外",
    "内": "外", "外": "里", "左": "右", "右": "左",
}  # fmt: skip
_OPPOSITE_ZH = re.compile("[前后上下里外内左右]")
_COMMENT_EN = re.compile(
    r"\b(?:which|(?:this|that|it) (?:also )?(?!was\b|is\b|has\b|does\b|its\b)\w+s"
    r"|these (?:\w+ )?\w+|thus"
    r"|thereby|indicat\w+|suggest\w+|reflect\w+|show(?:s|ing|ed)|demonstrat\w+|highlight\w+|imply\w*"
    r"|(?:al)?though (?:the |this |it |no |its |their )?(?:\w+ )?(?:text|document|record|entry"
    r"|diary|source|details?|reasons?|is not|does not|not)\b"
    r"|without the (?:text|document|record|entry)"
    r"|(?<=[;,.(] )(?:it|the (?:text|document|entry|record)) (?:is not|does not|doesn't|isn't)"
    r"|implies|probably|possibly|perhaps|presumably|likely|no doubt|as part of|marks|marking)\b"
)
_COMMENT_ZH = re.compile(
    r"[,，;；。(](?:这|该|此|但|不过|尽管|虽然)?(?:文中|文档|原文|文本)|[,，;；。(](?:这|该|此)?[^，。；]{0,4}(?:表明|说明|体现|反映|显示|可见|意味着|可能|属于|展[现示]|似乎|或许|大概)"
)
_OPENER = re.compile(
    r"(?:[,;.]\s*|\s)(?:and|but|then|afterwards?|after (?:that|which)|later|subsequently|next"
    r"|before|until)\b"
    r"|[，,;；。、]?\s*(?:随后|然后|接着|之后|后来|最后|并且|而后|紧接着|结果|不久)"
)
ENOUGH_EN, ENOUGH_ZH = 4, 6
"""New content words (Chinese: characters) from which an added clause tells another happening."""


def uncommented(text: str) -> str:
    """The text up to where it begins to comment on itself."""
    if not has_cjk(text):
        match = _COMMENT_EN.search(text, min(12, len(text)))
    else:
        match = _COMMENT_ZH.search(text)
    return text[: match.start()].rstrip(" ,;.(-") if match else text


def changed_wording(ref: str, ans: str, asked: str = "") -> str | None:
    """What small words change although the content words may all be there."""
    ref, ans = ref.lower(), ans.lower()
    told = ref.removeprefix("i ").rstrip(" .。")
    stripped = ans.rstrip(" .。")
    if stripped.endswith(told) and stripped[: len(stripped) - len(told)] in _AS_AUTHOR:
        return None
    ans = uncommented(ans)
    fault = _other_kin(ref, ans, asked)
    if fault:
        return fault
    if not has_cjk(ref) and not has_cjk(ans):
        fault = _other_agent(ref, ans)
        if fault:
            return fault
        mine, theirs = _WORDS.findall(ref), _WORDS.findall(ans)
        return _opposite(mine, theirs) or _exchanged(mine, theirs)
    return _other_person_zh(ref, ans) or _opposite_zh(ref, ans) or _exchanged_zh(ref, ans)


def _kin(text: str) -> set[str]:
    found = {SAME_EN.get(stem(w), w) for w in _KIN_EN.findall(text)}
    if not text.isascii():
        found |= {SAME_ZH.get(w, w) for w in _KIN_ZH.findall(text)}
    return found


def _other_kin(ref: str, ans: str, asked: str) -> str | None:
    theirs = _kin(ans)
    new = theirs - _kin(ref) - _kin(asked) if theirs else None
    return f"{min(new)} is not told of" if new else None


def _other_agent(ref: str, ans: str) -> str | None:
    """In the reference the author acts, here somebody else does the same."""
    first = _FIRST_EN.match(ref)
    other = _OTHER_EN.match(ans) if first else None
    if first is None or other is None or _AUTHOR.search(other[1]):
        return None
    same = stem(first[1]) == stem(other[2]) and bool(meanings(other[1]) & people())
    return f"the one who acts became {other[1].strip()}" if same else None


def _other_person_zh(ref: str, ans: str) -> str | None:
    person = _PERSON_ZH.match(ans)
    if person is None or person[1] in ref:
        return None
    return f"the one who acts became {person[1]}"


def _opposite(ref: list[str], ans: list[str]) -> str | None:
    mine = _OPPOSITE_WORDS.intersection(ref)
    theirs = _OPPOSITE_WORDS.intersection(ans) if mine else mine
    if not mine - theirs or not theirs - mine:
        return None
    for one, two in _OPPOSITES_EN:
        for a, b in ((one, two), (two, one)):
            if a not in mine or b in mine or b not in theirs or a in theirs:
                continue
            before, after = _beside(ref, ref.index(a))
            before_new, after_new = _beside(ans, ans.index(b))
            clauses = a in ("before", "after")
            if (after and after == after_new) or (before and before == before_new and not clauses):
                return f"{a} became {b}"
    return None


def _beside(words: list[str], at: int) -> tuple[str, str]:
    """The content words in front of and behind a place."""
    before = next((b for w in reversed(words[:at]) if (b := _content(w))), "")
    return before, next((b for w in words[at + 1 :] if (b := _content(w))), "")


def _content(word: str) -> str:
    return base_form(word) if word[0].isalnum() else ""


def _exchanged(ref: list[str], ans: list[str]) -> str | None:
    """Two phrases beside one connective that have changed places while the rest stayed."""
    for link in _CONNECTIVES.intersection(ref):
        if ref.count(link) == ans.count(link) == 1:
            mine = _sides(ref, ref.index(link))
            theirs = _sides(ans, ans.index(link))
            fault = _crossed(*mine, *theirs)
            if fault:
                return fault
    return None


def _sides(words: list[str], at: int) -> tuple[set[str], set[str]]:
    left: set[str] = set()
    for word in reversed(words[:at]):
        if word in _CLAUSE_END or len(left) >= 6:
            break
        left.add(_party(word))
    right: set[str] = set()
    for word in words[at + 1 :]:
        if word in _CLAUSE_END or len(right) >= 6:
            break
        right.add(_party(word))
    return left - {""}, right - {""}


def _party(word: str) -> str:
    """As `_content`, with one name for the author, whom an answer may call "he"."""
    return "author" if word in _PRONOUNS else _content(word)


def _crossed(
    left: set[str], right: set[str], left_new: set[str], right_new: set[str]
) -> str | None:
    over = (left & right_new) - left_new - right
    back = (right & left_new) - right_new - left
    stayed = (left & left_new) | (right & right_new)
    over, back = over - _TIMES, back - _TIMES
    return f"{min(over)} and {min(back)} changed places" if over and back and stayed else None


def _exchanged_zh(ref: str, ans: str) -> str | None:
    for link in _CONNECTIVES_ZH:
        if ref.count(link) == ans.count(link) == 1:
            fault = _crossed(*_sides_zh(ref, link), *_sides_zh(ans, link))
            if fault:
                return fault
    return None


def _sides_zh(text: str, link: str) -> tuple[set[str], set[str]]:
    left, _, right = text.partition(link)
    left, right = re.split("[，,。；;：:]", left)[-1], re.split("[，,。；;：:]", right)[0]
    return {_party(c) for c in left[-6:]} - {""}, {_party(c) for c in right[:6]} - {""}


def _opposite_zh(ref: str, ans: str) -> str | None:
    if not _OPPOSITE_ZH.search(ref) or not _OPPOSITE_ZH.search(ans):
        return None
    ref, ans = (re.sub("[之以](?=[前后上下内外])", "", t) for t in (ref, ans))
    for match in _OPPOSITE_ZH.finditer(ref):
        own, at = match.group(), match.start()
        other = _OPPOSITES_ZH[own]
        for near, turned in (
            (ref[at - 1 : at + 1] if at else "", ref[at - 1 : at] + other),
            (ref[at : at + 2], other + ref[at + 1 : at + 2]),
        ):
            plain = len(near) == 2 and all(_content(c) for c in near)
            if plain and turned in ans and near not in ans and turned not in ref:
                return f"{near} became {turned}"
    return None


def appended_event(ref: Fact, ans: Fact) -> str | None:
    """A clause behind the whole fact that goes on to tell of something else."""
    text = uncommented(ans.text.lower())
    chinese = has_cjk(ref.text)
    for match in _OPENER.finditer(text):
        tail = text[match.end() :]
        words = [b for t in TOKEN.findall(tail) if (b := base_form(t))]
        if len(set(words)) < (ENOUGH_ZH if chinese else ENOUGH_EN):
            return None
        head = {b for t in TOKEN.findall(text[: match.start()]) if (b := base_form(t))}
        if len(head & ref.bag) < 0.8 * len(ref.bag):
            continue
        if chinese:
            known = any(a + b in ref.grams for a, b in pairwise(words))
        else:
            known = any(w in ref.bag or has_relative(w, ref.bag) for w in words)
        if not known:
            return f"{tail.strip(' ,.。，')[:40]} was added"
    return None
