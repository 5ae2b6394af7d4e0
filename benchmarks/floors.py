"""What docs/floors.md reports of Sequential-NIAH: how far the offline readers get without a model.

    python benchmarks/floors.py                          # the published form, 2,000 samples
    python benchmarks/floors.py --harder --limit 500     # beside each harder option
    python benchmarks/floors.py -T corpus=FOLDER -T edition=paper -T pipeline=real-temporal
    python benchmarks/floors.py --quoted                 # the rules beside what is known

An answer in quoted form is known to be right where its lines are the needles' own texts, each
once, and in their order where that is asked for.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice

from seqniah_datasets.rendering import prompt_bytes
from seqniah_datasets.schema import QAItem
from seqniah_tasks.baselines import TOP_K, lexical, skimming
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.score import judge
from seqniah_tasks.shares import share

READERS = {"lexical": lexical, "skimming": skimming}

HARDER: tuple[dict[str, str], ...] = (
    {},
    {"placement": "inline"},
    {"lures": "1"},
    {"lures": "3"},
    {"ask_order": "true"},
    {"answer": "quoted"},
    {"placement": "inline", "lures": "3", "ask_order": "true"},
)
"""The published form, each harder option, and all that `seqniah/hard` sets."""

BATCH = 20
"""Samples that a process takes at a time."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader made of one sample."""

    groups: tuple[str, ...]
    """Length, needle group, pipeline, language: what shares are told of."""
    right: bool
    """By the rules."""
    known: bool
    """Whether its lines are the needles' own texts."""
    doubted: bool
    """Whether the rules doubt their verdict."""


def quoted(qa: QAItem, answer: str) -> bool:
    lines = [re.sub(r"^\d+\. ", "", line) for line in answer.splitlines()]
    wanted = [" ".join(needle.text.split()) for needle in qa.needles]
    return lines == wanted if qa.order_required else sorted(lines) == sorted(wanted)


def _read(options: dict[str, str], reader: str, start: int, limit: int) -> list[Read]:
    bench = SequentialNiah(read_options(**options))
    made = []
    for planned in islice(bench.plan, start, min(start + BATCH, limit)):
        slot, qa = planned.slot, bench.qa(planned)
        prompt = prompt_bytes(bench.recipe(planned), bench.corpus).decode()
        answer = READERS[reader](prompt, TOP_K)
        groups = ("all", slot.pipeline, slot.length.name, slot.group.name, slot.lang)
        verdict = judge(qa, answer)
        made.append(Read(groups, verdict.correct, quoted(qa, answer), bool(verdict.doubts)))
    return made


def read(options: dict[str, str], reader: str, limit: int) -> list[Read]:
    """A reader's answers, by all cores."""
    bench = SequentialNiah(read_options(**options))
    bench.prepare()
    limit = min(limit, len(bench.plan))
    starts = range(0, limit, BATCH)
    with ProcessPoolExecutor() as pool:
        batches = pool.map(_read, *zip(*((options, reader, s, limit) for s in starts), strict=True))
        return [one for batch in batches for one in batch]


def told(reads: list[Read], of: Callable[[Read], bool] = lambda one: one.right) -> str:
    found = share(sum(map(of, reads)), len(reads))
    return f"{found.value:.2%} ({found.low:.1%} to {found.high:.1%}) of {len(reads):,}"


def groups(reads: list[Read]) -> Iterator[tuple[str, list[Read]]]:
    for name in dict.fromkeys(group for one in reads for group in one.groups):
        yield name, [one for one in reads if name in one.groups]


def named(options: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items()) or "the published form"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-T", action="append", default=[], metavar="name=value", dest="options")
    parser.add_argument("--limit", type=int, default=2000)
    parser.add_argument("--reader", choices=READERS, action="append")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--harder", action="store_true")
    kind.add_argument("--quoted", action="store_true")
    args = parser.parse_args()
    given = dict(option.split("=", 1) for option in args.options)
    wanted = HARDER if args.harder else ({"answer": "quoted"},) if args.quoted else ({},)
    for reader in args.reader or READERS:
        for options in wanted:
            reads = read({**given, **options}, reader, args.limit)
            print(f"{reader}, {named({**given, **options})}: {told(reads)}", flush=True)
            if args.quoted:
                print("  rules and needles agree:", told(reads, lambda one: one.right == one.known))
                print("  in doubt:", told(reads, lambda one: one.doubted))
            elif not args.harder:
                for name, some in groups(reads):
                    print(f"  {name}: {told(some)}")


if __name__ == "__main__":
    sys.exit(main())
