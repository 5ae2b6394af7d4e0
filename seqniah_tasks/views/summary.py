"""A run on the terminal: accuracy or mean score by stratum, failures, and where the log is."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers.noise import by_group, figures
from seqniah_tasks.benchmarks.counting_stars import NAME as STARS
from seqniah_tasks.records import (
    STRATA_ORDER,
    RunRecord,
    SampleRecord,
    Share,
    accuracy,
    labelled,
    length_of,
)
from seqniah_tasks.star_records import FIGURES, mean_of
from seqniah_tasks.truncation import Fate
from seqniah_tasks.views.noise import (
    noise_as_json,
    outcomes,
    print_noise,
    print_noise_groups,
)

_GROUPS: dict[str, Callable[[SampleRecord], str]] = {
    "length": lambda sample: sample.length_bin,
    "needles": lambda sample: sample.needle_group,
    "pipeline": lambda sample: sample.pipeline,
    "language": lambda sample: sample.lang,
}

_STAR_GROUPS: dict[str, Callable[[SampleRecord], str]] = {
    "length": lambda sample: sample.length_bin,
    "language": lambda sample: sample.lang,
    "question": lambda sample: getattr(sample, "ask", "") if _has_players(sample) else "",
}

_ORDER = {**STRATA_ORDER, **{str(ask): place for place, ask in enumerate(StarAsk)}}


@dataclass(frozen=True, slots=True)
class Headline:
    """What a run of a benchmark is measured by first."""

    name: str
    """accuracy or score."""
    measure: Callable[[list[SampleRecord]], Share]
    groups: Mapping[str, Callable[[SampleRecord], str]]
    """By what it is broken down, and the stratum of a sample; in an empty one it is in none."""
    told: Callable[[list[SampleRecord]], Iterator[tuple[str, str]]]
    """Its lines over all samples: names and words."""


def _told_accuracy(samples: list[SampleRecord]) -> Iterator[tuple[str, str]]:
    part = accuracy(samples)
    yield "Accuracy", _share(part, f"{part.hits:g} of {part.of} right")


def _told_score(samples: list[SampleRecord]) -> Iterator[tuple[str, str]]:
    part, perfect = mean_of(samples), accuracy(samples)
    yield "Score", _share(part, f"mean of {part.of}, {perfect.hits:g} of them perfect")
    for name, what in FIGURES.items():
        part = mean_of(samples, name)
        if part.of:
            yield name.capitalize(), f"{part.value:.1%}  ({what}; mean of {part.of})"


def _share(part: Share, told: str) -> str:
    if not part.of:
        return "no sample was scored"
    return f"{part.value:.1%}  ({told}; 95 % interval {part.low:.1%} to {part.high:.1%})"


_ACCURACY = Headline("accuracy", accuracy, _GROUPS, _told_accuracy)
_SCORE = Headline("score", mean_of, _STAR_GROUPS, _told_score)


def _headline(run: RunRecord) -> Headline:
    return _SCORE if run.benchmark == STARS else _ACCURACY


def _has_players(sample: SampleRecord) -> bool:
    return sample.pipeline == StarTask.PLAYERS


@dataclass(frozen=True, slots=True)
class Stratum:
    """One line of a summary."""

    by: str
    """What the samples are divided by, e.g. "length"."""
    name: str
    share: Share
    """Right ones, or the mean score."""


def strata(samples: Sequence[SampleRecord], headline: Headline) -> list[Stratum]:
    """The headline by length, language, and what else the benchmark is broken down by."""
    last = len(_ORDER)
    found: list[Stratum] = []
    for by, field in headline.groups.items():
        groups: dict[str, list[SampleRecord]] = {}
        for sample in samples:
            groups.setdefault(field(sample), []).append(sample)
        groups.pop("", None)
        names = sorted(
            groups, key=lambda name: (_ORDER.get(name, last), length_of(name) or 0, name)
        )
        found += [Stratum(by, labelled(name), headline.measure(groups[name])) for name in names]
    return found


_FACTS = ("task", "model", "version", "edition", "tokenizer", "scorer", "corpus", "status")


def as_json(run: RunRecord, path: Path) -> dict[str, object]:
    """A run's figures and its log as JSON fields."""
    return {**figures_as_json(run), "log": str(path)}


def figures_as_json(run: RunRecord) -> dict[str, object]:
    """A run's figures as JSON fields; shares are [value, low, high, samples]."""

    def figures(part: Share) -> list[float | int | None]:
        return [part.value, part.low, part.high, part.of] if part.of else [None, 0.0, 1.0, 0]

    samples, headline = list(run.samples), _headline(run)
    parts = strata(samples, headline)
    return {
        **{name: getattr(run, name) for name in _FACTS},
        headline.name: figures(headline.measure(samples)),
        **(_star_figures(samples, figures) if headline is _SCORE else {}),
        "unscored": sum(sample.correct is None and sample.finished for sample in samples),
        "unfinished": run.unfinished,
        "remarks": list(run.remarks),
        "prompts": {
            str(fate): [sample.id for sample in samples if sample.prompt is fate]
            for fate in (Fate.CUT, Fate.SKIPPED, Fate.UNVERIFIED)
        },
        "sources": list(run.sources),
        "strata": {f"{one.by}: {one.name}": figures(one.share) for one in parts},
        "failure_modes": dict(_modes(samples)),
        **_noise_as_json(samples),
    }


