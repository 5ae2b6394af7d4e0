"""Findings on the terminal: problems in red, each with what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_datasets.errors import visible
from seqniah_tasks.checks.base import Finding, State

_STYLES = {State.OK: "green", State.NOTE: "yellow", State.PROBLEM: "bold red"}


def as_json(findings: Sequence[Finding]) -> list[dict[str, str]]:
    """The findings as JSON fields, in the order of the checks."""
    return [asdict(one) for one in findings]


def print_findings(console: Console, findings: Sequence[Finding]) -> None:
    """Print the findings, then how many of them want attention."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, pad_edge=False)
    table.add_column("check", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("found, and what to do", overflow="fold")
    before = ""
    for one in findings:
        text = Text(visible(one.found))
        if one.todo:
            text.append(f"\n> {visible(one.todo)}", style="bold")
        name = one.check if one.check != before else ""
        table.add_row(name, Text(one.state, style=_STYLES[one.state]), text)
        before = one.check
    console.print()
    console.print(table)
    console.print()
    console.print(Text(_sum(findings), style="bold"))


def _sum(findings: Sequence[Finding]) -> str:
    counts = Counter(one.state for one in findings)
    parts = [
        f"{counts[state] or 'no'} {state}{'' if counts[state] == 1 else 's'}"
        for state in (State.PROBLEM, State.NOTE)
    ]
    return f"{', '.join(parts).capitalize()}."
