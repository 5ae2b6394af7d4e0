"""Every date format seen in documents and answers, and text that only looks like a date."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_scorers.reading.dates import FoundDate, compatible, find_dates

Parts = tuple[int | None, int | None, int | None]

ONE_DATE: list[tuple[str, Parts]] = [
    ("2010-11-06", (2010, 11, 6)),
    ("2010/11/09", (2010, 11, 9)),
    ("2010.11.9", (2010, 11, 9)),
    ("2010 - 11 - 06", (2010, 11, 6)),
    ("November-11-2010", (2010, 11, 11)),
    ("November 6, 2010", (2010, 11, 6)),
    ("november 6 2010", (2010, 11, 6)),
    ("Nov 6th 2010", (2010, 11, 6)),
    ("Nov. 6th, 2010", (2010, 11, 6)),
    ("Sept. 3, 2012", (2012, 9, 3)),
    ("19 November 2010", (2010, 11, 19)),
    ("6 Nov. 2010", (2010, 11, 6)),
    ("Diary of Ann Lee:15 January 2013 I sold it", (2013, 1, 15)),
    ("Date:3 May", (None, 5, 3)),
    ("19-Nov-2010", (2010, 11, 19)),
    ("the 6th of November, 2010", (2010, 11, 6)),
    ("2010-November-6", (2010, 11, 6)),
    ("April 2-2007", (2007, 4, 2)),
    ("11/16/2010", (2010, 11, 16)),
    ("16.11.2010", (2010, 11, 16)),
    ("6 de noviembre de 2010", (2010, 11, 6)),
    ("2006年02月04日", (2006, 2, 4)),
    ("2006年2月4日", (2006, 2, 4)),
    ("2006 年 2 月 4 日", (2006, 2, 4)),
    ("2006年2月4号", (2006, 2, 4)),
    ("二〇〇六年二月十四日", (2006, 2, 14)),
    ("２００６年２月４日", (2006, 2, 4)),
    ("２０１０-１１-０６", (2010, 11, 6)),
    ("10 February 2006，夜幕降临", (2006, 2, 10)),
    ("今天是February 1, 2006，晚上", (2006, 2, 1)),
    ("March 24", (None, 3, 24)),
    ("2月4日", (None, 2, 4)),
    ("十二月三日", (None, 12, 3)),
    ("November 2010", (2010, 11, None)),
    ("2010年11月", (2010, 11, None)),
    ("2010-11", (2010, 11, None)),
    ("November", (None, 11, None)),
    ("2010", (2010, None, None)),
    ("2010年", (2010, None, None)),
    ("the 6th", (None, None, 6)),
    ("6日", (None, None, 6)),
    ("March 3-5, 2010", (2010, 3, None)),
    ("20. März 2010", (2010, 3, 20)),
    ("2 février 2010", (2010, 2, 2)),
    ("May 22 (2017)", (2017, 5, 22)),
    ("a walk (3rd)", (None, None, 3)),
]


@pytest.mark.parametrize(("text", "parts"), ONE_DATE)
def test_reads_the_format(text: str, parts: Parts) -> None:
    found = find_dates(text)
    assert [d.key() for d in found] == [parts]


@pytest.mark.parametrize(
    "text",
    [
        "持股比例8.40%",
        "3000万元",
        "at 10.30 in the evening",
        "3个月",
        "May I come in? Sarah may visit.",
        "march on the capital",
        "2010-13-45",
        "version 1.2.3",
        "call 555-2010-1111",
        "2010年代",
        "第6日",
        "6号线",
        "room 101",
        "",
    ],
)
def test_reads_no_date_where_there_is_none(text: str) -> None:
    assert find_dates(text) == []


def test_offsets_cut_out_the_date_as_written() -> None:
    text = "She ran on Nov 6th 2010, then（２０１０年１１月９日）她游泳。"
    assert [text[d.start : d.end] for d in find_dates(text)] == [
        "Nov 6th 2010",
        "２０１０年１１月９日",
    ]


def test_finds_several_dates_in_their_order() -> None:
    found = find_dates("On June 8, 2005 and 2005-06-10, later in July 2006 and on 2007年3月1日")
    assert [d.key() for d in found] == [
        (2005, 6, 8),
        (2005, 6, 10),
        (2006, 7, None),
        (2007, 3, 1),
    ]


PART = st.none() | st.integers(1, 12)
DATE = st.builds(FoundDate, PART, PART, PART, st.just(0), st.just(0))


@given(DATE, DATE)
def test_compatible_means_no_stated_part_differs(a: FoundDate, b: FoundDate) -> None:
    differ = any(None not in (x, y) and x != y for x, y in zip(a.key(), b.key(), strict=True))
    assert compatible(a, b) is not differ
    assert compatible(b, a) is compatible(a, b)


@given(st.dates())
def test_every_day_is_read_alike_in_all_full_formats(day: object) -> None:
    import datetime

    assert isinstance(day, datetime.date)
    if not 1000 <= day.year <= 2999:
        return
    name = day.strftime("%B")
    forms = [
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
        f"{name} {day.day}, {day.year}",
        f"{day.day} {name} {day.year}",
        f"{name}-{day.day}-{day.year}",
        f"{day.year}年{day.month:02d}月{day.day:02d}日",
    ]
    for form in forms:
        assert [d.key() for d in find_dates(form)] == [(day.year, day.month, day.day)], form


@given(st.text(alphabet="0123456789-/.年月日 NovemberMay,th", max_size=300))
def test_never_fails_and_never_overlaps(text: str) -> None:
    end = 0
    for date in find_dates(text):
        assert end <= date.start < date.end <= len(text)
        end = date.end
