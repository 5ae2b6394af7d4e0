"""What evidence about a pair is worth more by what the answer makes of the other items.

A changed word beside copies is a change; among paraphrases it is a way of putting it. One word in
common means something where the other items are stated, and chance where none of them is.
"""

from __future__ import annotations

from seqniah_scorers.evidence.witnesses import Evidence, Kind

_CERTAIN = (Kind.NUMBER, Kind.NUMBER_NEAR, Kind.NEGATED, Kind.OPPOSED, Kind.TURNED)
"""What no other words for the same bring about."""


def copied(evidence: Evidence) -> float:
    """How nearly a pair's item is a copy of the reference's, 0 to 1."""
    return stated(evidence) ** 8 / (1 + evidence.get(Kind.REPLACED, 0.0))


def stated(evidence: Evidence) -> float:
    """How much of the reference's own words a pair's item has, 0 to 1."""
    return 1 - evidence.get(Kind.LOST, 0.0)


def bare(evidence: Evidence) -> float:
    """How little a pair's item says beyond the reference's, 0 to 1."""
    return max(0.0, 1 - 3 * evidence.get(Kind.ADDED, 0.0))


def alike(evidence: Evidence) -> float:
    """How nearly an item is a copy apart from what is changed in it, 0 to 1.

    What a change itself leaves out does not make it less of a copy.
    """
    other = evidence.get(Kind.LOST, 0.0) - evidence.get(Kind.TOLD, 0.0) - 0.2 * _certain(evidence)
    return (1 - max(other, 0.0)) ** 4


def _certain(evidence: Evidence) -> float:
    return max(evidence.get(kind, 0.0) for kind in _CERTAIN)


def among_copies(evidence: Evidence, like: float, close: float, alone: float) -> Evidence:
    """What evidence about a pair is worth more among items that keep close to the reference.

    `like` is how `alike` the item is to the wording that is nearest, `close` how nearly the other
    items copy the reference, `alone` how little they add to it, 0 to 1.
    """
    kept = like * close
    return {
        Kind.COPY_CHANGED: kept * _certain(evidence),
        Kind.COPY_REPLACED: like * close**8 * evidence.get(Kind.REPLACED, 0.0),
        Kind.COPY_ADDED: kept * alone**3 * min(evidence.get(Kind.ADDED, 0.0), 1.0),
    }


def among_none(evidence: Evidence, others: float) -> Evidence:
    """What words left out are worth more where the other reference items are not stated either.

    `others` is how much of their words the answer has, missing items included, 0 to 1.
    """
    lost = evidence.get(Kind.LOST, 0.0)
    return {Kind.ASTRAY: lost * (1 - others) ** 3} if lost else {}
