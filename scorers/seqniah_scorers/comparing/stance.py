"""What a few words change in a fact at large: refusal, mere intent, rank, round, title."""

from __future__ import annotations

import re

from seqniah_scorers.comparing.concepts import meanings, words
from seqniah_scorers.text import has_cjk

_REFUSAL = ("refuse", "reject", "deny", "decline", "拒绝", "否认")
_THREAT = ("threaten", "warn", "威胁")
_INTENT_EN = re.compile(
    r"\b(?:intent\w*|intend\w*|willing\w*|readiness|ready|wish\w*|plan\w*|prepared)\b"
)
_INTENT_ZH = re.compile("意向|意图|意愿|愿意|有意|打算|表示愿|拟|计划|希望")
_NO_DEED = re.compile(
    r"\b(?:not|never|no|without|stop\w*|halt\w*|cut\w*)\b|n't\b|[不未没]|停止|中止"
)
_DEED = re.compile(
    r"\b(?:stance|position|meant|means|signal\w*|said|expressed|announced|stated|voiced|declared)\b|表示|表达|宣布|表明"
)
_RANKS = re.compile(
    r"\b(vice|deputy|assistant)[\s-]+(\w+)|(副|前任|代理|助理|候任)(?=[主会总部市校院经队班组局处科县省]\w)"
)
_ROUND = re.compile(
    r"((?:pre-)?[a-z]\d?\+{0,2})\s?(?=轮)|\b(?:series|round)\s((?:pre-)?[a-z]\d?\+{0,2})(?![a-z])"
)
_TITLE = re.compile("《([^》]{1,40})》")


def changed_stance(ref: str, ans: str, between_two: bool) -> str | None:
    """`between_two`: the fact tells what one of two sides did to the other."""
    ref, ans = ref.lower(), ans.lower()
    fault = _labels(_ROUND, ref, ans) or _labels(_TITLE, ref, ans) or _rank(ref, ans)
    if fault is not None or not between_two:
        return fault
    for group in (_REFUSAL, _THREAT):
        fault = _attitude(group, ref, ans)
        if fault is not None:
            return fault
    return _intent(ref, ans)


def _labels(pattern: re.Pattern[str], ref: str, ans: str) -> str | None:
    mine, theirs = (
        {next(g for g in m.groups() if g) for m in pattern.finditer(t)} for t in (ref, ans)
    )
    lost, new = mine - theirs, theirs - mine
    return f"{min(lost)} became {min(new)}" if lost and new else None


def _rank(ref: str, ans: str) -> str | None:
    mine = {m[1] or m[3] for m in _RANKS.finditer(ref)}
    theirs = {m[1] or m[3] for m in _RANKS.finditer(ans)}
    if mine == theirs:
        return None
    for match in (*_RANKS.finditer(ref), *_RANKS.finditer(ans)):
        rank, post = match[1] or match[3], match[2] or match.string[match.end() : match.end() + 2]
        other = ans if match.string == ref else ref
        if rank not in other and post in other:
            return f"{rank} {post} changed its rank"
    return None


def _attitude(group: tuple[str, ...], ref: str, ans: str) -> str | None:
    ids = frozenset(n for w in group for n in meanings(w))
    mine, theirs = not meanings(ref).isdisjoint(ids), not meanings(ans).isdisjoint(ids)
    if mine == theirs or len(ans) > 3 * len(ref) + 20:
        return None
    if mine and not _NO_DEED.search(ans):
        return f"{_first(ref, ids)} was dropped"
    if theirs and not _NO_DEED.search(ref):
        return f"{_first(ans, ids)} was added"
    return None


def _first(text: str, ids: frozenset[int]) -> str:
    return next(w.text for w in words(text) if not w.ids.isdisjoint(ids))


def _intent(ref: str, ans: str) -> str | None:
    pattern = _INTENT_ZH if has_cjk(ref) else _INTENT_EN
    mine, theirs = bool(pattern.search(ref)), bool(pattern.search(ans))
    ids = frozenset(n for w in ("intend", "希望") for n in meanings(w))
    if mine and not theirs and meanings(ans).isdisjoint(ids) and not _DEED.search(ans):
        return "the mere intent became a deed"
    if theirs and not mine and meanings(ref).isdisjoint(ids) and _DEED.search(ans):
        return "the deed became a mere intent"
    return None
