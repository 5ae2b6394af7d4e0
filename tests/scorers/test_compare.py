"""The rules that tell a paraphrase from a changed fact, each on a pair of its own."""

from __future__ import annotations

import pytest

from seqniah_scorers.comparing.concepts import contradiction, known_apart, shared
from seqniah_scorers.comparing.copied import quotes
from seqniah_scorers.comparing.facts import FactReader
from seqniah_scorers.comparing.languages import other_latin
from seqniah_scorers.comparing.sides import other_subject, two_sides
from seqniah_scorers.comparing.simplified import simplified
from seqniah_scorers.comparing.stance import changed_stance
from seqniah_scorers.comparing.visits import other_guest
from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case, Doubt, Verdict

SIDES = ("Ostmark", "Velunia")
ZH_SIDES = ("奥斯马克", "维卢尼亚")


def between(reference: list[str], response: list[str], question: str = "") -> Verdict:
    """The verdict on dated items, one a day."""

    def lines(items: list[str]) -> str:
        return "\n".join(f"- 2007-05-{n:02d}: {item}" for n, item in enumerate(items, 1))

    lang = "en" if reference[0].isascii() else "zh"
    case = Case(
        "en" if lang == "en" else "zh", "temporal", question,
        "Items:\n" + lines(reference), lines(response), order_required=False,
    )  # fmt: skip
    return judge(case)


def procedure(reference: list[str], response: str) -> Verdict:
    steps = "\n".join(f"- {s}" for s in reference)
    return judge(Case("en", "logical", "", f"Do this:\n{steps}", response))


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("下午和叔叔下象棋", "He played chess with his uncle in the evening"),
        ("I knitted a green scarf", "织了一条红色围巾"),
        ("I drank coffee with a friend", "I had tea with a friend"),
        ("在超市买了牛奶", "在面包店买了牛奶"),
    ],
)
def test_words_of_one_kind_exclude_each_other(reference: str, answer: str) -> None:
    assert contradiction(reference, answer)
    assert contradiction(reference, reference) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("下午和叔叔下象棋", "In the afternoon he played chess with his uncle"),
        ("妹妹来了", "his sister came"),
        ("发表悲观评论", "发表不乐观的评论"),
        ("I baked sourdough bread", "I baked bread"),
    ],
)
def test_the_same_in_other_words_excludes_nothing(reference: str, answer: str) -> None:
    assert contradiction(reference, answer) is None


def test_meanings_are_shared_across_languages() -> None:
    assert shared("晚上和室友吃火锅", "hotpot with his roommate in the evening") > 0.7
    assert known_apart("scarf", "hat")
    assert not known_apart("flowers", "roses")
    assert not known_apart("bike", "bicycle")


@pytest.mark.parametrize(
    ("reference", "answer", "changed"),
    [
        ("Ostmark hosted a visit from Velunia", "Velunia visited Ostmark", False),
        (
            "Ostmark hosted a visit from Velunia",
            "Velunia was received as a guest in Ostmark",
            False,
        ),
        ("Ostmark hosted a visit from Velunia", "Ostmark made a visit to Velunia", True),
        ("Ostmark made a visit to Velunia", "Ostmark welcomed Velunia for a visit", True),
        ("Ostmark made a visit to Velunia", "Ostmark came to Velunia", False),
    ],
)
def test_a_visit_can_be_told_from_either_side(reference: str, answer: str, changed: bool) -> None:
    assert bool(other_guest(reference, answer, SIDES)) is changed


def test_who_comes_is_told_in_chinese_too() -> None:
    hosted = "奥斯马克接待了维卢尼亚的来访"
    assert other_guest(hosted, "维卢尼亚方面到访并受到奥斯马克接待", ZH_SIDES) == ""
    assert other_guest(hosted, "维卢尼亚接待了奥斯马克的来访", ZH_SIDES)
    assert other_guest("奥斯马克拒绝访问维卢尼亚", "奥斯马克访问维卢尼亚", ZH_SIDES) is None
    received = "Ostmark received humanitarian aid from Velunia"
    assert other_guest(received, received, SIDES) is None


@pytest.mark.parametrize(
    ("reference", "answer", "changed"),
    [
        ("Ostmark refused to aid Velunia", "Ostmark aided Velunia", True),
        ("Ostmark refused to aid Velunia", "Ostmark declined to help Velunia", False),
        ("Ostmark expressed intent to meet Velunia", "Ostmark met Velunia", True),
        ("Ostmark expressed intent to meet Velunia", "Ostmark was willing to meet Velunia", False),
        ("公司获得A+轮融资", "公司获得B+轮融资", True),
        ("公司获得A轮融资", "A轮融资,由某基金投资", False),
        ("被选为委员会副主任", "被选为委员会主任", True),
        ("看话剧《茶馆》", "看话剧《雷雨》", True),
        ("看话剧《茶馆》", "看了《茶馆》这部话剧", False),
    ],
)
def test_a_changed_stance_is_a_changed_fact(reference: str, answer: str, changed: bool) -> None:
    assert bool(changed_stance(reference, answer, "Ostmark" in reference)) is changed


@pytest.mark.parametrize(
    ("reference", "answer", "asked", "name"),
    [
        ("I waited for the ferry.", "Tom waited for the ferry.", "Diary of Ida Berg?", "Tom"),
        ("I waited for the ferry.", "Ida waited for the ferry.", "Diary of Ida Berg?", None),
        ("I waited for the ferry.", "Waiting for the ferry.", "Diary of Ida Berg?", None),
        ("I waited for the ferry.", "Tom waited for the ferry.", "what happened?", None),
        ("在书店买书", "王磊在书店买书", "朱芳日记都包括什么？", "王磊"),
        ("在书店买书", "朱芳在书店买书", "朱芳日记都包括什么？", None),
    ],
)
def test_only_the_owner_of_a_record_acts_in_it(
    reference: str, answer: str, asked: str, name: str | None
) -> None:
    assert other_subject(reference, answer, asked) == name


