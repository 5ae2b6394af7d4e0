"""Layouts of answers; each states all items that it is given, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from seqniah_datasets.schema import Lang
from seqniah_scorers import authored
from seqniah_scorers.making.telling import FORMS, Draws, Telling, bare, full_stop, within, written

Layout = Callable[[Telling, Draws], str]

PHRASES: dict[Lang, dict[str, Any]] = authored.table("making/phrases.toml")
_ROWS: dict[str, dict[str, dict[str, Any]]] = authored.table("making/layouts.toml")


def opened(telling: Telling, body: str, draws: Draws) -> str:
    """A body below an opening line, or bare."""
    if not draws.below(4):
        return body
    return f"{draws.choice(PHRASES[telling.lang]['openings'])}\n\n{body}"


def _in_rows(layout: dict[str, Any], telling: Telling, draws: Draws) -> str:
    """A row an item, by a table of layouts.toml."""
    lang = telling.lang

    def pick(what: str, default: object = "") -> str:
        given = layout.get(what, default)
        given = given[lang] if isinstance(given, dict) else given
        chosen: str = draws.choice(given) if isinstance(given, list) else given
        return chosen

    form = "" if telling.logical or layout.get("mixed") else pick("forms", FORMS)
    row = pick("row")
    row = pick("mark") + row
    heading, before, rows = pick("heading"), "", []
    for n, line in enumerate(telling.lines, 1):
        if heading and line.date and written(line.date, heading) != before:
            before = written(line.date, heading)
            rows.append(pick("head").format(before))
        date = written(line.date, form or draws.choice(FORMS[lang])) if line.date else ""
        text = full_stop(line.text, lang)
        rows.append(row.format(n=n, date=date, text=text, bare=bare(text), within=within(text)))
    body = pick("frame", "{}").format(pick("gap", "\n").join(rows))
    return opened(telling, body, draws) if layout.get("opened", True) else body


def _fenced(rows: Sequence[object], draws: Draws) -> str:
    """Rows as JSON, often in a fence."""
    body = json.dumps(rows, ensure_ascii=False, indent=2)
    return f"```json\n{body}\n```" if draws.below(3) else body


def _dated_json(telling: Telling, draws: Draws) -> str:
    form = draws.choice(("iso", FORMS[telling.lang][0]))
    keys = ("date", "event") if telling.lang == "en" or draws.below(2) else ("日期", "事件")
    rows = [
        {keys[0]: written(one.date, form), keys[1]: full_stop(one.text, telling.lang)}
        for one in telling.lines
        if one.date
    ]
    return _fenced(rows, draws)


def _dated_merged(telling: Telling, draws: Draws) -> str:
    """Two or three events a sentence."""
    lang = telling.lang
    pattern, form = ("on {}, {}", "long") if lang == "en" else ("{}，{}", "unpadded")
    parts = [
        pattern.format(written(one.date, form), within(full_stop(one.text, lang)))
        for one in telling.lines
        if one.date
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


def _steps(telling: Telling) -> list[str]:
    return [full_stop(one.text, telling.lang) for one in telling.lines]


def _lowered(text: str) -> str:
    """A step behind other words; its verb phrase starts in lower case."""
    return bare(text[:1].lower() + text[1:])


def _numbered(telling: Telling, steps: Sequence[str], draws: Draws) -> str:
    return opened(telling, "\n".join(f"{n}. {one}" for n, one in enumerate(steps, 1)), draws)


def _steps_json(telling: Telling, draws: Draws) -> str:
    """A list of texts or of objects."""
    steps = _steps(telling)
    rows = [{"step": n, "action": step} for n, step in enumerate(steps, 1)]
    return _fenced(rows if draws.below(2) else steps, draws)


def _steps_prose(telling: Telling, draws: Draws) -> str:
    """One paragraph with words of sequence."""
    english = telling.lang == "en"
    first, last = ("First", "Finally") if english else ("首先", "最后")
    between = draws.shuffled(
        ("Then", "Next", "After that") if english else ("然后", "接着", "随后")
    )
    most = len(telling.lines) - 1
    words = [first, *(between[n % 3] for n in range(1, most))][:most]
    pattern, gap = ("{}, {}.", " ") if telling.lang == "en" else ("{}，{}。", "")
    steps = [_lowered(step) for step in _steps(telling)]
    return gap.join(pattern.format(*pair) for pair in zip([*words, last], steps, strict=True))


def _steps_merged(telling: Telling, draws: Draws) -> str:
    """Some neighbouring steps in one item."""
    join, ending = (", then ", ".") if telling.lang == "en" else ("，然后", "。")
    steps = [bare(step) for step in _steps(telling)]
    items: list[str] = []
    while steps:
        size = draws.between(1, 2) if items else 2
        now, steps = steps[:size], steps[size:]
        items.append(join.join([now[0], *map(_lowered, now[1:])]) + ending)
    return _numbered(telling, items, draws)


_OPEN = "在用待等趁照从给往对跟沿随按"
"""A clause that begins with one of these may be no step without the next."""


def split(telling: Telling, draws: Draws) -> str:
    """A Chinese step of two clauses in two neighbouring items."""
    pieces: list[str] = []
    for step in _steps(telling):
        clauses = bare(step).split("，")
        whole = len(clauses) == 2 and min(map(len, clauses)) > 5 and clauses[0][0] not in _OPEN
        if whole and draws.below(2):
            pieces += [f"{clause}。" for clause in clauses]
        else:
            pieces.append(step)
    return _numbered(telling, pieces, draws)


def _layouts(kind: str, made: dict[str, Layout]) -> dict[str, Layout]:
    return {name: made.get(name) or partial(_in_rows, one) for name, one in _ROWS[kind].items()}


LAYOUTS = _layouts("dated", {"JSON": _dated_json, "merged": _dated_merged})
STEP_LAYOUTS = _layouts(
    "steps", {"JSON": _steps_json, "prose": _steps_prose, "merged": _steps_merged}
)


def fits(name: str, telling: Telling) -> bool:
    """Whether a layout says enough of the dates of these events."""
    days = [one.date for one in telling.lines if one.date]
    if name == "no year":
        return len({day.year for day in days}) == 1
    if name == "month heading":
        return len({(day.year, day.month) for day in days}) == 1
    return name != "year headings" or not telling.diary
