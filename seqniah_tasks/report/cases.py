"""Single wrong answers of a report: which ones it shows, and each beside its reference."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from seqniah_scorers.verdict import ItemPair
from seqniah_tasks.kinds import natural
from seqniah_tasks.records import DEPTHS, Record, Transcript
from seqniah_tasks.report.declared import report_of

MOST_QUESTION = 2_000
MOST_REFERENCE = 6_000
MOST_RESPONSE = 8_000
MOST_ANALYSIS = 4_000
MOST_ITEM = 500
MOST_REASON = 1_200
"""Characters of each text that are shown, besides the mark of what was left out."""

MOST_LINES = 60
"""Lines of an alignment."""

MOST_ALIGNED = 20_000
"""Characters of a reference up to which an answer is aligned with it: above, it takes seconds."""

_UNSEEN = re.compile(
    # Controls, directions, zero widths and tags, half surrogates, and what is no character.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)


class LineFate(StrEnum):
    """What became of an item."""

    FOUND = "found"
    CHANGED = "changed"
    """Stated, but with another detail."""
    MISSING = "missing"
    MISPLACED = "misplaced"
    """Rightly stated, but out of order where the order is demanded."""
    REDUNDANT = "redundant"
    """The answer's item states no item of the reference that is not stated already."""


@dataclass(frozen=True, slots=True)
class Beside:
    """An answer's items beside the reference's."""

    pairs: Sequence[ItemPair]
    references: Sequence[str]
    answers: Sequence[str]
    ordered: bool = True
    """Whether items out of order are marked."""


@dataclass(frozen=True, slots=True)
class Line:
    """One item of the reference with what the answer says of it, or a redundant one."""

    reference: str | None
    """The item as it should be; None for a redundant one."""
    answer: str | None
    """The words that were compared with it; None for a missing one."""
    number: int | None
    """Of the answer's item as it was written, from 1."""
    fate: LineFate
    depth: float | None
    """Where the needle stands in the prompt, 0 (start) to 1 (end); None where nobody noted it."""


@dataclass(frozen=True, slots=True)
class Example:
    """One wrong answer, ready to be shown: all its texts are bounded and without hidden signs.

    Only `row` is as it was read; of its columns, `reason` is here again, made harmless.
    """

    row: Record
    """Stratum, verdict, failure modes, judge, who judged, tokens."""
    question: str
    reference: str
    response: str
    cut_off: bool
    reason: str | None
    analysis: str | None
    lines: tuple[Line, ...]
    """The reference's items in true order, then the answer's redundant ones."""
    left_out: int
    """Further lines that are not shown."""
    note: str | None
    """What a reader must know to trust the lines; None: the verdict follows from them."""


def example(told: Transcript) -> Example:
    """The answer beside its reference, item by item where the benchmark tells how."""
    row = told.record
    beside, note = report_of(row.benchmark).beside(told)
    lines = list(_lines(beside, row.items.get(DEPTHS, ()))) if beside else []
    return Example(
        row=row,
        question=shown(told.question, MOST_QUESTION),
        reference=shown(told.reference, MOST_REFERENCE),
        response=shown(told.response, MOST_RESPONSE),
        cut_off=told.cut_off,
        reason=None if row.reason is None else shown(row.reason, MOST_REASON),
        analysis=None if told.analysis is None else shown(told.analysis, MOST_ANALYSIS),
        lines=tuple(lines[:MOST_LINES]),
        left_out=len(lines[MOST_LINES:]),
        note=note,
    )


def _lines(aligned: Beside, depths: Sequence[float]) -> Iterator[Line]:
    pairs = aligned.pairs
    misplaced = _misplaced(pairs) if aligned.ordered else frozenset()
    known = len(depths) == len(aligned.references)
    for pair in pairs:
        at, number = pair.reference, pair.answer
        if at is None:
            fate = LineFate.REDUNDANT
        elif not pair.same:
            fate = LineFate.MISSING if number is None else LineFate.CHANGED
        else:
            fate = LineFate.MISPLACED if at in misplaced else LineFate.FOUND
        yield Line(
            reference=None if at is None else shown(aligned.references[at], MOST_ITEM),
            answer=None if number is None else shown(aligned.answers[number], MOST_ITEM),
            number=None if number is None else number + 1,
            fate=fate,
            depth=depths[at] if known and at is not None else None,
        )


