"""Rows of the table of records as runs to be compared: who answered what, under which setting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count as count_from
from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.records import Share, mean_of_epochs
from seqniah_tasks.report.published import SPLIT
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import joined

MOST_RUNS = 200
"""Runs of a report, whose page, charts and comparisons grow with them."""

MOST_LINES = 6
"""Runs that a chart shows as lines; more become rows of a heat map."""

MOST_FACETS = 8
"""Runs that have a chart of their own; of the others the tables tell."""


MOST_NAMED = 8
"""Runs, or what they differ in, that a sentence names."""

_WORDS = {"version": "benchmark version", "setup": "set-up"}
"""Of settings that are not called as their fields are."""


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """What must be the same for two runs to be comparable; an empty text is not told."""

    split: str
    edition: str
    version: str
    tokenizer: str
    corpus: str
    judge: str
    setup: str
    """What is unusual, e.g. "closed book"."""


@dataclass(frozen=True, slots=True)
class Run:
    """One model under one setting, with its answers."""

    label: str
    """The model, and what tells it from others of the same name."""
    model: str
    setting: Setting
    answers: tuple[Row, ...]
    """To the split's samples as they are; where only the noise suite was run, its originals."""
    suite: tuple[Row, ...]
    """All of the noise suite, its originals included; empty where it was not run."""
    files: tuple[str, ...]

    @property
    def scored(self) -> list[Row]:
        """Answers with a verdict."""
        return [row for row in self.answers if row.correct is not None]

    @property
    def accuracy(self) -> Share:
        """Strict accuracy over the scored answers."""
        return accuracy(self.answers)

    @property
    def of_paper(self) -> bool:
        """Whether it is of the split that the paper's figures are of, asked in the usual way."""
        return self.setting.split == SPLIT and not self.setting.setup


@dataclass(frozen=True, slots=True)
class Study:
    """All runs of a report."""

    runs: tuple[Run, ...]
    """The most accurate first, then by label."""

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
            f"Charts of single runs are of the {MOST_FACETS} most accurate; the tables have the "
            f"other {more} too, and a report of fewer logs shows them."
        )


def accuracy(rows: Iterable[Row]) -> Share:
    """Strict accuracy of the scored ones; epochs of one sample count as one, by their mean."""
    return mean_of_epochs((row.id, row.correct) for row in rows if row.correct is not None)


def study(files: Mapping[Path, Sequence[Row]]) -> Study:
    """The runs in these files, each with all its files.

    Files of one model and setting are one run where they hold different samples (parts of a
    split, tasks of lm-eval); a file that answers a sample again is a run of its own. Raises
    `SeqniahError` when they are too many to compare.
    """
    found: dict[tuple[str, Setting], list[_Parts]] = {}
    for path, rows in files.items():
        for (model, setting), part in _by_setting(rows).items():
            runs = found.setdefault((model, setting), [])
            _place(runs, path, part)
    parts = [(*key, run) for key, runs in found.items() for run in runs]
    if len(parts) > MOST_RUNS:
        raise SeqniahError(
            f"The files hold {len(parts):,} runs, each one model under one setting, and a report "
            f"compares at most {MOST_RUNS}; give fewer of them, or write a table of all with "
            "seqniah records."
        )
    named = _labelled(parts)
    return Study(tuple(sorted(named, key=lambda run: (-_rank(run), _natural(run.label)))))


def _rank(run: Run) -> float:
    share = run.accuracy
    return share.value if share.of else -1.0


@dataclass(slots=True)
class _Parts:
    """A run as it is put together."""

    answers: dict[str, list[Row]]
    """By file; of files without variants."""
    suites: dict[str, list[Row]]

    def joins(self, rows: Sequence[Row], suite: bool) -> bool:
        """Whether rows are of samples that are not there yet."""
        held = self.suites if suite else self.answers
        ids = {row.id for row in rows}
        return all(row.id not in ids for part in held.values() for row in part)


def _by_setting(rows: Sequence[Row]) -> dict[tuple[str, Setting], list[Row]]:
    """A file's rows by who answered under which setting: one, but for files put together."""
    judges = {row.judge for row in rows if row.judge}
    only = judges.pop() if len(judges) == 1 else ""
    groups: dict[tuple[str, Setting], list[Row]] = {}
    for row in rows:
        key = row.model or "unnamed", _setting(row, only)
        groups.setdefault(key, []).append(row)
    return groups


def _setting(row: Row, judge: str) -> Setting:
    """`judge` is the file's, for answers that none judged."""
    return Setting(
        split=row.split or "",
        edition=row.edition or "",
        version=row.version or "",
        tokenizer=row.tokenizer or "",
        corpus=row.corpus or "",
        judge=row.judge or judge,
        setup=row.setup or "",
    )


def _place(runs: list[_Parts], path: Path, rows: list[Row]) -> None:
    suite = any(row.noise for row in rows)
    place = next((run for run in runs if run.joins(rows, suite)), None)
    if place is None:
        place = _Parts({}, {})
        runs.append(place)
    (place.suites if suite else place.answers)[str(path)] = rows


def _labelled(found: Sequence[tuple[str, Setting, _Parts]]) -> list[Run]:
    labels = _told_apart([_label(number, found) for number in range(len(found))])
    runs: list[Run] = []
    for (model, setting, parts), label in zip(found, labels, strict=True):
        suite = [row for part in parts.suites.values() for row in part]
        answers = [row for part in parts.answers.values() for row in part]
        runs.append(
            Run(
                label=label,
                model=model,
                setting=setting,
                answers=tuple(answers or [row for row in suite if row.noise is None]),
                suite=tuple(suite),
                files=(*parts.answers, *parts.suites),
            )
        )
    return runs


def _told_apart(labels: Sequence[str]) -> list[str]:
    """The same labels, numbered where several are alike, and never like one that is there."""
    once = {label for label, count in Counter(labels).items() if count == 1}
    taken = set(once)
    made: list[str] = []
    for label in labels:
        if label in once:
            made.append(label)
            continue
        numbered = (f"{label} ({number})" for number in count_from(1))
        made.append(next(one for one in numbered if one not in taken))
        taken.add(made[-1])
    return made


def _natural(label: str) -> list[tuple[int, str]]:
    """By which labels stand in order, 2 before 10."""
    parts = re.split("([0-9]+)", label)
    return [(int(part) if part.isascii() and part.isdigit() else 0, part) for part in parts]


def _label(number: int, found: Sequence[tuple[str, Setting, _Parts]]) -> str:
    """The model, and of its setting what not all runs of that model share."""
    model, setting, _ = found[number]
    others = [other for name, other, _ in found if name == model]
    told = [
        _value(setting, field.name)
        for field in fields(Setting)
        if len({getattr(other, field.name) for other in others}) > 1
    ]
    return f"{model} ({', '.join(told)})" if told else model


def differences(runs: Sequence[Run]) -> list[str]:
    """In what runs differ, beside their models, a sentence each: why they may not compare."""
    lines: list[str] = []
    for field in fields(Setting):
        # Of a run without any verdict there is no judge to differ.
        told = [run for run in runs if field.name != "judge" or run.scored]
        values = sorted({_value(run.setting, field.name) for run in told})
        if len(values) > 1:
            lines.append(f"The runs differ in {word(field.name)}: {joined(values, MOST_NAMED)}.")
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


def _value(setting: Setting, name: str) -> str:
    if name == "setup":
        return setting.setup or "the usual set-up"
    return getattr(setting, name) or f"{word(name)} not told"


def word(name: str) -> str:
    """What a field of a setting is called in a sentence."""
    return _WORDS.get(name, name)
