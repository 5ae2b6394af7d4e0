"""How much text samples of one split share: runs of 100 characters (Chinese 30) that are identical.

    python benchmarks/independence.py                    # test, both languages, all samples
    python benchmarks/independence.py --limit 200 -T corpus=FOLDER

Ends with 1 where two samples share more than a hundredth of one.

Of each sample's haystack, every run of 80 characters (24) that begins at a multiple of 20 (6) is
looked up in all other haystacks; any shared run of 100 (30) holds at least one of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from seqniah_datasets.rendering import window_text
from seqniah_datasets.schema import LANGS, Lang
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

RUN: dict[Lang, int] = {"en": 100, "zh": 30}
"""Characters of a run that counts as shared."""

_PARTS = 5
"""Steps in a run: looked up are four fifths of one, at every fifth."""

MOST = 0.01
"""Share of a sample's text that another may have, as version 3 promises of the embedded corpus."""

_BASE = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Shared:
    """What one sample has in common with others of its split."""

    id: str
    all: float
    """Share of its text that stands in any other sample, 0 to 1."""
    most: float
    """Share of its text that stands in the one that it shares most with."""


def hashes(text: str, length: int) -> npt.NDArray[np.uint64]:
    """A hash of every run of so many characters, by where it begins."""
    codes = np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint64) + np.uint64(1)
    total = np.zeros(max(len(codes) - length + 1, 0), np.uint64)
    factor = np.uint64(1)
    with np.errstate(over="ignore"):
        for place in range(length):
            total += codes[place : place + len(total)] * factor
            factor *= _BASE
    return total


def shared(texts: Sequence[tuple[str, str]], run: int) -> Iterator[Shared]:
    """Of texts with their names, each compared with all others."""
    step = run // _PARTS
    length = run - step
    parts = [hashes(text, length)[::step] for _, text in texts]
    owners = np.concatenate([np.full(len(part), n) for n, part in enumerate(parts)])
    known = np.concatenate(parts)
    order = np.argsort(known, kind="stable")
    known, owners = known[order], owners[order]
    for number, (name, text) in enumerate(texts):
        every = hashes(text, length)
        covered = np.zeros(len(text) + 1, np.int64)
        by_other: Counter[int] = Counter()
        low, high = np.searchsorted(known, every), np.searchsorted(known, every, side="right")
        for place in np.flatnonzero(high > low).tolist():
            others = set(owners[low[place] : high[place]].tolist()) - {number}
            if others:
                covered[place] += 1
                covered[place + length] -= 1
                by_other.update(others)
        size = max(len(text), 1)
        found = float((np.cumsum(covered) > 0).sum()) / size
        yield Shared(name, found, max(by_other.values(), default=0) * step / size)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-T", action="append", default=[], metavar="name=value", dest="options")
    parser.add_argument("--limit", type=int, help="Samples of each language.")
    args = parser.parse_args()
    bench = SequentialNiah(read_options(**dict(one.split("=", 1) for one in args.options)))
    bench.prepare()
    kept = True
    for lang in LANGS:
        plan = [planned for planned in bench.plan if planned.lang == lang][: args.limit]
        texts = [
            (planned.id, bytes(window_text(bench.recipe(planned), bench.corpus)).decode())
            for planned in plan
        ]
        found = list(shared(texts, RUN[lang]))
        if not found:
            continue
        worst = max(found, key=lambda one: one.most)
        mean = sum(one.all for one in found) / len(found)
        print(
            f"{lang}: {len(found):,} samples, {sum(len(text) for _, text in texts):,} characters; "
            f"in runs of {RUN[lang]} that other samples have too: mean {mean:.2%} of a sample; "
            f"with one other at most {worst.most:.2%} ({worst.id})"
        )
        kept = kept and worst.most <= MOST
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
