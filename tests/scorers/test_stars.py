"""Counting-Stars: verdicts on lists, sums and largest numbers, by hand and by property."""

from __future__ import annotations

import json

import pytest
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers.counting import CountingFailure, read_one
from seqniah_scorers.stars import StarCase, StarVerdict, judge, wanted

SUM, LARGEST, LIST, ORDER = StarAsk.SUM, StarAsk.LARGEST, StarAsk.LIST, StarAsk.ORDER
ASKED = {
    SUM: ("sum", "总数"),
    LARGEST: ("largest", "最多"),
    LIST: ("little_penguin", "小企鹅"),
    ORDER: ("counts", "依次"),
}
MINE, OWLS, FOXES = (12, 5, 40), (3, 30), (7, 9, 44)
"""Sums 57, 33 and 60, together 150; largest 40, 30 and 44."""


def _list(
    response: str,
    right: tuple[int, ...] = (3, 5, 9, 15),
    *,
    wrong: tuple[int, ...] = (),
    others: tuple[tuple[int, ...], ...] = (),
    ask: StarAsk = LIST,
) -> StarVerdict:
    task = StarTask.REASONING if wrong else StarTask.PLAYERS if others else StarTask.SEARCHING
    return judge(StarCase(task, ask, right, response, wrong, others, ASKED[ask]))


def _number(response: str, ask: StarAsk = SUM) -> StarVerdict:
    others = (OWLS, FOXES)
    return judge(StarCase(StarTask.PLAYERS, ask, MINE, response, others=others, asked=ASKED[ask]))


@pytest.mark.parametrize(
    "text",
    [
        '{"sum": 57}',
        '{"sum":"57"}',
        '{"sum": [57]}',
        '{"sum": "57 stars"}',
        '{"sum": 57.0}',
        '{"sum": fifty-seven}',
        '{"sum": "Fifty seven"}',
        '{"总数": 57}',
        '{"总数"：５７}',
        '{"总数": "五十七颗"}',
        "{“sum”: 57}",
        "{'sum': 57",
        '```json\n{\n  "sum": 57\n}\n```',
        '```json\n{\n  "sum": [\n    57\n  ]\n}\n```',
        '{"sum": 12 + 5 + 40 = 57}',
        '{"sum": 57 // 12 + 5 + 40\n}',
        # beside other numbers
        '{"little_penguin": [12, 5, 40], "sum": 57}',
        '{"sum": 57, "stars": 3}',
        '{"sum": 57} is what [12, 5, 40] make.',
        '{"sum": 57}\n\nThere were 3 stars.',
        '{"sum": 56}\nI forgot one: {"sum": 57}',
        '{"sum": 57}\n\nSum: 12 + 5 + 40',
        '{"sum": null} at first, {"sum": 57} now',
        "<think>{\"sum\": 1}</think>57",
        # prose
        "57",
        "57\n57",
        "**57**",
        "$57$",
        "\\boxed{57}",
        "The sum is 57.",
        "The sum is **fifty-seven**.",
        "12 + 5 + 40 = 57",
        "12 + 5 = 17, 17 + 40 = 57",
        "57 = 12 + 5 + 40",
        "Sum: 57 (3 numbers)",
        "Sum: 12 + 5 + 40 = 57\n3 stars in all",
        "**Sum:** 57",
        "It counted 12, 5 and 40, which makes 57.",
        "It counted 12, then 5, then 40, 17 up to there. 57 in all.",
        "The stars are 12, 5, 40\n\n57",
        "总数是57颗★。",
        "总数是五十七。",
        "小企鹅的总数：五十七颗★",
        "一共五十七颗。",
        "12+5+40＝57",
        "1. 12\n2. 5\n3. 40\n\nsum: 57",
    ],
)  # fmt: skip
def test_one_number_is_read_however_it_is_written(text: str) -> None:
    verdict = _number(text)
    assert (verdict.numbers, verdict.score, verdict.correct) == ((57,), 1.0, True)
    assert (verdict.failure_modes, verdict.confusion) == ((), 0.0)


