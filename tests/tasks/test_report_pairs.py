"""Runs compared in pairs: the test and the interval by hand, the section on small studies."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist, fmean, pstdev

import pytest
from report_rows import one, studied

from seqniah_datasets.rng import stream
from seqniah_tasks.records import Record
from seqniah_tasks.report.pairing import Lack, Pair, Split, holm, mcnemar, pairs
from seqniah_tasks.report.parts import Dots, Point
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections.pairs import section
from seqniah_tasks.shares import bootstrap_interval


def answers(model: str, verdicts: str, first: int = 0, **columns: object) -> list[Record]:
    """Samples by number from `first`: 1 right, 0 wrong, - unscored, a blank not run."""
    known = {"1": True, "0": False, "-": None}
    return [
        one(model=model, id=f"s{number}", correct=known[verdict], **columns)
        for number, verdict in enumerate(verdicts, first)
        if verdict != " "
    ]


def only(study: Study) -> Pair:
    (pair,) = pairs(study.runs)
    return pair


# McNemar's test.


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [
        (0, 0, Fraction(1)),
        (1, 0, Fraction(1)),
        (5, 0, Fraction(2, 32)),
        (3, 1, Fraction(2 * (1 + 4), 16)),
        (1, 3, Fraction(2 * (1 + 4), 16)),
        (8, 2, Fraction(2 * (1 + 10 + 45), 1024)),
        # Both tails hold the middle: no chance is above 1.
        (2, 2, Fraction(1)),
    ],
)
def test_mcnemar_by_hand(only_first: int, only_second: int, p: Fraction) -> None:
    assert mcnemar(only_first, only_second) == float(p)


def test_mcnemar_is_the_binomial_test_of_another_library() -> None:
    from scipy.stats import binomtest

    for only_first, only_second in itertools.product((0, 1, 4, 17, 380, 1000), repeat=2):
        if only_first + only_second:
            expected = binomtest(only_first, only_first + only_second, 0.5).pvalue
            # That library sums floats; its error, not ours, sets the tolerance.
            assert mcnemar(only_first, only_second) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_of_many_samples_neither_overflows_nor_goes_astray() -> None:
    """With counts so high, the distribution is normal but for a continuity correction."""
    p = mcnemar(5_150, 4_850)
    assert p == pytest.approx(2 * NormalDist().cdf(-(300 - 1) / 100), rel=1e-3)
    assert mcnemar(20_000, 3) == 0.0  # below what a float can tell from 0


# Holm's method.


def test_holm_by_hand() -> None:
    # 0.01 * 3, 0.03 * 2, and 0.04 * 1, which may not be below the one before it.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.2, 0.9]) == pytest.approx([1.0, 0.6, 1.0])
    assert holm([0.02, 0.02]) == pytest.approx([0.04, 0.04])
    assert holm([0.3]) == [0.3]
    assert holm([]) == []


# The interval.


def all_resamples(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """The percentiles over every resample there is, each counted."""
    count = len(values)
    means = Counter(sum(drawn) / count for drawn in itertools.product(values, repeat=count))
    ends = []
    for tail in (Fraction(25, 1000), Fraction(975, 1000)):
        reached = 0
        for mean in sorted(means):
            reached += means[mean]
            if Fraction(reached, count**count) >= tail:
                ends.append(mean)
                break
    return ends[0], ends[1]


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ("1 0", 1),
        ("1 -1", 1),
        ("1 0 0 0 -1", 1),
        ("1 1 1 0 0 -1", 1),
        ("0 0 0 0 1 0", 1),
        ("1/2 0 -1/2 1 1", 2),
        ("1/3 1/6 -1 0 1/2", 6),
        ("-1 -1 -1 -1/4", 4),
    ],
)
def test_the_interval_is_that_of_all_resamples(values: str, unit: int) -> None:
    given = [Fraction(value) for value in values.split()]
    expected = [float(end) for end in all_resamples(given)]
    assert bootstrap_interval(map(float, given), unit) == pytest.approx(expected, abs=1e-12)


def test_the_interval_is_what_drawing_tends_to() -> None:
    values = [1] * 120 + [-1] * 60 + [0] * 220
    draws = stream("test of the paired interval")
    means = sorted(fmean(draws.choice(values) for _ in values) for _ in range(2_000))
    # The percentile of 2,000 draws lies within some 0.2 standard errors of the true one.
    slack = 0.2 * pstdev(values) / len(values) ** 0.5
    assert bootstrap_interval(values) == pytest.approx((means[49], means[1949]), abs=slack)


def test_the_interval_of_many_samples_is_nearly_normal() -> None:
    values = [1] * 3_000 + [-1] * 2_400 + [0] * 4_600
    half = 1.96 * pstdev(values) / 100
    low, high = bootstrap_interval(values)
    assert (low, high) == pytest.approx((0.06 - half, 0.06 + half), abs=2e-4)


def test_rounding_odd_epochs_hardly_moves_the_interval() -> None:
    draws = stream("test of rounded epochs")
    values = [draws.below(14) / 13 - draws.below(12) / 11 for _ in range(3_000)]
    exact, rounded = (bootstrap_interval(values, unit) for unit in (143, 720_720))
    assert rounded == pytest.approx(exact, abs=1e-3)


def test_where_all_differ_alike_the_interval_has_no_width() -> None:
    assert bootstrap_interval([0.0] * 9) == (0.0, 0.0)
    assert bootstrap_interval([-1.0] * 9) == (-1.0, -1.0)


# Pairs of runs.


def test_a_pair_counts_who_has_what_right() -> None:
    pair = only(studied(answers("b", "1101000000"), answers("a", "1110110000")))
    assert (pair.first.label, pair.second.label) == ("a", "b")
    assert pair.common.split == Split(both=2, only_first=3, only_second=1, neither=4)
    assert pair.samples == 10
    assert pair.p == 2 * (1 + 4) / 16
    assert pair.p_holm == pair.p
    assert pair.difference is not None
    assert pair.difference.value == pytest.approx(0.2)
    assert pair.difference.of == 10
    assert pair.lacks_first == pair.lacks_second == Lack(0, 0)


def test_runs_are_matched_by_id_and_not_by_place() -> None:
    first, second = answers("a", "1100"), answers("b", "1000")
    pair = only(studied(first, second[::-1]))
    assert pair.common.split == Split(both=1, only_first=1, only_second=0, neither=2)


def test_only_common_samples_count() -> None:
    """Of a, s1 is unscored; b was not asked s4 and s5."""
    pair = only(studied(answers("a", "1-1111"), answers("b", "1110  ")))
    assert pair.samples == 3
    assert pair.common.split == Split(both=2, only_first=1, only_second=0, neither=0)
    assert pair.lacks_first == Lack(not_run=0, unscored=1)
    assert pair.lacks_second == Lack(not_run=2, unscored=0)
    assert pair.difference is not None
    assert pair.difference.value == pytest.approx(1 / 3)


def test_epochs_of_a_sample_are_one_sample() -> None:
    """a: s0 right in 1 of 2, s1 in 1 of 3; b: wrong in both."""
    epochs = [answers("a", verdicts, epoch=n) for n, verdicts in enumerate(("11", "00", "-0"), 1)]
    study = studied([row for epoch in epochs for row in epoch], answers("b", "00"))
    pair = only(study)
    # Half is enough, a third is not.
    assert pair.common.split == Split(both=0, only_first=1, only_second=0, neither=1)
    assert pair.difference is not None
    assert pair.difference.value == pytest.approx((1 / 2 + 1 / 3) / 2)
    # Of two samples, each is the whole resample once in four.
    assert pair.difference.low == pytest.approx(1 / 3)
    assert pair.difference.high == pytest.approx(1 / 2)


def test_of_a_single_sample_there_is_no_interval() -> None:
    assert only(studied(answers("a", "1"), answers("b", "0"))).difference == Point(1.0, of=1)


def test_up_to_five_runs_are_compared_each_with_each() -> None:
    study = studied(*(answers(name, "1" * n + "0" * (9 - n)) for n, name in enumerate("abcde")))
    found = [(pair.first.label, pair.second.label) for pair in pairs(study.runs)]
    assert found == list(itertools.combinations("edcba", 2))


def test_more_runs_are_compared_with_the_most_accurate_that_shares_samples() -> None:
    """f is best, but was run on other samples, as was e."""
    files = [answers(name, "1" * n + "0" * (9 - n)) for n, name in enumerate("abcd")]
    files += [answers("e", "10", first=100), answers("f", "11", first=100)]
    files += [answers("g", "0" * 9), answers("h", "10", first=500)]
    study = studied(*files)
    assert [run.label for run in study.runs] == ["f", "e", "h", "d", "c", "b", "a", "g"]
    found = [(pair.first.label, pair.second.label, pair.samples) for pair in pairs(study.runs)]
    assert found == [
        ("f", "e", 2),
        ("f", "h", 0),
        ("f", "d", 0),
        ("d", "c", 9),
        ("d", "b", 9),
        ("d", "a", 9),
        ("d", "g", 9),
    ]


def test_holm_allows_for_the_pairs_that_are_compared_alone() -> None:
    study = studied(answers("a", "111111"), answers("b", "000000"), answers("c", "0" * 9, first=50))
    tested = {(pair.first.label, pair.second.label): pair for pair in pairs(study.runs)}
    assert tested["a", "b"].p == tested["a", "b"].p_holm == 2 / 64
    assert tested["a", "c"].samples == 0
    assert tested["a", "c"].difference is None


# The section.


def test_a_single_run_has_no_such_section() -> None:
    assert section(studied(answers("a", "10"))) is None


def test_the_section_shows_and_lists_every_pair() -> None:
    found = section(
        studied(answers("a", "1111111100"), answers("b", "1110000000"), answers("c", "0110000000"))
    )
    assert found is not None
    (figure,), (table,) = found.figures, found.tables
    assert isinstance(figure.chart, Dots)
    assert figure.chart.zero
    assert [row.label for row in figure.chart.rows] == ["a vs b", "a vs c", "b vs c"]
    names = [column.name for column in table.columns]
    lines = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert [line["difference"] for line in lines] == pytest.approx([0.5, 0.6, 0.1])
    assert [line["only_first"] for line in lines] == [5, 6, 1]
    # 2 / 2^5, 2 / 2^6 and 1; adjusted: the least by 3, the next by 2.
    assert [line["p"] for line in lines] == [0.0625, 0.03125, 1.0]
    assert [line["p_holm"] for line in lines] == [0.125, 0.09375, 1.0]
    for line, row in zip(lines, figure.chart.rows, strict=True):
        point = row.point
        assert point is not None
        assert (line["difference"], line["low"], line["high"]) == (
            point.value,
            point.low,
            point.high,
        )
    assert "60.0 points, a above c" in figure.told
    assert "0 of 3 pairs differ" in figure.told
    assert not found.notes


def test_the_axis_holds_all_intervals_and_zero() -> None:
    found = section(studied(answers("a", "1" * 40 + "0" * 60), answers("b", "0" * 40 + "1" * 35)))
    assert found is not None
    chart = found.figures[0].chart
    assert isinstance(chart, Dots)
    point = chart.rows[0].point
    assert point is not None
    assert point.low is not None
    assert point.high is not None
    assert chart.axis.high is not None
    assert chart.axis.low <= point.low < 0 < point.high <= chart.axis.high


def test_the_text_names_the_better_one_whoever_comes_first() -> None:
    """Over all its samples a is better; on the common ones b is."""
    found = section(studied(answers("a", "0111"), answers("b", "10")))
    assert found is not None
    (row,) = found.tables[0].rows
    assert row[:3] == ("a", "b", 2)
    assert row[7] == 0.0
    found = section(studied(answers("a", "00111111"), answers("b", "10 ")))
    assert found is not None
    assert "50.0 points, b above a" in found.figures[0].told
    assert "McNemar's p is 1.000" in found.figures[0].told


def test_differing_samples_are_told_with_their_numbers() -> None:
    found = section(studied(answers("a", "1-111111"), answers("b", "1110    ")))
    assert found is not None
    assert found.notes == (
        "a and b differ in their samples: 3 are compared; a has 4 more (4 not run by the other); "
        "b has 1 more (1 unscored there).",
    )


def test_runs_without_common_samples_are_told_with_the_reason() -> None:
    found = section(
        studied(
            answers("a", "11", tokenizer="cl100k"), answers("b", "10", first=7, tokenizer="o200k")
        )
    )
    assert found is not None
    assert not found.figures
    assert not found.tables
    assert found.notes == (
        "a and b have no scored sample in common and are not compared. "
        "The runs differ in tokenizer: cl100k, o200k.",
    )


def test_another_judge_is_told_even_where_the_samples_are_the_same() -> None:
    found = section(
        studied(answers("a", "11", judge="rules 7"), answers("b", "10", judge="cascade x"))
    )
    assert found is not None
    (note,) = found.notes
    assert "The runs differ in judge: cascade x, rules 7." in note


def test_epochs_are_told() -> None:
    both = answers("a", "11"), answers("a", "10", epoch=2)
    found = section(studied([*both[0], *both[1]], answers("b", "10")))
    assert found is not None
    assert any("at least half" in note for note in found.notes)


def test_runs_without_any_verdict_are_no_error() -> None:
    found = section(studied(answers("a", "--"), answers("b", "--")))
    assert found is not None
    assert not found.tables


def test_of_many_runs_the_best_that_has_scored_the_same_is_the_other() -> None:
    # The best one has answered the last one's sample too, but without a verdict.
    best = answers("m0", "1111-")
    others = [answers(f"m{number}", "1" * (5 - number) + "0" * number) for number in (1, 2, 3, 4)]
    last = answers("m5", "0", first=4)
    found = pairs(studied(best, *others, last).runs)
    assert [(pair.first.label, pair.second.label) for pair in found][-1] == ("m1", "m5")
    assert found[-1].samples == 1


def test_odd_numbers_of_epochs_lose_nothing() -> None:
    # 1 / 49 times 49 is not quite 1.
    assert bootstrap_interval([1 / 49] * 3, 49) == pytest.approx((1 / 49, 1 / 49))
    # Asked once by the first and three times by the second, so in steps of a third.
    ours = answers("a", "111")
    theirs = [
        row
        for epoch, verdicts in ((1, "101"), (2, "011"), (3, "011"))
        for row in answers("b", verdicts, epoch=epoch)
    ]
    difference = only(studied(ours, theirs)).difference
    # Of the samples 2/3, 1/3 and 0; of their 27 resamples one in 27 is the least and the most.
    assert difference is not None
    assert (difference.value, difference.low, difference.high) == pytest.approx((1 / 3, 0, 2 / 3))


def test_of_many_runs_each_is_compared_with_one_that_shares_most_of_its_samples() -> None:
    tiny = [answers("tiny", "1")]
    whole = [answers(f"m{number}", "1" * (9 - number) + "0" * number) for number in range(1, 6)]
    found = pairs(studied(*tiny, *whole).runs)
    assert [(pair.first.label, pair.second.label, pair.samples) for pair in found] == [
        ("tiny", "m1", 1), ("m1", "m2", 9), ("m1", "m3", 9), ("m1", "m4", 9), ("m1", "m5", 9),
    ]  # fmt: skip
