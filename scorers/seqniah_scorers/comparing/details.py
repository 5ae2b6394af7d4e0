"""Whether an item changes a detail of the fact that it should state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from seqniah_scorers.comparing.alike import alike, turned_round
from seqniah_scorers.comparing.concepts import differing, known_apart, meanings, names_thing, words
from seqniah_scorers.comparing.facts import SENTENCE_END, TOKEN, Fact, base_form, has_relative
from seqniah_scorers.comparing.lexicon import (
    CLASH_WORD_ZH,
    CLASHES_EN,
    CLASHES_ZH,
    SAME_EN,
    canonical_zh,
)
from seqniah_scorers.comparing.light import abbreviates, light
from seqniah_scorers.comparing.names import parties
from seqniah_scorers.comparing.numerals import changed_count, changed_number
from seqniah_scorers.comparing.wording import changed_wording, uncommented
from seqniah_scorers.text import has_cjk, is_cjk

_NEGATION = re.compile(
    r"\b(?:not|never|no|cannot|without|neither|nor|nobody|nothing|fail(?:s|ed) to)\b"
    r"(?! (?:only|doubt|later|longer than|more than|less than))|n't\b"
    r"|(?:没有?|未(?![来休婚满必])|不(?![仅同断少错过久但论禁止远时一]|得不|知不|到[一半几\d])|无(?=法|人|需|须|效|果|缘)"
    r"|[毫并均从]无|并非|从不)"
)
_ASKED = re.compile(r"有没有|([是能会要够可好对行])不\1|\b(?:whether|if) or not\b|\bor not\b")
"""Words that ask whether something is so, and deny nothing."""
_IMPLIED = re.compile(
    r"\b(?:skip|miss|refus|reject|declin|den(?:y|ied)|lack|unable|avoid|stop|forg[eo]t|only|until"
    r"|stay|remain|fail|lost|lose)\w*|一无|空手|落空|错过|缺席|拒绝|否认|忘|失败|未能|才|只"
)
_CAPITAL = re.compile(r"(?<=[a-z,0-9'] )[A-Z][\w]+")
_CONVERSE = re.compile(
    r"\b(?:by|between|among|came|guest\w*|together|both|host\w*|receiv\w+|from|mutual\w*)\b|被|受到|遭|由|之间|双方|收到|获得|来自|接受|迎来|接待"
)
_STOP = re.compile(r"(?<!\bCo)(?<!\bLtd)(?<!\bInc)(?<!\bCorp)\. ")
_PASSIVE_BY = re.compile(r"\b(?:was|were|been|being|is|are)\s+(?:\w+\s+){1,3}?by\b")
_AFTER_OTHERS = re.compile(
    r"\b(?:with|from|by|of|to|between|for|on|in|at|against|about|between|and)\b|[与和同跟对向就从被由为给将把]"
)

WORDY = 1.4
"""Words of an answer, over those of the reference, from which further sentences can be comments."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Words of the reference in whose place the answer, else alike, has other words."""

    text: str
    """For a person: what became what."""
    certain: bool
    """Both are names, or known to be different things; else they can be synonyms."""
    slight: bool = False
    """One of the two is only made of words that stand for any others."""


def changed_detail(
    ref: Fact, ans: Fact, asked: str = "", free: bool = False, numbers: bool = True
) -> str | None:
    """Why the answer's item does not state the reference's fact; None: nothing shows it.

    People named in `asked`, the question, may be named again. `free`: the item is reworded so
    much that only numbers and words that exclude each other tell anything. `numbers`: they are
    still to be compared.
    """
    if ref.parts == ans.parts:
        return changed_wording(ref.text, ans.text, asked) or _swapped_roles(ref, ans)
    main = _main_part(ref, ans)
    bag = frozenset(w for p in main for w in p)
    fault = None
    if numbers:
        fault = changed_number([w for p in ref.parts for w in p], [w for p in main for w in p])
    if fault is None and (_counts(ref) or _counts(ans)):
        fault = changed_count(ref.text, ans.text)
    fault = fault or _clash(ref, ans, bag, len(main))
    if free or fault is not None:
        return fault
    return (
        _changed_polarity(ref, ans, main)
        or changed_wording(ref.text, _told(ans, len(main)), asked)
        or _swapped_roles(ref, ans)
    )


def _words(ref: Fact, main: tuple[tuple[str, ...], ...]) -> list[str]:
    """The answer's words that can stand in place of the reference's."""
    if len(ref.parts) == 1 and len(main) > 1 and sum(map(len, main)) > WORDY * len(ref.parts[0]):
        # Only the sentence that tells the fact can have other words in its place.
        return list(max(main, key=lambda part: len(ref.bag.intersection(part))))
    return [w for p in main for w in p]


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
    text = _ASKED.sub("", uncommented(_told(ans, len(main))).lower())
    own = _ASKED.sub("", ref.text.lower())
    match, stated = _NEGATION.search(text), _NEGATION.search(own)
    if bool(match) == bool(stated) or len(text) > 3 * len(ref.text) + 40:
        return None
    if match is not None:
        # "Skipped breakfast" and "had no breakfast" are the same, and so are "stayed" and
        # "did not leave": only of a word of the reference does a negation deny anything.
        same = _implies(own, text) or not _next(text, match.end(), own)
        return None if same else "a negation was added"
    if stated is None or _implies(text, own) or not _next(own, stated.end(), text):
        return None
    return "a negation was lost"


def _implies(text: str, other: str) -> bool:
    """Whether the text has a word that denies without "not", and the other text has it not."""
    return not set(_IMPLIED.findall(text)) <= set(_IMPLIED.findall(other))


