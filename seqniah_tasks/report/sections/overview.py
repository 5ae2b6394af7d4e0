"""Accuracy of all runs, what is not in it, and the paper's models beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from textwrap import shorten

from seqniah_tasks.report import published
from seqniah_tasks.report.measures import mean, point, tally, tally_kind
from seqniah_tasks.report.parts import (
    Axis,
    Cell,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
)
from seqniah_tasks.report.runs import MOST_NAMED, Run, Study, differences
from seqniah_tasks.report.settings import Setting, word
from seqniah_tasks.report.table import Row
from seqniah_tasks.report.words import joined, listed, percent
from seqniah_tasks.truncation import Fate

_MOST_REASON = 200
"""Characters of a reason that a note quotes."""


def section(study: Study) -> Section | None:
    """The headline: strict accuracy; None where there is no run."""
    if not study.runs:
        return None
    beside = _beside(study)
    return Section(
        name="accuracy",
        title="Accuracy",
        lead=(
            "Share of the scored answers that are right: every item found, nothing else given, "
            "and in the true order where the question demands it. The bars are 95 % Wilson "
            "intervals; several epochs of a sample count as one, by their mean. Answers that could "
            "not be judged are in no share and are counted below."
            + (f" Hollow marks are the paper's models: {published.WORDS}." if beside else "")
        ),
        figures=(_figure(study, beside),),
        tables=(
            _runs(study),
            settings_table(study, "settings"),
            *((_published(beside),) if beside else ()),
        ),
        notes=tuple(_notes(study, beside)),
    )


def _beside(study: Study) -> tuple[published.Failures, ...]:
    """The paper's models, the most accurate first; none where nothing is of their split."""
    return published.BEST_FIRST if any(run.of_paper for run in study.runs) else ()


def _figure(study: Study, beside: Sequence[published.Failures]) -> Figure:
    rows = [DotRow(run.label, point(run.accuracy)) for run in study.runs]
    rows += [
        DotRow(one.model, Point(one.accuracy, of=published.SAMPLES), published=True)
        for one in beside
    ]
    return Figure(
        name="accuracy",
        title=f"Accuracy (hollow: {beside[0].source}; {published.WORDS})" if beside else "Accuracy",
        told=_told(study, beside),
        chart=Dots(Axis("accuracy"), tuple(rows)),
    )


def _told(study: Study, beside: Sequence[published.Failures]) -> str:
    scored = [run for run in study.runs if run.accuracy.of]
    if not scored:
        told = "No answer is scored."
    elif len(scored) == 1:
        told = f"Accuracy of {_accurate(scored[0])}."
    else:
        told = (
            f"Accuracy is highest for {_accurate(scored[0])}, lowest for {_accurate(scored[-1])}."
        )
    if beside:
        ends = f"{percent(beside[-1].accuracy)} to {percent(beside[0].accuracy)}"
        told += f" Of the paper's {len(beside)} models it is {ends}."
    return told


def _accurate(run: Run) -> str:
    share = run.accuracy
    return f"{run.label}: {percent(share.value)} ({percent(share.low)} to {percent(share.high)})"


def _runs(study: Study) -> Table:
    rows = tuple(_line(run) for run in study.runs)
    columns = (
        Column("run", "Run"),
        Column("accuracy", "Accuracy", Kind.SHARE),
        Column("low", "Lower end", Kind.SHARE),
        Column("high", "Upper end", Kind.SHARE),
        Column("right", "Right", tally_kind(row[4] for row in rows)),
        Column("scored", "Samples scored", Kind.COUNT),
        Column("answers", "Answers", Kind.COUNT),
        Column("unscored", "Unscored", Kind.COUNT),
        Column("cut", "Prompt cut", Kind.COUNT),
        Column("skipped", "Prompt not sent", Kind.COUNT),
        Column("unverified", "Prompt unverified", Kind.COUNT),
        Column("item_recall", "Item recall", Kind.SHARE),
        Column("item_precision", "Item precision", Kind.SHARE),
        Column("order_agreement", "Order agreement", Kind.NUMBER),
    )
    return Table("runs", "Runs", columns, rows, open=True)


def _line(run: Run) -> tuple[Cell, ...]:
    share, scored = run.accuracy, run.scored
    fates = Counter(row.prompt_fate for row in run.answers)
    means = (
        mean(scored, lambda row: row.item_recall),
        mean(scored, lambda row: row.item_precision),
        mean(scored, lambda row: row.order_agreement),
    )
    return (
        run.label,
        *((share.value, share.low, share.high) if share.of else (None, None, None)),
        tally(share.hits),
        share.of,
        len(run.answers),
        len(run.answers) - len(scored),
        *(fates[fate] for fate in (Fate.CUT, Fate.SKIPPED, Fate.UNVERIFIED)),
        *(one.value if one else None for one in means),
    )


