"""Layouts of answers about dated events; each states all items that it is given, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

from seqniah_datasets.schema import Lang
from seqniah_scorers import authored
from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.telling import (
    DAYS,
    FORMS,
    MONTHS,
    SHORT,
    Telling,
    bare,
    full_stop,
    within,
    written,
)

Layout = Callable[[Telling, Draws], str]

PHRASES: dict[Lang, dict[str, Any]] = authored.table("making/phrases.toml")


def opened(telling: Telling, body: str, draws: Draws) -> str:
    """A body below an opening line, or bare."""
    if not draws.below(4):
        return body
    return f"{draws.choice(PHRASES[telling.lang]['openings'])}\n\n{body}"


def _day(one: date | None) -> date:
    assert one is not None
    return one


def colon(lang: Lang) -> str:
    """What stands between a date and its event."""
    return ": " if lang == "en" else "："


def _sentences(telling: Telling) -> list[tuple[date, str]]:
    return [(_day(one.date), full_stop(one.text, telling.lang)) for one in telling.lines]


def other_dates(telling: Telling, draws: Draws) -> str:
    """All dates in one form that is not the reference's."""
    lang = telling.lang
    form = draws.choice(FORMS[lang][1:])
    join = draws.choice((colon(lang), " - ", colon(lang)))
    bullet = draws.choice(("{}. ", "- ", "* ", ""))
    rows = enumerate(_sentences(telling), 1)
    return opened(
        telling,
        "\n".join(bullet.format(n) + written(day, form) + join + text for n, (day, text) in rows),
        draws,
    )


def mixed_dates(telling: Telling, draws: Draws) -> str:
    """Every date in a form of its own."""
    lang = telling.lang
    rows = enumerate(_sentences(telling), 1)
    body = "\n".join(
        f"{n}. {written(day, draws.choice(FORMS[lang]))}{colon(lang)}{text}"
        for n, (day, text) in rows
    )
    return opened(telling, body, draws)


def no_year(telling: Telling, draws: Draws) -> str:
    """Dates without the year; only for events of one year."""
    lang = telling.lang
    form = draws.choice(SHORT[lang])
    rows = [f"- {written(day, form)}{colon(lang)}{text}" for day, text in _sentences(telling)]
    return opened(telling, "\n".join(rows), draws)


def month_heading(telling: Telling, draws: Draws) -> str:
    """A heading for each month, and days below it."""
    lang = telling.lang
    rows: list[str] = []
    before = ""
    for day, text in _sentences(telling):
        name = written(day, MONTHS[lang])
        if name != before:
            rows.append(f"## {name}" if draws.below(2) else f"**{name}**")
            before = name
        if lang == "en":
            rows.append(f"- On {written(day, DAYS[lang])}: {text}")
        else:
            rows.append(f"- {written(day, DAYS[lang])}：{text}")
    return "\n".join(rows)


def year_headings(telling: Telling, draws: Draws) -> str:
    """A heading for each year, and dates without it below."""
    lang = telling.lang
    rows: list[str] = []
    before = 0
    for day, text in _sentences(telling):
        if day.year != before:
            rows.append(f"**{day.year}**" if lang == "en" else f"**{day.year}年**")
            before = day.year
        short = written(day, SHORT[lang][0])
        rows.append(f"- On {short}, {within(text)}." if lang == "en" else f"- {short}，{text}")
    return opened(telling, "\n".join(rows), draws)


def date_headings(telling: Telling, draws: Draws) -> str:
    """Each date is a heading, its event the paragraph below."""
    form = draws.choice(FORMS[telling.lang])
    mark = draws.choice(("### {}", "**{}**", "#### {}"))
    parts = [f"{mark.format(written(day, form))}\n{text}" for day, text in _sentences(telling)]
    return opened(telling, "\n\n".join(parts), draws)


def bold_dates(telling: Telling, draws: Draws) -> str:
    """Numbered, with the dates in bold."""
    lang = telling.lang
    form = draws.choice(FORMS[lang])
    rows = enumerate(_sentences(telling), 1)
    body = "\n".join(f"{n}. **{written(day, form)}**{colon(lang)}{text}" for n, (day, text) in rows)
    return opened(telling, body, draws)


def nested_bullets(telling: Telling, draws: Draws) -> str:
    """Numbered dates, each with its event in a bullet below."""
    form = draws.choice(FORMS[telling.lang])
    sign = colon(telling.lang).strip()
    rows = enumerate(_sentences(telling), 1)
    body = "\n\n".join(
        f"{n}. **{written(day, form)}**{sign}\n   - {text}" for n, (day, text) in rows
    )
    return opened(telling, body, draws)