def _next(text: str, at: int, other: str) -> bool:
    """Whether one of the words behind a place stands in the other text too."""
    if has_cjk(text):
        behind = text[at : at + 3]
        return (
            any(behind[n : n + 2] in other for n in range(len(behind) - 1)) or behind[:1] in other
        )
    behind_en = [base_form(w) for w in TOKEN.findall(text[at : at + 60])]
    bag = frozenset(base_form(w) for w in TOKEN.findall(other)) - {""}
    return any(w in bag or has_relative(w, bag) for w in [w for w in behind_en if w][:3])


def _clash(ref: Fact, ans: Fact, bag: frozenset[str], sentences: int) -> str | None:
    for word in ref.bag - bag:
        if has_relative(word, bag):
            continue
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
            if re.search(f"[不没未非]{other}", ans.text):
                continue
            return f"{word} became {other}"
    return None


def replaced(ref: Fact, ans: Fact, owner: frozenset[str] = frozenset()) -> Swap | None:
    """The first run of words in whose place the answer has others; `owner` can be left out."""
    if ref.parts == ans.parts:
        return None
    found: Swap | None = None
    slight: Swap | None = None
    names: tuple[frozenset[str], frozenset[str]] | None = None
    known = (_explained(ref.text, ans.text), _explained(ans.text, ref.text))
    mine = [w for p in ref.parts for w in p]
    theirs = _words(ref, _main_part(ref, ans))
    only_ref, only_ans = _left_over(mine, theirs), _left_over(theirs, mine)
    for gap, gap_new in gaps(mine, theirs):
        lost = [w for w in gap if w in only_ref and w not in known[0]]
        new = [w for w in gap_new if w in only_ans and w not in known[1]]
        lost = [w for w in lost if w not in owner and not has_relative(w, only_ans)]
        new = [w for w in new if not has_relative(w, only_ref)]
        if not lost or not new:
            continue
        if turned_round(lost, new):
            return Swap(_became(lost, ref, new, ans), certain=True)
        if abbreviates(lost, new) or alike(lost, new):
            continue
        if light(lost) or light(new):
            slight = slight or _slight(lost, ref, new, ans)
            continue
        names = names or (_names(ref.text), _names(ans.text))
        if names[0].intersection(lost) - ans.bag and names[1].intersection(new) - ref.bag:
            return Swap(_became(lost, ref, new, ans), certain=True)
        joint, most = ("", 4) if is_cjk(lost[0][0]) else (" ", 2)
        short = len(lost) <= most and len(new) <= most
        if short and known_apart(joint.join(lost), joint.join(new)):
            return Swap(_became(lost, ref, new, ans), certain=True)
        found = found or Swap(_became(lost, ref, new, ans), certain=False)
    return found or slight


def _slight(lost: list[str], ref: Fact, new: list[str], ans: Fact) -> Swap | None:
    """What is told where the other text has light words; nothing if both have."""
    if light(lost) and light(new):
        return None
    return Swap(_became(lost, ref, new, ans), certain=False, slight=True)


def _explained(text: str, other: str) -> frozenset[str]:
    """Words (Chinese: characters) of a text for which the other text has words of one meaning."""
    apart = {w.text for w in differing(text, other)[0]}
    out: set[str] = set()
    for word in words(text):
        if word.text not in apart:
            out.update(word.text if is_cjk(word.text[0]) else word.text.split("_"))
    return frozenset(out | {SAME_EN[w] for w in out if w in SAME_EN})


def gaps(ref: list[str], ans: list[str]) -> Iterable[tuple[list[str], list[str]]]:
    """What stands on either side between two runs of common words."""
    at_ref = at_ans = 0
    for block in LCSseq.opcodes(ref, ans).as_matching_blocks():
        if block.a > at_ref and block.b > at_ans:
            yield ref[at_ref : block.a], ans[at_ans : block.b]
        at_ref, at_ans = block.a + block.size, block.b + block.size


def _left_over(words: list[str], others: list[str]) -> frozenset[str]:
    """Words that stand oftener in the first list."""
    return frozenset(Counter(words) - Counter(others))


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
    found = (m.group() for m in _CAPITAL.finditer(text))
    return frozenset(base_form(w.lower()) for w in found if names_thing(w) or not meanings(w))


def _swapped_roles(ref: Fact, ans: Fact) -> str | None:
    """Two parties named in the opposite order, with nothing that turns the sentence round."""
    first = _STOP.split(ans.text, maxsplit=1)[0]
    turned = _PASSIVE_BY.search(first)
    if turned and not _PASSIVE_BY.search(ref.text):
        return _turned(ref.text, first, turned)
    if _CONVERSE.search(first.lower()) and not _CONVERSE.search(ref.text.lower()):
        return None
    named = parties(ref.text)
    if len(named) < 2:
        return None
    one, two = named[0], named[-1]
    at_one, at_two = first.find(one), first.find(two)
    if at_two < 0 or at_one < at_two or _AFTER_OTHERS.search(first[:at_two].lower()):
        # Roles are told by who opens the sentence; "a meeting with B took place" tells none.
        return None
    if _CONVERSE.search(first.lower()) or first.find(one, at_one + 1) > 0:
        return None
    return f"{one} and {two} changed roles"


def _turned(ref: str, ans: str, passive: re.Match[str]) -> str | None:
    """The sentence became passive although its subject stayed."""
    named = parties(ref)
    if len(named) < 2 or not ref.startswith(named[0]):
        return None
    subject = ans[: passive.start()]
    if named[0] in subject and named[-1] not in subject and named[-1] in ans[passive.start() :]:
        return f"{named[0]} became the one it was done to"
    return None
