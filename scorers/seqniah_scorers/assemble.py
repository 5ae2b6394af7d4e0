"""The items of an answer put together: drafts dropped, steps under headings, running text."""

from __future__ import annotations

from dataclasses import replace

from seqniah_scorers.cues import (
    closes_answer,
    is_excluded,
    is_placeholder,
    is_refusal,
    without_report_phrase,
)
from seqniah_scorers.items import Item, appended, split_date
from seqniah_scorers.lines import Line
from seqniah_scorers.prose import sentences, split_by_dates
from seqniah_scorers.text import fold


def steps_under_headings(items: list[Item], heads: list[tuple[int, str]]) -> list[Item]:
    """Bullets under several undated headings tell of the headings: each heading is one item."""
    bounds = [start for start, _ in heads] + [len(items)]
    used = [(n, t) for n, (_, t) in enumerate(heads) if bounds[n] < bounds[n + 1]]
    if len(used) < 2 or bounds[0] > 0 or any(i.date for i in items):
        return items
    out: list[Item] = []
    for number, title in used:
        group = items[bounds[number] : bounds[number + 1]]
        text = ". ".join([title, *(i.text for i in group)])
        out.append(Item(text, None, (group[0].span[0], group[-1].span[1])))
    return out


def final_list(items: list[Item], finals: list[int]) -> list[Item]:
    """Of a draft and a final list the final one; more than two starts are a loop, not a draft."""
    if not 1 <= len(finals) <= 2 or len(items) - finals[-1] < 2:
        return items
    draft, final = items[: finals[-1]], items[finals[-1] :]
    by_date = {i.date.key(): i for i in draft if i.date and i.text}
    out = []
    for item in final:
        source = by_date.get(item.date.key()) if item.date and not fold(item.text) else None
        out.append(replace(item, text=source.text) if source else item)
    return out


def with_prose(items: list[Item], prose: list[tuple[int, Line]], listed: bool) -> list[Item]:
    """Add what running text states; beside a list only a sentence that opens with a new date.

    `prose` holds each line with the number of list items above it.
    """
    pieces = [(at, line, s) for at, line in prose for s in _pieces(line.text)]
    if listed:
        found = _beside_list(items, pieces)
    elif any(_day(s) for _, _, s in pieces):
        found = _dated(pieces)
    else:
        found = _undated(pieces)
    out: list[Item] = []
    for n in range(len(items) + 1):
        out += [item for at, item in found if min(at, len(items)) == n]
        out += items[n : n + 1]
    return out


_Piece = tuple[int, Line, str]


def _pieces(text: str) -> list[str]:
    return [piece for s in sentences(text) for piece in split_by_dates(s)]


def _day(piece: str) -> bool:
    date, _ = split_date(piece)
    return date is not None and date.day is not None


def _is_item(text: str) -> bool:
    return not is_placeholder(text) and not is_excluded(text)


def _beside_list(items: list[Item], pieces: list[_Piece]) -> list[tuple[int, Item]]:
    taken = {i.date.key() for i in items if i.date}
    out = []
    for at, line, piece in pieces:
        date, text = split_date(piece)
        # Text in front of the date tells that the line is a remark about the list.
        leads = line.text.find(text[:20]) > 0 and not text.startswith(line.text[:8])
        if date and date.day and leads and date.key() not in taken and _is_item(text):
            out.append((at, Item(text, date, (line.start, line.end), loose=True)))
    return out


def _dated(pieces: list[_Piece]) -> list[tuple[int, Item]]:
    """Every dated piece is an item; an undated one after it in the same line goes on about it."""
    out: list[tuple[int, Item]] = []
    last: Line | None = None
    for at, line, piece in pieces:
        date, text = split_date(piece)
        if date is not None and date.day is not None:
            text = without_report_phrase(text)
            if _is_item(text):
                out.append((at, Item(text, date, (line.start, line.end), loose=True)))
                last = line
        elif out and last is line and not closes_answer(piece):
            where, item = out[-1]
            out[-1] = (where, replace(item, text=appended(item.text, piece)))
    return _shared_texts(out)


def _shared_texts(found: list[tuple[int, Item]]) -> list[tuple[int, Item]]:
    """In "on May 2 and May 5, he ran" the first date has its text behind the second."""
    for n in range(len(found) - 2, -1, -1):
        (at, item), (_, following) = found[n], found[n + 1]
        if not fold(item.text) and item.span == following.span:
            found[n] = (at, replace(item, text=following.text))
    return found


def _undated(pieces: list[_Piece]) -> list[tuple[int, Item]]:
    """Without any date each sentence is an item, but for remarks at the end."""
    out = []
    for number, (at, line, piece) in enumerate(pieces):
        date, text = split_date(piece)
        text = without_report_phrase(text)
        remark = number >= len(pieces) - 2 and number > 0 and closes_answer(text)
        if fold(text) and not remark and not is_refusal(text):
            out.append((at, Item(text, date, (line.start, line.end), loose=True)))
    return out
