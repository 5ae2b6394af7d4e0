"""Options of a benchmark as a user writes them, checked and named when they are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, Literal

from seqniah_datasets import splits, tokens
from seqniah_datasets.corpora import DEFAULT_CORPUS, HUB_CORPUS
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import (
    LANGS,
    NEEDLE_ORDERS,
    SPLITS,
    Lang,
    LengthBin,
    NeedleOrder,
    Pipeline,
    Split,
)
from seqniah_datasets.sources import EDITIONS, Edition
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.reading import Given

Shortfall = Literal["refuse", "smaller", "reuse"]
SHORTFALLS: tuple[Shortfall, ...] = ("refuse", "smaller", "reuse")
"""What to do when a pool has too few questions: stop, leave samples out, or use some again."""

Overflow = Literal["refuse", "skip"]
OVERFLOWS: tuple[Overflow, ...] = ("refuse", "skip")
"""What to do when a prompt cannot fit a model: stop before the run, or leave it unscored."""

CORPUS_OF: dict[Edition, str] = {"open": DEFAULT_CORPUS, "paper": HUB_CORPUS}
"""The corpus that an edition takes unless told otherwise."""

LENGTHS: tuple[LengthBin, ...] = (*splits.BINS, *splits.LONGER_BINS)
"""Published bins, then unpublished ones."""

FEWEST = min(group.low for group in splits.GROUPS)
MOST = max(group.high for group in splits.GROUPS)


@dataclass(frozen=True, slots=True)
class Options:
    """Which samples are wanted, and what they are built from. Empty filters let all pass."""

    split: Split = "test"
    langs: tuple[Lang, ...] = ()
    pipelines: tuple[Pipeline, ...] = ()
    lengths: tuple[str, ...] = ()
    """Names of length bins."""
    needles: frozenset[int] = frozenset()
    """Numbers of needles."""
    corpus: str = DEFAULT_CORPUS
    seed: int = 0
    tokenizer: str = tokens.DEFAULT_TOKENIZER
    order: NeedleOrder = "shuffled"
    limit_per_stratum: int | None = None
    """At most so many samples of each language, pipeline and length bin."""
    edition: Edition = "open"
    tkg: tuple[Path, ...] = ()
    """Files of a temporal knowledge graph, for the paper edition."""
    qa: tuple[Path, ...] = ()
    """Files of the user's own questions, for the paper edition."""
    shortfall: Shortfall = "refuse"
    closed_book: bool = False
    """Ask without the haystack, to see what a model knows beforehand."""
    bases: int = 0
    """Samples that get variants in the noise suite; 0: no suite, but the split."""


def read_options(
    split: str = "test",
    lang: Given = None,
    pipeline: Given = None,
    length: Given = None,
    needles: Given = None,
    corpus: Given = None,
    seed: Given = 0,
    tokenizer: Given = tokens.DEFAULT_TOKENIZER,
    order: str = "shuffled",
    limit_per_stratum: Given = None,
    edition: str = "open",
    tkg: Given = None,
    qa: Given = None,
    shortfall: str = "refuse",
    closed_book: Given = False,
) -> Options:
    """Options from what a user wrote; lists may be comma lists.

    Raises `UnknownName`, which lists the choices, and `SeqniahError` for a number that is none.
    """
    which = reading.one("edition", edition, EDITIONS)
    if which == "open" and (reading.parts(tkg) or reading.parts(qa)):
        raise SeqniahError(
            "tkg and qa are sources of the paper edition; add edition=paper, or leave them out."
        )
    return Options(
        split=reading.one("split", split, SPLITS),
        langs=reading.some("lang", lang, LANGS),
        pipelines=tuple(
            map(Pipeline, reading.some("pipeline", pipeline, list(map(str, Pipeline))))
        ),
        lengths=reading.some("length", length, [one.name for one in LENGTHS]),
        needles=_needles(needles),
        corpus=reading.text("corpus", CORPUS_OF[which] if corpus is None else corpus),
        seed=reading.whole("seed", seed, 0),
        tokenizer=reading.text("tokenizer", tokenizer),
        order=reading.one("order", order, NEEDLE_ORDERS),
        limit_per_stratum=None
        if limit_per_stratum is None
        else reading.whole("limit_per_stratum", limit_per_stratum, 1),
        edition=which,
        tkg=tuple(map(Path, reading.parts(tkg))),
        qa=tuple(map(Path, reading.parts(qa))),
        shortfall=reading.one("shortfall", shortfall, SHORTFALLS),
        closed_book=reading.flag("closed_book", closed_book),
    )


_NAMES = tuple(signature(read_options).parameters)


def options_of(given: Mapping[str, Any], split: str | None = None) -> Options:
    """Options from the arguments of a task or command, which may have others too.

    `split` counts where it is given. Raises like `read_options`.
    """
    chosen = {name: given[name] for name in _NAMES if name in given}
    return read_options(**({**chosen, "split": split} if split else chosen))


@dataclass(frozen=True, slots=True)
class Guard:
    """What a run does about prompts that do not fit a model."""

    on_overflow: Overflow = "refuse"
    context: int | None = None
    """The model's window in tokens, where neither its server nor any table knows it."""


def read_guard(on_overflow: str = "refuse", context: Given = None) -> Guard:
    """The guard from what a user wrote. Raises like `read_options`."""
    return Guard(
        on_overflow=reading.one("on_overflow", on_overflow, OVERFLOWS),
        context=None if context is None else reading.whole("context", context, 1),
    )


def read_bases(given: Given) -> int:
    """How many samples get variants. Raises `SeqniahError` for what is no number from 1."""
    return reading.whole("bases", given, 1)


def _needles(given: Given) -> frozenset[int]:
    """Needle counts from a number, a range like 11-15, or >10, or a comma list of these."""
    wanted: set[int] = set()
    for part in reading.parts(given):
        wanted.update(_range(part))
    return frozenset(wanted)


def _range(part: str) -> Iterable[int]:
    low, dash, high = part.removeprefix(">").partition("-")
    above = part.startswith(">")
    if above and low.isdecimal() and not dash and int(low) < MOST:
        return range(int(low) + 1, MOST + 1)
    if not above and low.isdecimal() and (not dash or high.isdecimal()):
        first, last = int(low), int(high or low)
        if FEWEST <= first <= last <= MOST:
            return range(first, last + 1)
    raise UnknownName(
        "needles", part, [f"a number from {FEWEST} to {MOST}", "3-5", "6-10", "11-15"]
    )
