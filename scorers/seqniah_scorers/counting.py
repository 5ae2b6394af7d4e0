"""Counting-Stars: which of the stars in a sky an answer lists (paper, section 2.2).

An answer is a list of numbers, one for each star. The released rule cuts it to M numbers, drops
duplicates, and asks of every star whether its number is among the rest. It is the headline;
strict position, which the paper's text speaks of, stands beside it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from seqniah_scorers import counts
from seqniah_scorers.numerals import in_digits
from seqniah_scorers.reading.cues import is_refusal
from seqniah_scorers.text import has_cjk

ASKED = ("little_penguin", "小企鹅")
"""Names of the list that the released questions ask for."""

BOTH, WRONG_ONLY = 0.5, 0.25
"""A star's score in the reasoning task: both numbers listed; only the one that was a mistake."""

_ONES = {"one": 1, "一": 1, "零": 0, "〇": 0}
_VALUE = re.compile(r"\d+|\bone\b")

_MOST_CLAIMED = 2
"""Different numbers that an answer may give under the asked name: a draft, and what corrects it."""

_THOUSANDS = re.compile(r"(?<![\d.,\[])\d{1,3}(?:,\d{3})+(?!\d)")
_STATED = re.compile(r"(?<=[是为共有于])(?=[〇零一二两三四五六七八九十百千万])")
_NOTHING = r"""(?P<nothing>\s{0,9}(?:null\b|none\b|""|''|\[\s{0,9}\]))?"""
_OPENING = re.compile(r"""[\s\["'*_`$\\(~]{0,80}""")
_IN_LIST = re.compile(r"""\]|["']\s{0,9}:""")
_IN_VALUE = re.compile(r"[:()\[\]{}|→⇒。!?\n]|->|//|\.\s")
_IN_PROSE = re.compile(r"[=:()\[\]{}|→⇒。!?]|->|//|\.\s|\n\s*\n")
"""What ends a row of numbers that belong together, in each of the three."""


class CountingFailure(StrEnum):
    """What is wrong with an answer; several may hold at once."""

    MISSING = "missing_items"
    ADDED = "redundant_items"
    """Numbers that no star has."""
    OTHER_PLAYER = "other_player"
    """Numbers, or the sum or the largest, of a player who is not asked for."""
    MISTAKE = "mistaken_counts"
    """Numbers that were counted by mistake (reasoning)."""
    WRONG_ORDER = "wrong_order"
    """Stars' numbers out of the order in which the stars stand."""
    REPEATED = "repeated_items"
    WRONG_NUMBER = "wrong_number"
    """Another number than the one asked for, or several."""
    NO_ANSWER = "no_answer"
    """Empty, or an empty list."""
    REFUSED = "refusal"
    """It will not answer, or cannot."""
    UNREADABLE = "unreadable"
    """Text from which no number could be read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from an answer."""

    numbers: tuple[int, ...]
    """As written, with repetitions; entries that are no count (15.5, -3, true) are left out."""
    problem: CountingFailure | None
    """Why there is no number: no answer, or none that can be read."""


