"""Counting-Stars: the verdict on one answer, whatever was asked of the stars.

Lists are scored by the released rule (paper, section 2.2), the reasoning task by the one of the
released repository; a sum and a largest number are right or wrong. Numbers of players who are not
asked for are told apart from numbers that nobody counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers import counting
from seqniah_scorers.counting import CountingFailure

_ONE_NUMBER: dict[StarAsk, tuple[str, Callable[[Iterable[int]], int]]] = {
    StarAsk.SUM: ("sum", sum),
    StarAsk.LARGEST: ("largest number", max),
}
"""What is answered by one number, exactly: its name, and what makes it of all numbers."""

_WHOSE = {
    CountingFailure.OTHER_PLAYER: "of other players",
    CountingFailure.MISTAKE: "counted by mistake",
    CountingFailure.ADDED: "of nobody",
}
_MOST_TOLD = 8
"""Numbers that a reason spells out of each kind."""


@dataclass(frozen=True, slots=True)
class StarCase:
    """One answer to judge, with everything that its score follows from."""

    task: StarTask
    ask: StarAsk
    right: tuple[int, ...]
    """Numbers of the stars asked for, in the order of their places; of both players for ORDER."""
    response: str
    """What the model wrote; untrusted."""
    wrong: tuple[int, ...] = ()
    """Reasoning: each star's first, mistaken number."""
    others: tuple[tuple[int, ...], ...] = ()
    """Players: the numbers of each player that is not asked for."""
    asked: tuple[str, ...] = counting.ASKED
    """Keys of the JSON answer that the question asks for."""


@dataclass(frozen=True, slots=True)
class StarVerdict:
    """The score of one answer, and what it consists of."""

    score: float
    """The headline, 0 to 1: mean membership; the reasoning task's mean; 0 or 1 of one number."""
    position: float | None
    """Mean over the stars of standing in one's own place, 0 to 1; None of one number."""
    precision: float | None
    """Of the numbers kept, the share that is right; None without any, and of one number."""
    confusion: float | None
    """Share of the numbers kept that belong to players not asked for; None without players.

    Of one number 1.0 where it is wrong and another player's, or that of all players together.
    """
    credits: tuple[float, ...]
    """For each star asked for 0 or 1; in reasoning also 0.5 and 0.25; empty of one number."""
    positions: tuple[int, ...]
    """For each star 1 where its number stands in the star's own place; empty of one number."""
    numbers: tuple[int, ...]
    """As read, before cut and dropping; of one number several where a list was given."""
    failure_modes: tuple[CountingFailure, ...]
    """In the order of `CountingFailure`."""
    reason: str
    """One or two sentences for a person."""

    @property
    def correct(self) -> bool:
        """Full score; the order of a list is no part of it."""
        return self.score == 1


def judge(case: StarCase) -> StarVerdict:
    """Score one answer; the same case always gives the same verdict.

    Raises:
        ValueError: there is no star, or not one wrong number for each right one (reasoning).
    """
    if not case.right:
        raise ValueError("a question about no star has no answer")
    return _judge_list(case) if case.ask.listed else _judge_number(case)


_Amiss = dict[CountingFailure, tuple[int, ...]]
"""The numbers kept that no star asked for has, by what is wrong with them."""


def _judge_list(case: StarCase) -> StarVerdict:
    reading = counting.read(case.response, case.asked)
    stars = counting.score(case.right, reading.numbers, problem=reading.problem)
    credits = tuple(map(float, stars.membership))
    score = stars.membership_mean
    if case.task is StarTask.REASONING:
        reasoned = counting.reason(case.right, case.wrong, reading.numbers)
        credits, score = reasoned.scores, reasoned.mean
    kept = len(counting.kept(reading.numbers, len(case.right)))
    amiss = _amiss(case, stars.added)
    share = len(amiss[CountingFailure.OTHER_PLAYER]) / kept if kept else 0.0
    return StarVerdict(
        score=score,
        position=stars.position_mean,
        precision=(kept - len(stars.added)) / kept if kept else None,
        confusion=share if case.task is StarTask.PLAYERS else None,
        credits=credits,
        positions=stars.position,
        numbers=reading.numbers,
        failure_modes=_modes({**dict.fromkeys(stars.failure_modes, True), **amiss}),
        reason=_unanswered(reading.problem) if reading.problem else _told(case, stars, amiss),
    )


