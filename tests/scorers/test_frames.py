"""What frames the items of an answer and is none: weeks, ranges of days, drafts."""

from __future__ import annotations

import pytest

from seqniah_scorers.reading.answers import parse
from seqniah_scorers.reading.weeks import range_heading
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case

DAYS = [
    ("December 5, 2011", "I planted tomatoes in the garden."),
    ("December 6, 2011", "I made a small vase."),
    ("December 11, 2011", "I watched whales on the coast."),
]
ZH_DAYS = ["8月1日，种下西红柿。", "8月5日，做了花瓶。", "8月9日，看鲸鱼纪录片。"]
ZH_REFERENCE = "内容如下：\n" + "\n".join(f"- 2011年{day}" for day in ZH_DAYS)


@pytest.mark.parametrize(
    ("text", "marked", "frame"),
    [
        ("Week 2 (December 8–14)", False, (None, 12)),
        ("Week of December 4–10", False, (None, 12)),
        ("Week 1 (Dec 1-7)", True, (None, 12)),
        ("Week 1: December 4 to December 10, 2011", False, (2011, 12)),
        ("First week (4–10 December 2011)", True, (2011, 12)),
        ("Week of November 30 – December 6, 2011", True, (2011, None)),
        ("Week 5 (2011-12-26 to 2012-01-01)", False, (None, None)),
        ("Week 2 (8–14)", False, (None, None)),
        ("Dec 4-10", False, (None, 12)),
        ("Dec 4-10", True, None),
        ("第一周（8月1日至7日）", False, (None, 8)),
        ("第二周（2011年8月29日-9月4日）", True, (2011, None)),
        ("8月1日—7日", False, (None, 8)),
        ("December 4, 2011", False, None),
        ("December 4–10: I painted the fence", False, None),
        ("Week 1: paint the fence", True, None),
        ("Week 1", True, None),
        ("", False, None),
    ],
)
def test_a_range_of_days_gives_what_its_days_share(
    text: str, marked: bool, frame: tuple[int | None, int | None] | None
) -> None:
    assert range_heading(text, marked) == frame


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("**Week 1 (December 4–7)**", "**Week 2 (December 8–14)**"),
        ("### Week of December 4–10", "### Week of December 11–17"),
        ("Week 1 (Dec 1-7)", "Week 2 (Dec 8-14)"),
        ("1. Week 1 (Dec 1–7):", "2. Week 2 (Dec 8–14):"),
        ("## December 4–10, 2011", "## December 11–17, 2011"),
    ],
)
def test_a_week_is_no_item(first: str, second: str) -> None:
    reference = "The contents:\n" + "\n".join(f"- {day}：{text}" for day, text in DAYS)
    rows = [f"- {day}: {text}" for day, text in DAYS]
    answer = "\n\n".join([first, *rows[:2], second, rows[2], "**Week 3 (December 15–21)**"])
    got = judge(Case("en", "temporal", "", reference, answer, order_required=True))
    assert got.correct, got.reason


def test_a_week_dates_nothing_by_its_days() -> None:
    items = parse("### 2011\n\n### Week of March 6–12\n\n- I made a vase.\n- March 9: I slept.")
    assert [i.date.key() for i in items if i.date] == [(2011, 3, None), (2011, 3, 9)]


@pytest.mark.parametrize(
    "first", ["第一周（8月1日至7日）", "**第一周（8月1日至7日）**", "- 第一周（8月1日至7日）："]
)
def test_a_chinese_week_is_no_item(first: str) -> None:
    answer = "\n".join([first, *(f"- {day}" for day in ZH_DAYS), "第三周（8月15日至21日）"])
    got = judge(Case("zh", "temporal", "", ZH_REFERENCE, answer, order_required=True))
    assert got.correct, got.reason


@pytest.mark.parametrize("opening", ["首先找到所有记录：", "首先，文中的记录有："])
@pytest.mark.parametrize("closing", ["按时间顺序整理如下：", "按时间顺序整理如下"])
@pytest.mark.parametrize(("draft", "final"), [("", ""), ("- ", "- "), ("> ", "1. "), ("", "- ")])
def test_of_found_entries_and_a_sorted_list_the_list_counts(
    opening: str, closing: str, draft: str, final: str
) -> None:
    found = [f"{draft}2011年{day}" for day in (ZH_DAYS[2], ZH_DAYS[0], ZH_DAYS[1])]
    listed = [f"{final}2011年{day}" for day in ZH_DAYS]
    answer = "\n".join([opening, *found, "", closing, *listed])
    got = judge(Case("zh", "temporal", "", ZH_REFERENCE, answer, order_required=True))
    assert got.correct, got.reason


def test_an_announced_list_that_never_comes_takes_nothing_away() -> None:
    answer = "\n".join([*(f"2011年{day}" for day in ZH_DAYS), "按时间顺序整理如下："])
    got = judge(Case("zh", "temporal", "", ZH_REFERENCE, answer, order_required=True))
    assert got.correct, got.reason
