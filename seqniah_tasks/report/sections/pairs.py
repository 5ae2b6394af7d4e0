"""Pairs of runs compared on their common samples: a test that fits, and the difference itself."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

from seqniah_tasks.report.declared import ReportOf
from seqniah_tasks.report.measures import drawn
from seqniah_tasks.report.pairing import MOST_IN_ALL_PAIRS, Lack, Pair, pairs
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
    of_kind,
)
from seqniah_tasks.report.runs import MOST_NAMED, Run, Study, alike, differences
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


_WHO = (
    *of_kind(Kind.TEXT, first="First", second="Second"),
    *of_kind(Kind.COUNT, samples="Common samples"),
)
_HOW_FAR = (
    *of_kind(Kind.SHARE, difference="Difference", low="Lower end", high="Upper end"),
    *of_kind(Kind.PROBABILITY, p="p", p_holm="p, adjusted"),
)
_RIGHT = (
    ("both_right", "Both right"),
    ("only_first", "Only first right"),
    ("only_second", "Only second right"),
    ("both_wrong", "Both wrong"),
)


@dataclass(frozen=True, slots=True)
class _Words:
    """How a benchmark's pairs are compared, in words."""

    measure: str
    """What differs: accuracy or mean score."""
    test: str
    """Whose p is told, as a sentence about one pair begins."""
    better: str
    """How one run stands to another that has less of the measure."""
    explained: str
    """The test, in a sentence or two."""
    epochs: str
    """To be said where samples were asked several times."""


_ACCURACY = _Words(
    measure="accuracy",
    test="McNemar's p",
    better="more accurate",
    explained=(
        "McNemar's test looks only at samples that one of the two has right: if the two were "
        "equally good, these would divide like tosses of a coin, and p is how often coins divide "
        "as unevenly or more."
    ),
    epochs=(
        "the difference takes the mean; the counts and McNemar's test take a sample as right where "
        "at least half of its scored answers are. Of runs that were asked different numbers of "
        "times, go by the difference"
    ),
)

_MEAN_SCORE = _Words(
    measure="mean score",
    test="The permutation test's p",
    better="better",
    explained=(
        "The permutation test turns signs: if the two were equally good, each sample's difference "
        "could as well have the other sign, and p is how often signs by chance give a mean as far "
        "from 0 or farther."
    ),
    epochs="the difference and its test take the mean",
)


def _words(run: Run) -> _Words:
    scoring = run.benchmark.scoring
    if not scoring.binary:
        return _MEAN_SCORE
    tested = _MEAN_SCORE if scoring.cluster else _ACCURACY
    return replace(_ACCURACY, test=tested.test, explained=tested.explained, epochs=tested.epochs)


def section(study: Study) -> Section | None:
    """Runs in pairs; None where no two should have the same samples."""
    found = pairs(study.runs)
    if not found:
        return None
    words, own = _words(study.runs[0]), study.runs[0].report
    lead = _lead(own, words, drawn(study.runs[0].benchmark))
    compared = [pair for pair in found if pair.samples]
    notes = [note for pair in found for note in _notes(pair)]
    if compared and any((row.epoch or 1) > 1 for run in study.runs for row in run.answers):
        counted = f"; {own.counted.epochs}" if own.counted else ""
        notes.append(f"Of samples asked several times, {words.epochs}{counted}.")
    if any(len(group) > MOST_IN_ALL_PAIRS for group in alike(study.runs)):
        notes.append(
            f"Of more than {MOST_IN_ALL_PAIRS} runs{_ALIKE if own.alike else ''}, each is compared "
            f"with that {words.better} one which shares the most samples with it, the best of "
            "several; a report of fewer logs compares every two."
        )
    return Section(
        name="pairs",
        title="Runs compared on the same samples",
        lead=lead if compared else "No two runs have a scored sample in common.",
        figures=(_figure(compared, words),) if compared else (),
        tables=(_table(compared),) if compared else (),
        notes=(*notes, *_alone(study.runs, found)),
    )


_ALIKE = " that were asked alike"


def _lead(own: ReportOf, words: _Words, resampled: str) -> str:
    told = (
        f"Runs{_ALIKE} are compared in pairs," if own.alike else "Each pair is compared",
        "on the samples that both have scored, so that hard samples count alike for both. The",
        f"difference is the first's {words.measure} minus the second's, with a 95 % bootstrap",
        f"interval over samples.{resampled} {words.explained} The adjusted p (Holm) allows for the",
        "number of pairs; above 0.05, take the two as not told apart.",
        own.counted.lead if own.counted else "",
    )
    return " ".join(filter(None, told))


