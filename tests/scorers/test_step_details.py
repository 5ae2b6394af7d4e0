"""Details of steps told at length: amounts, opposites, who does it; and steps told in two items."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_scorers.comparing.measures import changed_measure
from seqniah_scorers.comparing.opposed import changed_way
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case

PROBES = (Path(__file__).parent / "step_probes.txt").read_text("utf-8")


def _rows() -> list[tuple[str, str, str, str]]:
    """Step, the same step at length, and the step with a changed detail, by question."""
    rows = []
    for block in PROBES.strip().split("Q: ")[1:]:
        question, *lines = block.strip().split("\n")
        rows += [(question, *line.split(" | ")) for line in lines]
    return [(q, ref, same, changed) for q, ref, same, changed in rows]


def _verdict(question: str, ref: str, ans: str) -> bool:
    chinese = not question.isascii()
    reference = f"步骤如下：\n1. {ref}" if chinese else f"The steps are:\n1. {ref}"
    case = Case("zh" if chinese else "en", "logical", question, reference, f"1. {ans}")
    return judge(case).correct


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[1][:40])
def test_a_step_at_length_keeps_its_details(row: tuple[str, str, str, str]) -> None:
    question, ref, same, changed = row
    assert _verdict(question, ref, same), same
    assert not _verdict(question, ref, changed), changed


@pytest.mark.parametrize(
    ("ref", "ans", "same"),
    [
        ("Rest for 14 days", "two weeks without training", True),
        ("Rest for 14 days", "two months without training", False),
        ("a plan of 12 weeks", "a 12-week plan", True),
        ("stir for 18 minutes", "it takes 15 to 20 minutes", True),
        ("run 5 km", "cover 5,000 metres within 40 minutes", True),
        ("run 5 km", "cover 500 metres", False),
        ("浸泡半天", "泡上12个小时左右", True),
        ("浸泡半天", "泡上两天左右", False),
        ("按原价一半出售", "打五折卖", True),
        ("按原价一半出售", "打八折卖", False),
        ("每斤加25克盐", "500克菜用二十五克盐", True),
    ],
)
def test_amounts_are_compared_in_one_unit(ref: str, ans: str, same: bool) -> None:
    assert (changed_measure(ref, ans, free=True) is None) is same


@pytest.mark.parametrize(
    ("ref", "ans", "same"),
    [
        ("Keep it in the shade.", "Find a place away from direct sunlight.", True),
        ("Keep it in the shade.", "Put it in full sun.", False),
        ("Wrap it, not too tight.", "Wind it as tightly as you can.", False),
        ("Plug it in with a cable.", "Link both, without any cable.", False),
        ("Wash it cold.", "Wash it cold, as hot water would shrink it.", True),
        ("由组长填表。", "表格由组长本人填写。", True),
        ("由管理员当面盖章。", "管理员把章交出，由经办人自行盖章。", False),
        ("放在阴凉处。", "不要放在太阳下暴晒。", True),
        ("饭前喂药。", "吃饭之前喂，饭后喂容易呕吐。", True),
    ],
)
def test_words_that_exclude_each_other_tell_another_step(ref: str, ans: str, same: bool) -> None:
    assert (changed_way(ref, ans) is None) is same


STEPS = (
    "The steps are:\n1. Patch the holes and change all passwords.\n"
    "2. Sweep the chimney and check the seals.\n3. Write a report for the owner."
)


@pytest.mark.parametrize(
    ("response", "correct"),
    [
        (
            "1. Patch the holes: install every update that closes a known hole.\n"
            "2. Change the passwords: all passwords are to be changed, long ones being best.\n"
            "3. Sweep the chimney.\n4. Check the seals on the door.\n"
            "5. Write a report for the owner.",
            True,
        ),
        (
            "1. **Patch and passwords**\n   - Install every update that closes a hole.\n"
            "   - Change all passwords of the staff.\n2. **Chimney**\n   - Sweep the chimney.\n"
            "   - Look at the seals to see whether they are tight.\n"
            "3. **Report**\n   - Write a report for the owner, with photos.",
            True,
        ),
        (
            "1. Patch the holes and change all passwords.\n2. Change the passwords of all.\n"
            "3. Sweep the chimney and check the seals.\n4. Write a report for the owner.",
            False,
        ),
        (
            "1. Patch the holes and change all passwords.\n2. Buy new laptops for the staff.\n"
            "3. Sweep the chimney and check the seals.\n4. Write a report for the owner.",
            False,
        ),
    ],
)
def test_a_step_of_two_parts_may_fill_two_items(response: str, correct: bool) -> None:
    case = Case("en", "logical", "What are the steps?", STEPS, response)
    assert judge(case).correct is correct, judge(case).reason
