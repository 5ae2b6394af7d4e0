"""Why a verdict may be wrong: what a model judge should look at again."""

from __future__ import annotations

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.compare import Check
from seqniah_scorers.comparing.matching import Reading
from seqniah_scorers.verdict import Doubt

FEW_KEPT = 0.6
"""Share of the reference's words below which an item counts as told in other words."""
MANY = 1.5
"""Items of the answer, over those of the reference, from which it is crowded."""


def doubts(
    refs: Index, reading: Reading, missing: list[int], unused: list[int], correct: bool
) -> tuple[Doubt, ...]:
    """In the order of `Doubt`; nothing for an answer that copies the reference's items."""
    found: set[Doubt] = set()
    faults = len(missing) + len(unused) + len(reading.faults)
    checks = reading.checks
    deciding = checks if correct else {i: checks[i] for i in reading.faults if i in checks}
    few = correct or faults <= 2
    if few and any(_reworded(c, correct) for c in deciding.values()):
        found.add(Doubt.REWORDED)
    if not correct and _near(refs, reading, missing, unused):
        found.add(Doubt.NEAR_MISS)
    dated = any(i.date for i in refs.items)
    bare = [a for a in reading.answers if a.item.date is None]
    plain = not missing and not unused and all(c.exact for c in checks.values())
    if reading.recut or (not plain and any(a.item.loose for a in bare)):
        found.add(Doubt.RECUT)
    if dated and len(bare) > len(reading.answers) / 2:
        found.add(Doubt.UNDATED)
    if any(c.foreign for c in checks.values()):
        found.add(Doubt.OTHER_LANGUAGE)
    count = len(reading.answers) + len(reading.extra)
    if count > MANY * len(refs.items) + 2:
        found.add(Doubt.CROWDED)
    return tuple(d for d in Doubt if d in found)


def _reworded(check: Check, correct: bool) -> bool:
    if check.clear:
        return False
    return check.kept < FEW_KEPT or (correct and (check.suspect is not None or check.slight))


def _near(refs: Index, reading: Reading, missing: list[int], unused: list[int]) -> bool:
    """One item alone is at fault, and could well be right."""
    if missing or unused:
        one_each = len(missing) <= 1 and len(unused) <= 1 and not reading.faults
        reworded = any(not c.literal for c in reading.checks.values())
        return one_each and (reworded or bool(missing and unused))
    if len(reading.faults) != 1:
        return False
    check = reading.checks.get(next(iter(reading.faults)))
    return check is not None and not check.clear and (not check.literal or bool(check.suspect))
