"""One item reworded among items that are copied: what passes, and what is another fact."""

from __future__ import annotations

from typing import Literal

import pytest

from seqniah_scorers.rules import judge
from seqniah_scorers.text import has_cjk
from seqniah_scorers.verdict import Case, FailureMode, Verdict

EN_REST = (
    "I planted tomatoes behind the shed.",
    "I attended a pottery class and made a small vase.",
    "I watched a documentary about whales with a neighbor.",
)
ZH_REST = (
    "在院子里种下西红柿。",
    "上陶艺课，做了花瓶。",
    "看鲸鱼纪录片，很感动。",
)


def verdict(old: str, new: str, last: bool = False, cut_off: bool = False) -> Verdict:
    """The verdict on an answer that has `new` where the reference has `old`."""
    lang: Literal["en", "zh"] = "zh" if has_cjk(old) else "en"
    rest = EN_REST if lang == "en" else ZH_REST

    def lines(text: str) -> str:
        items = [*rest, text] if last else [rest[0], text, *rest[1:]]
        return "\n".join(f"- 2012-03-{3 * n + 2:02d}: {item}" for n, item in enumerate(items))

    return judge(
        Case(
            lang, "temporal", "", "Items:\n" + lines(old), lines(new), order_required=True,
            cut_off=cut_off,
        )
    )  # fmt: skip


def assert_changed(old: str, new: str) -> None:
    got = verdict(old, new)
    assert got.failure_modes == (FailureMode.INCORRECT,), got.reason


def assert_same(old: str, new: str) -> None:
    got = verdict(old, new)
    assert got.correct, got.reason


NUMBERS_CHANGED = [
    ("等了二十分钟才上车。", "等了十二分钟才上车。"),
    ("锯下四十二毫米的木条。", "锯下二十四毫米的木条。"),
    ("雨一连下了九天。", "雨一连下了十九天。"),
    ("五个人一起搬书柜。", "五十人一起搬书柜。"),
    ("数出十六个鸡蛋。", "数出六个鸡蛋。"),
    ("往阁楼跑了九趟。", "往阁楼跑了九十趟。"),
    ("算术考了六十一分。", "算术考了六十分。"),
    ("收回半套邮票。", "收回一套邮票。"),
    ("土豆冒出两个芽。", "土豆冒出一个芽。"),
    ("洗了十几张照片。", "洗了几十张照片。"),
    ("屋里五十多度。", "屋里十五多度。"),
    ("一九九八年的旧报纸糊在墙上。", "一九八九年的旧报纸糊在墙上。"),
    ("三个梨换两个苹果。", "两个梨换三个苹果。"),
    ("I carried sixteen bricks to the wall.", "I carried sixty bricks to the wall."),
    ("I carried a bucket of water to the wall.", "I carried two buckets of water to the wall."),
    ("I squeezed half a lemon over the fish.", "I squeezed a lemon over the fish."),
    ("I paid twenty-five crowns for a lamp.", "I paid fifty-two crowns for a lamp."),
    ("I counted three hundred stamps.", "I counted three thousand stamps."),
    ("I ordered a dozen eggs at the farm.", "I ordered a couple of eggs at the farm."),
    ("I sold 2 hats and 2 scarves.", "I sold 2 hats and 3 scarves."),
    ("I sold 2 hats and 3 scarves.", "I sold 3 hats and 2 scarves."),
]
NUMBERS_SAME = [
    ("等了二十分钟才上车。", "等了20分钟才上车。"),
    ("印了一千片标签。", "印了1000片标签。"),
    ("印了一千片标签。", "印了1,000片标签。"),
    ("锯下四十二毫米的木条。", "锯下42毫米的木条。"),
    ("爬到书架第三层。", "爬到书架第3层。"),
    ("屋里五十多度。", "屋里50多度。"),
    ("找到二〇〇六年的日历。", "找到2006年的日历。"),
    ("一刻钟修好了钟。", "15分钟修好了钟。"),
    ("雨一连下了九天。", "雨一连下了九日。"),
    ("买了两万三千块瓦。", "买了23000块瓦。"),
    ("头一回坐船。", "第一回坐船。"),
    ("I carried sixteen bricks to the wall.", "I carried 16 bricks to the wall."),
    ("I paid forty crowns for a lamp.", "I paid 40 crowns for a lamp."),
    ("I paid twenty-five crowns for a lamp.", "I paid 25 crowns for a lamp."),
    ("I counted three hundred stamps.", "I counted 300 stamps."),
    ("I ordered a dozen eggs at the farm.", "I ordered 12 eggs at the farm."),
    ("I woke at half past six.", "I woke at 6:30."),
    ("下午三点半去看牙医。", "下午3点30分去看牙医。"),
    ("三点钟起床喂猫。", "3点起床喂猫。"),
    ("I drank two dozen cups at the Café Noël.", "I drank 24 cups at the Café Noël."),
    ("I waited half an hour for the ferry.", "I waited 30 minutes for the ferry."),
]