def test_the_sides_of_facts_are_found_where_none_are_given() -> None:
    facts = [f"Ostmark {verb} Velunia." for verb in ("warned", "praised", "met")]
    assert set(two_sides(facts, "")) == set(SIDES)
    assert two_sides(["I swam.", "I ran."], "") == ()
    zh = [f"奥斯马克{verb}维卢尼亚。" for verb in ("警告", "称赞", "访问")]
    assert set(two_sides(zh, "奥斯马克与维卢尼亚之间有哪些互动？")) == set(ZH_SIDES)


def test_details_of_two_items_that_changed_places_are_found() -> None:
    told = ["奥托在湿地拍摄白鹭。", "奥托在河边拍摄苍鹭。", "奥托在家整理照片。"]
    truth = ["奥托在河边拍摄白鹭。", "奥托在湿地拍摄苍鹭。", "奥托在家整理照片。"]
    assert between(truth, told).correct is False
    assert between(truth, truth).correct is True


def test_the_content_of_a_look_alike_under_another_date_is_wrong() -> None:
    truth = ["I swam in the lake with my brother.", "I swam at the pool.", "I baked rye bread."]
    told = ["He swam at the pool.", "He swam at the pool.", "He baked rye bread."]
    assert between(truth, told).correct is False


def test_an_answer_in_another_language_is_judged_by_what_can_be_known() -> None:
    truth = ["早晨在江边跑步五公里。", "下午与同事打羽毛球，输了三局。", "晚上在剧院看话剧。"]
    told = [
        "She ran five kilometers along the river in the morning.",
        "She played badminton with colleagues in the afternoon and lost three games.",
        "In the evening she saw a stage play at the theater.",
    ]
    got = between(truth, told)
    assert got.correct, got.reason
    assert Doubt.OTHER_LANGUAGE in got.doubts
    for old, new in (("five", "eight"), ("afternoon", "evening"), ("lost", "won")):
        assert between(truth, [t.replace(old, new) for t in told]).correct is False, old


def test_languages_and_characters() -> None:
    assert other_latin("durmió hasta el mediodía y se saltó el desayuno")
    assert not other_latin("I slept until noon and skipped breakfast in the hotel")
    assert simplified("釣到三條鯽魚") == "钓到三条鲫鱼"


TYRE = [
    "Loosen the wheel nuts with the wrench",
    "Raise the car with the jack",
    "Take off the nuts and the flat wheel",
    "Mount the spare wheel",
    "Lower the car and tighten the nuts crosswise",
]


@pytest.mark.parametrize(
    "response",
    [
        "First loosen the wheel nuts with the wrench and raise the car. Then take off "
        "the nuts and the flat wheel, mount the spare, lower the car and tighten the nuts.",
        "1. Loosen the nuts (wrench), then raise the car.\n2. Nuts and flat wheel off.\n"
        "3. Spare wheel on.\n4. Lower the car.\n5. Tighten the nuts crosswise.",
        "Loosen the wheel nuts → raise the car on the jack → nuts and flat wheel off → spare "
        "wheel on → lower the car → tighten the nuts crosswise",
    ],
)
def test_steps_may_be_cut_otherwise_than_in_the_reference(response: str) -> None:
    got = procedure(TYRE, response)
    assert got.correct, got.reason


@pytest.mark.parametrize("missing", range(5))
def test_a_step_missing_from_running_text_is_missed(missing: int) -> None:
    told = [s[0].lower() + s[1:] for n, s in enumerate(TYRE) if n != missing]
    assert procedure(TYRE, f"You {', then '.join(told)}.").correct is False


def test_doubts_are_rare_on_clear_answers_and_there_on_close_ones() -> None:
    truth = ["I sold a lamp to Ina.", "I painted the old fence.", "I fed three goats."]
    assert between(truth, truth).doubts == ()
    assert between(truth, truth[:2]).doubts == ()
    assert between(truth, [*truth[:2], "I sold a lamp to Ina."]).doubts == ()
    close = between(truth, ["I sold a lamp to Ina.", "I varnished the old fence.", truth[2]])
    assert Doubt.NEAR_MISS in close.doubts
    told = "\n".join(f"- {t}" for t in truth)
    case = Case("en", "temporal", "", "Items:\n" + told, "Well, that is hard:")
    assert judge(case).doubts == (Doubt.NO_ITEMS,)
    many = "\n".join([told] * 5)
    case = Case("en", "temporal", "", "Items:\n" + told, many)
    assert Doubt.CROWDED in judge(case).doubts


@pytest.mark.parametrize(
    ("ref", "ans", "same"),
    [
        ("I swam in the lake.", "Swam in the lake", True),
        ("I swam in the lake.", "She swam in the lake.", True),
        ("I swam in the lake.", "Ann Lee swam in the lake.", True),
        ("在湖里游泳。", "朱芳在湖里游泳。", True),
        ("I swam in the lake.", "Never swam in the lake.", False),
        ("I swam in the lake.", "Ann Lee's brother swam in the lake.", False),
        ("I swam in the lake.", "Ann Lee did not swim; swam in the lake.", False),
        ("I rested.", "Ann Lee was arrested.", False),
        ("在湖里游泳。", "朱芳没在湖里游泳。", False),
    ],
)
def test_a_quotation_may_name_its_owner_and_nobody_else(ref: str, ans: str, same: bool) -> None:
    known = FactReader().read("What does the diary of Ann Lee say? 朱芳日记").bag
    assert quotes(ref, ans, known) is same
