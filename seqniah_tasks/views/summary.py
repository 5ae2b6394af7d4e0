"""A run on the terminal: accuracy or mean score by stratum, failures, and where the log is."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_tasks.benchmarks.protocol import Benchmark, ByCase
from seqniah_tasks.effective import THRESHOLD, effective
from seqniah_tasks.means import accuracy, clusters, headline, mean_figure
from seqniah_tasks.records import Record, RunRecord, fields_of
from seqniah_tasks.shares import Share, mean_of_epochs
from seqniah_tasks.truncation import Fate


def strata(benchmark: Benchmark, found: Sequence[Record]) -> Iterator[tuple[str, str, Share]]:
    """The headline by length, language, and what else the benchmark is broken down by.

    Of each line what the samples are divided by, the name of the part, and its share.
    """
    facts = list(map(fields_of, found))
    for by in benchmark.scoring.groups:
        groups: dict[str, list[Record]] = {}
        for one, told in zip(found, facts, strict=True):
            name = by.of(told)
            if name:
                groups.setdefault(name, []).append(one)
        for name in by.ordered(groups):
            yield by.name, benchmark.labelled(name), headline(benchmark, groups[name])


_FACTS = ("task", "model", "version", "edition", "tokenizer", "scorer", "corpus", "status")


def as_json(run: RunRecord, path: Path, threshold: float = THRESHOLD) -> dict[str, object]:
    """A run's figures and its log as JSON fields."""
    return {**figures_as_json(run, threshold), "log": str(path)}


def all_as_json(runs: Mapping[Path, RunRecord], threshold: float) -> dict[str, object]:
    """The same of several runs."""
    return {"runs": [as_json(run, path, threshold) for path, run in runs.items()]}


def figures_as_json(run: RunRecord, threshold: float = THRESHOLD) -> dict[str, object]:
    """A run's figures as JSON fields; shares are [value, low, high, samples].

    `threshold` is that of the effective length.
    """
    samples, benchmark = run.samples, run.benchmark
    part = benchmark.summary(samples)
    return {
        **{name: getattr(run, name) for name in _FACTS},
        "epochs": run.epochs,
        "answers": len(samples),
        _measure(benchmark): _figures(headline(benchmark, samples)),
        **_beside(benchmark, samples),
        **({"rules_agree": _figures(agreed)} if (agreed := agreement(samples)).of else {}),
        "effective_length": _effective(run, threshold),
        "unscored": sum(one.correct is None and one.finished is not False for one in samples),
        "unfinished": run.unfinished,
        "remarks": list(run.remarks),
        "prompts": {
            str(fate): _ids(samples, fate) for fate in (Fate.CUT, Fate.SKIPPED, Fate.UNVERIFIED)
        },
        "sources": list(run.sources),
        "strata": {
            f"{by}: {name}": _figures(part) for by, name, part in strata(benchmark, samples)
        },
        "failure_modes": dict(_modes(samples)),
        **(part.fields if part else {}),
    }


def _measure(benchmark: Benchmark) -> str:
    return "accuracy" if benchmark.scoring.binary else "score"


def _figures(part: Share) -> list[float | int | None]:
    return [part.value, part.low, part.high, part.of] if part.of else [None, 0.0, 1.0, 0]


def _beside(benchmark: Benchmark, samples: Sequence[Record]) -> dict[str, object]:
    """What stands beside the headline."""
    told = {one.name: _figures(mean_figure(samples, one.figure)) for one in benchmark.scoring.told}
    perfect = {} if benchmark.scoring.binary else {"perfect": _figures(accuracy(samples))}
    return {**told, **perfect}


def _effective(run: RunRecord, threshold: float) -> dict[str, object] | None:
    found = effective(run.benchmark, run.samples, threshold)
    if found is None:
        return None
    told = zip(("length", "low", "high"), found.words, strict=True)
    return {**dict(told), "threshold": threshold, "shortest": found.lengths[0]}


def _effective_words(run: RunRecord, threshold: float) -> Iterator[tuple[str, str]]:
    """The line of the effective length, or why there is none; no line where none tells a length."""
    found = effective(run.benchmark, run.samples, threshold)
    if found is None:
        return
    measure, name = _measure(run.benchmark), found.words[0]
    kept = f"{measure} is at least {100 * threshold:g} % of that at {found.lengths[0]}"
    told = f"{name}  (longest at which {kept}; 95 % interval {found.interval})"
    yield "Effective length", told if name else f"none  ({found.lack(measure)})"


def agreement(found: Sequence[Record]) -> Share:
    """Of the answers that a model judged, those of which the rules say the same."""
    both = [
        one
        for one in found
        if one.judged_by == "model" and None not in (one.correct, one.rules_correct)
    ]
    told = ((one.id, one.correct == one.rules_correct) for one in both)
    return mean_of_epochs(told, clusters(both))


def _judge_words(run: RunRecord) -> Iterator[tuple[str, str]]:
    """The line on how far rules and grader agree, or on what the rules alone are worth."""
    agreed = agreement(run.samples)
    if agreed.of:
        yield "Rules", f"{agreed.value:.1%} agree with the grader, of {agreed.of} that it judged"
    elif isinstance(run.benchmark.scoring.by, ByCase) and any(
        one.judged_by == "rules" for one in run.samples
    ):
        lm_eval = any(one.harness == "lm-eval" for one in run.samples)
        how = "SEQNIAH_JUDGE_MODEL" if lm_eval else "--model-role grader=MODEL"
        yield "Judge", f"rules alone, wrong about one model's answer in ten; {how} names a grader"


