"""Grammars that write long documents: nested patterns with slots, dealt rather than thrown.

A grammar is a TOML file with a `genre` and four tables (see `Grammar`). A slot `{name}` expands the
pattern of that name; `{n:2-48}` is a whole number; `{cap:name}` starts the expansion with a capital
letter. Long lists are dealt like a deck of cards, so that no pattern comes again before all have
come.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

SLOT = re.compile(r"\{([^{}]+)\}")


class GrammarError(ValueError):
    """A grammar names a slot that it does not define, or is not of the documented form."""


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str


@dataclass(frozen=True, slots=True)
class _Cap:
    name: str


@dataclass(frozen=True, slots=True)
class _Number:
    low: int
    high: int


_Part: TypeAlias = str | _Rule | _Cap | _Number


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of one genre in one language."""

    genre: str
    """What the documents are, in words, e.g. "town council minutes"."""
    once: frozenset[str]
    """Names whose expansion is drawn once a document and then kept."""
    section: frozenset[str]
    """Names whose expansion is drawn once a section and then kept."""
    paragraph: frozenset[str]
    """Names whose expansion is kept until the rule "paragraph" is expanded again."""
    rules: Mapping[str, tuple[tuple[_Part, ...], ...]]
    """Every name's alternatives, each parsed into its parts."""


def parse(text: str, where: str) -> Grammar:
    """Read a grammar from TOML. Raises `GrammarError`, naming `where`, when a slot is undefined."""
    raw = tomllib.loads(text)
    alternatives: dict[str, list[str]] = {}
    for part in ("once", "section", "paragraph", "rules"):
        for name, choices in raw.get(part, {}).items():
            if name in alternatives:
                raise GrammarError(f"{where}: the name {name!r} is defined twice.")
            if not choices:
                raise GrammarError(f"{where}: the name {name!r} has no alternative.")
            alternatives[name] = choices
    for needed in ("title", "section"):
        if needed not in alternatives:
            raise GrammarError(f"{where}: the rule {needed!r} is missing.")
    rules = {
        name: tuple(_parts(choice, alternatives, f"{where}, {name}") for choice in choices)
        for name, choices in alternatives.items()
    }
    once, section, paragraph = (
        frozenset(raw.get(scope, {})) for scope in ("once", "section", "paragraph")
    )
    return Grammar(raw["genre"], once, section, paragraph, rules)


def _parts(pattern: str, names: Mapping[str, object], where: str) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    for position, piece in enumerate(SLOT.split(pattern)):
        if position % 2 == 0:
            if piece:
                parts.append(piece)
            continue
        kind, _, rest = piece.rpartition(":")
        if kind == "n":
            low, _, high = rest.partition("-")
            parts.append(_Number(int(low), int(high)))
        elif rest not in names or kind not in ("", "cap"):
            raise GrammarError(f"{where}: the slot {{{piece}}} is not defined.")
        else:
            parts.append(_Cap(rest) if kind else _Rule(rest))
    return tuple(parts)


_DOUBLED = re.compile(r"([的在是也把就])\1")
"""A Chinese pattern may end in the particle with which what fills the next slot begins."""

DECK_FROM = 12
"""Lists at least this long are dealt as a deck; shorter ones are drawn at random."""


class Writer:
    """Writes one document from a grammar; `random` draws floats in [0, 1)."""

    def __init__(self, grammar: Grammar, random: Callable[[], float]) -> None:
        self._grammar = grammar
        self._random = random
        self._decks: dict[str, list[int]] = {}
        self._once: dict[str, str] = {}
        self._section: dict[str, str] = {}
        self._paragraph: dict[str, str] = {}

    def document(self, size: int) -> str:
        """Title and sections until the text has at least `size` UTF-8 bytes."""
        out = [self._expand("title"), "\n\n"]
        written = sum(len(piece.encode()) for piece in out)
        while written <= size:  # of the two line breaks at its end one is dropped
            self._section.clear()
            self._paragraph.clear()
            section = _DOUBLED.sub(r"\1", self._expand("section").strip()) + "\n\n"
            written += len(section.encode())
            out.append(section)
        return "".join(out).rstrip() + "\n"

    def _pick(self, name: str, count: int) -> int:
        if count < DECK_FROM:
            return int(self._random() * count)
        deck = self._decks.get(name)
        if not deck:
            deck = list(range(count))
            for high in range(count - 1, 0, -1):
                low = int(self._random() * (high + 1))
                deck[high], deck[low] = deck[low], deck[high]
            self._decks[name] = deck
        return deck.pop()

    def _expand(self, name: str) -> str:
        kept = self._kept(name)
        if kept is not None and name in kept:
            return kept[name]
        if name == "paragraph":
            self._paragraph.clear()
        choices = self._grammar.rules[name]
        out: list[str] = []
        for part in choices[self._pick(name, len(choices))]:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, _Rule):
                out.append(self._expand(part.name))
            elif isinstance(part, _Number):
                out.append(str(part.low + int(self._random() * (part.high - part.low + 1))))
            else:
                inner = self._expand(part.name)
                out.append(inner[:1].upper() + inner[1:])
        text = "".join(out)
        if kept is not None:
            kept[name] = text
        return text

    def _kept(self, name: str) -> dict[str, str] | None:
        if name in self._grammar.once:
            return self._once
        if name in self._grammar.section:
            return self._section
        return self._paragraph if name in self._grammar.paragraph else None