def _star_figures(
    samples: Sequence[SampleRecord], figures: Callable[[Share], object]
) -> dict[str, object]:
    """What stands beside the mean score."""
    means = {name: figures(mean_of(samples, name)) for name in FIGURES}
    return {**means, "perfect": figures(accuracy(list(samples)))}


def _noise_as_json(samples: list[SampleRecord]) -> dict[str, object]:
    if not any(sample.noise for sample in samples):
        return {}
    return {"noise": noise_as_json(figures(outcomes(samples)))}


def print_summary(console: Console, run: RunRecord, path: Path) -> None:
    """Print a run's figures, and how to open its log."""
    print_figures(console, run, f"inspect eval-retry {shlex.quote(str(path))}")
    console.print(Text(f"\nLog   {path}"), soft_wrap=True)
    console.print(
        Text(f"Open  inspect view --log-dir {shlex.quote(str(path.parent))}"), soft_wrap=True
    )


def print_figures(console: Console, run: RunRecord, retry: str = "") -> None:
    """Print a run's headline, its strata and its failures.

    `retry` is the command that finishes a run which ended before its time.
    """
    samples, headline = list(run.samples), _headline(run)
    console.print()
    console.print(Text(f"{run.task}, {run.model}", style="bold"))
    facts = (
        f"version {run.version}, {run.edition} edition, tokenizer {run.tokenizer}, "
        f"scorer {run.scorer}: compare only with the same; corpus {run.corpus}; run: {run.status}"
    )
    console.print(Text(f"{facts}\n", style="dim"))
    if run.remarks:
        console.print(Text(f"Not the usual run: {'; '.join(run.remarks)}.\n"))
    for name, told in headline.told(samples):
        console.print(Text.assemble((f"{name}  ", "bold"), told))
    if run.unfinished:
        # On one line, however long, since it holds a command.
        console.print(Text(_unfinished(run, retry)), soft_wrap=True)
        samples = [sample for sample in samples if sample.finished]
    unscored = sum(sample.correct is None for sample in samples)
    console.print(f"Unscored  {unscored} (not the model's fault; in no figure above or below)")
    for line in prompt_lines(samples):
        console.print(Text(line))
    console.print()
    if any(sample.noise for sample in samples):
        _print_noise(console, samples)
    else:
        console.print(_table(headline.name, strata(samples, headline)))
    modes = ", ".join(f"{mode} {count}" for mode, count in _modes(samples).most_common())
    if modes:
        console.print(f"\nFailure modes (several may hold): {modes}")


def _unfinished(run: RunRecord, retry: str) -> str:
    """What is to be said of a run that has not finished all its samples."""
    # The log of a run that was killed stays as it was under way.
    going = run.status == "started"
    why = "the run goes on, or was killed: then" if going else "the run ended without them;"
    return f"Unfinished  {run.unfinished} of {run.asked} ({why} {retry})"


def _print_noise(console: Console, samples: list[SampleRecord]) -> None:
    """Figures of the noise suite, over all and by length and number of needles."""
    asked = outcomes(samples)
    print_noise(console, figures(asked))
    by_base = {sample.base: sample for sample in samples}
    for by in ("length", "needles"):
        console.print()
        group = {base: _GROUPS[by](sample) for base, sample in by_base.items()}
        print_noise_groups(console, by, by_group(asked, group))


def prompt_lines(samples: list[SampleRecord]) -> list[str]:
    """What is to be said of prompts that were not, or not surely, seen whole."""
    lines: list[str] = []
    for fate, what in (
        (Fate.CUT, "cut before the model saw them; unscored"),
        (Fate.SKIPPED, "not sent, since they do not fit the model's window; unscored"),
    ):
        ids = [sample.id for sample in samples if sample.prompt is fate]
        if ids:
            more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
            lines.append(f"Prompts   {len(ids)} {what}: {', '.join(ids[:_NAMED])}{more}")
    unverified = sum(sample.prompt is Fate.UNVERIFIED for sample in samples)
    if unverified:
        lines.append(
            f"Prompts   {unverified} unverified: too few shorter ones, or no token count reported"
        )
    return lines


_NAMED = 3
"""Sample ids that a line names."""


def _table(measure: str, found: list[Stratum]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for title in ("by", "", measure, "95 % interval", "samples"):
        table.add_column(title, justify="right" if title in (measure, "samples") else "left")
    before = ""
    for one in found:
        part = one.share
        figures = (f"{part.value:.1%}", f"{part.low:.1%} to {part.high:.1%}")
        by = one.by if one.by != before else ""
        table.add_row(by, one.name, *(figures if part.of else ("-", "-")), str(part.of))
        before = one.by
    return table


def _modes(samples: list[SampleRecord]) -> Counter[str]:
    return Counter(mode for sample in samples for mode in sample.failure_modes)
