"""The sections of a report that several benchmarks have; what has nothing to show is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from itertools import count as count_from

from seqniah_tasks.report.declared import Make
from seqniah_tasks.report.drawing.lettering import middle
from seqniah_tasks.report.parts import Section
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import effective, groups, overview, pairs, spending
from seqniah_tasks.report.words import slug

_LONGEST = 80
"""Signs of a run's label in the names of files."""


def named(prefix: str, *sections: Make) -> tuple[Make, ...]:
    """Sections that several benchmarks have, under names of its own for one of them."""

    def under_name(make: Make, study: Study) -> Section | None:
        section = make(study)
        if section is None:
            return None
        benchmark = study.runs[0].benchmark.title
        return replace(
            section,
            name=f"{prefix}-{section.name}",
            title=f"{benchmark}: {section.title[0].lower()}{section.title[1:]}",
            figures=tuple(replace(one, name=f"{prefix}-{one.name}") for one in section.figures),
            tables=tuple(replace(one, name=f"{prefix}-{one.name}") for one in section.tables),
        )

    return tuple(partial(under_name, make) for make in sections)


_USUAL = overview.section, groups.section, effective.section, pairs.section, spending.section


def made(study: Study) -> list[Section]:
    """All sections that have something to show; each sees the runs of its benchmark alone."""
    found = [
        section
        for name, part in study.by_benchmark().items()
        for make in part.runs[0].report.sections or named(slug(name), *_USUAL)
        if (section := make(part))
    ]
    return _by_label(found)


def _by_label(sections: Sequence[Section]) -> list[Section]:
    """The same, figures of one run named by its label in place of its number."""
    runs = (one.facet.run for section in sections for one in section.figures if one.facet)
    keys: dict[str, str] = {}
    for run in dict.fromkeys(runs):
        key = slug(middle(run, _LONGEST)) or "run"
        others = (f"{key}-{number}" for number in count_from(2))
        keys[run] = next(one for one in chain([key], others) if one not in keys.values())
    return [
        replace(
            section,
            figures=tuple(
                replace(one, name=f"{one.name.rpartition('-')[0]}-of-{keys[one.facet.run]}")
                if one.facet
                else one
                for one in section.figures
            ),
        )
        for section in sections
    ]