@pytest.mark.parametrize(("old", "new"), NUMBERS_CHANGED)
def test_another_number_is_another_fact(old: str, new: str) -> None:
    assert_changed(old, new)


@pytest.mark.parametrize(("old", "new"), NUMBERS_SAME)
def test_a_number_is_the_same_in_words_and_in_digits(old: str, new: str) -> None:
    assert_same(old, new)
    assert_same(new, old)


@pytest.mark.parametrize(
    "text",
    ["亿" * 3000, "一亿" * 2000, "million " * 500, "1" * 400 + "万", "两" * 4000, "5" * 1999],
)
def test_a_number_without_end_gets_a_verdict(text: str) -> None:
    assert verdict("买了三斤梨。", text).correct is False


AGENT_CHANGED = [
    ("I waited for the ferry.", "Her sister waited for the ferry."),
    ("I cleaned the rusty stove.", "My brother cleaned the rusty stove."),
    ("I cleaned the rusty stove.", "A colleague cleaned the rusty stove."),
    ("在码头捡到一把钥匙。", "母亲在码头捡到一把钥匙。"),
    ("在码头捡到一把钥匙。", "他的邻居在码头捡到一把钥匙。"),
    ("翻出祖父的怀表。", "翻出外祖父的怀表。"),
    ("翻出祖父的怀表。", "翻出父亲的怀表。"),
    ("I wrote a letter to my aunt.", "He wrote a letter to his uncle."),
    ("I found my passport in a coat.", "He found his brother's passport in a coat."),
]
AGENT_SAME = [
    ("I waited for the ferry.", "She waited for the ferry."),
    ("I waited for the ferry.", "The author waited for the ferry."),
    ("I waited for the ferry.", "Ida Berg waited for the ferry."),
    ("I wrote a letter to my aunt.", "He wrote a letter to his aunt."),
    ("I wrote a letter to my mother.", "He wrote a letter to his mom."),
    ("在码头捡到一把钥匙。", "他在码头捡到一把钥匙。"),
    ("在码头捡到一把钥匙。", "作者在码头捡到一把钥匙。"),
    ("在码头捡到一把钥匙。", "林晓在码头捡到一把钥匙。"),
    ("翻出祖父的怀表。", "找出爷爷的怀表。"),
]
ROLES_CHANGED = [
    (
        "I held the ladder while my father nailed the roof.",
        "His father held the ladder while he nailed the roof.",
    ),
    (
        "I traded a bicycle lamp for a box of marbles.",
        "I traded a box of marbles for a bicycle lamp.",
    ),
    ("I mistook salt for sugar in the kitchen.", "I mistook sugar for salt in the kitchen."),
    ("I used oil instead of butter.", "I used butter instead of oil."),
    ("I rode the train from Bonn to Cologne.", "I rode the train from Cologne to Bonn."),
    ("把糖当成盐撒进锅里。", "把盐当成糖撒进锅里。"),
    ("坐船从南京到芜湖。", "坐船从芜湖到南京。"),
    ("小猫被小狗追上了树。", "小狗被小猫追上了树。"),
    ("我比哥哥先到。", "哥哥比他先到。"),
]
ROLES_SAME = [
    ("I waited for the bus with Anna.", "I waited with Anna for the bus."),
    (
        "I held the ladder while my father nailed the roof.",
        "While his father nailed the roof, he held the ladder.",
    ),
    ("把糖当成盐撒进锅里。", "他把糖误当成盐撒进锅里。"),
]
OPPOSITE_CHANGED = [
    ("I voted against the new road.", "I voted for the new road."),
    ("I voted against the new road.", "I voted in favor of the new road."),
    ("I swept the yard before dinner.", "I swept the yard after dinner."),
    ("I drank tea without sugar.", "I drank tea with sugar."),
    ("I waited inside the station.", "I waited outside the station."),
    ("I hung the lamp above the table.", "I hung the lamp below the table."),
    ("I ran up the hill.", "I ran down the hill."),
    ("I waited before the café.", "I waited after the café."),
    ("饭前洗了桌布。", "饭后洗了桌布。"),
    ("把箱子搬到楼上。", "把箱子搬到楼下。"),
    ("在门外等快递。", "在门里等快递。"),
    ("没有赶上末班车。", "赶上末班车。"),
]
OPPOSITE_SAME = [
    ("I swept the yard after dinner.", "I had dinner, after which I swept the yard."),
    ("I ate lunch before the concert.", "Before the concert, he ate lunch."),
    ("饭前洗了桌布。", "他在饭前洗了桌布。"),
]
APPENDED_CHANGED = [
    (
        "I carried the box to the cellar.",
        "I carried the box to the cellar and then fell down the stairs and broke her arm.",
    ),
    (
        "I carried the box to the cellar.",
        "Carried the box to the cellar. Then she drove quickly to a hospital in Hamburg.",
    ),
    ("去邮局寄包裹。", "去邮局寄包裹，随后他在街上摔断了腿被送进医院。"),
]
APPENDED_SAME = [
    (
        "I carried the box to the cellar.",
        "I carried the box to the cellar, which suggests a strong wish for an orderly home.",
    ),
    (
        "I carried the box to the cellar.",
        "I carried the box to the cellar, indicating careful preparation for the coming winter.",
    ),
    ("去邮局寄包裹。", "去邮局寄包裹，这表明他与远方的亲友保持着联系。"),
]
SYNONYM_SAME = [
    ("I queued at the bakery.", "I waited in line at the bakery."),
    ("I traded stamps with a boy.", "I swapped stamps with a boy."),
    ("I was looking for the old key.", "He was searching for the old key."),
    ("I walked to the graveyard.", "I walked to the cemetery."),
    ("I sketched the underpass.", "I sketched the tunnel."),
    ("I bought a tiny lamp.", "I bought a little lamp."),
    ("I reached the lighthouse.", "He arrived at the lighthouse."),
    ("I reached the lighthouse.", "He got to the lighthouse."),
    ("I picked up a coin near the well.", "I found a coin near the well."),
    ("在码头捡到一把钥匙。", "在码头拾到一把钥匙。"),
    ("探望祖母，带去红枣。", "探望奶奶，带去红枣。"),
    ("把旧报纸都扔了。", "把旧报纸全部扔了。"),
    ("把旧报纸都扔了。", "把旧报纸全扔了。"),
]
SYNONYM_CHANGED = [
    ("I queued at the bakery.", "I worked at the bakery."),
    ("I walked to the graveyard.", "I walked to the harbor."),
    ("在码头捡到一把钥匙。", "在码头丢了一把钥匙。"),
]


