"""Which way something went, told from either end, and who is meant by a short form."""

import pytest

from seqniah_scorers.comparing.borrowed import values
from seqniah_scorers.comparing.sides import two_sides, written_full
from seqniah_scorers.comparing.turns import turned
from seqniah_scorers.comparing.visits import other_guest
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case

DAYS = ("March 4, 2020", "March 9, 2020", "April 2, 2020", "May 17, 2020")
OTHERS = (
    "I rode the ferry to the island.",
    "I pruned the hedge in the afternoon.",
    "I heard a talk about comets.",
)


def passes(reference: str, answer: str, layout: str) -> bool:
    """Whether an answer that copies three items and tells the second like this is right."""
    items = (OTHERS[0], reference, *OTHERS[1:])
    told = (OTHERS[0], answer, *OTHERS[1:])
    source = "The diary of Ida Brook records:\n" + "\n".join(
        f"- {day}: {text}" for day, text in zip(DAYS, items, strict=True)
    )
    response = "The diary says:\n" + "\n".join(
        layout.format(n=n, day=day, text=text.rstrip("."))
        for n, (day, text) in enumerate(zip(DAYS, told, strict=True), 1)
    )
    return judge(
        Case("en", "temporal", "What is in the diary of Ida Brook?", source, response)
    ).correct


LAYOUTS = (
    "{n}. {day}: {text}.",
    "{n}. **{day}**\n   - {text}.",
    "{n}. {day}: {text}, which shows how busy the spring was.",
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("reference", "answer", "same"),
    [
        ("I sold my canoe to a neighbor.", "A neighbor bought her canoe.", True),
        ("I sold my canoe to a neighbor.", "She bought a canoe from a neighbor.", False),
        ("I lent my drill to a colleague.", "A colleague borrowed her drill.", True),
        ("I lent my drill to a colleague.", "She borrowed a drill from a colleague.", False),
        ("I received a letter from my niece.", "She mailed a letter to her niece.", False),
        ("I sent a letter to my niece.", "A letter was sent to her niece.", True),
        ("My boss thanked me for the cake.", "She thanked her boss for the cake.", False),
        ("I picked up my uncle at the airport.", "Dropped her uncle off at the airport.", False),
        ("I lost my scarf on the bus and bought a new one.", "Lost her watch on the bus. "
         "Bought a new one.", False),
        ("I lost my scarf on the bus and bought a new one.", "Bought a new scarf after losing "
         "the old one on the bus.", True),
    ],
)  # fmt: skip
def test_turns_in_every_layout(reference: str, answer: str, same: bool, layout: str) -> None:
    assert passes(reference, answer, layout) is same


@pytest.mark.parametrize(
    ("reference", "answer", "changed"),
    [
        ("上午去车站接父母。", "上午到车站送父母回老家。", True),
        ("上午去车站接父母。", "上午到车站迎接爸妈。", False),
        ("收到了表妹寄来的贺卡。", "给表妹寄了一张贺卡。", True),
        ("收到了表妹寄来的贺卡。", "表妹寄来了贺卡。", False),
        ("把旧钢琴卖给了邻居。", "邻居买走了旧钢琴。", False),
        ("把旧钢琴卖给了邻居。", "从邻居那里买下旧钢琴。", True),
        ("教侄子下围棋。", "侄子教他下围棋。", True),
        ("被经理表扬了一番。", "表扬了经理一番。", True),
        ("陪奶奶去菜市场买菜。", "李梅陪奶奶上菜市场买菜。", False),
        ("儿童节给女儿买了一套积木。", "李梅在儿童节给女儿买了一套积木。", False),
        ("卖柠檬水。", "女儿和他一起卖柠檬水。", False),
        ("在图书馆借了两本书。", "从图书馆借出两本书。", False),
    ],
)
def test_turns_zh(reference: str, answer: str, changed: bool) -> None:
    assert bool(turned(reference, answer)) is changed


def test_short_forms_of_sides() -> None:
    police = ("Police (Kenya)", "Protester (Kenya)")
    text = written_full("The Kenyan police released protesters in Kenya.", police)
    assert text == "The Police (Kenya) released Protester (Kenya)."
    assert written_full("两国签署协议", ("泰国", "老挝")) == "泰国与老挝签署协议"
    assert written_full("安理会发表声明", ("联合国安理会", "海地")) == "联合国安理会发表声明"
    assert written_full("The two sides met.", ("Chad", "Mali")) == "Chad and Mali met."


def test_sides_of_places_and_of_companies() -> None:
    facts = ["The Police (Kenya) arrested the Protester (Kenya)."] * 2
    assert set(two_sides(facts, "")) == {"Police (Kenya)", "Protester (Kenya)"}
    rounds = ["青岛远帆公司获得A轮融资。", "青岛远帆公司获得B轮融资。"]
    assert two_sides(rounds, "青岛远帆公司获得了哪些融资？") == ()


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("老挝对泰国进行了访问", True),
        ("泰国对老挝进行了访问", False),
        ("泰国迎来老挝的访问", True),
    ],
)
def test_host_and_guest_zh(answer: str, same: bool) -> None:
    assert (other_guest("泰国接待了老挝的来访", answer, ("泰国", "老挝")) == "") is same


def test_values_in_one_place_of_two_items() -> None:
    one = "获得A轮融资，金额2500万元，投资方为海棠创投。"
    two = "获得B轮融资，金额1.2亿元，投资方为长桥基金。"
    assert ("海棠创投", "长桥基金") in values(one, two)
    assert ("Elm Capital", "Oak Fund") in values(
        "It raised money from Elm Capital.", "It got a loan from Oak Fund."
    )


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("I sold lemonade with my daughter.", "He and his daughter sold lemonade."),
        ("I sold lemonade with my daughter.", "His daughter helped him sell lemonade."),
        ("I taught myself chess.", "He learned chess by himself."),
        ("I sent my bike to the repair shop.", "Got the bike repaired at the shop."),
        ("I arrived home late.", "Left the office and came home late."),
        ("晚上车站人很多。", "楼下车站人很多。"),
    ],
)
def test_nothing_turned(reference: str, answer: str) -> None:
    assert turned(reference, answer) is None
