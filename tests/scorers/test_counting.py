"""Counting-Stars: reading numbers from any text, and the released scores."""

from __future__ import annotations

import json

import pytest
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_scorers.counting import CountingFailure, kept, read, reason, score

STARS = [
    *(3, 5, 9, 15, 19, 21, 26, 29, 35, 38, 42, 46, 49, 54, 58, 61),
    *(66, 69, 74, 77, 81, 86, 89, 94, 97, 102, 107, 109, 113, 117, 122, 127),
]
"""The numbers of the released 32-star sky."""

NUMBERS = st.lists(st.integers(0, 40), max_size=30)
SKIES = st.lists(st.integers(0, 40), min_size=1, max_size=20, unique=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"little_penguin": [3, 5, 21]}',
        '{"小企鹅":[3,5,21]}',
        '{"stars": [3, 5, 21]}',
        "[3,5,21]",
        '```json\n{\n  "little_penguin": [\n    3,\n    5,\n    21\n  ]\n}\n```',
        "Sure! Here it is:\n```\n[3, 5, 21]\n```\nLet me know if you need more.",
        # malformed
        '{"little_penguin": [3, 5, 21,]}',
        '{"little_penguin": [3, 5, 21}',
        '{"little_penguin": [3, 5, 21',
        '{"little_penguin": [3, 5, 21, ',
        "{'little_penguin': [3, 5, 21]}",
        "{little_penguin: [3 5 21]}",
        "{“little_penguin”： [3， 5， 21]}",
        '{"little_penguin": [3, 5, // then\n 21]}',
        '{"little_penguin": [3, 5, 21, ...]}',
        # strings, width, words
        '{"little_penguin": ["3", "5", "21"]}',
        '{"little_penguin": "3, 5, 21"}',
        '["3 stars", "5 stars", "21 stars"]',
        "【３，５，２１】",
        '{"小企鹅":["３颗","５颗","２１颗"]}',
        '["three", "five", "twenty-one"]',
        '["Three", "Five", "Twenty one"]',
        '{"小企鹅": ["三", "五", "二十一"]}',
        "[3.0, 5.00, 2.1e1]",
        # entries that are no count
        "[3, true, 5, 15.5, -15, null, 21, 99999999999999999999999999]",
        # nested and split up
        "[[3, 5], [21]]",
        "[3, [5], 21]",
        '[{"little_penguin": 3}, {"little_penguin": 5}, {"little_penguin": 21}]',
        '{"1": 3, "2": 5, "3": 21}',
        '[{"draft": [1, 2], "little_penguin": [3, 5, 21]}]',
        # drafts and repetitions
        '{"little_penguin": [3, 5]}\nI missed one.\n{"little_penguin": [3, 5, 21]}',
        'First [3, 4], then [3, 5, 21].',
        '{"little_penguin": [3, 5, 21]}\n\nThe sums are [8, 26, 29].',
        '{"little_penguin": [x, x, x, ...]} means {"little_penguin": [3, 5, 21]}',
        '{"steps": [1, 2, 3, 4], "little_penguin": [3, 5, 21',
        '<think>[7, 8, 9] or 10?</think>{"little_penguin": [3, 5, 21]}',
        'It counted 7 and 8, no: {"reasoning": "7, 8", "little_penguin": [3, 5, 21]}',
        '{"little_penguin": [3, 5, 21], "total": 29}',
        # prose
        "3, 5 and 21 stars",
        "The little penguin counted 3, 5, and 21 ★.",
        "It counted three stars, then five stars and twenty-one stars.",
        "There were 32 lines in the text: 3, 5, 21.",
        "As footnote [1] says: 3, 5, 21.",
        "1. 3 stars\n2. 5 stars\n3. 21 stars",
        "- 3\n- 5\n- 21",
        "star 1: 3, star 2: 5, star 3: 21",
        "I found 4 stars: 3, 5, 21",
        "我数到4颗星：3、5、21",
        "小企鹅先后数了3颗、5颗和21颗★。",
        "小企鹅数了三颗★，又数了五颗★，最后数了二十一颗★，一共三次。",
        "第一次数了3颗，第二次数了5颗，第三次数了21颗。",
        "[The numbers are [3, 5, 21]]",
        "Draft: 3, 5, 7. Final: 3, 5, 21.",
        "Not [3, 5, 7] but [3, 5, 21].",
        "I could not find any others: [3, 5, 21]",
    ],
)  # fmt: skip
def test_a_list_is_read_however_it_is_written(text: str) -> None:
    assert read(text).numbers == (3, 5, 21)
    assert read(text).problem is None


