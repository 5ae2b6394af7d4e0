"""Which wrong answers a report shows one by one: as different ones as can be had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from seqniah_tasks.records import STRATA_ORDER
from seqniah_tasks.report.table import Row


def choose(rows: Sequence[Row], most: int) -> list[Row]:
    """At most so many of the wrong answers among rows of one run, as different as can be had.

    Unscored answers are none of them: what was not judged shows nothing of the model. Each next
    one is of the least shown lengths, needle groups, pipelines, languages, noise and failure modes,
    and of several epochs of a sample the first wrong one counts. The same rows in any order give
    the same choice, in the order of the strata, then by id.
    """
    cells: dict[tuple[object, ...], list[Row]] = {}
    seen: set[tuple[object, ...]] = set()
    for row in sorted((one for one in rows if one.correct is False), key=_place):
        sample = row.model, row.id
        if sample not in seen:
            seen.add(sample)
            cells.setdefault((*_stratum(row), row.failure_modes), []).append(row)
    shown: Counter[tuple[int, object]] = Counter()
    chosen: list[Row] = []
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


def _stratum(row: Row) -> tuple[str | None, ...]:
    return row.length_bin, row.needle_group, row.pipeline, row.lang, row.noise, row.ask


def _place(row: Row) -> tuple[object, ...]:
    """By which answers are in order, whatever is not known of them."""
    by_size = [STRATA_ORDER.get(str(name), len(STRATA_ORDER)) for name in _stratum(row)[:2]]
    by_name = [str(name or "") for name in (*_stratum(row), row.model)]
    return *by_size, row.length or 0, *by_name, row.id, row.epoch or 0, row.source


def _shown(row: Row, shown: Counter[tuple[int, object]]) -> int:
    """How often its like was chosen before; of its failure modes the rarest one counts."""
    modes = min(shown[-1, mode] for mode in row.failure_modes or ("",))
    return sum(shown[part] for part in enumerate(_stratum(row))) + modes