@pytest.mark.parametrize(
    "text",
    ['{"sum": 1057}', '{"sum": 1,057}', "1,057", "It is 1,057 stars.", "[1,057]", '"1,057"',
     "1，057", "one thousand and fifty-seven", '{"总数": "一千零五十七"}', '{"sum": [1057]}'],
)  # fmt: skip
def test_thousands(text: str) -> None:
    assert read_one(text, ASKED[SUM]).numbers == (1057,)


def test_thousands_are_apart_by_commas_before_three_digits_only() -> None:
    assert read_one("1,157", ASKED[SUM]).numbers == (1157,)
    assert read_one('{"sum": 2,345,678}', ASKED[SUM]).numbers == (2345678,)
    assert read_one("12,57", ASKED[SUM]).numbers == (12, 57)
    assert read_one("[100,157]", ASKED[SUM]).numbers == (100, 157)


@pytest.mark.parametrize(
    "text",
    [
        *('{"largest": [5, 12, 40]}', '{"largest": "5, 12, 40"}', '{"largest": [40, 12, 5'),
        *("[5, 12, 40]", "5, 12, 40", "5 and 40", "12\n5\n40", "5 + 40"),
        *("小企鹅数了5颗、12颗和40颗。", '{"最多": ["五", "四十"]}'),
        *('{"little_penguin": [5, 40]}', '[{"little_penguin": 5}, {"little_penguin": 40}]'),
        *('[{"little_penguin": 5}, {"little_penguin": 40', "[[5, 12], [40]]"),
        '{"largest": [\n  40,\n  12,\n  5\n]}',
    ],
)  # fmt: skip
def test_a_list_is_no_number_even_if_it_ends_in_it(text: str) -> None:
    verdict = _number(text, LARGEST)
    assert len(verdict.numbers) > 1
    assert (verdict.score, verdict.confusion) == (0.0, 0.0)
    assert verdict.failure_modes == (CountingFailure.WRONG_NUMBER,)
    assert verdict.reason.startswith("The largest number is 40; the answer is a list: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", CountingFailure.NO_ANSWER),
        ("{}", CountingFailure.NO_ANSWER),
        ("none", CountingFailure.NO_ANSWER),
        ('{"sum": ', CountingFailure.NO_ANSWER),
        ('{"sum": null}', CountingFailure.NO_ANSWER),
        ('{"sum": [], "owl": [57]}', CountingFailure.NO_ANSWER),
        ('{"sum": 57} is wrong, so {"sum": null}', CountingFailure.NO_ANSWER),
        ('{"sum": ""} for 57', CountingFailure.NO_ANSWER),
        ("<think>57</think>", CountingFailure.NO_ANSWER),
        ("I cannot find any stars in the text.", CountingFailure.REFUSED),
        ("The penguin is happy.", CountingFailure.UNREADABLE),
        ('{"sum": x}', CountingFailure.UNREADABLE),
        ("57.5", CountingFailure.UNREADABLE),
        ("-57", CountingFailure.UNREADABLE),
        ("9" * 5000, CountingFailure.UNREADABLE),
    ],
)
def test_no_number_is_wrong_and_says_why(text: str, problem: CountingFailure) -> None:
    verdict = _number(text)
    assert (verdict.numbers, verdict.score, verdict.confusion) == ((), 0.0, 0.0)
    assert verdict.failure_modes == (problem,)


