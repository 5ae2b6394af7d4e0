"""What a reader must know before a figure is believed: what was run, and in which way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from seqniah_tasks import benchmarks
from seqniah_tasks.records import Record
from seqniah_tasks.report.runs import (
    MOST_NAMED,
    Run,
    alike,
    differences,
    different_samples,
    named_with_counts,
)
from seqniah_tasks.report.settings import Setting, told_of, word
from seqniah_tasks.report.words import joined


def cautions(runs: Sequence[Run]) -> list[str]:
    """Why figures of these runs may mislead, a sentence each: but for what is unscored.

    Runs of different benchmarks are compared in none.
    """
    parts = ([run for run in runs if run.setting.benchmark == one] for one in benchmarks.known())
    return [line for part in parts if part for line in _of_benchmark(part)]


def _of_benchmark(runs: Sequence[Run]) -> list[str]:
    own = runs[0].report
    odd = [f"{run.label}: {', '.join(run.setting.odd)}" for run in runs if run.setting.odd]
    named = joined(odd, MOST_NAMED)
    return [
        *([f"{own.unusual}, and such runs are another test: {named}."] if odd else []),
        *differences(runs),
        *(line for group in alike(runs) for line in different_samples(group)),
        *named_with_counts("Not every run has finished all that was planned", _unfinished(runs)),
        *own.part_of(runs),
    ]


def settings(runs: Sequence[Run]) -> str:
    """What runs of a benchmark share, e.g. "test split, tokenizer qwen"; empty for nothing."""
    told: list[str] = []
    for field in fields(Setting)[1:]:
        values = {getattr(run.setting, field.name) for run in runs}
        if len(values) == 1 and values.pop():
            name, value = word(field.name), told_of(runs[0].setting, field.name)
            told.append(f"{value} {name}" if name in ("split", "edition") else f"{name} {value}")
    return ", ".join(told)


def _unfinished(runs: Sequence[Run]) -> Iterator[tuple[Run, int, int]]:
    """Runs that were broken off, that go on, or of which samples ended with an error.

    With how many answers are finished and how many were planned, in the files that lack some.
    """
    for run in runs:
        files: dict[str, dict[int, Record]] = {}
        for row in (*run.answers, *run.suite):
            files.setdefault(row.source, {})[id(row)] = row
        finished = planned = 0
        for rows in files.values():
            # Where a file does not tell, what it holds is all that is known.
            whole = max(len(rows), *(row.planned or 0 for row in rows.values()))
            done = sum(row.finished is not False for row in rows.values())
            if done < whole:
                finished, planned = finished + done, planned + whole
        if finished < planned:
            yield run, finished, planned