def settings_table(study: Study, name: str) -> Table:
    """How the runs were made, and where they stand; `name` is the table's."""
    names = [field.name for field in fields(Setting)]
    columns = (
        Column("run", "Run"),
        Column("model", "Model"),
        Column("generation", "Generation"),
        Column("harness", "Harness"),
        *(Column(name, word(name).capitalize()) for name in names),
        Column("epochs", "Epochs", Kind.COUNT),
        Column("files", "Files"),
    )
    rows: list[tuple[Cell, ...]] = []
    for run in study.runs:
        harnesses = ", ".join(sorted({row.harness for row in run.answers if row.harness}))
        setting = [getattr(run.setting, name) for name in names]
        epochs = max((row.epoch for row in run.answers if row.epoch), default=None)
        told = [one or None for one in (run.generation, harnesses, *setting)]
        rows.append((run.label, run.model, *told, epochs, "; ".join(run.files)))
    return Table(name, "Settings and files of the runs", columns, tuple(rows))


def _published(beside: Sequence[published.Failures]) -> Table:
    columns = (
        Column("model", "Model"),
        Column("accuracy", "Accuracy", Kind.SHARE),
        Column("samples", "Samples", Kind.COUNT),
        Column("source", "Source"),
        Column("remark", "Remark"),
    )
    tabled = [(one.model, one.accuracy, f"{one.source}: wrong answers") for one in beside]
    told = [(one.model, one.accuracy, one.source) for one in published.ACCURACIES]
    rows = tuple(
        (model, accuracy, published.SAMPLES, source, published.WORDS)
        for model, accuracy, source in (*tabled, *told)
    )
    return Table("published", "The paper's models", columns, rows)


def _notes(study: Study, beside: Sequence[published.Failures]) -> list[str]:
    notes = differences(study.runs)
    if notes:
        notes.append(
            "Compare only within the same split, edition, benchmark version, tokenizer, corpus, "
            "judge and set-up."
        )
    notes += unscored_notes(study.runs)
    if beside:
        notes.append(
            f"The paper's accuracies follow from {beside[0].source}, which counts the wrong "
            f"answers among {published.SAMPLES:,}; {published.WORDS}: a rough guide, no comparison."
        )
    return notes


def unscored_notes(runs: Sequence[Run]) -> list[str]:
    """What of runs is in no figure, and what may have been seen in part only."""
    return [*(note for run in runs for note in _left_out(run)), *_unverified(runs)]


def _left_out(run: Run) -> list[str]:
    """What is not in a run's figures, and why, in words."""
    notes: list[str] = []
    of = f"{len(run.answers):,}"
    unscored = [row for row in run.answers if row.correct is None]
    if unscored:
        reasons = sorted(Counter(map(_why, unscored)).items(), key=lambda one: (-one[1], one[0]))
        told = listed([f"{count:,} {why}" for why, count in reasons])
        notes.append(f"{run.label}: {len(unscored):,} of {of} answers unscored: {told}.")
        notes += _example(unscored)
    return notes


def _unverified(runs: Sequence[Run]) -> list[str]:
    """Which runs have answers of which nothing tells whether the prompt was seen whole."""
    told: list[str] = []
    for run in runs:
        count = sum(row.prompt_fate == Fate.UNVERIFIED for row in run.answers)
        if count:
            told.append(f"{run.label} {count:,} of {len(run.answers):,}")
    if not told:
        return []
    return [
        "Of some prompts nothing tells whether the model saw them whole, as no token count was "
        f"reported or too few prompts were shorter: {joined(told, MOST_NAMED)}."
    ]


def _why(row: Row) -> str:
    """Why an answer is unscored, after its number."""
    if row.prompt_fate == Fate.CUT:
        return "with a prompt that was cut"
    if row.prompt_fate == Fate.SKIPPED:
        return "with a prompt that was not sent, since it does not fit the model's window"
    return "to which the judge gave no verdict" if row.judged_by == "model" else "never judged"


def _example(unscored: Sequence[Row]) -> list[str]:
    """What is told of the first one, where that is more than the fate of its prompt."""
    known = (Fate.CUT, Fate.SKIPPED)
    row = next((row for row in unscored if row.reason and row.prompt_fate not in known), None)
    if row is None:
        return []
    reason = shorten(row.reason or "", _MOST_REASON, placeholder="...")
    return [f'Of {row.id} the file tells: "{reason}"']