def date_after(telling: Telling, draws: Draws) -> str:
    """The date behind its event, in brackets."""
    lang = telling.lang
    form = draws.choice(FORMS[lang][:-1])
    bullet = draws.choice(("- ", "* ", "{}. "))
    rows: list[str] = []
    for n, (day, text) in enumerate(_sentences(telling), 1):
        bracket = f" ({written(day, form)})" if lang == "en" else f"（{written(day, form)}）"
        rows.append(bullet.format(n) + bare(text) + bracket)
    return opened(telling, "\n".join(rows), draws)


def table(telling: Telling, draws: Draws) -> str:
    """A table of two columns."""
    head = ("Date", "Event") if telling.lang == "en" else ("日期", "内容")
    form = draws.choice(FORMS[telling.lang])
    rows = [f"| {written(day, form)} | {text} |" for day, text in _sentences(telling)]
    body = "\n".join([f"| {head[0]} | {head[1]} |", "| --- | --- |", *rows])
    return opened(telling, body, draws)


def as_json(telling: Telling, draws: Draws) -> str:
    """A list of JSON objects, often in a fence."""
    form = draws.choice(("iso", FORMS[telling.lang][0]))
    keys = ("date", "event") if telling.lang == "en" or draws.below(2) else ("日期", "事件")
    rows = [{keys[0]: written(day, form), keys[1]: text} for day, text in _sentences(telling)]
    body = json.dumps(rows, ensure_ascii=False, indent=2)
    return f"```json\n{body}\n```" if draws.below(3) else body


def code_fence(telling: Telling, draws: Draws) -> str:
    """A plain list inside a fence of code."""
    form = draws.choice(FORMS[telling.lang])
    rows = [f"{written(day, form)}  {text}" for day, text in _sentences(telling)]
    return opened(telling, "\n".join(["```", *rows, "```"]), draws)


def prose(telling: Telling, draws: Draws) -> str:
    """One paragraph, a sentence an event."""
    form = draws.choice(("long", "day first", "weekday") if telling.lang == "en" else ("unpadded",))
    if telling.lang == "en":
        return " ".join(
            f"On {written(day, form)}, {within(text)}." for day, text in _sentences(telling)
        )
    return "".join(f"{written(day, form)}，{text}" for day, text in _sentences(telling))


def merged(telling: Telling, draws: Draws) -> str:
    """Two or three events a sentence."""
    lang = telling.lang
    form = "long" if lang == "en" else "unpadded"
    parts = [
        f"{'on ' if lang == 'en' else ''}{written(day, form)}{', ' if lang == 'en' else '，'}"
        f"{within(text)}"
        for day, text in _sentences(telling)
    ]
    sentences: list[str] = []
    while parts:
        size = draws.between(2, 3)
        now, parts = parts[:size], parts[size:]
        if lang == "en":
            text = "; ".join(now[:-1]) + ("; and " if len(now) > 1 else "") + now[-1]
            sentences.append(text[:1].upper() + text[1:] + ".")
        else:
            sentences.append("；".join(now) + "。")
    return (" " if lang == "en" else "").join(sentences)


def other_language_dates(telling: Telling, draws: Draws) -> str:
    """Dates as the other language writes them, an English one in a Chinese answer."""
    lang = telling.lang
    form = draws.choice(("unpadded", "ideographs") if lang == "en" else ("long", "day first"))
    head = "以下为文中内容：" if lang == "en" else "The text says:"
    rows = [f"- {written(day, form)}{colon(lang)}{text}" for day, text in _sentences(telling)]
    return "\n".join([head, *rows] if draws.below(2) else rows)


LAYOUTS: dict[str, Layout] = {
    "other dates": other_dates,
    "mixed dates": mixed_dates,
    "no year": no_year,
    "month heading": month_heading,
    "year headings": year_headings,
    "date headings": date_headings,
    "bold dates": bold_dates,
    "nested bullets": nested_bullets,
    "date after": date_after,
    "table": table,
    "JSON": as_json,
    "code fence": code_fence,
    "prose": prose,
    "merged": merged,
    "other language": other_language_dates,
}


def fits(name: str, telling: Telling) -> bool:
    """Whether a layout says enough of the dates of these events."""
    days = [_day(one.date) for one in telling.lines]
    if name == "no year":
        return len({day.year for day in days}) == 1
    if name == "month heading":
        return len({(day.year, day.month) for day in days}) == 1
    return name != "year headings" or not telling.diary
