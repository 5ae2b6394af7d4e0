"""What inspect's log viewer shows of a run to somebody who has set nothing up in it."""

from __future__ import annotations

from typing import Literal

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from seqniah_tasks.benchmarks.protocol import Facts, Scoring

_SHARE = ScoreColorScale(palette="good-high", min=0, max=1)

_ROOM = " " * 5
"""After the deciding scorer's header: a column is as wide as its header, and the marks of sorting
need room; nobody sees spaces."""


def of_run(scoring: Scoring, scorer: str, facts: Facts) -> ViewerConfig:
    """The view of a run's samples, whose `scorer` decides: right and wrong answers with their
    questions, wrong ones first, and scores with the answers, the worst first.
    """
    shown, binary = scoring.shown(facts), scoring.binary
    beside = [
        TaskSamplesColumn.score(scoring.beside, name, visible=shown.get(name, True))
        for name in scoring.figures
    ]
    first, other = ("input", "answer") if binary else ("answer", "input")
    header = "Verdict" if binary else "Score"
    labels = {name: one.label for name, one in scoring.figures.items()}
    scales = {
        name: ScoreColorScale(palette=one.palette, min=one.low, max=one.high)
        for name, one in scoring.figures.items()
    }
    return _config(
        TaskSamplesView(
            name=scoring.view,
            columns=[
                *_columns("sampleStatus", "sampleId"),
                TaskSamplesColumn.score(scorer),
                *beside,
                TaskSamplesColumn.score("prompt"),
                *_columns(first, "tokens", "duration"),
                *_columns(other, "target", visible=False),
            ],
            sort=_attention_first(scorer, "desc" if binary else "asc"),
            multiline=False,
            score_labels={scorer: header + _ROOM, **labels, "prompt": "Prompt seen"},
            score_color_scales=scales if binary else {scorer: _SHARE, **scales},
        )
    )


def of_bench() -> ViewerConfig:
    """The view of the judge bench: what the judge said beside what it should have said."""
    return _config(
        TaskSamplesView(
            name="Labels",
            columns=[
                *_columns("sampleStatus", "sampleId"),
                TaskSamplesColumn.score("label"),
                *_columns("target", "answer", "tokens", "duration"),
                # The whole prompt of the judge, which opens with the same words every time.
                *_columns("input", visible=False),
            ],
            sort=_attention_first("label", "desc"),
            multiline=False,
        )
    )


def _config(view: TaskSamplesView) -> ViewerConfig:
    """The view, with nothing of a log's texts rendered.

    Rendered text of a model or a corpus can hide parts of itself, turn lines around or draw what
    looks like a verdict. Plain text also is what the judge read; explanations are written for it.
    """
    return ViewerConfig(
        trust_content=False,
        # Chips are coloured by the scales; a grid is not.
        sample_score_view=SampleScoreView(default="chips"),
        task_samples_view=view,
    )


def _columns(*names: str, visible: bool = True) -> list[TaskSamplesColumn]:
    """Built-in columns; epoch, error, limit and retries show by themselves where there are any."""
    return [TaskSamplesColumn(id=name, visible=visible) for name in names]


def _attention_first(scorer: str, dir: Literal["asc", "desc"]) -> list[TaskSamplesSort]:
    """What runs, then errors, unscored samples, the rest; `desc` has wrong before right ones."""
    return [TaskSamplesSort(column="sampleStatus"), TaskSamplesSort.score(scorer, dir=dir)]