@pytest.mark.parametrize(
    "text",
    [
        "17 or 57",
        "It is 17 or maybe 57.",
        "总数是17或57。",
        "The sum is not 57",
        "The sum isn't 57.",
        "The sum is not the number 57.",
        "总数不是57。",
        '{"sum": "17 or 57"}',
        "\n".join(f"Sum: {n}" for n in range(37, 58)),
        " ".join(f"The sum is {n}." for n in range(37, 58)),
        " ".join(f"总数是{n}。" for n in range(37, 58)),
        '{"sum": 55} {"sum": 56} {"sum": 57}',
    ],
)
def test_a_hedge_or_a_denial_is_no_answer(text: str) -> None:
    assert _number(text).score == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "17 + 40 = 57. Sum: 57",
        "It is not 56: the sum is 57.",
        "I am not sure, but the sum is 57.",
        "Do not worry: the sum is 57.",
        "不是很确定：总数是57。",
        "The sum is 56. No, I missed one: the sum is 57.",
        "The penguin counted 17 or so at first; sum: 57",
    ],
)
def test_an_answer_beside_a_denial_is_one(text: str) -> None:
    assert (_number(text).numbers, _number(text).score) == ((57,), 1.0)


def test_names_count_as_whole_words_and_only_the_asked_ones() -> None:
    assert read_one("checksum: 5, so 57", ["sum"]).numbers == (57,)
    assert read_one("sum: 57, checksum: 5", ["sum"]).numbers == (57,)
    assert read_one('{"sum": 57, "largest": 40}', ["largest"]).numbers == (40,)
    assert read_one('{"sum": 57, "largest": 40}', ["SUM"]).numbers == (57,)
    assert read_one('{"a.b": 57, "axb": 40}', ["a.b"]).numbers == (57,)
    assert read_one('{"sum": 57, "largest": 40}', []).numbers == (40,)


@pytest.mark.parametrize(
    ("ask", "number", "confusion"),
    [
        (SUM, 33, 1.0),  # the owl's
        (SUM, 60, 1.0),  # the fox's
        (SUM, 150, 1.0),  # all together
        (SUM, 93, 0.0),  # the owl's and the fox's
        (SUM, 56, 0.0),
        (SUM, 44, 0.0),  # the fox's largest
        (LARGEST, 30, 1.0),
        (LARGEST, 44, 1.0),  # the fox's and of all
        (LARGEST, 12, 0.0),
        (LARGEST, 57, 0.0),
    ],
)
def test_another_players_number_is_confusion(ask: StarAsk, number: int, confusion: float) -> None:
    verdict = _number(json.dumps({ASKED[ask][0]: number}), ask)
    assert (verdict.score, verdict.confusion) == (0.0, confusion)
    other = (CountingFailure.OTHER_PLAYER,) if confusion else ()
    assert verdict.failure_modes == (*other, CountingFailure.WRONG_NUMBER)
    assert ("another player" in verdict.reason) == bool(confusion)
    assert (verdict.position, verdict.precision) == (None, None)
    assert (verdict.credits, verdict.positions) == ((), ())


def test_a_right_number_is_no_confusion_though_it_is_everybodys() -> None:
    case = StarCase(StarTask.PLAYERS, LARGEST, (9, 50), "50", others=(OWLS, ()), asked=("largest",))
    assert (judge(case).score, judge(case).confusion) == (1.0, 0.0)
    alone = StarCase(StarTask.SEARCHING, SUM, (9, 50), "59", asked=("sum",))
    assert (judge(alone).score, judge(alone).confusion) == (1.0, None)


def test_a_searching_list() -> None:
    verdict = _list('{"little_penguin": [3, 9, 7, 5, 99]}')
    # Cut to 3 9 7 5.
    assert (verdict.score, verdict.position, verdict.precision) == (0.75, 0.25, 0.75)
    assert (verdict.credits, verdict.positions) == ((1, 1, 1, 0), (1, 0, 0, 0))
    assert verdict.numbers == (3, 9, 7, 5, 99)
    assert verdict.confusion is None
    assert verdict.failure_modes == (
        CountingFailure.MISSING,
        CountingFailure.ADDED,
        CountingFailure.WRONG_ORDER,
    )
    assert verdict.reason == (
        "3 of 4 stars are listed; missing: 15. "
        "Besides, of nobody: 7; out of order; numbers cut off at the end: 1."
    )
    assert not verdict.correct


