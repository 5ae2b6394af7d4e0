"""The figures of the noise suite, by hand and against the paper's Table 5."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import NormalDist, pstdev, stdev

import pytest

from seqniah_datasets import rng
from seqniah_datasets.schema import NoiseType
from seqniah_scorers.noise import VARIANTS, Outcome, by_group, figures

TM, SM, RO, SN = NoiseType
SETS = [(None, 0), *((noise, n) for noise in NoiseType for n in range(1, VARIANTS + 1))]


def suite(rows: dict[str, Sequence[bool | None]]) -> list[Outcome]:
    """Outcomes of base samples, each given by its sets: original, tm 1, tm 2, tm 3, sm 1 ..."""
    return [
        Outcome(base, noise, n, correct)
        for base, row in rows.items()
        for (noise, n), correct in zip(SETS, row, strict=False)
    ]


def drawn(key: int, bases: int, chances: Sequence[float]) -> list[Outcome]:
    """Independent outcomes, right with a chance for each set."""
    draw = rng.stream("noise figures", key).random
    return suite({f"s{n:03}": [draw() < chance for chance in chances] for n in range(bases)})


def test_four_base_samples_by_hand() -> None:
    found = figures(
        suite(
            {
                "a": [True, True, True, True],
                "b": [True, True, False, True],
                "c": [False, False, False, False],
                "d": [False, True, False, False],
            }
        ),
        [TM],
    )
    line = found.types[0]
    assert found.reference.value == 0.5
    assert line.accuracy.value == pytest.approx((0.5 + 0.75 + 0.25 + 0.5) / 4)
    # Deviations from the mean 0.5: 0, 0.25, -0.25, 0; divided by three, not by four.
    assert line.spread.value == pytest.approx(math.sqrt(0.125 / 3))
    assert line.agreement.value == 0.5
    assert (line.right.value, line.wrong.value) == (0.25, 0.25)
    assert (line.sets, line.bases, line.complete, line.unscored, line.missing) == (4, 4, 4, 0, 0)
    assert found.all.accuracy == line.accuracy


def test_all_is_over_the_original_and_every_variant() -> None:
    always, fickle = [True] * 13, [True] * 12 + [False]
    found = figures(suite({"a": always, "b": fickle}))
    assert [line.noise for line in found.types] == [TM, SM, RO, SN]
    assert [line.agreement.value for line in found.types] == [1, 1, 1, 0.5]
    assert found.all.agreement.value == found.all.right.value == 0.5
    assert found.all.accuracy.value == pytest.approx(25 / 26)
    assert found.all.spread.value == pytest.approx(stdev([1.0] * 12 + [0.5]))
    assert found.all.sets == found.all.sets_wanted == 13


def test_an_original_that_differs_from_all_its_variants_is_no_agreement() -> None:
    line = figures(suite({"a": [False, True, True, True]}), [TM]).types[0]
    assert (line.agreement.value, line.right.value, line.wrong.value) == (0, 0, 0)


def test_unscored_and_missing_samples_are_counted_and_left_out() -> None:
    rows: dict[str, Sequence[bool | None]] = {
        "whole": [True] * 13,
        "unscored": [True, None, *[True] * 11],
        "cut short": [False, True],
        "nothing": [None] * 13,
    }
    found = figures(suite(rows))
    tm, sm = found.types[:2]
    assert (found.bases, found.reference_of, tm.bases) == (4, 3, 3)
    assert found.reference.value == pytest.approx(2 / 3)
    # Sets of TM: 2 of 3 right, 2 of 2, 2 of 2, 2 of 2.
    assert tm.accuracy.value == pytest.approx((2 / 3 + 1 + 1 + 1) / 4)
    assert (tm.complete, tm.agreement.value, tm.unscored, tm.missing) == (1, 1, 5, 2)
    assert (sm.complete, sm.agreement.value, sm.unscored, sm.missing) == (2, 1, 4, 3)
    assert (found.all.complete, found.all.unscored, found.all.missing) == (1, 14, 11)


def test_a_run_without_a_type_says_so_and_has_no_agreement_over_all() -> None:
    found = figures(suite({"a": [True] * 4, "b": [False] * 4}))
    assert (found.types[0].sets, found.types[3].sets, found.all.sets) == (4, 1, 4)
    assert found.types[0].agreement.value == 1
    assert found.types[3].accuracy.value == 0.5
    for figure in (found.types[3].spread, found.types[3].agreement, found.all.agreement):
        assert math.isnan(figure.value)
        assert math.isnan(figure.low)


@pytest.mark.parametrize("rows", [{}, {"a": [None] * 13}], ids=["nothing run", "nothing scored"])
def test_nothing_is_not_a_number(rows: dict[str, Sequence[bool | None]]) -> None:
    found = figures(suite(rows))
    lines = [*found.types, found.all]
    parts = [part for one in lines for part in (one.accuracy, one.spread, one.agreement)]
    for part in (found.reference, *parts, *(one.wrong for one in lines)):
        assert all(math.isnan(value) for value in (part.value, part.low, part.high))
    assert found.all.bases == found.all.sets == 0


def test_a_single_base_sample_has_figures_and_no_intervals() -> None:
    line = figures(suite({"a": [True] * 13})).all
    assert (line.accuracy.value, line.spread.value, line.agreement.value) == (1, 0, 1)
    assert all(math.isnan(part.low) for part in (line.accuracy, line.spread, line.agreement))


def test_the_order_of_outcomes_is_of_no_account() -> None:
    outcomes = drawn(1, 40, [0.5] * 13)
    assert figures(outcomes) == figures(rng.stream("any order").shuffled(outcomes))


@pytest.mark.parametrize("of", [50, 200])
def test_the_interval_of_a_share_is_as_wide_as_the_normal_one(of: int) -> None:
    right = of * 3 // 10
    found = figures(suite({f"{n:03}": [n < right] for n in range(of)})).reference
    half = NormalDist().inv_cdf(0.975) * math.sqrt(0.3 * 0.7 / of)
    # Off by a step of one sample, and by what 2,000 resamples do not settle.
    assert found.low == pytest.approx(0.3 - half, abs=1 / of + 0.008)
    assert found.high == pytest.approx(0.3 + half, abs=1 / of + 0.008)


def test_base_samples_are_drawn_whole() -> None:
    # Each base sample is all right or all wrong: thirteen sets know no more than one, and they
    # never differ. Drawing single samples would give a narrower accuracy and a spread.
    found = figures(suite({f"{n:03}": [n < 90] * 13 for n in range(200)}))
    assert found.all.accuracy.low == pytest.approx(found.reference.low)
    assert found.all.accuracy.high == pytest.approx(found.reference.high)
    assert found.all.spread.high == pytest.approx(0, abs=1e-12)
    assert found.all.agreement.low == 1


def test_a_spread_by_chance_alone_reaches_to_0_and_a_true_one_does_not() -> None:
    runs = 20
    for sets, chances in ((4, [0.5] * 4), (13, [0.5] * 13)):
        lines = [figures(drawn(n, 100, chances)).all for n in range(runs)]
        assert all(line.sets == sets and line.spread.value > 0 for line in lines)
        # At 95 % one or two of twenty may miss; the plain percentiles would miss nearly all.
        assert sum(line.spread.low == 0 for line in lines) >= runs - 2
        assert all(line.spread.low <= line.spread.value <= line.spread.high for line in lines)
    chances = [0.9, *[0.5] * 3]
    lines = [figures(drawn(n, 100, chances), [TM]).types[0] for n in range(runs)]
    assert all(line.spread.low > 0 for line in lines)
    held = sum(line.spread.low <= stdev(chances) <= line.spread.high for line in lines)
    assert held >= runs - 2


def test_groups_are_the_figures_of_their_part() -> None:
    outcomes = drawn(7, 30, [0.6] * 13)
    group = {one.base: "odd" if int(one.base[1:]) % 2 else "even" for one in outcomes}
    found = by_group(outcomes, group)
    assert list(found) == ["even", "odd"]
    assert found["odd"] == figures([one for one in outcomes if group[one.base] == "odd"])
    assert found == by_group(outcomes, lambda base: group[base])
    assert found["even"].bases + found["odd"].bases == 30


@pytest.mark.parametrize(("noise", "variant"), [(None, 1), (TM, 0), (TM, VARIANTS + 1)])
def test_a_variant_that_is_none_is_refused(noise: NoiseType | None, variant: int) -> None:
    with pytest.raises(ValueError, match="originals are 0, variants 1 to 3"):
        Outcome("a", noise, variant, True)


def test_two_outcomes_of_a_sample_are_refused() -> None:
    twice = [Outcome("a", TM, 2, True), Outcome("a", TM, 2, True)]
    with pytest.raises(ValueError, match="a has two outcomes of tm 2"):
        figures(twice)


# Table 5 of the paper, second version: percentages over 200 base samples.
REFERENCE = {"Gemini-1.5": 62.50, "Qwen-2.5": 51.50, "LLaMA-3.3": 38.00}
ACCURACY = {
    "Gemini-1.5": (65.00, 63.12, 64.12, 53.88, 61.31),
    "Qwen-2.5": (48.50, 48.25, 48.00, 43.00, 45.88),
    "LLaMA-3.3": (38.00, 36.50, 42.00, 29.88, 36.27),
}
SPREAD = {
    "Gemini-1.5": (2.55, 1.89, 1.80, 7.36, 6.58),
    "Qwen-2.5": (2.00, 2.25, 2.68, 6.10, 3.73),
    "LLaMA-3.3": (0.71, 2.38, 2.92, 5.78, 6.07),
}
BASES = 200


def prints(value: float, printed: float) -> bool:
    """Whether a value rounds to what is printed; halves either way, as the two versions do."""
    return abs(value - printed) <= 0.005 + 1e-9


def spread_of(counts: Sequence[int], beside: int = 1) -> float:
    """`stdev` of whole numbers, and `pstdev` with 0 beside, in a tenth of their time."""
    size = len(counts)
    squares = size * sum(count * count for count in counts) - sum(counts) ** 2
    return math.sqrt(squares / (size * (size - beside)))


def triples(reference: int, accuracy: float) -> Iterator[tuple[int, int, int]]:
    """Right answers of three variant sets, rising, whose mean with the original's is as printed."""
    for total in range(3 * BASES + 1):
        if prints((reference + total) / 8, accuracy):
            for low in range(min(total // 3, BASES) + 1):
                for middle in range(low, (total - low) // 2 + 1):
                    if (high := total - low - middle) <= BASES:
                        yield low, middle, high


@cache
def solutions(model: str) -> list[list[tuple[int, int, int]]]:
    """For each type, the triples with the printed mean and sample standard deviation."""
    reference = round(REFERENCE[model] * 2)
    return [
        [
            found
            for found in triples(reference, accuracy)
            if prints(spread_of((reference, *found)) / 2, spread)
        ]
        for accuracy, spread in zip(ACCURACY[model][:4], SPREAD[model][:4], strict=True)
    ]


def test_the_spread_of_whole_numbers_is_that_of_the_library() -> None:
    for counts in ((125, 130, 127), (0, 0, 200, 7), (1, 1, 1)):
        assert spread_of(counts) == pytest.approx(stdev(counts))
        assert spread_of(counts, 0) == pytest.approx(pstdev(counts))


def answered(counts: Sequence[int]) -> list[Outcome]:
    """A run of 200 base samples with so many right answers in each set."""
    return suite({f"{n:03}": [n < right for right in counts] for n in range(BASES)})


@pytest.mark.parametrize("model", REFERENCE)
def test_table_5_follows_from_whole_numbers_of_right_answers(model: str) -> None:
    """All fifteen cells of each kind are conclusive.

    A printed Acc. of four sets fixes the number of right answers, since a step is 0.125 points. So
    the total of all thirteen sets is fixed as well, and its Acc. under "All" is no free choice, nor
    is the standard deviation but for the few triples that a type allows.
    """
    candidates = solutions(model)
    assert all(candidates)
    wholes = [
        (round(REFERENCE[model] * 2), *itertools.chain(*chosen))
        for chosen in itertools.product(*candidates)
    ]
    fitting = [whole for whole in wholes if prints(spread_of(whole) / 2, SPREAD[model][4])]
    assert fitting
    found = figures(answered(fitting[0]))
    assert prints(100 * found.reference.value, REFERENCE[model])
    for line, accuracy, spread in zip(
        (*found.types, found.all), ACCURACY[model], SPREAD[model], strict=True
    ):
        assert prints(100 * line.accuracy.value, accuracy)
        assert prints(100 * line.spread.value, spread)


@pytest.mark.parametrize("model", REFERENCE)
@pytest.mark.parametrize("original", [True, False], ids=["with the original", "without it"])
@pytest.mark.parametrize("beside", [1, 0], ids=["stdev", "pstdev"])
def test_only_the_sample_deviation_with_the_original_gives_table_5(
    model: str, original: bool, beside: int
) -> None:
    reference = round(REFERENCE[model] * 2)
    sets = (reference,) if original else ()
    reproduced = [
        any(
            prints(spread_of((*sets, *one), beside) / 2, spread)
            for one in triples(reference, accuracy)
        )
        for accuracy, spread in zip(ACCURACY[model][:4], SPREAD[model][:4], strict=True)
    ]
    assert all(reproduced) is (original and beside == 1)


@pytest.mark.parametrize("model", REFERENCE)
def test_accuracies_without_the_original_would_not_be_those_of_table_5(model: str) -> None:
    steps = [total / 6 for total in range(3 * BASES + 1)]
    assert not all(any(prints(step, one) for step in steps) for one in ACCURACY[model][:4])


# Table 5 of the first version, which has no SN: Acc. of "All", and Cons. of TM, SM, RO, "All".
FIRST_ALL = {"Gemini-1.5": 64.40, "Qwen-2.5": 47.60, "LLaMA-3.3": 39.00}
FIRST_CONS = {
    "Gemini-1.5": (56.50, 52.00, 47.50, 30.50),
    "Qwen-2.5": (67.50, 65.50, 64.50, 46.50),
    "LLaMA-3.3": (63.50, 55.50, 55.50, 35.50),
}


@pytest.mark.parametrize("model", REFERENCE)
def test_the_first_versions_table_is_over_three_types(model: str) -> None:
    three = [found[0] for found in solutions(model)[:3]]
    counts = (round(REFERENCE[model] * 2), *itertools.chain(*three))
    found = figures(answered(counts), (TM, SM, RO)).all
    assert found.sets == 10
    assert prints(100 * found.accuracy.value, FIRST_ALL[model])


@pytest.mark.parametrize("model", REFERENCE)
def test_the_first_versions_consistencies_are_shares_of_200_samples(model: str) -> None:
    """No more can be concluded: which samples agreed does not follow from the printed values."""
    *types, over_all = FIRST_CONS[model]
    assert over_all <= min(types)  # agreement in all asks for agreement in each
    for printed in FIRST_CONS[model]:
        agreeing = round(printed / 100 * BASES)
        rows = {f"{n:03}": [True, *[n < agreeing] * 3] for n in range(BASES)}
        assert 100 * figures(suite(rows), [TM]).all.agreement.value == pytest.approx(printed)
