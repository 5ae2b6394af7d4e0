"""How much text two samples of one split share: identical runs of 100 characters (Chinese 30).

    python benchmarks/independence.py                    # test, both languages, all samples
    python benchmarks/independence.py --limit 200 -T corpus=FOLDER

Ends with 1 where two samples share more than a hundredth of the shorter one.

Of each sample's haystack, every run of 80 characters (24) that begins at a multiple of 20 (6) is
looked up in all other haystacks; any shared run of 100 (30) holds at least one of them. Pairs that
may share most are then compared exactly: characters that stand in shared runs are counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

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

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)


@dataclass(frozen=True, slots=True, order=True)
class Shared:
    """What two samples of a split have in common."""

    share: float
    """Of the shorter one's characters, those in runs that the other has too; 0 to 1."""
    ids: tuple[str, str]
    """The shorter one first."""


def hashes(text: str, length: int) -> npt.NDArray[np.uint64]:
    """A hash of every run of so many characters, by where it begins."""
    codes = np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint64) + np.uint64(1)
    with np.errstate(over="ignore"):
        # Sums of what stands before a place, times powers of an odd number, which have inverses.
        sums = np.append(np.uint64(0), np.cumsum(codes * _powers(_BASE, len(codes))))
        return (sums[length:] - sums[:-length]) * _powers(_INVERSE, len(codes) - length + 1)


def _powers(base: int, count: int) -> npt.NDArray[np.uint64]:
    factors = np.full(max(count, 1), base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors)[:count]


def candidates(texts: Sequence[str], run: int) -> Iterator[tuple[float, int, int]]:
    """Pairs with the most that they may share of the shorter one, which comes first."""
    step = run // _PARTS
    length = run - step
    parts = [hashes(text, length)[::step] for text in texts]
    owners = np.concatenate([np.full(len(part), n, np.int32) for n, part in enumerate(parts)])
    known = np.concatenate(parts)
    order = np.argsort(known, kind="stable")
    known, owners = known[order], owners[order]
    for number, text in enumerate(texts):
        every = hashes(text, length)
        low, high = np.searchsorted(known, every), np.searchsorted(known, every, side="right")
        places = np.repeat(np.arange(len(every)), high - low)
        first = np.repeat(low - np.cumsum(high - low) + (high - low), high - low)
        pairs = places * len(texts) + owners[first + np.arange(len(places))]
        by_other = np.bincount(np.unique(pairs) % len(texts), minlength=len(texts))
        for other in np.flatnonzero(by_other).tolist():
            if (len(text), number) < (len(texts[other]), other):
                # A run in which one part was found is shorter than a run and a step.
                yield int(by_other[other]) * (run + step - 1) / len(text), number, other


def share(text: str, known: npt.NDArray[np.uint64], run: int) -> float:
    """Of a text's characters, those in runs whose hashes are among the known ones, sorted."""
    every = hashes(text, run)
    places = np.minimum(np.searchsorted(known, every), len(known) - 1)
    first = np.flatnonzero(known[places] == every)
    covered = np.zeros(len(text) + 1, np.int64)
    np.add.at(covered, first, 1)
    np.add.at(covered, first + run, -1)
    return float((np.cumsum(covered) > 0).sum()) / len(text)


def compared(texts: Sequence[tuple[str, str]], run: int) -> list[Shared]:
    """The pairs that share more than `MOST`, least first."""
    names, bodies = zip(*texts, strict=True)
    may = sorted((other, one) for most, one, other in candidates(bodies, run) if most > MOST)
    found = []
    for other, pairs in groupby(may, key=lambda pair: pair[0]):
        known = np.sort(hashes(bodies[other], run))
        for _, one in pairs:
            found.append(Shared(share(bodies[one], known, run), (names[one], names[other])))
    return sorted(pair for pair in found if pair.share > MOST)


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
        if not texts:
            continue
        found = compared(texts, RUN[lang])
        worst = f"{found[-1].share:.2%} ({' and '.join(found[-1].ids)})" if found else f"{MOST:.0%}"
        print(
            f"{lang}: {len(texts):,} samples, {sum(len(text) for _, text in texts):,} characters; "
            f"two share at most {worst} of the shorter; {len(found):,} pairs share more than "
            f"{MOST:.0%}",
            flush=True,
        )
        kept = kept and not found
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
