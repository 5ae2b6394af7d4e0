"""Figures of a section in the order that they are read in: the whole first, then run by run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_tasks.report.parts import Figure

_NUMBERED = re.compile(r"(.+)-\d+")


@dataclass(frozen=True, slots=True)
class Panel:
    """A figure under its heading."""

    figure: Figure
    heading: str
    """Its title, or of figures of a kind only what tells it from the others."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Figures that stand together."""

    name: str
    """For links; empty where there is no title."""
    title: str
    """What all of them show; empty where each is another thing."""
    panels: tuple[Panel, ...]


def arranged(figures: Sequence[Figure]) -> list[Panels]:
    """Figures on their own first, then those of one kind that differ by the run, kind by kind.

    Of one kind are `recall-1`, "Recall: model a", and `recall-2`, "Recall: model b". So each run
    has the same place in every row.
    """
    kinds: dict[tuple[str, str], list[Figure]] = {}
    for one in figures:
        kinds.setdefault(_kind(one), []).append(one)
    alike = {kind: found for kind, found in kinds.items() if kind[1] and len(found) > 1}
    alone = [one for one in figures if _kind(one) not in alike]
    first = [Panels("", "", tuple(Panel(one, one.title) for one in alone))] if alone else []
    return first + [
        Panels(name, title, tuple(Panel(one, one.title[len(title) + 2 :]) for one in found))
        for (name, title), found in alike.items()
    ]


def _kind(figure: Figure) -> tuple[str, str]:
    """What the numbered figures of one kind have in common: name and title; no title: nothing."""
    numbered = _NUMBERED.fullmatch(figure.name)
    title, colon, run = figure.title.partition(": ")
    if numbered is None or not (colon and title and run.strip()):
        return figure.name, ""
    return numbered[1], title
