"""Lures: passages that resemble a needle and are no answer (semantic noise, section 5.3).

What the sources share when they make them. Each lure is a function of the demand and the serial,
drawn from a stream of its own, so that items do not depend on whether anybody asks for lures.
"""

from __future__ import annotations

import re

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, LureKind
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.tables import lines
from seqniah_datasets.sources.wording import capital

VERSION = 1
"""Of all lures; any change of their bytes raises it. No source's digest takes it in."""

MOST = 6
"""Lures that a source makes for an item: two for each of the three variants of a sample."""

_QUESTION = re.compile(r"[^?？]*[?？]")
_NESTED = str.maketrans("“”", "‘’")


def digest() -> str:
    """Names the texts that lures are made of beyond those of their sources; hexadecimal digits."""
    banks = (f"{bank}_{lang}.txt" for bank in ("remarks", "headings") for lang in LANGS)
    return rng.digest(VERSION, *(line for bank in banks for line in lines(bank))).hex()


def stream(source: str, demand: Demand, serial: int) -> Stream:
    """The draws of one sample's lures, apart from those of its item."""
    needles = demand.wishes[serial].needles
    key = (demand.lang, demand.split, serial, needles, demand.seed)
    return rng.stream("lures", VERSION, source, *key)


def authored(bank: str, lang: Lang, subject: str, draws: Stream, **slots: str) -> tuple[Lure, ...]:
    """Sentences about a procedure that tell nothing one does in it.

    Those of "remarks" have the slots {subject} and {gerund}; "headings" cite a subject of unknown
    form, perhaps a whole question, as the {title} of something.
    """
    patterns = lines(f"{bank}_{lang}.txt")
    slots |= {"subject": subject, "title": _title(subject)}
    told = [patterns[n].format(**slots) for n in draws.sample(MOST, len(patterns))]
    return tuple(Lure(capital(text), LureKind.NO_STEP, subject, None) for text in told)


def _title(subject: str) -> str:
    """A subject as it stands between quotation marks: on one line, of a question only the first."""
    text = " ".join(subject.split())
    found = _QUESTION.match(text)
    return (found[0] if found else text).rstrip(".。").translate(_NESTED)
