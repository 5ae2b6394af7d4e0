"""A word in the place of another of its kind, whatever the rest of the answer looks like."""

from __future__ import annotations

import pytest

from seqniah_scorers.comparing.deeds import other_deed
from seqniah_scorers.comparing.exchange import changed_places
from seqniah_scorers.comparing.sides import two_sides
from seqniah_scorers.comparing.slots import other_amount, other_investor, other_of_kind
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case


@pytest.mark.parametrize(
    ("ref", "ans"),
    [
        ("云岭茶业在杭州证券市场挂牌。", "公司在苏州证券市场挂牌。"),
        ("上午去银行办理了存折。", "上午去银行注销了存折。"),
        ("给奶奶织了一条围巾。", "给外婆织了一条围巾。"),
        ("端午节，和舅舅去看龙舟。", "中秋节，和舅舅去看龙舟。"),
        ("下午参加了一场辩论赛。", "下午举办了一场辩论赛。"),
        ("Norway hosted a visit from Kenya.", "Norway hosted a visit from Ghana."),
        ("I took the train to Vienna.", "She took the train to Prague."),
        ("I went to a recital in the hall.", "He sang at a recital in the hall."),
    ],
)
def test_another_word_of_the_kind(ref: str, ans: str) -> None:
    assert other_of_kind(ref, ans) is not None


@pytest.mark.parametrize(
    ("ref", "ans"),
    [
        ("云岭茶业在杭州挂牌。", "公司在杭州挂牌，次年又在苏州开店。"),
        ("陪妈妈逛花市。", "陪母亲逛花市。"),
        ("和邻居在公园下棋。", "在公园和邻居下棋。"),
        ("I took the train to Vienna.", "He travelled to Vienna, far from Prague."),
        ("I attended a recital.", "She went to a recital."),
    ],
)
def test_the_same_word_in_other_surroundings(ref: str, ans: str) -> None:
    assert other_of_kind(ref, ans) is None


def test_amounts() -> None:
    assert other_amount("练了一个小时的大字。", "练了半个小时的大字。")
    assert other_amount("I swam for half an hour.", "Swam for an hour.")
    assert not other_amount("练了一个小时的大字。", "练了60分钟的大字。")
    assert not other_amount("I ran five kilometers.", "Ran 6 – 5 km.")


def test_who_invests() -> None:
    ref = "云岭茶业向东湖食品投资800万元。"
    assert other_investor(ref, "云岭茶业获得东湖食品投资800万元。")
    assert not other_investor(ref, "公司向东湖食品投资了800万元。")


def test_sides_that_the_question_joins() -> None:
    texts = ["丹麦与芬兰举行会谈。", "丹麦与芬兰签署协议。", "丹麦批评了芬兰。"]
    assert two_sides(texts, "丹麦与芬兰有哪些互动？") == ("丹麦", "芬兰")


def test_object_of_a_sentence_without_subject() -> None:
    sides = ("丹麦", "芬兰")
    assert changed_places("丹麦批评了芬兰。", "批评了丹麦。", sides)
    assert not changed_places("丹麦批评了芬兰。", "批评了芬兰。", sides)
    assert not changed_places("丹麦拒绝了芬兰的提议。", "丹麦拒绝接受芬兰的提议。", sides)


def test_deeds_without_the_names() -> None:
    sides = ("阿尔多·贝里尼", "埃莱娜·弗拉霍普卢")
    first, second = sides
    assert other_deed(f"{first}批评了{second}。", f"{first}就{second}发表了声明。", sides)
    assert other_deed(f"{first}批评了{second}。", f"{first}指责批评{second}。", sides) is None


_FACTS = (
    "- On May 4, 2006, Chile held talks with Peru.\n"
    "- On May 9, 2007, Chile demanded that Peru change its leadership.\n"
    "- On June 1, 2008, Chile yielded to a demand of Peru.\n"
    "- On July 2, 2009, Chile retreated or surrendered militarily to Peru."
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("demanded that Peru change its leadership", "called for a change in Peru's leadership"),
        ("yielded to a demand of", "gave in to a demand of"),
        ("retreated or surrendered militarily to", "withdrew or yielded militarily to"),
        ("held talks with Peru", "held talks with Peru, hoping for a better understanding"),
    ],
)
def test_relations_in_other_words(old: str, new: str) -> None:
    question = "What happened between Chile and Peru from 2006 to 2009? List by date."
    reference = f"Chile and Peru:\n{_FACTS}"
    assert old in _FACTS
    verdict = judge(Case("en", "temporal", question, reference, _FACTS.replace(old, new)))
    assert verdict.correct, verdict.reason


@pytest.mark.parametrize("tail", ["，心情愉快", "，为之后打下了基础"])
def test_comments_elsewhere_make_no_comparison_lenient(tail: str) -> None:
    items = ["临摹了一幅花鸟画", "在江边放风筝", "拆洗了旧窗帘", "和表妹包了馄饨"]
    days = [f"2015年4月{n}日，" for n in (2, 9, 15, 20)]
    reference = "\n".join(f"- {d}{t}。" for d, t in zip(days, items, strict=True))
    told = [f"{t}{tail}" for t in items]
    question = "何婷2015年4月记录了什么？请按时间顺序列出。"
    for texts, right in ((told, True), ([*told[:2], "拆洗了旧棉袄", told[3]], False)):
        answer = "\n".join(f"- {d}{t}。" for d, t in zip(days, texts, strict=True))
        verdict = judge(Case("zh", "temporal", question, f"何婷的记录：\n{reference}", answer))
        assert verdict.correct is right, verdict.reason
