"""A split's make-up beside the published one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from seqniah_datasets import splits
from seqniah_datasets.schema import LengthBin, NeedleGroup
from seqniah_tasks.benchmarks.protocol import Bench, Stats
from seqniah_tasks.benchmarks.sequential_niah.bench import TITLE, SequentialNiah

PUBLISHED: dict[str, frozenset[str]] = {
    "test": frozenset({"all", "language", "length", "needles", "length x needles"}),
    "dev": frozenset({"all", "language"}),
    "train": frozenset({"all", "language"}),
    "all": frozenset(
        {
            *("all", "language", "pipeline", "length"),
            *("split x language", "language x pipeline", "language x length"),
        }
    ),
}
"""Margins that the paper prints (Tables 1, 2, 6), by split; the others are derived."""


@dataclass(frozen=True, slots=True)
class Margin:
    """One line of the comparison."""

    margin: str
    """What is counted by, e.g. "length"."""
    value: str
    """Which of its values, e.g. "8k-16k"."""
    target: int
    """Samples in the quota table."""
    derived: bool
    """The target is not printed in the paper but fitted to what is."""
    here: int
    """Samples with the present options."""


@dataclass(frozen=True, slots=True)
class _Place:
    split: str
    lang: str
    pipeline: str
    length: LengthBin
    group: NeedleGroup


_MARGINS: dict[str, Callable[[_Place], str]] = {
    "all": lambda place: "all",
    "split x language": lambda place: f"{place.split}, {place.lang}",
    "language": lambda place: place.lang,
    "pipeline": lambda place: place.pipeline,
    "language x pipeline": lambda place: f"{place.lang}, {place.pipeline}",
    "length": lambda place: place.length.name,
    "language x length": lambda place: f"{place.lang}, {place.length.name}",
    "needles": lambda place: place.group.name,
    "length x needles": lambda place: f"{place.length.name}, {place.group.name}",
    "language x needles": lambda place: f"{place.lang}, {place.group.name}",
    "pipeline x needles": lambda place: f"{place.pipeline}, {place.group.name}",
}


def margins(benches: Sequence[SequentialNiah]) -> list[Margin]:
    """Every margin of the quota table beside what the benchmark's plan holds.

    One split, or several as one benchmark; then the margins are those of the whole.
    """
    name = benches[0].options.split if len(benches) == 1 else "all"
    targets: Counter[tuple[str, str]] = Counter()
    here: Counter[tuple[str, str]] = Counter()
    for bench in benches:
        split = bench.options.split
        for cell in splits.cells(split):
            place = _Place(split, cell.lang, cell.pipeline, cell.length, cell.group)
            for margin, value in _MARGINS.items():
                targets[margin, value(place)] += cell.count
        for slot, _ in bench.chosen:
            place = _Place(split, slot.lang, slot.pipeline, slot.length, slot.group)
            for margin, value in _MARGINS.items():
                here[margin, value(place)] += 1
    order = list(_MARGINS)
    extra = [key for key in here if key not in targets]  # unpublished bins
    return [
        Margin(margin, value, targets[margin, value], margin not in PUBLISHED[name], count)
        for margin, value in sorted([*targets, *extra], key=lambda key: order.index(key[0]))
        if (count := here[margin, value]) or targets[margin, value]
        if len(benches) > 1 or margin != "split x language"
    ]


def stats(benches: Sequence[Bench[Any]]) -> Stats:
    """The margins as a table."""
    splits = [bench for bench in benches if isinstance(bench, SequentialNiah)]
    found = margins(splits)
    what = "all splits" if len(splits) > 1 else f"{splits[0].options.split} split"
    rows: list[tuple[str, ...]] = []
    before = ""
    for one in found:
        target = f"{one.target:,}" if one.target else "unpublished"
        by = one.margin if one.margin != before else ""
        rows.append((by, one.value, target, f"{one.here:,}", "derived" if one.derived else ""))
        before = one.margin
    return Stats(
        title=f"{TITLE}, {what}: samples",
        columns=("by", "value", "published", "here", ""),
        rows=tuple(rows),
        fields=tuple(map(asdict, found)),
    )