def _told(run: RunRecord) -> Iterator[tuple[str, str]]:
    """The lines over all samples: names and words."""
    benchmark, samples = run.benchmark, run.samples
    part = headline(benchmark, samples)
    scored = [one.correct for one in samples if one.correct is not None]
    if benchmark.scoring.binary:
        words = f"{sum(scored)} of {len(scored)} right"
    else:
        words = f"mean of {len(scored)}, {sum(scored)} of them perfect"
    if run.epochs > 1:
        words += f": {part.of} samples in {run.epochs} epochs"
    interval = f"95 % interval {part.low:.1%} to {part.high:.1%}"
    if cluster := benchmark.scoring.cluster:
        interval += f" over {part.draws} {cluster.plural}"
    said = f"{part.value:.1%}  ({words}; {interval})" if part.of else "no sample was scored"
    yield _measure(benchmark).capitalize(), said
    for one in benchmark.scoring.told:
        part = mean_figure(samples, one.figure)
        if part.of:
            yield one.name.capitalize(), f"{part.value:.1%}  ({one.words}; mean of {part.of})"


def print_summary(
    console: Console, run: RunRecord, path: Path, threshold: float = THRESHOLD
) -> None:
    """Print a run's figures, and how to open its log."""
    print_figures(console, run, f"inspect eval-retry {shlex.quote(str(path))}", threshold)
    console.print(Text(f"\nLog   {path}"), soft_wrap=True)
    console.print(
        Text(f"Open  inspect view --log-dir {shlex.quote(str(path.parent))}"), soft_wrap=True
    )


def print_all(console: Console, runs: Mapping[Path, RunRecord], threshold: float) -> None:
    """Print several runs, one after the other."""
    for path, run in runs.items():
        print_summary(console, run, path, threshold)


def print_figures(
    console: Console, run: RunRecord, retry: str = "", threshold: float = THRESHOLD
) -> None:
    """Print a run's headline, its strata and its failures.

    `retry` is the command that finishes a run which ended before its time; `threshold` is that of
    the effective length.
    """
    samples, benchmark = run.samples, run.benchmark
    of_all = f" of {len(samples)} answers" if run.epochs > 1 else ""
    console.print()
    console.print(Text(f"{run.task}, {run.model}", style="bold"))
    edition = f"{run.edition} edition, " if run.edition else ""
    corpus = f"corpus {run.corpus}; " if run.corpus else ""
    facts = (
        f"version {run.version}, {edition}tokenizer {run.tokenizer}, scorer {run.scorer}: compare "
        f"only with the same; {corpus}run: {run.status}"
    )
    console.print(Text(f"{facts}\n", style="dim"))
    if run.remarks:
        console.print(Text(f"Not the usual run: {'; '.join(run.remarks)}.\n"))
    for name, told in (*_told(run), *_judge_words(run), *_effective_words(run, threshold)):
        console.print(Text.assemble((f"{name}  ", "bold"), told))
    if run.unfinished:
        # On one line, however long, since it holds a command.
        console.print(Text(_unfinished(run, retry)), soft_wrap=True)
        samples = tuple(one for one in samples if one.finished is not False)
    unscored = sum(one.correct is None for one in samples)
    console.print(
        f"Unscored  {unscored}{of_all} (not the model's fault; in no figure above or below)"
    )
    for line in prompt_lines(samples):
        console.print(Text(line))
    console.print()
    part = benchmark.summary(samples)
    if part:
        part.print(console)
    else:
        console.print(_table(_measure(benchmark), strata(benchmark, samples)))
    modes = ", ".join(f"{mode} {count}" for mode, count in _modes(samples).most_common())
    if modes:
        console.print(f"\nFailure modes{of_all} (several may hold): {modes}")


def _unfinished(run: RunRecord, retry: str) -> str:
    """What is to be said of a run that has not finished all its samples."""
    # The log of a run that was killed stays as it was under way.
    going = run.status == "started"
    why = "the run goes on, or was killed: then" if going else "the run ended without them;"
    return f"Unfinished  {run.unfinished} of {run.asked} ({why} {retry})"


def prompt_lines(samples: Sequence[Record]) -> list[str]:
    """What is to be said of prompts that were not, or not surely, seen whole."""
    lines: list[str] = []
    for fate, what in (
        (Fate.CUT, "cut before the model saw them; unscored"),
        (Fate.SKIPPED, "not sent, since they do not fit the model's window; unscored"),
    ):
        ids = _ids(samples, fate)
        if ids:
            more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
            lines.append(f"Prompts   {len(ids)} {what}: {', '.join(ids[:_NAMED])}{more}")
    unverified = len(_ids(samples, Fate.UNVERIFIED))
    if unverified:
        why = "too few shorter ones, or no token count reported"
        if any(one.harness == "lm-eval" for one in samples):
            why = (
                "lm-eval passes on no token counts of this server, so that answers to prompts that "
                "it cut would count as wrong; a run with --metadata '{\"probe\": true}' finds out"
            )
        lines.append(f"Prompts   {unverified} unverified: {why}")
    return lines


def _ids(samples: Iterable[Record], fate: Fate) -> list[str]:
    """Of prompts with this fate; one of which none is told is unverified."""
    return [one.id for one in samples if (one.prompt_fate or Fate.UNVERIFIED) == fate]


_NAMED = 3
"""Sample ids that a line names."""


def _table(measure: str, found: Iterable[tuple[str, str, Share]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for title in ("by", "", measure, "95 % interval", "samples"):
        table.add_column(title, justify="right" if title in (measure, "samples") else "left")
    before = ""
    for by, name, part in found:
        figures = (f"{part.value:.1%}", f"{part.low:.1%} to {part.high:.1%}")
        again = "" if by == before else by
        table.add_row(again, name, *(figures if part.of else ("-", "-")), str(part.of))
        before = by
    return table


def _modes(samples: Iterable[Record]) -> Counter[str]:
    return Counter(mode for one in samples for mode in one.failure_modes or ())
