"""Grammars that write long documents: nested patterns with slots, dealt rather than thrown.

A document is a miscellany, whose sections come from several grammars in turn. A grammar is a TOML
file with a `genre` and four tables (see `Grammar`). A slot `{name}` expands the
pattern of that name; `{n:2-48}` is a whole number; `{cap:name}` starts the expansion with a capital
letter; `{one|another}` is one of these patterns, which may hold slots themselves. Long lists are
dealt like a deck of cards, so that no pattern comes again before all have come.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from seqniah_datasets.rng import Stream

_SIGN = re.compile(r"([{}|])")


class GrammarError(ValueError):
    """A grammar names a slot that it does not define, or is not of the documented form."""


class _Rule(NamedTuple):
    name: str
    capital: bool


@dataclass(frozen=True, slots=True)
class _Choice:
    patterns: tuple[tuple[_Part, ...], ...]


_Part: TypeAlias = "str | _Rule | range | _Choice"
"""Text, a slot, or what a whole number or one of several patterns is drawn from."""

_SCOPES = ("once", "section", "paragraph")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of one genre in one language."""

    genre: str
    """What the documents are, in words, e.g. "town council minutes"."""
    scopes: Mapping[str, str]
    """How long the expansion of a name is kept: "once" for the whole document, else until the next
    "section", or until the rule "paragraph" is expanded again. Others are always drawn anew."""
    rules: Mapping[str, tuple[tuple[_Part, ...], ...]]
    """Every name's alternatives, each parsed into its parts."""


def parse(text: str, where: str, names: Mapping[str, list[str]] = MappingProxyType({})) -> Grammar:
    """Read a grammar from TOML; `names` are rules that it has in common with others.

    Raises `GrammarError`, naming `where`, when a slot is undefined.
    """
    raw = tomllib.loads(text)
    alternatives = dict(names)
    for part in (*_SCOPES, "rules"):
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
    scopes = {name: scope for scope in _SCOPES for name in raw.get(scope, {})}
    return Grammar(raw["genre"], scopes, rules)


def _parts(pattern: str, names: Mapping[str, object], where: str) -> tuple[_Part, ...]:
    """Each brace opens a list of patterns, which may be one slot alone."""
    open_lists: list[list[list[_Part]]] = [[[]]]
    for piece in _SIGN.split(pattern):
        if piece == "{":
            open_lists.append([[]])
        elif piece == "|" and len(open_lists) > 1:
            open_lists[-1].append([])
        elif piece == "}":
            if len(open_lists) == 1:
                raise GrammarError(f"{where}: a brace is closed that was not opened.")
            choices = open_lists.pop()
            open_lists[-1][-1].append(
                _Choice(tuple(map(tuple, choices)))
                if len(choices) > 1
                else _slot(choices[0], names, where)
            )
        elif piece:
            open_lists[-1][-1].append(piece)
    if len(open_lists) > 1:
        raise GrammarError(f"{where}: a brace is not closed.")
    return tuple(open_lists[0][0])


def _slot(parts: list[_Part], names: Mapping[str, object], where: str) -> _Part:
    text = parts[0] if len(parts) == 1 else None
    kind, _, rest = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    if kind == "n":
        low, _, high = rest.partition("-")
        return range(int(low), int(high) + 1)
    if rest not in names or kind not in ("", "cap"):
        raise GrammarError(f"{where}: the slot {{{text or parts}}} is not defined.")
    return _Rule(rest, kind == "cap")


DECK_FROM = 12
"""Lists at least this long are dealt as a deck; shorter ones are drawn at random."""


_TURN = 25
"""Paragraphs of a grammar for which it has a turn: all come about as often, of whatever grammar."""


def document(grammars: Sequence[Grammar], draws: Stream, size: int) -> str:
    """Title and sections until the text has at least `size` UTF-8 bytes."""
    writers = [Writer(grammar, draws) for grammar in grammars]
    out = [writers[draws.below(len(writers))].title(), "\n\n"]
    written = sum(len(piece.encode()) for piece in out)
    turns: list[Writer] = []
    while written <= size:  # of the two line breaks at its end one is dropped
        turns = turns or draws.shuffled([one for one in writers for _ in range(one.turns)])
        section = turns.pop().section() + "\n\n"
        written += len(section.encode())
        out.append(section)
    return "".join(out).rstrip() + "\n"


class Writer:
    """Writes what one document has from one grammar."""

    def __init__(self, grammar: Grammar, draws: Stream) -> None:
        self._rules, self._scopes = grammar.rules, grammar.scopes
        self._draws, self._random = draws, draws.random
        self._decks: dict[str, list[int]] = {}
        self._kept: dict[str, dict[str, str]] = {scope: {} for scope in _SCOPES}

    @property
    def turns(self) -> int:
        """How often it has a section in a round of all grammars."""
        return max(1, round(len(self._rules.get("paragraph", ())) / _TURN))

    def title(self) -> str:
        """A line."""
        return self._expand("title")

    def section(self) -> str:
        """A heading and paragraphs, between blank lines."""
        self._kept["section"].clear()
        self._kept["paragraph"].clear()
        return self._expand("section").strip()

    def _pick(self, name: str, count: int) -> int:
        if count < DECK_FROM:
            return int(self._random() * count)
        deck = self._decks.get(name)
        if not deck:
            deck = self._decks[name] = self._draws.shuffled(range(count))
        return deck.pop()

    def _expand(self, name: str) -> str:
        kept = self._kept.get(self._scopes.get(name, ""))
        if kept and name in kept:
            return kept[name]
        if name == "paragraph":
            self._kept["paragraph"].clear()
        choices = self._rules[name]
        pieces: list[str] = []
        self._write(choices[self._pick(name, len(choices))], pieces)
        text = "".join(pieces)
        if kept is not None:
            kept[name] = text
        return text

    def _write(self, parts: tuple[_Part, ...], out: list[str]) -> None:
        for part in parts:
            if type(part) is str:
                out.append(part)
            elif type(part) is _Choice:
                self._write(part.patterns[int(self._random() * len(part.patterns))], out)
            elif type(part) is _Rule:
                inner = self._expand(part.name)
                out.append(inner[:1].upper() + inner[1:] if part.capital else inner)
            elif type(part) is range:
                out.append(str(part[int(self._random() * len(part))]))
