"""Lures: near a needle, never an answer, and the same wherever they are made."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from seqniah_datasets import splits
from seqniah_datasets.schema import (
    LANGS,
    SPLITS,
    Lang,
    Lure,
    LureKind,
    NeedleGroup,
    Pipeline,
    QAItem,
    Split,
    Wish,
)
from seqniah_datasets.sources import lures, open_sources, qa_pool
from seqniah_datasets.sources.base import Demand, Source, Supply
from seqniah_datasets.sources.event_pool import EventPool
from seqniah_datasets.sources.invented_world import Entity, entities
from seqniah_datasets.sources.people import person
from seqniah_datasets.sources.real_logical import LEADS
from seqniah_datasets.sources.tables import lines
from seqniah_scorers.reading.dates import find_dates
from seqniah_tasks.benchmarks.sequential_niah.score import judge

ANY = NeedleGroup("3-15", 3, 15)
ENOUGH = 3
"""Lures from which three variants can draw one each."""

Made = tuple[QAItem, tuple[Lure, ...]]


def _supply(source: Source, lang: Lang, split: Split = "test", seed: int = 0) -> Supply:
    wishes = splits.wishes(split, lang, source.pipeline, seed)
    return source.supply(Demand(lang, split, seed, wishes[:400] if split == "train" else wishes))


def _made(supply: Supply, count: int) -> Iterator[Made]:
    for serial in range(count):
        if supply.needles(serial) is not None:
            yield supply.item(serial), supply.lures(serial)


CASES = [
    *((lang, split, 0) for lang in LANGS for split in SPLITS),
    *((lang, "test", 8_191) for lang in LANGS),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(map(str, case)))
def made(request: pytest.FixtureRequest) -> dict[Pipeline, list[Made]]:
    """Items of the open edition with their lures."""
    lang, split, seed = request.param
    return {
        pipeline: list(_made(_supply(source, lang, split, seed), 200))
        for pipeline, source in open_sources().items()
    }


def _kinds(found: list[Made]) -> Counter[LureKind]:
    return Counter(lure.kind for _, some in found for lure in some)


# What holds of every lure.


def test_there_are_enough_for_every_sample_of_the_test_split() -> None:
    count = 0
    for source in open_sources().values():
        for lang in LANGS:
            supply = _supply(source, lang)
            for serial in range(len(splits.wishes("test", lang, source.pipeline, 0))):
                some = supply.lures(serial)
                assert len(some) == lures.MOST >= 2 * ENOUGH, (source.name, lang, serial)
                count += 1
    assert count == 2_000


def test_no_lure_holds_a_needle_and_all_are_distinct(made: dict[Pipeline, list[Made]]) -> None:
    for found in made.values():
        assert len(found) > 50
        for item, some in found:
            assert len({lure.text for lure in some}) == len(some)
            for lure in some:
                assert not any(needle.event in lure.text for needle in item.needles), lure.text
                assert lure.text.strip() == lure.text
                assert lure.subject


def test_items_are_the_same_whether_or_not_lures_were_made() -> None:
    for source in open_sources().values():
        asked, unasked = _supply(source, "en"), _supply(source, "en")
        for serial in range(50):
            some = asked.lures(serial)
            assert asked.item(serial) == unasked.item(serial)
            assert asked.lures(serial) == some


def test_lures_hang_on_the_key_alone() -> None:
    script = (
        "from seqniah_datasets import splits\n"
        "from seqniah_datasets.sources import open_sources\n"
        "from seqniah_datasets.sources.base import Demand\n"
        "for source in open_sources().values():\n"
        "    wishes = splits.wishes('dev', 'en', source.pipeline, 3)\n"
        "    supply = source.supply(Demand('en', 'dev', 3, wishes))\n"
        "    for serial in (40, 7, 0):\n"
        "        print(ascii(supply.lures(serial)))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    supplies = [_supply(source, "en", "dev", 3) for source in open_sources().values()]
    here = "".join(f"{one.lures(serial)!a}\n" for one in supplies for serial in (40, 7, 0))
    assert here == told.pop().decode()


def test_other_seeds_make_other_lures() -> None:
    for source in open_sources().values():
        texts = [
            {one.text for _, some in _made(_supply(source, "en", "test", seed), 60) for one in some}
            for seed in (0, 1)
        ]
        assert len(texts[0] & texts[1]) < len(texts[0]) / 10, source.name


# Of records.


def test_another_person_shares_the_surname_and_nearly_the_day(
    made: dict[Pipeline, list[Made]],
) -> None:
    found = made[Pipeline.SYNTHETIC_TEMPORAL]
    assert set(_kinds(found)) == {LureKind.OTHER_PERSON, LureKind.UNDATED}
    for item, some in found:
        others = [lure for lure in some if lure.kind is LureKind.OTHER_PERSON]
        assert len({lure.subject for lure in others}) == len(others) >= ENOUGH
        days = [needle.date for needle in item.needles if needle.date]
        for lure in others:
            mine, theirs = item.subject.casefold(), lure.subject.casefold()
            assert mine not in lure.text.casefold()
            assert theirs not in mine
            assert lure.subject in lure.text
            if item.lang == "en":
                assert lure.subject.split()[1:] == item.subject.split()[1:]
            else:
                assert lure.subject[0] == item.subject[0]
            (told,) = find_dates(lure.text)[:1]
            assert lure.date == date(*map(int, (part or 0 for part in told.key())))
            assert lure.date.replace(day=1) == days[0].replace(day=1)
            assert min(abs((lure.date - day).days) for day in days) <= 3
            # The form is the needle's: the same title.
            title = item.needles[0].text.partition(item.subject)
            assert lure.text.startswith(title[0] + lure.subject)


def test_namesakes_are_of_the_same_split() -> None:
    for lang in LANGS:
        everyone = {person(lang, "test", serial, 0) for serial in range(20_000)}
        for _, some in _made(_supply(open_sources()[Pipeline.SYNTHETIC_TEMPORAL], lang), 300):
            assert {lure.subject for lure in some} <= everyone


RELATIVE = re.compile(
    r"\b(?:that|same|next|previous) (?:day|week|month)\b|\b(?:today|yesterday|tomorrow)\b"
    r"|[当同次翌今昨明]天|[当同次翌]日"
)


def test_an_undated_record_is_of_the_person_and_only_where_a_month_is_asked_for(
    made: dict[Pipeline, list[Made]],
) -> None:
    seen = 0
    for item, some in made[Pipeline.SYNTHETIC_TEMPORAL]:
        asks_for_month = bool(find_dates(item.question))
        undated = [lure for lure in some if lure.kind is LureKind.UNDATED]
        assert len(undated) == (3 if asks_for_month else 0), item.question
        for lure in undated:
            seen += 1
            assert lure.date is None and lure.subject == item.subject
            assert not find_dates(lure.text), lure.text
            assert not RELATIVE.search(lure.text), lure.text
            title, _, rest = item.needles[0].text.partition(item.subject)
            record = rest[:2] if item.lang == "zh" else ""
            assert lure.text.startswith(title + item.subject + record)
    assert seen > 50


# Of dealings.


def test_another_party_stands_beside_exactly_one_of_the_two(
    made: dict[Pipeline, list[Made]],
) -> None:
    found = made[Pipeline.REAL_TEMPORAL]
    assert set(_kinds(found)) == {LureKind.OTHER_PARTY}
    who: dict[str, Entity] = {one.names[found[0][0].lang]: one for one in entities()}
    powers: set[bool] = set()
    for item, some in found:
        a, b = item.subject.split(", ")
        days = [needle.date for needle in item.needles if needle.date]
        sides: Counter[str] = Counter()
        for lure in some:
            actor, target = lure.subject.split(", ")
            assert (actor == a) != (target == b), lure.subject
            sides["a" if actor == a else "b"] += 1
            named = [name in lure.text.replace("The ", "the ") for name in (a, b)]
            assert sorted(named) == [False, True], lure.text
            assert lure.date and days[0] <= lure.date <= days[-1]
            assert min(abs((lure.date - day).days) for day in days) <= 20
            third = who[target if actor == a else actor]
            assert third.state not in (who[a].state, who[b].state)
            assert third.since <= lure.date.toordinal() <= third.until, lure.text
            powers.add("powers" in third.kinds)
            if re.search(r"militar|embargo|armed|truce|军事|禁运|制裁|停火|武力", lure.text):
                assert "powers" in third.kinds & who[a].kinds & who[b].kinds, lure.text
            if re.search(r"phone|third location|电话|第三地", lure.text):
                assert "persons" in third.kinds, lure.text
            if re.search(r"delegation to visit|代表团访问", lure.text):
                assert "states" in third.kinds, lure.text
        assert sides == {"a": 3, "b": 3}
    assert powers == {False, True}


def _day(number: int) -> str:
    return (date(2005, 1, 10) + timedelta(days=100 * number)).isoformat()


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> EventPool:
    """Four states that deal with one another, organs of one, and a company with many deals."""
    folder = tmp_path_factory.mktemp("graph")
    states = ["France", "Japan", "Italy", "Spain", "Police (Japan)", "Citizen (Japan)"]
    rows = [
        "\t".join((a, ("Demand", "Reject", "Praise or endorse")[n % 3], b, _day(n)))
        for a in states
        for b in states
        for n in range(3, 9)
        if a != b
    ]
    (folder / "events.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    deals = [
        {"并购方": "甲集团", "被并购方": f"乙{n}", "并购开始时间": f"{2005 + n}年03月04日"}
        for n in range(14)
    ]
    deals += [{**deals[n], "并购方": "丙集团"} for n in range(3)]
    text = "".join(json.dumps(deal, ensure_ascii=False) + "\n" for deal in deals)
    (folder / "deals.jsonl").write_text(text, "utf-8")
    return EventPool([folder / "events.tsv", folder / "deals.jsonl"])


def _pooled(pool: EventPool, lang: Lang, needles: int) -> list[Made]:
    wishes = (Wish(NeedleGroup("3-10", 3, 10), needles),) * 120
    return [
        one
        for split in SPLITS
        for one in _made(pool.supply(Demand(lang, split, 0, wishes)), len(wishes))
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_real_lures_are_facts_of_the_graph_with_a_third_party(graph: EventPool, lang: Lang) -> None:
    told = {
        (fact.date, ", ".join(one.names.values()), clause.format(**fact.names))
        for one in graph.chronicles
        for fact in one.facts
        for clause in fact.phrasings
    }
    found = [one for one in _pooled(graph, lang, 6) if len(one[0].parties) == 2]
    assert len(found) > 10
    for item, some in found:
        a, b = item.parties
        assert len(some) >= ENOUGH and len({lure.text for lure in some}) == len(some)
        for lure in some:
            assert lure.kind is LureKind.OTHER_PARTY and lure.date
            actor, target = lure.subject.split(", ")
            assert (actor == a) != (target == b)
            assert b not in (actor, target) or a not in (actor, target)
            assert any(
                (lure.date, lure.subject) == (day, who) and clause.lower() in lure.text.lower()
                for day, who, clause in told
            )
            # Police and citizens of Japan are part of Japan: no third party beside it.
            third, replaced = (target, b) if actor == a else (actor, a)
            assert third not in replaced and replaced not in third


def test_a_company_out_of_the_period_asked_about(graph: EventPool) -> None:
    found = [one for one in _pooled(graph, "zh", 3) if one[0].subject == "甲集团"]
    assert len(found) >= 2
    for item, some in found:
        days = [needle.date for needle in item.needles if needle.date]
        years = list(map(int, re.findall(r"\d{4}", item.question)))
        assert len(some) == lures.MOST
        for lure in some:
            assert lure.kind is LureKind.OUT_OF_RANGE and lure.subject == "甲集团"
            assert lure.date and not days[0] <= lure.date <= days[-1]
            # The graph has one deal a year, so the years of the question bound its period.
            assert not min(years) < lure.date.year < max(years)
            assert lure.date not in days


def test_a_company_that_is_asked_about_whole_has_none(graph: EventPool) -> None:
    found = [one for one in _pooled(graph, "zh", 3) if one[0].subject == "丙集团"]
    assert [some for _, some in found] == [()]


# Of procedures.

ORDERED = re.compile(
    r"\b(?:first|then|next|finally|before|after|must|should|have to|has to)\b"
    r"|先|然后|接着|最后|必须|应当|应该"
)


def test_remarks_tell_no_step(made: dict[Pipeline, list[Made]]) -> None:
    found = made[Pipeline.REAL_LOGICAL]
    assert set(_kinds(found)) == {LureKind.NO_STEP}
    for item, some in found:
        lang = item.lang
        for lure in some:
            assert lure.subject == item.subject and lure.date is None
            # A gerund changes the verb, in some procedures two verbs, and no other word.
            words = item.subject.split() if lang == "en" else [item.subject]
            missing = [word for word in words if word not in lure.text]
            assert len(missing) <= 2 and len(missing) <= len(words) / 3, lure.text
            assert lure.text[0] == lure.text[0].upper()
            for lead in LEADS[lang]:
                if "{gerund}" not in lead.pattern:
                    start = lead.pattern.partition("{step}")[0].format(subject=item.subject)
                    assert not lure.text.startswith(start)


@pytest.mark.parametrize("lang", LANGS)
def test_the_banks_of_remarks_are_wide_and_give_no_instruction(lang: Lang) -> None:
    for bank, least, slot in (("remarks", 24, "{subject}|{gerund}"), ("headings", 6, "{title}")):
        patterns = lines(f"{bank}_{lang}.txt")
        assert len(set(patterns)) == len(patterns) >= least
        for pattern in patterns:
            assert len(re.findall(slot, pattern)) == 1, pattern
            assert not ORDERED.search(pattern), pattern
            assert pattern.endswith((".", "。"))


def _own(folder: Path, **fields: object) -> Made:
    row = {
        "question": "How does one make plum jam? List the steps in order.",
        "answer": "To make plum jam:\n- Stone the plums\n- Boil them\n- Fill the jars",
        "needles": ["For plum jam, stone the plums.", "Boil plums.", "Fill the jars with jam."],
        **fields,
    }
    path = folder / "own.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    (pool,) = qa_pool.read([path], lambda question, lang: True).values()
    wishes = (Wish(ANY, 3),) * 2
    lang: Lang = "zh" if fields.get("lang") == "zh" else "en"
    return next(
        one for split in SPLITS for one in _made(pool.supply(Demand(lang, split, 0, wishes)), 2)
    )


def test_a_users_own_procedure_is_cited_as_a_title(tmp_path: Path) -> None:
    item, some = _own(tmp_path)
    assert len(some) == lures.MOST
    for lure in some:
        assert lure.kind is LureKind.NO_STEP and lure.subject == item.subject
        assert "“How does one make plum jam?”" in lure.text
        assert "List the steps" not in lure.text
    for lure in _own(tmp_path, subject="plum “Opal” jam")[1]:
        assert "“plum ‘Opal’ jam”" in lure.text
    for lure in _own(tmp_path, subject="做梅子酱", lang="zh")[1]:
        assert "“做梅子酱”" in lure.text


def test_a_users_own_dated_events_have_none(tmp_path: Path) -> None:
    assert _own(tmp_path, pipeline="tkg")[1] == ()


def test_the_digest_names_every_line_of_the_banks(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lures.digest()
    assert before == lures.digest()
    for bank in ("remarks_en.txt", "headings_zh.txt"):
        with monkeypatch.context() as patch:
            patch.setattr(
                lures,
                "lines",
                lambda name, bank=bank: (*lines(name), "{title}.") if name == bank else lines(name),
            )
            assert lures.digest() != before


# Of the judge.


def _answered(item: QAItem, lure: Lure) -> str:
    return f"{item.reference}\n- {' '.join(lure.text.split())}"


@pytest.mark.parametrize("lang", LANGS)
def test_who_names_a_lure_too_is_wrong(lang: Lang) -> None:
    caught: Counter[LureKind] = Counter()
    fooled: Counter[LureKind] = Counter()
    for source in open_sources().values():
        for item, some in _made(_supply(source, lang), 84):
            assert judge(item, item.reference).correct
            for lure in some[:1]:
                verdict = judge(item, _answered(item, lure))
                (fooled if verdict.correct else caught)[lure.kind] += 1
    assert caught.total() > 240
    assert fooled.total() <= caught.total() // 50, fooled
