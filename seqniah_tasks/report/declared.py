"""What a benchmark declares of its reports; each part has a default."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqniah_tasks import benchmarks

if TYPE_CHECKING:
    from seqniah_tasks.records import Record, Transcript
    from seqniah_tasks.report.cases import Beside
    from seqniah_tasks.report.parts import Section
    from seqniah_tasks.report.runs import Run, Study

Make = Callable[["Study"], "Section | None"]
"""A section from the runs of a benchmark; None where there is nothing to show."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted beside mean scores where runs are compared in pairs, e.g. found items."""

    values: Callable[[Record], Sequence[float]]
    """Of a scored answer, 0 to 1 each; from 0.5 on it counts as had."""
    columns: tuple[tuple[str, str], ...]
    """Names and titles: what both runs have, the first alone, the second alone, neither."""
    lead: str
    """What is counted, in a sentence."""
    epochs: str
    """How it is counted where samples were asked several times; it goes on after a semicolon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOf:
    """What a report says of the runs of a benchmark."""

    sections: tuple[Make, ...] = ()
    """In the order of the page; empty: scores, by group, in pairs, and what they took."""
    lead: str = ""
    """What the key figure is, in a sentence; empty: accuracy or the mean score."""
    usual_task: str = ""
    """The task that logs do not tell; empty where there is one task only."""
    is_task: Callable[[str], bool] = lambda part: False
    """Whether a part of a run's set-up is its task, and no odd way of running it."""
    what: Callable[[Sequence[Run]], str] = lambda runs: ""
    """What was run, in a sentence; may be empty."""
    unusual: str = "Not every run was asked in the usual way"
    """The beginning of a sentence about set-ups."""
    part_of: Callable[[Sequence[Run]], list[str]] = lambda runs: []
    """A sentence where runs have a part only of what there is to be asked."""
    alike: Callable[[Run], Hashable] | None = None
    """By what runs should have the same samples; None: all should."""
    counted: Counted | None = None
    beside: Callable[[Transcript], tuple[Beside | None, str | None]] = lambda told: (None, None)
    """An answer's items beside the reference's, and what a reader must know to trust them."""
    found: Callable[[Record], str] | None = None
    """How much of the reference an answer has, in words; None: its score, if it is a number."""
    strata: Mapping[str, str] = field(default_factory=dict)
    """Traits by which single answers can be chosen, and what these are called; the first one is
    what a question is of."""


_DEFAULT = ReportOf()


def report_of(benchmark: str) -> ReportOf:
    """What the benchmark of a name declares, or what suits any."""
    declared = benchmarks.known()[benchmark].report
    return declared() if declared else _DEFAULT
