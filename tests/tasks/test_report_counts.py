"""What each figure of a report is of: samples or answers, epochs, what is unscored or silent."""

from __future__ import annotations

from typing import Any

import pytest
from report_rows import one, rows, studied

from seqniah_datasets.schema import NoiseType
from seqniah_tasks.benchmarks import known
from seqniah_tasks.benchmarks.sequential_niah.report import (
    depth,
    failures,
    needles_by_length,
    noise,
    order,
    overview,
    strata,
)
from seqniah_tasks.benchmarks.sequential_niah.report.published import TABLE_8
from seqniah_tasks.records import Record
from seqniah_tasks.report import measures
from seqniah_tasks.report.parts import Heatmap, Kind, Lines, Section, Stacks, Table
from seqniah_tasks.report.runs import MOST_LINES
from seqniah_tasks.report.sections import (
    pairs,
    spending,
)


def _lines(section: Section | None, table: str) -> list[dict[str, Any]]:
    found = _table(section, table)
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def _table(section: Section | None, name: str) -> Table:
    assert section
    return next(table for table in section.tables if table.name == name)


def _map(section: Section | None, figure: str) -> Heatmap:
    assert section
    chart = next(one.chart for one in section.figures if one.name == figure)
    assert isinstance(chart, Heatmap)
    return chart


TWICE = [
    one(id="a", epoch=1, correct=False),
    one(id="a", epoch=2, correct=False),
    one(id="b", correct=False),
    one(id="c", correct=None),
]
"""Two samples that are scored, in three answers, and one that is not."""


# Measures


def test_a_count_has_decimals_where_an_epoch_needs_them() -> None:
    columns = [["right", Kind.COUNT], ["right", Kind.NUMBER]]
    for (name, kind), answers in zip(
        columns, ([one()], [one(), one(epoch=2, correct=False)]), strict=True
    ):
        table = measures.score_table(known()["sequential-niah"], "t", "T", (), [((), answers)])
        assert next(column.kind for column in table.columns if column.name == name) is kind


def test_what_reads_alike_is_no_highest_and_lowest() -> None:
    told = measures.extremes("Recall", [("here", 0.50001), ("there", 0.50002)])
    assert told == "Recall is 50.0 % throughout."


def test_three_runs_are_told_of_one_by_one_and_four_together() -> None:
    shown = {f"m{number}": [("here", 0.1 * number), ("there", 0.9)] for number in range(1, 5)}
    three = measures.extremes_by_run("Recall", {name: shown[name] for name in ("m1", "m2", "m3")})
    assert three.count("Recall of m") == 3
    four = measures.extremes_by_run("Recall", shown)
    assert four == "Recall is highest there for m1 (90.0 %) and lowest here for m1 (10.0 %)."


# Failures


def test_a_failure_cell_is_of_samples_and_not_of_answers() -> None:
    chart = _map(failures.section(studied([*TWICE, one(id="d")])), "failure-modes")
    (point,) = [point for place, point in zip(chart.places, chart.cells[0], strict=True)
                if place == "missing items"]  # fmt: skip
    assert point and (point.value, point.of) == (1.0, 2)


def test_of_a_sample_that_is_wrong_half_the_time_a_failure_is_half() -> None:
    half = [one(id="a", epoch=1), one(id="a", epoch=2, correct=False)]
    chart = _map(failures.section(studied([*half, one(id="b", correct=False)])), "failure-modes")
    assert {point.of for point in chart.cells[0] if point} == {2}


def test_the_papers_models_stand_with_the_fewest_wrong_first() -> None:
    chart = _map(failures.section(studied([one(correct=False)])), "failure-modes")
    wrong = {model.model: model.wrong for model in TABLE_8}
    counts = [wrong[label] for label in chart.lines[1:]]
    assert len(counts) == len(TABLE_8) and counts == sorted(counts)
    assert chart.published == frozenset(range(1, len(TABLE_8) + 1))


# Needles by length


