"""Who the items are about: the two sides of facts between two, and the owner of a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from seqniah_scorers.comparing.concepts import meanings
from seqniah_scorers.comparing.lexicon import STOP_EN, is_form
from seqniah_scorers.comparing.names import parties
from seqniah_scorers.text import has_cjk

MOST = 0.6
"""Share of the items from which a name stands in "all" of them."""
_NO_PARTY_ZH = re.compile(
    "(?:获得|融资|股权|股份|并购|收购|投资|交易|事件|转让|变动|参与|公司|活动|[的了])+"
)
"""What a question asks of a company, beside its name."""
_WITH_PLACE = re.compile(
    r"(?!The )[A-Z][\w'/-]*(?:,? (?:of|the|and|for|[A-Z][\w'/-]*))* \([A-Z][^()]{1,40}\)"
)
_PLACE = re.compile(r"([^()]+) \(([^()]+)\)")
_BOTH = re.compile(
    r"\b(?:(?:the )?two (?:sides|countries|parties|nations|states|governments)"
    r"|both (?:sides|countries|parties|nations|states|governments|of them)|the (?:sides|parties))\b"
    "|(?:两|二)(?:国|方|个国家)(?:政府)?|双方",
    re.IGNORECASE,
)
_ADJECTIVES = {
    "France": "French", "Denmark": "Danish", "Netherlands": "Dutch", "Spain": "Spanish",
    "Philippines": "(?:Philippine|Filipino)", "United Kingdom": "British", "Thailand": "Thai",
    "United States": "(?:American|US)", "Poland": "Polish", "Switzerland": "Swiss",
    "Germany": "German", "Ireland": "Irish", "Sweden": "Swedish",
}  # fmt: skip
"""Of countries whose adjective does not begin as they do."""
_HAN = re.compile("[\u3400-\u9fff·]+")
_CAPITALISED = re.compile(r"\b[A-Z][\w'-]+")
_NO_NAME_WORDS = """
then also later finally again first next today yesterday afterwards this that these it there in on
at the he she they we one after before during while early late another
"""
_NO_NAME_EN = frozenset(_NO_NAME_WORDS.split())
_FIRST_WORD_EN = re.compile(
    r"(?P<name>[A-Z][a-z'-]+(?: [A-Z][\w'-]+){0,2}),? "
    r"(?:(?:also|then|just|once|\w+ly) )?(?P<verb>[a-z]+)\b"
)
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎"
    "鲁韦昌马苗凤方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹"
    "姚邵汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路江童颜郭梅盛林刁钟徐邱骆高"
    "夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪解应宗丁宣邓洪包诸左石崔吉龚程邢裴陆荣翁惠甄曲封储靳段焦侯全甘厉"
    "祖武符刘景詹龙叶司黎薄白蒲卓蔺池乔阴翟谭申扶冉宁闻党庄柴瞿阎向古易廖耿匡文寇欧殳沃蔚越隆师巩聂晁勾"
)


def two_sides(texts: Sequence[str], asked: str) -> tuple[str, ...]:
    """The two names that most of the texts have; nothing where there are not two."""
    if len(texts) < 2:
        return ()
    chinese = sum(has_cjk(t) for t in texts) > len(texts) / 2
    names = _runs(texts, asked) if chinese else _names(texts, asked)
    return tuple(names[:2]) if len(names) >= 2 else ()


def _names(texts: Sequence[str], asked: str) -> list[str]:
    counts = Counter(name for t in texts for name in _named(t))
    names = [n for n, times in counts.most_common(4) if times >= MOST * len(texts) and times > 1]
    known = [n for n in names if n.casefold() in asked.casefold()]
    # Where the question names one of them alone, the others are no party.
    return known if known else names


def _named(text: str) -> list[str]:
    """The names in a text; "Police (Kenya)" is one."""
    whole = _WITH_PLACE.findall(text)
    rest = parties(_WITH_PLACE.sub(" ", text)) if whole else parties(text)
    return list(dict.fromkeys([*whole, *rest]))


def _runs(texts: Sequence[str], asked: str) -> list[str]:
    """Runs of characters that the question shares with most of the texts."""
    enough = max(2.0, MOST * len(texts))
    found: list[str] = []
    for piece in _apart(asked, texts):
        start = 0
        while start < len(piece) - 1:
            end = start
            while end < len(piece) and sum(piece[start : end + 1] in t for t in texts) >= enough:
                end += 1
            name = piece[start:end]
            if end - start >= 2 and name not in found and not _NO_PARTY_ZH.fullmatch(name):
                found.append(name)
            start = max(end, start + 1)
    return found


def _apart(asked: str, texts: Sequence[str]) -> list[str]:
    """The question's runs of characters, cut between two names that it joins."""
    out: list[str] = []
    for piece in _HAN.findall(asked):
        start = 0
        for match in re.finditer("[与和]", piece):
            at = match.start()
            left, right = piece[start:at], piece[at + 1 :]
            heads = [left[n:] for n in range(len(left) - 1) if all(left[n:] in t for t in texts)]
            tails = [n for n in range(2, len(right) + 1) if all(right[:n] in t for t in texts)]
            joined = heads and tails and all(f"{heads[0]}{match[0]}" in t for t in texts)
            if match[0] == "与" or (heads and tails and not joined):
                out.append(left)
                start = at + 1
        out.append(piece[start:])
    return out


