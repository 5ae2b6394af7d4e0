"""Wrong answers made from right ones: items left out, items added, items in another order.

As in the paper, section 4. What was done is kept beside the answer, so that its label and the
reason for it follow exactly.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from seqniah_datasets.schema import Lang, QAItem
from seqniah_scorers import authored
from seqniah_scorers.making.telling import Draws, Line, quoted, written
from seqniah_scorers.verdict import FailureMode

MOST_ADDED = 3
"""Items that a redundant answer adds at most."""

_MOST_NAMED = 5
"""Items that are quoted; of more, the rest is given by number."""

_WORDS: dict[Lang, dict[str, list[str]]] = authored.table("making/reasons.toml")
_DEMANDS = authored.patterns("making/demands.toml")("demands")
_ALIKE = 0.45
"""Share of common words from which a step might pass for a step of the reference."""


@dataclass(frozen=True, slots=True)
class Altered:
    """An answer, and what makes it differ from the reference."""

    entries: tuple[Line, ...]
    """In the order written."""
    missing: tuple[int, ...]
    """Indices of the reference items that are left out."""

    @property
    def added(self) -> tuple[Line, ...]:
        """The items that are none of the reference."""
        return tuple(entry for entry in self.entries if entry.number is None)

    @property
    def inversion(self) -> tuple[int, int] | None:
        """The first two neighbouring true items that stand in the wrong order, as written."""
        numbers = [entry.number for entry in self.entries if entry.number is not None]
        return next(((a, b) for a, b in pairwise(numbers) if a > b), None)

    def modes(self, ordered: bool) -> tuple[FailureMode, ...]:
        """What is wrong with it; `ordered`: the question demands the true order."""
        held = {
            FailureMode.MISSING: self.missing,
            FailureMode.REDUNDANT: self.added,
            FailureMode.WRONG_ORDER: ordered and self.inversion,
        }
        return tuple(mode for mode, holds in held.items() if holds)


def perturb(
    qa: QAItem, others: Sequence[QAItem], group: str, shuffled: bool, draws: Draws
) -> Altered:
    """An answer of one of the paper's groups (`labelled.GROUPS`).

    `others` lend the items that are added; they are of the same language and pipeline.
    """
    true = [Line(one.item, one.date, number) for number, one in enumerate(qa.needles)]
    gone: list[int] = []
    if group in ("missing", "incorrect"):
        # Two true items at least must be left for an order to be another one.
        gone = draws.sample(draws.between(1, len(true) - (2 if shuffled else 1)), len(true))
    entries = [entry for entry in true if entry.number not in gone]
    if group in ("redundant", "incorrect"):
        for entry in foreign(qa, others, draws.between(1, MOST_ADDED), draws):
            entries.insert(place_of(entries, entry, draws), entry)
    if shuffled:
        entries = reordered(entries, draws)
    return Altered(tuple(entries), tuple(sorted(gone)))


def reordered(entries: Sequence[Line], draws: Draws) -> list[Line]:
    """The entries in an order in which the true ones do not read as in the reference."""

    def reads(some: Sequence[Line]) -> list[str]:
        return [entry.text for entry in some if entry.number is not None]

    before = reads(entries)
    if len(set(before)) < 2:
        raise ValueError("items that are all alike have no other order")
    while True:
        after = draws.shuffled(entries)
        if reads(after) != before:
            return after


def place_of(entries: Sequence[Line], entry: Line, draws: Draws) -> int:
    """Where an added item goes: to its date, or anywhere."""
    if entry.date is None:
        return draws.below(len(entries) + 1)
    return sum(one.date is not None and one.date < entry.date for one in entries)


def foreign(qa: QAItem, others: Sequence[QAItem], count: int, draws: Draws) -> list[Line]:
    """Items of other questions that cannot be taken for an item of this one.

    Events come with a free date of this question's time, and half of those between two parties
    with the names of this question's.
    """
    taken = {one.date for one in qa.needles if one.date is not None}
    texts = {_key(one.event) for one in qa.needles}
    found: list[Line] = []
    candidates = [other for other in others if _unlike(qa, other)]
    while len(found) < count and candidates:
        other = draws.choice(candidates)
        needle = draws.choice(other.needles)
        item, event, when = needle.item, needle.event, needle.date
        if other.parties and len(other.parties) == len(qa.parties) and draws.below(2):
            item, event = (renamed(one, other.parties, qa.parties) for one in (item, event))
        if _key(event) in texts:
            candidates.remove(other)
            continue
        if when is not None:
            day = free_day(taken, draws)
            item, when = dated(item, when, day), day
            taken.add(day)
        texts.add(_key(event))
        found.append(Line(item, when, None, event))
    if not found:
        raise ValueError(f"no item of {len(others)} other questions can be added to {qa.question}")
    return found


def _key(event: str) -> str:
    return event.casefold().strip(" .。")


def _unlike(qa: QAItem, other: QAItem) -> bool:
    """Whether another question is about something else; variants of a procedure are not."""
    if other.subject == qa.subject:
        return False
    if qa.needles[0].date is not None:
        return True
    return all(likeness(a.event, b.event) < _ALIKE for a in qa.needles for b in other.needles)


def likeness(a: str, b: str) -> float:
    """Share of words, or of pairs of Chinese characters, that the shorter has in common."""
    left, right = _grams(a), _grams(b)
    return len(left & right) / max(1, min(len(left), len(right)))


@lru_cache(maxsize=16_384)
def _grams(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(w for w in re.findall(r"[a-z0-9]+", text.casefold()) if len(w) > 2)
    signs = re.sub(r"[\W_]+", "", text)
    return frozenset(signs[at : at + 2] for at in range(len(signs) - 1))


def free_day(taken: Collection[date], draws: Draws) -> date:
    """A day among the given ones that is none of them; of one month where all are of one."""
    first, last = min(taken), max(taken)
    if (first.year, first.month) == (last.year, last.month):
        first = first.replace(day=1)
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    if (last - first).days < len(set(taken)):
        last = first + timedelta(days=2 * len(taken) + 30)
    while True:
        day = first + timedelta(days=draws.below((last - first).days + 1))
        if day not in taken:
            return day


def dated(item: str, old: date, new: date) -> str:
    """A reference item with another date, written as the old one was."""
    for form in ("long", "ideographs", "unpadded"):
        if written(old, form) in item:
            return item.replace(written(old, form), written(new, form), 1)
    raise ValueError(f"{old} is not in {item!r}")


def renamed(text: str, names: Sequence[str], new: Sequence[str]) -> str:
    """The text with other names; of names within names the longer one counts."""
    if not names:
        return text
    table = dict(zip(names, new, strict=True))
    longest = sorted(names, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest)), lambda found: table[found[0]], text)


def order_reason(question: str, lang: Lang, required: bool, draws: Draws) -> str:
    """Whether the question demands an order, and by which words."""
    found = _DEMANDS.search(question)
    kind = "free" if not required else "demanded" if found else "demanded, plain"
    return draws.choice(_WORDS[lang][kind]).format(found[0] if found else "")


def reason(qa: QAItem, altered: Altered, draws: Draws) -> str:
    """What is right and wrong with an answer, item by item, and the conclusion."""
    required = qa.order_required

    def say(what: str, **slots: object) -> str:
        return draws.choice(_WORDS[qa.lang][what]).format(n=len(qa.needles), **slots)

    parts: list[str] = []
    if altered.missing:
        number = "is" if len(altered.missing) == 1 else "are"
        parts.append(say("missing", items=_numbered(qa, altered.missing), is_=number))
    else:
        parts.append(say("complete" if altered.added else "whole"))
    if altered.added:
        parts.append(say("added", items=_joined([quoted(e.text) for e in altered.added], qa.lang)))
    if altered.inversion:
        a, b = (number + 1 for number in altered.inversion)
        parts.append(say("disordered", a=a, b=b) if required else say("order free"))
    elif required:
        parts.append(say("kept order" if altered.missing else "ordered"))
    parts.append(say("wrong" if altered.modes(required) else "right"))
    return (" " if qa.lang == "en" else "").join(parts)


def _numbered(qa: QAItem, numbers: Sequence[int]) -> str:
    """Reference items by number and, as far as they are few, by their words."""
    named, rest = numbers[:_MOST_NAMED], numbers[_MOST_NAMED:]
    if qa.lang == "zh":
        parts = [f"第{n + 1}项{quoted(qa.needles[n].item)}" for n in named]
        more = f"以及第{'、'.join(str(n + 1) for n in rest)}项" if rest else ""
        return "、".join(parts) + more
    if len(numbers) == 1:
        return f"item {numbers[0] + 1} ({quoted(qa.needles[numbers[0]].item)})"
    parts = [f"{n + 1} ({quoted(qa.needles[n].item)})" for n in named]
    return "items " + _joined([*parts, *(str(n + 1) for n in rest)], "en")


def _joined(parts: Sequence[str], lang: Lang) -> str:
    if lang == "zh":
        return "、".join(parts)
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
