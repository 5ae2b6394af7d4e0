"""What is kept of a judged sample when logs are summed up."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_tasks.truncation import Fate

STRATA_ORDER = {
    name: place for place, name in enumerate(one.name for one in (*BINS, *LONGER_BINS, *GROUPS))
}
"""Strata that have an order of their own; others sort by name."""

_UNPUBLISHED = frozenset(one.name for one in LONGER_BINS)


_LENGTH = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)([kM]?)")


def length_of(name: str) -> float | None:
    """The number that a length is named by: 4,000 for 4k; None of a name that is none."""
    found = _LENGTH.fullmatch(name)
    return float(found[1]) * {"": 1, "k": 1e3, "M": 1e6}[found[2]] if found else None


def labelled(stratum: str) -> str:
    """A stratum's name as a report shows it: lengths beyond the paper say so."""
    return f"{stratum} (unpublished)" if stratum in _UNPUBLISHED else stratum


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One judged sample, in one epoch."""

    id: str
    lang: str
    pipeline: str
    length_bin: str
    needle_group: str
    correct: bool | None
    """None: unscored, for a reason that is not the model's."""
    failure_modes: tuple[str, ...]
    finished: bool
    """Whether it was answered and judged before the run ended."""
    prompt: Fate
    """Whether the model saw the whole prompt, judged with all samples of the run at hand."""
    base: str = ""
    """Id of the sample that it is a variant of, or its own, in the noise suite; else empty."""
    noise: str = ""
    """Type of noise; empty for a sample as it is."""
    variant: int = 0
    """From 1; 0 for a sample as it is."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One evaluation, read from its log."""

    model: str
    benchmark: str
    """sequential-niah or counting-stars."""
    task: str
    version: str
    edition: str
    tokenizer: str
    corpus: str
    scorer: str
    status: str
    """As the harness gives it: success, error, cancelled ..."""
    sources: tuple[str, ...]
    """What made the questions, by name."""
    remarks: tuple[str, ...]
    """What makes the run another one than the usual, e.g. "closed book"."""
    samples: tuple[SampleRecord, ...]
    planned: int | None = None
    """Samples, each epoch counted, that the run was to finish; None where it is not told."""

    @property
    def asked(self) -> int:
        """The same as far as it is known: at least the samples that are there."""
        return max(self.planned or 0, len(self.samples))

    @property
    def unfinished(self) -> int:
        """How many of them are not finished, those that were never begun included."""
        return self.asked - sum(sample.finished for sample in self.samples)


def setup(facts: Mapping[str, Any]) -> str:
    """What makes the run another test than the usual, from what it says; empty if nothing does."""
    return ", ".join(_setups(facts))


def _setups(facts: Mapping[str, Any]) -> list[str]:
    told = facts.get("setup")
    found = [told] if told and isinstance(told, str) else []
    found += ["closed book"] if facts.get("closed_book") else []
    return [*found, "needles in true order"] if facts.get("order") == "sorted" else found


def remarks(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """What makes a run another one than the usual, from what it says of the benchmark."""
    found = _setups(facts)
    for name, what in (("reused", "samples ask a question again"), ("missing", "samples left out")):
        if facts.get(name):
            found.append(f"{facts[name]} {what}")
    return tuple(found)


def sources(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of what made a run's questions, from the same; none of earlier versions."""
    given = facts.get("sources")
    entries = given.values() if isinstance(given, dict) else ()
    return tuple(str(entry.get("name")) for entry in entries if isinstance(entry, dict))


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion with its interval."""

    hits: float
    """Right ones; with several epochs, each sample counts by its mean."""
    of: int
    """Samples."""
    low: float
    """Lower end of the 95 % Wilson score interval, 0 to 1."""
    high: float
    """Upper end."""

    @property
    def value(self) -> float:
        """0 to 1; not a number when there is nothing to count."""
        return self.hits / self.of if self.of else math.nan


_Z = NormalDist().inv_cdf(0.975)


def share(hits: float, of: int) -> Share:
    """Accuracy of `hits` among `of`, with the Wilson score interval; [0, 1] of nothing."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    p, squared = hits / of, _Z * _Z
    centre = (p + squared / (2 * of)) / (1 + squared / of)
    half = _Z * math.sqrt(p * (1 - p) / of + squared / (4 * of * of)) / (1 + squared / of)
    # At the ends the interval ends there too, but for the last digit of a float.
    low = max(0.0, centre - half) if hits else 0.0
    return Share(hits, of, low, min(1.0, centre + half) if hits < of else 1.0)


def accuracy(samples: list[SampleRecord]) -> Share:
    """Strict accuracy of the scored ones; epochs of one sample are no further samples."""
    scored = ((one.id, one.correct) for one in samples if one.correct is not None)
    return mean_of_epochs(scored)


def mean_of_epochs(scored: Iterable[tuple[str, bool]]) -> Share:
    """The share of right ones among samples, by id; several epochs of one count by their mean."""
    epochs: dict[str, list[bool]] = {}
    for name, correct in scored:
        epochs.setdefault(name, []).append(correct)
    return share(sum(sum(right) / len(right) for right in epochs.values()), len(epochs))