def written_full(text: str, sides: tuple[str, ...]) -> str:
    """The text with the sides' full names in the place of short forms: surnames, "both"."""
    lower = text.casefold()
    missing = [side for side in sides if side.casefold() not in lower]
    if len(missing) == 2 and len(sides) == 2:
        together = f"{sides[0]}与{sides[1]}" if has_cjk(text) else f"{sides[0]} and {sides[1]}"
        full = _BOTH.sub(lambda _: together, text, count=1)
        if full != text:
            return full
    for side in missing:
        short = _short_form(side, sides)
        if short is not None:
            text = short.sub(lambda _, name=side: name, text, count=1)  # type: ignore[misc]
    return text


@lru_cache(maxsize=512)
def _short_form(side: str, sides: tuple[str, ...]) -> re.Pattern[str] | None:
    """What an answer may call the side instead."""
    place = _PLACE.fullmatch(side)
    if place is not None:
        return _of_place(place[1], place[2], sides)
    if has_cjk(side):
        ends = (side[at:] for at in range(1, len(side) - 1))
        others = [s for s in sides if s != side]
        own = [re.escape(e) for e in ends if not any(o.endswith(e) for o in others)]
        # "Citizens of Germany" are no short form of citizens of another country.
        edge = "(?:(?<![\u3400-\u9fff])|(?<=[与和同跟对向被由给为把将就于在了的是该从]))"
        return re.compile(f"{edge}(?:{'|'.join(own)})") if own else None
    last = re.split(r"[\s·]", side)[-1]
    if last != side:
        return re.compile(rf"(?<!\w){re.escape(last)}(?!\w)") if len(last) > 1 else None
    return re.compile(rf"\b{_people_of(side)}\b")


def _of_place(head: str, place: str, sides: tuple[str, ...]) -> re.Pattern[str] | None:
    """ "Kenyan police", "police in Kenya" and plain "the police" for "Police (Kenya)"."""
    alone = not any(s.startswith(f"{head} (") for s in sides if s != f"{head} ({place})")
    after = rf" (?:\(|in |of |from )(?:the )?{re.escape(place)}\)?"
    name = rf"\b(?i:{re.escape(head)})(?:e?s)?\b(?!\s*\()"
    before = rf"\b{_people_of(place)}\s+"
    loose = "?" if alone else ""
    return re.compile(rf"(?:{before}){loose}{name}(?:{after})?" if alone else rf"{before}{name}")


def _people_of(place: str) -> str:
    """A pattern for the adjective of a country."""
    irregular = _ADJECTIVES.get(place)
    if irregular is not None:
        return irregular
    return rf"{re.escape(place[: max(3, len(place) - 3)])}[a-z]{{0,3}}(?:n|ese|ish|i|ek|ch|ine|ino)"


def other_subject(ref: str, ans: str, asked: str) -> str | None:
    """Somebody by name who does in the answer what the owner of the record did.

    `asked` is the question with the reference's first line, which tell whose record it is.
    """
    if has_cjk(ans):
        for size in (2, 3):
            name = ans[:size]
            same = len(ref) > 3 and ans[size : size + 2] == ref[:2] and not ref.startswith(name)
            if same and ans[0] in _SURNAMES and name not in asked and name not in ref and asked:
                return name
        return None
    match = _FIRST_WORD_EN.match(ans)
    if match is None or not ref.startswith("I ") or not _CAPITALISED.search(asked):
        return None
    parts = match["name"].replace("'s", "").split()
    known = {w.casefold() for w in re.findall(r"[\w-]+", f"{asked} {ref}")}
    if any(p.casefold() in known or p.casefold() in _NO_NAME_EN for p in parts):
        return None
    if any(is_form(p.lower()) for p in parts):
        return None  # "Took", "Lent"
    verb = match["verb"]
    if verb in STOP_EN or any(meanings(p) or p.endswith(("ing", "ed")) for p in parts):
        return None
    told = re.findall(r"[a-z]+", ref.lower())
    named = len(parts) > 1 or verb in told[:4]
    return match["name"] if named else None
