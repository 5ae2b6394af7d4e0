"""A word in whose very place the answer has another of its kind, and amounts that differ.

However freely the rest is worded, Shanghai in the place of Shenzhen is another fact.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from seqniah_scorers.comparing.measures import measures
from seqniah_scorers.comparing.slot_words import KINDS_EN, KINDS_ZH
from seqniah_scorers.text import has_cjk

_LOOSE_ZH = re.compile('[了的着过地得\\s《》“”"、，,。；;：:]')
_LOOSE_EN = frozenset(("the", "a", "an", "with"))
_TOKEN_EN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_GIVES_ZH = re.compile("向([^，,；;。]{2,24}?)(?:战略)?(?:投资|注资|增资)")
_GETS_ZH = re.compile(
    "(?:获得?了?|得到了?|接受了?|收到了?)([^，,；;。]{2,24}?)的?(?:战略)?(?:投资|注资|增资)(?!方|者|人)"
)
_SPAN = re.compile(r"\d\s*[-\u2013~至到]\s*\d")
_AMOUNTS = frozenset(("time", "length", "weight", "volume"))


@cache
def _groups(chinese: bool) -> tuple[dict[str, tuple[int, int]], re.Pattern[str]]:
    """Word -> its kind and its meaning; and what finds the words."""
    known: dict[str, tuple[int, int]] = {}
    number = 0
    lines = (KINDS_ZH if chinese else KINDS_EN).replace("\n |", " |").strip().splitlines()
    for kind, line in enumerate(lines):
        for group in line.split("|"):
            number += 1
            known.update((word.replace("_", " "), (kind, number)) for word in group.split())
    words = sorted(known, key=len, reverse=True)
    edge = "" if chinese else r"\b"
    return known, re.compile(f"{edge}(?:{'|'.join(words)}){edge}")


def other_of_kind(ref: str, ans: str) -> str | None:
    """What the answer has in the place of a word that it could not stand for."""
    mine, theirs = _found(ref), _found(ans)
    if not mine or not theirs:
        return None
    chinese = has_cjk(ref)
    if chinese is not has_cjk(ans):
        return None
    known = _groups(chinese)[0]
    told, own = (Counter(known[w][1] for w, _ in found) for found in (theirs, mine))
    for word, place in mine:
        kind, meaning = known[word]
        if told[meaning] >= own[meaning]:
            continue
        for other, other_place in theirs:
            other_kind, other_meaning = known[other]
            if other_kind == kind and other_meaning not in own and _same_place(place, other_place):
                return f"{word} became {other}"
    return None


_Place = tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[tuple[str, _Place], ...]:
    """The known words, each with the two signs or words on its left and on its right."""
    text = text.lower()
    chinese = has_cjk(text)
    if chinese:
        text = _LOOSE_ZH.sub("", text)
    out = []
    for match in _groups(chinese)[1].finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if chinese:
            place = (tuple(reversed(before[-2:])), tuple(after[:2]))
        else:
            left = [w for w in _TOKEN_EN.findall(before[-60:]) if w not in _LOOSE_EN]
            right = [w for w in _TOKEN_EN.findall(after[:60]) if w not in _LOOSE_EN]
            place = (tuple(reversed(left[-2:])), tuple(right[:2]))
        out.append((match.group(), place))
    return tuple(out)


def _same_place(one: _Place, other: _Place) -> bool:
    """Whether the words around are the same on both sides, or two on one side are."""
    left, right = (sum(_run(a, b)) for a, b in zip(one, other, strict=True))
    ends = [not a and not b for a, b in zip(one, other, strict=True)]
    return ((left > 0 or ends[0]) and (right > 0 or ends[1])) or max(left, right) > 1


def _run(one: tuple[str, ...], other: tuple[str, ...]) -> list[bool]:
    out = []
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        out.append(True)
    return out


def other_amount(ref: str, ans: str) -> str | None:
    """A length of time, a distance or a weight of which the answer tells another."""
    mine = [m for m in measures(ref)[0] if m.kind in _AMOUNTS and not m.soft]
    theirs = [m for m in measures(ans)[0] if m.kind in _AMOUNTS and not m.soft] if mine else []
    if len(mine) != len(theirs):
        return None
    for own in mine:
        rest = [m for m in theirs if m.kind == own.kind]
        if rest and not any(own.equals(m) for m in rest):
            span = _SPAN.search(rest[0].text)  # also what is left of a date in front
            return None if span else f"{own.text} became {rest[0].text}"
    return None


def other_investor(ref: str, ans: str) -> str | None:
    """Who invested and who got the money changed places, in Chinese."""
    if "资" not in ref or "资" not in ans:
        return None
    for one, other in ((_GIVES_ZH, _GETS_ZH), (_GETS_ZH, _GIVES_ZH)):
        mine, theirs = one.search(ref), other.search(ans)
        if mine and theirs and mine[1] == theirs[1] and not one.search(ans):
            return "who invested and who received it changed places"
    return None
