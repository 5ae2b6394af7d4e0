"""The dynamic setting as a state machine: from a reply to the next prompt, or to the end.

Each round asks anew over a pile laid for the latest question; rounds before the last one return a
summary and a refined question (arXiv 2510.07414, section 3.3). Nothing is read or searched here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from seqniah_scorers.final_answer import Profile
from seqniah_scorers.overlap import f1, words
from seqniah_tasks.benchmarks.haystackcraft import refining
from seqniah_tasks.benchmarks.protocol import Facts, Prompt, Step

OPTIONS = ("1", "2", "3", "max3")
"""Numbers of rounds as users write them."""

FIGURES: Mapping[str, float] = {
    "rounds_used": 3,
    "drift": 1,  # of the last query
    "empty_queries": 2,
    "unreadable": 2,
    "overlong": 2,
}
"""What stands beside the score of an answer that came after rounds, and the most that it can be."""


def named(option: str) -> str:
    """What a number of rounds is called."""
    number = option.removeprefix("max")
    return f"{'at most ' if number != option else ''}{number} round{'' if number == '1' else 's'}"


class Stop(StrEnum):
    """Why no round follows."""

    ANSWERED = "answered early"
    LAST = "last round"


class Task(StrEnum):
    """What a round asks for."""

    REFINE = "refine"
    DECIDE = "decide"
    """A summary and a refined question, unless the answer is known."""
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Rules:
    """How many rounds there are, and how replies are read."""

    rounds: int
    variable: bool
    """Whether the model may answer before the last one."""
    profile: Profile

    @classmethod
    def of(cls, option: str, profile: Profile) -> Rules:
        """From a number of rounds as users write it."""
        return cls(int(option.removeprefix("max")), option.startswith("max"), profile)

    def task(self, number: int) -> Task:
        """Of a round, from 1."""
        if number >= self.rounds:
            return Task.ANSWER
        return Task.DECIDE if self.variable else Task.REFINE


@dataclass(frozen=True, slots=True)
class State:
    """A round that is under way."""

    question: str
    """As the sample has it."""
    query: str
    """As it was refined last."""
    summaries: tuple[str, ...] = ()
    """Of the rounds before."""
    facts: Facts = field(default_factory=dict)
    """What logs keep of its ranking and its pile."""

    @property
    def number(self) -> int:
        """Of the round, from 1."""
        return len(self.summaries) + 1


@dataclass(frozen=True, slots=True)
class Laid:
    """A round's prompt."""

    prompt: Prompt
    facts: Facts
    """What logs keep of its ranking and its pile."""


Lay = Callable[[State], Laid]
"""Searches for a round's query and lays the pile."""


def begin(question: str, lay: Lay) -> State:
    """The first round of a question, whose prompt is the sample's."""
    first = State(question, question)
    return State(question, question, facts=lay(first).facts)


def follow(rules: Rules, at: State, reply: str, lay: Lay) -> Step:
    """What follows from the reply to a round. It never fails: what cannot be read is noted."""
    notes = {
        "round": at.number,
        "query": at.query,
        "drift": drift(at.query, at.question),
        **at.facts,
    }
    task = rules.task(at.number)
    if task is Task.ANSWER:
        return Step(None, {**notes, "stop": str(Stop.LAST)})
    read = refining.READERS[rules.profile](reply)
    if task is Task.DECIDE and read.answers:
        return Step(None, {**notes, "stop": str(Stop.ANSWERED)})
    following = State(at.question, read.query or at.query, (*at.summaries, read.summary))
    laid = lay(following)
    notes |= {
        "summary": read.summary,
        "empty_query": not read.query,
        "unreadable": not read.readable,
        "overlong": read.overlong,
        "stop": None,
    }
    state = State(following.question, following.query, following.summaries, laid.facts)
    return Step(laid.prompt, notes, state)


def drift(query: str, question: str) -> float:
    """How far a query has come from the question: 0 with the same words, 1 without a common one."""
    return 1 - f1(words(query), words(question))


def figures(notes: Sequence[Facts]) -> dict[str, float]:
    """The `FIGURES` of an answer from the notes of its rounds; none of an answer without any."""
    if not notes:
        return {}
    counted = {"empty_queries": "empty_query", "unreadable": "unreadable", "overlong": "overlong"}
    return {
        "rounds_used": len(notes),
        "drift": notes[-1]["drift"],
        **{name: sum(bool(one.get(key)) for one in notes) for name, key in counted.items()},
    }
