"""The noise suite on the terminal: the paper's Table 5 with intervals, and its Figure 7."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import Figure, Line, NoiseFigures, Outcome, by_group, figures
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import SummaryPart
from seqniah_tasks.benchmarks.sequential_niah.bench import NAME
from seqniah_tasks.kinds import natural
from seqniah_tasks.records import Record

_LEGEND = """\
Accuracy: mean over original and variant sets, 4 of a type, 13 of all (Acc.).
Spread: sample standard deviation of these accuracies, in points (Cons.); an
interval from 0 says that chance alone may account for it.
Agreement: samples right in all of these sets or wrong in all (Cons. in v1 of
the paper). Intervals: 95 %, by resampling the samples."""


def outcomes(answers: Iterable[Record]) -> list[Outcome]:
    """One outcome a sample; of several epochs, what at least half of the scored ones were."""
    epochs: dict[tuple[str, str, int], list[bool]] = {}
    for one in answers:
        name = one.base or one.id, one.traits.get("noise", ""), one.variant or 0
        scored = epochs.setdefault(name, [])
        scored += [] if one.correct is None else [one.correct]
    return [
        Outcome(base, NoiseType(kind) if kind else None, variant, _mostly(scored))
        for (base, kind, variant), scored in epochs.items()
    ]


def _mostly(scored: list[bool]) -> bool | None:
    return 2 * sum(scored) >= len(scored) if scored else None


def summary(found: Sequence[Record]) -> SummaryPart | None:
    """The figures of a run, over all and by length and number of needles; None of other runs."""
    if not any("noise" in one.traits for one in found):
        return None
    asked = outcomes(found)
    whole = figures(asked)

    def show(console: Console) -> None:
        print_noise(console, whole)
        lengths = {one.base or one.id: one.length_bin or "" for one in found}
        needles = {one.base or one.id: one.traits.get("needle_group", "") for one in found}
        for by, group in (("length", lengths), ("needles", needles)):
            console.print()
            print_noise_groups(console, by, by_group(asked, group))

    return SummaryPart({"noise": noise_as_json(whole)}, show)


def noise_as_json(found: NoiseFigures) -> dict[str, object]:
    """The figures as JSON fields; each is [value, low, high, base samples], null for none."""
    return {
        "base_samples": found.bases,
        "reference": _fields(found.reference, found.reference_of),
        "noise": {_name(line).lower(): _line_as_json(line) for line in (*found.types, found.all)},
    }


def print_noise(console: Console, found: NoiseFigures) -> None:
    """Print the table, what it leaves out, and what the figures are."""
    console.print(_table(found))
    lines = left_out_lines(found)
    if lines:
        console.print()
    for line in lines:
        console.print(Text(line))
    console.print(Text(f"\n{_LEGEND}", style="dim"))


def print_noise_groups(console: Console, by: str, groups: Mapping[str, NoiseFigures]) -> None:
    """Print what is consistently right and wrong by group, e.g. by "length" (Figure 7)."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column(by)
    for title in ("of", "right", "95 % int.", "wrong", "95 % int.", "agreement", "95 % int."):
        table.add_column(title, justify="left" if title == "95 % int." else "right")
    labelled = benchmarks.known()[NAME].labelled
    for name in sorted(groups, key=natural):
        line = groups[name].all
        cells: list[str] = []
        for part in (line.right, line.wrong, line.agreement):
            cells += [_number(part.value, 1, "%"), _interval(part, 0, "%")]
        table.add_row(labelled(name), str(line.complete), *cells)
    console.print(table)


def left_out_lines(found: NoiseFigures) -> list[str]:
    """What is to be said of samples that are not in the figures."""
    lines: list[str] = []
    for line in (*found.types, found.all) if found.bases else ():
        said: list[str] = []
        if line.sets < line.sets_wanted:
            said.append(f"accuracy and spread over {line.sets} of {line.sets_wanted} sets")
        counts = ((line.unscored, "unscored"), (line.missing, "not run"))
        said += [f"{count:,} {what}" for count, what in counts if count]
        if line.complete < found.bases:
            said.append(f"agreement over {line.complete:,} of {found.bases:,}")
        if said:
            lines.append(f"{_name(line):<4} {'; '.join(said)}")
    return lines


def _table(found: NoiseFigures) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("")
    for title in ("accuracy", "spread", "agreement"):
        table.add_column(title, justify="right")
        table.add_column("95 % int.")
    table.add_column("samples", justify="right")
    reference = found.reference
    row = _number(reference.value, 2, "%"), _interval(reference, 0)
    table.add_row("Ref", *row, *("",) * 4, f"{found.reference_of:,}")
    for line in (*found.types, found.all):
        table.add_row(_name(line), *_cells(line), f"{line.bases:,}")
    return table


def _cells(line: Line) -> Iterable[str]:
    yield _number(line.accuracy.value, 2, "%")
    yield _interval(line.accuracy, 0)
    yield f"±{_number(line.spread.value, 2)}" if line.sets > 1 else "-"
    yield _interval(line.spread, 1)
    yield _number(line.agreement.value, 1, "%")
    yield _interval(line.agreement, 0)


def _name(line: Line) -> str:
    return line.noise.upper() if line.noise else "All"


def _number(value: float, digits: int, unit: str = "") -> str:
    return "-" if math.isnan(value) else f"{100 * value:.{digits}f}{unit}"


def _interval(figure: Figure, digits: int, unit: str = "") -> str:
    if math.isnan(figure.low):
        return "-"
    return f"{_number(figure.low, digits, unit)} to {_number(figure.high, digits, unit)}"


def _line_as_json(line: Line) -> dict[str, object]:
    return {
        "accuracy": _fields(line.accuracy, line.bases),
        "spread": _fields(line.spread, line.bases),
        "agreement": _fields(line.agreement, line.complete),
        "consistently_right": _fields(line.right, line.complete),
        "consistently_wrong": _fields(line.wrong, line.complete),
        "sets": line.sets,
        "sets_wanted": line.sets_wanted,
        "unscored": line.unscored,
        "missing": line.missing,
    }


def _fields(figure: Figure, of: int) -> list[float | int | None]:
    values = (figure.value, figure.low, figure.high)
    return [*(None if math.isnan(value) else value for value in values), of]
