"""Words that exclude each other in a step, however freely it is told.

A step told at length has words of all sorts, so only these tell that it is another one: the
reference has one of a line, the answer has it nowhere but has another one of that line.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from seqniah_scorers.comparing.lexicon import STOP_EN, stem
from seqniah_scorers.comparing.opposed_words import LINES_EN, LINES_ZH
from seqniah_scorers.text import has_cjk

_DENIED_EN = re.compile(
    r"\b(?:not|never|no|avoid\w*|without|instead of|rather than|out of|away from|protect\w* from"
    r"|neither|nor|hardly|cannot|against|stop\w*)\b|n't\b"
)
_DENIED_ZH = re.compile(
    "不要?|勿|避免|避开|切忌|防止|远离|别|以免|而非|而不是|未|没|无|严禁|禁止|忌|拒绝|免"
)
_NOT_SO_EN = re.compile(r"(?:\bnot|n't|\bnever|\bavoid)\s(?:(?:be|too|overly|very|so|the)\s){0,2}$")
_NOT_SO_ZH = re.compile("(?:不要?|勿|避免|避开|切忌|别|不宜|不能)(?:太|过|过于|再|在)?$")
_REMARK_EN = re.compile(
    r"(?:otherwise|because|since|as|so that|so|which|this|that|these|tip|note|if|while|even"
    r"|in order|or else|for otherwise|to prevent|to avoid|unlike|whereas)\b"
)
_REMARK_ZH = re.compile(
    "否则|因为|由于|以免|以便|避免|防止|这样|从而|使|让|小贴士|提示|注意|如果|若|帮助|因此|所以|为了|便于"
)
_GAP = r"(?:s|ed|ing|ned|ning|ped|ping|led|ling)?\s(?:[\w'-]+\s){0,4}?"
_FOLLOWS_EN = re.compile(r"\b(?:would|might|could|if needed|if necessary)\b")
_FOLLOWS_ZH = re.compile(
    "容易|导致|引起|造成|可能|必要时|效果|区[别分]|也可|也能|会[^，]{0,4}[破坏死烂裂]"
)
"""What could happen, and what else may be done."""
_LABEL = re.compile(r"^\W*(?:[a-z-]+(?:\s[a-z-]+)?|[\u3400-\u9fff]{1,4})\W{0,3}[:：](?=.{12})")
"""A name in front of what is told: in an altered step it may still be the old one."""
_CLAUSE = re.compile(r"[,;:!?，。；：！？()（）]\s*|\.\s+|\s[\u2013\u2014-]\s|\n")


Groups = dict[tuple[int, int], str]
"""Line and group -> the word of the text that is in it."""


@cache
def _table(chinese: bool) -> tuple[re.Pattern[str], dict[str, tuple[tuple[int, int], ...]]]:
    """What finds the words, and for each word its lines with its group there."""
    places: dict[str, list[tuple[int, int]]] = {}
    text = (LINES_ZH if chinese else LINES_EN).replace("\n ", " ").replace("|\n", "| ")
    for number, line in enumerate(filter(None, text.split("\n"))):
        for group, words in enumerate(line.split("|")):
            for word in words.split():
                places.setdefault(word.replace("_", " "), []).append((number, group))
    longest = sorted(places, key=len, reverse=True)
    if chinese:
        pattern = re.compile("|".join(longest))
    else:
        plain = (re.escape(w).replace(r"\*", "[a-z]*").replace("\\~", "~") for w in longest)
        forms = "|".join(w.replace("~", _GAP) for w in plain)
        pattern = re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])")
    return pattern, {w: tuple(p) for w, p in places.items()}


@cache
def _pairs(chinese: bool) -> frozenset[int]:
    """The lines of two groups."""
    most: dict[int, int] = {}
    for places in _table(chinese)[1].values():
        for line, group in places:
            most[line] = max(group, most.get(line, 0))
    return frozenset(line for line, last in most.items() if last == 1)


@lru_cache(maxsize=2048)
def _found(text: str, chinese: bool) -> tuple[Groups, Groups, Groups]:
    """The groups of which the text has a word; of what it does not deny or remark; and denies.

    Where a line has two groups, to deny one is to name the other: "not too tight".
    """
    pattern, places = _table(chinese)
    denied, remark = (_DENIED_ZH, _REMARK_ZH) if chinese else (_DENIED_EN, _REMARK_EN)
    turned = _NOT_SO_ZH if chinese else _NOT_SO_EN
    follows = _FOLLOWS_ZH if chinese else _FOLLOWS_EN
    everywhere: dict[tuple[int, int], str] = {}
    stated: dict[tuple[int, int], str] = {}
    denials: dict[tuple[int, int], str] = {}
    for clause in _CLAUSE.split(_LABEL.sub("", text.lower())):
        aside = bool(remark.match(clause.strip()) or follows.search(clause))
        for match in pattern.finditer(clause):
            told = match.group()
            groups = places.get(told) or places[_stem(told, chinese)]
            before = clause[max(0, match.start() - (8 if chinese else 40)) : match.start()]
            off = bool(denied.search(before))
            for place in groups:
                if turned.search(before) and place[0] in _pairs(chinese) and not aside:
                    other = (place[0], 1 - place[1])
                    everywhere.setdefault(other, told)
                    denials.setdefault(other, f"not {told}")
                if not off:
                    everywhere.setdefault(place, told)
                    if not aside:
                        stated.setdefault(place, told)
    return everywhere, stated, denials


@cache
def _stem(word: str, chinese: bool) -> str:
    """The entry with an open ending that the word is a form of."""
    places = _table(chinese)[1]
    opens = (w for w in places if w.endswith("*") and word.startswith(w[:-1]))
    parted = (w for w in places if "~" in w and _parted(w, word))
    return next(parted, None) or next(opens)


def _parted(entry: str, word: str) -> bool:
    verb, _, particle = entry.partition("~")
    return word.startswith(verb) and word.endswith(" " + particle)


_BY_ZH = re.compile(
    "由([\u3400-\u9fff]{2,8}?)(?=自行|亲自|本人|自己|来|负责|当面|共同|统一|[，,]|$)(?:自行|亲自|本人|自己|来|负责|当面|共同|统一)*([\u3400-\u9fff]{2})"
)


def _other_doer(ref: str, ans: str) -> str | None:
    """ "By A", where the answer says by whom the same is done, and A is not in that name."""
    own = {m[2]: m[1] for m in _BY_ZH.finditer(ref)}
    for match in _BY_ZH.finditer(ans) if own else ():
        name = own.get(match[2])
        if name is not None and not _shares(name, match[1]):
            return f"the one who does it became {match[1]}"
    return None


def _shares(one: str, other: str) -> bool:
    return any(one[n : n + 2] in other for n in range(len(one) - 1))


_NOT_EN = re.compile(
    r"\b(?:without|no|not|never|nowhere|n't)\s(?:(?:any|the|a|an|need|to|be|using|use)\s){0,3}([a-z]+)"
)
_NOT_ZH = re.compile(
    "(?:不要|不用|无[须需]|不必|不得|切?勿|不再?)(?:[再用使走乘进])?([\u3400-\u9fff]{2})"
)
_NEXT = re.compile(r"\s*([a-z]+|[\u3400-\u9fff]{1,2})")
_LIMITED = re.compile(
    r"\b(?:off|out|too|until|before|more|longer|yet|all|only|again|away|than|just|directly)\b"
)
_OFF_EN = re.compile(
    r"\b(?:no|not|never|without|stop\w*|avoid\w*|cease\w*|skip\w*|remove\w*|off|only|un\w+|dis\w+"
    r"|free|until|clos\w+|before|less\w*|low\w*|reduc\w*|cut\w*|refus\w*|prevent\w*|keep\w*|if)\b|n't\b"
)
_OFF_ZH = re.compile("[不未没无非勿别禁免止断停关拔避防戒减少拒]|隔离|取消|清除|只|仅|前")


def _denied_word(ref: str, ans: str, chinese: bool) -> str | None:
    """A word of the reference that the answer has only behind a negation."""
    off, denial = (_OFF_ZH, _NOT_ZH) if chinese else (_OFF_EN, _NOT_EN)
    own = ref.lower()
    text = ans.lower()
    found = denial.search(text)
    if found is None or off.search(own):
        return None
    remark = _REMARK_ZH if chinese else _REMARK_EN
    for clause in _CLAUSE.split(text):
        match = denial.search(clause)
        if match is None or remark.match(clause.strip()):
            continue
        word = match[1]
        if not chinese and (
            word in STOP_EN or len(word) < 4 or _LIMITED.search(clause, match.end())
        ):
            continue
        behind = _NEXT.match(clause, match.end())
        if behind is not None and behind[1] not in own:
            continue  # "do not leave it in the sun" says nothing of leaving it in the shade
        stem_of = word if chinese else rf"\b{stem(word)[:6]}"
        if re.search(stem_of, own) and len(re.findall(stem_of, text)) == 1:
            return f"{word} is denied"
    return None


def changed_way(ref: str, ans: str) -> str | None:
    """A word of the reference instead of which the answer has one that excludes it."""
    chinese = has_cjk(ref)
    if chinese != has_cjk(ans):
        return None
    doer = _other_doer(ref, ans) if chinese else None
    if doer is not None:
        return doer
    _, own_stated, own_denials = _found(ref, chinese)
    mine = {**own_denials, **own_stated}
    denied = _denied_word(ref, ans, chinese)
    if denied is not None or not mine:
        return denied
    everywhere, stated, _ = _found(ans, chinese)
    lines = {line for line, _ in mine}
    for (line, group), told in stated.items():
        if line not in lines or (line, group) in mine:
            continue
        own = [g for n, g in mine if n == line]
        if not any((line, g) in everywhere for g in own):
            return f"{mine[line, own[0]]} became {told}"
    return None