def test_a_cell_counts_samples_and_keeps_the_unscored_in_sight() -> None:
    given = [*TWICE, one(id="open", needles=9, correct=None)]
    section = needles_by_length.section(studied(given, rows(1, model="silent", length_bin=None)))
    assert section
    assert "Scored samples of a cell: 2; one of few" in section.notes[0]
    # A run that tells no length has no map, since it would be an empty one.
    assert [figure.name for figure in section.figures] == ["accuracy-by-needles-and-length-2"]
    told = {line["needles"]: (line["scored"], line["unscored"]) for line in
            _lines(section, "accuracy-by-needles-and-length")}  # fmt: skip
    assert told == {4: (2, 1), 9: (0, 1)}


# Order


def test_the_map_of_order_weighs_samples() -> None:
    given = [
        one(id="a", epoch=1, item_recall=1.0, order_agreement=1.0),
        one(id="a", epoch=2, item_recall=1.0, order_agreement=1.0),
        one(id="b", correct=False, item_recall=0.0, item_precision=0.0, order_agreement=None),
        # A verdict that tells nothing of items, as of a file that another tool wrote.
        one(id="c", correct=False, item_recall=None, item_precision=None, order_agreement=None),
    ]
    section = order.section(studied(given))
    chart = _map(section, "order-by-recall-1")
    points = [point for line in chart.cells for point in line]
    assert sorted(point.value for point in points if point and point.value) == [0.5, 0.5]
    assert {point.of for point in points if point} == {2}
    assert {line["wrong"] for line in _lines(section, "why-wrong")} == {1}


# Overview and depth


def test_epochs_are_answers_but_no_samples() -> None:
    section = overview.section(studied(TWICE))
    (line,) = _lines(section, "runs")
    assert (line["answers"], line["unscored"], line["scored"]) == (4, 1, 2)
    (setting,) = _lines(section, "settings")
    assert setting["epochs"] == 2


def test_recall_is_of_the_answers_and_not_of_the_noise_suite() -> None:
    suite = [one(id=f"a-tm{n}", base="a", noise="tm", variant=n, found=(False,) * 4, correct=False)
             for n in (1, 2, 3)]  # fmt: skip
    section = depth.section(studied([one(id="a"), *suite]))
    lines = _lines(section, "recall-by-depth")
    assert {line["recall"] for line in lines} == {1.0} and sum(
        line["needles"] for line in lines
    ) == 4


def test_an_epoch_that_is_missing_is_still_numbered() -> None:
    (setting,) = _lines(overview.section(studied([one(epoch=1), one(epoch=3)])), "settings")
    assert setting["epochs"] == 3


def test_the_papers_range_is_told_from_low_to_high() -> None:
    section = overview.section(studied([one()]))
    assert section
    # 1,433 and 730 wrong of 2,000.
    assert "28.3 % to 63.5 %" in section.figures[0].told


def test_places_beyond_those_of_the_paper_are_in_no_other_groups_row() -> None:
    # As of a damaged file: no sample has twenty.
    given = [
        one(id="a", needles=20, needle_group="6-10", depths=(0.5,) * 20, found=(True,) * 20),
        one(id="b", found=(False,) * 12),
    ]
    lines = _lines(depth.section(studied(given)), "recall-by-position-and-needles")
    told = {(line["needle_group"], line["position"]): line["recall"] for line in lines}
    assert told == {
        **{("6-10", place): 1.0 for place in range(1, 16)},
        **{(">10", place): 0.0 for place in range(1, 13)},
    }


def test_a_single_depth_is_neither_best_nor_worst() -> None:
    section = depth.section(studied([one(needles=1)]))
    assert section and not [note for note in section.notes if "finds most" in note]


def test_a_sample_without_a_length_is_in_no_column_of_lengths() -> None:
    given = [one(id="a"), one(id="b", length_bin=None, found=(False,) * 4, correct=False)]
    section = depth.section(studied(given))
    told = _lines(section, "recall-by-depth-and-length")
    assert {(line["length"], line["recall"]) for line in told} == {("8k-16k", 1.0)}
    assert {line["recall"] for line in _lines(section, "recall-by-depth")} == {0.5}


