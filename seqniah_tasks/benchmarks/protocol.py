"""What a benchmark declares, and what generic code may ask of it.

A benchmark is a folder beside this file, or a package that another distribution offers under the
entry point group `seqniah.benchmarks`. Its `BENCHMARK` is a `Benchmark`; opened with options it is
a `Bench`. Everything has a default that suits a small benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from seqniah_scorers.labelled import Labelled
from seqniah_tasks.benchmarks.bench import (
    Bench,
    Decoding,
    Exchange,
    Item,
    P,
    Planned,
    Prefixes,
    Sample,
    Stats,
)
from seqniah_tasks.benchmarks.scoring import (
    LANGUAGES,
    LENGTHS,
    Answered,
    ByCase,
    ByMeasure,
    Cluster,
    Facts,
    Figure,
    Group,
    Scored,
    Scoring,
    Suite,
    Told,
)
from seqniah_tasks.benchmarks.shown import Audio, Image, Part, Prompt, Text, Turn, prompt_of
from seqniah_tasks.kinds import LENGTH, NAME, SHARE, Kind

if TYPE_CHECKING:
    from rich.console import Console

    from seqniah_tasks.records import Record
    from seqniah_tasks.report.declared import ReportOf

__all__ = [
    "LANGUAGES",
    "LENGTHS",
    "ROUND_NOTES",
    "Answered",
    "Audio",
    "Bench",
    "Benchmark",
    "ByCase",
    "ByMeasure",
    "Cluster",
    "Columns",
    "Command",
    "Decoding",
    "Exchange",
    "Facts",
    "Figure",
    "Group",
    "Image",
    "Item",
    "JudgeBench",
    "LmEval",
    "LmEvalGroup",
    "LmEvalTask",
    "Metric",
    "P",
    "Part",
    "Planned",
    "Prefixes",
    "Prompt",
    "Rounds",
    "Sample",
    "Scored",
    "Scoring",
    "Stats",
    "Step",
    "Suite",
    "SummaryPart",
    "TaskSpec",
    "Text",
    "Told",
    "Turn",
    "prompt_of",
]
"""All that a benchmark needs, from one place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What a record has of a benchmark beside what all have; each in the order of columns."""

    traits: Mapping[str, Kind] = field(default_factory=dict)
    """Named texts: where a question comes from, what it asks."""
    figures: Mapping[str, Kind] = field(default_factory=dict)
    """Named numbers."""
    items: Mapping[str, Kind] = field(default_factory=dict)
    """Lists with an entry for each item of the reference."""
    failure_modes: tuple[str, ...] = ()
    lang: Kind = NAME
    """What language tags are."""
    length: Kind = LENGTH
    """What names of lengths are."""
    read: Callable[[str, Facts, Facts], Facts] = lambda where, facts, told: {}
    """Columns that do not stand in files under their own names, from a sample's facts and from what
    is told of its verdict. Raises `SeqniahError` that names the place, the first argument."""
    is_cut: Callable[[Facts, Facts], bool] = lambda facts, told: False
    """Whether short summaries of logs lack something of a scored sample that a whole one has."""
    setups: Callable[[Facts], list[str]] = lambda facts: []
    """What makes a run another test than the usual, from its facts."""


# Harnesses.


@dataclass(frozen=True, slots=True)
class Step:
    """What follows from a model's reply where a sample is asked in rounds."""

    ask: Prompt | Turn | None
    """Next: a prompt, beside which the model sees nothing of the rounds before; a turn that comes
    after all of them; None, where the reply is the answer."""
    notes: Facts = field(default_factory=dict)
    """What logs keep of the round that the reply ends, as JSON values."""
    state: Any = None
    """What comes back with the next reply."""


Rounds = Callable[["Bench[Any]", Any, Any, str], Step]
"""From the benchmark, a sample, the state of the step before (None at first) and the reply.

It may take long: harnesses call it outside their event loop. Raises `SeqniahError`.
"""

