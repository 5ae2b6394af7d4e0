"""A page for tests of the report: two runs, a section, three single answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from report_rows import one, rows, studied

from seqniah_tasks.records import Record, Transcript
from seqniah_tasks.report.cases import example
from seqniah_tasks.report.page import Page
from seqniah_tasks.report.parts import (
    Axis,
    Column,
    DotRow,
    Dots,
    Figure,
    Kind,
    Point,
    Section,
    Table,
)

REFERENCE = """The steps in order:
- Boil two litres of water.
- Grind the coffee beans coarsely.
- Pour the water over the grounds.
- Stir the pot with a wooden spoon."""

RESPONSE = """1. Boil nine litres of water.
2. Pour the water over the grounds.
3. Grind the coffee beans coarsely.
4. Pour the water over the grounds."""


def answer_of(row: Record) -> Transcript:
    return Transcript(row, "How is coffee made?", REFERENCE, RESPONSE, {})


def wrong(name: str, **columns: Any) -> Record:
    modes = "missing_items", "redundant_items", "wrong_order"
    usual = {"pipeline": "real-logical", "needles": 4, "failure_modes": modes}
    return one(id=name, correct=False, **{**usual, **columns})


def section_of(count: int = 3) -> Section:
    columns = Column("run", "Run"), Column("share", "Share", Kind.SHARE)
    cells = (("a10", 0.093), ("a9", None), *((f"b{n}", n / count) for n in range(count - 2)))
    figure = Figure("shares", "Shares", "All alike.", Dots(Axis("Share"), (_DOT,)))
    table = Table("shares", "All shares", columns, cells, open=True)
    return Section("shares", "Shares", "What is shared.", (figure,), (table,), ("A note.",))


_DOT = DotRow("a", Point(0.5))


def usual(**changes: Any) -> Page:
    """A page of two runs with a section and three single answers."""
    first = [
        *rows(6),
        wrong("w1", found=(True, True, True, False), depths=(0.5, 0.52, 0.1, 0.9)),
        wrong("w2", lang="zh", length_bin="16k-32k"),
    ]
    second = [*rows(6, model="other"), wrong("w1", model="other", failure_modes=("no_answer",))]
    study = studied(first, second)
    shown = [row for run in study.runs for row in run.answers if row.correct is False]
    page = Page(
        title="Two runs",
        version="1.2.3",
        study=study,
        sections=(section_of(),),
        drawn={"shares": '<svg viewBox="0 0 340 100" role="img"></svg>'},
        examples=tuple(example(answer_of(row)) for row in shown),
        wrong=3,
    )
    return replace(page, **changes)
