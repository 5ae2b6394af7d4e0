"""How the gazetteer's questions are worded; see relations.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.encyclopaedia.names import Kind


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
    """A question for what relations lead to, one after the other, from what `start` names."""
    *inner, last = relations
    said = start
    for name in inner:
        said = relation(name)["phrase"].format(s=said)
    asked: str = draws.choice(relation(last)["asks"]).format(s=said)
    return asked


def follow_up(kind: Kind, name: str, of_answer: bool, draws: rng.Stream) -> str:
    """A later turn: it asks of the answer before, or once more of what was asked about before."""
    told = table("relations.toml")["turns"]
    said = told["answer" if of_answer else "subject"].format(kind=kind_said(kind))
    asked = chain(said, [name], draws)
    start: str = draws.choice(told["starts"])
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
