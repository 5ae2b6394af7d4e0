"""The published judge data: cells, perturbations, reasons. Questions are made up here."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, Needle, Pipeline, QAItem
from seqniah_scorers.labelled import GROUPS
from seqniah_scorers.making import training
from seqniah_scorers.making.perturb import dated, foreign, free_day, order_reason, perturb, renamed
from seqniah_scorers.making.training import Part, apportion
from seqniah_scorers.verdict import FailureMode

EVENTS = {
    "en": ("I fed the ducks.", "I lost a glove.", "I drew a map.", "I sang.", "I baked bread."),
    "zh": ("喂了鸭子。", "丢了手套。", "画了地图。", "唱了一首歌。", "烤了面包。"),
}


def diary(name: str, lang: Lang = "en", days: tuple[int, ...] = (2, 9, 17, 23)) -> QAItem:
    needles = []
    for day, event in zip(days, EVENTS[lang], strict=False):
        when = date(2011, 3, day)
        head = f"March {day}, 2011：" if lang == "en" else f"2011年03月{day:02d}日："
        event = event.replace(".", f" for {name}.").replace("。", f"（{name}）。")
        needles.append(Needle(f"{name} {event}", head + event, event, when))
    question = "List the entries by date." if lang == "en" else "请按日期列出条目。"
    intro = "The entries:" if lang == "en" else "条目如下："
    return QAItem(
        lang,
        Pipeline.SYNTHETIC_TEMPORAL,
        name,
        question,
        intro,
        tuple(needles),
        order_required=True,
    )


def steps(name: str, texts: tuple[str, ...]) -> QAItem:
    needles = tuple(Needle(text, text, text, None) for text in texts)
    return QAItem("en", Pipeline.REAL_LOGICAL, name, f"How to {name}?", "So:", needles, True)


def test_the_cells_are_those_of_table_7() -> None:
    cells = training.cells("test")
    assert sum(cell.count for cell in cells) == 1_960
    by_group = Counter[tuple[str, str]]()
    for cell in cells:
        by_group[cell.needle_type, cell.group] += cell.count
    printed = {"GT": (241, 229), "missing": (235, 249), "redundant": (265, 266)}
    for group, (temporal, logical) in {**printed, "incorrect": (229, 246)}.items():
        assert (by_group["temporal", group], by_group["logical", group]) == (temporal, logical)


@pytest.mark.parametrize("part", ["train", "test"])
def test_places_fill_cells_and_languages_exactly(part: Part) -> None:
    found = training.places(part)
    assert Counter(place.lang for place in found) == training.SIZES[part]
    counts = Counter(place.cell for place in found)
    assert all(counts[cell] == cell.count for cell in training.cells(part))
    for cell in training.cells(part):
        english = sum(place.lang == "en" for place in found if place.cell == cell)
        assert abs(english - cell.count / 2) <= 1.5


def test_apportion_adds_up_and_keeps_proportions() -> None:
    assert apportion([1, 1, 1], 2) == [1, 1, 0]
    assert apportion([3_000, 3_003], 145) == [72, 73]
    assert sum(apportion([75, 66, 71, 75], 1_001)) == 1_001


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_was_done_is_what_stands_in_the_answer(group: str, shuffled: bool, lang: Lang) -> None:
    qa, others = diary("Ann", lang), [diary(f"Other {n}", lang) for n in range(4)]
    for number in range(60):
        made = perturb(qa, others, group, shuffled, rng.stream("test", group, number))
        kept = [entry.number for entry in made.entries if entry.number is not None]
        assert sorted([*kept, *made.missing]) == [0, 1, 2, 3]
        assert bool(made.missing) == (group in ("missing", "incorrect"))
        assert bool(made.added) == (group in ("redundant", "incorrect"))
        assert (kept != sorted(kept)) == shuffled == (made.inversion is not None)
        true = {needle.item for needle in qa.needles}
        assert not true & {entry.text for entry in made.added}
        days = {needle.date for needle in qa.needles}
        assert not days & {entry.date for entry in made.added}


def test_items_that_read_alike_are_no_shuffle() -> None:
    qa = steps("rinse twice", ("Rinse the cloth", "Wring the cloth", "Rinse the cloth"))
    for number in range(40):
        made = perturb(qa, [], "GT", True, rng.stream("alike", number))
        assert [entry.text for entry in made.entries] != [needle.item for needle in qa.needles]


def test_a_variant_of_the_same_procedure_lends_no_step() -> None:
    qa = steps("pot a fern", ("Tap the old pot off the root ball", "Fill in fresh leaf mould"))
    variant = steps("pot a palm", ("Tap the old pot off the root ball", "Water until it drips"))
    with pytest.raises(ValueError, match="no item"):
        foreign(qa, [variant], 1, rng.stream("variant"))


def test_free_days_stay_within_the_month() -> None:
    taken = [date(2012, 2, day) for day in range(1, 29)]
    assert free_day(taken, rng.stream("day")) == date(2012, 2, 29)


def test_dates_and_names_are_exchanged_in_place() -> None:
    assert dated("- 2002年3月2日，甲访问乙。", date(2002, 3, 2), date(2003, 11, 5)) == (
        "- 2003年11月5日，甲访问乙。"
    )
    text = "The government of Orva met Orva."
    assert renamed(text, ("Orva", "government of Orva"), ("X", "Y")) == "The Y met X."


@pytest.mark.parametrize(
    ("question", "lang", "words"),
    [
        ("Give a timeline, sorted by date, of the steps.", "en", "timeline"),
        ("What did Ann do? Answer in chronological order.", "en", "in chronological order"),
        ("安在三月依次记了哪些事？", "zh", "依次"),
    ],
)
def test_the_reason_names_the_words_that_demand_order(
    question: str, lang: Lang, words: str
) -> None:
    assert words in order_reason(question, lang, True, rng.stream("words"))


def test_a_case_says_what_is_wrong_and_only_that() -> None:
    qa, others = diary("Ann"), [diary(f"Other {n}") for n in range(4)]
    places = {
        (place.cell.group, place.cell.shuffled): place
        for place in training.places("test")
        if place.cell.order_required and place.lang == "en" and place.cell.needle_type == "temporal"
    }
    for (group, shuffled), place in places.items():
        made = training.make(place, qa, others, "x", rng.stream("case", group, int(shuffled)))
        assert made.correct == (group == "GT" and not shuffled)
        assert (FailureMode.MISSING in made.failure_modes) == (group in ("missing", "incorrect"))
        assert (FailureMode.WRONG_ORDER in made.failure_modes) == shuffled
        assert made.case.order_required is None
        ends = ("correct.",) if made.correct else ("incorrect.", "wrong.")
        assert made.reason.endswith(ends)
        for needle in qa.needles:
            stated = needle.item in made.case.response
            assert stated or needle.item.rstrip(".") in made.reason
