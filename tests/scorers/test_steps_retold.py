"""Steps told freely: merged, split, in prose, under phases; and what must not slip through."""

from __future__ import annotations

import pytest

from seqniah_scorers.reading.answers import parse
from seqniah_scorers.reading.cues import is_placeholder
from seqniah_scorers.rules import judge
from seqniah_scorers.text import MAX_CHARS, unread
from seqniah_scorers.verdict import Case

REFERENCE_DEALS = (
    "The records are:\n- 2016-02-29: Alder Film began to acquire Birch Media, 20% of the shares.\n"
    "- 2016-09-30: Alder Film completed acquiring Birch Media, 20% of the shares.\n"
    "- 2017-04-13: Birch Media obtained round A funding of $12M."
)


@pytest.mark.parametrize(
    "done", ["completed", "the deal was completed", "it was finally completed"]
)
def test_a_completion_is_that_of_the_deal_before(done: str) -> None:
    text = (
        "1. 2016-02-29: Alder Film began to acquire Birch Media, 20% of the shares.\n"
        f"2. 2016-09-30: {done}.\n3. 2017-04-13: Birch Media obtained round A funding of $12M."
    )
    case = Case("en", "temporal", "What do the records say?", REFERENCE_DEALS, text)
    assert judge(case).correct, judge(case).reason


def test_a_number_in_brackets_is_no_word() -> None:
    assert [i.text for i in parse("[1] Boil water\n[2] Add salt")] == ["Boil water", "Add salt"]


def test_quotation_marks_in_json_end_no_entry() -> None:
    assert [i.text for i in parse('["打开“设置”", "关闭“蓝牙”"]')] == ['打开"设置"', '关闭"蓝牙"']


def test_a_step_may_be_named_as_remarks_are() -> None:
    text = "## Step 1: Sampling\nTake cores.\n## Step 2: Analysis\nMeasure the pH."
    assert [i.text for i in parse(text)] == ["Sampling. Take cores.", "Analysis. Measure the pH."]


@pytest.mark.parametrize(
    "text",
    [
        "Transport – the text does not mention how the crates are moved.",
        "Transport: not mentioned",
        "Transport (not specified in the document)",
        "运输——文中未提及具体做法",
        "运输(文中未说明)",
    ],
)
def test_a_name_without_its_step_states_nothing(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "Check the form, not provided fields are filled in",
        "审核:未提供发票的退回",
        "Send back what was not provided in writing",
        "Order the scores from the publisher; digital copies are not mentioned.",
    ],
)
def test_a_step_with_a_negation_is_no_placeholder(text: str) -> None:
    assert not is_placeholder(text)


REFERENCE = "The diary says:\n- May 2, 2011: I swam in the lake.\n- May 5, 2011: I fed the goats."
RIGHT = "1. May 2, 2011: I swam in the lake.\n2. May 5, 2011: I fed the goats."


def _long(response: str) -> Case:
    return Case("en", "temporal", "What does the diary say?", REFERENCE, response)


def test_what_stands_behind_the_limit_could_be_anything() -> None:
    assert judge(_long(RIGHT)).correct
    behind = RIGHT + "\n" * MAX_CHARS + "3. May 7, 2011: I sold the goats."
    verdict = judge(_long(behind))
    assert not verdict.correct
    assert "200,000 characters" in verdict.reason


def test_blanks_behind_the_limit_are_nothing() -> None:
    assert judge(_long(RIGHT + "\n" * (2 * MAX_CHARS))).correct


def test_characters_that_fold_into_many_cannot_hide_the_end() -> None:
    # U+FDFA stands for eighteen characters.
    hidden = RIGHT + "\ufdfa" * 30_000 + "\n3. May 7, 2011: I sold the goats."
    assert len(hidden) < MAX_CHARS
    assert unread(hidden)
    assert not judge(_long(hidden)).correct
