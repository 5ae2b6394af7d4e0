"""Runs of Counting-Stars in pairs: the permutation test by brute force, the section, the page."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from report_rows import one, star, studied

from seqniah_datasets.rng import stream
from seqniah_tasks.records import Record
from seqniah_tasks.report import building, files
from seqniah_tasks.report.pairing import Lack, Pair, Split, holm, mcnemar, pairs
from seqniah_tasks.report.parts import Dots, Section
from seqniah_tasks.report.runs import Study
from seqniah_tasks.report.sections import made
from seqniah_tasks.report.sections.pairs import section
from seqniah_tasks.shares import sign_flips

# The permutation test.


def by_brute_force(values: Sequence[Fraction]) -> Fraction:
    """How many of all choices of signs give a sum as far from 0 or farther, each tried."""
    given = abs(sum(values))
    signs = list(itertools.product((1, -1), repeat=len(values)))
    reach = sum(
        abs(sum(sign * value for sign, value in zip(chosen, values, strict=True))) >= given
        for chosen in signs
    )
    return Fraction(reach, len(signs))


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ("1", 1),
        ("1 1 1 1 1", 1),
        ("1 1 1 -1 0", 1),
        ("1/2 -1/2", 2),
        ("0 0 0", 1),
        # Sums that are equal as shares are not equal as sums of floats.
        ("1/10 2/10 -3/10", 10),
        ("1/30 2/30 -3/30 1/30", 30),
        ("1/3 1/3 1/3 -1 1/6", 6),
        ("7/32 -1/128 3/32 0 1 -1/4 1/2 5/128", 128),
        ("1/7 2/11 -3/13 1/5 1/3 1/2", 30_030),
    ],
)
def test_p_is_that_of_all_signs(values: str, unit: int) -> None:
    given = [Fraction(value) for value in values.split()]
    expected = float(by_brute_force(given))
    assert sign_flips(map(float, given), unit) == expected
    # Steps finer than need be change nothing, nor does the other sign or another order.
    assert sign_flips(map(float, given), 12 * unit) == expected
    assert sign_flips([-float(value) for value in reversed(given)], unit) == expected


def test_p_of_shares_by_chance_is_that_of_all_signs() -> None:
    draws = stream("test of sign flips")
    for stars in (5, 6, 30, 32):
        for count in (2, 7, 11):
            given = [
                Fraction(draws.below(stars + 1), stars) - Fraction(draws.below(stars + 1), stars)
                for _ in range(count)
            ]
            assert sign_flips(map(float, given), stars) == float(by_brute_force(given))


def test_of_differences_of_one_size_it_is_mcnemars_test() -> None:
    for ups, downs in itertools.product((0, 1, 4, 17, 300), repeat=2):
        given = [0.25] * ups + [-0.25] * downs + [0.0] * 9
        assert sign_flips(given, 4) == pytest.approx(mcnemar(ups, downs), rel=1e-12)


def test_p_of_many_samples_is_nearly_normal() -> None:
    draws = stream("test of many sign flips")
    given = [(draws.below(33) - draws.below(30)) / 32 for _ in range(1_500)]
    spread = sum(value * value for value in given) ** 0.5
    # Half a step of 2 / 32 on either side is what whole steps leave out.
    far = (abs(sum(given)) - 1 / 32) / spread
    assert 1 < far < 6
    assert sign_flips(given, 32) == pytest.approx(2 * NormalDist().cdf(-far), rel=2e-2)


def test_units_that_are_too_fine_are_rounded_and_hardly_matter() -> None:
    draws = stream("test of fine units")
    given = [draws.below(33) / 32 - draws.below(30) / 32 for _ in range(300)]
    odd = [value + draws.random() * 1e-7 for value in given]
    assert sign_flips(odd, 10**30) == pytest.approx(sign_flips(given, 32), rel=5e-2)
    assert sign_flips([-value for value in odd], 10**30) == sign_flips(odd, 10**30)


# Pairs of runs.


def answers(model: str, lists: str, first: int = 1, **columns: Any) -> list[Record]:
    """Samples by number from `first`: their stars, 1 found, 0 not, h with a mistaken number
    beside it, q that number alone; - is an unscored answer, x one that was not asked for.
    """
    known = {"1": 1.0, "h": 0.5, "q": 0.25, "0": 0.0}
    return [
        star(
            None if signs == "-" else [known[sign] for sign in signs],
            model=model,
            id=f"s{number}",
            thousands=number,
            **columns,
        )
        for number, signs in enumerate(lists.split(), first)
        if signs != "x"
    ]


def only(study: Study) -> Pair:
    (pair,) = pairs(study.runs)
    return pair


def value(pair: Pair) -> float:
    assert pair.difference
    return pair.difference.value


def test_a_pair_has_its_difference_p_and_stars() -> None:
    pair = only(studied(answers("b", "1000 0110 0000"), answers("a", "1110 1110 0001")))
    assert (pair.first.label, pair.second.label, pair.samples) == ("a", "b", 3)
    # Of the three samples: 2/4, 1/4 and 1/4.
    assert value(pair) == pytest.approx(1 / 3)
    assert pair.p == pair.p_holm == 2 / 8
    assert pair.common.split == Split(both=3, only_first=4, only_second=0, neither=5)


def test_the_interval_is_that_of_all_resamples() -> None:
    pair = only(studied(answers("a", "1111 1100 1000 1110"), answers("b", "1000 1100 1100 0000")))
    each = [3 / 4, 0, -1 / 4, 3 / 4]
    means = sorted(sum(drawn) / 4 for drawn in itertools.product(each, repeat=4))
    # The least value at or below which there are 2.5 % of the 256 resamples, and 97.5 %.
    assert pair.difference
    assert (pair.difference.low, pair.difference.high) == pytest.approx((means[6], means[249]))


def test_turned_about_a_pair_has_the_opposite_difference_and_the_same_p() -> None:
    """Samples that a alone has make it the worse one over all, and so the second."""
    ours, theirs = answers("a", "1111 1100 1000 11h0"), answers("b", "1000 1110 1q00 0000")
    one_way = only(studied(ours, theirs))
    turned = only(studied([*ours, *answers("a", "0000 " * 9, first=40)], theirs))
    assert (one_way.first.label, turned.first.label) == ("a", "b")
    assert value(turned) == -value(one_way)
    assert turned.p == one_way.p < 1
    assert one_way.difference and one_way.difference.low is not None
    assert turned.difference and turned.difference.high == pytest.approx(-one_way.difference.low)
    split = one_way.common.split
    assert turned.common.split == Split(
        split.both, split.only_second, split.only_first, split.neither
    )


def test_runs_that_are_alike_do_not_differ() -> None:
    pair = only(studied(answers("a", "1010 1h0q 0000"), answers("b", "1010 1h0q 0000")))
    assert (value(pair), pair.p) == (0, 1)
    assert (pair.common.split.only_first, pair.common.split.only_second) == (0, 0)


def test_a_run_beside_itself_asked_twice_does_not_differ() -> None:
    lists = "1010 1h0q 0000 110"
    twice = [*answers("b", lists), *answers("b", lists, epoch=2)]
    pair = only(studied(answers("a", lists), twice))
    assert (pair.samples, value(pair), pair.p) == (4, 0, 1)
    assert (pair.common.split.only_first, pair.common.split.only_second) == (0, 0)


def test_epochs_count_by_their_mean() -> None:
    """Of a, the stars of s1 have 3/3, 2/3, 1/3 and 0; s2 has one scored answer."""
    thrice = zip(("1110", "1100", "1000"), ("-", "1100", "-"), (1, 2, 3), strict=True)
    ours = [row for one, two, epoch in thrice for row in answers("a", f"{one} {two}", epoch=epoch)]
    pair = only(studied(ours, answers("b", "1010 0000")))
    # 2/4 minus 2/4, and 2/4 minus 0.
    assert (pair.samples, value(pair), pair.p) == (2, pytest.approx(1 / 4), 1)
    assert pair.common.split == Split(both=1, only_first=3, only_second=1, neither=3)


def test_epochs_in_thirds_are_equal_where_they_are_equal_as_shares() -> None:
    """The means differ by 1/12, 2/12 and -3/12, which are 0 together, though not as floats."""
    theirs = answers("b", "0000 0000 1000")
    means = (("1000", "0000", "0000"), ("1000", "1000", "0000"), ("0000",) * 3)
    ours = [
        row
        for number, lists in enumerate(means, 1)
        for epoch, signs in enumerate(lists, 1)
        for row in answers("a", signs, first=number, epoch=epoch)
    ]
    pair = only(studied(ours, theirs))
    assert value(pair) == pytest.approx(0, abs=1e-15)
    assert pair.p == 1


def test_a_mistaken_number_alone_finds_no_star() -> None:
    pair = only(studied(answers("a", "1hq0"), answers("b", "0000")))
    assert pair.common.split == Split(both=0, only_first=2, only_second=0, neither=2)


def test_what_one_lacks_or_has_unscored_is_counted_and_not_compared() -> None:
    pair = only(studied(answers("a", "11 - 11 11 11"), answers("b", "10 11 01 x x")))
    assert pair.samples == 2
    assert pair.lacks_first == Lack(not_run=0, unscored=1)
    assert pair.lacks_second == Lack(not_run=2, unscored=0)
    assert value(pair) == pytest.approx(1 / 2)


def test_samples_that_do_not_overlap_are_compared_by_nothing() -> None:
    study = studied(answers("a", "11 10"), answers("b", "10 00", first=9))
    pair = only(study)
    assert (pair.samples, pair.difference, pair.p) == (0, None, 1)
    found = section(study)
    assert found and not found.figures and not found.tables
    assert found.lead == "No two runs have a scored sample in common."
    assert found.notes == ("a and b have no scored sample in common and are not compared.",)


def test_sums_have_a_score_and_no_stars() -> None:
    ours, theirs = (
        [
            star(None, model=model, id=str(number), ask="sum", score=score, needles=3)
            for number, score in enumerate(scores)
        ]
        for model, scores in (("a", (1.0, 1.0, 0.0)), ("b", (0.0, 1.0, 0.0)))
    )
    study = studied(ours, theirs)
    assert value(only(study)) == pytest.approx(1 / 3)
    found = section(study)
    assert found
    (line,) = _lines(found)
    assert (line["samples"], line["p"]) == (3, 1)
    assert [line[name] for name in STARS_COUNTED] == [None] * 4


# Which runs are compared.

STARS_COUNTED = ("both_found", "only_first", "only_second", "neither_found")


def _lines(found: Section) -> list[dict[str, Any]]:
    (table,) = found.tables
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _rows(found: Section) -> list[str]:
    chart = found.figures[0].chart
    assert isinstance(chart, Dots) and chart.zero
    return [row.label for row in chart.rows]


def test_only_runs_that_were_asked_alike_are_compared() -> None:
    """Though all of them have the same ids."""
    found = section(
        studied(
            answers("a", "11 10"),
            answers("b", "10 10"),
            answers("a", "11 00", setup="reasoning"),
            answers("c", "10 00", setup="reasoning"),
            answers("d", "11 00", edition="2-2"),
            answers("e", "11 00", tokenizer="o200k_base"),
        )
    )
    assert found
    assert sorted((line["first"], line["second"]) for line in _lines(found)) == [
        ("a (reasoning)", "c (reasoning)"),
        ("a (searching)", "b (searching)"),
    ]
    assert sorted(_rows(found)) == ["a vs b (searching)", "a vs c (reasoning)"]
    assert found.notes == (
        "Compared with no other, since none was asked alike: d (searching), e (searching).",
    )


def test_what_all_runs_of_the_chart_share_is_not_in_their_names() -> None:
    found = section(studied(answers("a", "11"), answers("a", "10"), answers("b", "00")))
    assert found
    assert _rows(found) == ["a (1.eval) vs a (2.eval)", "a (1.eval) vs b", "a (2.eval) vs b"]
    lone = answers("a", "11", setup="reasoning")
    found = section(studied(answers("a", "11"), answers("a", "10"), answers("b", "00"), lone))
    assert found
    assert _rows(found) == ["a (1.eval) vs a (2.eval)", "a (1.eval) vs b", "a (2.eval) vs b"]
    assert _lines(found)[0]["first"] == "a (searching) (1.eval)"


@pytest.mark.parametrize("setups", [("",), ("", "reasoning")])
def test_without_two_runs_asked_alike_there_is_no_section(setups: tuple[str, ...]) -> None:
    study = studied(*(answers("a", "11 10", setup=setup) for setup in setups))
    assert section(study) is None
    assert "stars-pairs" not in [one.name for one in made(study)]


def test_of_many_runs_asked_alike_each_is_compared_with_the_best() -> None:
    many = [answers(f"m{number}", "1" * (6 - number) + "0" * number) for number in range(6)]
    few = [answers(name, "11 10", setup="reasoning") for name in "xy"]
    found = section(studied(*many, *few))
    assert found
    assert sorted(line["first"] for line in _lines(found)) == [
        *["m0 (searching)"] * 5,
        "x (reasoning)",
    ]
    assert any("Of more than 5 runs that were asked alike, " in note for note in found.notes)
    fewer = section(studied(*many[:5], *few))
    assert fewer and not fewer.notes and len(_lines(fewer)) == 10 + 1


def test_holm_allows_for_all_pairs_of_all_tests() -> None:
    ones, noughts = "1 " * 7, "0 " * 7
    found = section(
        studied(
            answers("a", ones),
            answers("b", noughts),
            answers("a", ones, setup="reasoning"),
            answers("b", "1 " * 2 + "0 " * 5, setup="reasoning"),
            answers("c", "1", first=90),
        )
    )
    assert found
    by_second = {line["second"]: line for line in _lines(found)}
    assert by_second["b (searching)"]["p"] == 2 / 2**7
    assert by_second["b (reasoning)"]["p"] == 2 / 2**5
    # c shares no sample with any, and is no test.
    expected = holm([2 / 2**7, 2 / 2**5])
    assert [by_second[f"b ({task})"]["p_holm"] for task in ("searching", "reasoning")] == expected


# What is told.


def test_the_largest_difference_is_told_with_the_better_one_first() -> None:
    found = section(studied(answers("a", "111111 000000"), answers("b", "100000 100000")))
    assert found
    # 5/6 and -1/6 on two samples.
    assert found.figures[0].told == (
        "The largest difference is 33.3 points, a above b. The permutation test's p is 1.000."
    )
    alike = section(studied(answers("a", "10"), answers("b", "10")))
    assert alike
    assert alike.figures[0].told.startswith("No pair differs in mean score. ")


def test_differing_samples_and_epochs_are_told() -> None:
    ours = [*answers("a", "11 - 11 11"), *answers("a", "11 - 11 11", epoch=2)]
    found = section(studied(ours, answers("b", "10 11 10")))
    assert found
    samples, epochs = found.notes
    assert samples == (
        "a and b differ in their samples: 2 are compared; a has 1 more (1 not run by the other); "
        "b has 1 more (1 unscored there)."
    )
    assert "take the mean" in epochs


def test_the_page_and_its_files_show_the_pair(tmp_path: Path) -> None:
    stars_of = {
        Path("a.eval"): answers("a", "1111 1110 1100 1111 1111"),
        Path("b.eval"): answers("b", "1000 1100 1100 1000 0001"),
        Path("c.eval"): [one(model="a")],
        Path("d.eval"): [one(model="b", correct=False)],
    }
    made_of = building.build(stars_of, "Stars")
    start = made_of.page.index('<section id="stars-pairs"')
    part = made_of.page[start : made_of.page.index("</section>", start)]
    assert "Counting-Stars: runs compared on the same samples" in part
    # (3 + 1 + 0 + 3 + 3) / 4 / 5, and 2 of the 16 choices of signs.
    assert "a vs b: +50.0 points (" in part and "McNemar" not in part
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", part)
    assert "0.125" in cells and "50.0 %" in cells
    files.write(tmp_path / "out", made_of.page, made_of.figures, made_of.tables)
    folder = tmp_path / "out"
    assert (folder / "figures" / "stars-paired-differences.svg").stat().st_size > 0
    with (folder / "tables" / "stars-pairs.csv").open(encoding="utf-8") as file:
        (line,) = csv.DictReader(file)
    assert (line["first"], line["second"], line["samples"]) == ("a", "b", "5")
    assert (float(line["difference"]), float(line["p"])) == (0.5, 0.125)
    assert [line[name] for name in STARS_COUNTED] == ["7", "10", "0", "3"]
    with (folder / "tables" / "pairs.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 1
