"""The noise suite in the report: Table 5, Figure 7, and what they leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from report_rows import one, studied

from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import VARIANTS
from seqniah_tasks.benchmarks.sequential_niah.report.noise import section
from seqniah_tasks.records import Record
from seqniah_tasks.report.parts import Heatmap, Lines, Point, Section, Stacks, Table
from seqniah_tasks.report.runs import MOST_LINES

SETS = [(None, None), *((noise, n) for noise in NoiseType for n in range(1, VARIANTS + 1))]


def asked(base: str, verdicts: Sequence[bool | None], **columns: Any) -> list[Record]:
    """A base sample's rows, by its sets: original, tm 1, tm 2, tm 3, sm 1 ..."""
    return [
        one(
            id=f"{base}-{noise}{n}" if noise else base,
            base=base,
            noise=noise,
            variant=n,
            correct=correct,
            **columns,
        )
        for (noise, n), correct in zip(SETS, verdicts, strict=False)
    ]


def a_run(**columns: Any) -> list[Record]:
    """40 base samples, of which the first so many are right in each set; half of either length."""
    counts = [25, 31, 29, 35, *[25] * 6, 20, 21, 22]
    return [
        row
        for base in range(40)
        for row in asked(
            f"{base:02}",
            [base < right for right in counts],
            length_bin="64k-128k" if base % 2 else "8k-16k",
            needle_group="3-5" if base < 30 else ">10",
            **columns,
        )
    ]


def shown(*files: Sequence[Record]) -> Section:
    found = section(studied(*files))
    assert found
    return found


