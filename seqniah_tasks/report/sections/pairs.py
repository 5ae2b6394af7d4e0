"""Pairs of runs compared on their common samples: a test that fits, and the difference itself."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

from seqniah_tasks.report.pairing import (
    MOST_IN_ALL_PAIRS,
    RIGHT_OR_WRONG,
    STARS,
    Lack,
    Method,
    Pair,
    pairs,
)
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
)
from seqniah_tasks.report.runs import MOST_NAMED, Run, Study, differences
from seqniah_tasks.report.words import joined

_LEVEL = 0.05
"""Below this, an adjusted p is told of."""

_TOLD = re.compile(r" \((?![0-9]+\))[^()]*\)")
"""What a label tells beside the model, but for the number of one of several alike."""

_STEP = 0.1
"""The axis of differences ends at a multiple of this."""


def _point(pair: Pair) -> Point:
    """Of a pair that is compared."""
    assert pair.difference is not None
    return pair.difference


_Columns = tuple[tuple[Column, Callable[[Pair], Cell]], ...]
"""Of the table, each with its value of a pair that is compared."""

_WHO: _Columns = (
    (Column("first", "First"), lambda pair: pair.first.label),
    (Column("second", "Second"), lambda pair: pair.second.label),
    (Column("samples", "Common samples", Kind.COUNT), lambda pair: pair.samples),
)

_HOW_FAR: _Columns = (
    (Column("difference", "Difference", Kind.SHARE), lambda pair: _point(pair).value),
    (Column("low", "Lower end", Kind.SHARE), lambda pair: _point(pair).low),
    (Column("high", "Upper end", Kind.SHARE), lambda pair: _point(pair).high),
    (Column("p", "p", Kind.PROBABILITY), lambda pair: pair.p),
    (Column("p_holm", "p, adjusted", Kind.PROBABILITY), lambda pair: pair.p_holm),
)


def _counted(pair: Pair) -> tuple[Cell, ...]:
    """Of both, of one run alone, of none; where only sums of stars were asked, nothing is."""
    split = pair.common.split
    return astuple(split) if split.whole else (None,) * 4


_SAMPLES: _Columns = (
    (Column("both_right", "Both right", Kind.COUNT), lambda pair: _counted(pair)[0]),
    (Column("only_first", "Only first right", Kind.COUNT), lambda pair: _counted(pair)[1]),
    (Column("only_second", "Only second right", Kind.COUNT), lambda pair: _counted(pair)[2]),
    (Column("both_wrong", "Both wrong", Kind.COUNT), lambda pair: _counted(pair)[3]),
)

_FOUND: _Columns = (
    (Column("both_found", "Stars both found", Kind.COUNT), lambda pair: _counted(pair)[0]),
    (Column("only_first", "Only first found", Kind.COUNT), lambda pair: _counted(pair)[1]),
    (Column("only_second", "Only second found", Kind.COUNT), lambda pair: _counted(pair)[2]),
    (Column("neither_found", "Neither found", Kind.COUNT), lambda pair: _counted(pair)[3]),
)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What a benchmark's pairs are compared by, in words."""

    method: Method
    measure: str
    """What differs: accuracy or mean score."""
    test: str
    """Whose p is told, as a sentence about one pair begins."""
    better: str
    """How one run stands to another that has less of the measure."""
    alike: str
    """Which runs are compared with each other, after "runs"; empty: all."""
    columns: _Columns
    lead: str
    epochs: str
    """To be said where samples were asked several times."""


_ACCURACY = _Comparison(
    method=RIGHT_OR_WRONG,
    measure="accuracy",
    test="McNemar's p",
    better="more accurate",
    alike="",
    columns=(*_WHO, *_SAMPLES, *_HOW_FAR),
    lead=(
        "Each pair is compared on the samples that both have scored, so that hard samples count "
        "alike for both. The difference is the first's accuracy minus the second's, with a 95 % "
        "bootstrap interval over samples. McNemar's test looks only at samples that one of the two "
        "has right: if the two were equally good, these would divide like tosses of a coin, and p "
        "is how often coins divide as unevenly or more. The adjusted p (Holm) allows for the "
        "number of pairs; above 0.05, take the two as not told apart."
    ),
    epochs=(
        "Of samples asked several times, the difference takes the mean; the counts and McNemar's "
        "test take a sample as right where at least half of its scored answers are. Of runs that "
        "were asked different numbers of times, go by the difference."
    ),
)

_STARS = _Comparison(
    method=STARS,
    measure="mean score",
    test="The permutation test's p",
    better="better",
    alike=" that were asked alike",
    columns=(*_WHO, *_HOW_FAR, *_FOUND),
    lead=(
        "Runs that were asked alike are compared in pairs, on the samples that both have scored, "
        "so that hard samples count alike for both. The difference is the first's mean score minus "
        "the second's, with a 95 % bootstrap interval over samples. The permutation test turns "
        "signs: if the two were equally good, each sample's difference could as well have the "
        "other sign, and p is how often signs by chance give a mean as far from 0 or farther. The "
        "adjusted p (Holm) allows for the number of pairs; above 0.05, take the two as not told "
        "apart. Of the stars of lists, the table counts those whose right number one of the two "
        "alone has listed."
    ),
    epochs=(
        "Of samples asked several times, the difference and its test take the mean; a star counts "
        "as found where at least half of its scored answers list its right number."
    ),
)