def test_a_number_of_stars_before_a_short_list_is_no_star() -> None:
    assert read("I found 4 stars: 3, 5").numbers == (3, 5)
    assert read("Day 1: 3 stars, day 2: 5 stars").numbers == (3, 5)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", CountingFailure.NO_ANSWER),
        (" \n ", CountingFailure.NO_ANSWER),
        ("[]", CountingFailure.NO_ANSWER),
        ("```json\n{}\n```", CountingFailure.NO_ANSWER),
        ("null", CountingFailure.NO_ANSWER),
        ('{"little_penguin": []}', CountingFailure.NO_ANSWER),
        ('In part 2 it sleeps. {"little_penguin": []}', CountingFailure.NO_ANSWER),
        ("I cannot find any stars in the text.", CountingFailure.REFUSED),
        ("<think>It counted 3, 5, 21", CountingFailure.NO_ANSWER),
        ('<think>{"little_penguin": [3, 5, 21]}</think>', CountingFailure.NO_ANSWER),
        ("The penguin is happy tonight.", CountingFailure.UNREADABLE),
        ("小企鹅一共很开心，统一了星空", CountingFailure.UNREADABLE),
        ("[15.5, -3]", CountingFailure.UNREADABLE),
        ("[true, false]", CountingFailure.UNREADABLE),
        ('{"little_penguin": [x, x, x, ...]}', CountingFailure.UNREADABLE),
        ("9" * 5000, CountingFailure.UNREADABLE),
        ("1e999999999", CountingFailure.UNREADABLE),
        ("These are NOT the numbers: [3, 5, 21]", CountingFailure.UNREADABLE),
        ('These are not the stars: {"little_penguin": [3, 5, 21]}', CountingFailure.UNREADABLE),
        ("这些不是小企鹅数的星星：[3, 5, 21]", CountingFailure.UNREADABLE),
    ],
)
def test_an_answer_without_numbers_is_wrong_and_says_why(
    text: str, problem: CountingFailure
) -> None:
    reading = read(text)
    assert (reading.numbers, reading.problem) == ((), problem)
    found = score(STARS, reading.numbers, problem=reading.problem)
    assert (found.membership_mean, found.position_mean) == (0, 0)
    assert found.failure_modes == (problem,)


def test_all_numbers_are_read_not_only_few() -> None:
    assert list(read(json.dumps({"小企鹅": STARS})).numbers) == STARS
    assert list(read(str([str(star) for star in STARS])).numbers) == STARS
    assert list(read(", ".join(map(str, STARS))).numbers) == STARS


def test_neighbours_without_a_space_are_numbers_of_their_own_and_not_thousands() -> None:
    assert read("[100,200,300]").numbers == (100, 200, 300)
    assert read("100,200,300").numbers == (100, 200, 300)
    assert read('["1,024", "2048"]').numbers == (1024, 2048)


def test_chinese_words_up_to_a_thousand_and_more() -> None:
    text = '{"小企鹅": ["十", "十五", "二十", "一百零二", "一百二十七", "一千零二十四"]}'
    assert read(text).numbers == (10, 15, 20, 102, 127, 1024)


def test_the_list_of_another_name_can_be_asked_for() -> None:
    text = '{"Alice": [3, 5], "Bob": [9, 15]}'
    assert read(text).numbers == (9, 15)
    assert read(text, asked=["alice"]).numbers == (3, 5)
    assert read('{"Little Penguin": [3], "owl": [5, 9]}').numbers == (3,)


