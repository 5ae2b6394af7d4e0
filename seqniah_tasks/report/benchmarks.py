"""What the report must know of each benchmark to rank its runs and to tell their key figure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from seqniah_tasks.records import Share, mean_of_epochs
from seqniah_tasks.report.columns import COUNTING_STARS, SEQUENTIAL_NIAH
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import percent
from seqniah_tasks.resampling import mean_share


@dataclass(frozen=True, slots=True)
class Headlined:
    """One benchmark whose runs a report may show."""

    title: str
    share: Callable[[Iterable[Row]], Share]
    """The key figure of answers: 0 to 1, with its interval; unscored ones are in no figure."""
    lead: str
    """What the key figure is, in a sentence."""
    task: Callable[[str], str]
    """A run's task, from what logs tell of its set-up; empty if there is only one."""
    ways: Callable[[str], list[str]]
    """In which ways it was run beside that, from the same, one by one."""
    figure: Callable[[Share], str]
    """The key figure of a run in a line of its own, where there is one."""


def accuracy(rows: Iterable[Row]) -> Share:
    """Strict accuracy of the scored ones; epochs of one sample count as one, by their mean."""
    return mean_of_epochs((row.id, row.correct) for row in rows if row.correct is not None)


def mean_score(rows: Iterable[Row]) -> Share:
    """The mean score of the scored ones; epochs of one sample count as one, by their mean."""
    return mean_share((row.id, row.score) for row in rows if row.score is not None)


_TASK = re.compile(r"reasoning|[0-9]{1,6} players")
"""Set-ups that are tasks of their own, and no odd way of running one."""


def oddities(setup: str) -> list[str]:
    """What a set-up about stars holds beside its task."""
    return [one for one in setup.split(", ") if one and not _TASK.fullmatch(one)]


def _task(setup: str) -> str:
    """The task of a set-up about stars: logs do not tell searching, the usual one."""
    return ", ".join(one for one in setup.split(", ") if _TASK.fullmatch(one)) or "searching"


BENCHMARKS: Mapping[str, Headlined] = {
    SEQUENTIAL_NIAH: Headlined(
        title="Sequential-NIAH",
        share=accuracy,
        lead="Strict accuracy, with its 95 % interval across the end of the bar.",
        task=lambda _: "",
        ways=lambda told: (told or "the usual set-up").split(", "),
        figure=lambda share: f"{share.value:.1%} of {share.of:,}",
    ),
    COUNTING_STARS: Headlined(
        title="Counting-Stars",
        share=mean_score,
        lead=(
            "Mean score over the samples, with its 95 % interval across the end of the bar: of a "
            "list the share of the stars asked for whose number it holds; of a sum or a largest "
            "number 1 if it is right, else 0."
        ),
        task=_task,
        ways=oddities,
        figure=lambda share: f"mean score {percent(share.value)} over {_samples(share.of)}",
    ),
}
"""In the order of the page; by their names in logs."""


def _samples(count: int) -> str:
    return f"{count:,} {'sample' if count == 1 else 'samples'}"
