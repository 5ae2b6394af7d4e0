"""Whether an item changes a detail of the fact that it should state."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import LCSseq

from seqniah_scorers.facts import SENTENCE_END, TOKEN, Fact, base_form, has_relative
from seqniah_scorers.lexicon import (
    CLASH_WORD_ZH,
    CLASHES_EN,
    CLASHES_ZH,
    SAME_EN,
    STOP_EN,
    canonical_zh,
    stem,
)
from seqniah_scorers.numerals import changed_count, changed_number
from seqniah_scorers.text import is_cjk
from seqniah_scorers.wording import changed_wording

_NEGATION = re.compile(
    r"\b(?:not|never|no|cannot|without|neither|nor|nobody|nothing|failed|fails)\b"
    r"(?! (?:only|doubt))|n't\b"
    r"|(?:没有?|未(?!来)|不(?![仅同断少错过久]|得不|知不)|无(?![论人数限线])|并非|从不)"
)
_CAPITAL = re.compile(r"(?<=[a-z,0-9'] )[A-Z][\w]+")
_CONVERSE = re.compile(
    r"\b(?:by|between|among|host\w*|receiv\w+|from|mutual\w*)\b|被|受到|遭|由|之间|双方|收到|获得|来自|接受|迎来|接待"
)
_NAME = re.compile(r"\b[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)*")
_ORGANISATION = re.compile(r"[\u3400-\u9fff]{2,8}(?:公司|集团|基金|银行|企业|中心|合伙)")
ATTITUDES = tuple(SAME_EN[stem(w)] for w in ("intent", "deny", "threaten"))


def changed_detail(ref: Fact, ans: Fact, strict: bool, asked: str = "") -> str | None:
    """Why the answer's item does not state the reference's fact; None: it does.

    `strict` holds where an answer copies its source: there one replaced word is an alteration,
    while in a free paraphrase only words that exclude each other are. People named in `asked`, the
    question, may be named again.
    """
    if ref.parts == ans.parts:
        return changed_wording(ref.text, ans.text, asked)
    main = _main_part(ref, ans)
    bag = frozenset(w for p in main for w in p)
    words = [w for p in main for w in p]
    if len(ref.parts) == 1 and len(main) > 1:
        # Only the sentence that tells the fact can have other words in its place.
        words = list(max(main, key=lambda part: len(ref.bag.intersection(part))))
    ref_words = [w for p in ref.parts for w in p]
    return (
        changed_number(ref_words, [w for p in main for w in p])
        or (changed_count(ref.text, ans.text) if _counts(ref) or _counts(ans) else None)
        or _changed_polarity(ref, ans, main)
        or _clash(ref, ans, bag, len(main))
        or changed_wording(ref.text, _told(ans, len(main)), asked)
        or _lost_attitude(ref.bag, words)
        or _replaced(ref, ans, ref_words, words, strict)
        or _swapped_roles(ref, ans)
    )


def _told(fact: Fact, sentences: int) -> str:
    """The text of the first sentences."""
    if sentences >= len(fact.parts):
        return fact.text
    return ". ".join([s for s in SENTENCE_END.split(fact.text) if s.strip()][:sentences])


def _counts(fact: Fact) -> bool:
    return "半" in fact.text or any(w[0].isdigit() for w in fact.bag)


def _main_part(ref: Fact, ans: Fact) -> tuple[tuple[str, ...], ...]:
    """The answer's sentences up to the last that adds a reference word; the rest comments."""
    if len(ans.parts) < 2:
        return ans.parts
    seen: set[str] = set()
    last = 1
    for number, part in enumerate(ans.parts, start=1):
        new = (ref.bag & set(part)) - seen
        if new:
            seen |= new
            last = number
        if len(seen) == len(ref.bag):
            break
    return ans.parts[:last]


def _changed_polarity(ref: Fact, ans: Fact, main: tuple[tuple[str, ...], ...]) -> str | None:
    # A comment may deny anything; only the sentence that states the fact counts.
    text = _told(ans, len(main)).lower()
    denied, stated = bool(_NEGATION.search(text)), bool(_NEGATION.search(ref.text.lower()))
    if denied == stated or len(text) > 3 * len(ref.text) + 40:
        return None
    return "a negation was added" if denied else "a negation was lost"


