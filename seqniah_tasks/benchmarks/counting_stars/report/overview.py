"""Counting-Stars: scores of all runs, the paper's beside them, and what answers lack."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.schema import StarTask
from seqniah_scorers.counting import CountingFailure
from seqniah_tasks.benchmarks.counting_stars.report.runs import Group, by_language, unplaced
from seqniah_tasks.means import accuracy, mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.figures import modes_map
from seqniah_tasks.report.measures import (
    SCORED,
    UNSCORED,
    ends,
    extremes,
    mean_of,
    means,
    modes_of,
    point,
    share_columns,
    tabled,
    unscored,
    weighed,
)
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
    of_kind,
)
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.sections import effective
from seqniah_tasks.report.sections.overview import settings_table, unscored_notes
from seqniah_tasks.report.words import LANGUAGES, joined, percent
from seqniah_tasks.truncation import Fate

_LEAD = (
    "The score of a list is the share of the stars asked for whose number it holds (membership, as "
    "the paper's released scorer has it); in the reasoning task a star counts 1 where only its "
    "right number is listed, 0.5 with the mistaken one beside it, 0.25 for the mistaken one alone. "
    "A sum or a largest number is right or wrong. Position asks more: each number in its own place "
    "of the list. Bars are 95 % intervals, resampled over samples; several epochs of a sample "
    "count as one, by their mean."
)

_SOURCE = "arXiv 2403.11802, Table 1"
"""What the paper prints of its own runs. Its figures are heat maps; nothing was read off them."""

_WORDS = "published, other text and prompts"
"""To be said of every figure of the paper."""

_EDITIONS = ("32-16", "16-32", "32-32", "64-32", "32-32-shuffled")
_TABLE_1 = {
    "GPT-4 Turbo": (0.979, 0.965, 0.968, 0.897, 0.692),
    "Kimi Chat": (0.846, 0.988, 0.864, 0.931, 0.606),
}
"""By model, means over the lengths of each edition, 0 to 1; of a Chinese text up to 128K tokens."""

_Published = Sequence[tuple[str, str, float]]
"""Model, edition and score."""

_MODES = tuple(map(str, CountingFailure))

_FIGURES = ("position", "item_precision", "confusion")

_SCORE = (
    *share_columns("score", "Mean score"),
    *of_kind(Kind.SHARE, position="Position", precision="Precision", confusion="Confusion"),
)
"""The columns of a score and of what stands beside it."""


def section(study: Study) -> Section | None:
    """The headline of Counting-Stars; None where there is no run."""
    if not study.runs:
        return None
    groups = by_language(study.runs)
    beside = _beside(study.runs)
    players = [group for group in groups if any(map(_of_players, group.rows))]
    return Section(
        name="stars",
        title="Counting-Stars: scores",
        lead=_LEAD + (f" Hollow marks are {_WORDS}." if beside else ""),
        figures=(_figure(groups, beside), *_failures(groups)),
        tables=(
            _runs(groups, study.threshold),
            *([_by_ask(players)] if players else ()),
            _modes(groups),
            settings_table(study, "stars-settings"),
            *([_published(beside)] if beside else ()),
        ),
        notes=tuple(_notes(study.runs, beside)),
    )


def _beside(runs: Sequence[Run]) -> _Published:
    """The paper's scores of the editions that were run as it ran them, in the table's order."""
    editions = {run.setting.edition for run in runs if not run.setting.setup}
    return [
        (model, edition, score)
        for model, scores in _TABLE_1.items()
        for edition, score in zip(_EDITIONS, scores, strict=True)
        if edition in editions
    ]


def _figure(groups: Sequence[Group], beside: _Published) -> Figure:
    rows = [DotRow(group.label, point(mean_score(group.rows))) for group in groups]
    rows += [
        DotRow(f"{model}, {edition}", Point(score), published=True)
        for model, edition, score in beside
    ]
    source = f" (hollow: {_SOURCE}; {_WORDS})" if beside else ""
    shown = [(f"for {row.label}", row.point.value) for row in rows if row.point]
    ours, theirs = shown[: len(shown) - len(beside)], shown[len(shown) - len(beside) :]
    told = [
        extremes("The mean score", ours) or "No answer is scored.",
        extremes("That of the paper", theirs),
    ]
    return Figure(
        name="stars-scores",
        title=f"Mean score{source}",
        told=" ".join(filter(None, told)),
        chart=Dots(Axis("mean score"), tuple(rows), words=_WORDS),
    )


def _runs(groups: Sequence[Group], threshold: float) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", task="Task", edition="Stars-lengths", language="Language"),
        *_SCORE,
        *effective.COLUMNS,
        Column("perfect", "Perfect", Kind.COUNT),
        SCORED,
        UNSCORED,
        Column("unverified", "Prompt unverified", Kind.COUNT),
    )
    lines = (_line(group, threshold) for group in groups)
    return tabled("stars-runs", "Runs", columns, lines, open=True)


def _line(group: Group, threshold: float) -> tuple[Cell, ...]:
    share = mean_score(group.rows)
    return (
        group.run.label,
        joined(sorted({row.traits.get("pipeline", "not told") for row in group.rows}), 3),
        group.run.setting.edition or None,
        LANGUAGES.get(group.lang),
        *ends(share),
        *means(group.rows, _FIGURES),
        *effective.cells(group.run.benchmark, group.rows, threshold),
        accuracy(group.rows).hits,
        share.of,
        unscored(group.rows),
        sum(row.prompt_fate == Fate.UNVERIFIED for row in group.rows),
    )


def _of_players(row: Record) -> bool:
    return row.traits.get("pipeline") == StarTask.PLAYERS


def _by_ask(groups: Sequence[Group]) -> Table:
    """What was asked of players, and how often numbers of others were given."""
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for ask in sorted({row.traits["ask"] for row in group.rows if "ask" in row.traits}):
            answers = [row for row in group.rows if row.traits.get("ask") == ask]
            share = mean_score(answers)
            rows.append((group.label, ask, *ends(share), *means(answers, _FIGURES), share.of))
    columns = *of_kind(Kind.TEXT, run="Run", ask="Asked for"), *_SCORE, SCORED
    return Table("stars-by-ask", "Players, by what was asked", columns, tuple(rows), open=True)


def _counted(group: Group) -> tuple[dict[str, float], float]:
    """Of a group's scored answers, how many show each mode, and how many there are."""
    answers = weighed(group.rows)
    return modes_of(answers, _MODES), sum(weight for _, weight in answers)