def test_a_perfect_set_out_of_order_is_correct_and_told() -> None:
    verdict = _list("[15, 9, 5, 3]")
    assert (verdict.score, verdict.correct, verdict.position) == (1.0, True, 0.0)
    assert verdict.reason == "All 4 stars are listed. Besides, out of order."
    assert _list("[3, 5, 9, 15]").reason == "All 4 stars are listed."


def test_reasons_stay_short() -> None:
    sky = tuple(range(1, 4001, 4))
    verdict = _list("[1]\n" + json.dumps([2, 2, *range(10**6, 10**6 + 5000)]), sky)
    assert verdict.score == 0
    assert verdict.reason.startswith(
        "0 of 1,000 stars are listed; missing: 1, 5, 9, 13, 17, 21, 25, 29 and 992 more. Besides, "
        "of nobody: 2, 1000000, "
    )
    assert "; repetitions: 1; numbers cut off at the end: 4,002." in verdict.reason
    assert len(verdict.reason) < 300
    verdict = _list("[5, 9]", (5, 9, *range(21, 30)))
    assert verdict.reason == (
        "2 of 11 stars are listed; missing: 21, 22, 23, 24, 25, 26, 27, 28 and 1 more."
    )
    assert _list('{"little_penguin": [8]}', (7,)).reason == (
        "The only star is not listed: 7. Besides, of nobody: 8."
    )
    assert _list('{"little_penguin": [7]}', (7,)).reason == "The only star is listed."


@pytest.mark.parametrize(
    ("text", "problem", "told"),
    [
        ("[]", CountingFailure.NO_ANSWER, "Nothing was answered."),
        ("Happy!", CountingFailure.UNREADABLE, "No number can be read from the answer."),
    ],
)
@pytest.mark.parametrize("others", [(), (OWLS,)])
def test_an_unanswered_list(
    text: str, problem: CountingFailure, told: str, others: tuple[tuple[int, ...], ...]
) -> None:
    verdict = _list(text, others=others)
    assert (verdict.score, verdict.position, verdict.precision) == (0.0, 0.0, None)
    assert verdict.confusion == (0.0 if others else None)
    assert (verdict.credits, verdict.positions) == ((0.0,) * 4, (0,) * 4)
    assert verdict.failure_modes == (problem,)
    assert verdict.reason == told


def test_other_players_numbers_are_confusion_and_not_plainly_added() -> None:
    verdict = _list("[12, 30, 40]", MINE, others=(OWLS, FOXES))
    assert (verdict.score, verdict.confusion, verdict.precision) == (2 / 3, 1 / 3, 2 / 3)
    assert verdict.failure_modes == (CountingFailure.MISSING, CountingFailure.OTHER_PLAYER)
    assert verdict.reason == ("2 of 3 stars are listed; missing: 5. Besides, of other players: 30.")
    # Cut to 12 7 8: one is the fox's, one is nobody's.
    verdict = _list("[12, 7, 8, 30]", MINE, others=(OWLS, FOXES))
    assert verdict.confusion == 1 / 3
    assert verdict.failure_modes == (
        CountingFailure.MISSING,
        CountingFailure.ADDED,
        CountingFailure.OTHER_PLAYER,
    )
    # 7 7 30 is kept as 7 30: all of it others'.
    verdict = _list("[7, 7, 30]", MINE, others=(OWLS, FOXES))
    assert (verdict.confusion, verdict.precision) == (1.0, 0.0)


def test_two_players_together_are_scored_as_one_list() -> None:
    both = (3, 12, 5, 30, 40)
    verdict = _list('{"counts": [3, 12, 5, 30, 40]}', both, others=(FOXES,), ask=ORDER)
    assert (verdict.score, verdict.position, verdict.confusion) == (1.0, 1.0, 0.0)
    # One player after the other: every star, but two of five in their place.
    verdict = _list('{"counts": [3, 30, 5, 12, 40]}', both, others=(FOXES,), ask=ORDER)
    assert (verdict.score, verdict.position) == (1.0, 0.6)
    assert verdict.failure_modes == (CountingFailure.WRONG_ORDER,)
    verdict = _list(
        '{"counts": [3, 7, 12, 9, 44], "little_penguin": [12, 5, 40]}',
        both,
        others=(FOXES,),
        ask=ORDER,
    )
    assert (verdict.score, verdict.confusion) == (0.4, 0.6)