def _clash(ref: Fact, ans: Fact, bag: frozenset[str], sentences: int) -> str | None:
    for word in ref.bag - bag:
        for other in CLASHES_EN.get(word, ()):
            if other in bag and other not in ref.bag:
                return f"{_as_written(word, ref.text)} became {_as_written(other, ans.text)}"
    if ref.text.isascii():
        return None
    mine = set(CLASH_WORD_ZH.findall(canonical_zh(ref.text)))
    if not mine:
        return None
    theirs = set(CLASH_WORD_ZH.findall(canonical_zh(_told(ans, sentences))))
    for word in sorted(mine - theirs):
        for other in sorted(CLASHES_ZH[word] & (theirs - mine)):
            return f"{word} became {other}"
    return None


def _lost_attitude(ref: frozenset[str], words: list[str]) -> str | None:
    """What is only intended, denied or threatened becomes a deed without that word."""
    last = max((n for n, w in enumerate(words) if w in ref), default=-1)
    ans = frozenset(words[: last + 1])
    for word in ATTITUDES:
        if word in ref and word not in ans and ans <= ref:
            return f"{word} was dropped"
        if word in ans and word not in ref and ref <= ans:
            return f"{word} was added"
    return None


def _replaced(
    ref: Fact, ans: Fact, ref_words: list[str], words: list[str], strict: bool
) -> str | None:
    """A short run of words in whose place the answer, all else equal, has other words."""
    if ref.bag <= ans.bag:
        return None
    names: tuple[frozenset[str], frozenset[str]] | None = None
    for gap, gap_new in _gaps(ref_words, words):
        lost = [w for w in gap if _is_lost(w, ans.bag)]
        new = [w for w in gap_new if _is_lost(w, ref.bag)]
        if not lost or not new:
            continue
        limit = 4 if is_cjk(lost[0][0]) else 2
        if strict and len(lost) <= limit and len(new) <= limit:
            return _became(lost, ref, new, ans)
        names = names or (_names(ref.text), _names(ans.text))
        if names[0].intersection(lost) and names[1].intersection(new):
            return _became(lost, ref, new, ans)
    return None


def _gaps(ref: list[str], ans: list[str]) -> Iterable[tuple[list[str], list[str]]]:
    """What stands on either side between two runs of common words."""
    at_ref = at_ans = 0
    for block in LCSseq.opcodes(ref, ans).as_matching_blocks():
        if block.a > at_ref and block.b > at_ans:
            yield ref[at_ref : block.a], ans[at_ans : block.b]
        at_ref, at_ans = block.a + block.size, block.b + block.size


def _is_lost(word: str, bag: frozenset[str]) -> bool:
    return word not in bag and not has_relative(word, bag)


def _became(lost: list[str], ref: Fact, new: list[str], ans: Fact) -> str:
    joint = "" if is_cjk(lost[0][0]) else " "
    before = joint.join(_as_written(w, ref.text) for w in lost)
    return f"{before} became {joint.join(_as_written(w, ans.text) for w in new)}"


def _as_written(word: str, text: str) -> str:
    """The word of the text that has this base form."""
    for match in TOKEN.finditer(text):
        if word == base_form(match.group().lower()):
            return match.group()
    return word


def _names(text: str) -> frozenset[str]:
    """Base forms of the words that are capitalised inside a sentence."""
    return frozenset(base_form(m.group().lower()) for m in _CAPITAL.finditer(text))


def _swapped_roles(ref: Fact, ans: Fact) -> str | None:
    """Two parties named in the opposite order, with nothing that turns the sentence round."""
    first = ans.text.split(". ")[0]
    if _CONVERSE.search(first.lower()) and not _CONVERSE.search(ref.text.lower()):
        return None
    named = parties(ref.text)
    if len(named) < 2:
        return None
    one, two = named[0], named[-1]
    at_one, at_two = first.find(one), first.find(two)
    if at_two < 0 or at_one < at_two or at_two > (12 if is_cjk(two[0]) else 4):
        # Roles are told by who opens the sentence; "a meeting with B took place" tells none.
        return None
    if _CONVERSE.search(first.lower()) or first.find(one, at_one + 1) > 0:
        return None
    return f"{one} and {two} changed roles"


def parties(text: str) -> list[str]:
    """The names in the text, each once, in order: English by capitals, Chinese companies."""
    found = _ORGANISATION.findall(text)
    if not found:
        found = [f for f in _NAME.findall(text) if len(f) > 1 and f.lower() not in STOP_EN]
    return list(dict.fromkeys(found))
