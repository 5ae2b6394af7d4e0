"""The harder set: layouts state everything, faults change one thing. Questions are made up here."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from seqniah_datasets import rng
from seqniah_datasets.schema import Lang, Needle, Pipeline, QAItem
from seqniah_scorers import rules
from seqniah_scorers.making import harder
from seqniah_scorers.making.faults import (
    DIARY_FAULTS,
    EVENT_FAULTS,
    STEP_FAULTS,
    WORDS,
    other_number,
    swapped,
)
from seqniah_scorers.making.layouts import LAYOUTS, STEP_LAYOUTS, fits
from seqniah_scorers.making.telling import (
    FORMS,
    Retold,
    paraphrase,
    telling,
    third_person,
    within,
    written,
)
from seqniah_scorers.making.training import case_of
from seqniah_scorers.verdict import FailureMode

EVENTS = (
    (3, "In the morning I bought seven red apples for my brother in the library."),
    (8, "I climbed the old bell tower and was tired."),
    (9, "At noon I sketched three herons beside the lake."),
    (21, "I repaired my uncle's gate with a brass hinge."),
)


def diary(events: tuple[tuple[int, str], ...] = EVENTS, name: str = "Ann Bell") -> QAItem:
    needles = tuple(
        Needle(f"Diary of {name}: {text}", f"May {day}, 2010：{text}", text, date(2010, 5, day))
        for day, text in events
    )
    question = f"List by date what {name} did in May 2010."
    return QAItem("en", Pipeline.SYNTHETIC_TEMPORAL, name, question, "By date:", needles, True)


def dealings() -> QAItem:
    clauses = ("Orva accused the state of Lind", "Orva visited the state of Lind", "Orva sued Lind")
    clauses = (*clauses[:2], "the state of Lind received a demand from Orva")
    needles = tuple(
        Needle(text, f"On June {day}, {2000 + day}, {text}.", text, date(2000 + day, 6, day))
        for day, text in enumerate(clauses, 4)
    )
    return QAItem(
        "en",
        Pipeline.REAL_TEMPORAL,
        "Orva, the state of Lind",
        "What did Orva do?",
        "Orva did:",
        needles,
        False,
        ("Orva", "the state of Lind"),
    )


def steps() -> QAItem:
    texts = ("open the cold tap", "fill two jars to the top", "dry the thin lids with a red cloth")
    needles = tuple(Needle(f"One must {text}.", text.capitalize(), text, None) for text in texts)
    question = "How are jars filled? List the steps in order."
    return QAItem("en", Pipeline.REAL_LOGICAL, "fill jars", question, "Steps:", needles, True)


OTHERS = [
    diary(((5, "I juggled torches at a fair."), (6, "I rowed."), (7, "I wept.")), "Ben Cole"),
    replace(dealings(), subject="Third", parties=("Kesk", "Umbria")),
]


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_of_events_states_every_event(name: str) -> None:
    told = telling(diary(), ())
    if not fits(name, told):
        pytest.skip("says too little of these dates")
    for number in range(8):
        text = LAYOUTS[name](told, rng.stream(name, number))
        assert all(within(line.text)[8:] in text for line in told.lines)
        assert rules.judge(case_of(told.qa, "temporal", text)).correct


@pytest.mark.parametrize("name", STEP_LAYOUTS)
def test_a_layout_of_steps_states_every_step_in_order(name: str) -> None:
    told = telling(steps(), ())
    for number in range(8):
        text = STEP_LAYOUTS[name](told, rng.stream(name, number))
        spots = [text.find(line.text[1:]) for line in told.lines]
        assert -1 not in spots
        assert spots == sorted(spots)


@pytest.mark.parametrize("name", DIARY_FAULTS)
def test_a_fault_in_a_diary_changes_something(name: str) -> None:
    told = telling(diary(), ())
    made = [DIARY_FAULTS[name](told, OTHERS[:1], rng.stream(name, n)) for n in range(12)]
    found = [one for one in made if one is not None]
    assert found
    for fault in found:
        assert fault.lines != told.lines
        assert fault.modes and fault.what.endswith(".")
        text = LAYOUTS["bold dates"](told.with_lines(fault.lines), rng.stream("layout"))
        assert not rules.judge(case_of(told.qa, "temporal", text + fault.closing)).correct


@pytest.mark.parametrize("name", STEP_FAULTS)
def test_a_fault_in_steps_changes_something(name: str) -> None:
    told = telling(steps(), ())
    strange = Needle("Call hens.", "Call every hen by name", "call every hen by name", None)
    other = replace(steps(), subject="hens", needles=(strange,))
    made = [STEP_FAULTS[name](told, [other], rng.stream(name, n)) for n in range(12)]
    found = [one for one in made if one is not None]
    assert found
    assert all(
        [line.text for line in one.lines] != [n.event for n in told.qa.needles] for one in found
    )


def test_sides_are_exchanged_only_where_that_changes_the_fact() -> None:
    qa = dealings()
    known = (Retold(), Retold((), "the state of Lind visited Orva"), Retold())
    fault = EVENT_FAULTS["sides exchanged"](telling(qa, known), OTHERS, rng.stream("sides"))
    assert fault is not None
    assert fault.lines[1].text == "the state of Lind visited Orva"
    mutual = telling(qa, (Retold(),) * 3)
    assert EVENT_FAULTS["sides exchanged"](mutual, OTHERS, rng.stream("sides")) is None


def test_two_wordings_of_one_relation_are_not_exchanged() -> None:
    qa = dealings()
    texts = [needle.event for needle in qa.needles]
    known = (Retold((texts[1],)), Retold((texts[0],)), Retold())
    for number in range(20):
        fault = EVENT_FAULTS["contents exchanged"](telling(qa, known), [], rng.stream(number))
        assert fault is not None
        assert fault.lines[0].text == texts[0]


def test_order_is_no_fault_where_none_is_demanded() -> None:
    assert EVENT_FAULTS["order"](telling(dealings(), ()), [], rng.stream("free")) is None


def test_negation_says_the_opposite_in_words() -> None:
    lines = {
        line.text
        for n in range(30)
        for fault in [DIARY_FAULTS["negation"](telling(diary(), ()), [], rng.stream(n))]
        if fault is not None
        for line in fault.lines
    }
    assert "I never repaired my uncle's gate with a brass hinge." in lines


def test_swapped_words_keep_grammar() -> None:
    found = [text for _, _, text in swapped("I slept in a cellar.", "place", "en")]
    assert found == ["I slept in an attic."]
    assert other_number("画了两张图。", "zh", rng.stream("n")) not in (
        "画了两张图。",
        "画了二张图。",
        "",
    )


@pytest.mark.parametrize("table", WORDS.values(), ids=WORDS.keys())
def test_no_word_is_replaced_by_itself(table: dict[str, dict[str, str]]) -> None:
    for words in table.values():
        assert all(other != word for word, other in words.items())


def test_dates_are_written_whole() -> None:
    day = date(2010, 3, 2)
    for form in (*FORMS["en"], *FORMS["zh"]):
        assert "2010" in written(day, form)


def test_other_words_of_the_same_meaning() -> None:
    assert third_person("In the rain I fed my hens and I was wet.", "Ann", "en") == (
        "In the rain Ann fed their hens and they were wet."
    )
    made = {paraphrase("At noon I bought a huge sofa.", "en", rng.stream(n)) for n in range(20)}
    assert len(made) > 1
    assert all("sofa" in one or "couch" in one for one in made)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "I counted two hundred and twelve rings, twenty-five knots and eight hundred ants."),
        ("en", "I paid in small change for the photographed outline and a near-boiling pot."),
        ("zh", "弹了一晚上，手写了一半的稿，又另买了一个壶把，用保鲜膜一只只裹紧。"),
    ],
)
def test_no_part_of_a_word_or_number_is_replaced(lang: Lang, text: str) -> None:
    assert {paraphrase(text, lang, rng.stream(n)) for n in range(20)} == {text}


def test_half_of_the_places_are_right() -> None:
    for part in ("train", "test"):
        found = harder.places(part)  # type: ignore[arg-type]
        assert 2 * sum(place.correct for place in found) == len(found) == harder.SIZES[part]  # type: ignore[index]
        assert 2 * sum(place.lang == "en" for place in found) == len(found)


def test_a_right_answer_may_stand_in_another_order_where_none_is_demanded() -> None:
    place = harder.HarderPlace("en", Pipeline.REAL_TEMPORAL, True, "any order")
    made = harder.make(place, lambda: (dealings(), (), OTHERS[1:]), "x", rng.stream("any"))
    assert made.correct and made.shuffled and made.failure_modes == ()


def test_a_question_that_allows_nothing_ends_the_search() -> None:
    place = harder.HarderPlace("en", Pipeline.REAL_TEMPORAL, False, "order")
    with pytest.raises(ValueError, match="no question allows"):
        harder.make(place, lambda: (dealings(), (), []), "x", rng.stream("none"))


def test_a_wrong_answer_names_its_fault() -> None:
    place = harder.HarderPlace("en", Pipeline.SYNTHETIC_TEMPORAL, False, "year shifted")
    made = harder.make(place, lambda: (diary(), (), []), "x", rng.stream("year"))
    assert made.failure_modes == (FailureMode.INCORRECT,)
    assert made.group == "fault: year shifted"
    assert "instead of May" in made.reason
