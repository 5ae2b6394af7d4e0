"""The report's part on Counting-Stars: scores, maps of stars by length, players, single answers."""

from __future__ import annotations

import csv
import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from report_rows import one, rows, star, studied

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.rng import stream
from seqniah_tasks.adapters.inspect import logs as inspect_table
from seqniah_tasks.adapters.inspect import summaries
from seqniah_tasks.benchmarks.counting_stars.record import read
from seqniah_tasks.benchmarks.counting_stars.report import (
    cases as star_cases,
)
from seqniah_tasks.benchmarks.counting_stars.report import (
    lengths as star_lengths,
)
from seqniah_tasks.benchmarks.counting_stars.report import (
    maps as star_maps,
)
from seqniah_tasks.benchmarks.counting_stars.report import (
    overview as stars,
)
from seqniah_tasks.benchmarks.counting_stars.report.runs import (
    shape,
    what,
)
from seqniah_tasks.commands.report import report
from seqniah_tasks.records import Record, Transcript
from seqniah_tasks.report import building
from seqniah_tasks.report.cases import LineFate, example
from seqniah_tasks.report.drawing import draw
from seqniah_tasks.report.drawing.furniture import some_names, some_of
from seqniah_tasks.report.drawing.lettering import width_of
from seqniah_tasks.report.drawing.scene import SMALL, WIDTH, Text
from seqniah_tasks.report.page.head import cautions, settings
from seqniah_tasks.report.parts import Dots, Figure, Heatmap, Lines, Section, Table
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import made

ATTACK = '<script>alert("1")</script>'


def _figure(section: Section | None, name: str) -> Figure:
    assert section
    return next(figure for figure in section.figures if figure.name == name)


def _map(section: Section | None, name: str) -> Heatmap:
    chart = _figure(section, name).chart
    assert isinstance(chart, Heatmap)
    return chart


def _values(chart: Heatmap) -> list[list[float | None]]:
    return [[point.value if point else None for point in line] for line in chart.cells]


