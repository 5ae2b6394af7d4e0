"""Which split each subject of a finite pool belongs to, and what is given again in the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from seqniah_datasets import rng, splits
from seqniah_datasets.schema import SPLITS, Lang, Pipeline, Split, Wish
from seqniah_datasets.sources.base import Ticket


def divide(
    found: Iterable[tuple[str, Lang, int]], pipeline: Pipeline, ample: float = 1.0
) -> dict[str, Split]:
    """A split for each key of (key, language, most needles it serves): test first, then dev.

    So a pool too small for all falls short in train first. A split takes `ample` times the
    subjects that it has samples for. The order in which keys are dealt follows from the keys
    alone: no seed moves a subject from one split to another.
    """
    members: defaultdict[str, list[tuple[Lang, str]]] = defaultdict(list)
    for key, lang, needles in found:
        members[key].append((lang, _group(needles)))
    keys = sorted(members, key=lambda key: rng.digest("divide", key))
    split_of: dict[str, Split] = {}
    for split in SPLITS[:0:-1]:  # test, then dev
        wanted: Counter[tuple[Lang, str]] = Counter()
        for cell in splits.cells(split):
            if cell.pipeline is pipeline:
                wanted[cell.lang, cell.group.name] += int(cell.count * ample)
        for key in keys:
            if key not in split_of and any(wanted[entry] > 0 for entry in members[key]):
                split_of[key] = split
                wanted.subtract(members[key])
    return {key: split_of.get(key, "train") for key in keys}


def _group(needles: int) -> str:
    """The needle group that a subject serves best."""
    return next((group.name for group in splits.GROUPS if needles <= group.high), "")


def give_again(
    given: list[Ticket | None],
    wishes: Sequence[Wish],
    pool: Mapping[int, int],
    served: Callable[[Wish, int], int],
) -> int:
    """Fill the gaps in `given` from the pool once more, each member as rarely as can be.

    `pool` has each member's size, and `served` says how many needles one of a size gives to a wish;
    0: it does not serve. Returns how many gaps were filled.
    """
    used: Counter[int] = Counter()
    for serial, wish in enumerate(wishes):
        if given[serial] is not None:
            continue
        fit = {number: count for number, size in pool.items() if (count := served(wish, size))}
        if fit:
            number = min(fit, key=used.__getitem__)
            used[number] += 1
            given[serial] = (number, 0, fit[number])
    return used.total()
