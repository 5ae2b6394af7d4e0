"""The report's part on HaystackCraft: the paper's tables, and sections from made-up rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest
from report_rows import rows as other_rows
from report_rows import studied

from seqniah_tasks.benchmarks.haystackcraft.report import origins, rounds, sizes
from seqniah_tasks.benchmarks.haystackcraft.report.published import (
    Line,
    lines,
    of_setting,
    retrieval,
    similar,
)
from seqniah_tasks.benchmarks.haystackcraft.report.settings import Setting, by_setting
from seqniah_tasks.means import mean_score
from seqniah_tasks.records import Record, record
from seqniah_tasks.report import building
from seqniah_tasks.report.page.head import cautions
from seqniah_tasks.report.parts import Dots, Figure, Heatmap, Lines, Point, Section, Stacks, Table
from seqniah_tasks.report.sections import made

STRATEGIES = ("bm25", "dense", "hybrid", "bm25+ppr", "dense+ppr", "hybrid+ppr")
SIZES = ("0", "8k", "16k", "32k", "64k", "128k")
ROUNDS = ("1", "2", "3", "max3")
ATTACK = '<script>alert("1")</script>'


def pile(score: float | None, thousands: int = 8, **columns: Any) -> Record:
    """An answer about a pile, as logs tell of it; None: unscored."""
    usual = {
        "benchmark": "haystackcraft",
        "harness": "inspect",
        "source": "piles.eval",
        "model": "org/model",
        "task": "seqniah/haystackcraft",
        "version": "1",
        "edition": "encyclopaedia",
        "tokenizer": "qwen",
        "corpus": "embedded",
        "judge": "word overlap 1",
        "epoch": 1,
        "lang": "en",
        "length_bin": f"{thousands}k" if thousands else "0",
        "length": 1_000 * thousands,
        "prompt_fate": "whole",
        "prompt_tokens": 1_000 * thousands,
        "input_tokens": 1_000 * thousands,
        "output_tokens": 9,
        "asked": "q1",
        "strategy": "bm25+ppr",
        "order": "ranked",
        "profile": "strict",
    }
    told = {**usual, **columns}
    setting = [
        str(told.get(name)) for name in ("asked", "length_bin", "strategy", "order", "rounds")
    ]
    told.setdefault("id", "-".join(setting))
    if score is not None:
        verdict = {
            "score": score,
            "judged_by": "rules",
            "reason": "As the test has it.",
            "failure_modes": [] if score >= 0.5 else ["distractor"],
            "exact": float(score == 1),
            "strict_f1": score,
            "official_f1": score,
            "answered": 1.0,
            "hops": 2,
        }
        told = {**verdict, **told}
    return record("here", told)


def piles(scores: Sequence[float], *thousands: int, **columns: Any) -> list[Record]:
    """Answers to as many questions, the same at each size."""
    return [
        pile(score, size, asked=f"q{number}", **columns)
        for size in thousands
        for number, score in enumerate(scores)
    ]


def _figure(section: Section | None, name: str) -> Figure:
    assert section
    return next(figure for figure in section.figures if figure.name == name)


def _lines(section: Section | None, name: str) -> list[dict[str, Any]]:
    assert section
    table: Table = next(table for table in section.tables if table.name == name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _values(points: Sequence[Point | None]) -> list[float | None]:
    return [point and point.value for point in points]


# What the paper prints


def test_every_cell_of_the_papers_f1_is_there() -> None:
    static = Counter(line.setting for line in lines() if not line.setting.rounds)
    orders = ("ranked", "permuted")
    assert static == {Setting(*one): 12 for one in itertools.product(STRATEGIES, orders)}
    dynamic = Counter(line.setting for line in lines() if line.setting.rounds)
    assert dynamic == {
        Setting(strategy, "ranked", one): 8 for strategy in ("bm25+ppr", "dense") for one in ROUNDS
    }
    assert all(tuple(line.cells) == SIZES for line in lines())
    assert sum(len(line.cells) for line in lines()) == 12 * 6 * 6 * 2 + 8 * 2 * 6 * 4
    deviations = [
        (size, line.setting.order)
        for line in lines()
        for size, cell in line.cells.items()
        if cell.deviation is not None
    ]
    # The golds alone have no distractors, and one order.
    assert Counter(deviations) == {(size, "permuted"): 12 * 6 for size in SIZES[1:]}


@pytest.mark.parametrize(
    ("table", "model", "told", "size", "value", "deviation"),
    [
        (5, "Llama-3.1-8B-Instruct", "", "0", 59.8, None),
        (5, "o4-mini", "", "128k", 67.58, None),
        (5, "Qwen3-32B", "", "8k", 73.62, None),
        (6, "Llama-3.1-70B-Instruct", "", "128k", 25.85, None),
        (6, "GPT-4.1 mini", "", "64k", 61.33, None),
        (7, "Gemma-3-12B-IT", "", "16k", 56.63, None),
        (7, "o4-mini", "", "8k", 76.43, None),
        (8, "Gemini 2.5 Flash-Lite", "", "8k", 71.95, None),
        (8, "Qwen3-8B", "", "32k", 69.38, None),
        (9, "Qwen2.5-14B-Instruct-1M", "", "32k", 54.41, None),
        (10, "Gemma-3-12B-IT", "", "64k", 54, None),
        (10, "Qwen3-14B", "", "128k", 63.85, None),
        (11, "Llama-3.1-70B-Instruct", "", "64k", 49.14, 1),
        (11, "Gemma-3-27B-IT", "", "128k", 38.93, 1.21),
        (12, "Qwen2.5-7B-Instruct-1M", "", "32k", 41.05, 1),
        (12, "Gemma-3-12B-IT", "", "128k", 32.37, 1.66),
        (13, "Llama-3.1-70B-Instruct", "", "32k", 57.51, 0.05),
        (14, "Llama-3.1-8B-Instruct", "", "128k", 37.44, 2.2),
        (14, "Gemini 2.5 Flash-Lite", "", "8k", 72.66, 1.48),
        (15, "Qwen3-14B", "", "8k", 70.46, 1),
        (16, "Gemma-3-12B-IT", "", "128k", 37.51, 4.94),
        (16, "o4-mini", "", "128k", 68.13, 0.4),
        (17, "Llama-3.1-8B-Instruct", "1", "0", 56.86, None),
        (17, "Qwen2.5-7B-Instruct-1M", "3", "0", 24, None),
        (17, "Gemini 2.5 Pro", "2", "8k", 65.99, None),
        (17, "GPT-5 mini", "max3", "128k", 65.46, None),
        (18, "Gemini 2.5 Pro", "1", "16k", 72.2, None),
        (18, "Gemma-3-12B-IT", "3", "128k", 23.7, None),
        (18, "GPT-5", "3", "16k", 63.01, None),
        (18, "GPT-5", "max3", "128k", 72.95, None),
    ],
)
def test_figures_are_those_of_the_page(
    table: int, model: str, told: str, size: str, value: float, deviation: float | None
) -> None:
    (line,) = (
        one for one in lines() if (one.table, one.model, one.setting.rounds) == (table, model, told)
    )
    cell = line.cells[size]
    assert 100 * cell.value == pytest.approx(value, abs=1e-9)
    assert line.source == f"arXiv 2510.07414, Table {table}"
    if deviation is None:
        assert cell.deviation is None
    else:
        assert cell.deviation and 100 * cell.deviation == pytest.approx(deviation, abs=1e-9)


def test_tables_stand_under_their_own_settings() -> None:
    """As appendices I to K list them."""
    found = {line.table: (line.setting.strategy, line.setting.order) for line in lines()}
    static = [(strategy, order) for order in ("ranked", "permuted") for strategy in STRATEGIES]
    dynamic = [("bm25+ppr", "ranked"), ("dense", "ranked")]
    assert found == dict(zip(range(5, 19), [*static, *dynamic], strict=True))


def _golds_alone(found: Sequence[Line]) -> set[tuple[str, float]]:
    return {(line.model, line.cells["0"].value) for line in found}


def test_golds_alone_are_the_same_whoever_would_have_found_the_distractors() -> None:
    assert len(_golds_alone([line for line in lines() if not line.setting.rounds])) == 12
    assert len(_golds_alone([line for line in lines() if line.setting.rounds == "1"])) == 8


def test_the_figures_that_stand_in_two_tables_are_marked() -> None:
    marked = {
        (line.table, line.model, line.setting.rounds, size): cell.value
        for line in lines()
        for size, cell in line.cells.items()
        if cell.suspect
    }
    printed = dict(zip(SIZES[2:], (0.5141, 0.3918, 0.3771, 0.2788), strict=True))
    assert marked == {
        (table, "Llama-3.1-8B-Instruct", "2", size): value
        for table in (17, 18)
        for size, value in printed.items()
    }
    # No other cells but those of the golds alone are the same in both.
    twice = {
        (first.model, first.setting.rounds, size)
        for first, second in itertools.product(lines(), lines())
        if (first.table, second.table) == (17, 18)
        and (first.model, first.setting.rounds) == (second.model, second.setting.rounds)
        for size in SIZES[1:]
        if first.cells[size].value == second.cells[size].value
    }
    assert twice == {(model, told, size) for _, model, told, size in marked}


@pytest.mark.parametrize(
    ("measure", "strategy", "hops", "cutoff", "value"),
    [
        ("recall", "bm25", None, 10, 37.93),
        ("recall", "bm25+ppr", 2, 20, 57.41),
        ("recall", "dense", 4, 80, 25),
        ("recall", "dense+ppr", None, 160, 74.28),
        ("recall", "hybrid", 1, 10, 89),
        ("recall", "hybrid+ppr", 3, 40, 50),
        ("ndcg", "bm25", 4, 80, 11.4),
        ("ndcg", "bm25+ppr", 3, 40, 28.7),
        ("ndcg", "dense+ppr", 1, 20, 67.79),
        ("ndcg", "hybrid", None, 160, 49),
        ("ndcg", "hybrid+ppr", 4, 160, 24.24),
    ],
)
def test_retrieval_is_that_of_the_page(
    measure: Any, strategy: str, hops: int | None, cutoff: int, value: float
) -> None:
    found = retrieval(measure, strategy, hops)
    assert list(found) == [10, 20, 40, 80, 160]
    assert 100 * found[cutoff] == pytest.approx(value, abs=1e-9)


def test_what_the_text_lacks_of_table_4_is_absent() -> None:
    rows = list(itertools.product(STRATEGIES, (None, 1, 2, 3, 4)))
    assert all(retrieval("recall", *row) for row in rows)
    assert {row for row in rows if not retrieval("ndcg", *row)} == {
        *((strategy, hops) for strategy in ("bm25", "hybrid") for hops in (2, 3)),
        *(("dense", hops) for hops in (None, 1, 2, 3, 4)),
    }
    assert retrieval("recall", "run") == {}


@pytest.mark.parametrize("measure", ["recall", "ndcg"])
def test_retrieval_over_all_questions_is_the_mean_over_hops(measure: Any) -> None:
    """Weighed by Table 1, which has the shares of hops."""
    shares = {1: 0.2, 2: 0.58, 3: 0.156, 4: 0.064}
    whole = [
        strategy
        for strategy in STRATEGIES
        if all(retrieval(measure, strategy, hops) for hops in shares)
    ]
    assert len(whole) == (6 if measure == "recall" else 3)
    for strategy in whole:
        for cutoff, value in retrieval(measure, strategy).items():
            mean = sum(
                share * retrieval(measure, strategy, hops)[cutoff] for hops, share in shares.items()
            )
            # Two roundings of half a hundredth of a percent each.
            assert mean == pytest.approx(value, abs=1.0001e-4), (strategy, cutoff)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-5-mini-2025-08-07", "GPT-5 mini"),
        ("openai/gpt-5", "GPT-5"),
        ("openai/azure/gpt-4.1-mini", "GPT-4.1 mini"),
        ("hf/Qwen/Qwen3-8B", "Qwen3-8B"),
        ("ollama/qwen3:8b", "Qwen3-8B"),
        ("vllm/Qwen/Qwen3-32B-AWQ", "Qwen3-32B"),
        ("google/gemini-2.5-flash-lite-preview-06-17", "Gemini 2.5 Flash-Lite"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "Llama-3.1-8B-Instruct"),
        ("openai/gpt-5-nano", None),
        ("openai/gpt-5.1", None),
        ("google/gemini-2.5-flash", None),
        ("Qwen/Qwen2.5-7B-Instruct", None),
        ("deepseek/DeepSeek-R1-0528-Qwen3-8B", None),
        ("Qwen/Qwen3-80B", None),
        ("", None),
    ],
)
def test_a_published_model_is_known_by_its_name(model: str, name: str | None) -> None:
    assert similar(model, dict.fromkeys(line.model for line in lines())) == name


# F1 and its interval


def test_intervals_resample_questions_and_not_answers() -> None:
    """Three orders of a question that are answered alike tell no more than one."""
    scores = [0.25, 0.5, 1.0, 0.75]
    answers = [
        pile(score, asked=f"q{number}", id=f"{number}-{order}", order="permuted")
        for number, score in enumerate(scores)
        for order in range(3)
    ]
    means = sorted(sum(draw) / 4 for draw in itertools.product(scores, repeat=4))
    found = mean_score(answers)
    # The least value below or at which there are 2.5 % of the 256 resamples, and 97.5 %.
    assert (found.low, found.high) == pytest.approx((means[6], means[249]))
    assert (found.value, found.of, found.draws) == (0.625, 12, 4)
    alone = mean_score([pile(row.score, asked=row.id, id=row.id) for row in answers])
    assert alone.draws == 12
    assert found.low < alone.low < alone.high < found.high


def test_a_question_is_drawn_once_whatever_answers_of_it_are_scored() -> None:
    answers = [
        pile(1.0, asked="a", id="a1"),
        pile(0.0, asked="a", id="a2"),
        pile(0.5, asked="a", id="a2", epoch=2),
        pile(1.0, asked="b", id="b1"),
        pile(None, asked="c", id="c1"),
    ]
    found = mean_score(answers)
    assert (found.value, found.of, found.draws) == (0.75, 3, 2)


# By size


def test_settings_come_as_the_paper_has_them_static_ones_first() -> None:
    told = [
        *(("run", "ranked", ""), ("dense", "ranked", "max3"), ("hybrid+ppr", "ranked", "")),
        *(("dense", "ranked", "3"), ("bm25", "permuted", ""), ("bm25+ppr", "ranked", "1")),
        *(("bm25", "ranked", ""), ("dense", "ranked", "")),
    ]
    names = ("strategy", "order", "rounds")
    found = by_setting(pile(1.0, **dict(zip(names, one, strict=True))) for one in told)
    assert [one.name for one in found] == [
        "bm25, ranked",
        "bm25, permuted",
        "dense, ranked",
        "hybrid+ppr, ranked",
        "run, ranked",
        "bm25+ppr, ranked, 1 round",
        "dense, ranked, 3 rounds",
        "dense, ranked, at most 3 rounds",
    ]


def test_a_run_stands_beside_the_published_model_of_its_name() -> None:
    answers = piles([1.0, 0.0, 0.5], 8, 128, model="vllm/Qwen/Qwen3-8B")
    figure = _figure(sizes.section(studied(answers)), "haystackcraft-setting-1")
    chart = figure.chart
    assert isinstance(chart, Lines) and chart.places == ("8k", "128k")
    ours, theirs = chart.series
    assert (ours.label, _values(ours.points)) == ("vllm/Qwen/Qwen3-8B", [0.5, 0.5])
    assert theirs.label == "Qwen3-8B (published, on Wikipedia)"
    assert _values(theirs.points) == [0.7132, 0.6237]
    assert all(point and point.low is None for point in theirs.points)
    assert figure.title.endswith("(published, on Wikipedia): bm25+ppr, ranked")


def test_an_unknown_model_stands_beside_the_median_of_all() -> None:
    answers = piles([1.0, 0.0], 8, 4, 128, strategy="dense")
    chart = _figure(sizes.section(studied(answers)), "haystackcraft-setting-1").chart
    assert isinstance(chart, Lines) and chart.places == ("4k", "8k", "128k")
    _, middle = chart.series
    table_6 = [31.51, 25.85, 36.14, 42.39, 42.43, 48.98, 60.05, 59.22, 61.39, 62.41, 63.49, 66.98]
    none, _, last = middle.points
    assert none is None and last
    assert last.value == pytest.approx(median(table_6) / 100)
    assert (last.low, last.high) == (0.2585, 0.6698)


def test_the_papers_own_piles_are_a_set_up_beside_which_its_figures_are_no_rough_guide() -> None:
    paper = piles([1.0, 0.5], 8, edition="paper", setup="published data")
    for files, told in (([paper], [True, False]), ([paper, piles([1.0, 0.5], 8)], [True, True])):
        found = studied(*files)
        section = sizes.section(found)
        assert section
        words = "Runs of the paper edition have", "a rough guide and no comparison"
        assert [any(one in note for note in section.notes) for one in words] == told
        chart = _figure(section, "haystackcraft-setting-1").chart
        assert isinstance(chart, Dots) and sum(row.published for row in chart.rows) == 12
    assert {run.label for run in found.runs} == {
        "org/model (paper, static, published data)",
        "org/model (encyclopaedia, static)",
    }


def test_a_label_says_once_what_several_settings_say() -> None:
    folder = piles([1.0, 0.5], 8, edition="folder x", corpus="/data/x", setup="folder x")
    assert [run.label for run in studied(folder, piles([1.0, 0.5], 8)).runs] == [
        "org/model (encyclopaedia, embedded, static)",
        "org/model (folder x, /data/x, static)",
    ]


def test_at_a_single_size_every_model_has_a_mark() -> None:
    section = sizes.section(studied(piles([1.0, 0.5], 8, order="permuted")))
    chart = _figure(section, "haystackcraft-setting-1").chart
    assert isinstance(chart, Dots)
    ours, *theirs = chart.rows
    assert ours.point and (ours.point.value, ours.published) == (0.75, False)
    assert len(theirs) == 12 and all(row.published for row in theirs)
    assert theirs[0].point == Point(0.5676)


def test_many_runs_are_rows_of_a_map_with_the_published_below() -> None:
    files = [piles([1.0, 0.0], 8, 16, model=f"m{number}") for number in range(6)]
    chart = _figure(sizes.section(studied(*files)), "haystackcraft-setting-1").chart
    assert isinstance(chart, Heatmap)
    assert len(chart.lines) == 18 and chart.published == frozenset(range(6, 18))
    assert _values(chart.cells[6]) == [0.6052, 0.5363]


def test_settings_are_lines_of_a_run_and_a_line_of_the_table() -> None:
    answers = [
        *piles([1.0, 0.5], 8, 16, strategy="bm25"),
        *piles([0.5, 0.5], 8, strategy="bm25+ppr"),
        *(
            pile(score, asked=f"q{number}", order="permuted", id=f"p{number}-{score}")
            for number in range(2)
            for score in (0.0, 0.25, 1.0)
        ),
        pile(None, asked="q9", strategy="bm25"),
    ]
    section = sizes.section(studied(answers))
    chart = _figure(section, "haystackcraft-run-1").chart
    assert isinstance(chart, Lines)
    assert {one.label: _values(one.points) for one in chart.series} == {
        "bm25, ranked": [0.75, 0.75],
        "bm25+ppr, ranked": [0.5, None],
        "bm25+ppr, permuted": [pytest.approx(1.25 / 3), None],
    }
    table = {
        (line["strategy"], line["order"], line["size"]): line
        for line in _lines(section, "haystackcraft-by-size")
    }
    first, permuted = table["bm25", "ranked", "8k"], table["bm25+ppr", "permuted", "8k"]
    assert (first["questions"], first["scored"], first["unscored"]) == (2, 2, 1)
    assert (first["exact"], first["official_f1"], first["rounds"]) == (0.5, 0.75, None)
    assert (permuted["questions"], permuted["scored"]) == (2, 6)
    assert len(table) == 4


def test_the_papers_models_are_told_with_their_source_and_what_is_suspect() -> None:
    answers = piles([1.0, 0.0], 16, 32, rounds="2", setup="2 rounds")
    section = sizes.section(studied(answers))
    lines_of = _lines(section, "haystackcraft-published")
    assert len(lines_of) == 8 * 6
    llama = [one for one in lines_of if one["model"] == "Llama-3.1-8B-Instruct"]
    assert [one["size"] for one in llama if "Table 17 and in Table 18" in one["remark"]] == [
        *SIZES[2:]
    ]
    assert {one["source"] for one in lines_of} == {"arXiv 2510.07414, Table 17"}
    assert section and any("in no chart" in note for note in section.notes)
    chart = _figure(section, "haystackcraft-setting-1").chart
    assert isinstance(chart, Lines)
    point = chart.series[1].points[0]
    # The lowest at 16k but for the suspect one: that of Qwen2.5-7B-Instruct-1M.
    assert point and (point.low, point.high) == (0.3753, 0.6873)


@pytest.mark.parametrize("told", [{"strategy": "run"}, {"strategy": "dense", "order": ""}])
def test_what_the_paper_has_not_stands_alone(told: dict[str, str]) -> None:
    section = sizes.section(studied(piles([1.0, 0.0], 8, 16, **told)))
    assert section and [table.name for table in section.tables] == ["haystackcraft-by-size"]
    chart = _figure(section, "haystackcraft-setting-1").chart
    assert isinstance(chart, Lines) and len(chart.series) == 1
    assert "published" not in section.lead


# Whose wrong answers


def _wrong(mode: str, thousands: int = 8, **columns: Any) -> Record:
    modes = [mode] if mode else []
    return pile(0.25, thousands, failure_modes=modes, **{"asked": f"{mode}-{columns}", **columns})


def test_wrong_answers_are_divided_by_whose_they_are() -> None:
    answers = [
        *(_wrong(mode) for mode in ("bridge", "namesake", "distractor", "nowhere")),
        *(_wrong("bridge", asked=f"q{number}") for number in range(2)),
        _wrong("no_answer", 128),
        _wrong("", asked="untold"),
        pile(0.5, asked="nearly right"),
        pile(1.0, asked="right"),
        pile(None, asked="unscored"),
    ]
    section = origins.section(studied(answers))
    total = _figure(section, "haystackcraft-origins").chart
    by_size = _figure(section, "haystackcraft-origins-1").chart
    assert isinstance(total, Stacks) and isinstance(by_size, Stacks)
    assert total.parts == ("bridge", "namesake", "distractor", "nowhere", "no answer")
    ((label, shares, of),) = total.rows
    assert (label, of) == ("org/model", 7)
    assert shares == pytest.approx([3 / 7, 1 / 7, 1 / 7, 1 / 7, 1 / 7])
    assert [(size, of) for size, _, of in by_size.rows] == [("8k", 6), ("128k", 1)]
    assert by_size.rows[1][1] == (0, 0, 0, 0, 1)
    assert section and section.notes == ("org/model: nothing is told of 1 wrong answer.",)
    table = {
        (line["size"], line["mode"]): (line["answers"], line["wrong"])
        for line in _lines(section, "haystackcraft-origins")
    }
    assert table["all", "bridge"] == (3, 7) and table["128k", "no_answer"] == (1, 1)


def test_epochs_of_a_wrong_answer_weigh_one_together() -> None:
    answers = [
        _wrong("bridge", id="a", epoch=1),
        pile(1.0, id="a", epoch=2),
        _wrong("nowhere", id="b"),
    ]
    chart = _figure(origins.section(studied(answers)), "haystackcraft-origins").chart
    assert isinstance(chart, Stacks)
    assert chart.rows[0][1] == pytest.approx([1 / 3, 0, 0, 2 / 3, 0])


def test_right_answers_alone_have_no_such_section() -> None:
    assert origins.section(studied(piles([1.0, 0.5], 8))) is None


# Rounds


def _run(told: str, score: float, used: float | None = None, **columns: Any) -> list[Record]:
    """A file of three questions; the setup is as logs tell it."""
    number = told.removeprefix("max")
    setup = f"{'at most ' if number != told else ''}{number} round{'s' if number != '1' else ''}"
    steps = {} if used is None else {"rounds_used": used}
    return piles([score] * 3, 8, 32, rounds=told, setup=setup, **steps, **columns)


def test_rounds_are_places_and_models_lines() -> None:
    files = [
        _run(told, score, model=model)
        for model, scores in (("openai/gpt-5", (1.0, 0.75, 0.5)), ("other", (0.5, 0.5, 0.25)))
        for told, score in zip(("1", "3", "max3"), scores, strict=True)
    ]
    section = rounds.section(studied(*files, piles([1.0], 8)))
    chart = _figure(section, "haystackcraft-rounds-1").chart
    assert isinstance(chart, Lines)
    assert chart.places == ("1 round", "3 rounds", "at most 3 rounds")
    assert {one.label: _values(one.points) for one in chart.series} == {
        "openai/gpt-5": [1.0, 0.75, 0.5],
        "other": [0.5, 0.5, 0.25],
        # Of Table 17, at 8K and 32K.
        "GPT-5 (published, on Wikipedia)": [
            pytest.approx(fmean(both) / 100)
            for both in ((77.36, 75.03), (70.13, 66.45), (74.89, 73.56))
        ],
    }
    table = _lines(section, "haystackcraft-rounds")
    assert [(one["rounds"], one["f1"]) for one in table if "gpt" in one["run"]] == [
        ("1", 1.0),
        ("3", 0.75),
        ("max3", 0.5),
    ]


def test_models_of_one_name_are_told_apart_by_what_differs() -> None:
    ways = {None: (1.0, 0.5), "temperature=0": (0.75, 0.25)}
    files = [
        _run(told, score, generation=generation)
        for generation, scores in ways.items()
        for told, score in zip(("1", "2"), scores, strict=True)
    ]
    chart = _figure(rounds.section(studied(*files)), "haystackcraft-rounds-1").chart
    assert isinstance(chart, Lines)
    assert {one.label: _values(one.points) for one in chart.series[:2]} == {
        "org/model (as usual)": [1.0, 0.5],
        "org/model (temperature=0)": [0.75, 0.25],
    }


def test_rounds_used_are_those_of_models_that_may_answer_early() -> None:
    answers = [
        pile(score, asked=f"q{number}", rounds="max3", setup="at most 3 rounds", rounds_used=used)
        for number, (score, used) in enumerate([(1.0, 1), (0.5, 1), (0.25, 3), (0.0, 3)])
    ]
    section = rounds.section(studied(answers, _run("3", 1.0, 3)))
    chart = _figure(section, "haystackcraft-rounds-used").chart
    assert isinstance(chart, Lines) and chart.places == ("1", "3") and not chart.joined
    assert [_values(one.points) for one in chart.series] == [[0.75, 0.125]]
    asked = {line["rounds"]: line for line in _lines(section, "haystackcraft-rounds")}
    assert asked["max3"]["rounds_used"] == 2 and asked["3"]["rounds_used"] == 3
    used = _lines(section, "haystackcraft-rounds-used")
    assert [(line["used"], line["f1"], line["questions"]) for line in used] == [
        ("1", 0.75, 2),
        ("3", 0.125, 2),
    ]


def test_static_runs_have_no_section_on_rounds() -> None:
    assert rounds.section(studied(piles([1.0, 0.0], 8))) is None


def test_a_number_of_rounds_is_a_task_and_no_odd_way_of_running() -> None:
    found = studied(piles([1.0], 8), _run("3", 1.0), _run("max3", 0.5))
    assert [run.label for run in found.runs] == [
        "org/model (3 rounds)",
        "org/model (static)",
        "org/model (at most 3 rounds)",
    ]
    assert not any("usual way" in line for line in cautions(found.runs))


# The page


def test_a_page_has_all_sections_beside_those_of_another_benchmark() -> None:
    files = {
        Path("a.eval"): piles([1.0, 0.0, 0.25], 8, 128),
        Path("b.eval"): piles([1.0, 0.5, 0.25], 8, 128, model="second"),
        Path("c.eval"): _run("max3", 0.25, 2),
        Path("d.eval"): other_rows(2),
    }
    found = building.build(files, "Piles")
    names = [one.name for one in made(found.study) if one.name.startswith("haystackcraft")]
    assert names == [
        f"haystackcraft-{name}"
        for name in (
            *("scores", "by-size", "origins", "rounds", "pairs"),
            *("strata", "effective-length", "spending"),
        )
    ]
    assert "haystackcraft-setting-of-bm25-ppr-ranked" in found.figures
    assert (
        "Asked: 3 questions over piles of 8k to 128k tokens, found by bm25+ppr, ranked, "
        "in at most 3 rounds." in found.page
    )


def test_what_names_say_is_only_text() -> None:
    answers = piles([1.0, 0.0], 8, 16, model=ATTACK, setup=ATTACK, edition=ATTACK)
    found = building.build({Path("a.eval"): answers}, "Names")
    assert ATTACK not in found.page and "&lt;script&gt;" in found.page
    assert all(ATTACK.encode() not in drawn.svg for drawn in found.figures.values())


def test_the_same_setting_is_known_however_it_came() -> None:
    assert {line.table for line in of_setting(Setting("dense", "permuted"))} == {12}
    assert not of_setting(Setting("dense", "permuted", "1"))
