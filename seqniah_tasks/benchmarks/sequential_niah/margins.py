"""A split's make-up beside the published one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from seqniah_datasets import splits
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.splits import Cell, Slot
from seqniah_tasks.benchmarks.protocol import Bench, Stats
from seqniah_tasks.benchmarks.sequential_niah.bench import TITLE, SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.released.bench import Released

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


_MARGINS = (
    *("all", "split x language", "language", "pipeline", "language x pipeline"),
    *("length", "language x length", "needles", "length x needles"),
    *("language x needles", "pipeline x needles"),
)


def _place(of: Cell | Slot) -> tuple[str, str, str, str]:
    return of.lang, of.pipeline, of.length.name, of.group.name


def _here(bench: SequentialNiah | Released) -> list[tuple[str, str, str, str]]:
    """Where the samples of a plan belong."""
    if isinstance(bench, SequentialNiah):
        return [_place(slot) for slot, _ in bench.chosen]
    return [(one.lang, one.pipeline, one.length, one.needle_group or "<3") for one in bench.plan]


def _values(split: str, place: tuple[str, str, str, str]) -> list[tuple[str, str]]:
    """Every margin with the value that it has at a place of the quota table."""
    lang, pipeline, length, group = place
    parts = {
        "all": "all",
        "split": split,
        "language": lang,
        "pipeline": pipeline,
        "length": length,
        "needles": group,
    }
    return [(one, ", ".join(parts[part] for part in one.split(" x "))) for one in _MARGINS]


def margins(benches: Sequence[SequentialNiah | Released]) -> list[Margin]:
    """Every margin of the quota table beside what the benchmark's plan holds.

    One split, or several as one benchmark; then the margins are those of the whole.
    """
    name = benches[0].options.split if len(benches) == 1 else "all"
    targets: Counter[tuple[str, str]] = Counter()
    here: Counter[tuple[str, str]] = Counter()
    for bench in benches:
        split = bench.options.split
        for cell in splits.cells(split):
            for key in _values(split, _place(cell)):
                targets[key] += cell.count
        for place in _here(bench):
            here.update(_values(split, place))
    extra = [key for key in here if key not in targets]  # unpublished bins
    return [
        Margin(margin, value, targets[margin, value], margin not in PUBLISHED[name], count)
        for margin, value in sorted([*targets, *extra], key=lambda key: _MARGINS.index(key[0]))
        if (count := here[margin, value]) or targets[margin, value]
        if len(benches) > 1 or margin != "split x language"
    ]


def stats(benches: Sequence[Bench[Any]]) -> Stats:
    """The margins as a table. Raises `SeqniahError` for several splits of released samples."""
    splits = [bench for bench in benches if isinstance(bench, SequentialNiah | Released)]
    if len(splits) > 1 and any(isinstance(bench, Released) for bench in splits):
        raise SeqniahError("Released samples are of one split; name it: seqniah stats test ...")
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