def _lines(section: Section | None, name: str) -> list[dict[str, Any]]:
    assert section
    table: Table = next(table for table in section.tables if table.name == name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _players(ask: str, **columns: Any) -> Record:
    usual = {"pipeline": "players", "setup": "2 players", "ask": ask, "edition": "6-2"}
    return star(columns.pop("credits", None), **{"id": f"players-{ask}", **usual, **columns})


# Scores


def test_a_score_is_the_mean_over_samples_and_epochs_of_one_weigh_one_together() -> None:
    (run,) = studied(
        [
            star([1, 1], id="a", epoch=1),
            star([0, 0], id="a", epoch=2),
            star([1, 0], id="b"),
            star([0, 0], id="b", epoch=2, score=None),
        ]
    ).runs
    assert (run.share.value, run.share.of) == (0.5, 2)
    assert [row.correct for row in run.answers] == [True, False, False, None]


def test_intervals_are_those_of_all_resamples() -> None:
    scores = [0.25, 0.5, 1.0, 0.75]
    (run,) = studied(
        [star([score], id=str(number), score=score) for number, score in enumerate(scores)]
    ).runs
    means = sorted(sum(draw) / 4 for draw in itertools.product(scores, repeat=4))
    # The least value below or at which there are 2.5 % of the 256 resamples, and 97.5 %.
    assert (run.share.low, run.share.high) == pytest.approx((means[6], means[249]))


def test_scores_that_are_all_alike_have_an_interval_too() -> None:
    (run,) = studied([star([1, 1], id=str(number)) for number in range(9)]).runs
    assert run.share.high == 1 and 0.5 < run.share.low < 0.9


def test_the_table_of_runs_tells_what_was_measured() -> None:
    answers = [
        star([1, 1, 1], [True, True, True], id="a", position=1.0),
        star([1, 0, 1], [True, False, False], id="b", item_precision=0.5),
        star([0, 0, 0], lang="zh", id="c", failure_modes=["no_answer"], item_precision=None),
        star(None, lang="zh", id="d", prompt_fate="cut"),
    ]
    section = stars.section(studied(answers))
    english, chinese = _lines(section, "stars-runs")
    assert english["score"] == pytest.approx(5 / 6) and english["position"] == pytest.approx(2 / 3)
    assert (english["precision"], english["perfect"], english["scored"]) == (0.75, 1, 2)
    assert (english["edition"], english["task"]) == ("32-32", "searching")
    assert (chinese["score"], chinese["precision"], chinese["confusion"]) == (0, None, None)
    assert (chinese["unscored"], chinese["scored"]) == (1, 1)
    assert section
    assert "org/model: 1 of 4 answers unscored: 1 with a prompt that was cut." in section.notes
    modes = {(line["run"], line["mode"]): line for line in _lines(section, "stars-failure-modes")}
    assert modes["org/model, Chinese", "no_answer"]["share"] == 1
    assert modes["org/model, English", "missing_items"]["share"] == 0.5


@pytest.mark.parametrize(
    ("edition", "setup", "shown"),
    [
        ("32-32", "", {"GPT-4 Turbo, 32-32": 0.968, "Kimi Chat, 32-32": 0.864}),
        (
            "32-32-shuffled",
            "",
            {"GPT-4 Turbo, 32-32-shuffled": 0.692, "Kimi Chat, 32-32-shuffled": 0.606},
        ),
        ("32-32", "reasoning", {}),
        ("32-32", "up to 8k", {}),
        ("32-8", "", {}),
        ("paper", "", {}),
    ],
)
def test_the_papers_scores_stand_beside_their_own_edition_only(
    edition: str, setup: str, shown: dict[str, float]
) -> None:
    section = stars.section(studied([star([1, 0], edition=edition, setup=setup)]))
    chart = _figure(section, "stars-scores").chart
    assert isinstance(chart, Dots)
    found = {row.label: row.point and row.point.value for row in chart.rows if row.published}
    assert found == shown
    drawn = draw(_figure(section, "stars-scores")).inline
    assert ("published, other text and prompts" in drawn) is bool(shown)
    assert "judge" not in drawn


def test_players_are_told_by_what_was_asked() -> None:
    answers = [
        _players("list", credits=[1, 0, 1], confusion=0.25),
        _players("list", credits=[1, 1, 1], confusion=0.0, id="second"),
        _players("sum", score=0.0, confusion=1.0, needles=3, failure_modes=["other_player"]),
        _players("largest", score=1.0, confusion=0.0, needles=3, failure_modes=[]),
    ]
    section = stars.section(studied(answers))
    found = {line["ask"]: line for line in _lines(section, "stars-by-ask")}
    assert list(found) == ["largest", "list", "sum"]
    assert found["list"]["score"] == pytest.approx(5 / 6)
    assert found["list"]["confusion"] == pytest.approx(0.125)
    assert (found["sum"]["score"], found["sum"]["confusion"], found["sum"]["position"]) == (
        0,
        1,
        None,
    )
    (line,) = _lines(section, "stars-runs")
    assert line["confusion"] == pytest.approx((0.25 + 0 + 1 + 0) / 4)


def test_the_score_by_length_is_in_the_order_of_numbers() -> None:
    answers = [star([1, 0], thousands=number) for number in (128, 4, 16)]
    answers += [star([1, 1], thousands=4, id="second"), star(None, thousands=8)]
    section = star_lengths.section(studied(answers))
    chart = _figure(section, "stars-by-length").chart
    assert isinstance(chart, Lines)
    assert chart.places == ("4k", "8k", "16k", "128k")
    values = [point and point.value for point in chart.series[0].points]
    assert values == [0.75, None, 0.5, 0.5]
    lines = _lines(section, "stars-by-length")
    assert [line["unscored"] for line in lines] == [0, 1, 0, 0]
    assert [line["score"] for line in lines] == values
    assert [line["position"] for line in lines] == values


def test_one_length_is_a_sentence_and_no_chart() -> None:
    section = star_lengths.section(studied([star([1])]))
    assert (
        section and not section.figures and section.notes == ("All answers are of one length: 4k.",)
    )


# Maps


def test_a_map_has_a_row_a_star_and_a_column_a_length() -> None:
    """Epochs by their mean, samples too, and what is unscored in no cell."""
    answers = [
        star([1, 0, 0.5], [True, False, False], thousands=4, id="a", epoch=1),
        star([1, 1, 0.25], [True, True, False], thousands=4, id="a", epoch=2),
        star([0, 1, 0], [False, False, False], thousands=4, id="b"),
        star([0, 0, 1], [False, True, True], thousands=16, id="c"),
        star(None, thousands=8, id="d"),
    ]
    section = star_maps.section(studied(answers))
    found = _map(section, "stars-found-1")
    assert (found.lines, found.places) == (("1", "2", "3"), ("4k", "16k"))
    for line, expected in zip(
        _values(found), [[(1 + 0) / 2, 0], [(0.5 + 1) / 2, 0], [(0.375 + 0) / 2, 1]], strict=True
    ):
        assert line == pytest.approx(expected)
    placed = _map(section, "stars-placed-1")
    assert _values(placed) == [[0.5, 0], [0.25, 1], [0, 1]]
    table = {
        (line["star"], line["length"]): line for line in _lines(section, "stars-by-star-and-length")
    }
    assert table[3, "4k"]["found"] == pytest.approx(0.1875) and table[3, "4k"]["stars"] == 2
    assert table[2, "16k"]["placed"] == 1
    # Of a and b, at 4k, and of c: 0.5417, 0.3333 and 0.3333.
    title = _figure(section, "stars-found-1").title
    assert title.endswith(f"org/model: mean {_mean(answers):.1f} %")


def _mean(answers: list[Record]) -> float:
    """In percent, over samples and their epochs."""
    by_sample: dict[str, list[float]] = {}
    for row in answers:
        if credits := row.items.get("credits"):
            by_sample.setdefault(row.id, []).append(sum(credits) / len(credits))
    return 100 * sum(sum(one) / len(one) for one in by_sample.values()) / len(by_sample)


def test_depth_is_where_stars_stand() -> None:
    answers = [
        star([1, 0, 1], depths=[0.05, 0.0999, 1.0]),
        star([0, 1, 1], id="b", depths=[0.1, 0.55, 0.95]),
    ]
    found = _map(star_maps.section(studied(answers)), "stars-by-depth-1")
    values = [line[0] for line in _values(found)]
    assert values == [0.5, 0, None, None, None, 1, None, None, None, 1]
    assert found.lines[0] == "0-10" and found.lines[-1] == "90-100"


def test_stars_of_unknown_depth_are_in_no_depth_map() -> None:
    section = star_maps.section(studied([star([1, 0], depths=None)]))
    assert section and [figure.name for figure in section.figures] == [
        "stars-found-1",
        "stars-placed-1",
    ]


def test_many_stars_and_lengths_stand_together_by_their_mean() -> None:
    draws = stream("test", "many stars")
    answers = [
        star([float(draws.below(2)) for _ in range(1_024)], thousands=number)
        for number in range(1, 129)
    ]
    found = _map(star_maps.section(studied(answers)), "stars-found-1")
    assert (len(found.lines), len(found.places)) == (64, 32)
    assert (found.lines[0], found.lines[-1]) == ("1-16", "1009-1024")
    assert (found.places[0], found.places[-1]) == ("1k-4k", "125k-128k")
    for line, place in ((0, 0), (63, 31), (17, 5)):
        expected = [
            credit
            for row in answers[4 * place : 4 * place + 4]
            for credit in row.items.get("credits", ())[16 * line : 16 * line + 16]
        ]
        assert len(expected) == 64
        assert _values(found)[line][place] == pytest.approx(sum(expected) / 64)
    section = star_maps.section(studied(answers))
    assert section and any("neighbours stand in one" in note for note in section.notes)
    assert len(_lines(section, "stars-by-star-and-length")) == 1_024 * 128


@pytest.mark.parametrize(("count", "lengths"), [(1, 1), (1, 32), (64, 32), (33, 5), (5, 4)])
def test_skies_of_any_shape_are_drawn(count: int, lengths: int) -> None:
    answers = [star([1.0] * count, thousands=4 * number) for number in range(1, lengths + 1)]
    section = star_maps.section(studied(answers))
    chart = _map(section, "stars-found-1")
    assert (len(chart.lines), len(chart.places)) == (count, lengths)
    drawn = draw(_figure(section, "stars-found-1"))
    height = float(re.search(r'viewBox="0 0 340 ([\d.]+)"', drawn.inline)[1])  # type: ignore[index]
    assert 40 < height < 500
    assert len(drawn.inline) < 60_000


def test_a_map_of_many_cells_tells_each_and_joins_those_alike() -> None:
    """In every row the tooltips together name all lengths, each with its own value."""
    draws = stream("test", "joined")
    table = [[float(draws.below(3) > 0) for _ in range(32)] for _ in range(32)]
    answers = [
        star([line[number] for line in table], thousands=4 * number + 4) for number in range(32)
    ]
    drawn = draw(_figure(star_maps.section(studied(answers)), "stars-found-1")).inline
    told = re.findall(r"<title>(\d+), (\d+)k(?: to (\d+)k)?: (\d+)\.\d %</title>", drawn)
    found = {
        (int(line), thousand): float(percent) / 100
        for line, first, last, percent in told
        for thousand in range(int(first), int(last or first) + 1, 4)
    }
    assert found == {
        (line + 1, 4 * number + 4): table[line][number]
        for line in range(32)
        for number in range(32)
    }
    assert len(told) < 1_024


@pytest.mark.parametrize(
    ("count", "slot"), [(32, 9.0), (32, 9.6), (32, 4.0), (7, 11.0), (128, 2.3), (1, 6.0)]
)
def test_names_of_many_columns_never_cover_each_other(count: int, slot: float) -> None:
    labels = [f"{4 * number}k" for number in range(1, count + 1)]
    items, _ = some_names(labels, 30, slot, 0)
    texts = [item for item in items if isinstance(item, Text)]
    assert texts[-1].text == labels[-1]
    ends = [
        (text.x - width_of(text.text, SMALL) / 2, text.x + width_of(text.text, SMALL) / 2)
        for text in texts
    ]
    assert all(first[1] < second[0] for first, second in itertools.pairwise(ends))
    assert ends[-1][1] <= 340.01


@pytest.mark.parametrize("count", [39, 40, 41, 47, 64])
def test_a_long_name_at_the_end_moves_over_no_other(count: int) -> None:
    """Of slots that end where the page does, as those of many lengths do."""
    left = 30.0
    labels = [f"{3 * number}k-{3 * number + 3}k" for number in range(count)]
    items, _ = some_names(labels, left, (WIDTH - left) / count, 0)
    texts = [item for item in items if isinstance(item, Text)]
    halves = [width_of(text.text, SMALL) / 2 for text in texts]
    assert len(texts) > 1 and texts[-1].x + halves[-1] <= WIDTH + 0.01
    for (first, half), (second, other) in itertools.pairwise(zip(texts, halves, strict=True)):
        assert second.x - other - (first.x + half) >= 4.99


def test_names_are_told_at_even_steps_that_divide_the_count_if_they_can() -> None:
    assert some_of(32, 2.4) == {3, 7, 11, 15, 19, 23, 27, 31}
    assert some_of(7, 2) == {0, 2, 4, 6}
    assert some_of(3, 0.5) == {0, 1, 2}


def _lost(section: Section | None) -> str:
    assert section
    return next(note for note in section.notes if "of the first third" in note)


@pytest.mark.parametrize(
    ("missed", "words"),
    [
        (2, "lost in the tail (80.0 % less than in the others"),
        (1, "lost in the middle (80.0 % less"),
        (0, "lost at the start (80.0 % less"),
        (None, "no third stands out"),
    ],
)
def test_where_stars_are_lost_is_computed(missed: int | None, words: str) -> None:
    answers = []
    for number in range(1, 21):
        thirds = [[1.0] * 3 for _ in range(3)]
        if missed is not None and number > 4:
            thirds[missed] = [0.0] * 3
        answers.append(star([one for third in thirds for one in third], thousands=number))
    told = _lost(star_maps.section(studied(answers)))
    assert words in told
    assert told.count("lost ") == (missed is not None)


def test_a_third_on_the_way_down_is_not_where_stars_are_lost() -> None:
    slope = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    told = _lost(star_maps.section(studied([star(slope, thousands=n) for n in range(1, 9)])))
    assert "33.3 % of the middle" in told
    assert "lost in the tail (66.7 % less than in the others, in every sample alike)" in told
    assert told.count("lost ") == 1


def test_few_samples_that_are_alike_may_be_chance() -> None:
    few = [star([1.0, 1.0, 0.0], thousands=number) for number in range(1, 5)]
    assert "no third stands out" in _lost(star_maps.section(studied(few)))


def test_chance_is_no_loss() -> None:
    """Of misses at places drawn by chance nothing is said, though the thirds differ."""
    draws = stream("test", "chance")
    table = [[float(draws.below(10) > 0) for _ in range(9)] for _ in range(30)]
    sums = [sum(sum(line[third : third + 3]) for line in table) for third in (0, 3, 6)]
    assert len(set(sums)) > 1
    answers = [star(line, thousands=number) for number, line in enumerate(table, 1)]
    assert "no third stands out" in _lost(star_maps.section(studied(answers)))


def test_each_language_and_question_has_maps_of_its_own() -> None:
    answers = [
        _players("list", credits=[1, 0]),
        _players("order", credits=[1, 0, 1]),
        _players("sum", score=1.0),
        _players("list", credits=[1, 1], lang="zh", id="zh"),
    ]
    section = star_maps.section(studied(answers))
    assert section
    found = {figure.facet.heading for figure in section.figures if figure.facet}
    assert found == {
        "org/model, English, list: mean 50.0 %",
        "org/model, English, order: mean 66.7 %",
        "org/model, Chinese: mean 100.0 %",
    }


def test_only_so_many_maps_are_drawn_and_the_tables_have_all() -> None:
    section = star_maps.section(studied(*([star([1, 0], model=f"m{n:02}")] for n in range(11))))
    assert section and len([one for one in section.figures if "found" in one.name]) == 8
    assert any("the other 3 too" in note for note in section.notes)
    assert len({line["run"] for line in _lines(section, "stars-by-star-and-length")}) == 11


def test_sums_alone_have_no_map() -> None:
    assert star_maps.section(studied([_players("sum", score=1.0)])) is None


# Two benchmarks on one page


def _both() -> Study:
    """Two models on both, one of them on two tasks of stars."""
    return studied(
        rows(3),
        rows(3, model="other", correct=False),
        [star([1, 0])],
        [star([1, 1], model="other")],
        [star([1, 0], setup="reasoning", pipeline="reasoning", id="r")],
    )


def test_each_section_sees_the_runs_of_its_benchmark_alone() -> None:
    sections = {section.name: section for section in made(_both())}
    first = [line["run"] for line in _lines(sections["accuracy"], "runs")]
    assert first == ["org/model", "other"]
    assert [line["run"] for line in _lines(sections["stars"], "stars-runs")] == [
        "other (searching)",
        "org/model (reasoning)",
        "org/model (searching)",
    ]
    (pair,) = _lines(sections["pairs"], "pairs")
    assert "Stars" not in pair["first"] + pair["second"]
    assert "stars-spending" in sections


def test_runs_of_different_benchmarks_are_compared_in_no_sentence() -> None:
    told = cautions(_both().runs)
    assert any("differ in set-up: reasoning, searching." in line for line in told)
    for field in ("edition", "version", "judge", "tokenizer"):
        assert not any(f"differ in {field}" in line for line in told), field
    assert not any("common to all" in line for line in told)
    assert not any("asked in the usual way" in line for line in told)


def test_an_odd_way_of_running_is_told_and_a_task_of_its_own_is_none() -> None:
    told = cautions(studied([star([1], setup="4 players, snap none", edition="1-1")]).runs)
    assert told == [
        "Not every run of Counting-Stars was made in the usual way, and such runs are another "
        "test: org/model: snap none."
    ]


def test_shorter_lengths_than_the_papers_are_told_with_their_task() -> None:
    named = {
        "": "searching",
        "up to 8k": "searching, up to 8k",
        "reasoning, up to 8k": "reasoning, up to 8k",
        "4 players, snap none, up to 1M": "4 players, snap none, up to 1M",
    }
    runs = studied(*([star([1], setup=setup, edition="1-1")] for setup in named)).runs
    found = {run.setting.setup: run.label for run in runs}
    assert found == {setup: f"org/model ({name})" for setup, name in named.items()}
    odd, apart = cautions(runs)
    assert apart == f"The runs differ in set-up: {'; '.join(sorted(named.values()))}."
    # A task of its own is no odd way, and lengths that are not the paper's are one.
    assert "(searching)" not in odd
    assert "org/model (searching, up to 8k): up to 8k" in odd
    assert "org/model (reasoning, up to 8k): up to 8k" in odd
    assert "org/model (4 players, snap none, up to 1M): snap none, up to 1M" in odd


def _labels(*given: Record) -> list[str]:
    return sorted(run.label for run in studied(*([row] for row in given)).runs)


def test_tasks_are_told_first_and_what_a_models_runs_share_is_not() -> None:
    tasks = ("", "reasoning, ", "4 players, snap none, ")
    ours = [
        star([1], setup=f"{task}numbers 8 3 ... (ab12cd), up to 64k", edition=edition)
        for task, edition in zip(tasks, ("32-4", "32-4", "32-4-shuffled"), strict=True)
    ]
    other = star([0], model="other", setup="up to 64k", edition="32-4")
    alone = one(model="third")
    # No name of Sequential-NIAH is like one of these, so that none tells its benchmark.
    assert _labels(*ours, other, alone) == [
        "org/model (4 players, snap none)",
        "org/model (reasoning)",
        "org/model (searching)",
        "other (searching)",
        "third",
    ]
    assert _labels(ours[0], other) == ["org/model", "other"]


def test_editions_are_told_unless_they_differ_by_their_tasks_alone() -> None:
    plain, players = star([1], edition="32-4"), {"setup": "4 players"}
    assert _labels(plain, star([1], edition="32-8", **players)) == [
        "org/model (4 players, 32-8)",
        "org/model (searching, 32-4)",
    ]
    shuffled = star([1], id="b", edition="32-4-shuffled")
    assert _labels(plain, shuffled, star([1], edition="32-4-shuffled", **players)) == [
        "org/model (4 players, 32-4-shuffled)",
        "org/model (searching, 32-4)",
        "org/model (searching, 32-4-shuffled)",
    ]


def test_a_run_that_has_but_what_it_shares_tells_all_of_its_set_up() -> None:
    """Lest it seem to be one made in the usual way."""
    setups = ("up to 64k", "snap none, up to 64k")
    assert _labels(*(star([1], setup=setup) for setup in setups)) == [
        "org/model (searching, snap none, up to 64k)",
        "org/model (searching, up to 64k)",
    ]


def test_where_two_benchmarks_runs_have_one_name_all_tell_their_benchmark() -> None:
    found = studied(
        [one(), one(id="b", model="other")],
        [star([1], edition="32-4"), star([1], id="b", edition="32-8")],
        [star([0], model="third")],
        [star([0], edition="32-4")],
        [star([1], model="other")],
    )
    assert {run.label: run.own for run in found.runs} == {
        "org/model (Sequential-NIAH)": "org/model",
        "other (Sequential-NIAH)": "other",
        "org/model (Counting-Stars, 32-4) (2.eval)": "org/model (32-4) (2.eval)",
        "org/model (Counting-Stars, 32-4) (4.eval)": "org/model (32-4) (4.eval)",
        "org/model (Counting-Stars, 32-8)": "org/model (32-8)",
        "other (Counting-Stars)": "other",
        "third (Counting-Stars)": "third",
    }
    assert [run.label for run in found.by_benchmark()["sequential-niah"].runs] == [
        "org/model",
        "other",
    ]


def test_what_runs_share_is_told_with_their_task() -> None:
    short = studied([star([1], setup="up to 8k")]).runs
    assert settings(short).endswith("judge counting rules 2, set-up searching, up to 8k")
    assert "set-up" not in settings(studied([star([1])]).runs)


def test_a_part_of_the_lengths_is_told() -> None:
    (line,) = cautions(studied([star([1, 1], edition="2-32")]).runs)
    assert line.endswith("org/model 1 of 32.")
    assert not cautions(studied([star([1, 1], edition="2-1")]).runs)


def test_the_top_of_the_page_tells_each_benchmarks_key_figure(tmp_path: Path) -> None:
    html = building.build(
        {Path("a"): rows(3), Path("b"): [star([1, 0, 1, 1], edition="4-32")]}, "Both"
    ).page
    head = html[html.index('id="page-key-figures"') : html.index('id="accuracy"')]
    assert re.findall("<h3>(.*?)</h3>", head) == ["Sequential-NIAH", "Counting-Stars"]
    assert "Strict accuracy" in head and "Mean score over the samples" in head
    assert ">100.0 %<" in head and ">75.0 %<" in head
    assert "Asked: skies of 4 stars, one length, 4k, task searching, in English." in head


def test_what_was_run_is_one_sentence() -> None:
    (run,) = studied(
        [star([1], edition="1-2"), star([1], edition="1-2", lang="zh", thousands=128)]
    ).runs
    assert what([run]) == (
        "Asked: skies of 1 star, 2 lengths from 4k to 128k, task searching, in Chinese and English."
    )
    assert shape("64-32-shuffled") == (64, 32) and shape("paper") is None


def test_what_names_say_is_only_text() -> None:
    answers = [star([1, 0], model=ATTACK, edition=ATTACK, setup=ATTACK, judge=ATTACK)]
    made_of = building.build({Path("a.eval"): answers}, "Names")
    assert ATTACK not in made_of.page and "&lt;script&gt;" in made_of.page
    assert all(ATTACK.encode() not in drawn.svg for drawn in made_of.figures.values())


# Single answers


def _example(reference: str, response: str, **columns: Any) -> list[tuple[Any, ...]]:
    credits = columns.pop("credits", None)
    told = Transcript(star(credits, **columns), "How many?", reference, response, {})
    return [(line.reference, line.answer, line.fate) for line in example(told).lines]


def test_an_answer_is_shown_star_by_star() -> None:
    found = _example(
        '{"little_penguin": [3, 9, 15, 21]}',
        '{"little_penguin": [3, 15, 9, 99]}',
        credits=[1, 1, 1, 0],
    )
    assert found[0] == ("3", "3", LineFate.FOUND)
    assert {found[1][2], found[2][2]} == {LineFate.FOUND, LineFate.MISPLACED}
    assert found[3:] == [("21", None, LineFate.MISSING), (None, "99", LineFate.REDUNDANT)]


def test_a_mistaken_number_stands_beside_its_star() -> None:
    found = _example('{"penguin": [3, 9]}', '{"penguin": [4, 9]}', credits=[0.25, 1])
    assert found == [("3", "4", LineFate.CHANGED), ("9", "9", LineFate.FOUND)]


def test_a_sum_stands_beside_the_right_one() -> None:
    sums = {"ask": "sum", "score": 0.0, "needles": 3}
    assert _example('{"sum": 57}', "The sum is 56.", **sums) == [("57", "56", LineFate.CHANGED)]
    assert _example('{"sum": 57}', "", **sums) == [("57", None, LineFate.MISSING)]
    assert _example('{"sum": 57}', "57", **sums) == [("57", "57", LineFate.FOUND)]


@pytest.mark.parametrize(
    "reference", ["", "[1, 2]", '{"a": "b"}', '{"a": [1], "b": [2]}', '{"a": [true]}', "[" * 90_000]
)
def test_a_reference_that_is_none_gives_no_lines(reference: str) -> None:
    assert star_cases.numbers(reference, "1", None) is None


def test_the_page_shows_single_answers_about_stars() -> None:
    row = star([1, 0], failure_modes=["missing_items", "other_player"])
    told = Transcript(row, "How many?", '{"a": [7, 8]}', f'{{"a": [7]}} {ATTACK}', {})
    made_of = building.build({Path("a"): [row]}, "One", lambda study: [example(told)])
    single = made_of.page[made_of.page.index('<details class="single"') :]
    assert "score 50.0 %" in single and "other player" in single and "As the test has it." in single
    assert ATTACK not in made_of.page
    assert "without the full score" in made_of.page


# Logs


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Two lengths in each language, read by the lexical baseline."""
    given = {"n": 2, "m": 6, "max_length": 4_000}
    folder = str(tmp_path_factory.mktemp("logs"))
    more: dict[str, Any] = {"log_dir": folder, "display": "log"}
    made_log = run_eval("seqniah/counting_stars", model="seqniah/lexical", task_args=given, **more)
    assert made_log[0].status == "success", made_log[0].error
    return read_eval_log(made_log[0].location)


def test_a_log_is_read_as_it_says(log: EvalLog) -> None:
    found = {row.id: row for row in inspect_table.read(Path(log.location))}
    assert len(found) == 4
    for sample in log.samples or []:
        row, facts = found[str(sample.id)], sample.metadata
        score = (sample.scores or {})["stars"]
        told = score.metadata or {}
        told_setup = (log.eval.metadata or {})["setup"] or None
        assert (row.benchmark, row.edition, row.setup) == ("counting-stars", "6-2", told_setup)
        assert (row.traits.get("pipeline"), row.traits.get("ask"), row.lang) == (
            "searching",
            "list",
            facts["lang"],
        )
        assert (row.length, row.length_bin) == (facts["length"], facts["length_bin"])
        assert row.score == score.value and row.correct is (score.value == 1)
        assert (
            "".join("1" if one else "0" for one in row.items.get("credits", ())) == told["credits"]
        )
        assert "".join(str(int(one)) for one in row.items.get("placed", ())) == told["positions"]
        assert (row.figures.get("position"), row.figures.get("confusion")) == (
            told["position"],
            None,
        )
        assert list(row.items.get("depths", ())) == facts["needle_depths"]
        assert (row.judge, row.judged_by, row.split) == ("counting rules 2", "rules", "test")
        assert row.items.get("found") is None and row.figures["item_recall"] == row.score


@pytest.mark.parametrize("stars", [2_000, 4_000])
def test_what_summaries_have_no_room_for_is_read_in_full(
    log: EvalLog, tmp_path: Path, stars: int
) -> None:
    """As with 2,000 stars, of whose signs and depths inspect keeps nothing in its summaries."""
    long = log.model_copy(deep=True)
    signs = "1" * 1_500 + "h" * 499 + "0"
    for sample in long.samples or []:
        sample.metadata |= {"needles": 2_000, "stars": stars}
        sample.metadata["needle_depths"] = [number / 2_000 for number in range(2_000)]
        assert sample.scores
        told = sample.scores["stars"].metadata
        assert told is not None
        told |= {"credits": signs, "positions": "10" * 1_000}
    path = tmp_path / "long.eval"
    write_eval_log(long, str(path))
    for row in inspect_table.read(path):
        assert row.items.get("credits") == (*[1.0] * 1_500, *[0.5] * 499, 0.0)
        assert row.items.get("placed") == (True, False) * 1_000
        assert row.items["depths"][1] == 1 / 2_000


@pytest.mark.parametrize("count", [64, 1_024])
def test_summaries_keep_the_signs_of_as_many_stars(
    log: EvalLog, tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = log.model_copy(deep=True)
    for sample in long.samples or []:
        sample.metadata |= {"needles": count, "stars": count, "needle_depths": [0.12345] * count}
        assert sample.scores
        told = sample.scores["stars"].metadata
        assert told is not None
        told |= {"credits": "q" * count, "positions": "0" * count}
    path = tmp_path / "kept.eval"
    write_eval_log(long, str(path))
    monkeypatch.setattr(summaries, "read_whole", lambda *_: pytest.fail("read in full"))
    (row, *_) = inspect_table.read(path)
    assert row.items.get("credits") == (0.25,) * count
    # Depths of so many are cut; stars of a whole sky stand evenly.
    depths = row.items["depths"]
    assert len(depths) == count and depths[-1] in (1.0, 0.12345)


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("credits", "12345x", "credits is one of 1, h, q, 0 for each star"),
        ("credits", 7, "credits is one of 1, h, q, 0 for each star"),
        ("positions", "1x0000", "positions is one of 1, 0 for each star"),
        ("credits", "1111111", "credits is a list of 6, not of 7."),
        ("credits", "1" * 10_001, "credits has 10,001 signs, more than 10,000"),
        ("position", 3, "position is a number from 0 to 1"),
        ("failure_modes", ["bad"], "failure_modes is a list of missing_items, "),
    ],
)
def test_a_damaged_log_is_named(
    log: EvalLog, tmp_path: Path, name: str, given: Any, told: str
) -> None:
    broken = log.model_copy(deep=True)
    for sample in broken.samples or []:
        assert sample.scores
        found = sample.scores["stars"].metadata
        assert found is not None
        found[name] = given
    path = tmp_path / "broken.eval"
    write_eval_log(broken, str(path))
    with pytest.raises(SeqniahError, match=r"broken\.eval, sample") as raised:
        inspect_table.read(path)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        (
            {"needles": 10**9, "stars": 10**9, "needle_depths": None},
            "1,000,000,000 needles are more than 10,000",
        ),
        ({"ask": ["list"]}, "ask is list or sum or largest or order, not"),
    ],
)
def test_damaged_facts_of_a_sample_are_named(
    log: EvalLog, tmp_path: Path, odd: dict[str, Any], told: str
) -> None:
    broken = log.model_copy(deep=True)
    for sample in broken.samples or []:
        sample.metadata |= odd
    path = tmp_path / "broken.eval"
    write_eval_log(broken, str(path))
    with pytest.raises(SeqniahError, match=rf"broken\.eval, sample .*: {told}"):
        inspect_table.read(path)


def test_an_unscored_answer_has_no_figures(log: EvalLog, tmp_path: Path) -> None:
    without = log.model_copy(deep=True)
    for sample in without.samples or []:
        assert sample.scores
        sample.scores["stars"].value = float("nan")
    path = tmp_path / "nan.eval"
    write_eval_log(without, str(path))
    for row in inspect_table.read(path):
        figures = (
            row.correct,
            row.score,
            row.items.get("credits"),
            row.items.get("placed"),
            row.figures.get("position"),
            row.failure_modes,
        )
        assert figures == (None,) * 6


def test_a_report_of_a_log_says_mean_score(
    log: EvalLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report([Path(log.location)], tmp_path / "out", examples=60)
    scores = [row.score or 0.0 for row in inspect_table.read(Path(log.location))]
    mean = f"{100 * sum(scores) / 4:.1f}"
    assert capsys.readouterr().out.splitlines()[0] == (
        f"seqniah/lexical: mean score {mean} % over 4 samples"
    )
    html = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "<title>Counting-Stars</title>" in html
    with (tmp_path / "out" / "tables" / "stars-by-star-and-length.csv").open(
        encoding="utf-8"
    ) as file:
        assert sum(1 for _ in csv.DictReader(file)) == 4 * 6


def test_depths_that_nobody_noted_are_even_where_all_stars_are_asked_for() -> None:
    def depths(given: list[float] | None, needles: int) -> object:
        facts = {"needle_depths": given, "needles": needles, "stars": 4}
        return read("here", facts, {})["depths"]

    assert depths(None, 4) == [0.25, 0.5, 0.75, 1.0]
    assert depths([], 2) is None
    assert depths([0.5], 1) == [0.5]
