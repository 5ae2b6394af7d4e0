"""Every layout of an answer times every single fault, over hand-written QAs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest

from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case, FailureMode, Verdict

EN_MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]


@dataclass(frozen=True)
class Event:
    """One dated event, or one step where the date is None."""

    date: tuple[int, int, int] | None
    """Year, month, day."""
    text: str
    """What happened, as the reference says it."""


@dataclass(frozen=True)
class QA:
    """A question with its true items and material for single perturbations."""

    name: str
    """Shown in test ids."""
    lang: Literal["en", "zh"]
    """Language of the question and of the layouts."""
    question: str
    """Demands the order; `free` is the same without the demand."""
    free: str
    """The question without a demand for order."""
    events: tuple[Event, ...]
    """In true order."""
    invented: Event
    """An event that is in no reference."""
    reworded: tuple[tuple[int, str, str], ...]
    """Alterations of one content word each: index, old, new."""

    def reference(self) -> str:
        if self.lang == "zh":
            lines = [f"- {zh_date(e.date)}：{e.text}" for e in self.events]
            return "\n".join(["相关内容如下：", *lines])
        lines = [f"- {en_date(e.date)}：{e.text}" for e in self.events]
        return "\n".join(["The contents are as follows:", *lines])


Date = tuple[int, int, int] | None
Layout = Callable[[list[Event]], str]


def en_date(d: Date) -> str:
    assert d
    return f"{EN_MONTHS[d[1] - 1]} {d[2]}, {d[0]}"


def zh_date(d: Date) -> str:
    assert d
    return f"{d[0]}年{d[1]:02d}月{d[2]:02d}日"


def iso(d: Date) -> str:
    assert d
    return f"{d[0]}-{d[1]:02d}-{d[2]:02d}"


def month_day(d: Date) -> str:
    assert d
    return f"{EN_MONTHS[d[1] - 1]} {d[2]}"


def _bare(text: str) -> str:
    """Without the first person: "I tried" -> "Tried"."""
    text = text.removeprefix("I ")
    return text[0].upper() + text[1:]


def _third(text: str) -> str:
    return "she " + text.removeprefix("I ") if text.startswith("I ") else text


def _lines(rows: list[str]) -> str:
    return "\n".join(rows)


EN_LAYOUTS: dict[str, Layout] = {
    "numbered": lambda es: _lines(
        [f"{n}. {en_date(e.date)}: {e.text}" for n, e in enumerate(es, 1)]
    ),
    "bulleted, short month": lambda es: _lines(
        [
            f"- {en_date(e.date)[:3]} {e.date[2]}th {e.date[0]} - {_bare(e.text)}"
            for e in es
            if e.date
        ]
    ),
    "nested": lambda es: "\n\n".join(
        f"{n}. **{en_date(e.date)}:**\n   - {e.text}" for n, e in enumerate(es, 1)
    ),
    "nested fields": lambda es: "\n".join(
        f"{n}. **Entry {n}**\n   - **Date**: {iso(e.date)}\n   - **Event**: {_bare(e.text)}"
        for n, e in enumerate(es, 1)
    ),
    "bold ISO with preamble and closing": lambda es: (
        "Based on the document, here are the events from the diary:\n\n"
        + _lines([f"{n}. **{iso(e.date)}**: {_bare(e.text)}" for n, e in enumerate(es, 1)])
        + "\n\nThese entries show how active she was between the first and the last of these days."
    ),
    "table": lambda es: _lines(
        ["Here is the table:", "", "| # | Date | Event |", "|---|:---:|---|"]
        + [f"| {n} | {en_date(e.date)} | {e.text} |" for n, e in enumerate(es, 1)]
    ),
    "bare date lines": lambda es: "\n\n".join(f"{en_date(e.date)}\n{e.text}" for e in es),
    "date and text on one plain line": lambda es: _lines(
        [f"{en_date(e.date)}: {e.text}" for e in es]
    ),
    "day headings": lambda es: "\n\n".join(f"### {en_date(e.date)}\n\n{_bare(e.text)}" for e in es),
    "year heading": lambda es: (
        "**"
        + str(es[0].date[0] if es[0].date else 0)
        + "**\n\n"
        + _lines([f"* On {month_day(e.date)}, {_third(e.text)}" for e in es])
    ),
    "prose": lambda es: " ".join(f"On {en_date(e.date)}, {_third(e.text)}" for e in es),
    "prose in one sentence": lambda es: (
        "According to the text, "
        + "; ".join(f"on {en_date(e.date)}, {_third(e.text).rstrip('.')}" for e in es)
        + "."
    ),
    "prose, dates last": lambda es: " ".join(
        f"{_third(e.text).rstrip('.').replace('she ', 'She ', 1)} on {en_date(e.date)}." for e in es
    ),
    "date in brackets behind": lambda es: _lines(
        [f"{n}. {_bare(e.text).rstrip('.')} ({iso(e.date)})." for n, e in enumerate(es, 1)]
    ),
    "json": lambda es: (
        "```json\n"
        + json.dumps([{"date": iso(e.date), "event": e.text} for e in es], indent=2)
        + "\n```"
    ),
    "fence": lambda es: (
        "Answer:\n```\n" + _lines([f"{iso(e.date)} {e.text}" for e in es]) + "\n```"
    ),
    "day-month-year": lambda es: _lines(
        [
            f"{n}) {e.date[2]} {EN_MONTHS[e.date[1] - 1]} {e.date[0]} – {e.text}"
            for n, e in enumerate(es, 1)
            if e.date
        ]
    ),
}

ZH_LAYOUTS: dict[str, Layout] = {
    "numbered": lambda es: _lines(
        [f"{n}. {zh_date(e.date)}：{e.text}" for n, e in enumerate(es, 1)]
    ),
    "numbered without spaces": lambda es: _lines(
        [f"{n}、{zh_date(e.date)}，{e.text}" for n, e in enumerate(es, 1)]
    ),
    "nested": lambda es: "\n".join(
        f"{n}. **{zh_date(e.date)}**\n   - {e.text}" for n, e in enumerate(es, 1)
    ),
    "bold ISO with preamble and closing": lambda es: (
        "根据文中提及的信息，内容如下：\n\n"
        + _lines([f"- **{iso(e.date)}**：{e.text}" for e in es])
        + "\n\n这些内容展示了其日常生活。"
    ),
    "table": lambda es: _lines(
        ["| 日期 | 内容 |", "|---|---|"] + [f"| {zh_date(e.date)} | {e.text} |" for e in es]
    ),
    "bare date lines": lambda es: "\n\n".join(f"{zh_date(e.date)}\n{e.text}" for e in es),
    "day headings": lambda es: "\n\n".join(f"### {zh_date(e.date)}\n{e.text}" for e in es),
    "prose": lambda es: "".join(f"{zh_date(e.date)}，{e.text.rstrip('。')}。" for e in es),
    "prose in one sentence": lambda es: (
        "根据文档，" + "；".join(f"{zh_date(e.date)}，{e.text.rstrip('。')}" for e in es) + "。"
    ),
    "named subject": lambda es: _lines([f"- {zh_date(e.date)}，林晓{e.text}" for e in es]),
    "English dates": lambda es: _lines(
        [f"{n}. {en_date(e.date)}，{e.text}" for n, e in enumerate(es, 1)]
    ),
    "full-width digits": lambda es: _lines(
        [
            f"- {zh_date(e.date)}：{e.text}".translate({48 + i: 65296 + i for i in range(10)})
            for e in es
        ]
    ),
    "month heading, days below": lambda es: (
        (f"**{es[0].date[0]}年{es[0].date[1]}月**\n" if es[0].date else "")
        + _lines([f"- {e.date[2]}日：{e.text}" for e in es if e.date])
    ),
    "json list of strings": lambda es: json.dumps(
        [f"{zh_date(e.date)}：{e.text}" for e in es], ensure_ascii=False
    ),
}


def read_qa(entry: dict[str, Any]) -> QA:
    def event(pair: list[str]) -> Event:
        year, month, day = map(int, pair[0].split("-"))
        return Event((year, month, day), pair[1])

    return QA(
        **{k: entry[k] for k in ("name", "lang", "question", "free")},
        events=tuple(map(event, entry["events"])),
        invented=event(entry["invented"]),
        reworded=tuple((index, old, new) for index, old, new in entry["reworded"]),
    )


QAS = [
    read_qa(entry)
    for entry in json.loads(Path(__file__).with_name("rule_qas.json").read_text(encoding="utf-8"))
]


def layouts(qa: QA) -> dict[str, Layout]:
    if qa.lang == "en":
        one_year = len({e.date[0] for e in qa.events if e.date}) == 1
        return {n: f for n, f in EN_LAYOUTS.items() if one_year or n != "year heading"}
    one_month = len({e.date[:2] for e in qa.events if e.date}) == 1
    named = qa.name == "record"
    return {
        n: f
        for n, f in ZH_LAYOUTS.items()
        if (one_month or n != "month heading, days below") and (named or n != "named subject")
    }


def perturbations(qa: QA) -> dict[str, list[Event]]:
    """Answers that each differ from the truth in exactly one respect, order apart."""
    es = list(qa.events)
    out = {f"missing {i}": es[:i] + es[i + 1 :] for i in range(len(es))}
    out["invented"] = [*es[:2], qa.invented, *es[2:]]
    out["invented at the end"] = [*es, qa.invented]
    out["repeated"] = [*es, es[1]]
    for i, e in enumerate(es):
        assert e.date
        year, month, day = e.date
        out[f"date {i}"] = [*es[:i], replace(e, date=(year, month, day % 28 + 1)), *es[i + 1 :]]
    for i, old, new in qa.reworded:
        assert old in es[i].text
        altered = replace(es[i], text=es[i].text.replace(old, new))
        out[f"{old} -> {new}"] = [*es[:i], altered, *es[i + 1 :]]
    return out


CELLS = [
    pytest.param(qa, layout, id=f"{qa.name}, {name}")
    for qa in QAS
    for name, layout in layouts(qa).items()
]


def verdict(qa: QA, layout: Layout, events: list[Event], free: bool = False) -> Verdict:
    question = qa.free if free else qa.question
    return judge(Case(qa.lang, "temporal", question, qa.reference(), layout(events)))


@pytest.mark.parametrize(("qa", "layout"), CELLS)
def test_a_perfect_answer_is_correct_in_every_layout(qa: QA, layout: Layout) -> None:
    got = verdict(qa, layout, list(qa.events))
    assert (got.correct, got.failure_modes) == (True, ()), got.reason
    assert (got.item_recall, got.item_precision, got.order_agreement) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("qa", "layout"), CELLS)
def test_order_counts_only_where_it_is_demanded(qa: QA, layout: Layout) -> None:
    first, second, *rest = qa.events
    swapped = [second, first, *rest]
    assert verdict(qa, layout, swapped).failure_modes == (FailureMode.WRONG_ORDER,)
    assert verdict(qa, layout, swapped, free=True).correct is True


@pytest.mark.parametrize(("qa", "layout"), CELLS)
def test_every_single_fault_is_found_and_named(qa: QA, layout: Layout) -> None:
    expected = {
        "missing": FailureMode.MISSING,
        "invented": FailureMode.REDUNDANT,
        "repeated": FailureMode.REDUNDANT,
    }
    for name, events in perturbations(qa).items():
        got = verdict(qa, layout, events)
        mode = expected.get(name.split()[0], FailureMode.INCORRECT)
        assert got.correct is False, f"{name} went unseen"
        assert mode in got.failure_modes, f"{name}: {got.reason}"
