"""Records as runs to be compared: who answered what, under which setting."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.effective import THRESHOLD
from seqniah_tasks.means import headline
from seqniah_tasks.records import Record
from seqniah_tasks.report.apart import Trace
from seqniah_tasks.report.declared import ReportOf, report_of
from seqniah_tasks.report.settings import SETTING, Asked, Setting, labels, told_of, word
from seqniah_tasks.report.words import joined
from seqniah_tasks.shares import Share

MOST_RUNS = 200
"""Runs of a report, whose page, charts and comparisons grow with them."""

MOST_LINES = 6
"""Runs that a chart shows as lines; more become rows of a heat map."""

MOST_FACETS = 8
"""Runs that have a chart of their own; of the others the tables tell."""

MOST_NAMED = 8
"""Runs, or what they differ in, that a sentence names."""


@dataclass(frozen=True, slots=True)
class Run:
    """One model under one setting, with its answers."""

    label: str
    """The model, and what tells it from others of the same name."""
    own: str
    """The same, but among the runs of its benchmark alone, where it need not tell that."""
    model: str
    generation: str
    """How the model was asked to answer, e.g. "reasoning_effort=high"; empty: not told."""
    setting: Setting
    answers: tuple[Record, ...]
    """To the split's samples as they are; where only a suite of variants was run, its originals."""
    suite: tuple[Record, ...]
    """All of a suite of variants, its originals included; empty where it was not run."""
    files: tuple[str, ...]
    """From the folder on that holds all files of the report."""

    @property
    def scored(self) -> list[Record]:
        """Answers with a verdict."""
        return [row for row in self.answers if row.correct is not None]

    @property
    def unscored(self) -> int:
        """How many answers have none."""
        return sum(row.correct is None for row in self.answers)

    @property
    def benchmark(self) -> Benchmark:
        """What it is a run of."""
        return benchmarks.known()[self.setting.benchmark]

    @property
    def report(self) -> ReportOf:
        """What the benchmark declares of its reports."""
        return report_of(self.setting.benchmark)

    @property
    def share(self) -> Share:
        """The benchmark's key figure over the scored answers: accuracy, or the mean score."""
        return headline(self.benchmark, self.answers)


@dataclass(frozen=True, slots=True)
class Study:
    """All runs of a report."""

    runs: tuple[Run, ...]
    """Benchmark by benchmark, of each the best run first, then by label."""
    threshold: float = THRESHOLD
    """Share of the score at the shortest length that is kept up to the effective length."""

    def by_benchmark(self) -> dict[str, Study]:
        """The runs of each benchmark that there are any of, by their own labels."""
        parts: dict[str, list[Run]] = {}
        for run in self.runs:
            parts.setdefault(run.setting.benchmark, []).append(replace(run, label=run.own))
        return {name: replace(self, runs=tuple(runs)) for name, runs in parts.items()}

    @property
    def facets(self) -> tuple[Run, ...]:
        """The runs that have charts of their own."""
        return self.runs[:MOST_FACETS]

    @property
    def left_out(self) -> str:
        """What to say where some runs have no charts of their own; else empty."""
        more = len(self.runs) - MOST_FACETS
        if more <= 0:
            return ""
        return (
            f"Charts of single runs are of the {MOST_FACETS} best; the tables have the "
            f"other {more} too, and a report of fewer logs shows them."
        )


def study(files: Mapping[Path, Sequence[Record]]) -> Study:
    """The runs in these files, each with all its files.

    Files of one model, asked in one way under one setting, are one run where they hold different
    samples (parts of a split, tasks of lm-eval); a file that answers a sample again is a run of its
    own. Raises `SeqniahError` when they are too many to compare.
    """
    parts = _together(files)
    if len(parts) > MOST_RUNS:
        raise SeqniahError(
            f"The files hold {len(parts):,} runs, each one model under one setting, and a report "
            f"compares at most {MOST_RUNS}; give fewer of them, or write a table of all with "
            "seqniah records."
        )
    named = _labelled(parts)
    return Study(tuple(sorted(named, key=_order)))


def answers_together(files: Mapping[Path, Sequence[Record]]) -> list[list[Record]]:
    """The answers of each run in these files, its variants among them, however many runs."""
    return [
        [row for part in (*parts.answers.values(), *parts.suites.values()) for row in part]
        for _, parts in _together(files)
    ]


def _together(files: Mapping[Path, Sequence[Record]]) -> list[tuple[Asked, _Parts]]:
    found: dict[Asked, list[_Parts]] = {}
    for path, rows in files.items():
        for asked, part in _by_setting(rows).items():
            _place(found.setdefault(asked, []), path, part)
    return [(asked, run) for asked, runs in found.items() for run in runs]


