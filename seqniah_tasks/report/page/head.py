"""The top of the page: who was right how often, and of what a reader must beware."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seqniah_tasks import benchmarks
from seqniah_tasks.records import Record
from seqniah_tasks.report.runs import (
    MOST_NAMED,
    Run,
    Study,
    alike,
    differences,
    different_samples,
    named_with_counts,
)
from seqniah_tasks.report.settings import SETTING, told_of, word
from seqniah_tasks.report.words import counted, joined
from seqniah_tasks.truncation import Fate

MOST_AT_ONCE = 12
"""Runs in sight; of more, the others are shown when asked for."""

MOST_WARNINGS = 12
"""Runs of which the top says what is unscored; of more, their table tells."""

_LEADS = {
    True: "Strict accuracy, with its 95 % interval across the end of the bar.",
    False: "Mean score over the samples, with its 95 % interval across the end of the bar.",
}
"""What the key figure is, by whether answers are right or wrong."""


@dataclass(frozen=True, slots=True)
class Part:
    """The key figures of one benchmark."""

    title: str
    """Empty where there is no other benchmark."""
    lead: str
    """What the key figure is."""
    told: str
    """What was run; empty where the top of the page tells all of it."""
    runs: tuple[Run, ...]


def parts(study: Study) -> list[Part]:
    """The key figures, benchmark by benchmark."""
    found = study.by_benchmark().values()
    made: list[Part] = []
    for part in found:
        benchmark, own = part.runs[0].benchmark, part.runs[0].report
        told = [own.what(part.runs)]
        if len(found) > 1 and (shared := settings(part.runs)):
            told.append(f"All: {shared}.")
        title = benchmark.title if len(found) > 1 else ""
        lead = own.lead or _LEADS[benchmark.scoring.binary]
        made.append(Part(title, lead, " ".join(filter(None, told)), part.runs))
    return made


def read_from(study: Study) -> str:
    """What the page is made of, as a sentence."""
    rows = {id(row): row for run in study.runs for row in (*run.answers, *run.suite)}
    told = (
        counted(len(rows), "answer"),
        f"to {counted(len({row.id for row in rows.values()}), 'sample')}",
        f"by {counted(len({run.model for run in study.runs}), 'model')}",
        f"in {counted(len(study.runs), 'run')},",
        f"read from {counted(len({name for run in study.runs for name in run.files}), 'file')}.",
    )
    return " ".join(told)


def warnings(study: Study) -> list[str]:
    """Why figures may mislead: what was run, and in which way; answers without verdict."""
    unscored = [_unscored(run) for run in study.runs if run.unscored]
    if len(unscored) > MOST_WARNINGS:
        others = counted(len(unscored) - MOST_WARNINGS, "further run")
        unscored[MOST_WARNINGS:] = [f"So it is with {others}; the table of runs has them all."]
    return cautions(study.runs) + unscored


def _unscored(run: Run) -> str:
    """What of a run is in no figure, and why."""
    fates = Counter(row.prompt_fate for row in run.answers if row.correct is None)
    reasons = (
        (fates.pop(Fate.CUT, 0), "prompts cut"),
        (fates.pop(Fate.SKIPPED, 0), "prompts not sent"),
        (fates.total(), "without verdict"),
    )
    why = ", ".join(f"{count:,} {what}" for count, what in reasons if count)
    total = f"{run.unscored:,} of {counted(len(run.answers), 'answer')}"
    return f"{run.label}: {total} unscored, so in no figure ({why})."


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
    for field in SETTING[1:]:
        values = {getattr(run.setting, field) for run in runs}
        if len(values) == 1 and values.pop():
            name, value = word(field), told_of(runs[0].setting, field)
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
