"""Predictions of LOFT's queries scored, by either profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.loft import RANKED, Merged, Row, Task, Unscored, official, strict
from seqniah_tasks.benchmarks.loft.rows import Query

Profile = Literal["strict", "official"]

PROFILES: tuple[Profile, ...] = ("strict", "official")

Prediction = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A query with its scores."""

    query: Query
    rows: Sequence[Row] = ()
    """The measures of each turn."""
    rankings: Sequence[tuple[list[str], list[str]]] = ()
    """The ids of each turn, best first, and its golds; of rankings alone."""
    answered: bool = True
    """Whether there is a prediction."""
    unscored: str = ""
    """Why it has no score; empty: it has one."""


def judged(
    task: Task,
    profile: Profile,
    query: Query,
    prediction: Prediction | None,
    merged: Merged | None = None,
) -> Judged:
    """The scores of a query. Raises `SeqniahError` for golds of another shape than the task's."""
    try:
        return _BY[profile](task, query, prediction, merged)
    except Unscored as error:
        return Judged(query, unscored=str(error))


def _official(task: Task, query: Query, given: Prediction | None, merged: Merged | None) -> Judged:
    given = _prepared(task, given, official.parsed)
    if given is None:
        ranked: list[tuple[list[str], list[str]]] = []
        if task in RANKED:
            with suppress(Unscored):  # of golds that are none, which count 0 all the same
                nothing = {"model_outputs": [[]], "num_turns": 1}
                ranked = official.rankings(query.answers, nothing, merged)
        return Judged(query, official.missing(task), ranked, answered=False)
    rows = official.score(task, query.answers, given, merged)
    ranked = official.rankings(query.answers, given, merged) if task in RANKED else []
    return Judged(query, rows, ranked)


def _strict(task: Task, query: Query, given: Prediction | None, merged: Merged | None) -> Judged:
    golds, given = _golds(task, query), _prepared(task, given, strict.parsed)
    outputs = given["model_outputs"] if given else []
    said = outputs if isinstance(outputs, list) else []
    rows = strict.score(task, golds, said, merged)
    ranked = strict.rankings(golds, said, merged) if task in RANKED else []
    return Judged(query, rows, ranked, answered=given is not None)


_BY: Mapping[Profile, Callable[..., Judged]] = {"strict": _strict, "official": _official}


def _prepared(
    task: Task,
    given: Prediction | None,
    parsed: Callable[[Task, list[str], Any], list[Any] | None],
) -> Prediction | None:
    """A prediction with the lists of its turns; None where nothing came from the model."""
    if given is None or "model_outputs" in given:
        return given
    if "response" not in given:
        raise Unscored("its prediction has neither model_outputs nor a response")
    said = given["response"]
    responses = [said] if isinstance(said, str) else said
    outputs = None if responses is None else parsed(task, responses, given.get("id_to_pid"))
    if outputs is None:
        return None
    return {**given, "model_outputs": outputs, "num_turns": len(outputs)}


def _golds(task: Task, query: Query) -> list[list[Any]]:
    try:
        return strict.by_turn(task, query.answers, query.turns)
    except ValueError as error:
        raise SeqniahError(f"{query.where}: {query.qid!r} {error}.") from error


def metrics(task: Task, profile: Profile, found: Sequence[Judged]) -> dict[str, float]:
    """Means over turns, of those that have the measure; strictly, conversations that count as a
    whole count once."""
    once = profile == "strict" and task in strict.WHOLE
    rows = [row for one in found for row in (one.rows[:1] if once else one.rows)]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: fmean(row[name] for row in rows if name in row) for name in names}