def test_lists_that_do_not_fit_each_other_tell_nothing() -> None:
    given = [one(id="a"), one(id="b", needles=4, depths=(0.1,) * 3, found=(False,) * 4)]
    section = depth.section(studied(given))
    assert sum(line["needles"] for line in _lines(section, "recall-by-depth")) == 4
    assert section and any("1 of 2 scored answers do not tell" in note for note in section.notes)


# Pairs, strata and spending


def test_the_largest_difference_may_be_the_other_way_round() -> None:
    # By all its samples a is better than b, by those of both far worse; c is nearly as good as a.
    a = [*rows(9, id="own", model="a"), *rows(2, id="both", model="a", correct=False)]
    b = [*rows(2, id="both", model="b"), *rows(4, id="rest", model="b", correct=False)]
    c = [one(id="own-1", model="c", correct=False), *rows(9, id="own", model="c")[1:]]
    section = pairs.section(studied(a, b, c))
    assert section
    assert [line["difference"] for line in _lines(section, "pairs")] == [
        pytest.approx(-1 / 9),
        -1.0,
    ]
    assert "100.0 points, b above a" in section.figures[0].told


@pytest.mark.parametrize(("alone", "told"), [(8, "0.008"), (11, "below 0.001")])
def test_a_chance_is_told_to_three_places(alone: int, told: str) -> None:
    # Two tosses in 2^8 and in 2^11 fall so.
    given = rows(alone, model="a"), rows(alone, model="b", correct=False)
    section = pairs.section(studied(*given))
    assert section and f"McNemar's p is {told}." in section.figures[0].told


def test_of_five_runs_every_two_are_compared_and_nothing_else_is_said() -> None:
    five = [rows(2, model=f"m{number}") for number in range(5)]
    section = pairs.section(studied(*five))
    assert section and section.notes == ()
    assert len(_lines(section, "pairs")) == 10
    six = pairs.section(studied(*five, rows(2, model="m5")))
    assert six and six.notes[-1].startswith("Of more than 5 runs, each is compared with")
    assert len(_lines(six, "pairs")) == 5


def test_two_strata_are_not_one() -> None:
    section = strata.section(studied([one(id="a"), one(id="b", lang="zh")]))
    assert section
    assert not [note for note in section.notes if "of one language" in note]
    assert [note for note in section.notes if "of one length" in note]


def test_an_empty_answer_is_zero_tokens_and_a_silent_one_none() -> None:
    given = [
        one(id="a", output_tokens=0),
        one(id="b", output_tokens=8),
        one(id="c", output_tokens=None),
    ]
    section = spending.section(studied(given))
    (line,) = _lines(section, "spending")
    assert (line["output_tokens"], line["output_tokens_mean"]) == (8, 4.0)
    assert section
    chart = section.figures[0].chart
    assert isinstance(chart, Lines)
    assert [point.of for point in chart.series[0].points if point] == [2]


def test_time_is_of_unscored_answers_too() -> None:
    given = [one(id="a", seconds=1.0), one(id="b", seconds=9.0, correct=None)]
    (line,) = _lines(spending.section(studied(given)), "spending")
    assert line["seconds_p90"] == 9.0


def test_as_many_runs_as_a_chart_has_lines_have_one_each() -> None:
    section = spending.section(studied(*([one(model=f"m{n}")] for n in range(MOST_LINES))))
    assert section
    chart = section.figures[0].chart
    assert isinstance(chart, Lines) and len(chart.series) == MOST_LINES


def test_that_the_variants_are_not_counted_is_said_where_any_run_has_them() -> None:
    suite = [one(), one(id="v", base="sample-1", noise="tm", variant=1)]
    for files, said in (([suite, [one(model="b")]], True), ([[one(model="b")]], False)):
        section = spending.section(studied(*files))
        assert section
        assert any("Variants" in note for note in section.notes) is said