def _amiss(case: StarCase, added: Sequence[int]) -> _Amiss:
    theirs = frozenset(number for player in case.others for number in player)
    mistakes = frozenset(case.wrong) - theirs
    known = theirs | mistakes
    return {
        CountingFailure.OTHER_PLAYER: tuple(one for one in added if one in theirs),
        CountingFailure.MISTAKE: tuple(one for one in added if one in mistakes),
        CountingFailure.ADDED: tuple(one for one in added if one not in known),
    }


def _modes(held: Mapping[Any, object]) -> tuple[CountingFailure, ...]:
    """In their order those that hold."""
    return tuple(mode for mode in CountingFailure if held.get(mode))


def _judge_number(case: StarCase) -> StarVerdict:
    reading = counting.read_one(case.response, case.asked)
    right = wanted(case.ask, case.right)
    correct = reading.numbers == (right,)
    everybody = case.right + tuple(number for player in case.others for number in player)
    rivals = {wanted(case.ask, player) for player in (*case.others, everybody) if player}
    confused = not correct and len(reading.numbers) == 1 and reading.numbers[0] in rivals
    held = {
        CountingFailure.OTHER_PLAYER: confused,
        CountingFailure.WRONG_NUMBER: bool(reading.numbers) and not correct,
        reading.problem: True,
    }
    return StarVerdict(
        score=float(correct),
        position=None,
        precision=None,
        confusion=float(confused) if case.task is StarTask.PLAYERS else None,
        credits=(),
        positions=(),
        numbers=reading.numbers,
        failure_modes=_modes(held),
        reason=_number_told(case.ask, right, reading, confused),
    )


def wanted(ask: StarAsk, numbers: Iterable[int]) -> int:
    """The one number that answers a question. Raises `KeyError` where a list does."""
    return _ONE_NUMBER[ask][1](numbers)


def _told(case: StarCase, stars: counting.Stars, amiss: _Amiss) -> str:
    """Which stars are listed and which are missing; then what else is amiss, if anything."""
    missing = [n for n, there in zip(case.right, stars.membership, strict=True) if not there]
    total = len(case.right)
    if total == 1:
        first = "The only star is not listed: " if missing else "The only star is listed"
    else:
        listed = f"{total - len(missing):,} of {total:,}" if missing else f"All {total:,}"
        first = f"{listed} stars are listed" + ("; missing: " if missing else "")
    first += _some(missing)
    besides = [f"{_WHOSE[mode]}: {_some(listed)}" for mode, listed in amiss.items() if listed]
    if CountingFailure.WRONG_ORDER in stars.failure_modes:
        besides.append("out of order")
    if stars.duplicates:
        besides.append(f"repetitions: {stars.duplicates:,}")
    if stars.cut:
        besides.append(f"numbers cut off at the end: {stars.cut:,}")
    return f"{first}. Besides, {'; '.join(besides)}." if besides else f"{first}."


def _number_told(ask: StarAsk, right: int, reading: counting.Reading, confused: bool) -> str:
    if reading.problem:
        return _unanswered(reading.problem)
    name = _ONE_NUMBER[ask][0]
    if len(reading.numbers) > 1:
        return f"The {name} is {right}; the answer is a list: {_some(reading.numbers)}."
    if reading.numbers == (right,):
        return f"The {name} is {right}, as answered."
    whose = f", the {name} of another player or of all together" if confused else ""
    return f"The {name} is {right}; the answer is {reading.numbers[0]}{whose}."


def _unanswered(problem: CountingFailure) -> str:
    return {
        CountingFailure.NO_ANSWER: "Nothing was answered.",
        CountingFailure.REFUSED: "The answer is a refusal.",
    }.get(problem, "No number can be read from the answer.")


def _some(numbers: Sequence[int]) -> str:
    told = ", ".join(map(str, numbers[:_MOST_TOLD]))
    more = len(numbers) - _MOST_TOLD
    return f"{told} and {more:,} more" if more > 0 else told
