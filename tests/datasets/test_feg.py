"""Financings and acquisitions: who did what to whom, for how much, and lines that are wrong."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import SPLITS, QAItem, Wish
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.event_pool import EventPool
from seqniah_datasets.splits import GROUPS

SOME = GROUPS[0]


def _write(folder: Path, *rows: object, name: str = "deals.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def _financing(company: object, day: str, *investors: object, **more: str) -> dict[str, Any]:
    row = {"融资方": company, "融资时间": day, "投资方": list(investors), "轮次": "A轮"}
    return {**row, "金额": "N/A", **more}


def _acquisition(buyer: object, target: object, day: str, stake: str = "N/A") -> dict[str, Any]:
    return {"并购方": buyer, "被并购方": target, "并购开始时间": day, "涉及股权": stake}


def _days(count: int, year: int = 2015) -> list[str]:
    return [f"{year}年{month:02d}月03日" for month in range(1, count + 1)]


def _items(path: Path, needles: int = 3) -> dict[str, QAItem]:
    """By question subject, what all splits together ask in Chinese."""
    pool, found = EventPool([path]), {}
    wishes = (Wish(SOME, needles),) * 8
    for split in SPLITS:
        supply = pool.supply(Demand("zh", split, 0, wishes))
        for serial in range(8):
            if supply.needles(serial) is not None:
                item = supply.item(serial)
                found[item.subject] = item
    return found


def test_a_financing_is_told_of_the_investor_and_of_the_company(tmp_path: Path) -> None:
    rows = [_financing("甲公司", day, "乙基金", 金额="RMB3亿") for day in _days(3)]
    found = _items(_write(tmp_path, *rows))
    assert set(found) == {"甲公司", "乙基金"}
    for needle in found["乙基金"].needles:  # the investor gives
        assert re.search(
            r"^乙基金.*(参与了|加入|参加)甲公司的A轮融资|^甲公司的A轮融资有乙基金出资", needle.event
        )
    for needle in found["甲公司"].needles:  # the company gets
        assert re.search(r"^甲公司(完成|获得|的).*乙基金", needle.event)
    for item in found.values():
        assert all("3亿元人民币" in needle.event for needle in item.needles)
        assert [one.date for one in item.needles] == [date(2015, month, 3) for month in (1, 2, 3)]


def test_an_acquisition_is_told_of_the_buyer_alone(tmp_path: Path) -> None:
    rows = [_acquisition("甲集团", f"{n}号厂", day, "20.00 %") for n, day in enumerate(_days(4))]
    found = _items(_write(tmp_path, *rows), 4)
    assert set(found) == {"甲集团"}
    for number, needle in enumerate(found["甲集团"].needles):
        assert f"对{number}号厂20%股权的" in needle.event or f"收购{number}号厂20%" in needle.event
        assert re.search(r"^甲集团|由甲集团发起$", needle.event)


def test_what_the_graph_does_not_say_is_not_told(tmp_path: Path) -> None:
    rows = [
        _financing("甲公司", day, "不公开的投资者", "乙基金", 轮次="N/A", 金额="非公开")
        for day in _days(3)
    ]
    rows.append(_financing("甲公司", "N/A", "乙基金"))
    rows.append(_financing("甲公司", "2016年01月01日", "不公开的投资者"))
    found = _items(_write(tmp_path, *rows))
    assert set(found) == {"甲公司", "乙基金"}
    for item in found.values():
        text = item.question + item.reference + "".join(one.text for one in item.needles)
        assert not re.search(r"N/A|公开|None|\{|\}|，，|融资额", text), text
        assert not re.search(r"2016", text)


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        ("RMB数千万", "数千万元人民币"),
        ("USD2千万", "2000万美元"),
        ("RMB6百万", "600万元人民币"),
        ("HKD1.5亿", "1.5亿港元"),
        ("JPY3亿", "3亿日元"),
        ("CAD1亿", "1亿加元"),
        ("NTD数亿", "数亿新台币"),
    ],
)
def test_sums_are_told_in_chinese(tmp_path: Path, amount: str, told: str) -> None:
    rows = [_financing("甲公司", day, "乙基金", 金额=amount) for day in _days(3)]
    for needle in _items(_write(tmp_path, *rows))["甲公司"].needles:
        assert f"融资额为{told}" in needle.event
        assert not re.search(r"[A-Z]{2}", needle.event), needle.event


def test_of_many_investors_three_are_named(tmp_path: Path) -> None:
    rows = [_financing("甲公司", day, "一基金", "二基金", "三基金", "四基金") for day in _days(3)]
    item = _items(_write(tmp_path, *rows))["甲公司"]
    for needle in item.needles:
        assert "一基金、二基金、三基金等" in needle.event
        assert "四基金" not in needle.text


def test_one_day_gives_one_event(tmp_path: Path) -> None:
    rows = [_financing(f"{n}号公司", day, "乙基金") for n in range(3) for day in _days(3)]
    item = _items(_write(tmp_path, *rows))["乙基金"]
    assert len({needle.date for needle in item.needles}) == len(item.needles) == 3


@pytest.mark.parametrize("nobody", [None, "", "N/A"])
def test_no_acquisition_is_told_of_nobody(tmp_path: Path, nobody: object) -> None:
    rows = [_acquisition(nobody, "甲公司", day) for day in _days(3)]
    rows += [_acquisition("乙公司", nobody, day) for day in _days(3)]
    assert not _items(_write(tmp_path, *rows))


@pytest.mark.parametrize(
    "nobody",
    [
        None,
        "",
        "N/A",
    ],
)
def test_no_financing_is_told_of_nobody(tmp_path: Path, nobody: object) -> None:
    rows = [_financing(nobody, day, nobody) for day in _days(3)]
    rows += [_financing("甲公司", day, nobody) for day in _days(3)]
    rows += [_financing(nobody, day, "乙基金") for day in _days(3)]
    assert not _items(_write(tmp_path, *rows))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"融资方": "甲", "融资时间": "2015年02月30日"}', "'2015年02月30日' is no date"),
        ('{"融资方": "甲", "融资时间": "2015-02-03"}', "'2015-02-03' is no date"),
        ('{"并购方": "甲", "并购开始时间": "2015年13月01日"}', "is no date"),
        ('{"name": "甲"}', "neither of the fields"),
        ('{"融资方": "甲"', "is not JSON"),
        ('["融资方"]', "no JSON object"),
    ],
)
def test_a_bad_line_is_named_in_one_sentence(tmp_path: Path, line: str, what: str) -> None:
    good = json.dumps(_financing("甲", "2015年01月02日", "乙"), ensure_ascii=False)
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{good}\n{line}\n{good}\n", "utf-8")
    with pytest.raises(SeqniahError) as caught:
        _ = EventPool([path]).chronicles
    told = str(caught.value)
    assert f"{path}, line 2" in told and what in told
    assert told.endswith(".") and "\n" not in told


@pytest.fixture(scope="module")
def graph(real_data: Path) -> EventPool:
    return EventPool([real_data / "tkg/feg_invest.jsonl", real_data / "tkg/feg_acquire.jsonl"])


def test_the_shared_graph_gives_about_as_many_subjects_as_it_has(graph: EventPool) -> None:
    # Counted over the two files: companies with three facts or more, same days included.
    least = {"investor": 900, "financed": 130, "acquirer": 80}
    counts: defaultdict[str, int] = defaultdict(int)
    for one in graph.chronicles:
        counts[one.kind] += 1
    assert set(counts) == set(least)
    assert all(counts[kind] >= least[kind] for kind in least), dict(counts)


def test_a_company_is_in_one_split_in_whatever_part_it_plays(graph: EventPool) -> None:
    homes: defaultdict[str, set[str]] = defaultdict(set)
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for one in graph.chronicles:
        homes[one.names["a"]].add(graph.split_of[one.key])
        kinds[one.names["a"]].add(one.kind)
    assert any(len(found) > 1 for found in kinds.values())
    assert all(len(found) == 1 for found in homes.values())


def test_every_clause_of_the_shared_graph_is_clean(graph: EventPool) -> None:
    for one in graph.chronicles:
        assert one.key.strip() and one.key not in {"None", "N/A", "nan"}
        days = [fact.date for fact in one.facts]
        assert days == sorted(set(days)) and len(days) >= 3
        for fact in one.facts:
            for clause in fact.phrasings:
                text = clause.format(**fact.names)
                assert not re.search(r"N/A|None|[{}\n]|，，|，$|的的", text), text
                assert one.names["a"] in text and fact.names["b"] in text