def lines(table: Table) -> list[dict[str, Any]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def tables(found: Section) -> dict[str, list[dict[str, Any]]]:
    return {table.name: lines(table) for table in found.tables}


def test_the_table_is_table_5_of_the_run() -> None:
    rows = tables(shown(a_run()))["noise"]
    ours = [row for row in rows if row["run"] == "org/model"]
    assert [row["noise"] for row in ours] == ["Ref", "TM", "SM", "RO", "SN", "All"]
    reference, moved, far, *_, whole = ours
    assert reference["accuracy"] == 0.625
    assert (reference["samples"], reference["spread_points"]) == (40, None)
    # (25 + 31 + 29 + 35) / 160; deviations of -5, 1, -1, 5 answers, of which one is 2.5 points:
    # the square root of 52 / 3, times 2.5. 25 are right in all, 5 wrong.
    assert moved["accuracy"] == pytest.approx(0.75)
    assert moved["spread_points"] == pytest.approx(2.5 * (52 / 3) ** 0.5)
    assert moved["agreement"] == pytest.approx(30 / 40)
    assert 0 <= moved["agreement_low"] < moved["agreement"] < moved["agreement_high"] <= 1
    assert (far["spread_points"], far["agreement"]) == (0.0, 1.0)
    # 120 of the originals and TM, 6 sets of 25, then 63, of 13 sets. 20 right in all, 5 wrong.
    assert whole["accuracy"] == pytest.approx((120 + 150 + 63) / (13 * 40))
    assert whole["agreement"] == pytest.approx(25 / 40)
    assert [whole[name] for name in ("complete", "sets", "unscored", "missing")] == [40, 13, 0, 0]


def test_the_papers_figures_stand_beside_with_their_source() -> None:
    rows = [row for row in tables(shown(a_run()))["noise"] if row["source"]]
    assert all("published, other samples and judge" in row["source"] for row in rows)
    v2 = [row for row in rows if "v2, Table 5" in row["source"] and row["run"] == "Qwen-2.5"]
    assert [row["accuracy"] for row in v2] == [0.515, 0.485, 0.4825, 0.48, 0.43, 0.4588]
    assert [row["spread_points"] for row in v2] == [None, 2.0, 2.25, 2.68, 6.1, 3.73]
    assert {row["agreement"] for row in v2} == {None}
    v1 = [row for row in rows if "v1, Table 5" in row["source"] and row["run"] == "Gemini-1.5"]
    assert [row["noise"] for row in v1] == ["Ref", "TM", "SM", "RO", "All"]
    assert [row["agreement"] for row in v1] == [None, 0.565, 0.52, 0.475, 0.305]
    of_dev = tables(shown(a_run(split="dev")))["noise"]
    assert len(of_dev) == 6
    assert not any(row["source"] for row in of_dev)


def test_accuracy_and_agreement_are_drawn_by_type() -> None:
    accuracy, agreement = shown(a_run()).figures[:2]
    assert (accuracy.name, agreement.name) == ("noise-accuracy", "noise-agreement")
    for figure, places in (
        (accuracy, ("Ref", "TM", "SM", "RO", "SN", "All")),
        (agreement, ("TM", "SM", "RO", "SN", "All")),
    ):
        assert isinstance(figure.chart, Lines)
        assert figure.chart.places == places
        assert not figure.chart.joined
    assert isinstance(accuracy.chart, Lines) and isinstance(agreement.chart, Lines)
    first, moved = accuracy.chart.series[0].points[:2]
    assert first and moved
    assert (first.value, moved.value) == (0.625, 0.75)
    assert moved.low is not None and moved.high is not None and moved.low < 0.75 < moved.high
    assert moved.of == 40
    agreed = agreement.chart.series[0].points
    assert [point and point.value for point in agreed] == [0.75, 1, 1, 0.875, 0.625]
    assert accuracy.told == (
        "Accuracy is highest for TM by org/model (75.0 %) and lowest for SN by org/model (55.0 %)."
    )


def test_figure_7_divides_each_group_by_what_no_set_changes() -> None:
    found = shown(a_run())
    figures = {figure.name: figure for figure in found.figures}
    by_length, by_needles = figures["noise-by-length-1"].chart, figures["noise-by-needles-1"].chart
    assert isinstance(by_length, Stacks) and isinstance(by_needles, Stacks)
    assert by_length.parts == ("right in all sets", "changing", "wrong in all sets")
    # 00 to 19 are right in all, 35 to 39 wrong in all: 36 and 38 are even, 35, 37 and 39 odd.
    short, long = by_length.rows
    assert (short[0], short[2], long[0], long[2]) == ("8k-16k", 20, "64k-128k", 20)
    assert short[1] == pytest.approx((10 / 20, 8 / 20, 2 / 20))
    assert long[1] == pytest.approx((10 / 20, 7 / 20, 3 / 20))
    few, many = by_needles.rows
    assert (few[0], few[2], many[0], many[2]) == ("3-5", 30, ">10", 10)
    assert few[1] == pytest.approx((20 / 30, 10 / 30, 0))
    assert many[1] == pytest.approx((0, 5 / 10, 5 / 10))
    row = next(row for row in tables(found)["noise-by-group"] if row["group"] == ">10")
    assert (row["by"], row["samples"], row["right"], row["wrong"]) == ("needles", 10, 0, 0.5)
    assert row["agreement"] == row["changing"] == 0.5


def test_what_is_left_out_is_said() -> None:
    whole = shown(a_run()).notes
    assert not any("left out" in note for note in whole)
    cut_short = [*asked("a", [True] * 13), *asked("b", [True, None, True]), *asked("c", [True])]
    found = shown(cut_short)
    note = next(note for note in found.notes if "left out" in note)
    # Of b and c: TM 1 + 3 not run, and 3 + 3 of each other type.
    assert "TM (1 unscored; 4 not run; agreement over 1 of 3), " in note
    assert "SM (6 not run; " in note
    assert note.endswith("All (1 unscored; 22 not run; agreement over 1 of 3).")


def test_variants_of_no_known_number_are_told_and_not_counted() -> None:
    strange = one(id="00-tm4", base="00", noise="tm", variant=4, correct=False)
    blank = one(id="00-tm", base="00", noise="tm", variant=None, correct=False)
    found = shown([*a_run(), strange, blank])
    assert tables(found)["noise"] == tables(shown(a_run()))["noise"]
    assert any("2 answers to variants of no known number" in note for note in found.notes)


def test_epochs_of_a_sample_are_one_outcome() -> None:
    # Of two epochs one is at least half: 36 of 40 originals have been right once.
    again = [
        one(id=f"{base:02}", base=f"{base:02}", epoch=2, correct=base < 36) for base in range(40)
    ]
    row = tables(shown([*a_run(), *again]))["noise"][0]
    assert (row["noise"], row["accuracy"], row["samples"]) == ("Ref", 0.9, 40)


def test_nothing_scored_is_nothing_and_no_suite_is_no_section() -> None:
    found = shown([row for base in "ab" for row in asked(base, [None] * 13)])
    rows = [row for row in tables(found)["noise"] if not row["source"]]
    assert {row["accuracy"] for row in rows} == {row["agreement"] for row in rows} == {None}
    assert {row["right"] for row in tables(found)["noise-by-group"]} == {None}
    assert [figure.name for figure in found.figures] == ["noise-accuracy", "noise-agreement"]
    assert section(studied([one(id="a"), one(id="b")])) is None


def test_runs_without_the_suite_are_left_out_and_many_are_rows() -> None:
    count = MOST_LINES + 1
    suites = [
        [row for base in range(8) for row in asked(f"{base}", [base > n] * 13, model=f"m/{n}")]
        for n in range(count)
    ]
    plain = [one(id=f"{base}", model="m/best") for base in range(8)]
    found = shown(plain, *suites)
    chart = found.figures[0].chart
    assert isinstance(chart, Heatmap)
    assert chart.lines == tuple(f"m/{n}" for n in range(count))
    assert [_value(row[0]) for row in chart.cells] == [(7 - n) / 8 for n in range(count)]
    names = {figure.name for figure in found.figures}
    assert "noise-by-length-1" not in names
    assert {f"noise-by-length-{n}" for n in range(2, count + 2)} <= names
    assert {row["run"] for row in tables(found)["noise-by-group"]} == set(chart.lines)


def _value(point: Point | None) -> float | None:
    return point and point.value
