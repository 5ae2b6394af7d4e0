"""What a fault of the harder set is, and the faults in items: another date, one too many or few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from seqniah_datasets.schema import QAItem
from seqniah_scorers import authored
from seqniah_scorers.making.layouts import PHRASES
from seqniah_scorers.making.perturb import foreign, likeness, place_of, renamed
from seqniah_scorers.making.telling import Draws, Line, Telling, quoted, written
from seqniah_scorers.verdict import FailureMode

_ALIKE = 0.8
"""Likeness from which two contents are too near to be told apart by everybody."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an answer."""

    lines: tuple[Line, ...]
    """The items as the answer tells them."""
    modes: tuple[FailureMode, ...]
    what: str
    """The fault in one sentence, in the language of the question."""
    touched: frozenset[int] = frozenset()
    """Indices of reference items whose words must stay as they are now."""
    closing: str = ""
    """Stands behind the items."""


Maker = Callable[[Telling, Sequence[QAItem], Draws], Fault | None]


def _told(telling: Telling, fault: str, **slots: object) -> str:
    """What is wrong, in the words of faults.toml."""
    pattern: str = authored.table("making/faults.toml")[fault][telling.lang]
    return pattern.format(**slots)


def changed(telling: Telling, at: int, line: Line, fault: str, **slots: object) -> Fault:
    """One item with another content."""
    lines = (*telling.lines[:at], line, *telling.lines[at + 1 :])
    what = _told(telling, fault, item=at + 1, **slots)
    return Fault(lines, (FailureMode.INCORRECT,), what, frozenset({at}))


def reworded(telling: Telling, at: int, text: str, fault: str, **slots: object) -> Fault:
    """One item in other words, which the sentence about the fault may quote."""
    line = replace(telling.lines[at], text=text)
    return changed(telling, at, line, fault, text=quoted(text), **slots)


def shifted(unit: str) -> Maker:
    """One date off by a day, a month or a year."""

    def make(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
        at, sign = draws.below(len(telling.lines)), draws.choice((-1, 1))
        line = telling.lines[at]
        assert line.date is not None
        new = _moved(line.date, unit, sign)
        if new in {one.date for one in telling.lines}:
            return None
        form = "long" if telling.lang == "en" else "unpadded"
        old, now = written(line.date, form), written(new, form)
        return changed(telling, at, replace(line, date=new), "shifted", now=now, old=old)

    return make


def _moved(day: date, unit: str, sign: int) -> date:
    if unit == "day":
        return day + timedelta(days=sign)
    if unit == "year":
        return day.replace(year=day.year + sign, day=min(day.day, 28))
    month = day.month - 1 + sign
    return date(day.year + month // 12, month % 12 + 1, min(day.day, 28))


def exchanged(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """The contents of two dates change places."""
    pair = _pair(telling, draws)
    if pair is None:
        return None
    a, b = pair
    lines = list(telling.lines)
    one, two = lines[a], lines[b]
    lines[a], lines[b] = replace(one, text=two.text), replace(two, text=one.text)
    what = _told(telling, "exchanged", one=min(pair) + 1, two=max(pair) + 1)
    return Fault(tuple(lines), (FailureMode.INCORRECT,), what, frozenset(pair))


def borrowed(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """A neighbour's content under this date too."""
    pair = _pair(telling, draws)
    if pair is None:
        return None
    a, b = pair
    return reworded(telling, a, telling.lines[b].text, "borrowed", other=b + 1)


def _pair(telling: Telling, draws: Draws) -> tuple[int, int] | None:
    """Two neighbouring items with different contents, in random order."""
    lines = telling.lines
    # Both sides stand in every event, so that their names tell nothing.
    sides = telling.qa.parties
    texts = [renamed(line.text, sides, ("",) * len(sides)) for line in lines]
    apart = [
        (a, a + 1)
        for a in range(len(lines) - 1)
        if likeness(texts[a], texts[a + 1]) < _ALIKE
        and not (telling.retold and lines[a + 1].text in telling.retold[a].others)
    ]
    if not apart:
        return None
    a, b = draws.choice(apart)
    return (a, b) if draws.below(2) else (b, a)


def dropped(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """The item that is most like another one is left out."""
    lines = telling.lines
    alike = [
        max(likeness(one.text, other.text) for other in lines if other is not one) for one in lines
    ]
    at = alike.index(max(alike))
    what = _told(telling, "dropped", item=at + 1, text=quoted(telling.qa.needles[at].item))
    return Fault((*lines[:at], *lines[at + 1 :]), (FailureMode.MISSING,), what)


def repeated(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """An item is told twice."""
    at = draws.below(len(telling.lines))
    line = replace(telling.lines[at], number=None)
    place = draws.choice((at + 1, len(telling.lines)))
    lines = (*telling.lines[:place], line, *telling.lines[place:])
    what = _told(telling, "repeated", item=at + 1)
    return Fault(lines, (FailureMode.REDUNDANT,), what)


def added(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """An item of another question."""
    try:
        entry = foreign(telling.qa, others, 1, draws)[0]
    except ValueError:
        return None
    return inserted(telling, Line(entry.event, entry.date, None), draws)


def inserted(telling: Telling, line: Line, draws: Draws) -> Fault:
    """The answer with one item more, at its date or anywhere."""
    lines, place = telling.lines, place_of(telling.lines, line, draws)
    what = _told(telling, "added", text=quoted(line.text))
    return Fault((*lines[:place], line, *lines[place:]), (FailureMode.REDUNDANT,), what)


def placeholder(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """One item is said not to be mentioned."""
    at = draws.below(len(telling.lines))
    text = draws.choice(PHRASES[telling.lang]["not_mentioned"])
    return replace(reworded(telling, at, text, "placeholder"), modes=(FailureMode.MISSING,))


def cut_short(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """The last items are left to an "and so on"."""
    count = draws.between(1, min(3, len(telling.lines) - 2))
    first = len(telling.lines) - count + 1
    closing = draws.choice(PHRASES[telling.lang]["and_so_on"])
    fault = "cut short, one" if count == 1 else "cut short, several"
    what = _told(telling, fault, item=first, last=len(telling.lines))
    return Fault(telling.lines[:-count], (FailureMode.MISSING,), what, closing=closing)


def misplaced(telling: Telling, others: Sequence[QAItem], draws: Draws) -> Fault | None:
    """Two neighbours in the wrong order, or one item far from its place."""
    lines = list(telling.lines)
    if not telling.qa.order_required:
        return None
    at = draws.below(len(lines) - 1)
    line = lines.pop(at)
    to = at + 1 if draws.below(3) else draws.between(at + 1, len(lines))
    if lines[at].text == line.text and line.date is None:
        return None
    lines.insert(to, line)
    what = _told(telling, "misplaced", item=at + 1, other=at + 2)
    return Fault(tuple(lines), (FailureMode.WRONG_ORDER,), what)
