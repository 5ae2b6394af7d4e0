"""A reader that proves questions answerable: it knows passages and wordings, not the facts.

It takes questions apart by the wordings of relations.toml, and reads passages as the reader of the
encyclopaedia does. What it finds is in the text; if it finds less without a passage, that one is
needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from seqniah_datasets.atlas.wording import KNOWN, relation, table
from seqniah_datasets.encyclopaedia import proof
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.loft.schema import Passage


class Proof:
    """Answers conversations from passages."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._texts: dict[str, list[str]] = {}
        for one in passages:
            self._texts.setdefault(one.title, []).append(one.text)
        self._read: dict[str, dict[str, set[str]]] = {}

    def _facts(self, title: str) -> Mapping[str, set[str]]:
        """What all passages of a title tell."""
        if title not in self._read:
            found = self._read[title] = {}
            for text in self._texts.get(title, ()):
                for name, titles in proof.facts(text).items():
                    found.setdefault(name, set()).update(titles)
        return self._read[title]

    def answers(self, turns: Sequence[str]) -> list[set[str]]:
        """All that answers each turn, by title."""
        about, answer = set[str](), set[str]()
        found = []
        for turn in turns:
            if (members := self._members(turn)) is not None:
                answer = members
            else:
                start, names = asked(turn)
                about = {"answer": answer, "subject": about}.get(start) or {_title(start)}
                answer = about
                for name in names:
                    answer = self._step(answer, name)
            found.append(answer)
        return found

    def _step(self, titles: Iterable[str], name: str) -> set[str]:
        return {to for title in titles for to in self._facts(title).get(name, ())}

    def _members(self, question: str) -> set[str] | None:
        """What a question on a set asks for; None where it is another."""
        for both, names, frame in _frames():
            if told := frame.fullmatch(question):
                first, second = names
                one, other = (_title(told[spot]) for spot in (1, 2))
                named = [title for title, texts in self._texts.items() if one in "".join(texts)]
                return {
                    title
                    for title, facts in ((title, self._facts(title)) for title in named)
                    if one in facts.get(first, ())
                    and second in facts
                    and (other in facts[second]) == both
                }
        return None


def _title(named: str) -> str:
    return named.strip('"') if named.startswith('"') else re.sub(r"^the ", "", named)


def asked(turn: str) -> tuple[str, list[str]]:
    """What a question starts from, or which of the turn before; and relations from there.

    Raises `ValueError` where it is none of the gazetteer's, or can be read in two ways.
    """
    bare = turn.removeprefix("And ")
    if told := _lead().fullmatch(bare):
        found = [
            (start, [*first, *rest])
            for start, first in _starts(told[1])
            for back, rest in _readings(told[2])
            if back == "answer" and _fits([*first, *rest])
        ]
    else:
        found = list(_readings(bare[0].upper() + bare[1:]))
    if len(found) != 1:
        raise ValueError(f"read in {len(found)} ways: {turn!r}")
    return found[0]


def _readings(question: str) -> Iterator[tuple[str, list[str]]]:
    for name in KNOWN:
        for ask in relation(name)["asks"]:
            if told := _pattern(ask).fullmatch(question):
                for start, names in _starts(told[1]):
                    if _fits([*names, name]):
                        yield start, [*names, name]


def _fits(names: Sequence[str]) -> bool:
    """Whether each relation can follow the one before: a town has no mentor."""
    return all(KNOWN[one].object == KNOWN[after].subject for one, after in pairwise(names))


def _starts(said: str) -> Iterator[tuple[str, list[str]]]:
    """What a phrase starts from."""
    nested = False
    for name, wording in _phrases():
        if told := wording.fullmatch(said):
            nested = True
            for start, names in _starts(told[1]):
                if _fits([*names, name]):
                    yield start, [*names, name]
    if not nested and re.search("[A-Z]", said):
        yield said, []
    turns = table("relations.toml")["turns"]
    nouns = "|".join(one for one, _ in table("relations.toml")["kinds"].values())
    for what in ("answer", "subject"):
        if re.fullmatch(turns[what].format(kind=f"({nouns})"), said):
            yield what, []


@lru_cache(maxsize=1)
def _phrases() -> list[tuple[str, re.Pattern[str]]]:
    """All phrases, and of which relation each is."""
    told = [(name, relation(name).get(form)) for name in KNOWN for form in ("phrase", "own")]
    return [(name, _pattern(wording)) for name, wording in told if wording]


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    lead = re.escape(table("relations.toml")["chains"]["lead"])
    return re.compile(lead.replace(r"\{s\}", "(.+?)") + " (.+)")


@lru_cache(maxsize=512)
def _pattern(wording: str) -> re.Pattern[str]:
    return re.compile(re.escape(wording).replace(r"\{s\}", "(.+)").replace(r"\{o\}", "(.+)"))


@lru_cache(maxsize=1)
def _frames() -> list[tuple[bool, tuple[str, str], re.Pattern[str]]]:
    """All questions on sets, by what joins the conditions and by their relations."""
    told = table("relations.toml")
    named: Mapping[Kind, list[str]] = {
        kind: [n for n, one in KNOWN.items() if one.subject == kind and "yes" in relation(n)]
        for kind in Kind
    }
    return [
        (
            both,
            (first, second),
            re.compile(
                frame.format(
                    kind=told["kinds"][kind][1],
                    first=_pattern(relation(first)["yes"]).pattern,
                    second=_pattern(relation(second)["yes" if both else "no"]).pattern,
                ).replace("?", r"\?")
            ),
        )
        for both, frames in ((True, told["sets"]["both"]), (False, told["sets"]["but"]))
        for frame in frames
        for kind, names in named.items()
        for first in names
        for second in names
        if first != second
    ]
