"""The prompts of a run as its scorers met them; metrics are given only the samples with a score.

What became of a prompt follows from all prompts of the run, most of all from those that were cut,
which have no score. Scorers meet every sample before metrics are computed, also when a log is
scored again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import SampleScore
from inspect_ai.solver import TaskState

from seqniah_tasks.truncation import NOTES, Fate, final_fates

RUN = "prompt_run"
"""The name under which a sample tells its run, since scores do not."""

_met: dict[str, dict[tuple[str, int], dict[str, Any]]] = {}
"""By run, and by id and epoch, what is known of each prompt."""


def notes(state: TaskState) -> dict[str, Any]:
    """What is known of a sample's prompt."""
    return {name: state.metadata[name] for name in (*NOTES, RUN) if name in state.metadata}


def meet(state: TaskState) -> None:
    """Keep what is known of a sample's prompt for the metrics of its run."""
    if run := state.metadata.get(RUN):
        place = str(state.sample_id), state.epoch
        _met.setdefault(str(run), {})[place] = {"lang": state.metadata["lang"], **notes(state)}


def fates_of(scores: Sequence[SampleScore]) -> list[Fate]:
    """What became of the prompts of these scores, held against all prompts of their run."""
    # What the solver learns stands in the scores: sample metadata is that of the data set.
    own = [{**(one.sample_metadata or {}), **(one.score.metadata or {})} for one in scores]
    here = {
        (str(score.sample_id), one.get("reported_tokens"))
        for score, one in zip(scores, own, strict=True)
    }
    others = [
        one
        for run in dict.fromkeys(str(one.get(RUN)) for one in own)
        for (name, _), one in _met.get(run, {}).items()
        if (name, one.get("reported_tokens")) not in here
    ]
    return final_fates([*own, *others])[: len(own)]