# Noise


SETS = [(noise, number) for noise in NoiseType for number in (1, 2, 3)]


def _asked(
    base: str, verdicts: dict[tuple[NoiseType, int], bool | None], **more: Any
) -> list[Record]:
    return [
        one(id=base, **more),
        *(
            one(
                id=f"{base}-{noise}{n}",
                base=base,
                noise=str(noise),
                variant=n,
                correct=right,
                **more,
            )
            for (noise, n), right in verdicts.items()
        ),
    ]


def _suite(**more: Any) -> list[Record]:
    """One base sample that is right in all sets, one of which TM was run alone, 1 unscored."""
    part = {(NoiseType.TM, 1): True, (NoiseType.TM, 2): None, (NoiseType.TM, 3): True}
    return [
        *_asked("a", dict.fromkeys(SETS, True), length_bin="8k-16k", **more),
        *_asked("b", part, length_bin="16k-32k", **more),
    ]


def test_the_noise_table_tells_unscored_from_not_run() -> None:
    section = noise.section(studied(_suite(split="dev")))
    found = {line["noise"]: line for line in _lines(section, "noise")}
    assert list(found) == ["Ref", "TM", "SM", "RO", "SN", "All"]
    counts = {
        name: (line["samples"], line["complete"], line["unscored"], line["missing"])
        for name, line in found.items()
    }
    assert counts["TM"] == (2, 1, 1, 0)
    assert counts["SN"] == (2, 1, 0, 3)
    assert counts["All"] == (2, 1, 1, 9)
    assert found["Ref"]["samples"] == 2


def test_points_of_noise_are_of_what_they_were_measured_on() -> None:
    suite = _suite(split="dev")
    # An original that was not scored is in no reference, but its variants are in their sets.
    more = _asked("c", dict.fromkeys(SETS, True), split="dev")
    section = noise.section(studied([*suite, one(id="c", split="dev", correct=None), *more[1:]]))
    assert section
    charts = {figure.name: figure.chart for figure in section.figures}
    accuracy, agreement = charts["noise-accuracy"], charts["noise-agreement"]
    assert isinstance(accuracy, Lines) and isinstance(agreement, Lines)
    counts = [[point.of if point else None for point in chart.series[0].points]
              for chart in (accuracy, agreement)]  # fmt: skip
    assert counts == [[2, 3, 3, 3, 3, 3], [1, 1, 1, 1, 1]]
    assert _lines(section, "noise")[0]["samples"] == 2


def test_of_a_group_without_a_complete_sample_nothing_is_told() -> None:
    section = noise.section(studied(_suite()))
    line = next(line for line in _lines(section, "noise-by-group") if line["group"] == "16k-32k")
    assert line["samples"] == 0
    assert [line[name] for name in ("right", "changing", "wrong", "agreement")] == [None] * 4
    assert section
    charts = {figure.name: figure.chart for figure in section.figures}
    stacks = charts["noise-by-length-1"]
    assert isinstance(stacks, Stacks) and [name for name, *_ in stacks.rows] == ["8k-16k"]


def test_the_words_of_a_stack_tell_of_right_and_of_wrong() -> None:
    wrong = dict.fromkeys(SETS, False)
    given = [*_suite(), one(id="d", correct=False), *_asked("d", wrong)[1:]]
    section = noise.section(studied(given))
    assert section
    (figure,) = [one for one in section.figures if one.name == "noise-by-length-1"]
    assert "right in all sets" in figure.told and "wrong in all sets" in figure.told


@pytest.mark.parametrize("split", ["test", "dev"])
def test_published_noise_stands_where_any_run_is_of_the_test_split(split: str) -> None:
    section = noise.section(studied(_suite(split="dev"), _suite(model="b", split=split)))
    published = [line for line in _lines(section, "noise") if line["source"]]
    assert bool(published) is (split == "test")
