"""Authored procedures: form of the bank, and what is promised of every question made of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from math import prod
from typing import Any

import pytest

from seqniah_datasets import rng, splits
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import open_sources, tables
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.real_logical import (
    AuthoredProcedures,
    Procedure,
    of_split,
    procedures,
)
from seqniah_datasets.splits import GROUPS

SOURCE = open_sources()[Pipeline.REAL_LOGICAL]
SEEDS = range(5)
SLOT = re.compile(r"\{(\w+)\}")

ORDINALS: dict[Lang, str] = {
    "en": (
        r"(?i)\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|last(?:ly)?|final(?:ly)?|next|then|begin"
        r"|start|initially|steps?|stages?|afterwards|subsequently|you|your)\b"
    ),
    "zh": (
        "首先|第[一二三四五六七八九十]+步|第一|第二|第三|然后|接着|接下来|随后|最后|步骤|之后|开始"
        "|其次|先|再|你|您"
    ),
}
"""What would reveal a step's place, or talk to the reader."""


def _raw(lang: Lang) -> list[dict[str, Any]]:
    return [
        one
        for name in tables.names(f"procedures/{lang}")
        for one in tables.table(name)["procedure"]
    ]


def _steps(raw: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(step["does"], step.get("optional", False)) for step in raw["steps"]]


# The bank.


