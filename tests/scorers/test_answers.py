"""How free text becomes items: one test case a rule, named after it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_scorers.reading.answers import Item, parse

SUSHI = "2010-11-06 made sushi"
LECTURE = "2010-11-07 heard a lecture"


def shown(item: Item) -> str:
    """The item on one line; parts of the date that are open become question marks."""
    if item.date is None:
        return item.text.strip(" .。")
    year, month, day = item.date.key()
    parts = (f"{year or '?'}", f"{month:02d}" if month else "?", f"{day:02d}" if day else "?")
    return f"{'-'.join(parts)} {item.text.strip(' .。')}".strip()


RULES: dict[str, tuple[str, list[str]]] = {
    "numbered lines are items": (
        "1. November 6, 2010: made sushi.\n2. November 7, 2010: heard a lecture.",
        [SUSHI, LECTURE],
    ),
    "the numbering need not count up": (
        "1. 2010-11-06: made sushi\n8. 2010-11-07: heard a lecture\n4. 2010-11-09: ran",
        [SUSHI, LECTURE, "2010-11-09 ran"],
    ),
    "a number glued to a year is a marker": (
        "1.2010年11月6日：做寿司\n2.2010年11月7日：听讲座",
        ["2010-11-06 做寿司", "2010-11-07 听讲座"],
    ),
    "circled and Chinese numerals are markers": (
        "① 打开软件\n② 点击插入",
        ["打开软件", "点击插入"],
    ),
    "step words are markers": (
        "Step 1: Open the viewer\nStep 2: Click Insert",
        ["Open the viewer", "Click Insert"],
    ),
    "bullets of any sign are items": (
        "• 2010-11-06: made sushi\n– 2010-11-07: heard a lecture",
        [SUSHI, LECTURE],
    ),
    "a preamble that ends in a colon is no item": (
        "Here are the events of November 2010:\n- 2010-11-06: made sushi",
        [SUSHI],
    ),
    "a closing remark is no item": (
        "- 2010-11-06: made sushi\n\nThese events took place in November 2010. Let me know!",
        [SUSHI],
    ),
    "a closing remark with a range of dates is no item": (
        "- 2010-11-06: made sushi\n\nThe diary runs from November 6, 2010 to November 7, 2010.",
        [SUSHI],
    ),
    "bullets under a summary heading are remarks": (
        "1. 2010-11-06: made sushi\n\n**Summary:**\n- She likes to cook.",
        [SUSHI],
    ),
    "a sub-bullet belongs to its parent": (
        "1. Open the viewer\n   - use the menu\n   - or a shortcut\n2. Click Insert",
        ["Open the viewer. use the menu. or a shortcut", "Click Insert"],
    ),
    "a sub-bullet under a bare date is the item": (
        "1. **November 6, 2010:**\n   - made sushi.\n"
        "2. **November 7, 2010:**\n   - heard a lecture.",
        [SUSHI, LECTURE],
    ),
    "sub-bullets may be labelled fields": (
        "1. Entry 1\n   - Date: 2010-11-06\n   - Event: made sushi\n"
        "2. Entry 2\n   - Date: 2010-11-07\n   - Event: heard a lecture",
        [SUSHI, LECTURE],
    ),
    "a group line dates its sub-bullets and is no item": (
        "- November 2010\n    - November 6: made sushi\n    - November 7: heard a lecture",
        [SUSHI, LECTURE],
    ),
    "a year heading is carried down": (
        "**2014**\n* On March 24, A met B.\n**2015**\n* On May 1, A left B.",
        ["2014-03-24 A met B", "2015-05-01 A left B"],
    ),
    "a month heading is carried down": (
        "### 2010年11月\n- 6日：做寿司\n- 7日：听讲座",
        ["2010-11-06 做寿司", "2010-11-07 听讲座"],
    ),
    "a day heading dates the text below": (
        "### November 6, 2010\nmade sushi.\n\n### November 7, 2010\nheard a lecture.",
        [SUSHI, LECTURE],
    ),
    "a bare date line dates the next line": (
        "November 6, 2010\nmade sushi.\n\nNovember 7, 2010\nheard a lecture.",
        [SUSHI, LECTURE],
    ),
    "the date may stand behind the text": (
        "- made sushi (2010-11-06)\n- heard a lecture on November 7, 2010.",
        [SUSHI, LECTURE],
    ),
    "a table row is an item, its header none": (
        "| Date | Event |\n|---|---|\n"
        "| 2010-11-06 | made sushi |\n| 2010-11-07 | heard a lecture |",
        [SUSHI, LECTURE],
    ),
    "a fence is no item": ("```\n2010-11-06: made sushi\n```", [SUSHI]),
    "JSON objects are items": (
        json.dumps([{"date": "2010-11-06", "event": "made sushi"}], indent=1),
        [SUSHI],
    ),
    "a Python list of strings is a list of items": (
        "['2010-11-06: made sushi', '2010-11-07: heard a lecture',]",
        [SUSHI, LECTURE],
    ),
    "prose is cut at its dates": (
        "On November 6, 2010, she made sushi. On November 7, 2010, she heard a lecture.",
        ["2010-11-06 she made sushi", "2010-11-07 she heard a lecture"],
    ),
    "one sentence may hold several dated events": (
        "On 2010-11-06 she made sushi, and on 2010-11-07 she heard a lecture.",
        ["2010-11-06 she made sushi", "2010-11-07 she heard a lecture"],
    ),
    "one sentence may date its events behind them": (
        "She made some sushi on 2010-11-06, heard a lecture on 2010-11-07.",
        ["2010-11-06 She made some sushi", "2010-11-07 heard a lecture"],
    ),
    "Chinese prose is cut at its dates": (
        "2010年11月6日，她做寿司；11月7日，她听讲座。",
        ["2010-11-06 她做寿司", "?-11-07 她听讲座"],
    ),
    "two dates before one event are two items": (
        "On June 8, 2005 and June 10, 2005, Iran consulted with Yemen.",
        ["2005-06-08 Iran consulted with Yemen", "2005-06-10 Iran consulted with Yemen"],
    ),
    "a range of dates is one date with its common part": (
        "From July 1 to July 12, 2002, she tried curry and read a novel.",
        ["2002-07-? she tried curry and read a novel"],
    ),
    "undated sentences are items where no date is": (
        "First, open the viewer. Finally, click Insert.",
        ["First, open the viewer", "Finally, click Insert"],
    ),
    "a placeholder is no item": (
        "1. 2010-11-06: made sushi\n2. 2010-11-07: Not mentioned in the text.\n"
        "3. 2010-11-08: No specific event is recorded.\n4. 2010-11-09：文中未提及具体内容",
        [SUSHI],
    ),
    "a comment that something is not stated makes no placeholder": (
        "1. 2010-11-06: made sushi. The exact recipe is not mentioned.",
        ["2010-11-06 made sushi. The exact recipe is not mentioned"],
    ),
    "an item named to be excluded is none": (
        "1. 2010-11-06: made sushi\n"
        "2. 2010-11-07: heard a lecture (not included, as it belongs to another diary)\n\n"
        "Note: the entry of November 20, 2010 is excluded.",
        [SUSHI],
    ),
    "of a draft and a final list the final one counts": (
        "1. 2010-11-07: heard a lecture\n2. 2010-11-06: made sushi\n\n"
        "The correct chronological order would be:\n"
        "1. 2010-11-06: made sushi\n2. 2010-11-07: heard a lecture",
        [SUSHI, LECTURE],
    ),
    "a final list of dates takes its content from the draft": (
        "1. 2010-11-07: heard a lecture\n2. 2010-11-06: made sushi\n\n"
        "In chronological order:\n- November 6, 2010\n- November 7, 2010",
        [SUSHI, LECTURE],
    ),
    "two lists without such a line are both read": (
        "- 2010-11-06: made sushi\n- 2010-11-07: heard a lecture\n\n"
        "- 2010-11-06: made sushi\n- 2010-11-07: heard a lecture",
        [SUSHI, LECTURE, SUSHI, LECTURE],
    ),
    "two date formats may stand in one answer": (
        "- 2010-11-06: made sushi\n- 7 November 2010: heard a lecture",
        [SUSHI, LECTURE],
    ),
    "other languages and scripts are kept": (
        "1. 6 de noviembre de 2010: hizo sushi\n2. 2010-11-07: ฟังบรรยาย 강의",
        ["2010-11-06 hizo sushi", "2010-11-07 ฟังบรรยาย 강의"],
    ),
    "hidden thoughts before the answer do not count": (
        "<think>\n1. 2010-01-01: perhaps\n</think>\n1. 2010-11-06: made sushi",
        [SUSHI],
    ),
    "thoughts that never end are no answer": (
        "<think>\n1. 2010-11-06: made sushi\n2. 2010-11-07: heard a lecture",
        [],
    ),
    "nor are those after a thought that ends": (
        "<think>Hm.</think>\n1. 2010-11-06: made sushi\n<thinking>2. 2010-11-07: heard a lecture",
        [SUSHI],
    ),
    "invisible characters and emphasis are dropped": (
        "1. **2010\u200b-11-06**: _made_ `sushi`\u202e",
        [SUSHI],
    ),
    "a LaTeX box is unwrapped": ("\\[\n\\boxed{2010-11-06: made sushi}\n\\]", [SUSHI]),
    "no words, no items": ("\n---\n***\n", []),
}


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    text, expected = RULES[rule]
    assert [shown(i) for i in parse(text)] == expected


def test_spans_lead_back_to_the_lines() -> None:
    text = "Here it is:\n1. 2010-11-06: made sushi\n2. Open\n   - the viewer\n"
    spans = [text[slice(*i.span)] for i in parse(text)]
    assert spans == ["1. 2010-11-06: made sushi", "2. Open\n   - the viewer"]


def test_spans_count_the_thoughts_before_the_answer() -> None:
    text = "<think>\n1. 2010-01-01: perhaps\n</think>\n1. 2010-11-06: made sushi\n"
    assert [text[slice(*i.span)] for i in parse(text)] == ["1. 2010-11-06: made sushi"]


def test_a_reference_keeps_items_that_look_like_remarks() -> None:
    reference = "步骤如下：\n1. 查看合同。\n2. 以上都无效时，提起诉讼。"
    assert [shown(i) for i in parse(reference, trusted=True)] == [
        "查看合同",
        "以上都无效时,提起诉讼",
    ]


@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from("-*#|1. 2010年[{'\"\n:`_\\("), max_size=80).map("".join)
)
def test_any_text_can_be_read(text: str) -> None:
    for item in parse(text):
        assert 0 <= item.span[0] <= item.span[1] <= len(text)