def _alone(runs: Sequence[Run], found: Sequence[Pair]) -> list[str]:
    """A sentence about runs that are in no pair."""
    paired = {run.label for pair in found for run in (pair.first, pair.second)}
    alone = [run.label for run in runs if run.label not in paired]
    if not alone:
        return []
    return [f"Compared with no other, since none was asked alike: {joined(alone, MOST_NAMED)}."]


def _figure(compared: Sequence[Pair], words: _Words) -> Figure:
    short = compared[0].first.report.alike
    names = _short(compared) if short else list(map(_named, compared))
    rows = [DotRow(name, pair.difference) for name, pair in zip(names, compared, strict=True)]
    low, high = _reach([row.point for row in rows if row.point])
    return Figure(
        name="paired-differences",
        title=f"Difference in {words.measure} on the same samples",
        told=_told(compared, words),
        chart=Dots(
            Axis("first minus second, percentage points", low, high), tuple(rows), zero=True
        ),
    )


def _reach(points: Sequence[Point]) -> tuple[float, float]:
    """The ends of an axis that holds all intervals, and 0 with room on both sides."""
    ends = [end for one in points for end in (one.value, one.low, one.high) if end is not None]
    low, high = math.floor(min(ends) / _STEP), math.ceil(max(ends) / _STEP)
    return round(min(low, -1) * _STEP, 6), round(max(high, 1) * _STEP, 6)


def _told(compared: Sequence[Pair], words: _Words) -> str:
    if len(compared) == 1:
        p = compared[0].p
        count = f"{words.test} is {'below 0.001' if p < 0.001 else f'{p:.3f}'}."
    else:
        apart = sum(pair.p_holm < _LEVEL for pair in compared)
        count = f"{apart} of {len(compared)} pairs differ at an adjusted p below {_LEVEL}."
    pair = max(compared, key=lambda pair: abs(_point(pair).value))
    points, ahead, behind = 100 * _point(pair).value, pair.first.label, pair.second.label
    if not points:
        return f"No pair differs in {words.measure}. {count}"
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


def _table(compared: Sequence[Pair]) -> Table:
    run = compared[0].first
    binary, own = run.benchmark.scoring.binary, run.report.counted
    named = _RIGHT if binary else own.columns if own else ()
    counted = tuple(Column(*one, Kind.COUNT) for one in named)
    rows: list[tuple[Cell, ...]] = []
    for pair in compared:
        who = pair.first.label, pair.second.label, pair.samples
        found, split = _point(pair), pair.common.split
        far = found.value, found.low, found.high, pair.p, pair.p_holm
        # Of both, of one run alone, of none; where no answer has what is counted, nothing is.
        counts = (astuple(split) if any(astuple(split)) else (None,) * 4)[: len(counted)]
        rows.append((*who, *counts, *far) if binary else (*who, *far, *counts))
    columns = (*_WHO, *counted, *_HOW_FAR) if binary else (*_WHO, *_HOW_FAR, *counted)
    return Table("pairs", "Pairs of runs on their common samples", columns, tuple(rows), open=True)


def _notes(pair: Pair) -> list[str]:
    """What is to be said of a pair whose samples or settings are not the same."""
    differ = differences((pair.first, pair.second))
    named = f"{pair.first.label} and {pair.second.label}"
    lacks = [
        f"{run.label} has {_more(lack)}"
        for run, lack in ((pair.first, pair.lacks_second), (pair.second, pair.lacks_first))
        if lack.samples
    ]
    if not pair.samples:
        told = f"{named} have no scored sample in common and are not compared."
    elif lacks:
        told = f"{named} differ in their samples: {pair.samples:,} are compared; "
        told += f"{'; '.join(lacks)}."
    elif differ:
        told = f"{named} were not run alike, and their difference may come of that."
    else:
        return []
    return [" ".join((told, *differ))]


def _more(lack: Lack) -> str:
    """What one has scored and the other has not, e.g. "3 more (2 not run, 1 unscored there)"."""
    counts = (lack.not_run, "not run by the other"), (lack.unscored, "unscored there")
    told = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    return f"{lack.samples:,} more ({told})"
