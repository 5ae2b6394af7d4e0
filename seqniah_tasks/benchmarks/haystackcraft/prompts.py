"""Prompts: articles, the question, and how to state the answer, or what is to be found next.

As released, the articles stand between lines `<text>` and `</text>`, the answer is asked for as
"The correct answer is (...)", and what earlier rounds found stands in lines "Round i: ..." below
"Previous Analyses:"; the official profile numbers the articles of the static task. The words are
ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seqniah_scorers.final_answer import Profile
from seqniah_tasks.benchmarks.haystackcraft.rounds import Task

_OPENING = "The question below is about the articles that come first."
_OPENING_LATER = (
    "The question below is about the articles that come first, and about what you found before."
)
_ASKED = "Answer this question: {}"
_FORM = 'Put your answer into a last sentence of this form: "The correct answer is (your answer)".'
_REFINE = "Tell what is known of it by now, and ask for what is still to be found."
_DECIDE = "Answer it if you know enough by now; otherwise ask for what is still to be found."
_REFINED_FORM = (
    "{} in this form:\n\n"
    "Summary: (what you found: parts of the answer, what they depend on, what is missing)\n\n"
    "Refined Question: (the same question, or one that asks more exactly)"
)

ANSWER_START = "\n\nAnswer:\nThe correct answer is"
"""Where a model goes on that continues text."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the articles of a prompt."""

    before: str
    after: str
    counted: tuple[str, ...]
    """What of it the pile leaves room for: nothing, or not all, where the released code does not
    count it."""
    numbered: bool = False
    """Whether each article has its place before it."""

    def label(self, place: int) -> str:
        """What stands before an article, by its place in the pile, from 1."""
        return f"Article {place}\n: " if self.numbered else ""


def static(profile: Profile, question: str) -> Frame:
    """Of a question that is asked once."""
    before, after = _around(_OPENING, "", _ASKED.format(question), _FORM)
    official = profile == "official"
    return Frame(before, after, () if official else (before, after), official)


def of_round(profile: Profile, task: Task, questions: Sequence[str], found: Sequence[str]) -> Frame:
    """Of a round. `questions`: those shown, the latest last; `found`: summaries of the rounds
    before. As released, the official budget counts placeholders for what stands in their place.
    """
    answer = task is Task.ANSWER
    asked = (_ASKED if answer else "Question: {}").format(questions[-1])
    asked = "\n".join([*(f"Original question: {one}" for one in questions[:-1]), asked])
    told = "".join(f"Round {number}: {one}\n" for number, one in enumerate(found, 1))
    history = f"Previous Analyses:\n{told}\n" if found else ""
    instruction = {Task.REFINE: f"{_REFINE}\n\n", Task.DECIDE: f"{_DECIDE}\n\n"}.get(task, "")
    form = {
        Task.REFINE: _REFINED_FORM.format("Reply"),
        Task.DECIDE: f"{_FORM}\n\n{_REFINED_FORM.format('If you need more, reply')}",
        Task.ANSWER: _FORM,
    }[task]
    opening = _OPENING_LATER if found else _OPENING
    before, after = _around(opening, history, asked, instruction + form)
    if profile == "strict":
        return Frame(before, after, (before, after))
    placed = "" if answer else "$INSTRUCTION$\n\n"
    return Frame(before, after, _around("$OPENING$", "$PREV_SUMMARY$\n\n", asked, placed + form))


def _around(opening: str, history: str, asked: str, form: str) -> tuple[str, str]:
    return f"{opening}\n\n{history}<text>\n", f"</text>\n\n{asked}\n\n{form}"
