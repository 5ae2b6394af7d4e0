"""What holds of a report whatever rows it is made of: nothing lost, nothing impossible."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from how_many import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_rows import one, studied

from seqniah_datasets.schema import LANGS, SPLITS, NoiseType, Pipeline, StarAsk, StarTask
from seqniah_datasets.splits import BINS, GROUPS, LONGER_BINS
from seqniah_scorers.counting import CountingFailure
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.csv_files import csv_cell, write_csv
from seqniah_tasks.records import Record, record
from seqniah_tasks.report.parts import (
    Column,
    Dots,
    Figure,
    Heatmap,
    Kind,
    Lines,
    Point,
    Section,
    Stacks,
    Table,
)
from seqniah_tasks.report.runs import Study, study
from seqniah_tasks.report.sections import made

_ROUNDING = 1e-9


def _maybe(*known: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from([None, *known])


_SHARES = st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0, 1))

_COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "harness": _maybe("inspect", "lm-eval"),
    "model": _maybe("a", "b"),
    "split": _maybe(*SPLITS),
    "tokenizer": _maybe("qwen"),
    "setup": _maybe("closed book"),
    "planned": _maybe(0, 1, 2**53),
    "judge": _maybe("rules 3", "judge: x"),
    "judged_by": _maybe("rules", "model"),
    "id": st.sampled_from([f"s{number}" for number in range(6)]),
    "base": _maybe("s0", "s1"),
    "noise": _maybe(*map(str, NoiseType)),
    "variant": _maybe(1, 2, 3, 4),
    "epoch": _maybe(1, 2, 3),
    "lang": _maybe(*LANGS),
    "pipeline": _maybe(*map(str, Pipeline)),
    "length_bin": _maybe(*(bin.name for bin in (*BINS, *LONGER_BINS))),
    "needle_group": _maybe(*(group.name for group in GROUPS)),
    "order_required": _maybe(True, False),
    "finished": _maybe(True, False),
    "correct": _maybe(True, False),
    "reason": _maybe("As it is."),
    "failure_modes": st.one_of(
        st.none(), st.lists(st.sampled_from([*map(str, FailureMode)]), max_size=3, unique=True)
    ),
    "item_recall": _SHARES,
    "item_precision": _SHARES,
    "order_agreement": st.one_of(st.none(), st.sampled_from([-1.0, 1.0]), st.floats(-1, 1)),
    "prompt_fate": _maybe("whole", "cut", "unverified", "skipped"),
    "input_tokens": _maybe(1, 2**53),
    "output_tokens": _maybe(0, 7, 2**53),
    "seconds": st.one_of(st.none(), st.floats(0, 1e6)),
    "cost": st.one_of(st.none(), st.floats(0, 1e3)),
}


@st.composite
def _row(draw: st.DrawFn) -> Record:
    """Anything that a file may hold, as the table takes it."""
    drawn = draw(st.fixed_dictionaries(_COLUMNS))
    needles = draw(st.integers(1, 15))
    drawn["needles"] = draw(_maybe(needles))
    for name, values in (("depths", st.floats(0, 1)), ("found", st.booleans())):
        # Lists of another length can be there only where nothing tells how many needles there are.
        size = needles if drawn["needles"] else draw(st.integers(0, 15))
        drawn[name] = draw(st.one_of(st.none(), st.lists(values, min_size=size, max_size=size)))
    return record("here", {"source": "run.eval", **drawn})


_STARS: dict[str, st.SearchStrategy[Any]] = {
    "benchmark": st.just("counting-stars"),
    "edition": _maybe("3-2", "64-32-shuffled", "odd"),
    "pipeline": _maybe(*map(str, StarTask)),
    "ask": _maybe(*map(str, StarAsk)),
    "length_bin": _maybe("4k", "128k", "4096"),
    "length": _maybe(4_096),
    "needle_group": st.none(),
    "noise": st.none(),
    "score": _SHARES,
    "position": _SHARES,
    "confusion": _SHARES,
    "setup": _maybe("reasoning", "4 players", "snap none"),
    "failure_modes": st.one_of(
        st.none(), st.lists(st.sampled_from([*map(str, CountingFailure)]), max_size=3, unique=True)
    ),
}


@st.composite
def _star(draw: st.DrawFn) -> Record:
    """The same of stars."""
    drawn = draw(st.fixed_dictionaries(_COLUMNS | _STARS))
    needles = draw(st.integers(1, 90))
    credit, placed = st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()
    drawn["needles"] = draw(_maybe(needles))
    for name, values in (("depths", st.floats(0, 1)), ("credits", credit), ("placed", placed)):
        size = needles if drawn["needles"] else draw(st.integers(0, 5))
        drawn[name] = draw(st.one_of(st.none(), st.lists(values, min_size=size, max_size=size)))
    return record("here", {"source": "run.eval", **drawn})


_FILES = st.lists(
    st.lists(st.one_of(_row(), _star()), min_size=1, max_size=8), min_size=1, max_size=4
)

_QUIET = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@_QUIET
@given(_FILES)
def test_every_row_is_in_one_run_once(files: list[list[Record]]) -> None:
    by_path = {Path(f"{number}.eval"): rows for number, rows in enumerate(files)}
    found = study(by_path)
    placed: Counter[int] = Counter()
    for run in found.runs:
        in_suite = {id(one) for one in run.suite}
        placed.update(in_suite)
        own = [one for one in run.answers if id(one) not in in_suite]
        # Either files of their own, or what the suite has of samples as they are.
        if not own:
            originals = [one for one in run.suite if not one.is_variant]
            assert list(map(id, run.answers)) == list(map(id, originals))
        placed.update(map(id, own))
        assert len(own) in (0, len(run.answers))
        assert {one.model or "unnamed" for one in (*run.answers, *run.suite)} == {run.model}
        for name in ("benchmark", "split", "tokenizer", "setup"):
            told = {getattr(one, name) or "" for one in (*run.answers, *run.suite)}
            assert told == {getattr(run.setting, name)}
        assert len(set(run.files)) == len(run.files)
    assert placed == Counter(id(one) for rows in files for one in rows)
    labels = [run.label for run in found.runs]
    assert len(set(labels)) == len(labels)
    assert {path for run in found.runs for path in run.files} == set(map(str, by_path))
    parts = found.by_benchmark()
    shown = [run for part in parts.values() for run in part.runs]
    assert shown == [replace(run, label=run.own) for run in found.runs]
    for name, part in parts.items():
        assert {run.setting.benchmark for run in part.runs} == {name}
        assert len({run.label for run in part.runs}) == len(part.runs)
        shares = [run.share.value for run in part.runs if run.share.of]
        assert shares == sorted(shares, reverse=True)
        assert all(run.share.of for run in part.runs[: len(shares)]), "unscored runs are last"


@_QUIET
@given(_FILES)
def test_no_mix_of_rows_gives_what_cannot_be(files: list[list[Record]]) -> None:
    _check(_sections(studied(*files)))


def _sections(found: Study) -> list[Section]:
    return made(found)


def _check(sections: list[Section]) -> None:
    for kind in ("figures", "tables"):
        names = [one.name for section in sections for one in getattr(section, kind)]
        assert len(set(names)) == len(names)
    for section in sections:
        assert section.title and section.lead and all(section.notes)
        for figure in section.figures:
            assert figure.title and figure.told
            _check_figure(figure)
        for table in section.tables:
            _check_table(table)


def _check_figure(figure: Figure) -> None:
    chart = figure.chart
    if isinstance(chart, Stacks):
        assert chart.rows
        for _, shares, of in chart.rows:
            assert len(shares) == len(chart.parts)
            assert sum(shares) == pytest.approx(1) and min(shares) >= 0 and of > 0
        return
    if isinstance(chart, Lines):
        assert all(len(series.points) == len(chart.places) for series in chart.series)
        points = [point for series in chart.series for point in series.points]
        low, high = chart.axis.low, chart.axis.high
    elif isinstance(chart, Heatmap):
        points, low, high = [point for line in chart.cells for point in line], 0.0, chart.high
    else:
        assert isinstance(chart, Dots)
        points, low, high = [line.point for line in chart.rows], chart.axis.low, chart.axis.high
    for point in filter(None, points):
        _check_point(point, low, high)


def _check_point(point: Point, low: float, high: float | None) -> None:
    ends = [end for end in (point.low, point.value, point.high) if end is not None]
    assert low - _ROUNDING <= min(ends)
    assert high is None or max(ends) <= high + _ROUNDING
    assert (point.low is None) == (point.high is None)
    if point.low is not None and point.high is not None:
        assert point.low - _ROUNDING <= point.value <= point.high + _ROUNDING
    assert point.of is None or point.of > 0


def _check_table(table: Table) -> None:
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names)
    # A difference of two shares may be below 0; its ends stand beside it.
    least = -1 if "difference" in names else 0
    for line in table.rows:
        cells = dict(zip(names, line, strict=True))
        for column, cell in zip(table.columns, line, strict=True):
            _check_cell(column, cell, least)
        for name in ("accuracy", "agreement", "difference", "recall", "score", "right", "wrong"):
            stem = "" if "low" in names else f"{name}_"
            low, high = cells.get(f"{stem}low"), cells.get(f"{stem}high")
            if low is not None and high is not None and _is_share(table, name):
                assert low - _ROUNDING <= cells[name] <= high + _ROUNDING


def _is_share(table: Table, name: str) -> bool:
    return any(one.name == name and one.kind is Kind.SHARE for one in table.columns)


def _check_cell(column: Column, cell: Any, least: float) -> None:
    if cell is None:
        return
    if column.kind is Kind.TEXT:
        assert isinstance(cell, str)
    elif column.kind is Kind.COUNT:
        assert cell == int(cell) and cell >= 0, column.name
    elif column.kind is Kind.SHARE:
        assert least - _ROUNDING <= cell <= 1 + _ROUNDING, column.name
    elif column.kind is Kind.PROBABILITY:
        assert 0 <= cell <= 1, column.name
    else:
        assert cell == cell, column.name  # a number


@pytest.mark.parametrize("needles", range(1, 16))
def test_any_number_of_needles_has_its_place(needles: int) -> None:
    found = tuple(place % 2 == 0 for place in range(needles))
    sections = _sections(studied([one(needles=needles, found=found, correct=False)]))
    _check(sections)
    # Groups begin at three needles; a sample of fewer is in none, so that there is no such table.
    told = [
        (cells["position"], cells["found"])
        for section in sections
        for table in section.tables
        if table.name == "recall-by-position-and-needles"
        for line in table.rows
        for cells in [dict(zip([column.name for column in table.columns], line, strict=True))]
    ]
    assert told == ([(at + 1, int(hit)) for at, hit in enumerate(found)] if needles >= 3 else [])


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 8, 9, 12])
def test_parts_of_any_number_of_runs_have_names_of_their_own(count: int) -> None:
    files = []
    for number in range(count):
        wrong = one(id="w", correct=False, model=f"m{number:02}")
        variants = [
            one(id=f"{base}-tm{variant}", base=base, noise="tm", variant=variant, model=wrong.model)
            for base in ("r", "w")
            for variant in (1, 2, 3)
        ]
        files.append([one(id="r", model=wrong.model), wrong])
        files.append([one(id="r", model=wrong.model), wrong, *variants])
    found = studied(*files)
    assert len(found.runs) == count
    sections = _sections(found)
    assert len(sections) == (10 if count > 1 else 9), "all, but for pairs of a single run"
    _check(sections)
    # What has a chart a run has one of each that is shown, and of no other.
    maps = [
        figure.name
        for section in sections
        for figure in section.figures
        if figure.name.startswith("recall-by-depth-and-length-")
    ]
    assert maps == [f"recall-by-depth-and-length-of-m{number:02}" for number in range(count)][:8]


def test_files_of_a_runs_figures_have_its_name_whatever_it_is() -> None:
    named = {
        "org/Model.A": "org-model-a",
        "org/model-a": "org-model-a-2",
        "../..": "run",
        "模型": "run-2",
        "x" * 5_000: f"{'x' * 40}-{'x' * 39}",
    }
    found = studied(*([one(model=model)] for model in named))
    maps = {
        figure.facet.run: figure.name
        for section in _sections(found)
        for figure in section.figures
        if figure.facet and figure.facet.name == "recall-by-depth-and-length"
    }
    assert set(maps) == set(named)
    stem = "recall-by-depth-and-length-of"
    for group in (("org/Model.A", "org/model-a"), ("../..", "模型"), ("x" * 5_000,)):
        # Which of two comes first follows from the order of the runs.
        assert {maps[model] for model in group} == {f"{stem}-{named[model]}" for model in group}


def _lf(text: str) -> str:
    """With line feeds alone, as CSV files have them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@_QUIET
@given(
    st.lists(
        st.tuples(
            # Half a surrogate pair becomes an escape (tests of files).
            st.text(st.characters(exclude_categories=["Cs"])),
            st.text('=+-@\t\r\n",;' + "x1"),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_any_text_is_one_cell_of_a_csv(
    tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    write_csv(path, ["first", "second"], cells)
    with path.open(newline="", encoding="utf-8") as file:
        head, *lines = csv.reader(file)
    assert head == ["first", "second"]
    assert [[_lf(text) for text in line] for line in lines] == [
        [_lf(csv_cell(text)) for text in line] for line in cells
    ]
    for line, told in zip(lines, cells, strict=True):
        for text, before in zip(line, told, strict=True):
            assert text.removeprefix("'") == _lf(before) or text == _lf(before)
            assert not text.startswith(("=", "+", "-", "@", "\t"))
