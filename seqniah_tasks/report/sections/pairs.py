"""Pairs of runs compared on their common samples: McNemar's test, and the difference itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from seqniah_tasks.report.pairing import MOST_IN_ALL_PAIRS, Lack, Pair, pairs
from seqniah_tasks.report.parts import (
    Axis,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
)
from seqniah_tasks.report.runs import Study, differences

_LEVEL = 0.05
"""Below this, an adjusted p is told of."""

_STEP = 0.1
"""The axis of differences ends at a multiple of this."""

_COLUMNS = (
    Column("first", "First"),
    Column("second", "Second"),
    Column("samples", "Common samples", Kind.COUNT),
    Column("both_right", "Both right", Kind.COUNT),
    Column("only_first", "Only first right", Kind.COUNT),
    Column("only_second", "Only second right", Kind.COUNT),
    Column("both_wrong", "Both wrong", Kind.COUNT),
    Column("difference", "Difference", Kind.SHARE),
    Column("low", "Lower end", Kind.SHARE),
    Column("high", "Upper end", Kind.SHARE),
    Column("p", "p", Kind.PROBABILITY),
    Column("p_holm", "p, adjusted", Kind.PROBABILITY),
)


def section(study: Study) -> Section | None:
    """The comparison of pairs; None of a single run."""
    if len(study.runs) < 2:
        return None
    found = pairs(study.runs)
    compared = [pair for pair in found if pair.samples]
    notes = [note for pair in found for note in _notes(pair)]
    if compared and any((row.epoch or 1) > 1 for run in study.runs for row in run.answers):
        notes.append(_EPOCHS)
    if len(study.runs) > MOST_IN_ALL_PAIRS:
        notes.append(
            f"Of more than {MOST_IN_ALL_PAIRS} runs, each is compared with that more accurate one "
            "which shares the most samples with it, the best of several; a report of fewer logs "
            "compares every two."
        )
    return Section(
        name="pairs",
        title="Runs compared on the same samples",
        lead=_LEAD if compared else "No two runs have a scored sample in common.",
        figures=(_figure(compared),) if compared else (),
        tables=(_table(compared),) if compared else (),
        notes=tuple(notes),
    )


_LEAD = (
    "Each pair is compared on the samples that both have scored, so that hard samples count alike "
    "for both. The difference is the first's accuracy minus the second's, with a 95 % bootstrap "
    "interval over samples. McNemar's test looks only at samples that one of the two has right: if "
    "the two were equally good, these would divide like tosses of a coin, and p is how often coins "
    "divide as unevenly or more. The adjusted p (Holm) allows for the number of pairs; above 0.05, "
    "take the two as not told apart."
)

_EPOCHS = (
    "Of samples asked several times, the difference takes the mean; the counts and McNemar's test "
    "take a sample as right where at least half of its scored answers are. Of runs that were asked "
    "different numbers of times, go by the difference."
)


def _figure(compared: Sequence[Pair]) -> Figure:
    rows = [DotRow(_named(pair), pair.difference) for pair in compared]
    low, high = _reach([row.point for row in rows if row.point])
    return Figure(
        name="paired-differences",
        title="Difference in accuracy on the same samples",
        told=_told(compared),
        chart=Dots(
            Axis("first minus second, percentage points", low, high), tuple(rows), zero=True
        ),
    )


def _reach(points: Sequence[Point]) -> tuple[float, float]:
    """The ends of an axis that holds all intervals, and 0 with room on both sides."""
    ends = [end for one in points for end in (one.value, one.low, one.high) if end is not None]
    low, high = math.floor(min(ends) / _STEP), math.ceil(max(ends) / _STEP)
    return round(min(low, -1) * _STEP, 6), round(max(high, 1) * _STEP, 6)


def _told(compared: Sequence[Pair]) -> str:
    if len(compared) == 1:
        p = compared[0].p
        count = f"McNemar's p is {'below 0.001' if p < 0.001 else f'{p:.3f}'}."
    else:
        apart = sum(pair.p_holm < _LEVEL for pair in compared)
        count = f"{apart} of {len(compared)} pairs differ at an adjusted p below {_LEVEL}."
    pair = max(compared, key=lambda pair: abs(_point(pair).value))
    points, ahead, behind = 100 * _point(pair).value, pair.first.label, pair.second.label
    if not points:
        return f"No pair differs in accuracy. {count}"
    if points < 0:
        points, ahead, behind = -points, behind, ahead
    return f"The largest difference is {points:.1f} points, {ahead} above {behind}. {count}"


def _point(pair: Pair) -> Point:
    """Of a pair that is compared."""
    assert pair.difference is not None
    return pair.difference


def _named(pair: Pair) -> str:
    return f"{pair.first.label} vs {pair.second.label}"


def _table(compared: Sequence[Pair]) -> Table:
    rows = []
    for pair in compared:
        point = _point(pair)
        counts = pair.both_right, pair.only_first, pair.only_second, pair.both_wrong
        rows.append(
            (
                *(pair.first.label, pair.second.label, pair.samples, *counts),
                *(point.value, point.low, point.high, pair.p, pair.p_holm),
            )
        )
    return Table("pairs", "Pairs of runs on their common samples", _COLUMNS, tuple(rows), open=True)


def _notes(pair: Pair) -> list[str]:
    """What is to be said of a pair whose samples or settings are not the same."""
    differ = differences((pair.first, pair.second))
    named = f"{pair.first.label} and {pair.second.label}"
    if not pair.samples:
        told = f"{named} have no scored sample in common and are not compared."
        return [" ".join((told, *differ))]
    lacks = [
        f"{run.label} has {_more(lack)}"
        for run, lack in ((pair.first, pair.lacks_second), (pair.second, pair.lacks_first))
        if lack.samples
    ]
    if lacks:
        told = f"{named} differ in their samples: {pair.samples:,} are compared; "
        return [" ".join((f"{told}{'; '.join(lacks)}.", *differ))]
    if differ:
        told = f"{named} were not run alike, and their difference may come of that."
        return [" ".join((told, *differ))]
    return []


def _more(lack: Lack) -> str:
    """What one has scored and the other has not, e.g. "3 more (2 not run, 1 unscored there)"."""
    counts = (lack.not_run, "not run by the other"), (lack.unscored, "unscored there")
    told = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    return f"{lack.samples:,} more ({told})"
