"""What a made answer tells, before it is laid out, and the same facts in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol, TypeVar

from seqniah_datasets.schema import Lang, Pipeline, QAItem
from seqniah_scorers import authored

T = TypeVar("T")

_WORDS = authored.table("making/telling.toml")
_OTHERS: dict[str, dict[str, str]] = authored.table("making/synonyms.toml")
FORMS: dict[Lang, list[str]] = _WORDS["whole"]
"""Names of the forms of whole dates."""


class Draws(Protocol):
    """Random draws of one purpose, which makers of cases are always handed."""

    def below(self, count: int) -> int:
        """A whole number in [0, count)."""

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high], both included."""

    def choice(self, items: Sequence[T]) -> T:
        """One of some things."""

    def sample(self, count: int, population: int) -> list[int]:
        """Distinct numbers of range(population)."""

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A copy in random order."""


@dataclass(frozen=True, slots=True)
class Retold:
    """What else is known of the words of a needle."""

    others: tuple[str, ...] = ()
    """Clauses that state the same fact."""
    exchanged: str = ""
    """The clause with its two sides exchanged; empty where that would change nothing."""


@dataclass(frozen=True, slots=True)
class Line:
    """One item to tell."""

    text: str
    """The event or the step, without subject and date, or the item as a reference writes it."""
    date: date | None
    """When it happened; None for steps."""
    number: int | None
    """Index of the reference item that it states; None: none of them, or no longer."""
    event: str = ""
    """What happened, where `text` is as a reference writes it."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A question, and the items that an answer to it tells in their order."""

    qa: QAItem
    lines: tuple[Line, ...]
    retold: tuple[Retold, ...] = ()
    """What else is known of each needle's words; empty where nothing is."""

    @property
    def lang(self) -> Lang:
        return self.qa.lang

    @property
    def logical(self) -> bool:
        return self.qa.pipeline is Pipeline.REAL_LOGICAL

    @property
    def diary(self) -> bool:
        """Whether the events are a person's own words."""
        return self.qa.pipeline is Pipeline.SYNTHETIC_TEMPORAL

    def with_lines(self, lines: Sequence[Line]) -> Telling:
        return replace(self, lines=tuple(lines))


def telling(qa: QAItem, retold: tuple[Retold, ...]) -> Telling:
    """All that a right answer tells, in true order."""
    lines = (Line(one.event, one.date, number) for number, one in enumerate(qa.needles))
    return Telling(qa, tuple(lines), retold)


def written(day: date, form: str) -> str:
    """A date in one of the forms of telling.toml."""
    pattern: str = _WORDS["forms"][form]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day if 11 <= day.day <= 13 else day.day % 10, "th")
    return pattern.format(
        year=day.year,
        month=day.month,
        day=day.day,
        name=_WORDS["months"][day.month - 1],
        ordinal=f"{day.day}{ending}",
        weekday=_WORDS["weekdays"][day.weekday()],
        weekday_zh=_WORDS["weekdays_zh"][day.weekday()],
    )


def full_stop(text: str, lang: Lang) -> str:
    """The text as a sentence of its own."""
    text = text[:1].upper() + text[1:] if lang == "en" else text
    return text if text[-1] in ".。!！?？" else text + ("." if lang == "en" else "。")


def bare(text: str) -> str:
    """The text without a full stop."""
    return text.rstrip(".。")


def within(text: str) -> str:
    """A sentence as it stands behind other words: without full stop and first capital."""
    first = text.split(" ", 1)[0]
    return bare(text[:1].lower() + text[1:] if first in _WORDS["starts"] else text)


def quoted(text: str) -> str:
    """A text in quotation marks of its language."""
    text = text.strip(" .。")
    return f"“{text}”" if re.search(r"[\u4e00-\u9fff]", text) else f'"{text}"'


def _whole(word: str, other: str) -> re.Pattern[str]:
    """An English word or phrase that is no part of a longer one, nor of a number of more words."""
    before, behind = (r"(?<!and )", r"(?! (?:hundred|thousand)\b)") if other.isdigit() else ("", "")
    return re.compile(rf"(?<![\w-]){before}(?:{word})(?![\w-]){behind}")


_SYNONYMS: dict[Lang, list[tuple[re.Pattern[str], str]]] = {
    "en": [(_whole(word, other), other) for word, other in _OTHERS["en"].items()],
    "zh": [(re.compile(word), other) for word, other in _OTHERS["zh"].items()],
}
_MOST_REPLACED = 3


def paraphrase(text: str, lang: Lang, draws: Draws) -> str:
    """The text with some words replaced by words of the same meaning, or as it is."""
    fitting = [pair for pair in _SYNONYMS[lang] if pair[0].search(text)]
    replaced: list[str] = []
    for pattern, other in draws.shuffled(fitting)[:_MOST_REPLACED]:
        if not any(pattern.search(one) for one in replaced):  # no word back to what it was
            text = pattern.sub(other, text, count=1)
            replaced.append(other)
    return _turned_round(text) if lang == "en" and draws.below(2) else text


def _turned_round(text: str) -> str:
    """ "At noon I queued." as "I queued at noon."; most sentences stay as they are."""
    found = re.match(
        r"((?:At|In|On|By|Around|During|Before|After) [a-z' ]{3,24}) (I [^,]+)\.$", text
    )
    return f"{found[2]} {found[1][:1].lower()}{found[1][1:]}." if found else text


def third_person(text: str, person: str, lang: Lang) -> str:
    """A diary's sentence as somebody else tells it; named at the first mention."""
    if lang == "zh":
        return f"{person}写道，{text.replace('我', '自己')}"
    before, *rest = re.split(r"\bI\b", text, maxsplit=1)
    parts = [_turned(re.sub(r"\bI was\b", "I were", part)) for part in (before, *rest)]
    text = person.join(parts)
    return text[:1].upper() + text[1:] if rest else text


def _turned(text: str) -> str:
    pronouns = _OTHERS["pronouns"]

    def other(found: re.Match[str]) -> str:
        word = found[0]
        made = pronouns.get(word, pronouns.get(word.lower(), word))
        return made.capitalize() if word != "I" and word[:1].isupper() else made

    return re.sub(r"\b(?:I|[Mm]y|me|mine|myself|[Ww]e|[Oo]ur|us|ours)\b", other, text)
