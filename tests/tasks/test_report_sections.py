"""Sections of the report: strata, failures, needles by length, order, spending."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from report_rows import of_columns, one, rows, studied

from seqniah_datasets.rng import stream
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.benchmarks.sequential_niah.report import (
    failures,
    needles_by_length,
    order,
    strata,
)
from seqniah_tasks.records import Record
from seqniah_tasks.report import measures, words
from seqniah_tasks.report.parts import (
    Axis,
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
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import spending

BUILDERS: tuple[Callable[[Study], Section | None], ...] = (
    strata.section,
    failures.section,
    needles_by_length.section,
    order.section,
    spending.section,
)


def _figure(section: Section | None, name: str) -> Figure:
    assert section
    return next(figure for figure in section.figures if figure.name == name)


def _table(section: Section | None, name: str) -> Table:
    assert section
    return next(table for table in section.tables if table.name == name)


def _lines(table: Table) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _line(table: Table, **given: object) -> dict[str, Any]:
    found = [line for line in _lines(table) if all(line[name] == given[name] for name in given)]
    assert len(found) == 1, f"{len(found)} lines with {given}"
    return found[0]


def _values(points: Sequence[Point | None]) -> list[float | None]:
    return [point.value if point else None for point in points]


# Measures


def test_strata_come_in_their_own_order_and_others_by_name() -> None:
    names = ["64k-128k", "8k-16k", "128k-256k", "16k-32k", "8k-16k"]
    assert measures.ordered(names) == ["8k-16k", "16k-32k", "64k-128k", "128k-256k"]
    assert measures.ordered([">10", "6-10", "3-5"]) == ["3-5", "6-10", ">10"]
    assert measures.ordered(["zh", "en"]) == ["en", "zh"]


def test_rows_without_a_stratum_are_in_no_group() -> None:
    given = [one(id="a", length_bin="32k-64k"), one(id="b", length_bin=None), one(id="c")]
    groups = measures.grouped(given, lambda row: row.length_bin)
    assert [(name, [row.id for row in part]) for name, part in groups.items()] == [
        ("8k-16k", ["c"]),
        ("32k-64k", ["a"]),
    ]


def test_epochs_of_a_sample_weigh_one_together() -> None:
    given = [
        one(id="a", epoch=1),
        one(id="a", epoch=2),
        one(id="a", epoch=3, correct=None),
        one(id="b"),
    ]
    assert [(row.id, weight) for row, weight in measures.weighed(given)] == [
        ("a", 0.5),
        ("a", 0.5),
        ("b", 1.0),
    ]


def test_a_mean_is_over_samples_and_their_epochs_and_leaves_out_what_is_not_told() -> None:
    given = [
        one(id="a", epoch=1, item_recall=1.0),
        one(id="a", epoch=2, item_recall=0.0),
        one(id="b", item_recall=1.0),
        one(id="c", correct=None),
    ]
    assert measures.mean(given, lambda row: row.figures.get("item_recall")) == Point(0.75, of=2)
    assert measures.mean(given[3:], lambda row: row.figures.get("item_recall")) is None


def test_quantiles_are_those_of_the_inverted_distribution() -> None:
    draws = stream("test", "quantiles")
    for count in (1, 2, 3, 7, 10, 30, 99, 100):
        values = [draws.below(1_000) for _ in range(count)]
        for percent in (0, 1, 10, 50, 90, 99, 100):
            expected = np.percentile(values, percent, method="inverted_cdf")
            assert measures.quantile(values, percent) == expected, (values, percent)


def test_a_count_is_whole_where_it_can_be() -> None:
    thirds = measures.tally(1 / 3 + 1 / 3 + 1 / 3)
    assert thirds == 1 and isinstance(thirds, int)
    assert measures.tally(2.5) == 2.5
    assert measures.tally_kind([1, 2.5]) is Kind.NUMBER
    assert measures.tally_kind([1, None]) is Kind.COUNT


def test_many_runs_are_rows_instead_of_lines() -> None:
    def chart(count: int) -> Lines | Heatmap:
        given = [(f"run {number}", [Point(0.5), None]) for number in range(count)]
        return measures.by_run("x", ["a", "b"], Axis("y"), given)

    few, many = chart(6), chart(7)
    assert isinstance(few, Lines) and len(few.series) == 6
    assert isinstance(many, Heatmap) and many.lines[6] == "run 6"
    assert many.cells[0] == few.series[0].points


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c", "d"], "a, b, c and d"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_a_sentence_names_the_first_few(names: list[str], told: str) -> None:
    assert words.listed(names) == told


def test_what_is_told_names_the_highest_and_the_lowest() -> None:
    shown = [("here", 0.25), ("there", 0.5), ("yonder", 0.0)]
    assert measures.extremes("Accuracy", shown) == (
        "Accuracy is highest there (50.0 %) and lowest yonder (0.0 %)."
    )
    assert measures.extremes("Accuracy", shown[:1]) == "Accuracy is 25.0 % throughout."
    assert measures.extremes("Accuracy", []) == ""


# All sections


def _nothing_told(**columns: object) -> Record:
    """What a file of verdicts may leave open."""
    told = {"benchmark": "sequential-niah", "source": "verdicts.jsonl", "id": "a", **columns}
    return of_columns(told)


@pytest.mark.parametrize("build", BUILDERS)
def test_a_section_of_nothing_is_none(build: Callable[[Study], Section | None]) -> None:
    assert build(studied()) is None
    assert build(studied([_nothing_told()])) is None


@pytest.mark.parametrize("build", BUILDERS)
def test_bare_verdicts_break_no_section(build: Callable[[Study], Section | None]) -> None:
    build(studied([_nothing_told(correct=False), _nothing_told(correct=True, id="b")]))
    build(studied([one(correct=None)], rows(2, model="b", correct=None)))


def _mixed(model: str, count: int = 60) -> list[Record]:
    """Answers of all sorts."""
    draws = stream("test", "mixed", model)
    found: list[Record] = []
    for number in range(count):
        fates = tuple(draws.below(3) > 0 for _ in range(draws.between(3, 15)))
        given = one(
            id=f"s{number}",
            model=model,
            lang=draws.choice(("en", "zh")),
            pipeline=draws.choice(("synthetic-temporal", "real-logical")),
            length_bin=draws.choice(("8k-16k", "64k-128k", "128k-256k")),
            order_required=draws.below(2) == 0,
            found=fates,
            correct=all(fates),
            output_tokens=draws.below(900),
        )
        found.append(given if all(fates) else replace(given, failure_modes=("missing_items",)))
    return found


def test_names_of_figures_and_tables_are_the_reports_own() -> None:
    study = studied(*(_mixed(f"model {number}") for number in range(12)))
    sections = [section for build in BUILDERS if (section := build(study))]
    assert len(sections) == len(BUILDERS)
    figures = [figure.name for section in sections for figure in section.figures]
    tables = [table.name for section in sections for table in section.tables]
    for names in (figures, tables, [section.name for section in sections]):
        assert len(names) == len(set(names))
        assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)
    for section in sections:
        assert all(figure.told.endswith(".") for figure in section.figures)
        for table in section.tables:
            columns = [column.name for column in table.columns]
            assert len(columns) == len(set(columns))


def test_single_runs_have_charts_up_to_a_limit_and_tables_have_all() -> None:
    study = studied(*(_mixed(f"model {number}") for number in range(12)))
    for build, stem, table in (
        (needles_by_length.section, "accuracy-by-needles-and-length-", None),
        (order.section, "order-by-recall-", "order-by-recall"),
    ):
        section = build(study)
        assert section
        facets = [figure for figure in section.figures if figure.name.startswith(stem)]
        assert [figure.name for figure in facets] == [f"{stem}{n}" for n in range(1, 9)]
        for figure, run in zip(facets, study.runs, strict=False):
            assert figure.title.endswith(run.label)
        assert study.left_out in section.notes
        found = _table(section, table or section.tables[0].name)
        assert {line["run"] for line in _lines(found)} == {run.label for run in study.runs}


# Strata


def test_accuracy_by_length_has_intervals_and_counts() -> None:
    from scipy.stats import binomtest

    given = [
        *rows(2, id="short"),
        *rows(2, id="wrong", correct=False),
        *rows(1, id="open", correct=None),
        *rows(3, id="long", length_bin="64k-128k", correct=False),
        *rows(1, id="longest", length_bin="128k-256k"),
    ]
    section = strata.section(studied(given))
    chart = _figure(section, "accuracy-by-length").chart
    assert isinstance(chart, Lines) and chart.joined
    assert chart.places == ("8k-16k", "64k-128k", "128k-256k (unpublished)")
    short, long, longest = chart.series[0].points
    assert short and long and longest
    assert (short.value, short.of, long.value, long.of, longest.value) == (0.5, 4, 0.0, 3, 1.0)
    for point, right, of in ((short, 2, 4), (long, 0, 3)):
        wilson = binomtest(right, of).proportion_ci(method="wilson")
        assert (point.low, point.high) == pytest.approx((wilson.low, wilson.high))
    line = _line(_table(section, "accuracy-by-stratum"), by="length", stratum="8k-16k")
    assert (line["right"], line["scored"], line["unscored"]) == (2, 4, 1)
    assert (line["accuracy"], line["low"], line["high"]) == (0.5, short.low, short.high)


def test_strata_that_are_no_order_are_not_joined() -> None:
    given = [
        one(id="a", lang="en", pipeline="real-logical", needle_group=">10"),
        one(id="b", lang="zh", pipeline="synthetic-temporal", needle_group="3-5", correct=False),
    ]
    section = strata.section(studied(given))
    joined = {
        by: _figure(section, f"accuracy-by-{by}").chart
        for by in ("needles", "pipeline", "language")
    }
    assert {by: chart.joined for by, chart in joined.items() if isinstance(chart, Lines)} == {
        "needles": True,
        "pipeline": False,
        "language": False,
    }
    told = _figure(section, "accuracy-by-needles").told
    assert told == (
        "Accuracy of org/model is highest with >10 needles (100.0 %) "
        "and lowest with 3-5 needles (0.0 %)."
    )


def test_a_single_stratum_is_a_note_and_a_line_but_no_figure() -> None:
    section = strata.section(studied([one(id="a"), one(id="b", length_bin="16k-32k")]))
    assert section
    assert [figure.name for figure in section.figures] == ["accuracy-by-length"]
    assert "All answers are of one language: en." in section.notes
    assert _line(section.tables[0], by="language")["scored"] == 2


def test_a_run_that_lacks_a_stratum_has_no_point_there() -> None:
    left = [one(id="a"), one(id="b", length_bin="16k-32k", correct=None)]
    section = strata.section(studied(left, [one(model="b", length_bin="64k-128k")]))
    chart = _figure(section, "accuracy-by-length").chart
    assert isinstance(chart, Lines)
    values = {series.label: _values(series.points) for series in chart.series}
    assert values == {"org/model": [1.0, None, None], "b": [None, None, 1.0]}
    unscored = _line(section.tables[0], run="org/model", stratum="16k-32k")  # type: ignore[union-attr]
    assert (unscored["accuracy"], unscored["scored"], unscored["unscored"]) == (None, 0, 1)


def test_epochs_are_no_further_samples_of_a_stratum() -> None:
    given = [one(id="a", epoch=1), one(id="a", epoch=2, correct=False), one(id="b")]
    line = _line(strata.section(studied(given)).tables[0], by="length")  # type: ignore[union-attr]
    assert (line["right"], line["scored"], line["accuracy"]) == (1.5, 2, 0.75)


# Failures


def _wrong(number: int, *modes: FailureMode, **more: Any) -> Record:
    return one(id=f"w{number}", correct=False, failure_modes=tuple(map(str, modes)), **more)


MISSING, ORDER = FailureMode.MISSING, FailureMode.WRONG_ORDER


def test_failure_modes_are_shares_of_the_wrong_answers() -> None:
    given = [
        *rows(5),
        one(id="open", correct=None),
        _wrong(1, MISSING),
        _wrong(2, MISSING, ORDER),
        _wrong(3, FailureMode.NO_ANSWER),
        _wrong(4),
    ]
    section = failures.section(studied([replace(row, split=None) for row in given]))
    chart = _figure(section, "failure-modes").chart
    assert isinstance(chart, Heatmap) and not chart.published
    assert chart.lines == ("org/model",)
    assert dict(zip(chart.places, _values(chart.cells[0]), strict=True)) == {
        "missing items": 0.5,
        "redundant items": 0.0,
        "incorrect items": 0.0,
        "wrong order": 0.25,
        "no answer": 0.25,
        "no mode told": 0.25,
    }
    line = _line(_table(section, "failure-modes"), mode="missing_items")
    assert (line["answers"], line["wrong"], line["share"]) == (2, 4, 0.5)
    assert _line(_table(section, "failure-modes"), mode="cut_off")["answers"] == 0


def test_an_epoch_of_a_wrong_answer_counts_as_a_part_of_its_sample() -> None:
    given = [
        one(id="a", epoch=1),
        one(id="a", epoch=2, correct=False, failure_modes=("missing_items",)),
        _wrong(1, ORDER),
    ]
    line = _line(
        _table(failures.section(studied(given)), "failure-modes"),
        run="org/model",
        mode="missing_items",
    )
    assert (line["answers"], line["wrong"]) == (0.5, 1.5)
    assert line["share"] == pytest.approx(1 / 3)


def test_published_failures_stand_beside_the_test_split_with_their_source() -> None:
    section = failures.section(studied([_wrong(1, MISSING)]))
    figure = _figure(section, "failure-modes")
    chart = figure.chart
    assert isinstance(chart, Heatmap)
    assert len(chart.lines) == 12 and chart.published == frozenset(range(1, 12))
    assert "published, other samples and judge" in figure.title and "Table 8" in figure.title
    # As the paper prints it, in percent.
    printed = {
        "Claude-3.5": (77.58, 16.13, 20.24, 25.16, 13.58),
        "GPT-4o": (66.71, 23.59, 17.38, 13.19, 65.32),
        "Qwen-3-8B": (63.85, 28.99, 38.76, 31.31, 4.34),
    }
    assert chart.places[:4] == (
        "missing items",
        "redundant items",
        "incorrect items",
        "wrong order",
    )
    for model, shares in printed.items():
        cells = chart.cells[chart.lines.index(model)]
        assert [round(100 * cell.value, 2) for cell in cells if cell] == list(shares)
    ours, *_ = chart.cells
    assert ours[chart.places.index("others (paper)")] is None
    for line in _lines(_table(section, "failure-modes")):
        is_ours = line["run"] == "org/model"
        assert is_ours or "Table 8 (published, other samples and judge)" in line["source"]


def test_without_a_test_split_or_a_wrong_answer_nothing_published_is_shown() -> None:
    chart = _figure(failures.section(studied([_wrong(1, MISSING, split="dev")])), "failure-modes")
    assert isinstance(chart.chart, Heatmap) and chart.chart.lines == ("org/model",)
    assert failures.section(studied(rows(3))) is None


def test_a_run_without_wrong_answers_is_named_and_not_drawn() -> None:
    section = failures.section(
        studied(rows(3, model="clean", split="dev"), [_wrong(1, MISSING, split="dev")])
    )
    chart = _figure(section, "failure-modes").chart
    assert section and isinstance(chart, Heatmap)
    assert chart.lines == ("org/model",)
    assert "No wrong answer, and so no line in the figure: clean." in section.notes
    assert _line(section.tables[0], run="clean", mode="missing_items")["share"] is None


# Needles by length


def test_the_map_has_no_rows_for_more_needles_than_a_sample_can_have() -> None:
    damaged = [one(id=f"s-{many}", needles=many) for many in (15, 16, 1_000)]
    section = needles_by_length.section(studied(damaged))
    assert section is not None
    (figure,) = section.figures
    assert isinstance(figure.chart, Heatmap)
    assert figure.chart.lines == ("15",)


def test_the_map_has_exact_needles_by_length() -> None:
    given = [
        *rows(1, id="a", needles=3),
        *rows(3, id="b", needles=3, correct=False),
        *rows(2, id="c", needles=15, length_bin="64k-128k"),
    ]
    section = needles_by_length.section(studied(given, rows(1, model="b", needles=7)))
    figure = next(one for one in section.figures if one.title.endswith("org/model"))  # type: ignore[union-attr]
    chart = figure.chart
    assert isinstance(chart, Heatmap)
    assert (chart.lines, chart.places) == (("3", "7", "15"), ("8k-16k", "64k-128k"))
    assert [_values(line) for line in chart.cells] == [[0.25, None], [None, None], [None, 1.0]]
    lines = _lines(section.tables[0])  # type: ignore[union-attr]
    assert [(line["run"], line["needles"], line["length"]) for line in lines] == [
        ("b", 7, "8k-16k"),
        ("org/model", 3, "8k-16k"),
        ("org/model", 15, "64k-128k"),
    ]
    line = _line(section.tables[0], run="org/model", needles=3)  # type: ignore[union-attr]
    assert (line["length"], line["right"], line["scored"]) == ("8k-16k", 1, 4)
    assert section and "Scored samples of a cell: 1 to 4;" in section.notes[0]


# Order


def _ordered(name: str, recall: float, precision: float, tau: float | None, **more: Any) -> Record:
    return one(
        id=name,
        **{"correct": False, **more},
        item_recall=recall,
        item_precision=precision,
        order_agreement=tau,
    )


SORTS = [
    _ordered("right", 1.0, 1.0, 1.0, correct=True),
    _ordered("misordered", 1.0, 1.0, 0.3333),
    _ordered("reversed", 1.0, 1.0, -1.0),
    _ordered("more", 1.0, 0.8, 1.0),
    _ordered("more, misordered", 1.0, 0.8, 0.0),
    _ordered("refused by a model", 1.0, 1.0, 1.0),
    _ordered("some", 0.6667, 1.0, 1.0),
    _ordered("one", 0.25, 1.0, None),
    _ordered("some, misordered", 0.8, 1.0, 0.5),
    _ordered("none", 0.0, 0.0, None),
    _ordered("not demanded", 1.0, 1.0, 0.2, correct=True, order_required=False),
    one(id="open", correct=None),
]


def test_wrong_answers_are_divided_by_what_is_found_and_in_which_order() -> None:
    section = order.section(studied(SORTS))
    chart = _figure(section, "why-wrong").chart
    assert isinstance(chart, Stacks)
    ((label, shares, of),) = chart.rows
    assert (label, of) == ("org/model", 9)
    expected = {
        "all found, misordered": 2,
        "all found, more added": 3,
        "some found, in order": 2,
        "some found, misordered": 1,
        "none found": 1,
    }
    assert dict(zip(chart.parts, shares, strict=True)) == pytest.approx(
        {part: count / 9 for part, count in expected.items()}
    )
    lines = _lines(_table(section, "why-wrong"))
    assert {line["part"]: line["answers"] for line in lines} == expected
    assert {line["wrong"] for line in lines} == {9}


def test_order_agreement_stands_against_recall() -> None:
    section = order.section(studied(SORTS))
    figure = _figure(section, "order-by-recall-1")
    chart = figure.chart
    assert isinstance(chart, Heatmap)
    counts = {
        (line["order_agreement"], line["item_recall"]): line["answers"]
        for line in _lines(_table(section, "order-by-recall"))
    }
    assert counts == {
        ("1 (true order)", "up to 75 %"): 1,
        ("1 (true order)", "100 %"): 3,
        ("0.5 to 1", "below 100 %"): 1,
        ("0 to 0.5", "100 %"): 2,
        ("below 0", "100 %"): 1,
        ("not defined", "0 %"): 1,
        ("not defined", "up to 25 %"): 1,
    }
    drawn = {
        (chart.lines[row], chart.places[column]): cell.value
        for row, line in enumerate(chart.cells)
        for column, cell in enumerate(line)
        if cell and cell.value
    }
    assert drawn == pytest.approx({place: count / 10 for place, count in counts.items()})
    assert all(cell for line in chart.cells for cell in line), "no answer is there, which is a 0"
    assert 0.3 <= chart.high <= 0.35
    assert figure.told == (
        "Of the answers 30.0 % state all items in the true order and 30.0 % all items in another; "
        "10.0 % state not all items, but those in the true order; 30.0 % neither all nor in the "
        "true order."
    )


def test_items_are_told_apart_by_whether_order_is_demanded() -> None:
    table = _table(order.section(studied(SORTS)), "items-by-order")
    yes, no = _line(table, order_demanded="yes"), _line(table, order_demanded="no")
    assert (yes["scored"], yes["ordered"], no["scored"]) == (10, 8, 1)
    assert yes["accuracy"] == pytest.approx(0.1)
    assert yes["item_recall"] == pytest.approx((6 + 0.6667 + 0.25 + 0.8) / 10)
    assert yes["item_precision"] == pytest.approx((7 + 0.8 + 0.8) / 10)
    assert yes["order_agreement"] == pytest.approx((4 + 0.3333 - 1 + 0 + 0.5) / 8)
    assert (no["order_agreement"], no["item_recall"]) == (0.2, 1.0)


def test_maps_of_several_runs_are_shaded_alike() -> None:
    other = [_ordered(f"o{number}", 0.5, 1.0, 1.0, model="b") for number in range(4)]
    section = order.section(studied(SORTS, other))
    assert section
    charts = [figure.chart for figure in section.figures]
    assert [chart.high for chart in charts if isinstance(chart, Heatmap)] == [1.0, 1.0]


def test_epochs_weigh_one_together_in_order_too() -> None:
    given = [
        _ordered("a", 1.0, 1.0, 0.0, epoch=1),
        _ordered("a", 0.0, 0.0, None, epoch=2),
        _ordered("b", 0.0, 0.0, None),
    ]
    section = order.section(studied(given))
    chart = _figure(section, "why-wrong").chart
    assert isinstance(chart, Stacks)
    ((_, shares, of),) = chart.rows
    assert of == 2
    assert shares == pytest.approx((0.25, 0, 0, 0, 0.75))


def test_without_wrong_answers_there_is_no_division() -> None:
    section = order.section(studied(rows(3)))
    assert section
    assert "why-wrong" not in [figure.name for figure in section.figures]
    assert any("No wrong answer" in note and "org/model" in note for note in section.notes)
    assert _line(_table(section, "why-wrong"), part="none found")["share"] is None
    assert order.section(studied(rows(3, order_required=False))) is None


# Spending


def test_spending_counts_every_answer_and_what_is_known() -> None:
    given = [
        one(id=f"s{n}", output_tokens=n, input_tokens=1_000 * n, seconds=n / 2, cost=0.25)
        for n in range(1, 10)
    ]
    given += [
        one(id="s1", epoch=2, correct=False, output_tokens=10, input_tokens=1_000, cost=0.75),
        one(
            id="open",
            correct=None,
            output_tokens=None,
            input_tokens=None,
            seconds=None,
            cost=None,
        ),
    ]
    section = spending.section(studied(given))
    line = _line(_table(section, "spending"), run="org/model")
    assert (line["answers"], line["input_tokens"], line["input_tokens_mean"]) == (11, 46_000, 4_600)
    assert (line["output_tokens"], line["output_tokens_mean"]) == (55, 5.5)
    assert "cached_share" not in line
    assert (line["output_tokens_p50"], line["output_tokens_p90"]) == (5, 9)
    # 0.5 to 4.5, and a 2.0: the fifth and the ninth of ten.
    assert (line["seconds_p50"], line["seconds_p90"]) == (2.0, 4.0)
    assert line["cost"] == pytest.approx(3.0)
    assert line["cost_per_1000"] == pytest.approx(300.0)
    assert line["cost_per_right"] == pytest.approx(3.0 / 9)
    assert section and any("some answers of org/model" in note for note in section.notes)


def test_spending_has_the_share_that_providers_kept_where_they_tell_it() -> None:
    kept = [
        one(model="kept", id=f"s{n}", input_tokens=1_000, cached_tokens=750 * n) for n in (0, 1)
    ]
    section = spending.section(studied(kept, [one(model="silent")]))
    shares = {name: _line(_table(section, "spending"), run=name) for name in ("kept", "silent")}
    assert shares["kept"]["cached_share"] == 0.375 and shares["silent"]["cached_share"] is None


def test_spending_by_length_is_a_median_between_tenths() -> None:
    given = [one(id=f"a{n}", output_tokens=n) for n in range(1, 11)]
    given += [one(id="b", output_tokens=77, seconds=None, length_bin="64k-128k")]
    section = spending.section(studied(given))
    figure = _figure(section, "output-tokens-by-length")
    chart = figure.chart
    assert isinstance(chart, Lines) and not chart.axis.percent and chart.axis.high is None
    assert chart.series[0].points == (Point(5, 1, 9, 10), Point(77, 77, 77, 1))
    assert "10th to the 90th percentile" in figure.title
    seconds = _figure(section, "seconds-by-length").chart
    assert isinstance(seconds, Lines) and _values(seconds.series[0].points) == [2.0, None]
    line = _line(_table(section, "spending-by-length"), length="8k-16k")
    assert [line[f"output_tokens_p{percent}"] for percent in (10, 50, 90)] == [1, 5, 9]


def test_many_runs_have_a_dot_each() -> None:
    study = studied(*([one(model=f"m{n}", output_tokens=n)] for n in range(7)))
    section = spending.section(study)
    chart = _figure(section, "output-tokens").chart
    assert isinstance(chart, Dots)
    assert {row.label: row.point.value for row in chart.rows if row.point} == {
        f"m{n}": n for n in range(7)
    }


SILENT = {"input_tokens": None, "output_tokens": None, "seconds": None, "cost": None}


def test_what_files_do_not_tell_is_said_and_never_zero() -> None:
    quiet = rows(2, model="quiet", harness="lm-eval", **SILENT)
    section = spending.section(studied(rows(2), quiet))
    assert section
    line = _line(_table(section, "spending"), run="quiet")
    assert line["answers"] == 2
    assert {line[name] for name in line if name not in ("run", "answers")} == {None}
    assert section.notes == (
        "The files tell no tokens of quiet.",
        "The files tell no time of quiet.",
        "The files tell no cost of any run.",
        "No price of the model of org/model is known; inspect's --model-cost-config gives a run "
        "one.",
        "lm-eval keeps no tokens, time or cost of single answers.",
    )
    assert spending.section(studied(quiet)) is None


def test_free_answers_cost_nothing_and_no_right_one_has_no_price() -> None:
    line = _line(
        _table(spending.section(studied(rows(2, cost=0.0, correct=False))), "spending"),
        run="org/model",
    )
    assert (line["cost"], line["cost_per_1000"], line["cost_per_right"]) == (0.0, 0.0, None)


def test_amounts_of_answers_without_lengths_are_shown_by_run() -> None:
    given = [one(seconds=None, output_tokens=None), one(id="b", length_bin=None, seconds=4.0)]
    section = spending.section(studied(given))
    assert section
    figure = next(figure for figure in section.figures if figure.name == "seconds")
    assert isinstance(figure.chart, Dots)
    assert [row.point.value for row in figure.chart.rows if row.point] == [4.0]
    assert figure.told