def _failures(groups: Sequence[Group]) -> list[Figure]:
    counted = [(group.label, *_counted(group)) for group in groups]
    shown = {
        one: one.replace("_", " ") for one in _MODES if any(found[one] for _, found, _ in counted)
    }
    lines = [
        (label, {mode: count / whole for mode, count in found.items()}, round(whole))
        for label, found, whole in counted
        if whole
    ]
    name, title = "stars-failure-modes", "Answers by what is wrong with them"
    what = "The share of scored answers"
    return [modes_map(name, title, "what is wrong", what, shown, lines)] if shown else []


def _modes(groups: Sequence[Group]) -> Table:
    columns = (
        *of_kind(Kind.TEXT, run="Run", mode="Failure mode"),
        *of_kind(Kind.COUNT, answers="Answers", scored="Scored"),
        Column("share", "Share of the scored", Kind.SHARE),
    )
    counted = [(group, *_counted(group)) for group in groups]
    rows = [
        (group.label, mode, count, whole, count / whole if whole else None)
        for group, modes, whole in counted
        for mode, count in modes.items()
    ]
    return tabled("stars-failure-modes", "Failure modes", columns, rows)


def _published(beside: _Published) -> Table:
    columns = (
        *of_kind(Kind.TEXT, model="Model", edition="Stars-lengths"),
        Column("score", "Mean score", Kind.SHARE),
        *of_kind(Kind.TEXT, source="Source", remark="Remark"),
    )
    rows = tuple((*one, _SOURCE, _WORDS) for one in beside)
    return Table("stars-published", "The paper's models", columns, rows)


def _notes(runs: Sequence[Run], beside: _Published) -> list[str]:
    notes = [*unscored_notes(runs), *unplaced(runs)]
    if beside:
        notes.append(
            f"{_SOURCE}: of a Chinese novel, with lengths by the count of another "
            f"tokenizer; {_WORDS}: a rough guide, no comparison."
        )
    confused = mean_of((row for run in runs for row in run.answers), "confusion")
    if confused:
        notes.append(
            "Confusion is the share of the numbers listed that belong to players not asked for; of "
            "a sum or a largest number, whether it is another player's, or that of all together. "
            f"It is {percent(confused.value)} over all."
        )
    notes.append(
        "Failure modes are of all scored answers: numbers out of order or beside the stars lower "
        "no score of a list, since membership sees neither."
    )
    return notes