@pytest.mark.parametrize(
    ("old", "new"),
    AGENT_CHANGED + ROLES_CHANGED + OPPOSITE_CHANGED + APPENDED_CHANGED + SYNONYM_CHANGED,
)
def test_another_doing_is_another_fact(old: str, new: str) -> None:
    assert_changed(old, new)


@pytest.mark.parametrize(
    ("old", "new"), AGENT_SAME + ROLES_SAME + OPPOSITE_SAME + APPENDED_SAME + SYNONYM_SAME
)
def test_the_same_doing_in_other_words_passes(old: str, new: str) -> None:
    assert_same(old, new)


LONG_EN = "I carried the old wardrobe to the cellar with my uncle and painted it green."
LONG_ZH = "去镇上的邮局寄了三个包裹，回来时在桥头遇到大雨。"


@pytest.mark.parametrize(
    ("old", "new", "cut_off"),
    [
        (LONG_EN, "I carried the old wardrobe to the", False),
        (LONG_EN, "I carried the old wardrobe", False),
        (LONG_EN, "Carried the old wardrobe to the cellar with my", False),
        (LONG_EN, "I carried the old ward", True),
        (LONG_ZH, "去镇上的邮局寄了三个", False),
        (LONG_ZH, "去镇上的邮局寄了三个包", True),
    ],
)
def test_a_last_item_that_breaks_off_is_incomplete(old: str, new: str, cut_off: bool) -> None:
    got = verdict(old, new, last=True, cut_off=cut_off)
    cut = (FailureMode.CUT_OFF,) if cut_off else ()
    assert got.failure_modes == (FailureMode.INCORRECT, *cut), got.reason


@pytest.mark.parametrize(
    ("old", "new", "cut_off"),
    [
        (LONG_EN, "I carried the old wardrobe to the cellar.", False),
        (LONG_EN, "I carried the old wardrobe to the cellar with my uncle and painted it", False),
        (LONG_EN, LONG_EN, True),
        (LONG_ZH, "去镇上的邮局寄了三个包裹。", False),
        (LONG_ZH, "去镇上的邮局寄了三个包裹，回来时在桥头遇到大雨", True),
    ],
)
def test_a_terse_last_item_is_complete(old: str, new: str, cut_off: bool) -> None:
    got = verdict(old, new, last=True, cut_off=cut_off)
    assert got.correct, got.reason


def test_a_question_whether_denies_nothing() -> None:
    assert_same("检查水管是否漏水。", "检查水管有没有漏水。")
    assert_same("问老师能否参加比赛。", "问老师能不能参加比赛。")
    assert_changed("厨房的水管漏水了。", "厨房的水管没有漏水。")
