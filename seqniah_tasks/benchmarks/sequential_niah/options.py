"""Options of Sequential-NIAH: which samples are wanted, and what they are built from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from seqniah_datasets import splits
from seqniah_datasets.corpora import DEFAULT_CORPUS, HUB_CORPUS
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import (
    LANGS,
    NEEDLE_ORDERS,
    PLACEMENTS,
    SPLITS,
    Lang,
    LengthBin,
    NeedleOrder,
    Pipeline,
    Placement,
    Split,
)
from seqniah_datasets.sources import EDITIONS, Edition
from seqniah_tasks.benchmarks import options, reading
from seqniah_tasks.benchmarks.haystacks import CORPUS, SEED, TOKENIZER
from seqniah_tasks.benchmarks.options import option
from seqniah_tasks.benchmarks.reading import Given

LENGTHS: tuple[LengthBin, ...] = (*splits.BINS, *splits.LONGER_BINS)
"""Published bins, then unpublished ones."""

SHORTER = LengthBin("0k-8k", 0, LENGTHS[0].low)
"""Of released prompts alone, whose lengths nobody checked."""

UNKNOWN = "unknown"
"""The pipeline of a released sample that does not tell it."""

FEWEST = min(group.low for group in splits.GROUPS)
MOST = max(group.high for group in splits.GROUPS)

BASES = 200
"""Samples of the noise suite that get variants (section 5.3)."""


def _needles(what: str, given: Given) -> frozenset[int]:
    """Needle counts from a number, a range like 11-15, or >10, or a comma list of these."""
    return frozenset(count for part in reading.parts(given) for count in _range(what, part))


def _range(what: str, part: str) -> Iterable[int]:
    low, dash, high = part.removeprefix(">").partition("-")
    above = part.startswith(">")
    if above and low.isdecimal() and not dash and int(low) < MOST:
        return range(int(low) + 1, MOST + 1)
    if not above and low.isdecimal() and (not dash or high.isdecimal()):
        first, last = int(low), int(high or low)
        if FEWEST <= first <= last <= MOST:
            return range(first, last + 1)
    raise UnknownName(what, part, [f"a number from {FEWEST} to {MOST}", "3-5", "6-10", "11-15"])


_PUBLISHED = {"placement": "lines", "lures": 0, "ask_order": False, "answer": "free"}
HARD = {"placement": "inline", "lures": 3, "ask_order": True}
"""What the task `hard` sets, so that everybody publishes the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Filters let only some samples pass and take comma lists; empty ones let all pass. The other
    options build other samples, with other ids."""

    split: Split = "test"
    lang: tuple[Lang, ...] = option((), reading.list_of(*LANGS), "en or zh; both.")
    pipeline: tuple[Pipeline, ...] = option(
        (), reading.list_of(*Pipeline), "synthetic-temporal, real-temporal or real-logical; all."
    )
    length: tuple[str, ...] = option(
        (),
        reading.list_of(*(one.name for one in (*LENGTHS, SHORTER))),
        "8k-16k, 16k-32k, 32k-64k or 64k-128k, in tokens of the whole prompt; beyond the paper, "
        "128k-256k, 256k-512k or 512k-1m.",
    )
    needles: frozenset[int] = option(
        frozenset(), _needles, "A number from 3 to 15, or a range: 3-5, 6-10, 11-15."
    )
    corpus: str = option(*CORPUS, shown=None)
    seed: int = option(*SEED)
    tokenizer: str = option(*TOKENIZER)
    order: NeedleOrder = option(
        "shuffled",
        reading.one_of(*NEEDLE_ORDERS),
        "shuffled, or sorted (needles stand in true order).",
    )
    placement: Placement = option(
        "lines",
        reading.one_of(*PLACEMENTS),
        "lines (a needle has lines of its own, between paragraphs) or inline (it runs on in one).",
    )
    lures: int = option(
        0, reading.whole_from(0, 4), "Passages that resemble needles and are no answer, 0 to 4."
    )
    ask_order: bool = option(False, reading.flag, "Ask for the true order in every question.")
    answer: Literal["free", "quoted"] = option(
        "free",
        reading.one_of("free", "quoted"),
        "free, or quoted (the prompt asks for a line an item, in the text's own words).",
    )
    limit_per_stratum: int | None = option(
        None,
        reading.whole_from(1),
        "At most so many samples of each language, pipeline and length.",
    )
    edition: Edition = option(
        "open",
        reading.one_of(*EDITIONS),
        "open (embedded sources), paper (tkg, qa, and the paper's corpus) or released (data).",
    )
    data: tuple[Path, ...] = option(
        (),
        reading.paths,
        "Paths of the authors' samples (.jsonl, .jsonl.gz, or a folder), for the released edition.",
    )
    tkg: tuple[Path, ...] = option(
        (), reading.paths, "Paths of ICEWS (.tsv) and FEG (.jsonl), for the paper edition."
    )
    qa: tuple[Path, ...] = option(
        (), reading.paths, "Paths of questions of your own (.jsonl), for the paper edition."
    )
    shortfall: Literal["refuse", "smaller", "reuse"] = option(
        "refuse",
        reading.one_of("refuse", "smaller", "reuse"),
        "When there are too few questions: refuse, smaller or reuse.",
    )
    closed_book: bool = option(
        False, reading.flag, "Ask without the haystack, to see what the model knows beforehand."
    )

    @property
    def harder(self) -> dict[str, Any]:
        """What asks more than the published form does; empty for that."""
        return {
            name: told
            for name, usual in _PUBLISHED.items()
            if (told := getattr(self, name)) != usual
        }

    @property
    def prefix(self) -> str:
        """What ids begin with: the split, or the name of the hard preset."""
        return "hard" if self.harder == HARD and self.split == "test" else self.split

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Take the corpus of the edition. Raises `SeqniahError` for sources without theirs."""
        edition: Edition = given.get("edition", "open")
        if edition == "released":
            return _released(given)
        if given.get("data"):
            raise SeqniahError(
                "data= names released samples; add edition=released, or leave it out."
            )
        if edition == "open" and (given.get("tkg") or given.get("qa")):
            raise SeqniahError(
                "tkg and qa are sources of the paper edition; add edition=paper, or leave them out."
            )
        return {"corpus": DEFAULT_CORPUS if edition == "open" else HUB_CORPUS, **given}


_BUILDS = ("corpus", "seed", "order", "tkg", "qa", "closed_book", *_PUBLISHED)
"""Options that build samples, where released ones are asked as they are."""


def _released(given: dict[str, Any]) -> dict[str, Any]:
    """Raises `SeqniahError` for options that exclude each other, and where there is no data."""
    for name in _BUILDS:
        if name in given:
            raise SeqniahError(
                f"edition=released asks the authors' prompts as they are, and {name}= would build "
                "others; leave one of the two out."
            )
    if not given.get("data"):
        raise SeqniahError(
            "edition=released asks the authors' own samples: pass data= with the path of their "
            "file, or of the folder that holds it."
        )
    return given


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions(Options):
    """The same of the noise suite."""

    bases: int = option(BASES, reading.whole_from(1), "Samples that get variants.")


def read_options(split: str = "test", **given: Given) -> Options:
    """Options of a split from what a user wrote. Raises `SeqniahError` with what would do."""
    options.refuse_unknown(given, options.names(Options), f"The split {split}")
    return options.read(Options, given, {"split": reading.one("split", split, SPLITS)})
