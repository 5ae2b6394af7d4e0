"""How the gazetteer's questions are worded; see relations.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia.entities import RELATIONS
from seqniah_datasets.encyclopaedia.names import Kind

KNOWN = {one.name: one for one in RELATIONS}


@lru_cache(maxsize=8)
def table(name: str) -> dict[str, Any]:
    """The table of a file of this package; not to be changed."""
    place = files("seqniah_datasets").joinpath("atlas", name)
    return tomllib.loads(place.read_text(encoding="utf-8"))


def relation(name: str) -> dict[str, Any]:
    """What questions say of a relation."""
    found: dict[str, Any] = table("relations.toml")[name]
    return found


def kind_said(kind: Kind, several: bool = False) -> str:
    """What questions call one of a kind, or several."""
    said: str = table("relations.toml")["kinds"][kind][several]
    return said


def chain(start: str, relations: Sequence[str], draws: rng.Stream) -> str:
    """A question for what relations lead to, one after the other, from what `start` names.

    More than two phrases one within the other are hard to read, and so are two of which one is a
    clause: what they begin with has a sentence of its own.
    """
    *inner, last = relations
    asks: list[str] = relation(last)["asks"]
    lead = ""
    if len(inner) > 2 or (len(inner) == 2 and not _is_short(*inner)):
        first, inner = inner[:-1], inner[-1:]
        named: str = table("relations.toml")["chains"]["lead"].format(s=_named(start, first))
        lead, start = f"{named} ", back("answer", KNOWN[first[-1]].object)
    if len(inner) > 1 or (inner and not _is_short(inner[0], last)):
        asks = [one for one in asks if one.endswith("{s}?")]
    return lead + draws.choice(asks).format(s=_named(start, inner, last))


def _is_short(name: str, after: str) -> bool:
    """Whether the phrase for a name is the name with a noun behind it, also before what follows."""
    own = str(relation(name).get("own", ""))
    return own.startswith("{s}'s ") and not _is_ambiguous(name, after)


def _named(start: str, relations: Sequence[str], last: str = "") -> str:
    """What relations lead to, before the last one that is asked for, if any is."""
    said = start
    for place, (name, after) in enumerate(pairwise([*relations, last])):
        told = relation(name)
        form = "phrase" if place or (after and _is_ambiguous(name, after)) else "own"
        said = told.get(form, told["phrase"]).format(s=said)
    return said


def _is_ambiguous(name: str, after: str) -> bool:
    """Whether two readings make sense, as of "the mentor of Ann's benefactor": whose mentor?"""
    one, other = KNOWN[name], KNOWN[after]
    return one.subject == other.subject == other.object


def back(to: str, kind: Kind) -> str:
    """How the answer before is called, or the subject of the question before."""
    said: str = table("relations.toml")["turns"][to].format(kind=kind_said(kind))
    return said


def follow_up(kind: Kind, name: str, of_answer: bool, draws: rng.Stream) -> str:
    """A later turn: it asks of the answer before, or once more of what was asked about before."""
    asked = chain(back("answer" if of_answer else "subject", kind), [name], draws)
    start: str = draws.choice(table("relations.toml")["turns"]["starts"])
    return f"{start}{asked[0].lower()}{asked[1:]}" if start else asked


def members(
    kind: Kind, first: tuple[str, str], second: tuple[str, str], both: bool, draws: rng.Stream
) -> str:
    """A question for all that meet a condition and a second one, or not the second one.

    A condition is a relation and what its object is called.
    """
    frames = table("relations.toml")["sets"]["both" if both else "but"]
    asked: str = draws.choice(frames).format(
        kind=kind_said(kind, several=True),
        first=relation(first[0])["yes"].format(o=first[1]),
        second=relation(second[0])["yes" if both else "no"].format(o=second[1]),
    )
    return asked
