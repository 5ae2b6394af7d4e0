"""A reader that proves questions answerable: it knows articles and wordings, not the facts.

It takes an article's sentences for facts of its title where they fit a wording of a relation, and
follows a question's chain from article to article. What it finds is in the text, then; and if it
finds nothing without an article, that article is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from seqniah_datasets.articles.library import Article
from seqniah_datasets.encyclopaedia.entities import RELATIONS
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.encyclopaedia.tables import table
from seqniah_datasets.encyclopaedia.wording import Pieces, style

_SHAPES: Mapping[Kind, str] = {
    Kind.PERSON: r"[A-Z][a-z]+ [A-Z][a-z]+",
    Kind.RIVER: r"[Tt]he River [A-Z][a-z]+",
    Kind.INSTITUTION: r"[Tt]he [A-Z][a-z]+ [A-Z][a-z]+",
    Kind.STATE: r"[A-Z][a-z]+",
    Kind.REGION: r"[A-Z][a-z]+",
    Kind.TOWN: r"[A-Z][a-z]+",
}
"""How the object of a relation is named in a sentence."""

_ANYTHING = r"[\w' ]{1,40}?"
"""What another slot may hold."""


class Asked(NamedTuple):
    """What a question asks for."""

    start: str
    """Title of the article to start from."""
    relations: tuple[str, ...]
    """To follow from there, one after the other."""


def facts(text: str) -> dict[str, set[str]]:
    """What an article tells about its subject: titles of the objects, by relation."""
    found: dict[str, set[str]] = {}
    for sentence in re.split(r"\.(?:\s|$)", text):
        for relation, wordings in _readings().items():
            if told := wordings.fullmatch(sentence):
                found.setdefault(relation, set()).add(_title(told[told.lastindex or 0]))
    return found


def asked(question: str) -> Asked:
    """Take a question apart. Raises `ValueError` where it is none of the encyclopaedia's."""
    names = {style(one.subject).asks[one.name]: one.name for one in RELATIONS}
    listed = "|".join(map(re.escape, names))
    outer, inner = re.compile(rf"the ({listed}) of (.+)"), re.compile(rf"(.+)'s ({listed})")
    for frame in _frames():
        if framed := frame.fullmatch(question):
            rest, relations = framed[1], list[str]()
            while nested := outer.fullmatch(rest):
                relations.append(names[nested[1]])
                rest = nested[2]
            if possessive := inner.fullmatch(rest):
                relations.append(names[possessive[2]])
                rest = possessive[1]
            return Asked(_title(rest), tuple(reversed(relations)))
    raise ValueError(f"no question of the encyclopaedia: {question!r}")


def worded(start: str, relations: Sequence[str]) -> str:
    """A question for what relations lead to from a start; `asked` takes it apart again."""
    names = {one.name: style(one.subject).asks[one.name] for one in RELATIONS}
    said = f'"{start}"' if start.startswith("The ") else start  # as titles of books are
    for relation in relations:
        said = f"the {names[relation]} of {said}"
    return f"What is {said}?"


@lru_cache(maxsize=1)
def _frames() -> list[re.Pattern[str]]:
    """What stands around the chain of a question."""
    frames = [one for several in table("wordings/questions.toml").values() for one in several]
    return [re.compile(re.escape(one).replace(r"\{chain\}", "(.+)")) for one in frames]


class Proof:
    """Answers questions from articles."""

    def __init__(self, articles: Iterable[Article]) -> None:
        self._titled: dict[str, list[Article]] = {}
        for article in articles:
            self._titled.setdefault(article.title, []).append(article)
        self._facts: dict[str, dict[str, set[str]]] = {}

    def answers(self, question: str, without: Collection[str] = ()) -> set[str]:
        """All titles that the chain leads to; `without` are ids of articles that are not there."""
        now, relations = asked(question)
        reached = {now}
        for relation in relations:
            reached = {
                title
                for place in reached
                for article in self._titled.get(place, ())
                if article.id not in without
                for title in self._read(article).get(relation, ())
            }
        return reached

    def _read(self, article: Article) -> dict[str, set[str]]:
        if article.id not in self._facts:
            self._facts[article.id] = facts(article.text)
        return self._facts[article.id]


@lru_cache(maxsize=1)
def _readings() -> dict[str, re.Pattern[str]]:
    """The wordings of each relation, to be read."""
    found: dict[str, re.Pattern[str]] = {}
    for relation in RELATIONS:
        shape = _SHAPES[relation.object]
        ways = [
            _reading(pieces, shape)
            for wording in style(relation.subject).facts[relation.name]
            for pieces in wording
        ]
        found[relation.name] = re.compile("|".join(ways))
    return found


def _reading(pieces: Pieces, shape: str) -> str:
    out: list[str] = []
    for spot, piece in enumerate(pieces):
        if spot % 2:
            out.append(f"({shape})" if piece == "o" else _ANYTHING)
        elif spot == 0 and piece:
            out.append(f"(?i:{re.escape(piece[0])}){re.escape(piece[1:])}")
        else:
            out.append(re.escape(piece))
    return "".join(out)


def _title(named: str) -> str:
    """The title of what a sentence names."""
    if named.startswith('"'):
        return named.strip('"')
    return re.sub(r"^[Tt]he ", "", named)
