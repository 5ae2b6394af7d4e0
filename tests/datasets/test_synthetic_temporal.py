"""Questions about invented people: what is promised of every item."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest

from seqniah_datasets.schema import LANGS, SPLITS, Lang, NeedleGroup, Pipeline, QAItem, Wish
from seqniah_datasets.sources import open_sources
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.people import person
from seqniah_datasets.sources.synthetic_temporal import STYLES
from seqniah_datasets.sources.wording import MONTHS, TEMPLATES

SOURCE = open_sources()[Pipeline.SYNTHETIC_TEMPORAL]


@pytest.fixture(scope="module")
def items() -> list[QAItem]:
    everything = NeedleGroup("3-15", 3, 15)
    wishes = tuple(Wish(everything, 3 + serial % 13) for serial in range(400))
    supplies = [SOURCE.supply(Demand(lang, "test", 0, wishes)) for lang in LANGS]
    return [supply.item(serial) for supply in supplies for serial in range(400)]


@pytest.mark.parametrize("lang", LANGS)
def test_there_are_as_many_ways_to_ask_as_promised(lang: Lang) -> None:
    assert len(TEMPLATES[lang]) >= 16
    assert len({template.question for template in TEMPLATES[lang]}) == len(TEMPLATES[lang])


@pytest.mark.parametrize("lang", LANGS)
def test_about_a_third_of_the_templates_demand_no_order(lang: Lang) -> None:
    free = sum(not template.order_required for template in TEMPLATES[lang])
    assert 0.25 <= free / len(TEMPLATES[lang]) <= 0.4


def test_needles_stand_in_true_order_within_one_month(items: list[QAItem]) -> None:
    for item in items:
        dates = [needle.date for needle in item.needles]
        assert dates == sorted(set(dates), key=lambda day: day or date.min)
        assert len({(day.year, day.month) for day in dates if day}) == 1
        assert all(day and 2000 <= day.year <= 2023 for day in dates)


def test_every_needle_carries_title_date_and_event(items: list[QAItem]) -> None:
    for item in items:
        for needle in item.needles:
            assert item.subject in needle.text
            assert needle.text.endswith(needle.event)
            assert needle.item.endswith(f"：{needle.event}")


# The forms of the paper's examples, as regular expressions written for this test.
FORMS = {
    "2010-11-06": r"\d{4}-\d\d-\d\d",
    "2010/11/09": r"\d{4}/\d\d/\d\d",
    "November-11-2010": r"[A-Z][a-z]+-\d{1,2}-\d{4}",
    "19 November 2010": r"\d{1,2} [A-Z][a-z]+ \d{4}",
    "February 1, 2006": r"[A-Z][a-z]+ \d{1,2}, \d{4}",
    "2006年02月04日": r"\d{4}年\d\d月\d\d日",
}


@pytest.mark.parametrize("lang", LANGS)
def test_all_date_forms_and_separators_occur(items: list[QAItem], lang: Lang) -> None:
    texts = [needle.text for item in items if item.lang == lang for needle in item.needles]
    forms = Counter(name for text in texts for name, form in FORMS.items() if re.search(form, text))
    assert set(forms) == set(FORMS) - ({"2006年02月04日"} if lang == "en" else set())
    assert min(forms.values()) > len(texts) / 20
    gaps = Counter(
        match.group(1, 3)
        for text in texts
        if (match := re.search(rf"[^\s：:-]([\s：:-]*?)({'|'.join(FORMS.values())})(\W*)", text))
    )
    assert {gap for gap, _ in gaps} == set(STYLES[lang].after_title)
    instead = {": "} if lang == "en" else set()  # of ", " before a capital letter
    assert {gap for _, gap in gaps} == set(STYLES[lang].after_date) | instead


def test_the_reference_lists_the_items_in_date_order(items: list[QAItem]) -> None:
    for item in items:
        first, *rest = item.reference.split("\n")
        assert first == item.intro
        assert rest == [f"- {needle.item}" for needle in item.needles]
        pattern = (
            r"- [A-Z][a-z]+ \d{1,2}, \d{4}：" if item.lang == "en" else r"- \d{4}年\d\d月\d\d日："
        )
        assert all(re.match(pattern, line) for line in rest)


def test_a_month_is_named_once_and_cleanly(items: list[QAItem]) -> None:
    asked = [item for item in items if re.search(r"\d{4}", item.question)]
    assert len(asked) > 100
    for item in asked:
        found = re.findall(r"\d+", item.question)
        assert len(found) == (1 if item.lang == "en" else 2)
        pattern = (
            rf"(?:in|during) (?:{'|'.join(MONTHS)}) \d{{4}}\b"
            if item.lang == "en"
            else r"在\d{4}年\d{1,2}月\D"
        )
        assert len(re.findall(pattern, item.question, re.IGNORECASE)) == 1, item.question


@pytest.mark.parametrize("lang", LANGS)
def test_no_person_is_in_two_splits_whatever_the_seed(lang: Lang) -> None:
    sizes = {"train": 4_000, "dev": 900, "test": 900}
    people = {
        split: {
            person(lang, split, serial, seed) for serial in range(sizes[split]) for seed in (0, 1)
        }
        for split in SPLITS
    }
    assert not people["train"] & people["dev"]
    assert not people["train"] & people["test"]
    assert not people["dev"] & people["test"]


@pytest.mark.parametrize("lang", LANGS)
def test_people_of_one_split_are_distinct(lang: Lang) -> None:
    names = [person(lang, "train", serial, 5) for serial in range(3_000)]
    assert len(set(names)) == len(names)


def test_seeds_give_other_people() -> None:
    names = {seed: {person("en", "test", n, seed) for n in range(300)} for seed in (0, 1)}
    assert len(names[0] & names[1]) < 60


@pytest.mark.parametrize("needles", [2, 16])
def test_other_numbers_of_needles_are_refused(needles: int) -> None:
    with pytest.raises(ValueError, match="3 to 15"):
        wish = Wish(NeedleGroup("any", needles, needles), needles)
        SOURCE.supply(Demand("en", "test", 0, (wish,))).item(0)