def section(study: Study) -> Section | None:
    """Runs of samples that are right or wrong, in pairs; None of a single run."""
    return _section(study, _ACCURACY)


def stars(study: Study) -> Section | None:
    """Runs of Counting-Stars, in pairs; None where no two were asked alike."""
    return _section(study, _STARS)


def _section(study: Study, how: _Comparison) -> Section | None:
    found = pairs(study.runs, how.method)
    if not found:
        return None
    compared = [pair for pair in found if pair.samples]
    notes = [note for pair in found for note in _notes(pair)]
    if compared and any((row.epoch or 1) > 1 for run in study.runs for row in run.answers):
        notes.append(how.epochs)
    if any(len(group) > MOST_IN_ALL_PAIRS for group in how.method.groups(study.runs)):
        notes.append(
            f"Of more than {MOST_IN_ALL_PAIRS} runs{how.alike}, each is compared with that "
            f"{how.better} one which shares the most samples with it, the best of several; a "
            "report of fewer logs compares every two."
        )
    return Section(
        name="pairs",
        title="Runs compared on the same samples",
        lead=how.lead if compared else "No two runs have a scored sample in common.",
        figures=(_figure(compared, how),) if compared else (),
        tables=(_table(compared, how),) if compared else (),
        notes=(*notes, *_alone(study.runs, found)),
    )


def _alone(runs: Sequence[Run], found: Sequence[Pair]) -> list[str]:
    """A sentence about runs that are in no pair."""
    paired = {run.label for pair in found for run in (pair.first, pair.second)}
    alone = [run.label for run in runs if run.label not in paired]
    if not alone:
        return []
    return [f"Compared with no other, since none was asked alike: {joined(alone, MOST_NAMED)}."]


def _figure(compared: Sequence[Pair], how: _Comparison) -> Figure:
    names = _short(compared) if how.alike else list(map(_named, compared))
    rows = [DotRow(name, pair.difference) for name, pair in zip(names, compared, strict=True)]
    low, high = _reach([row.point for row in rows if row.point])
    return Figure(
        name="paired-differences",
        title=f"Difference in {how.measure} on the same samples",
        told=_told(compared, how),
        chart=Dots(
            Axis("first minus second, percentage points", low, high), tuple(rows), zero=True
        ),
    )


def _reach(points: Sequence[Point]) -> tuple[float, float]:
    """The ends of an axis that holds all intervals, and 0 with room on both sides."""
    ends = [end for one in points for end in (one.value, one.low, one.high) if end is not None]
    low, high = math.floor(min(ends) / _STEP), math.ceil(max(ends) / _STEP)
    return round(min(low, -1) * _STEP, 6), round(max(high, 1) * _STEP, 6)


def _told(compared: Sequence[Pair], how: _Comparison) -> str:
    if len(compared) == 1:
        p = compared[0].p
        count = f"{how.test} is {'below 0.001' if p < 0.001 else f'{p:.3f}'}."
    else:
        apart = sum(pair.p_holm < _LEVEL for pair in compared)
        count = f"{apart} of {len(compared)} pairs differ at an adjusted p below {_LEVEL}."
    pair = max(compared, key=lambda pair: abs(_point(pair).value))
    points, ahead, behind = 100 * _point(pair).value, pair.first.label, pair.second.label
    if not points:
        return f"No pair differs in {how.measure}. {count}"
    if points < 0:
        points, ahead, behind = -points, behind, ahead
    return f"The largest difference is {points:.1f} points, {ahead} above {behind}. {count}"


def _named(pair: Pair) -> str:
    return f"{pair.first.label} vs {pair.second.label}"


def _short(compared: Sequence[Pair]) -> list[str]:
    """The same of runs asked alike: what both have is told once, and not at all if all have it."""
    shared = [
        [told for told in _TOLD.findall(pair.first.label) if told in pair.second.label]
        for pair in compared
    ]
    names: list[str] = []
    for pair, both in zip(compared, shared, strict=True):
        name = _named(pair)
        for told in both:
            everywhere = all(told in others for others in shared)
            name = name.replace(told, "") + ("" if everywhere else told)
        names.append(name)
    return names if len(set(names)) == len(names) else list(map(_named, compared))


def _table(compared: Sequence[Pair], how: _Comparison) -> Table:
    columns = tuple(column for column, _ in how.columns)
    rows = tuple(tuple(value(pair) for _, value in how.columns) for pair in compared)
    return Table("pairs", "Pairs of runs on their common samples", columns, rows, open=True)


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