@dataclass(frozen=True, slots=True)
class Stars:
    """The score of one answer, star by star."""

    membership: tuple[int, ...]
    """For each star 1 where its number is listed, else 0."""
    position: tuple[int, ...]
    """For each star 1 where its number stands in the star's own place, else 0."""
    membership_mean: float
    """Over the stars, 0 to 1: the published score."""
    position_mean: float
    cut: int
    """Numbers behind the first M, which no score sees."""
    duplicates: int
    """Repetitions among the first M, dropped."""
    added: tuple[int, ...]
    """Numbers kept that no star has, as listed."""
    failure_modes: tuple[CountingFailure, ...]
    """In the order of `CountingFailure`; empty for a perfect answer."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """The score of one answer where each star was counted wrongly first, then rightly."""

    scores: tuple[float, ...]
    """For each star: 1 right number only, 0.5 both, 0.25 wrong number only, 0 neither."""
    mean: float


def read(response: str, asked: Collection[str] = ASKED) -> Reading:
    """The numbers of an answer, from any text; `asked` are names of the list that counts most.

    The rule for answers with several lists is told at `counts.read`. Takes time in
    proportion to the text.
    """
    names = frozenset(name.lower() for name in asked)
    numbers, silent = counts.read(response, names, _written)
    return Reading(numbers, None) if numbers else _nothing(silent, counts.plain(response))


def read_one(response: str, asked: Collection[str]) -> Reading:
    """The one number of an answer; several where a list stands in its place.

    It is the last that stands alone behind an asked name, as in {"sum": 57} or Sum: 12 + 45 = 57,
    after one other at most, which it corrects; where no asked name has a number, the last that
    stands alone anywhere. Numbers with only commas, "and", "or" or signs of sums between them do
    not stand alone. Takes time in proportion to the text.
    """
    text = _THOUSANDS.sub(lambda m: m[0].replace(",", ""), counts.plain(response))
    text = _STATED.sub(" ", text)
    row = counts.row_of(text, _written)
    named = _named(row, text, frozenset(name.lower() for name in asked))
    groups = _groups(row, text) if named is None else named
    alone = [group for group in groups if len(group) == 1]
    claimed = dict.fromkeys(group[0] for group in alone) if named else {}
    if len(claimed) > _MOST_CLAIMED:
        return Reading(tuple(claimed), None)
    for group in (alone or groups)[-1:]:
        return Reading(tuple(dict.fromkeys(group)), None)
    silent = not row.foreign and not row.no_counts
    return _nothing(named is not None or silent, text)


def _nothing(silent: bool, text: str) -> Reading:
    refused = CountingFailure.REFUSED if is_refusal(text) else CountingFailure.UNREADABLE
    return Reading((), CountingFailure.NO_ANSWER if silent else refused)


@lru_cache(maxsize=64)
def _name(names: frozenset[str]) -> re.Pattern[str]:
    any_of = "|".join(sorted(map(re.escape, names))) or "(?!)"
    marks = """["'`*_]{0,4}"""
    return re.compile(
        rf"(?<![a-z0-9_])(?:{any_of}){marks}(?:\s{{0,9}}[:=]|\s(?:is|was|equals)\b|[是为])"
        rf"{_NOTHING}"
    )


def _named(row: counts.Row, text: str, names: frozenset[str]) -> list[list[int]] | None:
    """Groups of numbers behind asked names; none where the last name has null or an empty list.

    None: no asked name has anything.
    """
    groups: list[list[int]] | None = None
    for match in _name(names).finditer(text):
        if match["nothing"]:
            groups = []
            continue
        place = bisect_left(row.begins, match.end())
        begin = row.begins[place] if place < len(row.begins) else len(text)
        opening = _OPENING.fullmatch(text, match.end(), begin)
        if opening and begin < len(text):
            ends = _IN_LIST if "[" in opening[0] else _IN_VALUE
            groups = groups or []
            groups += _value(row, text, place, ends)
    return groups


def _value(row: counts.Row, text: str, place: int, ends: re.Pattern[str]) -> list[list[int]]:
    groups = [[row.numbers[place]]]
    for after in range(place + 1, len(row.numbers)):
        between = _between(row, text, after)
        if between is None or ends.search(between):
            break
        if "=" in between:
            groups.append([])
        groups[-1].append(row.numbers[after])
    return groups


def _between(row: counts.Row, text: str, place: int) -> str | None:
    """What stands between a number and the one before it; None where there are other words."""
    if row.foreign_before[place] != row.foreign_before[place - 1]:
        return None
    return text[row.ends[place - 1] : row.begins[place]]


def _groups(row: counts.Row, text: str) -> list[list[int]]:
    """All numbers, those of a list together, and those that nothing in prose keeps apart."""
    lists: dict[int, int] = {}
    inside = -1
    for one in row.lists:
        if one.end - one.begin > 1 and one.begin >= inside:
            lists[one.begin] = inside = one.end
    groups: list[list[int]] = []
    listed = 0
    for place, number in enumerate(row.numbers):
        between = _between(row, text, place) if place else None
        if place >= listed and (between is None or _IN_PROSE.search(between)):
            groups.append([])
        listed = lists.get(place, listed)
        groups[-1].append(number)
    return groups


@lru_cache(maxsize=4096)
def _written(words: str) -> tuple[int, ...]:
    if words in _ONES:
        return (_ONES[words],)
    digits = in_digits(words, has_cjk(words))
    found = _VALUE.findall(digits)
    return tuple(_ONES[one] if one in _ONES else int(one) for one in found)


def kept(numbers: Sequence[int], most: int) -> tuple[int, ...]:
    """The numbers that are scored: the first `most`, and of equal ones the first."""
    return tuple(dict.fromkeys(numbers[:most]))


def score(
    reference: Sequence[int],
    numbers: Sequence[int],
    m: int | None = None,
    *,
    problem: CountingFailure | None = None,
) -> Stars:
    """Score the numbers of an answer; `m`: how many are looked at, by default one for each star.

    Position is taken after cut and dropping, in the order in which the paper tells these steps, so
    an early repetition does not shift what follows. `problem` comes from `read`.

    Raises:
        ValueError: there is no star.
    """
    if not reference:
        raise ValueError("a sky without stars has no score")
    most = len(reference) if m is None else m
    listed = kept(numbers, most)
    held, stars = frozenset(listed), frozenset(reference)
    membership = tuple(int(star in held) for star in reference)
    position = tuple(int(listed[i : i + 1] == (star,)) for i, star in enumerate(reference))
    seen = min(len(numbers), most)
    added = tuple(number for number in listed if number not in stars)
    place = {star: i for i, star in reversed(list(enumerate(reference)))}
    places = [place[number] for number in listed if number in stars]
    modes = {
        CountingFailure.MISSING: problem is None and not all(membership),
        CountingFailure.ADDED: bool(added),
        CountingFailure.WRONG_ORDER: places != sorted(places),
        CountingFailure.REPEATED: seen > len(listed),
        problem: problem is not None,
    }
    return Stars(
        membership=membership,
        position=position,
        membership_mean=sum(membership) / len(reference),
        position_mean=sum(position) / len(reference),
        cut=len(numbers) - seen,
        duplicates=seen - len(listed),
        added=added,
        failure_modes=tuple(mode for mode in CountingFailure if modes.get(mode)),
    )


def reason(
    right: Sequence[int], wrong: Sequence[int], numbers: Sequence[int], m: int | None = None
) -> Reasoned:
    """Score an answer to the reasoning task, after the same cut and dropping as in `score`.

    Raises:
        ValueError: there is no star, or not one wrong number for each right one.
    """
    if not right or len(right) != len(wrong):
        raise ValueError(f"{len(right)} right and {len(wrong)} wrong numbers make no stars")
    held = frozenset(kept(numbers, len(right) if m is None else m))
    worth = {(True, False): 1.0, (True, True): BOTH, (False, True): WRONG_ONLY}
    pairs = zip(right, wrong, strict=True)
    scores = tuple(worth.get((a in held, b in held), 0.0) for a, b in pairs)
    return Reasoned(scores, sum(scores) / len(scores))
