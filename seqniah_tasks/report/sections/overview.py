"""The scores of all runs, how they were made, and what is in no figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import shorten

from seqniah_tasks.kinds import SHARE
from seqniah_tasks.means import accuracy
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import (
    SCORED,
    drawn,
    ends,
    means,
    point,
    share_columns,
    tabled,
    unscored,
)
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Section,
    Table,
    of_kind,
)
from seqniah_tasks.report.runs import Run, Study, differences, named_with_counts
from seqniah_tasks.report.sections import effective
from seqniah_tasks.report.settings import SETTING, word
from seqniah_tasks.report.words import listed, percent
from seqniah_tasks.truncation import Fate

_MOST_REASON = 200
"""Characters of a reason that a note quotes."""


def section(study: Study) -> Section | None:
    """The key figure of runs of any benchmark; None where there is no run."""
    if not study.runs:
        return None
    binary = study.runs[0].benchmark.scoring.binary
    measure = "accuracy" if binary else "mean score"
    return Section(
        name="scores",
        title="Scores",
        lead=(
            f"The {measure} over the scored samples. The bars are 95 % intervals; several epochs "
            f"of a sample count as one, by their mean.{drawn(study.runs[0].benchmark)} "
            "Answers that could not be judged are in no figure and are counted below."
        ),
        figures=(
            Figure(
                name="scores",
                title=measure.capitalize(),
                told=told(study, measure),
                chart=Dots(Axis(measure), tuple(dots(study))),
            ),
        ),
        tables=(runs_table(study), settings_table(study, "settings")),
        notes=(*differing(study), *unscored_notes(study.runs)),
    )


def dots(study: Study) -> list[DotRow]:
    """A row a run, with its key figure."""
    return [DotRow(run.label, point(run.share)) for run in study.runs]


def told(study: Study, measure: str) -> str:
    """The best and the worst run in a sentence."""
    scored = [run for run in study.runs if run.share.of]
    what = measure.capitalize()
    if not scored:
        return "No answer is scored."
    if len(scored) == 1:
        return f"{what} of {_scored(scored[0])}."
    return f"{what} is highest for {_scored(scored[0])}, lowest for {_scored(scored[-1])}."


def _scored(run: Run) -> str:
    share = run.share
    return f"{run.label}: {percent(share.value)} ({percent(share.low)} to {percent(share.high)})"


def runs_table(study: Study) -> Table:
    """Scores of the runs, what is not in them, and means of all figures."""
    benchmark = study.runs[0].benchmark
    binary, figures = benchmark.scoring.binary, benchmark.figures
    right = ("right", "Right") if binary else ("perfect", "Perfect")
    kinds = [Kind.SHARE if kind is SHARE else Kind.NUMBER for kind in figures.values()]
    titles = [figure.replace("_", " ").capitalize() for figure in figures]
    columns = (
        Column("run", "Run"),
        *share_columns(*(("accuracy", "Accuracy") if binary else ("score", "Mean score"))),
        *effective.COLUMNS,
        Column(*right, Kind.COUNT),
        SCORED,
        *of_kind(Kind.COUNT, answers="Answers", unscored="Unscored", cut="Prompt cut"),
        *of_kind(Kind.COUNT, skipped="Prompt not sent", unverified="Prompt unverified"),
        *map(Column, figures, titles, kinds),
    )
    return tabled(
        "runs", "Runs", columns, (_line(run, study.threshold) for run in study.runs), open=True
    )


def _line(run: Run, threshold: float) -> tuple[Cell, ...]:
    fates = Counter(row.prompt_fate for row in run.answers)
    return (
        run.label,
        *ends(run.share),
        *effective.cells(run.benchmark, run.answers, threshold),
        accuracy(run.answers).hits,
        run.share.of,
        len(run.answers),
        unscored(run.answers),
        *(fates[fate] for fate in (Fate.CUT, Fate.SKIPPED, Fate.UNVERIFIED)),
        *means(run.scored, run.benchmark.figures),
    )


def settings_table(study: Study, name: str) -> Table:
    """How the runs were made, and where they stand; `name` is the table's."""
    columns = (
        *of_kind(Kind.TEXT, run="Run", model="Model", generation="Generation", harness="Harness"),
        *(Column(one, word(one).capitalize()) for one in SETTING),
        Column("epochs", "Epochs", Kind.COUNT),
        Column("files", "Files"),
    )
    rows: list[tuple[Cell, ...]] = []
    for run in study.runs:
        harnesses = ", ".join(sorted({row.harness for row in run.answers if row.harness}))
        setting = [getattr(run.setting, one) for one in SETTING]
        epochs = max((row.epoch for row in run.answers if row.epoch), default=None)
        told = [one or None for one in (run.generation, harnesses, *setting)]
        rows.append((run.label, run.model, *told, epochs, "; ".join(run.files)))
    return Table(name, "Settings and files of the runs", columns, tuple(rows))


def differing(study: Study) -> list[str]:
    """In what runs differ, and what it means."""
    notes = differences(study.runs)
    if notes:
        notes.append(
            "Compare only within the same split, edition, benchmark version, tokenizer, corpus, "
            "judge and set-up."
        )
    return notes


def unscored_notes(runs: Sequence[Run]) -> list[str]:
    """What of runs is in no figure, and what may have been seen in part only."""
    unverified = (
        (run, sum(row.prompt_fate == Fate.UNVERIFIED for row in run.answers), len(run.answers))
        for run in runs
    )
    return [
        *(note for run in runs for note in _left_out(run)),
        *named_with_counts(
            "Of some prompts nothing tells whether the model saw them whole, as no token count was "
            "reported or too few prompts were shorter",
            filter(lambda one: one[1], unverified),
        ),
    ]


def _left_out(run: Run) -> list[str]:
    """What is not in a run's figures, and why, in words."""
    unscored = [row for row in run.answers if row.correct is None]
    if not unscored:
        return []
    reasons = sorted(Counter(map(_why, unscored)).items(), key=lambda one: (-one[1], one[0]))
    told = listed([f"{count:,} {why}" for why, count in reasons])
    of = f"{len(unscored):,} of {len(run.answers):,}"
    return [f"{run.label}: {of} answers unscored: {told}.", *_example(unscored)]


def _why(row: Record) -> str:
    """Why an answer is unscored, after its number."""
    if row.prompt_fate == Fate.CUT:
        return "with a prompt that was cut"
    if row.prompt_fate == Fate.SKIPPED:
        return "with a prompt that was not sent, since it does not fit the model's window"
    return "to which the judge gave no verdict" if row.judged_by == "model" else "never judged"


def _example(unscored: Sequence[Record]) -> list[str]:
    """What is told of the first one, where that is more than the fate of its prompt."""
    known = (Fate.CUT, Fate.SKIPPED)
    row = next((row for row in unscored if row.reason and row.prompt_fate not in known), None)
    if row is None:
        return []
    reason = shorten(row.reason or "", _MOST_REASON, placeholder="...")
    return [f'Of {row.id} the file tells: "{reason}"']
