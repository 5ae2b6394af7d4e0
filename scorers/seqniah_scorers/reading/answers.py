"""An answer in free form, read as the list of items that it states."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from seqniah_scorers.reading.clauses import Piece, pieces
from seqniah_scorers.reading.cues import (
    announces,
    closes_answer,
    is_note,
    is_placeholder,
    is_refusal,
)
from seqniah_scorers.reading.dates import FoundDate, compatible
from seqniah_scorers.reading.items import Item, appended, split_date
from seqniah_scorers.reading.lines import Line, read_lines
from seqniah_scorers.reading.opened import Passage
from seqniah_scorers.reading.reader import Reader
from seqniah_scorers.text import fold, has_cjk

__all__ = ["Item", "parse"]

_Told = tuple[Passage, Piece]
_MOST_COMPARED = 60
"""Items of a list that are looked at to see whether it restates another one."""


def parse(response: str, trusted: bool = False) -> list[Item]:
    """Read the items; headings, preamble, closing remarks and "not mentioned" are none.

    A trusted text, that is a reference, has none of these below its first line, so there no
    item is taken for one.
    """
    reader = Reader(trusted)
    for line in read_lines(response):
        reader.read(line)
    reader.close()
    if trusted and reader.items:
        return reader.items
    if told := _final_text(reader.items, reader.prose, reader.finals):
        return told
    items = _without_remarks(_final_list(reader.items, reader.finals))
    kept = [i for i in items if not is_placeholder(i.text)]
    if not kept or reader.prose:
        kept = _with_prose(kept, reader.prose[reader.drafted :] or reader.prose, bool(items))
    return kept


def _without_remarks(items: list[Item]) -> list[Item]:
    """Leave out notes, and below dated items what closes the answer."""
    if len(items) < 2:
        return items
    last = items[-1]
    if last.date is None and items[0].date is not None and closes_answer(last.text):
        items = items[:-1]
    return [i for i in items if i.date is not None or not is_note(i.text)]


def _final_list(items: list[Item], finals: list[int]) -> list[Item]:
    """Of a draft and a final list the final one; more than two starts are a loop, not a draft."""
    if not 1 <= len(finals) <= 2:
        return items
    cut = bisect_left([item.span[0] for item in items], finals[-1])
    draft, final = items[:cut], items[cut:]
    if len(final) < 2 or not _restates(final, draft):
        return items
    return [_from_draft(item, draft) for item in final]


def _final_text(items: list[Item], prose: list[Passage], finals: list[int]) -> list[Item]:
    """The items of a final answer in running text below a draft in list form; else nothing."""
    if not 1 <= len(finals) <= 2 or not items or items[-1].span[0] > finals[-1]:
        return []
    found = _with_prose([], [p for p in prose if p.line.start > finals[-1]], False)
    return found if len(found) > 1 and _restates(found, items) else []


def _from_draft(item: Item, draft: list[Item]) -> Item:
    """What the draft tells of a bare date, which may be given in part."""
    if item.date is None or fold(item.text):
        return item
    found = [i for i in draft if i.text and i.date and compatible(i.date, item.date)]
    return replace(item, text=found[-1].text, date=found[-1].date) if found else item


def _restates(final: list[Item], draft: list[Item]) -> bool:
    """Whether half of one list or more stands in the other one too."""
    one = [(item.date, _words(item.text)) for item in final[:_MOST_COMPARED]]
    two = [(item.date, _words(item.text)) for item in draft[:_MOST_COMPARED]]
    return any(
        2 * sum(any(_alike(item, other) for other in others) for item in items) >= len(items)
        for items, others in ((one, two), (two, one))
    )


def _alike(a: tuple[FoundDate | None, set[str]], b: tuple[FoundDate | None, set[str]]) -> bool:
    if a[0] is not None and b[0] is not None:
        return compatible(a[0], b[0])
    return 2 * len(a[1] & b[1]) >= min(len(a[1]), len(b[1]))


def _words(text: str) -> set[str]:
    key = fold(text)
    return set(key) if has_cjk(key) else set(key.split())


def _with_prose(items: list[Item], prose: list[Passage], listed: bool) -> list[Item]:
    """Add what running text states; beside a list only a sentence that opens with a new date."""
    told = [(p, piece) for p in prose for piece in pieces(_unannounced(p.line.text))]
    if listed:
        found = _beside_list(items, told)
    elif any(piece.date and piece.date.day for _, piece in told):
        found = _dated(told)
    else:
        found = _undated(told)
    # Both are in the order of the answer; a draft's items may have moved, its text has not.
    return sorted([*items, *found], key=lambda item: item.span[0]) if items else found


def _unannounced(text: str) -> str:
    """The text behind words that announce it: "The events are: I swam"."""
    label, _, rest = text[:1000].partition(":")
    told = fold(rest) and len(label) < 80 and announces(label) and split_date(label)[0] is None
    return text[len(label) + 1 :].strip() if told else text


def _loose(passage: Passage, date: FoundDate | None, text: str) -> Item:
    return Item(text, date, (passage.line.start, passage.line.end), loose=True)


def _beside_list(items: list[Item], told: list[_Told]) -> list[Item]:
    taken: dict[int, set[FoundDate]] = {}
    for item in items:
        if item.date and item.date.day:
            taken.setdefault(item.date.day, set()).add(replace(item.date, start=0, end=0))
    out = []
    for passage, piece in told:
        date = piece.date
        # Text in front of the date tells that the line is a remark about the list.
        if date is None or not date.day or not (piece.leads or passage.announced):
            continue
        date = date.filled(passage.context)
        known = any(compatible(date, other) for other in taken.get(date.day or 0, ()))
        if not known and not closes_answer(passage.line.text) and not is_placeholder(piece.text):
            out.append(_loose(passage, date, piece.text))
    return out


def _dated(told: list[_Told]) -> list[Item]:
    """Every dated piece is an item; an undated one after it in the same line goes on about it."""
    out: list[Item] = []
    last: Line | None = None
    month: FoundDate | None = None
    for passage, piece in told:
        date, line = piece.date, passage.line
        if date is not None and date.day is not None:
            date = date.filled(passage.context)
            date = date if date.month is not None else date.filled(month)
            month = date if date.month is not None else month
            again = closes_answer(line.text) and any(
                item.date and compatible(date, item.date) for item in out
            )
            if not again and not is_placeholder(piece.text):
                out.append(_loose(passage, date, piece.text))
                last = line
        elif date is not None and (date.month or month is None):
            month = date
        elif out and last is line and not closes_answer(piece.text):
            out[-1] = replace(out[-1], text=appended(out[-1].text, piece.text))
    return out


def _undated(told: list[_Told]) -> list[Item]:
    """Without any date each sentence is an item, but for remarks at the end."""
    out = []
    told = [(p, part) for p, piece in told for part in _steps(piece)]
    for number, (passage, piece) in enumerate(told):
        text = piece.text
        remark = number >= len(told) - 2 and number > 0 and closes_answer(text)
        if fold(text) and not remark and not is_refusal(text):
            out.append(_loose(passage, piece.date, text))
    return out


def _steps(piece: Piece) -> list[Piece]:
    """Steps strung together by arrows."""
    if piece.text.count("→") + piece.text.count("->") < 2:
        return [piece]
    parts = re.split("→|->", piece.text)
    return [replace(piece, text=part.strip()) for part in parts if fold(part)]
