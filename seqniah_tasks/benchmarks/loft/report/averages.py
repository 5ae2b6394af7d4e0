"""Averages over the data sets of a task, each of which counts the same, as in Table 2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from seqniah_datasets.loft.table import SYSTEMS
from seqniah_tasks.benchmarks.loft.report.asked import Asked, asked
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record
from seqniah_tasks.report.measures import means, without_empty
from seqniah_tasks.report.parts import Cell, Column, Kind, Table, of_kind
from seqniah_tasks.report.words import listed

COLUMNS = ("gemini_1_5_pro", "gpt_4o", "claude_3_opus", "specialised")
"""Names of columns of `SYSTEMS`."""


class _Key(NamedTuple):
    """Whose answers are averaged: those of one model in one set-up, whatever their data sets."""

    model: str
    setup: str
    task: str
    via: str
    length: str


def tables(rows: Iterable[Record]) -> Iterator[Table]:
    """A line a model, a task, a way and a length that several data sets were asked at; a data set
    is a run of its own."""
    parts: dict[_Key, dict[Asked, list[Record]]] = {}
    for row in rows:
        one, setup = asked(row), ", ".join(filter(None, (row.setup, row.generation)))
        key = _Key(row.model or "", setup, one.task, one.via, one.length)
        parts.setdefault(key, {}).setdefault(one, []).append(row)
    columns = (
        *of_kind(Kind.TEXT, model="Model", setup="Set-up", task="Task", via="Way"),
        Column("length", "Length"),
        Column("data_sets", "Data sets"),
        *of_kind(Kind.SHARE, strict="Strict", official="Official"),
        *of_kind(Kind.SHARE, **dict(zip(COLUMNS, SYSTEMS, strict=True))),
    )
    lines = [(*key, *_line(of)) for key, of in sorted(parts.items()) if len(of) > 1]
    if lines:
        title = "Averages over data sets, beside those of Table 2 over the same ones"
        table = Table("loft-averages", title, columns, tuple(lines), open=True)
        yield without_empty(table, *COLUMNS)


def _line(of: Mapping[Asked, Sequence[Record]]) -> tuple[Cell, ...]:
    part = sorted(of.items(), key=lambda pair: pair[0].place)
    strict = [share.value if (share := mean_score(found)).of else None for _, found in part]
    official = [means(found, ["official"])[0] for _, found in part]
    published = [one.row.table2 if one.row else (-1.0,) * len(SYSTEMS) for one, _ in part]
    theirs = (
        [value if value >= 0 else None for value in one] for one in zip(*published, strict=True)
    )
    names = listed([one.row.title if one.row else one.dataset for one, _ in part])
    return (names, *map(_mean, (strict, official, *theirs)))


def _mean(values: Sequence[float | None]) -> float | None:
    """None where one is missing: averages are to be of the same data sets."""
    told = [one for one in values if one is not None]
    return fmean(told) if len(told) == len(values) else None
