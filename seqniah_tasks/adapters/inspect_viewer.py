"""What inspect's log viewer shows of a run to somebody who has set nothing up in it."""

from __future__ import annotations

from collections.abc import Iterable

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

VERDICT = "Verdict     "
"""Header of the deciding scorer; a column is as wide as its header, and the marks of sorting
need room, which the spaces give: nobody sees them."""

LABELS = {
    "item_recall": "Recall",
    "item_precision": "Precision",
    "order_agreement": "Order",
    "prompt": "Prompt",
}
"""Headers of the other score columns."""

STAR_LABELS = {
    "stars": "Score     ",
    "position": "Position",
    "precision": "Precision",
    "confusion": "Confusion",
    "prompt": "Prompt",
}
"""The same of Counting-Stars."""

_SHARE = ScoreColorScale(palette="good-high", min=0, max=1)

_SCALES = {
    "item_recall": _SHARE,
    "item_precision": _SHARE,
    # Where order is not demanded a low agreement is no fault, and must not look like one.
    "order_agreement": ScoreColorScale(palette="neutral", min=-1, max=1),
}

_STAR_SCALES = {
    **dict.fromkeys(("stars", "position", "precision"), _SHARE),
    "confusion": ScoreColorScale(palette="good-low", min=0, max=1),
}


def of_run(scorer: str) -> ViewerConfig:
    """The view of a split or of the noise suite; `scorer` names the one that decides."""
    items = [TaskSamplesColumn.score("items", name) for name in _SCALES]
    return _config(
        TaskSamplesView(
            name="Verdicts",
            columns=[
                *_columns("sampleStatus", "sampleId"),
                TaskSamplesColumn.score(scorer),
                *items,
                TaskSamplesColumn.score("prompt"),
                *_columns("input", "tokens", "duration"),
                *_columns("answer", "target", visible=False),
            ],
            sort=_attention_first(scorer),
            multiline=False,
            score_labels={scorer: VERDICT, **LABELS},
            score_color_scales=_SCALES,
        )
    )


def of_stars(figures: Iterable[str], players: bool) -> ViewerConfig:
    """The view of Counting-Stars, the worst answer first.

    `figures` are those beside the score; without `players` nothing can be confused.
    """
    beside = [
        TaskSamplesColumn.score("placing", name, visible=players or name != "confusion")
        for name in figures
    ]
    return _config(
        TaskSamplesView(
            name="Stars",
            columns=[
                *_columns("sampleStatus", "sampleId"),
                TaskSamplesColumn.score("stars"),
                *beside,
                TaskSamplesColumn.score("prompt"),
                *_columns("answer", "tokens", "duration"),
                # The question, which is the same for all of a language.
                *_columns("input", "target", visible=False),
            ],
            sort=[TaskSamplesSort(column="sampleStatus"), TaskSamplesSort.score("stars")],
            multiline=False,
            score_labels=STAR_LABELS,
            score_color_scales=_STAR_SCALES,
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
            sort=_attention_first("label"),
            multiline=False,
        )
    )


def _config(view: TaskSamplesView) -> ViewerConfig:
    """The view, with nothing of a log's texts rendered.

    Text of a model, or of a corpus, that is rendered can hide parts of itself, turn lines around
    or draw what looks like a verdict: formulas, emphasis, links and direction marks do. Plain text
    also is what the judge read; explanations are written for it (`benchmarks.explain`).
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


def _attention_first(scorer: str) -> list[TaskSamplesSort]:
    """What runs, then errors, unscored samples, wrong ones, right ones; each in the log's order."""
    return [TaskSamplesSort(column="sampleStatus"), TaskSamplesSort.score(scorer, dir="desc")]
