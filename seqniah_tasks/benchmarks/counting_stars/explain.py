"""A verdict of Counting-Stars as a person reads it.

It reads alike as plain text and as markdown: nothing in it is the answer's but numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers import counting
from seqniah_scorers.stars import StarCase, StarVerdict
from seqniah_tasks.quoting import listed

MOST_ROWS = 30
"""Stars that are told one by one."""

MOST_NUMBERS = 60
"""Numbers that a line tells."""

_ASKED = {
    StarAsk.LIST: "the numbers of {} stars",
    StarAsk.SUM: "the sum of the numbers of {} stars",
    StarAsk.LARGEST: "the largest of the numbers of {} stars",
    StarAsk.ORDER: "the numbers of {} stars of two players, in one order",
}

_CREDITED = {
    0.5: "both its number and the mistaken {wrong} are listed",
    0.25: "only the mistaken {wrong} is listed",
    0.0: "missing",
}


def explain(
    case: StarCase, verdict: StarVerdict, depths: Sequence[float] = (), *, limited: bool = False
) -> str:
    """What was asked, which stars were missed and where they stand, what else the answer lists.

    `depths` are the places of the stars asked for, 0 to 1, where they are known; `limited` says
    that the output limit ended the answer. Bounded, however many stars and numbers there are.
    """
    parts = [_head(case, verdict, limited)]
    if not case.ask.listed:
        parts.append(f"The numbers to choose from or to add: {_numbers(case.right)}.")
    else:
        parts += _missed(case, verdict, depths)
        parts += _besides(case, verdict)
    if verdict.numbers:
        parts.append(f"Read from the answer: {_numbers(verdict.numbers)}.")
    return "\n\n".join(parts)


def _head(case: StarCase, verdict: StarVerdict, limited: bool) -> str:
    many = f"{len(case.others)} other players count" if len(case.others) > 1 else "Another counts"
    players = f" {many} too." if case.others else ""
    figures = {
        "Score": verdict.score,
        "in their own places": verdict.position,
        "right ones of those listed": verdict.precision,
        "other players' ones": verdict.confusion,
    }
    told = "; ".join(f"{name} {one:.3f}" for name, one in figures.items() if one is not None)
    ended = "\nThe output limit ended the answer." if limited else ""
    asked = _ASKED[case.ask].format(f"{len(case.right):,}")
    return f"Asked for: {asked}.{players}\n{verdict.reason}\n{told}.{ended}"


def _missed(case: StarCase, verdict: StarVerdict, depths: Sequence[float]) -> list[str]:
    rows: list[str] = []
    numbers = frozenset(verdict.numbers)
    for star, credit in enumerate(verdict.credits):
        if credit == 1:
            continue
        place = f" at {depths[star]:.1%} of the text" if star < len(depths) else ""
        wrong = case.wrong[star] if case.task is StarTask.REASONING else None
        told = _CREDITED[credit].format(wrong=wrong)
        if not credit and case.right[star] in numbers:
            told = f"listed, but not among the first {len(case.right):,} numbers, which alone count"
        rows.append(f"- star {star + 1:,}, number {case.right[star]}{place}: {told}")
    heading = "Stars without full credit, in the order of their places:"
    return [heading, listed(rows, MOST_ROWS)] if rows else []


def _besides(case: StarCase, verdict: StarVerdict) -> Iterable[str]:
    """Numbers among those that were scored which are no right ones, by whose they are."""
    right, theirs = frozenset(case.right), frozenset(n for part in case.others for n in part)
    wrong = frozenset(case.wrong) - theirs
    added = [n for n in counting.kept(verdict.numbers, len(case.right)) if n not in right]
    for what, numbers in (
        ("Numbers of other players", [n for n in added if n in theirs]),
        ("Numbers counted by mistake", [n for n in added if n in wrong]),
        ("Numbers that no star has", [n for n in added if n not in theirs and n not in wrong]),
    ):
        if numbers:
            yield f"{what}: {_numbers(numbers)}."


def _numbers(numbers: Sequence[int]) -> str:
    told = ", ".join(map(str, numbers[:MOST_NUMBERS]))
    left = len(numbers) - MOST_NUMBERS
    return f"{told} and {left:,} more" if left > 0 else told
