"""Figures of a section in the order that they are read in: the whole first, then run by run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_tasks.report.parts import Facet, Figure


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
    """Figures of all runs first, then those of single runs, kind by kind.

    So each run has the same place in every row. A kind of one figure stands with the first ones.
    """
    kinds: dict[tuple[str, str], list[tuple[Figure, Facet]]] = {}
    for one in figures:
        if one.facet:
            kinds.setdefault((one.facet.name, one.facet.title), []).append((one, one.facet))
    alike = {kind: found for kind, found in kinds.items() if len(found) > 1}
    among = {one.name for found in alike.values() for one, _ in found}
    alone = [one for one in figures if one.name not in among]
    first = [Panels("", "", tuple(Panel(one, one.title) for one in alone))] if alone else []
    return first + [
        Panels(name, title, tuple(Panel(one, facet.heading) for one, facet in found))
        for (name, title), found in alike.items()
    ]
