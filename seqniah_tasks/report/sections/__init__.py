"""The sections of a report, a module each; what has nothing to show is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from seqniah_tasks.report.benchmarks import BENCHMARKS
from seqniah_tasks.report.columns import COUNTING_STARS, SEQUENTIAL_NIAH
from seqniah_tasks.report.parts import Section
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import (
    depth,
    failures,
    needles_by_length,
    noise,
    order,
    overview,
    pairs,
    spending,
    star_lengths,
    star_maps,
    stars,
    strata,
)

Make = Callable[[Study], Section | None]


def _named(benchmark: str, prefix: str, make: Make) -> Make:
    """A section that several benchmarks have, under names of its own for one of them."""

    def made(study: Study) -> Section | None:
        section = make(study)
        if section is None:
            return None
        return replace(
            section,
            name=f"{prefix}-{section.name}",
            title=f"{BENCHMARKS[benchmark].title}: {section.title[0].lower()}{section.title[1:]}",
            figures=tuple(replace(one, name=f"{prefix}-{one.name}") for one in section.figures),
            tables=tuple(replace(one, name=f"{prefix}-{one.name}") for one in section.tables),
        )

    return made


SECTIONS: Mapping[str, tuple[Make, ...]] = {
    SEQUENTIAL_NIAH: (
        *(overview.section, pairs.section, strata.section, needles_by_length.section),
        *(depth.section, failures.section, order.section, noise.section, spending.section),
    ),
    COUNTING_STARS: (
        *(stars.section, _named(COUNTING_STARS, "stars", pairs.stars)),
        *(star_lengths.section, star_maps.section),
        _named(COUNTING_STARS, "stars", spending.section),
    ),
}
"""By benchmark, in the order of the page; each sees the runs of its benchmark alone.

A new section is a module here and an entry; a new benchmark is one more line.
"""


def made(study: Study) -> list[Section]:
    """All sections that have something to show."""
    return [
        section
        for name, part in study.by_benchmark().items()
        for make in SECTIONS[name]
        if (section := make(part))
    ]
