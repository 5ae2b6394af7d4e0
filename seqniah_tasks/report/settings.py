"""What must be the same for runs to be comparable, in words, and what runs are called by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import count as count_from

from seqniah_tasks import benchmarks
from seqniah_tasks.report.apart import Trace, told_apart
from seqniah_tasks.report.declared import report_of

_WORDS = {"version": "benchmark version", "setup": "set-up"}
"""Of settings that are not called as their fields are."""


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """What must be the same for two runs to be comparable; an empty text is not told."""

    benchmark: str
    """As logs name it; of different ones nothing is compared."""
    split: str
    edition: str
    version: str
    tokenizer: str
    corpus: str
    judge: str
    setup: str
    """What is unusual, e.g. "closed book"."""

    @property
    def task(self) -> str:
        """The task of benchmarks that have several; else empty."""
        own = report_of(self.benchmark)
        return ", ".join(filter(own.is_task, self.setup.split(", "))) or own.usual_task

    @property
    def odd(self) -> list[str]:
        """In which unusual ways it was run, beside the task."""
        is_task = report_of(self.benchmark).is_task
        return [one for one in self.setup.split(", ") if one and not is_task(one)]

    @property
    def ways(self) -> list[str]:
        """The same; the usual one is named where no task tells of the run."""
        return self.odd or ([] if self.task else ["the usual set-up"])


SETTING = tuple(field.name for field in fields(Setting))


@dataclass(frozen=True, slots=True, order=True)
class Asked:
    """Who answered, and how it was asked: what makes a run."""

    model: str
    generation: str
    """Settings and arguments of the model, e.g. "reasoning_effort=high"; empty: none are told."""
    setting: Setting


def labels(runs: Sequence[Asked], traces: Sequence[Trace]) -> list[tuple[str, str]]:
    """What runs are called, from their models, settings and traces: no two of them the same.

    First among the runs of the same benchmark, then among all: as before, but with the benchmark
    if runs of two have the same name.
    """
    told = [_told(one, runs) for one in runs]
    labels = list(map(_label, runs, told))
    own = list(labels)
    for benchmark in benchmarks.known():
        part = [place for place, one in enumerate(runs) if one.setting.benchmark == benchmark]
        found = _told_apart([labels[at] for at in part], [traces[at] for at in part])
        for place, label in zip(part, found, strict=True):
            own[place] = label
    whole = own
    if len(set(own)) < len(own):
        titles = [benchmarks.known()[one.setting.benchmark].title for one in runs]
        with_titles = ([title, *words] for title, words in zip(titles, told, strict=True))
        whole = _told_apart(list(map(_label, runs, with_titles)), traces)
    return list(zip(own, whole, strict=True))


def _label(one: Asked, told: Sequence[str]) -> str:
    return f"{one.model} ({', '.join(told)})" if told else one.model


def _told(one: Asked, runs: Sequence[Asked]) -> list[str]:
    """What a label says beside the model, of the runs of the same benchmark.

    First the task, if they have several; then what not all runs of the same model share.
    """
    setting = one.setting
    of_benchmark = [other for other in runs if other.setting.benchmark == setting.benchmark]
    of_model = [other for other in of_benchmark if other.model == one.model]
    alike = [other.setting for other in of_model]
    several = len({other.setting.task for other in of_benchmark}) > 1
    shared = set.intersection(*(set(other.ways) for other in alike))
    ways = [way for way in setting.ways if way not in shared]
    if not several and any(shared.issuperset(other.ways) for other in alike):
        # A run with nothing of its own says all, lest it seem to be run in the usual way.
        differ = len({other.setup for other in alike}) > 1
        ways = told_of(setting, "setup").split(", ") if differ else []
    others = [
        told_of(setting, name) for name in SETTING if name != "setup" and _differ(alike, name)
    ]
    task = [setting.task] if several and setting.task else []
    # Of the model's settings those that not all its runs share; without any it is as by default.
    usual = set.intersection(*(set(other.generation.split(", ")) for other in of_model))
    own = [part for part in one.generation.split(", ") if part and part not in usual]
    return list(dict.fromkeys((*task, *others, *ways, *own)))


def _differ(alike: Sequence[Setting], name: str) -> bool:
    """Whether settings differ in a field, beyond what their tasks tell."""
    if name != "edition":
        return len({getattr(one, name) for one in alike}) > 1
    # Some tasks have an order of numbers of their own, which ends the edition's name.
    shapes = {tuple(one.edition.split("-")[:2]) for one in alike}
    editions = {(one.task, one.edition) for one in alike}
    return len(shapes) > 1 or len(editions) > len({one.task for one in alike})


def _told_apart(given: Sequence[str], traces: Sequence[Trace]) -> list[str]:
    """The same labels: where several are alike, with facts of their traces; never two the same."""
    alike: dict[str, list[int]] = {}
    for place, label in enumerate(given):
        alike.setdefault(label, []).append(place)
    made = {places[0]: label for label, places in alike.items() if len(places) == 1}
    for label, places in alike.items():
        if len(places) > 1:
            taken = frozenset(made.values())
            found = _with_facts(label, [traces[at] for at in places])
            made |= zip(places, next(one for one in found if taken.isdisjoint(one)), strict=True)
    return [made[place] for place in range(len(given))]


def _with_facts(label: str, traces: Sequence[Trace]) -> Iterator[list[str]]:
    """What runs of one label could be called instead, the best first; by number at the last."""
    for facts in told_apart(traces):
        yield [f"{label} ({fact})" for fact in facts]
    for first in count_from(1):
        yield [f"{label} ({number})" for number in range(first, first + len(traces))]


def told_of(setting: Setting, name: str) -> str:
    """What a sentence says of one field of a setting."""
    if name == "setup":
        return ", ".join(filter(None, (setting.task, *setting.ways)))
    return getattr(setting, name) or f"{word(name)} not told"


def word(name: str) -> str:
    """What a field of a setting is called in a sentence."""
    return _WORDS.get(name, name)
