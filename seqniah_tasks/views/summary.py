"""A run on the terminal: accuracy by stratum with intervals, failures, and where the log is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_tasks.records import STRATA_ORDER, RunRecord, SampleRecord, Share, accuracy

_GROUPS = {
    "length": "length_bin",
    "needles": "needle_group",
    "pipeline": "pipeline",
    "language": "lang",
}


def print_summary(console: Console, run: RunRecord, path: Path) -> None:
    """Print a run's headline, its strata, its failures, and how to open the log."""
    samples = list(run.samples)
    console.print()
    console.print(Text(f"{run.task}, {run.model}", style="bold"))
    facts = f"version {run.version}, {run.edition} edition, scorer {run.scorer}, run: {run.status}"
    console.print(Text(f"{facts}\n", style="dim"))
    total = accuracy(samples)
    console.print(Text("Accuracy  ", style="bold") + Text(_share(total)))
    unscored = sum(sample.correct is None for sample in samples)
    console.print(f"Unscored  {unscored} (not the model's fault; in no figure above or below)")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for title in ("by", "", "accuracy", "95 % interval", "samples"):
        table.add_column(title, justify="right" if title in ("accuracy", "samples") else "left")
    for title, field in _GROUPS.items():
        for number, (name, group) in enumerate(_split(samples, field)):
            part = accuracy(group)
            figures = (f"{part.value:.1%}", f"{part.low:.1%} to {part.high:.1%}")
            table.add_row(
                title if number == 0 else "",
                name,
                *(figures if part.of else ("-", "-")),
                str(part.of),
            )
    console.print()
    console.print(table)
    modes = Counter(mode for sample in samples for mode in sample.failure_modes)
    if modes:
        listed = ", ".join(f"{mode} {count}" for mode, count in modes.most_common())
        console.print(f"\nFailure modes (several may hold): {listed}")
    console.print(Text(f"\nLog   {path}"))
    console.print(Text(f"Open  inspect view --log-dir {path.parent}"))


def _share(part: Share) -> str:
    if not part.of:
        return "no sample was scored"
    return (
        f"{part.value:.1%}  ({part.hits} of {part.of} right; "
        f"95 % interval {part.low:.1%} to {part.high:.1%})"
    )


def _split(samples: list[SampleRecord], field: str) -> list[tuple[str, list[SampleRecord]]]:
    groups: dict[str, list[SampleRecord]] = {}
    for sample in samples:
        groups.setdefault(str(getattr(sample, field)), []).append(sample)
    last = len(STRATA_ORDER)
    return sorted(groups.items(), key=lambda entry: (STRATA_ORDER.get(entry[0], last), entry[0]))
