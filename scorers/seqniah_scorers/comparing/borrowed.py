"""Contents of another reference item under this one's date, and details that two items traded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from seqniah_scorers.comparing.align import Entry, Index
from seqniah_scorers.comparing.alike import alike
from seqniah_scorers.comparing.concepts import meanings, words
from seqniah_scorers.comparing.details import gaps
from seqniah_scorers.comparing.facts import TOKEN, Fact, coverage, has_relative
from seqniah_scorers.comparing.wording import uncommented
from seqniah_scorers.text import is_cjk

_RUN = re.compile("[\u3400-\u9fffA-Za-z]+")
LEAST_KEPT = 0.5
"""Share of an item's words that must be left where details were traded."""
_NAMES = re.compile(r"(?<=[a-z,0-9] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
LEAST_NAME = 3
"""Characters from which an unknown run in the place of another is told to be a name."""
LEAST_RUN = 4
"""Characters from which a lost run and a run of another item are told to be names or the like."""


def borrowed(refs: Index, number: int, ans: Entry) -> str | None:
    """The item has what only another reference item says, and nothing that its own says."""
    own = refs.entries[number].fact
    told = uncommented(ans.fact.text) if ans.fact.parts else ""
    main = ans.fact.grams if len(told) == len(ans.fact.text) else None
    for other, entry in enumerate(refs.entries):
        if other == number:
            continue
        fault = _borrowed_from(own, entry.fact, ans.fact, main)
        if fault:
            return fault
    return _foreign_run(refs, number, ans.fact, told) or _foreign_value(
        refs, number, ans.fact, told
    )


def _borrowed_from(own: Fact, other: Fact, ans: Fact, main: frozenset[str] | None) -> str | None:
    only_other = other.grams - own.grams
    only_own = own.grams - other.grams
    if ans.grams == other.grams != own.grams:
        return f"it tells {other.text[:40]}"
    if not only_other or main is None:
        return None
    taken = {g for g in only_other if g in main}
    if len(taken) < max(1.0, 0.5 * len(only_other)):
        return None
    if only_own and not any(_has(g, ans) for g in only_own):
        return f"it tells {other.text[:40]}"
    if not only_own and taken == only_other and ans.grams <= other.grams | own.grams:
        return f"it tells {other.text[:40]}"
    return None


def _has(gram: str, fact: Fact) -> bool:
    if gram in fact.grams or has_relative(gram, fact.grams):
        return True
    return not meanings(gram).isdisjoint(meanings(fact.text))


def _foreign_run(refs: Index, number: int, ans: Fact, told: str) -> str | None:
    """A name of another item in the place of one's own name, in Chinese."""
    if not refs.chinese:
        return None
    own = refs.entries[number].fact.text
    lost = [r for r in _unshared(own, told) if len(r) >= LEAST_RUN]
    if not lost:
        return None
    for run in _unshared(told, own):
        if len(run) < LEAST_RUN or not meanings(run).isdisjoint(meanings(own)):
            continue
        for other, entry in enumerate(refs.entries):
            if other != number and run in entry.fact.text:
                return f"{lost[0]} became {run}"
    return None


def _foreign_value(refs: Index, number: int, ans: Fact, told: str) -> str | None:
    """A name or amount of another item where one's own is not told, in whatever words."""
    if len(refs.sides) == 2 or not told:
        return None
    own = refs.entries[number].fact
    for other, entry in enumerate(refs.entries):
        if other == number or entry.fact.text == own.text:
            continue
        for lost, new in values(own.text, entry.fact.text):
            if new in told and new not in own.text and not _partly(lost, told):
                return f"{lost} became {new}"
    return None


def _partly(name: str, told: str) -> bool:
    """Whether a part of the name, in which an answer can shorten it, is told."""
    if is_cjk(name[0]):
        return any(name[n : n + 2] in told for n in range(len(name) - 1))
    return any(word in told for word in name.split())


@lru_cache(maxsize=4096)
def values(own: str, other: str) -> tuple[tuple[str, str], ...]:
    """Names and amounts that stand in one place of two items."""
    joint = "" if is_cjk(own[-1]) or is_cjk(own[0]) else " "
    pairs = gaps(TOKEN.findall(own), TOKEN.findall(other))
    found = [(joint.join(a), joint.join(b)) for a, b in pairs]
    if joint:  # names stand by themselves, whatever the words around them are
        names, others = _NAMES.findall(own), _NAMES.findall(other)
        found += [(a, b) for a in names if a not in other for b in others if b not in own]
    return tuple((a, b) for a, b in found if _is_value(a, own) and _is_value(b, other))


def _is_value(run: str, text: str) -> bool:
    """Whether the run is a name or has a number, as the text writes it."""
    if not run or run not in text:
        return False
    if any(c.isdigit() for c in run):
        return len(run) > 1
    if is_cjk(run[0]):
        rest = run
        for word in words(run):
            rest = rest.replace(word.text, "", 1)
        return len(run) >= LEAST_NAME and len(rest) > 1
    at = text.find(run)
    return at > 0 and all(w[0].isupper() for w in run.split())


def _unshared(text: str, other: str) -> list[str]:
    """Runs of characters no two neighbours of which stand side by side in the other text."""
    out: list[str] = []
    for run in _RUN.findall(text):
        start = 0
        for at in range(len(run)):
            known = run[at : at + 2] in other if at + 1 < len(run) else run[at] in other
            if known:
                out.append(run[start:at])
                start = at + 2
        out.append(run[start:])
    return [r for r in out if r]


def traded(refs: Index, told: Mapping[int, Entry]) -> dict[int, str]:
    """Pairs of items each of which has, in place of its own words, those of the other."""
    out: dict[int, str] = {}
    numbers = sorted(told)
    for at, i in enumerate(numbers):
        for j in numbers[at + 1 :]:
            one, two = refs.entries[i].fact, refs.entries[j].fact
            if min(coverage(one, told[i].fact), coverage(two, told[j].fact)) < LEAST_KEPT:
                continue
            if told[i].fact.text == one.text or told[j].fact.text == two.text:
                continue
            fault = _trade(one, two, told[i].fact, told[j].fact)
            if fault:
                out[i] = out[j] = fault
    return out


def _trade(one: Fact, two: Fact, ans_one: Fact, ans_two: Fact) -> str | None:
    mine, theirs = one.grams - two.grams, two.grams - one.grams
    came = {g for g in theirs & ans_one.grams if g not in ans_two.grams}
    went = {g for g in mine & ans_two.grams if g not in ans_one.grams}
    came = {g for g in came if not _has(g, ans_two)}
    went = {g for g in went if not _has(g, ans_one)}
    if not came or not went or _mean(came) & _mean(went):
        return None
    if any(alike([a], [b]) for a in came for b in went):
        return None
    return f"{min(went)} and {min(came)} changed places"


def _mean(grams: set[str]) -> frozenset[int]:
    return frozenset(n for g in grams for n in meanings(g))