@pytest.mark.parametrize("lang", LANGS)
def test_there_are_150_procedures_with_names_of_their_own(lang: Lang) -> None:
    ids = [raw["id"] for raw in _raw(lang)]
    assert len(ids) >= 150
    assert not {one for one, count in Counter(ids).items() if count > 1}
    assert all(re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", one) for one in ids)
    assert Counter(one.id for one in procedures(lang)) == Counter(ids)


@pytest.mark.parametrize("lang", LANGS)
def test_slots_are_defined_used_and_make_24_subjects(lang: Lang) -> None:
    heads = ("infinitive", "gerund") if lang == "en" else ("subject",)
    for raw in _raw(lang):
        assert set(raw) == {"id", "steps", "slots", *heads}, raw["id"]
        slots: dict[str, list[str]] = raw["slots"]
        used = {name for text, _ in _steps(raw) for name in SLOT.findall(text)}
        for head in heads:
            names = set(SLOT.findall(raw[head]))
            assert names == set(SLOT.findall(raw[heads[0]])), raw["id"]
            assert prod(len(slots[name]) for name in names) >= 24, raw["id"]
            used |= names
        assert used == set(slots), raw["id"]
        for values in slots.values():
            assert len(set(values)) == len(values), raw["id"]
            assert all(value.strip() == value != "" and "{" not in value for value in values)


@pytest.mark.parametrize("lang", LANGS)
def test_steps_are_as_many_and_as_long_as_agreed(lang: Lang) -> None:
    for raw in _raw(lang):
        steps = _steps(raw)
        assert 3 <= sum(not optional for _, optional in steps) <= 6, raw["id"]
        assert 6 <= len(steps) <= 15, raw["id"]
        assert len({text for text, _ in steps}) == len(steps), raw["id"]
        for text, _ in steps:
            if lang == "en":
                assert 7 <= len(text.split()) <= 30, (raw["id"], text)
                assert text[0].islower(), (raw["id"], text)
            else:
                assert 12 <= len(SLOT.sub("某物", text)) <= 55, (raw["id"], text)
            assert not re.search(r"[.;:!?。；：！？\n]", text), (raw["id"], text)
            assert not re.search(ORDINALS[lang], text), (raw["id"], text)


@pytest.mark.parametrize("lang", LANGS)
def test_no_two_procedures_share_a_step(lang: Lang) -> None:
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for raw in _raw(lang):
        for text, _ in _steps(raw):
            owners[text].add(raw["id"])
    assert not {text: ids for text, ids in owners.items() if len(ids) > 1}


@pytest.mark.parametrize("lang", LANGS)
def test_each_procedure_belongs_to_one_split(lang: Lang) -> None:
    dealt = Counter(one.id for split in SPLITS for one in of_split(lang, split))
    assert dealt == Counter(one.id for one in procedures(lang))
    assert set(dealt.values()) == {1}


# What is made of it.


def _pattern(text: str, slots: dict[str, tuple[str, ...]]) -> re.Pattern[str]:
    """What a template may become; each slot has one value throughout."""
    parts: list[str] = []
    seen: set[str] = set()
    for number, part in enumerate(SLOT.split(text)):
        if number % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            seen.add(part)
            parts.append(f"(?P<{part}>{'|'.join(map(re.escape, slots[part]))})")
    return re.compile("".join(parts))


@lru_cache(maxsize=2)
def _subjects(lang: Lang) -> list[tuple[Procedure, re.Pattern[str]]]:
    return [(one, _pattern(one.subject, one.slots)) for one in procedures(lang)]


def _known(item: QAItem) -> tuple[Procedure, dict[str, str]]:
    """The procedure of a question, and what its slots stand for; there is just one."""
    found = [
        (one, match.groupdict())
        for one, pattern in _subjects(item.lang)
        if (match := pattern.fullmatch(item.subject))
    ]
    assert len(found) == 1, (item.subject, [one.id for one, _ in found])
    return found[0]


def _wishes(lang: Lang, split: Split, seed: int) -> tuple[Wish, ...]:
    return splits.wishes(split, lang, Pipeline.REAL_LOGICAL, seed)


def _made(lang: Lang, split: Split, seed: int) -> list[QAItem]:
    wishes = _wishes(lang, split, seed)
    supply = SOURCE.supply(Demand(lang, split, seed, wishes))
    return [supply.item(serial) for serial in range(len(wishes))]


@pytest.fixture(scope="module", params=[(lang, split) for lang in LANGS for split in SPLITS])
def items(request: pytest.FixtureRequest) -> list[QAItem]:
    return _made(*request.param, 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_sample_of_the_quotas_gets_a_question(lang: Lang, split: Split, seed: int) -> None:
    wishes = _wishes(lang, split, seed)
    supply = SOURCE.supply(Demand(lang, split, seed, wishes))
    assert supply.reused == 0
    exact = 0
    for serial, wish in enumerate(wishes):
        needles = supply.needles(serial)
        assert needles is not None and wish.group.low <= needles <= wish.group.high
        assert len(supply.item(serial).needles) == needles
        exact += needles == wish.needles
    assert exact >= 0.8 * len(wishes)  # else the observed spread of counts is lost


@pytest.mark.parametrize("lang", LANGS)
def test_three_steps_are_told_about_as_often_as_wished(lang: Lang) -> None:
    for seed in SEEDS:
        wishes = _wishes(lang, "test", seed)
        supply = SOURCE.supply(Demand(lang, "test", seed, wishes))
        given = Counter(supply.needles(serial) for serial in range(len(wishes)))
        wished = sum(wish.needles == 3 for wish in wishes)
        assert given[3] >= wished / 2, (given[3], wished)


@pytest.mark.parametrize("lang", LANGS)
def test_test_takes_four_variants_of_a_procedure_at_most(lang: Lang) -> None:
    for seed in SEEDS:
        used = Counter(_known(item)[0].id for item in _made(lang, "test", seed))
        assert max(used.values()) <= 4


@pytest.mark.parametrize("lang", LANGS)
def test_no_procedure_is_in_two_splits_whatever_the_seed(lang: Lang) -> None:
    used: dict[str, set[str]] = {}
    for split in SPLITS:
        made = [item for seed in (0, 3) for item in _made(lang, split, seed)]
        used[split] = {_known(item)[0].id for item in made}
    assert not used["train"] & used["dev"]
    assert not used["train"] & used["test"]
    assert not used["dev"] & used["test"]


def test_no_two_samples_share_a_subject(items: list[QAItem]) -> None:
    assert not [one for one, count in Counter(i.subject for i in items).items() if count > 1]


def test_steps_stand_in_the_order_of_the_bank_and_only_optional_ones_lack(
    items: list[QAItem],
) -> None:
    left_out = 0
    for item in items:
        procedure, words = _known(item)
        told: list[int] = []
        for needle in item.needles:
            for number, step in enumerate(procedure.steps):
                match = _pattern(step.text, procedure.slots).fullmatch(needle.event)
                if match:
                    # A slot stands for one thing all through a procedure.
                    for name, value in match.groupdict().items():
                        assert words.setdefault(name, value) == value, (procedure.id, needle.event)
                    told.append(number)
        assert len(told) == len(item.needles), (procedure.id, told)
        assert told == sorted(set(told)), (procedure.id, told)
        missing = set(range(len(procedure.steps))) - set(told)
        assert all(procedure.steps[number].optional for number in missing), procedure.id
        left_out += bool(missing)
    assert left_out


def test_told_steps_have_one_order_and_no_other(items: list[QAItem]) -> None:
    for item in items:
        procedure, _ = _known(item)
        left = [
            step
            for needle in item.needles
            for step in procedure.steps
            if _pattern(step.text, procedure.slots).fullmatch(needle.event)
        ]
        told = list(left)
        while left:
            # What can come first of those that are left: whatever needs nothing they make.
            able = [one for one in left if not any(one.needs & other.makes for other in left)]
            assert able == [told[-len(left)]], (procedure.id, [one.text for one in able])
            left.remove(able[0])


@pytest.mark.parametrize("lang", LANGS)
def test_a_step_needs_what_the_one_before_it_makes(lang: Lang) -> None:
    for raw in _raw(lang):
        made: set[str] = set()
        before: dict[str, Any] = {"makes": []}
        for number, step in enumerate(raw["steps"]):
            assert set(step) <= {"does", "needs", "makes", "optional"}, raw["id"]
            assert set(step.get("needs", [])) <= made, (raw["id"], step["does"])
            assert not number or set(step["needs"]) & set(before["makes"]), (raw["id"], step)
            made |= set(step.get("makes", []))
            before = step


@pytest.mark.parametrize("lang", LANGS)
def test_a_procedure_can_be_told_in_any_number_of_steps_from_its_fewest(lang: Lang) -> None:
    for one in procedures(lang):
        draws = rng.stream("told", one.id)
        for count in range(one.fewest, len(one.steps) + 1):
            assert len(one.told(count, draws)) == count, one.id
        assert one.fewest <= 6


def test_needles_carry_the_subject_and_tell_no_place_in_the_order(items: list[QAItem]) -> None:
    for item in items:
        procedure, words = _known(item)
        gerund = procedure.gerund.replace("{", "{0[").replace("}", "]}").format(words)
        for needle in item.needles:
            assert needle.text.count(needle.event) == 1
            around = needle.text.replace(needle.event, "").casefold()
            assert item.subject.casefold() in around or gerund.casefold() in around, needle.text
            assert not re.search(ORDINALS[item.lang], needle.text), needle.text
            assert not re.search(r"^\W*\d|[{}\n]|  ", needle.text), needle.text
            assert needle.text.endswith("." if item.lang == "en" else "。")
            assert needle.text[0] == needle.text[0].upper()
            assert needle.date is None
            assert needle.item.casefold() == needle.event.casefold()
        assert item.subject.casefold() in item.question.casefold() or (
            gerund.casefold() in item.question.casefold()
        )


def test_order_is_always_demanded_in_words_too(items: list[QAItem]) -> None:
    demand = r"order|sequence|step by step|按|依次|顺序|一步一步"
    for item in items:
        assert item.order_required
        assert re.search(demand, item.question), item.question


def test_needles_of_a_question_differ_and_none_holds_another(items: list[QAItem]) -> None:
    for item in items:
        events = [needle.event for needle in item.needles]
        for event in events:
            assert sum(event in other for other in events) == 1, event


def test_articles_fit_their_words(items: list[QAItem]) -> None:
    for item in items:
        if item.lang == "zh":
            continue
        text = " ".join([item.question, item.reference, *(one.text for one in item.needles)])
        wrong = re.findall(r"\ban [^aeiouAEIOU8\W]\w+|\ba (?:[aeioAEIO]|un|8|11|18)\w+", text)
        sound = r"an (?:hour|heir|honest|[FHLMNRSX][A-Z\d-]|x-)|a (?:one|uni|eu|once|ewe)"
        assert not [one for one in wrong if not re.match(sound, one)], item.subject


# A demand beyond the bank.


@pytest.mark.parametrize("lang", LANGS)
def test_beyond_four_variants_test_gives_nothing_unless_reuse_is_allowed(lang: Lang) -> None:
    fit = sum(one.fewest <= 5 and len(one.steps) >= 3 for one in of_split(lang, "test"))
    wishes = (Wish(GROUPS[0], 4),) * (4 * fit + 25)
    strict = SOURCE.supply(Demand(lang, "test", 0, wishes))
    loose = SOURCE.supply(Demand(lang, "test", 0, wishes, reuse=True))
    needles = [strict.needles(serial) for serial in range(len(wishes))]
    assert needles.count(None) == 25
    with pytest.raises(LookupError):
        strict.item(needles.index(None))
    subjects = [loose.item(serial).subject for serial in range(len(wishes))]
    assert len(set(subjects)) == len(subjects)


@pytest.mark.parametrize("lang", LANGS)
def test_seeds_give_other_variants_of_the_same_procedures(lang: Lang) -> None:
    first, again, other = (_made(lang, "test", seed) for seed in (0, 0, 1))
    assert first == again
    subjects = [{item.subject for item in made} for made in (first, other)]
    assert len(subjects[0] & subjects[1]) < len(subjects[0]) / 2
    homes = [{_known(item)[0].id for item in made} for made in (first, other)]
    assert len(homes[0] & homes[1]) > len(homes[0]) / 2


def test_the_digest_is_that_of_the_content() -> None:
    assert AuthoredProcedures().digest == SOURCE.digest
    assert len({source.digest for source in open_sources().values()}) == 3
