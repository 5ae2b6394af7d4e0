"""Accuracy by length, number of needles, pipeline and language: Figure 6 of the paper."""

from __future__ import annotations

from dataclasses import replace

from seqniah_tasks.report.parts import Section
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections.groups import Division, by_divisions

_DIVISIONS = (
    Division("length", lambda row: row.length_bin, "tokens of the prompt", True, "at {} tokens"),
    Division(
        "needles", lambda row: row.traits.get("needle_group"), "needles", True, "with {} needles"
    ),
    Division(
        "pipeline",
        lambda row: row.traits.get("pipeline"),
        "source of the question",
        False,
        "for {}",
    ),
    Division("language", lambda row: row.lang, "language", False, "in {}"),
)


def section(study: Study) -> Section | None:
    """Accuracy of all runs by stratum."""
    found = by_divisions(study, _DIVISIONS)
    return found and replace(
        found,
        title="Accuracy by length, needles, pipeline and language",
        lead=(
            "Share of the scored answers that are right, by what samples differ in (Figure 6 of "
            "the paper). The bars are 95 % Wilson intervals; a difference that is small beside "
            "them may be chance. Strata differ in more than their name: by the published quotas, "
            "nearly all samples with more than 10 needles are synthetic-temporal."
        ),
        notes=(
            "Figure 6 of the paper prints no numbers, so no published marks stand here.",
            *found.notes,
        ),
    )