@pytest.mark.parametrize(
    "piece",
    ["[", "[3 ", "[a", "{", '{"a":[', "[{", "]", '"', "'a", "1", "3,", "1e", "1. a\n", "twenty-",
     "one ", "一", "一,", "中1", "第", "<think>", "</think>", " ", "\n", "- ", "#1", "3 a 5 ", "-"],
)  # fmt: skip
@pytest.mark.usefixtures("linear")
def test_time_grows_with_the_length_only(piece: str) -> None:
    reading = read(piece * (100_000 // len(piece)))
    assert bool(reading.numbers) == (reading.problem is None)


@settings(max_examples=examples(100), deadline=None)
@given(st.text(alphabet="[]{}\",:'0123456789 \n-.eE三十一颗第</>thinkoneand★ａ１﹇", max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    reading = read(text)
    assert bool(reading.numbers) == (reading.problem is None)
    assert all(number >= 0 for number in reading.numbers)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=50))
def test_what_json_writes_is_read_back(numbers: list[int]) -> None:
    for name in ("little_penguin", "小企鹅"):
        for ascii_only in (True, False):
            text = json.dumps({name: numbers}, ensure_ascii=ascii_only)
            assert list(read(text).numbers) == numbers
            assert list(read(f"It is:\n{text}\nDone.").numbers) == numbers


def test_the_papers_example() -> None:
    found = score([3, 5, 9], [3, 6, 9])
    assert found.membership == (1, 0, 1) == found.position
    assert found.added == (6,)
    assert found.failure_modes == (CountingFailure.MISSING, CountingFailure.ADDED)


SKY = [
    *(3, 5, 9, 15, 19, 21, 26, 29, 35, 38, 42, 46, 49, 54, 58, 61),
    *(66, 69, 74, 77, 81, 86, 89, 94, 97, 102, 107, 109, 113, 117, 122, 127),
]
"""The numbers of the released 32-16 version."""

PUBLISHED = {
    "gpt-4-1106-preview": (
        [(), (), (), (19,), (49, 97), (49,), (), (), (49,), (49, 58), *[(49,)] * 3, (), (), (49,)],
        {},
        (0.979, 0.633),
    ),
    "moonshot-v1-128k": (
        [
            *((), (49,), (19, 109), (109, 127), (), (109, 127), (127,), (127,)),
            *((), (127,), (), (19, 29, 35, 127), (), (), (), ()),
        ],
        {4: 89, 12: 94, 13: 89, 14: 49, 15: 46},
        (0.846, 0.699),
    ),
}
"""Of the released answers (nick7nlp/Counting-Stars, results/stone_*_32_16.txt): what each of the
16 leaves out; after which number some break off; and the means (paper, Table 1; position is ours).
"""


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_published_answers_have_the_published_means(model: str) -> None:
    lacking, broken, means = PUBLISHED[model]
    found = []
    for number, left_out in enumerate(lacking):
        last = broken.get(number, SKY[-1])
        kept_numbers = [one for one in SKY if one not in left_out and one <= last]
        answer = json.dumps({"小企鹅": kept_numbers}, ensure_ascii=False)
        found.append(score(SKY, read(answer).numbers))
    membership = sum(one.membership_mean for one in found) / len(found)
    position = sum(one.position_mean for one in found) / len(found)
    assert (round(membership, 3), round(position, 3)) == means


def test_one_item_lacking_of_32_costs_one_membership_and_every_later_position() -> None:
    # The 13th number, 49, is left out: twelve stand in their place, nineteen one place early.
    found = score(STARS, [star for star in STARS if star != 49])
    assert found.membership_mean == 31 / 32
    assert sum(found.position) == 12
    assert found.membership[12] == 0
    assert found.failure_modes == (CountingFailure.MISSING,)


def test_the_cut_comes_before_the_dropping() -> None:
    found = score([3, 5, 9, 15], [3, 3, 5, 9, 15])
    # Cut to 3 3 5 9, so 15 is gone although it would be the fourth number of its own.
    assert found.membership == (1, 1, 1, 0)
    # Dropped to 3 5 9 before places are compared.
    assert found.position == (1, 1, 1, 0)
    assert (found.cut, found.duplicates) == (1, 1)
    assert found.failure_modes == (CountingFailure.MISSING, CountingFailure.REPEATED)
    assert score([3, 5, 9, 15], [3, 3, 5, 9, 15], m=5).membership == (1, 1, 1, 1)


def test_an_endless_repetition_is_cut() -> None:
    found = score(STARS, [3, 5] * 5000)
    assert (sum(found.membership), sum(found.position)) == (2, 2)
    assert (found.cut, found.duplicates) == (10_000 - 32, 30)


def test_another_order_keeps_membership_and_is_named() -> None:
    found = score([3, 5, 9], [9, 5, 3])
    assert (found.membership_mean, found.position) == (1.0, (0, 1, 0))
    assert found.failure_modes == (CountingFailure.WRONG_ORDER,)
    assert score([9, 3, 5], [9, 3, 5]).failure_modes == ()


@pytest.mark.parametrize(
    ("numbers", "scores"),
    [
        ([15, 20], (1, 1)),
        ([15, 16, 20, 19], (0.5, 0)),  # cut to 15 16
        ([15, 16], (0.5, 0)),
        ([16, 19], (0.25, 0.25)),
        ([16, 20], (0.25, 1)),
        ([15, 15, 20], (1, 0)),  # cut to 15 15
        ([], (0, 0)),
    ],
)
def test_reasoning_by_hand(numbers: list[int], scores: tuple[float, ...]) -> None:
    found = reason([15, 20], [16, 19], numbers)
    assert found.scores == scores
    assert found.mean == sum(scores) / 2


def test_reasoning_with_room_for_both_numbers() -> None:
    assert reason([15, 20], [16, 19], [15, 16, 19, 20], m=4).scores == (0.5, 0.5)


def test_a_sky_without_stars_or_half_of_its_numbers_has_no_score() -> None:
    with pytest.raises(ValueError, match="without stars"):
        score([], [3])
    with pytest.raises(ValueError, match="2 right and 1 wrong"):
        reason([3, 5], [4], [3])


@given(SKIES, NUMBERS)
def test_scores_are_shares_and_position_never_beats_membership(
    sky: list[int], numbers: list[int]
) -> None:
    found = score(sky, numbers)
    assert 0 <= found.position_mean <= found.membership_mean <= 1
    assert all(p <= m for p, m in zip(found.position, found.membership, strict=True))
    assert (not found.failure_modes) == (tuple(numbers[: len(sky)]) == tuple(sky))
    assert len(kept(numbers, len(sky))) + found.duplicates + found.cut == len(numbers)


@given(SKIES, st.data())
def test_membership_does_not_depend_on_the_order_of_the_answer(
    sky: list[int], data: st.DataObject
) -> None:
    numbers = data.draw(st.lists(st.integers(0, 40), max_size=len(sky)))
    other = data.draw(st.permutations(numbers))
    assert score(sky, numbers).membership == score(sky, other).membership


@given(SKIES, st.lists(st.integers(0, 40), min_size=1, max_size=30), st.data())
def test_repeating_a_number_never_raises_membership(
    sky: list[int], numbers: list[int], data: st.DataObject
) -> None:
    number = data.draw(st.sampled_from(numbers))
    first = numbers.index(number)
    place = data.draw(st.integers(first + 1, len(numbers)))
    longer = [*numbers[:place], number, *numbers[place:]]
    assert score(sky, longer).membership_mean <= score(sky, numbers).membership_mean


@given(SKIES)
def test_the_right_numbers_alone_are_perfect_reasoning(sky: list[int]) -> None:
    wrong = [100 + number for number in sky]
    assert reason(sky, wrong, sky).mean == 1.0
    assert reason(sky, wrong, wrong).mean == 0.25
    both = [number for pair in zip(sky, wrong, strict=True) for number in pair]
    assert reason(sky, wrong, both, m=len(both)).mean == 0.5