def _misplaced(pairs: Sequence[ItemPair]) -> frozenset[int]:
    """Rightly stated items to move so that all stand in order, by number; as few as can be.

    That is all but those of a longest run of places that never fall.
    """
    right = [(p.reference, p.answer) for p in pairs if p.same]
    placed = [(item, place) for item, place in right if item is not None and place is not None]
    ends: list[int] = []  # lowest place at which a run of each length can end
    holders: list[int] = []  # its last item, as an index into `placed`
    before: list[int] = []
    for number, (_, place) in enumerate(placed):
        length = bisect_right(ends, place)
        before.append(holders[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        holders[length : length + 1] = [number]
    kept: set[int] = set()
    at = holders[-1] if holders else -1
    while at >= 0:
        kept.add(placed[at][0])
        at = before[at]
    return frozenset(item for item, _ in placed if item not in kept)


def shown(text: str, most: int) -> str:
    """A text for a page: what cannot be seen becomes an escape, the middle of a long one a mark.

    Line breaks and tabs stay. At most so many characters are kept, half of them from the end.
    """
    clean = _UNSEEN.sub(_escape, text.replace("\r\n", "\n"))
    if len(clean) <= most:
        return clean
    head, tail = clean[: most - most // 2], clean[-(most // 2) :]
    # In running text the mark stands in the line, else between lines.
    gap = "\n" if "\n" in clean else " "
    return f"{head}{gap}[... {len(clean) - most:,} characters left out ...]{gap}{tail}"


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def choose(rows: Sequence[Record], most: int) -> list[Record]:
    """At most so many of the wrong answers among rows of one run, as different as can be had.

    Each next one is of the least shown lengths, languages, failure modes and strata that the
    benchmark declares, and of several epochs of a sample the first wrong one counts. The same rows
    in any order give the same choice, in the order of the strata, then by id.
    """
    cells: dict[tuple[object, ...], list[Record]] = {}
    seen: set[tuple[object, ...]] = set()
    for row in sorted((one for one in rows if one.correct is False), key=_place):
        sample = row.model, row.id
        if sample not in seen:
            seen.add(sample)
            cells.setdefault((*_stratum(row), row.failure_modes), []).append(row)
    counts: Counter[tuple[int, object]] = Counter()
    chosen: list[Record] = []
    waiting = [cell[::-1] for cell in cells.values()]
    while waiting and len(chosen) < most:
        row = min(waiting, key=lambda cell: _often(cell[-1], counts)).pop()
        chosen.append(row)
        counts.update(enumerate(_stratum(row)))
        counts.update((-1, mode) for mode in row.failure_modes or ("",))
        waiting = list(filter(None, waiting))
    return sorted(chosen, key=_place)


def _stratum(row: Record) -> tuple[str | None, ...]:
    """Its length, what it asks of, its language, and whatever else it can be chosen by."""
    traits = [row.traits.get(name) for name in report_of(row.benchmark).strata]
    return row.length_bin, *traits[:1], row.lang, *traits[1:]


def _place(row: Record) -> tuple[object, ...]:
    """By which answers are in order, whatever is not known of them: numbers before names."""
    stratum = [str(name or "") for name in _stratum(row)]
    length, *others = [natural(name)[:2] for name in stratum]
    size = (False, row.length) if row.length else length
    return size, *others, *stratum, row.model or "", row.id, row.epoch or 0, row.source


def _often(row: Record, shown: Counter[tuple[int, object]]) -> int:
    """How often its like was chosen before; of its failure modes the rarest one counts."""
    modes = min(shown[-1, mode] for mode in row.failure_modes or ("",))
    return sum(shown[part] for part in enumerate(_stratum(row))) + modes