ROUND_NOTES = "round_notes"
"""The fact of a sample under which logs keep the notes of its rounds, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """A task as harnesses and the command line name it."""

    name: str
    summary: str
    """The first sentence of its help."""
    options: type
    """A frozen dataclass of `options.option` fields."""
    open: Callable[[Any], Bench[Any]]
    """The benchmark with options of that class. Raises `SeqniahError`."""
    fixed: Facts = field(default_factory=dict)
    """Fields of the options that the task itself sets."""
    rounds: Rounds | None = None
    """What follows from replies where a sample's turns are not all that is asked."""
    sometimes: bool = False
    """Whether only samples are asked in rounds for which `Bench.in_rounds` holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric of lm-eval."""

    name: str
    figure: str = ""
    """Of the answer; empty: the score."""
    higher_is_better: bool = True
    always: bool = False
    """Whether every scored answer has the figure; then its mean has a standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LmEvalTask:
    """A task of lm-eval: all samples of a `TaskSpec`, or those of one kind."""

    name: str
    alias: str
    task: str
    """Name of the `TaskSpec`."""
    fixed: Facts = field(default_factory=dict)
    """Options that it sets; users cannot."""
    only: Facts = field(default_factory=dict)
    """Facts that a sample must have to be one of it."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LmEvalGroup:
    """Tasks of lm-eval under one name."""

    name: str
    alias: str
    tasks: tuple[str, ...]
    """Tasks, or other groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LmEval:
    """What lm-eval must know of a benchmark."""

    tasks: tuple[LmEvalTask, ...]
    groups: tuple[LmEvalGroup, ...] = ()
    metrics: tuple[Metric, ...] = (Metric(name="score"),)
    """The first one is the score itself."""
    aggregated: tuple[str, ...] = ("score",)
    """Metrics that groups sum up, beside the share of unscored answers."""
    by_length: str = "len_{}"
    """Name of the score at one length."""
    run_facts: tuple[str, ...] = ("benchmark", "version", "edition", "tokenizer", "corpus")
    """What each document repeats of its run's facts."""
    fields: Mapping[str, Kind] = field(default_factory=dict)
    """What documents hold of a sample beside id, question, reference, language and length, and
    how each is checked when it is read back."""
    later: frozenset[str] = frozenset()
    """Those of them that files of earlier versions lack."""
    fault: Callable[[Facts], tuple[str, str] | None] = lambda document: None
    """A field that is wrong though each is good by itself, and what it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBench:
    """Labelled cases on which judges of a benchmark's answers are measured."""

    name: str
    """As logs have it."""
    title: str
    version: int
    """Of its cases' bytes."""
    cases: Callable[[str, str, int], Sequence[Labelled]]
    """Those of a part (test, train), a set and a seed. Raises `UnknownName`."""
    labels: Mapping[bool, str]
    """How right and wrong are written."""


Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A part of a summary."""

    fields: Facts
    """For scripts; they stand among the summary's own."""
    print: Callable[[Console], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Benchmark:
    """Everything that generic code knows of a benchmark."""

    name: str
    """As logs have it: lower case, hyphens."""
    title: str
    """As people write it."""
    version: int
    """Of its bytes; any change of a prompt or an id raises it."""
    tasks: tuple[TaskSpec, ...]
    """The first one is the one that the others are variants of."""
    scoring: Scoring
    columns: Columns = Columns()
    lm_eval: LmEval | None = None
    report: Callable[[], ReportOf] | None = None
    """What a report says of its runs; None: scores, by length, in pairs, and their cost."""
    commands: Callable[[], Mapping[str, Command]] = dict
    """Its own commands by name, of one word or two."""
    stats: Callable[[Sequence[Bench[Any]]], Stats] | None = None
    """What the plans of one or several of its tasks hold, beside what was published."""
    of_id: Callable[[str], tuple[str, Facts] | None] = lambda sample_id: None
    """The task and the options that a sample's id tells of; None where it is no id of ours."""
    lenient: Facts = field(default_factory=dict)
    """Options of commands that only look at samples, unless told otherwise."""
    summary: Callable[[Sequence[Record]], SummaryPart | None] = lambda found: None
    """What summaries show of a run instead of its strata; None: the strata."""
    judge_bench: Callable[[], JudgeBench] | None = None
    about: str = ""
    """What `seqniah version` adds to its version."""
    unpublished: frozenset[str] = frozenset()
    """Names of lengths that its paper does not have."""
    unnamed: bool = False
    """Whether logs and samples that name no benchmark are of it, as early ones are."""
    readers: Mapping[str, Callable[[str, int], str]] = field(default_factory=dict)
    """Readers of its prompts without a language model, by name after `seqniah/`: an answer from a
    prompt, and from how many sentences to give at most."""
    answer_starts: Callable[[], Sequence[str]] = list
    """Ends of prompts that begin an answer, for readers without a language model."""

    @property
    def figures(self) -> Mapping[str, Kind]:
        """The figures of a record: as declared, or else those of the scoring, as shares."""
        return self.columns.figures or dict.fromkeys(self.scoring.figures, SHARE)

    def labelled(self, stratum: str) -> str:
        """A stratum's name as reports show it: lengths beyond the paper say so."""
        return f"{stratum} (unpublished)" if stratum in self.unpublished else stratum
