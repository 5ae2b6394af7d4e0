"""Who the items are about: the two sides of facts between two, and the owner of a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from seqniah_scorers.comparing.concepts import meanings
from seqniah_scorers.comparing.lexicon import STOP_EN
from seqniah_scorers.comparing.names import parties
from seqniah_scorers.text import has_cjk

MOST = 0.6
"""Share of the items from which a name stands in "all" of them."""
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
    names = _runs(texts, asked) if chinese else _names(texts)
    return tuple(names[:2]) if len(names) >= 2 else ()


def _names(texts: Sequence[str]) -> list[str]:
    counts = Counter(name for t in texts for name in parties(t))
    return [n for n, times in counts.most_common(4) if times >= MOST * len(texts) and times > 1]


def _runs(texts: Sequence[str], asked: str) -> list[str]:
    """Runs of characters that the question shares with most of the texts."""
    enough = max(2.0, MOST * len(texts))
    found: list[str] = []
    for piece in _HAN.findall(asked):
        start = 0
        while start < len(piece) - 1:
            end = start
            while end < len(piece) and sum(piece[start : end + 1] in t for t in texts) >= enough:
                end += 1
            if end - start >= 2 and piece[start:end] not in found:
                found.append(piece[start:end])
            start = max(end, start + 1)
    return found


def written_full(text: str, sides: tuple[str, ...]) -> str:
    """The text with the sides' full names in the place of surnames or other last parts."""
    for side in sides:
        last = re.split(r"[\s·]", side)[-1]
        if side.casefold() not in text.casefold() and last != side and len(last) > 1:
            short = re.escape(last)
            short = rf"(?<!\w){short}(?!\w)" if last.isascii() else short
            text = re.sub(short, side.replace("\\", r"\\"), text, count=1)
    return text


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
    verb = match["verb"]
    if verb in STOP_EN or any(meanings(p) or p.endswith(("ing", "ed")) for p in parts):
        return None
    told = re.findall(r"[a-z]+", ref.lower())
    named = len(parts) > 1 or verb in told[:4]
    return match["name"] if named else None
