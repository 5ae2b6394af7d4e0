"""Options of tasks as tables, on the terminal and in the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.options import OptionRow
from seqniah_tasks.benchmarks.protocol import ByCase

_HEAD = """\
# Options

`seqniah options` prints these tables. In inspect options are given as `-T name=value`, in lm-eval
as `--metadata '{"name": "value"}'`. `seqniah build`, `show`, `stats` and `estimate` take those that
say which samples are wanted, as inspect does. Several values are a comma list.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """Options that belong together."""

    tasks: tuple[str, ...]
    """The tasks that have them."""
    title: str
    """What they are about; empty: the samples."""
    options: tuple[OptionRow, ...]


def sections(wanted: Sequence[str]) -> list[Section]:
    """The options of some tasks, or of all; those of samples, then those of runs.

    Raises `SeqniahError` for a task that there is not.
    """
    known = benchmarks.tasks()
    found = [benchmarks.task(name) for name in wanted] if wanted else list(known.values())
    alike: dict[type, list[str]] = {}
    for one in found:
        alike.setdefault(one.spec.options, []).append(one.spec.name)
    made = [Section(tuple(names), "", tuple(options.table(kind))) for kind, names in alike.items()]
    judged = [one.spec.name for one in found if isinstance(one.benchmark.scoring.by, ByCase)]
    every = tuple(one.spec.name for one in found)
    made.append(Section(every, "prompts that do not fit", tuple(options.table(options.Guard))))
    if judged:
        rows = tuple(options.table(options.JudgeOptions))
        made.append(Section(tuple(judged), "who judges", rows))
    return made


def as_markdown(found: Sequence[Section]) -> str:
    """The tables as a page."""
    parts = [_HEAD]
    for one in found:
        rows = [f"| `{row.name}` | {_code(row.default)} | {row.help} |" for row in one.options]
        head = [f"## {_title(one)}\n", "| option | default | what it is |", "|---|---|---|"]
        parts.append("\n".join([*head, *rows, ""]))
    return "\n".join(parts)


def print_options(console: Console, found: Sequence[Section]) -> None:
    """Print the tables."""
    for one in found:
        table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
        for title in ("option", "default"):
            table.add_column(title, no_wrap=True)
        table.add_column("")
        for row in one.options:
            table.add_row(row.name, Text(row.default), Text(row.help))
        console.print(Text(f"\n{_title(one)}", style="bold"))
        console.print(table)


def _title(one: Section) -> str:
    named = ", ".join(one.tasks)
    return f"{named}: {one.title}" if one.title else named


def _code(default: str) -> str:
    return f"`{default}`" if default else ""
