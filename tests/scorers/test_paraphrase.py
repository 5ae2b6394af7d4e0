"""One item of a copied list told otherwise: a paraphrase stays right, a changed fact does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case, Doubt

DIARY_EN = (
    "I planted bulbs along the garden fence",
    "I returned a torch to the caretaker",
    "I took the ferry across the bay in fog",
    "I ironed eleven tablecloths for the parish hall",
)
DIARY_ZH = (
    "给阳台的花盆换了土",
    "陪外婆去医院复查眼睛",
    "在旧货市场淘到一台收音机",
    "和邻居一起粉刷楼道",
)
SAME_EN = (
    ("I bought a used kettle at the fair", "I purchased a second-hand kettle at the fair"),
    ("I met a schoolmate in the tram", "I ran into a schoolmate on the tram"),
    ("I cooked lentil soup with my aunt", "I made lentil soup together with my aunt"),
    ("I watched a film about glaciers", "I saw a movie on glaciers"),
    ("I used the new oven for the first time", "I tried out the new oven for the first time"),
    ("I attended a lecture on beetles", "I went to a talk about beetles"),
    ("I picked up a parcel from the post office", "I collected a package from the post office"),
    ("I had the brakes of my bike repaired", "I got the brakes of my bicycle fixed"),
    ("I swept the stairs before noon", "I swept the steps before midday"),
    ("I went jogging around the lake", "I went for a run round the lake"),
    ("I took the morning train back to Dresden", "I took the morning train home to Dresden"),
    ("I was given a scarf by my sister", "My sister gave me a scarf"),
)
CHANGED_EN = (
    ("I bought a used kettle at the fair", "I bought a new kettle at the fair"),
    ("I met a schoolmate in the tram", "I met a colleague in the tram"),
    ("I cooked lentil soup with my aunt", "I cooked lentil soup with my uncle"),
    ("I watched a film about glaciers", "I watched a film about volcanoes"),
    ("I attended a lecture on beetles", "I gave a lecture on beetles"),
    ("I picked up a parcel from the post office", "I picked up a parcel from the station"),
    ("I swept the stairs before noon", "I swept the stairs before midnight"),
    ("I went jogging around the lake", "I went swimming in the lake"),
    ("I started a course in pottery", "I finished a course in pottery"),
    ("I accepted the job at the dairy", "I turned down the job at the dairy"),
    ("I sold my tent to a student", "I bought a tent from a student"),
    ("I came second in the chess cup", "I came first in the chess cup"),
)
SAME_ZH = (
    ("晚上和家人一起包饺子", "晚上和家人一块儿包饺子"),
    ("读完了一本关于丝绸之路的书", "读完了一本讲丝绸之路的书"),
    ("听了一场关于敦煌壁画的讲座", "听了讲座，主题为敦煌壁画"),
    ("骑车环湖一圈，用时两小时", "骑车绕湖一圈，花了两个小时"),
    ("参加了公司的团队建设活动", "参加了公司组织的团建活动"),
    ("买回一条鲈鱼", "购回一条鲈鱼"),
    ("在海滩捡了五袋瓶子", "在海滩拾了五袋瓶子"),
    ("傍晚给姑姑寄了一箱橙子", "傍晚给姑姑邮了一箱橙子"),
    ("去图书馆借了两本书", "到图书馆借阅了两本书籍"),
    ("除夕全家人看春节晚会", "除夕夜与全家人看春晚"),
    ("学会了做糖醋鱼", "学会了烹制糖醋鱼"),
    ("上午去银行办了定期存款", "上午到银行办理定期存款"),
)
CHANGED_ZH = (
    ("开始阅读一本科幻小说", "读完了一本科幻小说"),
    ("冲了二十分钟凉水", "冲了二十分钟热水"),
    ("在天台上晒被子", "在地下室晒被子"),
    ("围棋比赛得了第二名", "围棋比赛得了第一名"),
    ("傍晚在码头等船", "傍晚在机场等船"),
    ("买了一把旧吉他", "买了一把新吉他"),
    ("和女儿去看熊猫", "和儿子去看熊猫"),
    ("下午参加了预算评审会", "下午主持了预算评审会"),
    ("给奶奶煮了鸡汤", "给爷爷煮了鸡汤"),
    ("收到表弟送的围巾", "送给表弟一条围巾"),
    ("早上在江边钓鱼", "晚上在江边钓鱼"),
    ("考试通过了", "考试没有通过"),
)
RELATIONS_EN = (
    ("Norland criticized or denounced Suderia", "Norland condemned Suderia", True),
    ("Norland criticized or denounced Suderia", "Norland praised Suderia", False),
    ("Norland expressed intent to meet or negotiate with Suderia",
     "Norland said it was willing to hold talks with Suderia", True),
    ("Norland expressed intent to meet or negotiate with Suderia",
     "Norland refused to hold talks with Suderia", False),
    ("Norland expressed intent to meet or negotiate with Suderia",
     "Norland demanded talks with Suderia", False),
    ("Norland accused Suderia", "Suderia was accused by Norland", True),
    ("Norland accused Suderia", "Suderia accused Norland", False),
    ("Norland accused Suderia", "Norland was accused by Suderia", False),
    ("Norland accused Suderia", "Suderia made an accusation against it", False),
    ("Norland provided economic aid to Suderia", "Norland gave Suderia economic assistance", True),
    ("Norland provided economic aid to Suderia", "Norland gave Suderia military aid", False),
    ("Norland appealed to Suderia for rights", "Norland urged Suderia to grant rights", True),
    ("Norland appealed to Suderia for rights", "Norland demanded rights from Suderia", False),
    ("Norland made an appeal or request to Suderia", "an appeal was made to Suderia by Norland",
     True),
    ("Norland threatened Suderia with military force",
     "Norland used military force against Suderia", False),
)  # fmt: skip
ROWS = (Path(__file__).parent / "paraphrases.txt").read_text(encoding="utf-8").splitlines()
COMPANY = "绿帆科技有限公司"
COMPANIES = (
    (f"{COMPANY}获得A轮融资，金额RMB1200万，投资方为白鹭创投",
     f"{COMPANY}完成A轮融资，融资金额1200万元人民币，投资方是白鹭创投", True),
    (f"{COMPANY}获得A轮融资，金额RMB1200万，投资方为白鹭创投",
     f"{COMPANY}获得B轮融资，金额RMB1200万，投资方为白鹭创投", False),
    (f"{COMPANY}获得A轮融资，金额RMB1200万，投资方为白鹭创投",
     f"{COMPANY}获得A轮融资，金额RMB1200万，投资方为海河资本", False),
    (f"{COMPANY}开始并购青石物流有限公司，涉及股权20.00%",
     f"{COMPANY}启动对青石物流有限公司20%股权的收购", True),
    (f"{COMPANY}开始并购青石物流有限公司，涉及股权20.00%",
     f"{COMPANY}完成了对青石物流有限公司的并购，涉及股权20.00%", False),
    (f"{COMPANY}开始并购青石物流有限公司，涉及股权20.00%",
     f"青石物流有限公司开始并购{COMPANY}，涉及股权20.00%", False),
    (f"{COMPANY}任命韩松为总经理", f"{COMPANY}聘任韩松为总经理", True),
    (f"{COMPANY}任命韩松为总经理", f"{COMPANY}任命韩松为副总经理", False),
)  # fmt: skip
RELATIONS_ZH = (
    ("北岭国指责南泽国", "北岭国对南泽国提出指责", True),
    ("北岭国指责南泽国", "南泽国对北岭国提出指责", False),
    ("北岭国指责南泽国", "北岭国遭到南泽国的指责", False),
    ("北岭国指责南泽国", "南泽国受到北岭国的指责", True),
    ("北岭国威胁对南泽国使用军事力量", "北岭国威胁要对南泽国动用军事力量", True),
    ("北岭国威胁对南泽国使用军事力量", "北岭国对南泽国使用了军事力量", False),
    ("北岭国表达与南泽国会面或谈判的意向", "北岭国表示愿意与南泽国会面或谈判", True),
    ("北岭国表达与南泽国会面或谈判的意向", "北岭国拒绝与南泽国会面或谈判", False),
    ("北岭国向南泽国提供经济援助", "北岭国给予南泽国经济援助", True),
    ("北岭国向南泽国提供经济援助", "北岭国向南泽国提供人道主义援助", False),
    ("北岭国对南泽国发表悲观评论", "北岭国发表了对南泽国不乐观的评论", True),
    ("北岭国对南泽国发表悲观评论", "北岭国对南泽国发表乐观评论", False),
)


def _case(lang: str, texts: tuple[str, ...], told: tuple[str, ...], question: str) -> Case:
    intro, mark = ("The contents are:", ": ") if lang == "en" else ("内容包括：", "：")

    def lines(items: tuple[str, ...]) -> str:
        days = (f"March {n + 3}, 2014" if lang == "en" else f"2014年03月{n + 3:02d}日"
                for n in range(len(items)))  # fmt: skip
        return "\n".join(f"- {d}{mark}{t}" for d, t in zip(days, items, strict=True))

    return Case(
        lang="en" if lang == "en" else "zh",
        needle_type="temporal",
        question=question,
        reference=f"{intro}\n{lines(texts)}",
        response=lines(told),
    )


def _diary(lang: str, one: str, other: str) -> Case:
    others = DIARY_EN if lang == "en" else DIARY_ZH
    question = "What is in the diary of Ada Holm?" if lang == "en" else "何清日记都包括什么内容？"
    return _case(lang, (*others, one), (*others, other), question)


def _relation(lang: str, one: str, other: str) -> Case:
    if lang == "en":
        rest = ("Norland consulted with Suderia", "Norland forgave Suderia",
                "Norland shared intelligence with Suderia")  # fmt: skip
        question = "Which interactions took place between Norland and Suderia?"
    else:
        rest = ("北岭国与南泽国进行了磋商", "北岭国原谅了南泽国", "北岭国与南泽国共享情报")
        question = "北岭国与南泽国之间有哪些互动？"
    return _case(lang, (*rest, one), (*rest, other), question)


@pytest.mark.parametrize(("one", "other"), SAME_EN + SAME_ZH)
def test_a_paraphrase_stays_right(one: str, other: str) -> None:
    verdict = judge(_diary("en" if one.isascii() else "zh", one, other))
    assert verdict.correct, verdict.reason


@pytest.mark.parametrize(("one", "other"), CHANGED_EN + CHANGED_ZH)
def test_a_changed_fact_is_wrong(one: str, other: str) -> None:
    assert not judge(_diary("en" if one.isascii() else "zh", one, other)).correct


@pytest.mark.parametrize("row", ROWS)
def test_further_wordings(row: str) -> None:
    label, one, other = row.split("|")
    lang = "en" if one.isascii() else "zh"
    between = label.startswith("relation ")
    verdict = judge((_relation if between else _diary)(lang, one, other))
    assert verdict.correct is label.endswith("same"), verdict.reason


@pytest.mark.parametrize(("one", "other", "same"), RELATIONS_EN + RELATIONS_ZH)
def test_relations_are_compared_by_meaning(one: str, other: str, same: bool) -> None:
    verdict = judge(_relation("en" if one.isascii() else "zh", one, other))
    assert verdict.correct is same, verdict.reason


@pytest.mark.parametrize(("one", "other", "same"), COMPANIES)
def test_a_company_chronicle_is_compared_by_meaning(one: str, other: str, same: bool) -> None:
    rest = (f"{COMPANY}在北岸设立研发中心", f"{COMPANY}与江北大学签约", f"{COMPANY}关闭旧厂")
    verdict = judge(_case("zh", (*rest, one), (*rest, other), f"{COMPANY}有哪些记载？"))
    assert verdict.correct is same, verdict.reason


def test_content_in_the_place_of_light_words_carries_a_doubt() -> None:
    verdict = judge(_diary("en", "I used the loom in the den", "I polished the loom in the den"))
    assert not verdict.correct or Doubt.REWORDED in verdict.doubts
