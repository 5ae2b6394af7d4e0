"""Runs of Counting-Stars: what was run, in words, and what keeps its runs from being compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seqniah_tasks.records import Record
from seqniah_tasks.report.runs import Run, named_with_counts
from seqniah_tasks.report.words import LANGUAGES, listed

_EDITION = re.compile(r"([0-9]{1,6})-([0-9]{1,6})(-[a-z]+)?")
"""M stars, N lengths, and the order of their numbers where it is not the usual one."""


@dataclass(frozen=True, slots=True)
class Group:
    """Answers of one run in one language."""

    run: Run
    lang: str
    """en or zh; empty where it is not told."""
    label: str
    """The run's, and the language where the report has several."""
    rows: tuple[Record, ...]


def by_language(runs: Sequence[Run]) -> list[Group]:
    """The answers of runs, apart by language: run by run, in their order."""
    several = len({row.lang for run in runs for row in run.answers}) > 1
    groups: list[Group] = []
    for run in runs:
        for lang in sorted({row.lang or "" for row in run.answers}):
            rows = tuple(row for row in run.answers if (row.lang or "") == lang)
            told = f", {LANGUAGES.get(lang, 'language not told')}" if several else ""
            groups.append(Group(run, lang, f"{run.label}{told}", rows))
    return groups


def shape(edition: str) -> tuple[int, int] | None:
    """How many stars and lengths an edition has; None where its name does not tell."""
    found = _EDITION.fullmatch(edition)
    return (int(found[1]), int(found[2])) if found else None


def lengths(rows: Iterable[Record]) -> list[str]:
    """Names of the lengths that were asked at, the shortest first."""
    known: dict[str, int] = {}
    for row in rows:
        if row.length_bin:
            known.setdefault(row.length_bin, row.length or 0)
    return sorted(known, key=lambda name: (known[name], name))


def what(runs: Sequence[Run]) -> str:
    """What was run, in a sentence: stars, lengths, tasks, languages."""
    rows = [row for run in runs for row in run.answers]
    stars = sorted({count for run in runs for count in _skies(run)})
    names, tasks = lengths(rows), _in_order(row.traits.get("pipeline") for row in rows)
    languages = listed(_in_order(LANGUAGES.get(row.lang or "", row.lang) for row in rows))
    counts = listed([f"{count:,}" for count in stars])
    told = [
        f"skies of {counts} star{'s' if stars != [1] else ''}" if stars else "",
        f"one length, {names[0]}" if len(names) == 1 else "",
        f"{len(names):,} lengths from {names[0]} to {names[-1]}" if len(names) > 1 else "",
        f"task{'s' if len(tasks) > 1 else ''} {listed(tasks) or 'not told'}",
        f"in {languages}" if languages else "",
    ]
    return f"Asked: {', '.join(filter(None, told))}."


def _skies(run: Run) -> set[int]:
    """How many stars the skies of a run have; of an edition without a name, as many as asked."""
    if found := shape(run.setting.edition):
        return {found[0]}
    return {row.needles for row in run.answers if row.needles}


def _in_order(values: Iterable[str | None]) -> list[str]:
    return sorted({value for value in values if value})


def alike(run: Run) -> tuple[str, ...]:
    """What makes runs the same test, so that they should have the same samples."""
    setting = run.setting
    return setting.edition, setting.setup, setting.version, setting.tokenizer, setting.corpus


def parts(runs: Sequence[Run]) -> list[str]:
    """A sentence where a run has not all the lengths of its edition."""
    asked = [(run, len(lengths(run.answers)), shape(run.setting.edition)) for run in runs]
    return named_with_counts(
        "Only a part of the edition's lengths was asked",
        [(run, count, found[1]) for run, count, found in asked if found and count < found[1]],
    )


def unplaced(runs: Sequence[Run]) -> list[str]:
    """A sentence where answers of runs tell no length."""
    counts = [(run, sum(not row.length_bin for row in run.answers)) for run in runs]
    return named_with_counts(
        "Answers of which no length is told are in no chart by length and on no map",
        [(run, count, len(run.answers)) for run, count in counts if count],
    )
