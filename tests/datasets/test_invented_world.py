"""The invented world: self-consistent, deterministic, and nowhere real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date
from functools import cache
from itertools import pairwise

import pytest

from seqniah_datasets import rng, splits
from seqniah_datasets.schema import LANGS, SPLITS, Lang, NeedleGroup, Pipeline, QAItem, Wish
from seqniah_datasets.sources import open_sources, tables
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.invented_world import (
    FIRST_YEAR,
    LAST_YEAR,
    Entity,
    _history,
    entities,
)

SOURCE = open_sources()[Pipeline.REAL_TEMPORAL]
ANY = NeedleGroup("3-10", 3, 10)
COUNT = 1_000

COUNTRIES_EN = """Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|
Azerbaijan|Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia|
Botswana|Brazil|Brunei|Bulgaria|Burkina|Burundi|Cambodia|Cameroon|Canada|Chad|Chile|China|Colombia|
Comoros|Congo|Croatia|Cuba|Cyprus|Denmark|Djibouti|Dominica|Ecuador|Egypt|Eritrea|Estonia|Eswatini|
Ethiopia|Fiji|Finland|France|Gabon|Gambia|Georgia|Germany|Ghana|Greece|Grenada|Guatemala|Guinea|
Guyana|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|
Jordan|Kazakhstan|Kenya|Kiribati|Korea|Kosovo|Kuwait|Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|
Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Mali|Malta|Mauritania|
Mauritius|Mexico|Micronesia|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|
Nauru|Nepal|Netherlands|Zealand|Nicaragua|Niger|Nigeria|Macedonia|Norway|Oman|Pakistan|Palau|
Palestine|Panama|Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|Samoa|
Senegal|Serbia|Seychelles|Singapore|Slovakia|Slovenia|Somalia|Spain|Sudan|Suriname|Sweden|
Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Timor|Togo|Tonga|Tunisia|Turkey|Turkmenistan|
Tuvalu|Uganda|Ukraine|Emirates|Britain|England|Scotland|Wales|America|Uruguay|Uzbekistan|Vanuatu|
Vatican|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe|Europe|Asia|Africa|NATO|ASEAN|OPEC""".replace(
    "\n", ""
).split("|")

COUNTRIES_ZH = """阿富汗|阿尔巴尼亚|阿尔及利亚|安哥拉|阿根廷|亚美尼亚|澳大利亚|奥地利|阿塞拜疆|
巴林|孟加拉|白俄罗斯|比利时|不丹|玻利维亚|波斯尼亚|巴西|文莱|保加利亚|柬埔寨|喀麦隆|加拿大|乍得|智利|中国|哥伦比亚|刚果|克罗地亚|
古巴|塞浦路斯|捷克|丹麦|吉布提|厄瓜多尔|埃及|爱沙尼亚|埃塞俄比亚|斐济|芬兰|法国|加蓬|格鲁吉亚|德国|加纳|希腊|
危地马拉|几内亚|海地|洪都拉斯|匈牙利|冰岛|印度|伊朗|伊拉克|爱尔兰|以色列|意大利|牙买加|日本|约旦|哈萨克|肯尼亚|
朝鲜|韩国|科威特|老挝|拉脱维亚|黎巴嫩|利比里亚|利比亚|立陶宛|卢森堡|马来西亚|马尔代夫|马里|马耳他|墨西哥|摩尔多瓦|
摩纳哥|蒙古|黑山|摩洛哥|莫桑比克|缅甸|纳米比亚|尼泊尔|荷兰|新西兰|尼加拉瓜|尼日尔|尼日利亚|挪威|阿曼|巴基斯坦|
巴勒斯坦|巴拿马|巴拉圭|秘鲁|菲律宾|波兰|葡萄牙|卡塔尔|罗马尼亚|俄罗斯|卢旺达|沙特|塞内加尔|塞尔维亚|新加坡|
斯洛伐克|斯洛文尼亚|索马里|南非|西班牙|斯里兰卡|苏丹|瑞典|瑞士|叙利亚|塔吉克|坦桑尼亚|泰国|多哥|突尼斯|土耳其|
土库曼|乌干达|乌克兰|阿联酋|英国|美国|乌拉圭|乌兹别克|委内瑞拉|越南|也门|赞比亚|津巴布韦|欧洲|亚洲|非洲|欧盟|
联合国|北约|东盟""".replace("\n", "").split("|")

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def _items(lang: Lang, split: str = "test", seed: int = 0, count: int = COUNT) -> list[QAItem]:
    wishes = tuple(Wish(ANY, 3 + serial % 8) for serial in range(count))
    supply = SOURCE.supply(Demand(lang, split, seed, wishes))  # type: ignore[arg-type]
    return [supply.item(serial) for serial in range(count)]


@pytest.fixture(scope="module", params=LANGS)
def items(request: pytest.FixtureRequest) -> list[QAItem]:
    return _items(request.param, "train")


def _who(lang: Lang) -> dict[str, Entity]:
    return {entity.names[lang]: entity for entity in entities()}


def _sides(item: QAItem) -> tuple[str, str]:
    a, b = item.subject.split(", ")
    return a, b


@cache
def _told(item: QAItem) -> tuple[tuple[str, date], ...]:
    """Relation and day of each needle; fails unless the needle says that a did it to b."""
    a, b = _sides(item)
    wording = {
        clause.format(a=a, b=b): name
        for name, clauses in tables.relations(item.lang).items()
        for clause in clauses
    }
    assert all(needle.date for needle in item.needles)
    return tuple((wording[one.event], one.date) for one in item.needles if one.date)


def _period(item: QAItem) -> tuple[date, date]:
    """First and last day that a question asks about, read off its words."""
    text = item.question
    for side in _sides(item):
        text = text.replace(side, "")
    if item.lang == "zh":
        days = [
            tuple(map(int, found))
            for found in re.findall(
                r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日", text.replace("至", " ")
            )
            if found[0]
        ]
        short = re.findall(r"至(\d{1,2})月(\d{1,2})日", text)
        days += [(days[0][0], int(month), int(day)) for month, day in short]
    else:
        days = [
            (int(year), MONTHS.index(month) + 1, int(day))
            for month, day, year in re.findall(r"([A-Z][a-z]+) (\d{1,2}), (\d{4})", text)
        ]
    if days:
        assert len(days) == 2, text
        return date(*days[0]), date(*days[1])
    years = sorted(map(int, re.findall(r"\d{4}", text)))
    assert 1 <= len(years) <= 2, text
    return date(years[0], 1, 1), date(years[-1], 12, 31)


def test_it_says_that_it_is_invented() -> None:
    assert "invented" in SOURCE.name


def test_every_wish_is_met_to_the_letter(items: list[QAItem]) -> None:
    assert [len(item.needles) for item in items] == [3 + n % 8 for n in range(COUNT)]
    assert {item.pipeline for item in items} == {Pipeline.REAL_TEMPORAL}


def test_dates_rise_and_the_question_asks_for_just_their_time(items: list[QAItem]) -> None:
    for item in items:
        days = [day for _, day in _told(item)]
        assert days == sorted(set(days))
        first, last = _period(item)
        assert first <= days[0] and days[-1] <= last, item.question
        # Somewhat wider than the events, so that it gives neither end away; or whole years.
        near = (days[0] - first).days <= 60 and (last - days[-1]).days <= 60
        assert near or (first.year, last.year) == (days[0].year, days[-1].year)


def test_nobody_acts_out_of_office_or_against_his_own_state(items: list[QAItem]) -> None:
    who = _who(items[0].lang)
    short = 0
    for item in items:
        sides = [who[name] for name in _sides(item)]
        assert sides[0].state != sides[1].state
        for _, day in _told(item):
            assert all(side.since <= day.toordinal() <= side.until for side in sides), item.subject
        short += any(side.until - side.since < 365 * 12 for side in sides)
    assert short > COUNT / 10  # statesmen do occur, so the test is no empty one


def test_a_state_has_one_leader_at_a_time_from_the_first_year_to_the_last() -> None:
    whole = date(FIRST_YEAR, 1, 1).toordinal(), date(LAST_YEAR, 12, 31).toordinal()
    for state in {entity.state for entity in entities() if entity.state >= 0}:
        spans = sorted(
            (one.since, one.until)
            for one in entities()
            if one.state == state and (one.since, one.until) != whole
        )
        assert (spans[0][0], spans[-1][1]) == whole
        assert all(end + 1 == start for (_, end), (start, _) in pairwise(spans))


AFTER = {
    "Declare truce, ceasefire": {
        "Use conventional military force",
        "fight with artillery and tanks",
    },
    "Express intent to de-escalate military engagement": {
        "Use conventional military force",
        "fight with artillery and tanks",
    },
    "Ease economic sanctions, boycott, embargo": {"Impose embargo, boycott, or sanctions"},
    "Ease military blockade": {"Impose blockade, restrict movement"},
    "Halt negotiations": {"Engage in negotiation"},
    "Reduce or stop economic assistance": {"Provide economic aid"},
}
"""What must have happened before, since the last time that it was called off."""

ONGOING = {"Express intent to de-escalate military engagement"}
"""What calls nothing off yet."""


def test_what_ends_something_follows_its_beginning(items: list[QAItem]) -> None:
    seen: Counter[str] = Counter()
    for item in items:
        standing: set[str] = set()
        for relation, _ in _told(item):
            if relation in AFTER:
                seen[relation] += 1
                assert standing & AFTER[relation], (item.reference, relation)
                if relation not in ONGOING:
                    standing -= AFTER[relation]
            standing.add(relation)
    assert len(seen) >= 4


def test_long_histories_keep_to_the_same_rules() -> None:
    # Two powers over 1,200 days, so that everything begins and ends many times.
    a, b = [one for one in entities() if "powers" in one.kinds and one.state >= 0][:3:2]
    name = {clause: one for one, words in tables.relations("en").items() for clause in words}
    seen: Counter[str] = Counter()
    for number in range(12):
        standing: set[str] = set()
        for fact in _history(a, b, 1_200, "en", rng.stream("test", number)):
            (relation,) = {name[clause] for clause in fact.phrasings}
            if relation in AFTER:
                seen[relation] += 1
                assert standing & AFTER[relation], relation
                if relation not in ONGOING:
                    standing -= AFTER[relation]
            standing.add(relation)
    assert set(seen) == set(AFTER)


WARLIKE = re.compile(
    r"milit|armed forces|blockade|truce|sanctions|embargo|economic|formal agreement|artillery"
    r"|break diplomatic|diplomatic cooperation|humanitarian|intelligence|Expel"
)


def test_only_states_and_governments_make_war_treaties_and_sanctions(items: list[QAItem]) -> None:
    states = [
        entity.names for entity in entities() if entity.state >= 0 and "powers" in entity.kinds
    ]
    powers = {names[items[0].lang] for names in states}
    assert 2 * len({one.state for one in entities() if one.state >= 0}) == len(powers)
    seen = 0
    for item in items:
        for relation, _ in _told(item):
            if WARLIKE.search(relation):
                seen += 1
                assert set(_sides(item)) <= powers, (item.subject, relation)
    assert seen > 100


FRIENDLY = {
    "Cooperate militarily",
    "Cooperate economically",
    "Provide military aid",
    "Sign formal agreement",
    "Express accord",
    "Rally support on behalf of",
    "Engage in diplomatic cooperation",
}


def test_no_alliance_while_the_fighting_goes_on(items: list[QAItem]) -> None:
    fights = AFTER["Declare truce, ceasefire"]
    fought = 0
    for item in items:
        fighting = False
        for relation, _ in _told(item):
            assert not (fighting and relation in FRIENDLY), item.reference
            fighting = relation in fights or (fighting and relation != "Declare truce, ceasefire")
            fought += fighting
    assert fought


def test_no_trade_while_sanctions_or_a_blockade_stand(items: list[QAItem]) -> None:
    ends = {
        "Impose embargo, boycott, or sanctions": "Ease economic sanctions, boycott, embargo",
        "Impose blockade, restrict movement": "Ease military blockade",
    }
    imposed = 0
    for item in items:
        standing: set[str] = set()
        for relation, _ in _told(item):
            trade = relation in {"Cooperate economically", "Provide economic aid"}
            assert not (standing and trade), item.reference
            if relation in ends:
                standing.add(relation)
            standing -= {one for one, end in ends.items() if end == relation}
            imposed += bool(standing)
    assert imposed


def test_questions_that_demand_the_order_say_so_and_are_rare(items: list[QAItem]) -> None:
    demand = re.compile(r"chronolog|by date|按时间|按日期|先后")
    for item in items:
        assert bool(demand.search(item.question)) == item.order_required, item.question
    assert 0 < sum(item.order_required for item in items) < COUNT / 3


def test_no_name_is_real_or_shared() -> None:
    for lang, real in (("en", COUNTRIES_EN), ("zh", COUNTRIES_ZH)):
        names = [entity.names[lang] for entity in entities()]  # type: ignore[index]
        assert len(set(names)) == len(names)
        for name in names:
            if lang == "en":
                found = {word.casefold() for word in re.findall(r"[A-Za-z]+", name)}
                assert not found & {word.casefold() for word in real}, name
            else:
                # Two characters may well come together inside a long transcription.
                found = {word for word in real if name.startswith(word)}
                found |= {word for word in real if len(word) > 2 and word in name}
                assert not found, name


def test_each_language_keeps_to_its_own_letters(items: list[QAItem]) -> None:
    for item in items:
        text = "\n".join([item.question, item.reference, *(one.text for one in item.needles)])
        foreign = r"[\u3000-\u9fff]" if item.lang == "en" else r"[A-Za-z]"
        assert not re.search(foreign, text), text
        assert not re.search(r"[{}]", text), text


def test_needles_name_both_sides_and_their_day(items: list[QAItem]) -> None:
    for item in items:
        for needle in item.needles:
            a, b = (side.removeprefix("the ") for side in _sides(item))
            assert a in needle.text and b in needle.text
            assert needle.date and str(needle.date.year) in needle.text
            assert needle.event[1:] in needle.text and needle.event[1:] in needle.item


def _pairs(lang: Lang, split: str, seed: int) -> list[frozenset[int]]:
    place = {entity.names[lang]: number for number, entity in enumerate(entities())}
    count = len(splits.wishes(split, lang, Pipeline.REAL_TEMPORAL, seed))  # type: ignore[arg-type]
    items = _items(lang, split, seed, count)
    return [frozenset(place[side] for side in _sides(item)) for item in items]


def test_a_pair_is_in_one_split_whatever_the_seed_and_language() -> None:
    seen: dict[str, set[frozenset[int]]] = {split: set() for split in SPLITS}
    for split in SPLITS:
        for lang in LANGS:
            for seed in (0, 1):
                pairs = _pairs(lang, split, seed)
                assert len(set(pairs)) == len(pairs)
                seen[split].update(pairs)
    assert not seen["train"] & seen["dev"]
    assert not seen["train"] & seen["test"]
    assert not seen["dev"] & seen["test"]


def test_seeds_give_other_questions_and_the_same_seed_the_same() -> None:
    first, again, other = (_items("en", "test", seed, 200) for seed in (0, 0, 1))
    assert first == again
    assert not {item.question for item in first} & {item.question for item in other}


def test_both_languages_tell_of_the_same_entities() -> None:
    told: dict[Lang, set[int]] = {}
    for lang in LANGS:
        place = {entity.names[lang]: number for number, entity in enumerate(entities())}
        told[lang] = {place[side] for item in _items(lang, "train") for side in _sides(item)}
    assert all(set(entity.names) == set(LANGS) for entity in entities())
    assert len(told["en"] & told["zh"]) > len(entities()) / 2


def test_the_hash_seed_of_the_process_plays_no_part() -> None:
    script = (
        "import hashlib\n"
        "from seqniah_datasets.schema import Pipeline, Wish, NeedleGroup\n"
        "from seqniah_datasets.sources import open_sources\n"
        "from seqniah_datasets.sources.base import Demand\n"
        "wishes = tuple(Wish(NeedleGroup('3-5', 3, 5), 3 + n % 3) for n in range(60))\n"
        "for source in open_sources().values():\n"
        "    for lang in ('en', 'zh'):\n"
        "        supply = source.supply(Demand(lang, 'test', 3, wishes))\n"
        "        text = repr([supply.item(n) for n in range(60)])\n"
        "        print(source.digest, hashlib.sha256(text.encode()).hexdigest())\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(told) == 1 and len(told.pop().split()) == 12
