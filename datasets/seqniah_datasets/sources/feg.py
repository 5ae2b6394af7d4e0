"""FEG: Chinese financings and acquisitions, one JSON object a line, grouped by company.

Field names are those of the published graph (liuhuanyong/FinanceEventGraph).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.sources.chronicles import Chronicle, Fact
from seqniah_datasets.sources.files import json_lines
from seqniah_datasets.sources.tables import table
from seqniah_datasets.sources.wording import Kind

_DEALS = table("relations/deals_zh.toml")
_INVESTED, _FINANCED, _ACQUIRED = (
    tuple(_DEALS[what]) for what in ("invested", "financed", "acquired")
)
PHRASINGS = (*_INVESTED, *_FINANCED, *_ACQUIRED)

_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_AMOUNT = re.compile(r"([A-Z]{3})(.+)")
_CURRENCIES: dict[str, str] = _DEALS["currencies"]
_ZEROS = {"百": "00", "千": "000"}
_UNSAID = ("", "N/A", "非公开", "其他轮", "老股权转让轮")
_NOBODY = ("", "N/A", "不公开的投资者")
_INVESTORS = 3
"""Investors named in one clause; "等" stands for the others."""

_Events = dict[tuple[Kind, str], dict[date, list[Fact]]]


def read(paths: Sequence[Path]) -> Iterator[Chronicle]:
    """The chronicles of investors, financed companies and acquirers; one event a day is kept.

    Events without a date are left out. Raises `SeqniahError`, naming the line, for a line that is
    neither a financing nor an acquisition, or an impossible date.
    """
    events: _Events = defaultdict(lambda: defaultdict(list))
    for where, fields in chain.from_iterable(map(json_lines, paths)):
        if "融资方" in fields:
            _financing(events, fields, where)
        elif "并购方" in fields:
            _acquisition(events, fields, where)
        else:
            raise SeqniahError(f"{where}, has neither of the fields 融资方 and 并购方.")
    for (kind, company), days in sorted(events.items()):
        facts = tuple(
            min(same, key=lambda fact: rng.digest("day", *fact.names.values()))
            for _, same in sorted(days.items())
        )
        yield Chronicle(company, "zh", kind, {"a": company}, facts)


def _financing(events: _Events, fields: dict[str, Any], where: str) -> None:
    day = _date(fields.get("融资时间"), where)
    company = _name(fields.get("融资方"))
    raw = fields.get("投资方")
    named = [_name(name) for name in (raw if isinstance(raw, list) else [raw])]
    investors = list(dict.fromkeys(name for name in named if name))
    if day is None or not company or not investors:
        return
    words = {"round": _round(fields.get("轮次")), "sum": _sum(fields.get("金额"))}
    some = "、".join(investors[:_INVESTORS]) + ("等" if len(investors) > _INVESTORS else "")
    fact = Fact(day, _FINANCED, {"a": company, "b": some, **words})
    events["financed", company][day].append(fact)
    for name in investors:
        fact = Fact(day, _INVESTED, {"a": name, "b": company, **words})
        events["investor", name][day].append(fact)


def _acquisition(events: _Events, fields: dict[str, Any], where: str) -> None:
    day = _date(fields.get("并购开始时间"), where)
    buyer, target = _name(fields.get("并购方")), _name(fields.get("被并购方"))
    if day is None or not buyer or not target:
        return
    words = {"stake": _stake(_said(fields.get("涉及股权")))}
    fact = Fact(day, _ACQUIRED, {"a": buyer, "b": target, **words})
    events["acquirer", buyer][day].append(fact)


def _date(given: object, where: str) -> date | None:
    """The day of an event; None where the graph does not know it."""
    text = _said(given)
    if not text:
        return None
    found = _DATE.fullmatch(text)
    try:
        if found is None:
            raise ValueError(text)
        return date(*map(int, found.groups()))
    except ValueError as error:
        raise SeqniahError(f"{where}: {text!r} is no date like 2017年03月24日.") from error


def _name(given: object) -> str:
    """A party's name; nothing where the graph does not know it."""
    text = given.strip() if isinstance(given, str) else ""
    return "" if text in _NOBODY else text


def _said(given: object) -> str:
    text = str(given or "").strip()
    return "" if text in _UNSAID else text


def _round(given: object) -> str:
    """ "A轮" as it is, "新三板定增轮" as 新三板定增, since 融资 follows."""
    text = _said(given)
    return text if len(text) <= 3 or text[0].isascii() else text.removesuffix("轮")


def _sum(given: object) -> str:
    text = re.sub(r"^(\D*\d+)(百|千)万", lambda m: m[1] + _ZEROS[m[2]] + "万", _said(given))
    found = _AMOUNT.fullmatch(text)
    if found and found[1] in _CURRENCIES:
        text = f"{found[2]}{_CURRENCIES[found[1]]}"
    return f"，融资额为{text}" if text else ""


def _stake(text: str) -> str:
    """ "20.00 %" as 20%股权."""
    share = text.replace(" ", "").replace(".00%", "%")
    return f"{share}股权" if share else ""