def _order(run: Run) -> tuple[int, float, list[tuple[int, str]]]:
    share = run.share
    rank = share.value if share.of else -1.0
    return tuple(benchmarks.known()).index(run.setting.benchmark), -rank, _natural(run.label)


@dataclass(slots=True)
class _Parts:
    """A run as it is put together, by file."""

    answers: dict[str, list[Record]]
    """Of files without variants."""
    suites: dict[str, list[Record]]


def _by_setting(rows: Sequence[Record]) -> dict[Asked, list[Record]]:
    """A file's rows by who answered under which setting: one, but for files put together."""
    judges = {row.judge for row in rows if row.judge}
    # For answers that none judged.
    only = judges.pop() if len(judges) == 1 else ""
    groups: dict[Asked, list[Record]] = {}
    for row in rows:
        told = {name: getattr(row, name) or "" for name in SETTING}
        setting = Setting(**{**told, "judge": row.judge or only})
        asked = Asked(row.model or "unnamed", row.generation or "", setting)
        groups.setdefault(asked, []).append(row)
    return groups


def _place(runs: list[_Parts], path: Path, rows: list[Record]) -> None:
    """Put rows into the first run that has none of their samples, or into a new one."""
    suite, ids = any(row.is_variant for row in rows), {row.id for row in rows}
    for run in runs:
        held = run.suites if suite else run.answers
        if all(row.id not in ids for part in held.values() for row in part):
            break
    else:
        runs.append(_Parts({}, {}))
        held = runs[-1].suites if suite else runs[-1].answers
    held[str(path)] = rows


def _labelled(found: Sequence[tuple[Asked, _Parts]]) -> list[Run]:
    named = labels([asked for asked, _ in found], [_trace(parts) for _, parts in found])
    runs: list[Run] = []
    files = [(*parts.answers, *parts.suites) for _, parts in found]
    top = _top([one for names in files for one in names])
    for (asked, parts), (own, whole), names in zip(found, named, files, strict=True):
        suite = [row for part in parts.suites.values() for row in part]
        answers = [row for part in parts.answers.values() for row in part]
        runs.append(
            Run(
                label=whole,
                own=own,
                model=asked.model,
                generation=asked.generation,
                setting=asked.setting,
                answers=tuple(answers or [row for row in suite if not row.is_variant]),
                suite=tuple(suite),
                files=tuple(Path(one).relative_to(top).as_posix() for one in names),
            )
        )
    return runs


def _top(files: Sequence[str]) -> str:
    """The folder that holds all; none where they are on several drives."""
    try:
        return os.path.commonpath([Path(one).parent for one in files])
    except ValueError:
        return ""


def _trace(parts: _Parts) -> Trace:
    held = parts.answers or parts.suites
    rows = [row for part in held.values() for row in part]
    return Trace(
        file=Path(next(iter(held))),
        samples=len({row.id for row in rows}),
        epochs=max((row.epoch or 1 for row in rows), default=1),
        harness=rows[0].harness or "" if rows else "",
    )


def _natural(label: str) -> list[tuple[int, str]]:
    """By which labels stand in order, 2 before 10."""
    parts = re.split("([0-9]+)", label)
    return [(int(part) if part.isascii() and part.isdigit() else 0, part) for part in parts]


def differences(runs: Sequence[Run]) -> list[str]:
    """In what runs differ, beside their models, a sentence each: why they may not compare."""
    lines: list[str] = []
    for name in SETTING:
        # Of a run without any verdict there is no judge to differ.
        told = [run for run in runs if name != "judge" or run.scored]
        values = sorted({told_of(run.setting, name) for run in told})
        if len(values) > 1:
            lines.append(f"The runs differ in {word(name)}: {joined(values, MOST_NAMED)}.")
    return lines


def different_samples(runs: Sequence[Run]) -> list[str]:
    """A sentence where not all runs answered the same samples; else none."""
    asked = [{row.id for row in run.answers} for run in runs]
    if all(ids == asked[0] for ids in asked):
        return []
    common = len(set.intersection(*asked))
    counts = [f"{run.label} {len(ids):,}" for run, ids in zip(runs, asked, strict=True)]
    told = joined(counts, MOST_NAMED)
    return [f"The runs answered different samples, {common:,} of which are common to all: {told}."]


def alike(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs of a benchmark by what makes them the same test, so that they have the same samples."""
    groups: dict[object, list[Run]] = {}
    for run in runs:
        key = run.report.alike
        groups.setdefault(key(run) if key else None, []).append(run)
    return list(groups.values())


def named_with_counts(sentence: str, counts: Iterable[tuple[Run, int, int]]) -> list[str]:
    """A sentence that names runs, each with a number and what it is of; none without any."""
    told = [f"{run.label} {part:,} of {whole:,}" for run, part, whole in counts]
    return [f"{sentence}: {joined(told, MOST_NAMED)}."] if told else []
