from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from seqniah_datasets import rng


def test_parts_of_a_key_do_not_run_together() -> None:
    assert rng.digest("ab", "c") != rng.digest("a", "bc")
    assert rng.digest("1") != rng.digest(1)


def test_neighbouring_seeds_share_nothing() -> None:
    # Random(seed + index) would give seed 1 the samples of seed 0, shifted by one.
    first = {rng.stream("x", 0, index).random() for index in range(500)}
    second = {rng.stream("x", 1, index).random() for index in range(500)}
    assert not first & second


def test_a_sample_is_distinct_and_covers_the_population_evenly() -> None:
    draws = rng.stream("sample")
    seen: Counter[int] = Counter()
    for _ in range(3_000):
        chosen = draws.sample(3, 10)
        assert len(set(chosen)) == 3
        seen.update(chosen)
    assert set(seen) == set(range(10))
    assert max(seen.values()) - min(seen.values()) < 200  # 900 expected each, deviation about 25


def test_every_place_of_a_sample_is_random() -> None:
    draws = rng.stream("order")
    firsts = Counter(draws.sample(2, 4)[0] for _ in range(4_000))
    assert all(850 < count < 1_150 for count in firsts.values())


def test_too_large_a_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="5 distinct numbers from 4"):
        rng.stream("x").sample(5, 4)


def test_between_includes_both_ends() -> None:
    draws = rng.stream("ends")
    assert {draws.between(3, 5) for _ in range(200)} == {3, 4, 5}


def test_shuffled_leaves_its_argument_alone() -> None:
    items = list(range(20))
    shuffled = rng.stream("s").shuffled(items)
    assert items == list(range(20)) != shuffled
    assert sorted(shuffled) == items
    assert any(b != a + 1 for a, b in pairwise(shuffled))
