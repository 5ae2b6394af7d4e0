"""The top of the page: who was right how often, and of what a reader must beware."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from seqniah_tasks.report import cautions
from seqniah_tasks.report.runs import Run, Study
from seqniah_tasks.report.words import percent
from seqniah_tasks.shares import Share
from seqniah_tasks.truncation import Fate

MOST_AT_ONCE = 12
"""Runs in sight; of more, the others are shown when asked for."""

MOST_WARNINGS = 12
"""Runs of which the top says what is unscored; of more, their table tells."""


_LEADS = {
    True: "Strict accuracy, with its 95 % interval across the end of the bar.",
    False: "Mean score over the samples, with its 95 % interval across the end of the bar.",
}
"""What the key figure is, by whether answers are right or wrong."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One run's key figures."""

    label: str
    share: Share
    unscored: int
    """Answers that are in no figure."""

    @property
    def value(self) -> str:
        """Its key figure."""
        return percent(self.share.value) if self.share.of else "none scored"

    @property
    def interval(self) -> str:
        """The interval around it."""
        return f"{100 * self.share.low:.1f} to {percent(self.share.high)}"

    @property
    def samples(self) -> str:
        """Of how many samples it is."""
        return _counted(self.share.of, "sample")


@dataclass(frozen=True, slots=True)
class Part:
    """The key figures of one benchmark."""

    title: str
    """Empty where there is no other benchmark."""
    lead: str
    """What the key figure is."""
    told: str
    """What was run; empty where the top of the page tells all of it."""
    heads: tuple[Headline, ...]


def parts(study: Study) -> list[Part]:
    """The key figures, benchmark by benchmark."""
    found = study.by_benchmark().values()
    made: list[Part] = []
    for part in found:
        benchmark, own = part.runs[0].benchmark, part.runs[0].report
        told = [own.what(part.runs)]
        if len(found) > 1 and (shared := cautions.settings(part.runs)):
            told.append(f"All: {shared}.")
        title = benchmark.title if len(found) > 1 else ""
        lead = own.lead or _LEADS[benchmark.scoring.binary]
        made.append(Part(title, lead, " ".join(filter(None, told)), tuple(headlines(part))))
    return made


def headlines(study: Study) -> list[Headline]:
    """The runs' key figures, in their order."""
    return [
        Headline(run.label, run.share, len(run.answers) - len(run.scored)) for run in study.runs
    ]


def settings(study: Study) -> str:
    """What all runs share, where they are of one benchmark; else empty."""
    return cautions.settings(study.runs) if len(study.by_benchmark()) == 1 else ""


def read_from(study: Study) -> str:
    """What the page is made of, as a sentence."""
    rows = {id(row): row for run in study.runs for row in (*run.answers, *run.suite)}
    told = (
        _counted(len(rows), "answer"),
        f"to {_counted(len({row.id for row in rows.values()}), 'sample')}",
        f"by {_counted(len({run.model for run in study.runs}), 'model')}",
        f"in {_counted(len(study.runs), 'run')},",
        f"read from {_counted(len({name for run in study.runs for name in run.files}), 'file')}.",
    )
    return " ".join(told)


def warnings(study: Study) -> list[str]:
    """Why figures may mislead: what was run, and in which way; answers without verdict."""
    told = cautions.cautions(study.runs)
    unscored = [line for run in study.runs if (line := _unscored(run))]
    if len(unscored) > MOST_WARNINGS:
        more = len(unscored) - MOST_WARNINGS
        others = _counted(more, "further run")
        unscored[MOST_WARNINGS:] = [f"So it is with {others}; the table of runs has them all."]
    return told + unscored


def _unscored(run: Run) -> str:
    """What of a run is in no figure, and why; empty where all is."""
    fates = Counter(row.prompt_fate for row in run.answers if row.correct is None)
    if not fates:
        return ""
    cut, skipped = fates.pop(Fate.CUT, 0), fates.pop(Fate.SKIPPED, 0)
    reasons = (
        (cut, "prompts cut"),
        (skipped, "prompts not sent"),
        (fates.total(), "without verdict"),
    )
    why = ", ".join(f"{count:,} {what}" for count, what in reasons if count)
    total = f"{cut + skipped + fates.total():,} of {_counted(len(run.answers), 'answer')}"
    return f"{run.label}: {total} unscored, so in no figure ({why})."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else what + 's'}"
