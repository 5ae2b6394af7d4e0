"""Numbers, mistakes and players of Counting-Stars, and the sentences that tell them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources import stars
from seqniah_datasets.sources.stars import MOST_PLAYERS, PLAYERS, Star

COUNTS = st.integers(1, 200)
SEEDS = st.integers(0, 10**6)


def _numbers(count: int, order: stars.StarOrder, seed: int, *given: int) -> tuple[int, ...]:
    return stars.numbers(count, order, rng.stream("test", seed), given)


@given(COUNTS, SEEDS)
def test_numbers_rise_with_one_of_the_first_three_of_every_four(count: int, seed: int) -> None:
    # As published: i + randint(1, 3) for i in range(0, 4M, 4).
    found = _numbers(count, "increasing", seed)
    for start, number in zip(range(0, 4 * count, 4), found, strict=True):
        assert start + 1 <= number <= start + 3
    assert all(low < high for low, high in pairwise(found))


@given(st.integers(1, 100), st.integers(0, 100), SEEDS)
def test_fewer_stars_have_the_first_of_the_numbers_of_more(few: int, more: int, seed: int) -> None:
    assert _numbers(few, "increasing", seed) == _numbers(few + more, "increasing", seed)[:few]


def test_all_three_numbers_are_drawn_alike() -> None:
    drawn = Counter(number % 4 for number in _numbers(3_000, "increasing", 7))
    assert set(drawn) == {1, 2, 3}
    assert all(900 < times < 1_100 for times in drawn.values())


@given(COUNTS, SEEDS)
def test_shuffled_numbers_are_the_same_in_another_order(count: int, seed: int) -> None:
    found = _numbers(count, "shuffled", seed)
    assert sorted(found) == list(_numbers(count, "increasing", seed))
    assert count < 9 or list(found) != sorted(found)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60, unique=True), SEEDS, st.data())
def test_given_numbers_stand_as_the_order_says(
    listed: list[int], seed: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, len(listed)))
    assert _numbers(count, "given", seed, *listed) == tuple(listed[:count])
    assert _numbers(count, "increasing", seed, *listed) == tuple(sorted(listed[:count]))
    assert sorted(_numbers(count, "shuffled", seed, *listed)) == sorted(listed[:count])


def _check_mistakes(right: tuple[int, ...], wrong: tuple[int, ...]) -> None:
    assert len(wrong) == len(right)
    assert all(abs(one - other) == 1 for one, other in zip(right, wrong, strict=True))
    assert len({*right, *wrong}) == 2 * len(right)
    assert min(wrong) > 0


@settings(deadline=None)
@given(COUNTS, SEEDS, st.sampled_from(["increasing", "shuffled"]))
def test_every_mistake_is_one_off_and_nobody_else_s_number(
    count: int, seed: int, order: stars.StarOrder
) -> None:
    right = _numbers(count, order, seed)
    _check_mistakes(right, stars.mistakes(right, rng.stream("mistakes", seed)))


def test_mistakes_are_made_in_both_directions() -> None:
    right = _numbers(400, "increasing", 3)
    wrong = stars.mistakes(right, rng.stream("mistakes", 3))
    above = sum(one > other for one, other in zip(wrong, right, strict=True))
    assert 120 < above < 280


def _has_room(numbers: list[int]) -> bool:
    """Whether there are mistakes at all, by trying every choice of the few numbers."""
    ways: list[frozenset[int]] = [frozenset(numbers)]
    for number in numbers:
        ways = [
            used | {one}
            for used in ways
            for one in (number - 1, number + 1)
            if one and one not in used
        ]
    return bool(ways)


@settings(deadline=None)
@given(st.lists(st.integers(1, 16), min_size=1, max_size=8, unique=True), SEEDS)
def test_numbers_are_refused_only_where_no_mistakes_can_be(right: list[int], seed: int) -> None:
    if _has_room(right):
        _check_mistakes(tuple(right), stars.mistakes(right, rng.stream("mistakes", seed)))
    else:
        with pytest.raises(SeqniahError, match=r"too close together .* three apart or more\.$"):
            stars.mistakes(right, rng.stream("mistakes", seed))


def test_many_tight_numbers_have_mistakes_where_there_is_room() -> None:
    # Of 20, 22 and 23 the last can only be taken for 24, so the second for 21, the first for 19.
    right = tuple(20 * row + one for row in range(1, 65) for one in (0, 2, 3))
    _check_mistakes(right, stars.mistakes(right, rng.stream("mistakes", 1)))


def test_numbers_three_apart_always_have_mistakes() -> None:
    for seed in range(20):
        right = tuple(range(1, 600, 3))
        _check_mistakes(right, stars.mistakes(right, rng.stream("mistakes", seed)))


@given(COUNTS, st.integers(1, MOST_PLAYERS), SEEDS)
def test_stars_are_dealt_as_evenly_as_can_be(count: int, players: int, seed: int) -> None:
    owners = stars.dealt(count, players, rng.stream("dealt", seed))
    held = Counter(owners)
    assert len(owners) == count
    assert set(held) <= set(range(players))
    assert max(held.values()) - min(held[player] for player in range(players)) <= 1


def test_players_are_scattered() -> None:
    owners = stars.dealt(400, 4, rng.stream("dealt", 5))
    runs = sum(one == other for one, other in pairwise(owners))
    assert 70 < runs < 130  # of 399, a quarter by chance


@pytest.mark.parametrize("lang", LANGS)
def test_there_are_players_enough_and_no_two_alike(lang: Lang) -> None:
    names = [player.name for player in PLAYERS[lang]]
    assert len({player.key for player in PLAYERS[lang]}) == len(set(names)) == len(names)
    assert len(names) > MOST_PLAYERS
    # None is found where another one's name stands.
    assert not [(one, other) for one in names for other in names if one != other and one in other]


def test_the_first_player_is_the_published_one() -> None:
    assert [PLAYERS[lang][0].key for lang in LANGS] == ["little_penguin", "小企鹅"]


PUBLISHED = {"en": "the little penguin counted 15 ★", "zh": "小企鹅数了15颗★"}


@pytest.mark.parametrize("lang", LANGS)
def test_the_sentence_is_the_published_one(lang: Lang) -> None:
    told = stars.sentence(lang, Star(15, PLAYERS[lang][0]))
    assert told.lower().startswith(PUBLISHED[lang])
    assert len(told) == len(PUBLISHED[lang]) + 1


@pytest.mark.parametrize("lang", LANGS)
def test_each_sentence_names_player_and_numbers_once(lang: Lang) -> None:
    for player in PLAYERS[lang]:
        once = stars.sentence(lang, Star(1_234, player))
        twice = stars.sentence(lang, Star(1_234, player, 1_235))
        assert re.findall(r"\d+", once) == ["1234"]
        assert re.findall(r"\d+", twice) == ["1235", "1234"]
        for told, counted in ((once, 1), (twice, 2)):
            assert told.count(player.name) == 1
            assert told.count("★") == counted
            assert told[-1] in ".。"
            assert "\n" not in told
