"""The sections of a report, a module each; what has nothing to show is left out."""

from __future__ import annotations

from collections.abc import Callable

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
    strata,
)

SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    *(overview.section, pairs.section, strata.section, needles_by_length.section),
    *(depth.section, failures.section, order.section, noise.section, spending.section),
)
"""In the order of the page; a new section is a module here and an entry."""
