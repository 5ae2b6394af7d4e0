"""Which wrong answers a report shows one by one: as different ones as can be had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from seqniah_tasks.kinds import natural
from seqniah_tasks.records import Record
from seqniah_tasks.report.declared import report_of


def choose(rows: Sequence[Record], most: int) -> list[Record]:
    """At most so many of the wrong answers among rows of one run, as different as can be had.

    Unscored answers are none of them: what was not judged shows nothing of the model. Each next
    one is of the least shown lengths, languages, failure modes and strata that the benchmark
    declares, and of several epochs of a sample the first wrong one counts. The same rows in any
    order give the same choice, in the order of the strata, then by id.
    """
    cells: dict[tuple[object, ...], list[Record]] = {}
    seen: set[tuple[object, ...]] = set()
    for row in sorted((one for one in rows if one.correct is False), key=_place):
        sample = row.model, row.id
        if sample not in seen:
            seen.add(sample)
            cells.setdefault((*_stratum(row), row.failure_modes), []).append(row)
    shown: Counter[tuple[int, object]] = Counter()
    chosen: list[Record] = []
    waiting = [iter(cell) for cell in cells.values()]
    heads = [next(cell) for cell in waiting]
    while heads and len(chosen) < most:
        at = min(range(len(heads)), key=lambda at: _shown(heads[at], shown))
        row = heads[at]
        chosen.append(row)
        shown.update(enumerate(_stratum(row)))
        shown.update((-1, mode) for mode in row.failure_modes or ("",))
        following = next(waiting[at], None)
        if following is None:
            del heads[at], waiting[at]
        else:
            heads[at] = following
    return sorted(chosen, key=_place)


def _stratum(row: Record) -> tuple[str | None, ...]:
    """Its length, what it asks of, its language, and whatever else it can be chosen by."""
    traits = [row.traits.get(name) for name in report_of(row.benchmark).strata]
    return row.length_bin, *traits[:1], row.lang, *traits[1:]


def _place(row: Record) -> tuple[object, ...]:
    """By which answers are in order, whatever is not known of them: numbers before names."""
    stratum = [str(name or "") for name in _stratum(row)]
    length, *others = [natural(name)[:2] for name in stratum]
    size = (False, row.length) if row.length else length
    return size, *others, *stratum, row.model or "", row.id, row.epoch or 0, row.source


def _shown(row: Record, shown: Counter[tuple[int, object]]) -> int:
    """How often its like was chosen before; of its failure modes the rarest one counts."""
    modes = min(shown[-1, mode] for mode in row.failure_modes or ("",))
    return sum(shown[part] for part in enumerate(_stratum(row))) + modes
