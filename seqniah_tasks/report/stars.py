"""Runs of Counting-Stars: what was run, in words, and what keeps its runs from being compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seqniah_tasks.report.benchmarks import oddities
from seqniah_tasks.report.runs import MOST_NAMED, Run
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import LANGUAGES, joined, listed

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
    rows: tuple[Row, ...]


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


def lengths(rows: Iterable[Row]) -> list[str]:
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
    names, tasks = lengths(rows), _in_order(row.pipeline for row in rows)
    languages = listed(_in_order(LANGUAGES.get(row.lang or "", row.lang) for row in rows))
    told = [
        f"skies of {_stars(stars)}" if stars else "",
        _span(names),
        f"task{'s' if len(tasks) > 1 else ''} {listed(tasks) or 'not told'}",
        f"in {languages}" if languages else "",
    ]
    return f"Asked: {', '.join(filter(None, told))}."


def _skies(run: Run) -> set[int]:
    """How many stars the skies of a run have; of an edition without a name, as many as asked."""
    if found := shape(run.setting.edition):
        return {found[0]}
    return {row.needles for row in run.answers if row.needles}


def _stars(counts: Sequence[int]) -> str:
    told = listed([f"{count:,}" for count in dict.fromkeys(counts)])
    return f"{told} star{'s' if set(counts) != {1} else ''}"


def _span(names: Sequence[str]) -> str:
    if not names:
        return ""
    if len(names) == 1:
        return f"one length, {names[0]}"
    return f"{len(names):,} lengths from {names[0]} to {names[-1]}"


def _in_order(values: Iterable[str | None]) -> list[str]:
    return sorted({value for value in values if value})


def alike(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs by what makes them the same test, so that they should have the same samples."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        setting = run.setting
        key = setting.edition, setting.setup, setting.version, setting.tokenizer, setting.corpus
        groups.setdefault(key, []).append(run)
    return list(groups.values())


def unusual(runs: Sequence[Run]) -> list[str]:
    """A sentence where runs were asked in an odd way; tasks of their own are none."""
    told: list[str] = []
    for run in runs:
        if odd := oddities(run.setting.setup):
            told.append(f"{run.label}: {', '.join(odd)}")
    if not told:
        return []
    return [
        "Not every run of Counting-Stars was made in the usual way, and such runs are another "
        f"test: {joined(told, MOST_NAMED)}."
    ]


def parts(runs: Sequence[Run]) -> list[str]:
    """A sentence where a run has not all the lengths of its edition."""
    told: list[str] = []
    for run in runs:
        found = shape(run.setting.edition)
        asked = len(lengths(run.answers))
        if found and asked < found[1]:
            told.append(f"{run.label} {asked:,} of {found[1]:,}")
    if not told:
        return []
    return [f"Only a part of the edition's lengths was asked: {joined(told, MOST_NAMED)}."]


def unplaced(runs: Sequence[Run]) -> list[str]:
    """A sentence where answers of runs tell no length."""
    told: list[str] = []
    for run in runs:
        count = sum(not row.length_bin for row in run.answers)
        if count:
            told.append(f"{run.label} {count:,} of {len(run.answers):,}")
    if not told:
        return []
    return [
        "Answers of which no length is told are in no chart by length and on no map: "
        f"{joined(told, MOST_NAMED)}."
    ]
