"""A fact told again in other words of the same meaning: synonyms, and the third person."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seqniah_datasets.schema import Lang
from seqniah_scorers import authored
from seqniah_scorers.making.draws import Draws


@dataclass(frozen=True, slots=True)
class Retold:
    """What else is known of the words of a needle."""

    others: tuple[str, ...] = ()
    """Clauses that state the same fact."""
    exchanged: str = ""
    """The clause with its two sides exchanged; empty where that would change nothing."""


_WORDS: dict[str, dict[str, str]] = authored.table("making/synonyms.toml")
_SYNONYMS: dict[Lang, list[tuple[re.Pattern[str], str]]] = {
    "en": [(re.compile(rf"\b(?:{word})\b"), other) for word, other in _WORDS["en"].items()],
    "zh": [(re.compile(word), other) for word, other in _WORDS["zh"].items()],
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
    text = re.sub(r"\bI was\b", "I were", text)
    first = re.search(r"\bI\b", text)
    if first:
        rest = text[first.end() :]
        if rest.startswith(" were"):
            rest = " was" + rest[len(" were") :]
        text = f"{_turned(text[: first.start()])}{person}{_turned(rest)}"
        return text[:1].upper() + text[1:]
    return _turned(text)


def _turned(text: str) -> str:
    pronouns = _WORDS["pronouns"]

    def other(found: re.Match[str]) -> str:
        word = found[0]
        made = pronouns.get(word, pronouns.get(word.lower(), word))
        return made.capitalize() if word != "I" and word[:1].isupper() else made

    return re.sub(r"\b(?:I|[Mm]y|me|mine|myself|[Ww]e|[Oo]ur|us|ours)\b", other, text)
