"""Pools of questions that are too small for a split."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import Lang, NeedleGroup, Pipeline
from seqniah_tasks.benchmarks.sequential_niah.options import Options


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Samples that a pool of questions could not serve."""

    lang: Lang
    pipeline: Pipeline
    group: NeedleGroup
    wanted: int
    """Samples that the published quotas have in this split."""
    missing: int
    """How many of these got no question."""


def too_small(shortfalls: Iterable[Shortfall], options: Options) -> SeqniahError:
    """The error of samples that got no question, with what can be done about it."""
    short = "; ".join(
        f"{one.pipeline} {one.lang} with {one.group.name} needles lacks {one.missing} "
        f"of {one.wanted}"
        for one in shortfalls
    )
    reuse = ", or shortfall=reuse to ask some questions again in other haystacks"
    return SeqniahError(
        f"The questions given are too few for the {options.split} split: {short}. Give more, or "
        f"pass shortfall=smaller for fewer samples{'' if options.shortfall == 'reuse' else reuse}."
    )


def shortfall_lines(split: str, shortfalls: Iterable[Shortfall], reused: int) -> list[str]:
    """What is to be said where the sources could not serve the whole split."""
    lines = [
        f"short: {split}, {one.pipeline}, {one.lang}, {one.group.name} needles: "
        f"{one.missing:,} of {one.wanted:,} samples have no question."
        for one in shortfalls
    ]
    if reused:
        lines.append(f"reused: {reused:,} samples ask a question that another sample asks too.")
    return lines
