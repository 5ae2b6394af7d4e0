"""An item in another language than its reference: what dates, numbers, names and meanings tell."""

from __future__ import annotations

import re

from seqniah_scorers.comparing.align import Entry, Index, translated
from seqniah_scorers.comparing.concepts import contradiction, shared, words
from seqniah_scorers.comparing.numerals import changed_number
from seqniah_scorers.comparing.wording import uncommented

_DENIED_EN = re.compile(r"\b(?:not|never|no|cannot|without|neither|nobody|nothing)\b|n't\b")
_DENIED_ZH = re.compile(
    "没有?(?!收)|未(?!来)|并非|从不|不(?![仅同断少错过久知得但论禁止远时一])|无法"
)
_IMPLIED_EN = re.compile(
    r"\b(?:miss|fail|den|refus|reject|declin|unable|lack|only|until|un\w+|dis\w+|in\w+|stop|lost"
    r"|avoid|skip|forgot|too|barely|hardly|closed|late|broke)\w*"
)
_IMPLIED_ZH = re.compile("[没未不无非失错误漏忘拒否]")
FAR = 0.4
"""By so much more another reference item must be like the answer's item to be meant by it."""


def changed_in_translation(refs: Index, number: int, ans: Entry) -> str | None:
    ref = refs.entries[number]
    told = uncommented(ans.fact.text)
    fault = (
        changed_number(_words(ref), _words(ans))
        or (_polarity(ref.fact.text, told) if _has_han(ref.fact.text + told) else None)
        or contradiction(ref.fact.text, told)
    )
    if fault is not None:
        return fault
    if not words(told) and len(words(ref.fact.text)) > 1 and _has_han(ref.fact.text + told):
        return "nothing in it is known to be said of it"
    likes = translated(refs, told)
    best = max(range(len(likes)), key=likes.__getitem__)
    if best != number and likes[best] >= likes[number] + FAR and not shared(ref.fact.text, told):
        return f"it tells {refs.entries[best].fact.text[:40]}"
    return None


def _words(entry: Entry) -> list[str]:
    return [w for part in entry.fact.parts for w in part]


def _polarity(ref: str, ans: str) -> str | None:
    english, chinese = (ans, ref) if ref != ans and not _has_han(ans) else (ref, ans)
    denied_en = bool(_DENIED_EN.search(english.lower()))
    denied_zh = bool(_DENIED_ZH.search(chinese))
    if denied_en and not _IMPLIED_ZH.search(chinese):
        return "a negation was added" if english == ans else "a negation was lost"
    if denied_zh and not denied_en and not _IMPLIED_EN.search(english.lower()):
        return "a negation was lost" if english == ans else "a negation was added"
    return None


def _has_han(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)
