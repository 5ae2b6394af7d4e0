"""Answers about stars scored, star by star."""

from __future__ import annotations

from functools import lru_cache

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers import stars
from seqniah_tasks.benchmarks.counting_stars.explain import explain
from seqniah_tasks.benchmarks.counting_stars.questions import case_of
from seqniah_tasks.benchmarks.counting_stars.record import FIGURES, JUDGE, told
from seqniah_tasks.benchmarks.protocol import (
    LANGUAGES,
    LENGTHS,
    Answered,
    ByMeasure,
    Facts,
    Figure,
    Group,
    Scored,
    Scoring,
    Told,
)

_judged = lru_cache(maxsize=64)(stars.judge)
"""Two scorers ask for one verdict."""


def score(answered: Answered) -> Scored:
    """The score of an answer, and what it consists of."""
    case = case_of(answered.facts, answered.response)
    verdict = _judged(case)
    # Where one counts alone there is nobody to confuse; the metric then stands in no table.
    names = [one for one in FIGURES if one != "confusion" or case.task is StarTask.PLAYERS]
    return Scored(
        score=verdict.score,
        reason=verdict.reason,
        figures={name: getattr(verdict, name) for name in names},
        told=told(verdict),
        explanation=explain(case, verdict, answered.depths, limited=answered.cut_off),
    )


def _question(facts: Facts) -> str | None:
    """What is asked, where there are several questions about one sky."""
    return facts.get("ask") if facts.get("pipeline") == StarTask.PLAYERS else None


SCORING = Scoring(
    by=ByMeasure(score, JUDGE),
    name="stars",
    beside="placing",
    figures={
        name: Figure(name.capitalize(), "good-low" if name == "confusion" else "good-high")
        for name in FIGURES
    },
    view="Stars",
    groups=(LENGTHS, LANGUAGES, Group("question", _question, tuple(StarAsk))),
    told=tuple(
        Told("item_precision" if name == "precision" else name, name, words)
        for name, words in FIGURES.items()
    ),
    shown=lambda facts: {"confusion": facts.get("task") == StarTask.PLAYERS},
)
