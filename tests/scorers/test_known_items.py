"""Answers of which it is known, item by item, what they state: made from those written by hand."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from seqniah_scorers import rules
from seqniah_scorers.verdict import Verdict

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
KINDS = ("temporal", "logical")

Shares = dict[tuple[str, str], list[bool]]


class Found:
    """What the rules say, by set and needle type."""

    def __init__(self) -> None:
        self.passed: Shares = defaultdict(list)
        self.stated: Shares = defaultdict(list)
        """Of the items that are stated, whether each is called so."""
        self.absent: Shares = defaultdict(list)
        """The same of those that are not."""

    def add(self, key: tuple[str, str], known: dict[int, bool], verdict: Verdict) -> None:
        self.passed[key].append(bool(verdict.correct))
        for pair in verdict.pairs:
            if known and pair.reference is not None:
                (self.stated if known[pair.reference] else self.absent)[key].append(pair.same)


def share(values: list[bool]) -> float:
    return sum(values) / len(values)


@pytest.fixture(scope="module")
def found() -> Iterator[Found]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        import known_answers

        rows = (known_answers.labelled(path, "hand") for path in known_answers.HAND.glob("*.jsonl"))
        hand = sorted((one for some in rows for one in some), key=lambda one: one.group)[::3]
        out = Found()
        for one in (
            *known_answers.cut(hand),
            *known_answers.foreign(hand),
            *known_answers.strangers(hand[::4]),
        ):
            key = (one.set, one.case.needle_type)
            out.add(key, dict(one.stated or {}), rules.judge(one.case))
        yield out
        for name in ("known_answers", "denials"):
            sys.modules.pop(name, None)


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_without_an_item_is_wrong(found: Found, kind: str) -> None:
    assert len(found.passed["cut", kind]) > 100
    assert share(found.passed["cut", kind]) <= 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_recall_counts_what_is_stated(found: Found, kind: str) -> None:
    """A text that is no answer has no item, however many words it shares with the reference."""
    assert share(found.stated["cut", kind]) >= 0.93
    assert share(found.absent["cut", kind]) <= 0.05
    assert share(found.absent["strangers", kind]) <= 0.07
    assert not any(found.passed["strangers", kind])


@pytest.mark.parametrize(("kind", "most"), [("temporal", 0.04), ("logical", 0.25)])
def test_an_item_of_another_answer_is_redundant(found: Found, kind: str, most: float) -> None:
    """Most foreign steps that pass stand between retold ones, as a comment might."""
    assert len(found.passed["padded", kind]) > 30
    assert share(found.passed["padded", kind]) <= most
    assert share(found.passed["replaced", kind]) <= 0.1
