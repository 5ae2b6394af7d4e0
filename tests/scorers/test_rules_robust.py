"""The rule judge on real cases, on hostile text and on conventions beyond the layouts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case, FailureMode, Verdict

EVENTS = [
    "- March 3, 2012：I planted tomatoes in the garden in the morning.",
    "- March 9, 2012：I attended a pottery class and made a small vase.",
    "- March 14, 2012：I planted peppers and weeded the beds.",
    "- March 27, 2012：I watched a documentary about whales in the evening.",
]
REFERENCE = "\n".join(["The contents are:", *EVENTS])
QUESTION = "What are the contents of Journal of Ida Berg?"
STEPS = "\n".join(
    [
        "Change a tyre as follows:",
        "1. Loosen the wheel nuts a little with the wrench.",
        "2. Raise the car with the jack.",
        "3. Take off the nuts and the flat wheel.",
        "4. Mount the spare wheel.",
        "5. Lower the car and tighten the nuts crosswise.",
    ]
)


def ask(response: str, question: str = QUESTION, cut_off: bool = False) -> Verdict:
    return judge(Case("en", "temporal", question, REFERENCE, response, cut_off=cut_off))


def steps(response: str) -> Verdict:
    return judge(Case("en", "logical", "How do I change a tyre?", STEPS, response))


def test_real_cases_labelled_by_hand() -> None:
    data = os.environ.get("SEQNIAH_REAL_DATA")
    if not data:
        pytest.skip("SEQNIAH_REAL_DATA is not set: no labelled real cases here")
    text = (Path(data) / "judge_dev_examples.jsonl").read_text(encoding="utf-8")
    wrong = []
    for row in map(json.loads, text.splitlines()):
        case = Case(
            row["lang"], row["needle_type"], row["question"], row["reference"], row["response"]
        )
        got = judge(case)
        assert got.order_required is row["requires_order"], row["id"]
        if got.correct is not (row["label"] == "correct"):
            wrong.append((row["id"], row["note"], got.reason))
    assert not wrong


@pytest.mark.parametrize(
    ("question", "demanded"),
    [
        ("List the contents of the diary in chronological order.", True),
        ("List the contents of the diary by date.", True),
        ("List the specific contents of Record of James Clark in order.", True),
        ("Give the sequence of events.", True),
        ("What happened, sorted from earliest to latest?", True),
        ("What are the contents of the diary?", False),
        ("What did Iran do in order to help Yemen?", False),
        ("List them in any order.", False),
        ("Which order did the court issue?", False),
        ("请按时间顺序列举事件。", True),
        ("按日期罗列胡慧聪记事的内容", True),
        ("请按顺序列出内容。", True),
        ("依次说明发生了什么", True),
        ("请按照先后列出", True),
        ("日记都包括什么内容？", False),
        ("列出内容，不分先后。", False),
    ],
)
def test_order_demand_is_read_from_the_question(question: str, demanded: bool) -> None:
    assert demands_order(question) is demanded
    assert demands_order(question, "logical") is True


def test_the_case_overrules_the_question() -> None:
    backwards = "\n".join(reversed(EVENTS))
    case = Case("en", "temporal", QUESTION, REFERENCE, backwards, order_required=True)
    assert judge(case).failure_modes == (FailureMode.WRONG_ORDER,)
    assert judge(case).order_agreement == -1.0


@pytest.mark.parametrize(
    ("response", "mode"),
    [
        ("", FailureMode.NO_ANSWER),
        (" \n\u200b", FailureMode.NO_ANSWER),
        ("I cannot find this diary in the text.", FailureMode.REFUSED),
        ("The document does not mention the journal of Ida Berg.", FailureMode.REFUSED),
        ("文中没有提到相关内容。", FailureMode.REFUSED),
        ("无法找到所需的信息。", FailureMode.REFUSED),
        ("Here are the contents:", FailureMode.UNREADABLE),
    ],
)
def test_refusals_and_unreadable_text(response: str, mode: FailureMode) -> None:
    got = ask(response)
    assert (got.correct, got.failure_modes) == (False, (mode,))
    assert (got.item_recall, got.item_precision) == (0.0, 0.0)
    assert len(got.pairs) == 4


NOISE = "单刘备好出去曾 pon一事 fail王司机蓝阿伯 挎着去岑脊平城管所ec屋顶认得并抄ought hurdles"


def test_a_word_among_noise_tells_no_step() -> None:
    reference = (
        "蒸米饭的步骤如下：\n- 把泡好的米下进滚水煮\n- 在蒸屉里铺平的米上扎气孔\n- 坐上滚水蒸透"
    )
    for response in (NOISE, "平"):
        got = judge(Case("zh", "logical", "怎样蒸米饭？", reference, response))
        assert (got.correct, got.item_recall) == (False, 0.0)


def test_cut_off_is_told_only_of_wrong_answers() -> None:
    assert ask("\n".join(EVENTS), cut_off=True).failure_modes == ()
    got = ask("\n".join(EVENTS[:2]), cut_off=True)
    assert got.failure_modes == (FailureMode.MISSING, FailureMode.CUT_OFF)


def test_a_dropped_detail_and_a_comment_pass() -> None:
    got = ask(
        "- 2012-03-03: Planted tomatoes. This shows a love of gardening at 100 percent.\n"
        "- 2012-03-09: Attended a pottery class.\n"
        "- 2012-03-14: She planted peppers, no doubt with joy, and weeded the beds.\n"
        "- 2012-03-27: Ida Berg watched a film, a documentary about whales, in the evening."
    )
    assert got.correct, got.reason


def test_undated_items_match_by_content() -> None:
    bare = "\n".join("- " + e.partition("：")[2] for e in EVENTS)
    assert ask(bare).correct
    assert ask(bare, "List the contents in order.").correct


def test_two_events_told_in_one_undated_sentence_are_both_found() -> None:
    got = ask("Ida planted peppers and weeded the beds, and attended a pottery class.")
    assert [p.reference for p in got.pairs if p.same] == [1, 2]
    assert FailureMode.MISSING in got.failure_modes


def test_swapped_content_of_two_dates_is_two_changes() -> None:
    one, two = EVENTS[0].partition("：")[2], EVENTS[1].partition("：")[2]
    rows = [EVENTS[0].replace(one, two), EVENTS[1].replace(two, one), *EVENTS[2:]]
    got = ask("\n".join(rows))
    assert got.failure_modes == (FailureMode.INCORRECT,)
    assert got.item_recall == got.item_precision == 0.5


def test_verdict_numbers_and_reason() -> None:
    got = ask("\n".join([*EVENTS[:3], "- May 1, 2012: I sold the old bicycle to a student."]))
    assert got.failure_modes == (FailureMode.MISSING, FailureMode.REDUNDANT)
    assert (got.item_recall, got.item_precision) == (0.75, 0.75)
    assert "3 of 4" in got.reason
    assert "whales" in got.reason
    assert "bicycle" in got.reason


def test_steps_in_other_words_pass_and_a_swap_fails() -> None:
    told = [
        "1. **Loosen the nuts**: use the wrench to loosen the wheel nuts slightly.",
        "2. **Lift the car**: raise the vehicle with a jack until the wheel hangs free.",
        "3. **Remove the wheel**: take the nuts off and pull away the flat wheel.",
        "4. **Fit the spare**: mount the spare wheel on the hub.",
        "5. **Finish**: lower the car, then tighten all nuts crosswise.",
    ]
    assert steps("\n".join(told)).correct, steps("\n".join(told)).reason
    told[1], told[2] = told[2], told[1]
    assert steps("\n".join(told)).failure_modes == (FailureMode.WRONG_ORDER,)
    assert steps("\n".join(told[1:])).correct is False


def test_a_long_loop_of_repeated_lines_is_redundant() -> None:
    block = "\n".join(EVENTS) + "\n\n"
    got = ask((block * (34_000 // len(block) + 1))[:34_000])
    assert FailureMode.REDUNDANT in got.failure_modes
    assert got.item_recall == 1.0


HOSTILE = {
    "one line": "a" * 1_000_000,
    "digits": "1" * 200_000,
    "dates": "2012-03-03 " * 20_000,
    "distinct items": "\n".join(f"- 2012-03-{n % 28 + 1:02d}: thing {n}" for n in range(30_000)),
    "stars": "*" * 200_000,
    "stars and words": "**a** *b* " * 30_000,
    "open brackets": "[" * 100_000,
    "open braces": '{"a":' * 50_000,
    "pipes": "|" * 200_000,
    "spaces": " " * 300_000 + "x",
    "spaces between": ("a" + " " * 500) * 1_000,
    "commas": "a, " * 100_000,
    "not": "is not " * 50_000,
    "the": "the " * 80_000,
    "and then": "and then " * 40_000,
    "full stops": "." * 300_000,
    "wide letters": "\ufdfa" * 50_000,
    "carriage returns": "\r" * 100_000,
    "surrogate": "\ud800 - 2012-03-03: x",
    "nulls": "\0" * 1_000,
    "Chinese": "没有被" * 60_000,
    "months": "May " * 60_000,
    "nesting": "\n".join(" " * n + "- x" for n in range(1_500)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gets_a_verdict(name: str) -> None:
    assert ask(HOSTILE[name]).correct is False


ITEMS = st.lists(
    st.sampled_from([*EVENTS, "", "Note: x", "## 2012", "| a | b |", "no\r"]), max_size=12
)


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=300) | ITEMS.map("\n".join))
def test_a_verdict_is_consistent_in_itself(response: str) -> None:
    got = ask(response)
    assert got == ask(response)
    assert got.correct is (not got.failure_modes)
    assert list(got.failure_modes) == [m for m in FailureMode if m in got.failure_modes]
    assert 0 <= got.item_recall <= 1
    assert 0 <= got.item_precision <= 1
    assert sorted(p.reference for p in got.pairs if p.reference is not None) == [0, 1, 2, 3]
    answers = sorted(p.answer for p in got.pairs if p.answer is not None)
    assert answers == list(range(len(answers)))
    if got.correct:
        assert got.item_recall == got.item_precision == 1.0


@settings(max_examples=examples(25), deadline=None)
@given(st.permutations(EVENTS), st.booleans())
def test_any_order_passes_exactly_where_none_is_demanded(rows: list[str], demand: bool) -> None:
    question = "List the contents in order." if demand else QUESTION
    assert ask("\n".join(rows), question).correct is (rows == EVENTS or not demand)


@settings(max_examples=examples(25), deadline=None)
@given(st.sets(st.sampled_from(EVENTS)))
def test_recall_is_the_share_of_the_stated_items(rows: set[str]) -> None:
    got = ask("\n".join(e for e in EVENTS if e in rows))
    assert got.item_recall == len(rows) / len(EVENTS)


GRAVY = """To make gravy from pan juices, proceed as follows:
- Spoon the fat off the juices into the empty roasting tin
- Stir flour into the fat in the tin until the paste is brown
- Whisk the hot stock into the brown paste
- Strain the thick gravy into a warm jug"""


@pytest.mark.parametrize("left_out", range(4))
def test_words_that_steps_share_with_the_question_hide_no_missing_step(left_out: int) -> None:
    steps = [line.removeprefix("- ") for line in GRAVY.split("\n")[1:]]
    told = [f"To make gravy from pan juices, {step[0].lower()}{step[1:]}." for step in steps]
    question = "How does one make gravy from pan juices? List the steps in order."
    assert judge(Case("en", "logical", question, GRAVY, "\n".join(f"- {t}" for t in told))).correct
    del told[left_out]
    verdict = judge(Case("en", "logical", question, GRAVY, "\n".join(f"- {t}" for t in told)))
    assert verdict.failure_modes == (FailureMode.MISSING,)


def test_steps_may_name_again_whom_the_question_names() -> None:
    reference = "给爷爷办证的步骤：\n- 在网上填好申请表\n- 带申请表到窗口核对照片\n- 按回执日期取证"
    question = "怎样给爷爷办证？请按顺序列出步骤。"
    answer = (
        "1. 给爷爷办证时，要在网上填好申请表。\n"
        "2. 给爷爷办证时，要带申请表到窗口核对照片。\n"
        "3. 给爷爷办证时，要按回执日期取证。"
    )
    assert judge(Case("zh", "logical", question, reference, answer)).correct
