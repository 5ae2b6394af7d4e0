"""Single wrong answers, as a report shows them: which to show, and each beside its reference."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from seqniah_datasets.schema import Pipeline
from seqniah_scorers.embedding import Embedding
from seqniah_scorers.rules import Aligned, align
from seqniah_scorers.verdict import Case, ItemPair
from seqniah_tasks.benchmarks.sequential_niah import needle_type
from seqniah_tasks.records import STRATA_ORDER
from seqniah_tasks.report.table import Row

MOST_QUESTION = 2_000
MOST_REFERENCE = 6_000
MOST_RESPONSE = 8_000
MOST_ANALYSIS = 4_000
MOST_ITEM = 500
MOST_REASON = 1_200
"""Characters of each text that are shown, besides the mark of what was left out."""

MOST_LINES = 60
"""Lines of an alignment; the longest reference has 15 items."""

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
class Told:
    """One answer with its texts, as a harness's file has them: as long as they are, untrusted."""

    row: Row
    question: str
    reference: str
    """The intro line, then one item a line, in true order."""
    response: str
    cut_off: bool
    """The output limit ended the answer; False where the file does not tell."""
    parties: tuple[str, ...]
    """The two sides that every item is about, if there are two."""
    analysis: str | None = None
    """What the model that judged wrote of the answer; None where none did, or nothing is kept."""


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

    row: Row
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


def choose(rows: Sequence[Row], most: int) -> list[Row]:
    """At most so many of the wrong answers among rows of one run, as different as can be had.

    Unscored answers are none of them: what was not judged shows nothing of the model. Each next
    one is of the least shown lengths, needle groups, pipelines, languages, noise and failure modes,
    and of several epochs of a sample the first wrong one counts. The same rows in any order give
    the same choice, in the order of the strata, then by id.
    """
    cells: dict[tuple[object, ...], list[Row]] = {}
    seen: set[tuple[object, ...]] = set()
    for row in sorted((one for one in rows if one.correct is False), key=_place):
        sample = row.model, row.id
        if sample not in seen:
            seen.add(sample)
            cells.setdefault((*_stratum(row), row.failure_modes), []).append(row)
    shown: Counter[tuple[int, object]] = Counter()
    chosen: list[Row] = []
    waiting = [iter(cell) for cell in cells.values()]
    heads = [next(cell) for cell in waiting]
    while heads and len(chosen) < most:
        at = min(range(len(heads)), key=lambda at: _shown(heads[at], shown))
        row = heads[at]
        chosen.append(row)
        shown.update(enumerate(_stratum(row)))
        shown.update((-1, mode) for mode in row.failure_modes or ("",))
        following = next(waiting[at], None)
        if following is None:
            del heads[at], waiting[at]
        else:
            heads[at] = following
    return sorted(chosen, key=_place)


def _stratum(row: Row) -> tuple[str | None, ...]:
    return row.length_bin, row.needle_group, row.pipeline, row.lang, row.noise


def _place(row: Row) -> tuple[object, ...]:
    """By which answers are in order, whatever is not known of them."""
    by_size = [STRATA_ORDER.get(str(name), len(STRATA_ORDER)) for name in _stratum(row)[:2]]
    by_name = [str(name or "") for name in (*_stratum(row), row.model)]
    return *by_size, *by_name, row.id, row.epoch or 0, row.source


def _shown(row: Row, shown: Counter[tuple[int, object]]) -> int:
    """How often its like was chosen before; of its failure modes the rarest one counts."""
    modes = min(shown[-1, mode] for mode in row.failure_modes or ("",))
    return sum(shown[part] for part in enumerate(_stratum(row))) + modes


def example(told: Told, embedding: Embedding | None = None) -> Example:
    """The answer beside its reference, by the rules; the `embedding` is the run's, if it had one.

    Without a language and a pipeline, or with a reference that is none, there are no lines.
    """
    row, aligned = told.row, None
    if row.lang in ("en", "zh") and row.pipeline and len(told.reference) <= MOST_ALIGNED:
        case = Case(
            lang="zh" if row.lang == "zh" else "en",
            needle_type=needle_type(Pipeline(row.pipeline)),
            question=told.question,
            reference=told.reference,
            response=told.response,
            order_required=row.order_required,
            cut_off=told.cut_off,
            parties=told.parties,
        )
        aligned = align(case, embedding)
    lines = list(_lines(aligned, row.depths or ())) if aligned else []
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
        note=_note(row, aligned),
    )


def _lines(aligned: Aligned, depths: Sequence[float]) -> Iterator[Line]:
    pairs = aligned.verdict.pairs
    misplaced = _misplaced(pairs) if aligned.verdict.order_required else frozenset()
    known = len(depths) == len(aligned.references)
    for pair in pairs:
        at, number = pair.reference, pair.answer
        if at is None:
            fate = LineFate.REDUNDANT
        elif number is None:
            fate = LineFate.MISSING
        elif not pair.same:
            fate = LineFate.CHANGED
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

    That is all but those of a longest run of rising places.
    """
    right = [(p.reference, p.answer) for p in pairs if p.same]
    placed = [(item, place) for item, place in right if item is not None and place is not None]
    ends: list[int] = []  # lowest place at which a run of each length can end
    holders: list[int] = []  # its last item, as an index into `placed`
    before: list[int] = []
    for number, (_, place) in enumerate(placed):
        length = bisect_left(ends, place)
        before.append(holders[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        holders[length : length + 1] = [number]
    kept: set[int] = set()
    at = holders[-1] if holders else -1
    while at >= 0:
        kept.add(placed[at][0])
        at = before[at]
    return frozenset(item for item, _ in placed if item not in kept)


def _note(row: Row, aligned: Aligned | None) -> str | None:
    if aligned is None:
        return "Language or pipeline is not known, or the reference is too long to be aligned."
    by_rules = aligned.verdict.correct
    same = by_rules is row.correct or row.correct is None
    if row.judged_by == "model":
        lines = "A model judged this answer; which item states which is what the rules found"
        return f"{lines}." if same else f"{lines}, which hold it to be {_label(by_rules)}."
    if not same:
        return (
            f"The rules as they are now hold this answer to be {_label(by_rules)}: the run had "
            "others, or an embedding model with them."
        )
    return None


def _label(correct: bool | None) -> str:
    return "right" if correct else "wrong"


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
