"""Verdicts on answers about stars in logs of inspect-ai, as columns of the table of records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seqniah_tasks.adapters.inspect_summaries import (
    UNREAD,
    Facts,
    Summary,
    is_nan,
    read_whole,
)
from seqniah_tasks.report import star_rows

SCORER = "stars"
"""What samples call the score of the scorer that decides."""


def star_verdicts(samples: Sequence[Summary], judge: str | None) -> list[Facts]:
    """The columns of each sample's verdict; `judge` is the one to name where nothing is said.

    What summaries had no room for, the signs of a thousand stars or where each stands, is read
    from the whole samples. Raises `SeqniahError` when they cannot be read.
    """
    short = [sample for sample in samples if _is_short(sample)]
    whole = dict(zip((one.place for one in short), _in_full(short), strict=True))
    return [_verdict(sample, whole.get(sample.place, {}), judge) for sample in samples]


def _is_short(sample: Summary) -> bool:
    told, facts = sample.told(SCORER), sample.metadata
    if facts.get("ask") not in star_rows.LISTS or not told:
        return False
    signs, needles = told.get("credits"), facts.get("needles")
    # Without their depths, all stars of a sky stand evenly; some of them may stand anywhere.
    depths = isinstance(facts.get("needle_depths"), str) and needles != facts.get("stars")
    return depths or (isinstance(signs, str) and isinstance(needles, int) and len(signs) < needles)


def _in_full(samples: Sequence[Summary]) -> Iterator[Facts]:
    """What the score and the sample say in full, of those that summaries cut."""
    if not samples:
        return
    wanted = [(one.fields["id"], one.fields["epoch"]) for one in samples]
    for sample in read_whole(samples[0].path, wanted, UNREAD):
        given = (sample.scores or {}).get(SCORER)
        told = (given.metadata or {}) if given else {}
        signs = {name: told.get(name) for name in ("credits", "positions")}
        yield {**signs, "needle_depths": sample.metadata.get("needle_depths")}


def _verdict(sample: Summary, full: Facts, judge: str | None) -> Facts:
    score, facts = sample.score(SCORER), sample.metadata
    told, ask, value = {**sample.told(SCORER), **full}, facts.get("ask"), score.get("value")
    scored = None if is_nan(value) else value
    found = star_rows.verdict(sample.where, told, ask)
    given = full.get("needle_depths", facts.get("needle_depths"))
    return {
        **found,
        "score": scored,
        "item_recall": scored if ask in star_rows.LISTS else None,
        "judge": found["judge"] or judge,
        "reason": found["reason"] or score.get("explanation") or sample.ended,
        "depths": star_rows.depths(sample.where, given, facts.get("needles"), facts.get("stars")),
    }
