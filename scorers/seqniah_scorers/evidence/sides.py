"""The two sides that all items of a reference are about, and which of them acts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seqniah_scorers import authored
from seqniah_scorers.text import has_cjk

MOST = 0.6
"""Share of the items from which a name stands in "all" of them."""
_NAME = re.compile(r"\b[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)*")
_HAN = re.compile("[\u3400-\u9fff·]+")
_BOTH = re.compile(
    r"\b(?:[Tt]he two|[Bb]oth) (?:sides|countries|parties|nations|states|governments|leaders)\b"
    "|[两二]国|双方"
)


def with_sides(text: str, parties: tuple[str, ...]) -> str:
    """The text with both sides' names where it says "the two countries"."""
    return _BOTH.sub(" ".join(parties), text) if len(parties) == 2 else text


def two_sides(texts: Sequence[str], asked: str) -> tuple[str, ...]:
    """The two names of the question that most of the texts have; nothing if there are not two."""
    texts = [text for text in texts if not _BOTH.search(text)]
    enough = max(2.0, MOST * len(texts))
    names = _runs(texts, asked, enough) if has_cjk(asked) else _names(texts, asked, enough)
    return tuple(names[:2]) if len(names) >= 2 else ()


def _names(texts: Sequence[str], asked: str, enough: float) -> list[str]:
    found: list[str] = []
    for name in _NAME.findall(asked)[1:] if asked[:1].isupper() else _NAME.findall(asked):
        last = name.split()[-1]
        if name not in found and sum(last in text for text in texts) >= enough:
            found.append(name)
    return found


def _runs(texts: Sequence[str], asked: str, enough: float) -> list[str]:
    """Runs of characters that the question shares with most of the texts."""
    found: list[str] = []
    for piece in _HAN.findall(re.sub("[与和对同向]", " ", asked)):
        start = 0
        while start < len(piece) - 1:
            end = start
            while end < len(piece) and sum(piece[start : end + 1] in t for t in texts) >= enough:
                end += 1
            if end - start >= 2 and piece[start:end] not in found:
                found.append(piece[start:end])
            start = max(end, start + 1)
    return found


_cue = authored.patterns("evidence/cues.toml")
_MUTUAL, _DIRECTED, _RECEIVES = map(_cue, ("mutual", "directed", "receives"))
_BY, _DOER_ZH, _FROM, _ONTO, _PASSIVE = map(_cue, ("by", "doer_zh", "from", "onto_side", "passive"))
is_visit = _cue("host").search
"""Whether one side is the other's guest: host and guest may each be said to act."""
_TOGETHER = re.compile(r"\W+|\W*(?:and|和|与|及|同|的)\W*")


def mutual(text: str) -> bool:
    """Whether both sides do the same, so that either may be named first."""
    text = text.lower()
    return bool(_MUTUAL.search(text)) and not _DIRECTED.search(text)


def actor(text: str, sides: tuple[str, ...]) -> int:
    """1 or 2: the side that acts on the other one; 0 where that is not told for certain.

    What stands before a name tells: "by Peru" acts, "to Peru" does not; else the first one acts.
    """
    places = [_place(text, side) for side in sides]
    (start, stop), (second, end) = sorted(places)
    between = text[stop:second].lower()
    if start < 0 or second < stop or _TOGETHER.fullmatch(between):
        return 0
    receives = bool(_RECEIVES.search(between))
    first = _part(text[:start].lower(), 2)
    last = _part(between, 3 if receives else 1)
    if receives and text[end : end + 1] == "'":  # "Peru faced Chile's demands"
        last = 3
    # "Chile refused a request by Peru" has another by than "Chile was refused by Peru".
    if first == 2 and _BY.search(between) and not (receives or _PASSIVE.search(between)):
        last = 0
    if first == last < 2:
        return 0
    return 1 + ((places[0] < places[1]) is (first < last))


def _part(before: str, given: int) -> int:
    """How much speaks for a side's acting, 0 to 3, by what stands before its name.

    `given` is what a "from" says.
    """
    if _BY.search(before) or _DOER_ZH.search(before):
        return 3
    if _FROM.search(before):
        return given
    return 0 if _ONTO.search(before) else 2


def _place(text: str, side: str) -> tuple[int, int]:
    """Where a side is named first: in full, else by the last word of its name; -1: nowhere."""
    last = side.split()[-1] if " " in side else side.rpartition("·")[2]
    name = side if side in text or not (len(last) > 2 or has_cjk(last)) else last
    at = text.find(name)
    return at, at + len(name)