def test_reasoning_gives_credit_for_what_stands_there() -> None:
    verdict = _list("[15, 21, 30, 31]", (15, 20, 30, 41), wrong=(16, 21, 31, 40))
    assert verdict.credits == (1.0, 0.25, 0.5, 0.0)
    assert verdict.score == 1.75 / 4
    assert (verdict.position, verdict.precision, verdict.confusion) == (0.5, 0.5, None)
    assert verdict.failure_modes == (CountingFailure.MISSING, CountingFailure.MISTAKE)
    assert verdict.reason == (
        "2 of 4 stars are listed; missing: 20, 41. Besides, counted by mistake: 21, 31."
    )
    verdict = _list("[15, 99]", (15, 20), wrong=(16, 21))
    assert verdict.failure_modes == (CountingFailure.MISSING, CountingFailure.ADDED)


def test_a_case_without_stars_or_mistakes_is_refused() -> None:
    for ask in (LIST, SUM):
        with pytest.raises(ValueError, match="no star"):
            judge(StarCase(StarTask.SEARCHING, ask, (), "3"))
    with pytest.raises(ValueError, match="2 right and 1 wrong"):
        judge(StarCase(StarTask.REASONING, LIST, (3, 5), "3", (4,)))


@pytest.mark.parametrize(
    "piece",
    ['{"sum":[1', '"sum": 1 ', "'sum':[1,2", "sum: 1 + ", "sum:null ", '"sum":[] ', "sum:[[[[",
     "sum", "1,", "1,111,", "1 = ", "= ", "[1 2] ", "[1 2 ", "[", "1\n\n", "\n ", "1.", "是一",
     "总数：一", "1 and ", "sum: \"'*_`", "one hundred ", "<think>"],
)  # fmt: skip
@pytest.mark.usefixtures("linear")
def test_time_grows_with_the_length_only(piece: str) -> None:
    reading = read_one(piece * (100_000 // len(piece)), ASKED[SUM])
    assert bool(reading.numbers) == (reading.problem is None)


@pytest.mark.usefixtures("linear")
def test_long_answers_are_judged() -> None:
    sky = tuple(range(1, 10_000, 4))
    others = (tuple(range(2, 10_000, 4)), tuple(range(3, 10_000, 4)))
    for text in (json.dumps(list(range(40_000))), "[1, " * 60_000, '{"sum": 1 ' * 25_000):
        for ask in (LIST, SUM):
            case = StarCase(StarTask.PLAYERS, ask, sky, text, others=others, asked=ASKED[ask])
            assert judge(case).score < 1
        assert judge(StarCase(StarTask.REASONING, LIST, sky, text, wrong=others[0])).score < 1


SKIES = st.lists(st.integers(0, 60), min_size=6, max_size=24, unique=True)
"""Shared out among one who is asked for, another, and mistakes."""
TEXTS = st.text(
    alphabet="[]{}\",:='0123456789 \n-+.esumlargt三一十总数是颗第</>thinkone★，１", max_size=150
)


def _cases(sky: list[int], response: str) -> list[StarCase]:
    """One case of every task and ask."""
    right, rest = tuple(sky[: len(sky) // 3]), tuple(sky[len(sky) // 3 :])
    wrong, others = rest[: len(right)], (rest[::2], rest[1::2])
    return [
        StarCase(StarTask.SEARCHING, LIST, right, response),
        StarCase(StarTask.REASONING, LIST, right, response, wrong=wrong),
        *(
            StarCase(StarTask.PLAYERS, ask, right, response, others=others, asked=ASKED[ask])
            for ask in StarAsk
        ),
    ]


@settings(max_examples=examples(100), deadline=None)
@given(SKIES, TEXTS)
def test_any_text_has_a_verdict_within_its_bounds(sky: list[int], text: str) -> None:
    for case in _cases(sky, text):
        verdict = judge(case)
        shares = (verdict.score, verdict.position, verdict.precision, verdict.confusion)
        assert all(share is None or 0 <= share <= 1 for share in shares)
        assert (verdict.confusion is None) == (case.task is not StarTask.PLAYERS)
        assert (verdict.position is None) == (not case.ask.listed)
        stars = 0 if not case.ask.listed else len(case.right)
        assert len(verdict.credits) == len(verdict.positions) == stars
        order = list(CountingFailure)
        places = [order.index(mode) for mode in verdict.failure_modes]
        assert places == sorted(set(places))
        assert verdict.correct or verdict.failure_modes
        assert verdict.reason.endswith(".")
        assert len(verdict.reason) < 600


@given(SKIES)
def test_a_perfect_answer_scores_one_in_all_tasks(sky: list[int]) -> None:
    for case in _cases(sky, ""):
        truth = {LIST: list(case.right), SUM: sum(case.right), LARGEST: max(case.right)}
        answer = json.dumps({case.asked[0]: truth.get(case.ask, list(case.right))})
        verdict = judge(StarCase(case.task, case.ask, case.right, answer, case.wrong, case.others,
                                 case.asked))  # fmt: skip
        assert (verdict.score, verdict.correct, verdict.failure_modes) == (1.0, True, ())
        assert verdict.position in (1.0, None)
        assert verdict.precision in (1.0, None)
        assert verdict.confusion in (0.0, None)
        assert all(verdict.credits)
        assert all(verdict.positions)


@given(SKIES, st.data())
def test_another_order_keeps_the_score(sky: list[int], data: st.DataObject) -> None:
    for case in _cases(sky, ""):
        if not case.ask.listed:
            continue
        numbers = data.draw(st.lists(st.sampled_from(sky), max_size=len(case.right)))
        answers = (numbers, data.draw(st.permutations(numbers)))
        one, other = (
            judge(StarCase(case.task, case.ask, case.right, json.dumps({case.asked[0]: answer}),
                           case.wrong, case.others, case.asked))
            for answer in answers
        )  # fmt: skip
        assert (one.score, one.credits) == (other.score, other.credits)
        assert (one.precision, one.confusion) == (other.precision, other.confusion)


@given(SKIES, st.data())
def test_each_more_of_anothers_numbers_raises_confusion(
    sky: list[int], data: st.DataObject
) -> None:
    right, theirs = tuple(sky[: len(sky) // 2]), tuple(sky[len(sky) // 2 :])
    size = data.draw(st.integers(0, len(right) - 1))
    numbers = list(right[:size])
    before = _list(json.dumps({"little_penguin": numbers}), right, others=(theirs,))
    assert before.confusion == 0
    last = 0.0
    for more in range(1, min(len(theirs), len(right) - size) + 1):
        listed = [*numbers, *theirs[:more]]
        verdict = _list(json.dumps({"little_penguin": listed}), right, others=(theirs,))
        assert verdict.confusion == more / len(listed)
        assert verdict.confusion > last or size == 0
        assert verdict.score == before.score
        assert CountingFailure.OTHER_PLAYER in verdict.failure_modes
        assert CountingFailure.ADDED not in verdict.failure_modes
        last = verdict.confusion


@given(st.integers(0, 10**9), st.sampled_from(["sum", "总数"]))
def test_what_json_writes_is_read_back(number: int, name: str) -> None:
    for value in (number, str(number), [number], f"{number:,}"):
        for ascii_only in (True, False):
            text = json.dumps({name: value}, ensure_ascii=ascii_only)
            assert read_one(text, ASKED[SUM]).numbers == (number,)
            assert read_one(f"It is:\n{text}\nDone.", ASKED[SUM]).numbers == (number,)


@pytest.mark.parametrize("ask", [ask for ask in StarAsk if ask.listed])
def test_no_single_number_answers_a_question_for_a_list(ask: StarAsk) -> None:
    with pytest.raises(KeyError):
        wanted(ask, [3, 5])
