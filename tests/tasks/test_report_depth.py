"""Needle recall by depth and by place in the true order, and its intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from report_rows import one, studied

from seqniah_datasets.rng import Stream, stream
from seqniah_tasks.benchmarks.sequential_niah.report import depth
from seqniah_tasks.benchmarks.sequential_niah.report.depth import section
from seqniah_tasks.benchmarks.sequential_niah.report.recall import (
    Recall,
    needles_of,
)
from seqniah_tasks.records import Record
from seqniah_tasks.report.parts import Heatmap, Lines, Point, Section, Table
from seqniah_tasks.report.runs import MOST_FACETS, MOST_LINES


def answer(name: str, depths: tuple[float, ...], found: str, **columns: Any) -> Record:
    """An answer; `found` has an x for each needle that was, in true order."""
    hits = tuple(mark == "x" for mark in found)
    return one(id=name, depths=depths, found=hits, correct=all(hits), **columns)


def whole(*answers: Record) -> Recall:
    """Recall over all needles."""
    needles = needles_of(answers)
    found = needles.shares(np.zeros_like(needles.tenth), 1)[0]
    assert found
    return found


def test_the_interval_is_the_one_worked_out_by_hand() -> None:
    # 2 of 3 and 0 of 1: R = 1/2, residuals 2 - 3/2 and 0 - 1/2, whose squares sum to 1/2; times
    # m / (m - 1) = 2, over (3 + 1)^2: a variance of 1/16.
    found = whole(answer("a", (0.1, 0.2, 0.3), "xx."), answer("b", (0.4,), "."))
    assert (found.found, found.needles, found.samples, found.value) == (2, 4, 2, 0.5)
    assert found.low == pytest.approx(0.5 - 1.959964 / 4, abs=1e-6)
    assert found.high == pytest.approx(0.5 + 1.959964 / 4, abs=1e-6)


def test_an_interval_stays_within_0_and_1() -> None:
    # 4 of 5 found, all but those of one sample of three: R = 4/5, residuals 2/5, 2/5 and -4/5.
    found = whole(*(answer(name, (0.1, 0.2), "xx") for name in "ab"), answer("c", (0.5,), "."))
    half = 1.959964 * math.sqrt((0.16 + 0.16 + 0.64) * 3 / 2 / 25)
    assert found.low == pytest.approx(0.8 - half, abs=1e-6)
    assert found.high == 1.0


def clustered(draw: Stream) -> list[Record]:
    """300 samples of 1 to 9 needles; a sample is read well or badly, so that its needles agree."""
    rows: list[Record] = []
    for number in range(300):
        count, chance = draw.between(1, 9), draw.choice((0.95, 0.4))
        found = "".join("x" if draw.random() < chance else "." for _ in range(count))
        rows.append(answer(f"s{number}", (0.5,) * count, found))
    return rows


def test_the_interval_is_what_resampling_the_samples_gives() -> None:
    draw = stream("test", "needle recall")
    rows = clustered(draw)
    found = whole(*rows)
    pairs = [(sum(row.items.get("found", ())), len(row.items.get("found", ()))) for row in rows]
    drawn: list[float] = []
    for _ in range(2_000):
        picked = [draw.choice(pairs) for _ in pairs]
        drawn.append(sum(hits for hits, _ in picked) / sum(size for _, size in picked))
    drawn.sort()
    assert found.low is not None and found.high is not None
    width = drawn[1_949] - drawn[50]
    assert found.high - found.low == pytest.approx(width, rel=0.1)
    assert found.low == pytest.approx(drawn[50], abs=0.1 * width)
    # Needles taken for independent would seem to tell much more than they do.
    naive = 2 * 1.96 * math.sqrt(found.value * (1 - found.value) / found.needles)
    assert found.high - found.low > 1.3 * naive


def test_where_all_samples_agree_each_counts_once_and_one_alone_has_no_interval() -> None:
    found = whole(*(answer(f"s{number}", (0.1, 0.2, 0.3), "xxx") for number in range(10)))
    assert (found.value, found.needles, found.samples) == (1.0, 30, 10)
    # Wilson's of 10 of 10: 10 / (10 + 1.96^2).
    assert found.low == pytest.approx(10 / (10 + 1.959964**2), abs=1e-6)
    assert found.high == pytest.approx(1.0)
    alone = whole(answer("a", (0.1, 0.2, 0.3), "x.."))
    assert (alone.value, alone.low, alone.high) == (pytest.approx(1 / 3), None, None)


def test_epochs_of_a_sample_are_no_further_needles() -> None:
    first = answer("a", (0.1, 0.2), "xx"), answer("b", (0.1, 0.2, 0.3), "x..")
    again = answer("a", (0.1, 0.2), "x.", epoch=2), answer("b", (0.1, 0.2, 0.3), "...", epoch=2)
    found = whole(*first, *again)
    # 3/2 of 2 and 1/2 of 3.
    assert (found.found, found.needles, found.samples) == (2, 5, 2)
    same = whole(
        *first,
        *(
            answer(row.id, row.items.get("depths", ()), marks, epoch=2)
            for row, marks in zip(first, ("xx", "x.."), strict=True)
        ),
    )
    assert same == whole(*first)


def test_fifths_are_where_the_middles_of_the_places_fall() -> None:
    expected = {
        1: [2],
        3: [0, 2, 4],
        4: [0, 1, 3, 4],
        5: [0, 1, 2, 3, 4],
        6: [0, 1, 2, 2, 3, 4],
        15: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
    }
    for count, fifths in expected.items():
        needles = needles_of([answer("a", (0.5,) * count, "x" * count)])
        assert needles.fifth.tolist() == fifths


def test_a_depth_is_in_the_tenth_that_begins_with_it() -> None:
    needles = needles_of([answer("a", (0.0, 0.0999, 0.1, 0.3, 0.9999, 1.0), "xxxxxx")])
    assert needles.tenth.tolist() == [0, 0, 1, 3, 9, 9]


def test_answers_that_do_not_tell_are_counted_and_those_unscored_are_not() -> None:
    rows = [
        answer("a", (0.1, 0.2, 0.3), "xx."),
        one(id="b", correct=None),
        one(id="c", correct=False, depths=None),
        one(id="d", correct=False, needles=3, found=(), depths=(0.1, 0.2, 0.3)),
    ]
    needles = needles_of(rows)
    assert (len(needles.found), needles.answers, needles.untold) == (3, 3, 2)
    assert section(studied(rows[1:])) is None
    shown = section(studied(rows))
    assert shown
    assert any(
        note.startswith("org/model: 2 of 3 scored answers do not tell") for note in shown.notes
    )


def two_runs() -> Section:
    """m/good finds all but a late needle; m/bad, which comes second, finds what is early."""
    depths = (0.95, 0.05, 0.55)
    good = [
        answer("a", depths, "xxx", model="m/good", length_bin="8k-16k"),
        answer("b", depths, "xxx", model="m/good", length_bin="16k-32k"),
        answer("c", (*depths, 0.95), "xxx.", model="m/good", length_bin="16k-32k"),
    ]
    bad = [
        answer("a", depths, ".x.", model="m/bad", length_bin="8k-16k"),
        answer("b", depths, ".xx", model="m/bad", length_bin="16k-32k"),
    ]
    found = section(studied(good, bad))
    assert found
    return found


def values(points: tuple[Point | None, ...]) -> list[float | None]:
    return [point and point.value for point in points]


def test_recall_by_depth_is_a_line_a_run() -> None:
    figure = next(one for one in two_runs().figures if one.name == "recall-by-depth")
    assert isinstance(figure.chart, Lines)
    good, bad = figure.chart.series
    assert (good.label, bad.label) == ("m/good", "m/bad")
    nothing = [None] * 4
    assert values(good.points) == [1.0, *nothing, 1.0, *nothing[1:], 0.75]
    assert values(bad.points) == [1.0, *nothing, 0.5, *nothing[1:], 0.0]
    assert [point.of for point in good.points if point] == [3, 3, 4]
    assert "highest at 0-10 % by m/good (100.0 %)" in figure.told
    assert "lowest at 90-100 % by m/bad (0.0 %)" in figure.told


def test_each_run_has_a_heat_map_of_depth_and_length() -> None:
    figures = {figure.name: figure for figure in two_runs().figures}
    figure = figures["recall-by-depth-and-length-1"]
    assert "m/good" in figure.title
    assert isinstance(figure.chart, Heatmap)
    assert figure.chart.places == ("8k-16k", "16k-32k")
    assert (figure.chart.lines[0], figure.chart.lines[-1]) == ("0-10", "90-100")
    assert values(figure.chart.cells[9]) == [1.0, pytest.approx(2 / 3)]
    assert values(figure.chart.cells[1]) == [None, None]
    assert "m/bad" in figures["recall-by-depth-and-length-2"].title


def test_recall_by_place_follows_the_true_order_not_the_text() -> None:
    figures = {figure.name: figure for figure in two_runs().figures}
    by_fifth = figures["recall-by-position"].chart
    assert isinstance(by_fifth, Lines)
    # Of three needles the second falls into the middle fifth; of four none does.
    assert values(by_fifth.series[1].points) == [0.0, None, 1.0, None, 0.5]
    assert values(by_fifth.series[0].points) == [1.0, 1.0, 1.0, 1.0, pytest.approx(2 / 3)]
    by_place = figures["recall-by-position-and-needles-1"].chart
    assert isinstance(by_place, Heatmap)
    assert by_place.lines == ("3-5", "6-10", ">10")
    assert len(by_place.places) == 15
    assert values(by_place.cells[0]) == [1.0, 1.0, 1.0, 0.0, *[None] * 11]
    assert values(by_place.cells[1]) == [None] * 15


def test_of_a_few_needles_at_a_depth_nothing_is_said() -> None:
    assert not [note for note in two_runs().notes if "finds most" in note]


def test_the_notes_tell_each_runs_best_and_worst_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "_FEW", 1)
    notes = two_runs().notes
    assert notes[1] == (
        "m/bad finds most at 0-10 % of the depth (100.0 %) and least at 90-100 % (0.0 %)."
    )


def column(table: Table, name: str) -> list[Any]:
    place = [column.name for column in table.columns].index(name)
    return [row[place] for row in table.rows]


def test_the_tables_have_every_value() -> None:
    tables = {table.name: table for table in two_runs().tables}
    crossed = tables["recall-by-depth-and-length"]
    at = list(
        zip(*(column(crossed, name) for name in ("run", "length", "depth_from")), strict=True)
    )
    late = at.index(("m/good", "16k-32k", 0.9))
    assert [column(crossed, name)[late] for name in ("depth_to", "needles", "found")] == [1.0, 3, 2]
    assert column(crossed, "recall")[late] == pytest.approx(2 / 3)
    assert column(tables["recall-by-depth"], "samples") == [3, 3, 3, 2, 2, 2]
    assert column(tables["recall-by-position"], "fifth")[:3] == ["first", "second", "middle"]
    placed = tables["recall-by-position-and-needles"]
    assert column(placed, "position") == [1, 2, 3, 4, 1, 2, 3]
    assert set(column(placed, "needle_group")) == {"3-5"}


def test_many_runs_are_rows_and_only_the_best_have_maps_of_their_own() -> None:
    # The fewer right, the later; the third of them tells nothing of its needles.
    count = MOST_FACETS + 2
    files = [
        [
            answer(f"s{n}", (0.1, 0.2, 0.3), "xxx" if n >= run else "x..", model=f"m/{run:02}")
            for n in range(count)
        ]
        for run in range(count)
    ]
    files[2] = [one(**_blind(row)) for row in files[2]]
    found = section(studied(*files))
    assert found
    assert count > MOST_LINES
    chart = found.figures[0].chart
    assert isinstance(chart, Heatmap)
    assert chart.lines == tuple(f"m/{run:02}" for run in range(count) if run != 2)
    maps = [one.name for one in found.figures if one.name.startswith("recall-by-depth-and")]
    assert maps == [f"recall-by-depth-and-length-{n}" for n in (1, 2, 4, 5, 6, 7, 8, 9)]
    assert any("the other 1 too" in note for note in found.notes)
    assert any(note.startswith("m/02: 10 of 10 scored") for note in found.notes)
    runs = set(column(found.tables[0], "run"))
    assert runs == set(chart.lines)


def _blind(row: Record) -> dict[str, Any]:
    return {"id": row.id, "model": row.model, "correct": row.correct, "needles": 3, "depths": None}


def test_strata_that_are_not_told_are_in_no_map() -> None:
    rows = [
        answer(name, (0.1, 0.2, 0.3), "xx.", length_bin=None, needle_group=None) for name in "ab"
    ]
    found = section(studied(rows))
    assert found
    assert [figure.name for figure in found.figures] == ["recall-by-depth", "recall-by-position"]
    assert [table.name for table in found.tables] == ["recall-by-depth", "recall-by-position"]
