"""What frames the items of an answer and is none: drafts and what announces a list."""

from __future__ import annotations

import pytest

from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case

ZH_DAYS = ["8月1日，种下西红柿。", "8月5日，做了花瓶。", "8月9日，看鲸鱼纪录片。"]
ZH_REFERENCE = "内容如下：\n" + "\n".join(f"- 2011年{day}" for day in ZH_DAYS)


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
