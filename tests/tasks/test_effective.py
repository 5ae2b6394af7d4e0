"""The effective context length: how it is found, how sure it is, and where it is told."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import command_line
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_rows import one, rows, star, studied
from rich.console import Console

from seqniah_tasks.benchmarks import known
from seqniah_tasks.effective import Effective, effective, fitted
from seqniah_tasks.isotonic import FEW, Block, last_kept, monotone
from seqniah_tasks.kinds import upper_end
from seqniah_tasks.records import Record, RunRecord
from seqniah_tasks.report import building
from seqniah_tasks.report.drawing import draw
from seqniah_tasks.report.parts import Heatmap, Lines, Section
from seqniah_tasks.report.sections.effective import section
from seqniah_tasks.views.summary import figures_as_json, print_figures

BINS = ("8k-16k", "16k-32k", "32k-64k", "64k-128k")
OLD = Path(__file__).parent.parent / "old_files"
NIAH = known()["sequential-niah"]


def of(*right: int, samples: int = 20, threshold: float = 0.85) -> Effective:
    """Of so many right ones of so many samples at each bin."""
    scores = [[1.0] * hits + [0.0] * (samples - hits) for hits in right]
    found = fitted(BINS[: len(right)], scores, threshold)
    assert found is not None
    return found


def answers(*right: int, samples: int = 20, **columns: Any) -> list[Record]:
    """The same as rows of a run."""
    return [
        one(id=f"{bin}-{n}", length_bin=bin, correct=n < hits, **columns)
        for bin, hits in zip(BINS, right, strict=False)
        for n in range(samples)
    ]


# Made to fall.


@pytest.mark.parametrize(
    ("given", "means"),
    [
        ([(4, 4), (2, 4), (1, 4)], ["1", "1/2", "1/4"]),
        ([(3, 4), (4, 4), (1, 4)], ["7/8", "7/8", "1/4"]),
        # The longer one counts thrice as much.
        ([(0, 1), (3, 3)], ["3/4", "3/4"]),
        # 2 and 3 make 5/2, which 4 is above again.
        ([(2, 1), (3, 1), (4, 1), (0, 1)], ["3", "3", "3", "0"]),
        ([(5, 1), (1, 1), (2, 1), (4, 1)], ["5", "7/3", "7/3", "7/3"]),
        ([(0, 2), (0, 3)], ["0", "0"]),
    ],
)
def test_neighbours_that_rise_are_pooled_by_their_samples(
    given: list[Block], means: list[str]
) -> None:
    assert [Fraction(*block) for block in monotone(given)] == list(map(Fraction, means))


_BLOCKS = st.lists(
    st.integers(1, 9).flatmap(lambda count: st.tuples(st.integers(0, 5 * count), st.just(count))),
    min_size=1,
    max_size=12,
)


@given(_BLOCKS)
def test_what_is_made_to_fall_falls_and_keeps_the_mean(blocks: list[Block]) -> None:
    means = [Fraction(*block) for block in monotone(blocks)]
    assert means == sorted(means, reverse=True)
    counts = [count for _, count in blocks]
    weighted = sum(mean * count for mean, count in zip(means, counts, strict=True))
    assert weighted == sum(total for total, _ in blocks)
    # Made to fall again it is what it was.
    scale = math.lcm(*(mean.denominator for mean in means))
    again = [
        (int(mean * count * scale), count * scale)
        for mean, count in zip(means, counts, strict=True)
    ]
    assert [Fraction(*block) for block in monotone(again)] == means


@given(_BLOCKS)
def test_what_falls_already_is_left_as_it_is(blocks: list[Block]) -> None:
    falling = sorted(blocks, key=lambda block: Fraction(*block), reverse=True)
    assert [Fraction(*block) for block in monotone(falling)] == [
        Fraction(*block) for block in falling
    ]


@given(_BLOCKS)
def test_no_monotone_values_are_nearer(blocks: list[Block]) -> None:
    """By the formula of least and greatest means, which pools nothing."""
    places = range(len(blocks))

    def mean(first: int, last: int) -> Fraction:
        part = blocks[first : last + 1]
        return Fraction(sum(total for total, _ in part), sum(count for _, count in part))

    expected = [
        min(max(mean(first, last) for last in places[place:]) for first in places[: place + 1])
        for place in places
    ]
    assert [Fraction(*block) for block in monotone(blocks)] == expected


# The effective length.


@pytest.mark.parametrize(
    ("right", "length"),
    [
        ((20, 20, 20, 20), "at least 128k"),
        ((20, 18, 18, 2), "64k"),
        # 85 % of 20 is 17, which is kept; 16 is not.
        ((20, 17, 16, 16), "32k"),
        ((20, 16, 16, 16), "16k"),
        # The rise at the third bin lifts the second above the threshold: 17 of 20 each.
        ((20, 15, 19, 0), "64k"),
        # The rise at the second lifts the first: 19 each, of which 16 is too little.
        ((18, 20, 16, 0), "32k"),
    ],
)
def test_it_is_the_longest_length_that_keeps_enough(right: tuple[int, ...], length: str) -> None:
    assert of(*right).words[0] == length


def test_the_threshold_is_of_the_shortest_lengths_score() -> None:
    assert of(10, 9, 6, 0).words[0] == "32k"
    assert of(10, 9, 6, 0, threshold=0.6).words[0] == "64k"
    assert of(10, 9, 6, 0, threshold=1).words[0] == "16k"
    # A share that no float holds exactly: 7 of 10 is 70 %.
    assert last_kept([(10, 10), (7, 10)], Fraction("0.7")) == 1
    assert of(20, 14, threshold=0.7).words[0] == "at least 32k"


def test_a_length_is_called_by_its_upper_end() -> None:
    names = ("8k-16k", "4k", "128k-256k", "1.5k", "very-long", ">128k", "64-128", "")
    ends = ["16k", "4k", "256k", "1.5k", "very-long", ">128k", "128", ""]
    assert [upper_end(name) for name in names] == ends


def test_where_all_are_right_it_is_at_least_the_longest_length() -> None:
    assert of(20, 20, 20, 20).words == ("at least 128k",) * 3


def test_where_scores_collapse_at_one_length_it_is_exact() -> None:
    assert of(20, 20, 0, 0).words == ("32k",) * 3


def test_where_chance_alone_is_left_nothing_is_known_at_the_lower_end() -> None:
    # 1 of 20: no resample in three has it.
    assert 0.95**20 > 0.025
    assert of(1, 0).words[:2] == ("16k", "below 16k")


@pytest.mark.parametrize("hits", [10, 11, 13, 14, 16, 18, 20])
def test_the_interval_follows_from_the_chances_of_resamples(hits: int) -> None:
    from scipy.stats import binom

    """Of two lengths, one all right: the second one keeps enough where its resample has 17."""
    kept = 1 - binom.cdf(16, 20, hits / 20)
    # No nearer to an end than 1,000 resamples tell apart.
    assert min(abs(kept - 0.025), abs(kept - 0.975)) > 0.015
    found = of(20, hits)
    assert (found.low, found.high) == (int(kept > 0.975), int(kept > 0.025))


def test_few_samples_of_a_length_are_no_certainty() -> None:
    lengths = [f"{4 * place}k" for place in range(1, 33)]
    single = fitted(lengths, [[1.0]] * 16 + [[0.0]] * 16)
    many = fitted(lengths, [[1.0] * FEW] * 16 + [[0.0] * FEW] * 16)
    assert single and many
    assert (many.words[0], many.low, many.high) == ("64k", 15, 15)
    assert single.place == 15 and single.low < 15 < single.high


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=6), min_size=1, max_size=6))
def test_whatever_the_scores_the_interval_holds_the_length(scores: list[list[float]]) -> None:
    lengths = [f"{place}k" for place in range(1, len(scores) + 1)]
    found = fitted(lengths, scores)
    assert found is not None
    assert -1 <= found.low <= found.place <= found.high < len(lengths)
    assert list(found.falling) == sorted(found.falling, reverse=True)


# Of answers.


def test_the_order_of_answers_changes_nothing() -> None:
    run = answers(18, 15, 9, 4)
    mixed = run[1::2] + run[::2][::-1]
    assert effective(NIAH, mixed) == effective(NIAH, run)


def test_it_is_the_same_in_every_process() -> None:
    script = (
        "from seqniah_tasks.effective import fitted\n"
        "scores = [[1.0] * n + [0.3] * (30 - n) for n in (28, 25, 20, 9)]\n"
        f"print(fitted({BINS}, scores))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    scores = [[1.0] * n + [0.3] * (30 - n) for n in (28, 25, 20, 9)]
    assert told == {f"{fitted(BINS, scores)}\n"}


def test_epochs_count_by_their_mean() -> None:
    run = answers(20, 20)
    # One sample of each length is asked five times more, and wrong.
    again = [
        one(id=f"{bin}-0", length_bin=bin, correct=False, epoch=epoch)
        for bin in BINS[:2]
        for epoch in range(2, 7)
    ]
    found = effective(NIAH, run + again)
    assert found is not None
    assert found.samples == (20, 20)
    assert found.means == pytest.approx(((19 + 1 / 6) / 20,) * 2)


def test_unscored_answers_and_variants_are_in_no_figure() -> None:
    run = answers(20, 20, 10)
    lost = [one(id=f"lost-{n}", length_bin=BINS[3], correct=None) for n in range(9)]
    noisy = [
        one(id=f"v-{n}", base=f"8k-16k-{n}", noise="rn", variant=1, correct=False) for n in range(9)
    ]
    assert effective(NIAH, run + lost + noisy) == effective(NIAH, run)
    only = effective(NIAH, answers(20, 20) + lost)
    assert only is not None and only.words[0] == "at least 32k"
    assert effective(NIAH, lost) is None
    assert effective(NIAH, [one(length_bin=None)]) is None


def test_stars_count_by_their_mean_score_at_lengths_in_order() -> None:
    shares = {4: 4, 8: 4, 16: 4, 32: 3, 128: 1}
    run = [
        star([1.0] * shares[size] + [0.0] * (4 - shares[size]), thousands=size, id=f"s{size}-{n}")
        for size in (128, 16, 4, 32, 8)
        for n in range(FEW)
    ]
    found = effective(known()["counting-stars"], run)
    assert found is not None
    assert found.lengths == ("4k", "8k", "16k", "32k", "128k")
    assert found.means == (1, 1, 1, 0.75, 0.25)
    assert found.words == ("16k",) * 3


# What is told.


def told(run: list[Record], threshold: float = 0.85) -> tuple[str, Any]:
    """The line of a summary, and the field for scripts."""
    whole = RunRecord(
        model="m", benchmark=NIAH, task="t", version="2", edition="open", tokenizer="t",
        corpus="c", scorer="s", status="success", samples=tuple(run),
    )  # fmt: skip
    said = io.StringIO()
    print_figures(Console(file=said, width=300), whole, threshold=threshold)
    lines = [one for one in said.getvalue().splitlines() if one.startswith("Effective")]
    return " ".join(lines), figures_as_json(whole, threshold)["effective_length"]


def test_the_summary_tells_it_in_a_line() -> None:
    assert told(answers(20, 20, 0, 0))[0] == (
        "Effective length  32k  (longest at which accuracy is at least 85 % of that at 8k-16k; "
        "95 % interval 32k at both ends)"
    )
    line, field = told(answers(20, 15, 5, 0), threshold=0.7)
    assert line.startswith("Effective length  32k  (longest at which accuracy is at least 70 % of ")
    assert field == {
        "length": "32k", "low": "16k", "high": "32k", "threshold": 0.7, "shortest": "8k-16k"
    }  # fmt: skip
    assert line.endswith("; 95 % interval 16k to 32k)")


def test_the_summary_tells_why_there_is_none() -> None:
    line, field = told(answers(5))
    assert line == "Effective length  none  (all scored answers are of one length, 8k-16k)"
    assert (field["length"], field["shortest"]) == (None, "8k-16k")
    assert told(answers(0, 0))[0] == "Effective length  none  (accuracy at 8k-16k is 0)"
    assert told([one(length_bin=None)]) == ("", None)
    assert told([one(correct=None)]) == ("", None)


def made(*runs: list[Record]) -> Section:
    found = section(studied(*runs))
    assert found is not None
    return found


def test_the_report_marks_it_on_the_falling_line() -> None:
    found = made(answers(20, 20, 0, 0, model="falls"), answers(20, 20, 20, 20, model="stays"))
    (figure,) = found.figures
    chart = figure.chart
    assert isinstance(chart, Lines) and chart.level is not None
    assert (chart.places, chart.level.value) == (BINS, 0.85)
    by_run = {line.label: line for line in chart.series}
    assert (by_run["falls"].ringed, by_run["stays"].ringed) == (1, 3)
    assert [point and point.value for point in by_run["falls"].points] == [1, 1, 0, 0]
    assert "falls 32k (32k at both ends)" in figure.told
    drawn = draw(figure).svg.decode()
    assert drawn.count('r="7.5"') == 2
    # Across the chart and in the legend, which names both.
    assert drawn.count('stroke-dasharray="4 3"') == 2
    assert ">85 %<" in drawn and ">effective length<" in drawn
    (table,) = found.tables
    falls = [row for row in table.rows if row[0] == "falls"]
    assert falls[1] == ("falls", "16k-32k", 20, 1.0, 1.0, 1.0)


def test_many_runs_are_rows_of_a_map() -> None:
    found = made(*(answers(20, 20 - n, 5, 0, model=f"m{n}") for n in range(8)))
    chart = found.figures[0].chart
    assert isinstance(chart, Heatmap)
    assert sorted(chart.lines) == [
        *("m0: 32k", "m1: 32k", "m2: 32k", "m3: 32k"),
        *("m4: 16k", "m5: 16k", "m6: 16k", "m7: 16k"),
    ]


def test_the_report_says_of_which_runs_there_is_none() -> None:
    found = made(answers(9, model="one"), answers(0, 0, model="zero"), answers(9, 9, model="two"))
    assert found.notes == (
        "No effective length: one (all scored answers are of one length, 8k-16k); "
        "zero (accuracy at 8k-16k is 0).",
    )
    alone = made(answers(9))
    assert not alone.figures and len(alone.notes) == 1
    assert section(studied([one(correct=None)])) is None


def test_it_stands_in_the_tables_of_runs_of_each_benchmark() -> None:
    sky = [
        star([1, 1] if size < 32 else [0, 0], thousands=size, id=f"s{size}-{n}")
        for size in (8, 16, 32)
        for n in range(FEW)
    ]
    report = building.build({Path("a"): answers(20, 20, 0, 0), Path("b"): sky}, "Both")
    for name, length in (("runs", "32k"), ("stars-runs", "16k")):
        (table,) = [one for one in report.tables if one.name == name]
        (row,) = table.rows
        line = dict(zip([column.name for column in table.columns], row, strict=True))
        ends = [line[f"effective_{one}"] for one in ("length", "low", "high")]
        assert ends == [length] * 3
    assert {"effective-length", "stars-effective-length"} <= set(report.figures)
    lower = building.build({Path("a"): answers(20, 10, 0, 0)}, "One", threshold=0.5)
    (table,) = [one for one in lower.tables if one.name == "runs"]
    assert "32k" in table.rows[0] and "at least 50 % of that" in lower.page


# The commands.


def test_the_commands_take_a_threshold(tmp_path: Path) -> None:
    words = ("summary", "counting-stars.eval", "--json", "--threshold", "0.5")
    done = command_line.run(["seqniah", *words], cwd=OLD, check=True)
    field = json.loads(done.stdout)["effective_length"]
    # Three stars of four at 1k and at 2k, in either language.
    assert (field["length"], field["threshold"]) == ("at least 2k", 0.5)
    out = tmp_path / "report"
    words = ("report", "counting-stars.eval", "--out", str(out), "--threshold", "0.5")
    command_line.run(["seqniah", *words], cwd=OLD, check=True)
    with (out / "tables" / "stars-runs.csv").open(newline="", encoding="utf-8") as file:
        assert {row["effective_length"] for row in csv.DictReader(file)} == {"at least 2k"}
    assert "at least 50 % of that" in (out / "index.html").read_text("utf-8")


def test_it_stands_in_every_row_of_its_run(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    words = ("records", "counting-stars.eval", "sequential-niah.eval", "--out", str(out))
    command_line.run(["seqniah", *words, "--threshold", "0.5"], cwd=OLD, check=True)
    told: dict[str, set[object]] = {}
    for row in map(json.loads, out.read_text("utf-8").splitlines()):
        told.setdefault(row["benchmark"], set()).add(row["effective_length"])
    # The other log's answers are of one length.
    assert told == {"counting-stars": {"at least 2k"}, "sequential-niah": {None}}


@pytest.mark.parametrize("threshold", ["0", "-0.1", "85", "nan"])
@pytest.mark.parametrize("command", ["summary", "report", "records"])
def test_a_threshold_that_is_no_share_is_refused(
    command: str, threshold: str, tmp_path: Path
) -> None:
    out = ("--out", str(tmp_path / "report.csv")) if command != "summary" else ()
    words = (command, "counting-stars.eval", *out, "--threshold", threshold)
    done = command_line.run(["seqniah", *words], cwd=OLD)
    assert done.returncode == 1 and not (tmp_path / "report.csv").exists()
    assert done.stderr == (
        "seqniah: --threshold is a share above 0 and at most 1, "
        f"not {threshold}; the usual one is 0.85.\n"
    )


def test_rows_of_unlike_lengths_share_one_axis() -> None:
    short, long = answers(20, 20, model="short"), rows(FEW, model="long", length_bin=BINS[3])
    found = made(short, [*long, *answers(20, model="long")])
    chart = found.figures[0].chart
    assert isinstance(chart, Lines) and chart.places == (BINS[0], BINS[1], BINS[3])
