"""What plans hold, beside what was published, on the terminal."""

from __future__ import annotations

from rich.table import Table

from seqniah_tasks.benchmarks.protocol import Stats


def table_of(found: Stats) -> Table:
    """The table, its groups apart from each other; columns of numbers stand right."""
    table = Table(title=found.title, title_justify="left")
    for number, title in enumerate(found.columns):
        cells = [row[number] for row in found.rows]
        counts = any(cell[:1].isdecimal() and cell.replace(",", "").isdecimal() for cell in cells)
        table.add_column(title, justify="right" if counts else "left")
    for place, row in enumerate(found.rows):
        if place and row[0]:
            table.add_section()
        table.add_row(*row)
    return table
