"""What a report is made of: sections of figures and tables, as data; nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

PUBLISHED = "published, other samples and judge"
"""To be said of a paper's figures, unless its benchmark says something else."""

Cell = str | int | float | None
"""A value of a table; None: there is nothing to tell."""


class Kind(StrEnum):
    """How a column's values are to be read and shown."""

    TEXT = "text"
    COUNT = "count"
    SHARE = "share"
    """0 to 1, shown in percent."""
    NUMBER = "number"
    """Shown with two decimals."""
    DOLLARS = "dollars"
    SECONDS = "seconds"
    PROBABILITY = "probability"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    """As the CSV file has it: lower case, underscores."""
    title: str
    """As the page has it."""
    kind: Kind = Kind.TEXT


def of_kind(kind: Kind, **titles: str) -> tuple[Column, ...]:
    """Columns of one kind, their titles by name."""
    return tuple(Column(name, title, kind) for name, title in titles.items())


@dataclass(frozen=True, slots=True)
class Table:
    """Figures of a section, one line a row; also a CSV file."""

    name: str
    """Of the file, without its ending: lower case, hyphens; no other of the report has it."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """Each as long as `columns`."""
    open: bool = False
    """Whether the page shows it at once, or when asked to."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.name} has a row of another length than its columns")


@dataclass(frozen=True, slots=True)
class Point:
    """One measured value."""

    value: float
    low: float | None = None
    """Lower end of the 95 % interval; None: there is none to show."""
    high: float | None = None
    of: int | None = None
    """Samples (or what the chart counts) that it is of."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A numeric axis."""

    title: str
    low: float = 0.0
    high: float | None = 1.0
    """None: as far as the values go."""
    percent: bool = True
    """Whether values are shares, shown in percent."""


@dataclass(frozen=True, slots=True)
class DotRow:
    """One line of a dot chart."""

    label: str
    point: Point | None
    published: bool = False
    """A figure of the paper: other samples, another judge; drawn as a hollow mark."""


@dataclass(frozen=True, slots=True)
class Dots:
    """Rows with a dot and its interval each, from top to bottom."""

    axis: Axis
    rows: tuple[DotRow, ...]
    zero: bool = False
    """Whether 0 is a line to compare with (differences)."""
    words: str = PUBLISHED
    """To be said of published rows."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a line chart; its place among the lines gives its colour and marker."""

    label: str
    points: tuple[Point | None, ...]
    """One for each place of the x axis; None: nothing to show there."""
    ringed: int | None = None
    """The place whose mark has a ring around it; None: none has."""


@dataclass(frozen=True, slots=True)
class Level:
    """A value that lines are held against."""

    value: float
    name: str
    """In the legend."""
    ring: str
    """What a ring around a mark tells, in the legend."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Values over ordered places, a line a series, with intervals."""

    x_title: str
    places: tuple[str, ...]
    axis: Axis
    series: tuple[Series, ...]
    joined: bool = True
    """Whether the places have an order that a line may join."""
    level: Level | None = None
    """Drawn across; lines are then steps, so that each is above or below it at a whole place."""


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Cells of shares, dark where high; `of` of a cell is shown where it is small."""

    x_title: str
    places: tuple[str, ...]
    """Columns, from left to right."""
    y_title: str
    lines: tuple[str, ...]
    """Rows, from top to bottom."""
    cells: tuple[tuple[Point | None, ...], ...]
    """By row, then column; None: no sample there."""
    high: float = 1.0
    """The value that is darkest; 0 is lightest."""
    published: frozenset[int] = frozenset()
    """Rows that are the paper's, by number."""
    dense: bool = False
    """Whether rows and columns are many and in order, so that the names of some tell the others."""

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.lines):
            raise ValueError(f"{len(self.cells)} rows of cells, {len(self.lines)} names")
        if any(len(row) != len(self.places) for row in self.cells):
            raise ValueError("a row of cells is not as long as the places")


@dataclass(frozen=True, slots=True)
class Stacks:
    """Rows that are each divided into parts that add up to 1."""

    parts: tuple[str, ...]
    """Names of the parts, in their order; at most five."""
    rows: tuple[tuple[str, tuple[float, ...], int], ...]
    """Label, share of each part, and of how many samples."""


Chart = Dots | Lines | Heatmap | Stacks


@dataclass(frozen=True, slots=True)
class Facet:
    """That a figure is of one run, beside others of its kind."""

    name: str
    """Of the kind, as its files begin."""
    title: str
    """What all figures of the kind show."""
    run: str
    """Label of the run that this one is of."""
    beside: str = ""
    """What is said of it in the title."""

    @property
    def heading(self) -> str:
        """Of this figure among others of its kind."""
        return f"{self.run}: {self.beside}" if self.beside else self.run


@dataclass(frozen=True, slots=True)
class Figure:
    """One chart; also a file in SVG and one in PNG."""

    name: str
    """Of the files, without their ending: lower case, hyphens; no other of the report has it."""
    title: str
    """What is shown, of whom where a figure is one run's."""
    told: str
    """The figure in a sentence or two, for those who cannot see it: what is high, what is low."""
    chart: Chart
    facet: Facet | None = None
    """None: it is of all runs."""


def of_run(
    name: str, title: str, number: int, run: str, told: str, chart: Chart, beside: str = ""
) -> Figure:
    """A figure of one run; `number` is the run's place in the study, from 1.

    A report names its files by the run's label instead.
    """
    facet = Facet(name, title, run, beside)
    return Figure(f"{name}-{number}", f"{title}: {facet.heading}", told, chart, facet)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page."""

    name: str
    """For links: lower case, hyphens."""
    title: str
    lead: str
    """What it shows and how to read it, in a sentence or three."""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    """What must be known beside it, a sentence each."""
