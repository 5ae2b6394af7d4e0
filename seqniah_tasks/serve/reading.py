"""What a request is answered with: a baseline reads the prompt, and its answer is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from seqniah_datasets import tokens
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.serve.asking import Api, Asked, Refused
from seqniah_tasks.serve.cutting import Prompt, cut_prompt, cut_text
from seqniah_tasks.serve.faults import Faults
from seqniah_tasks.serve.prefixes import PrefixCache

_THOUGHT = (
    "The question stands at the end. Which of its words are rare in the text? "
    "I look for the sentences that hold them and put these in order of time. "
)
_OPEN, _CLOSE = "<think>\n", "\n</think>\n\n"


@dataclass(slots=True)
class Counter:
    """What a server did so far, for tests and for a summary at its end."""

    requests: int = 0
    """Requests for an answer, refused ones too."""
    answered: int = 0
    """Requests that were given an answer, whole or broken off."""
    prompt_tokens: int = 0
    """Tokens of the prompts that were read."""


class Usage(NamedTuple):
    """Tokens, as usage reports them."""

    prompt: int
    cached: int
    completion: int
    reasoning: int


@dataclass(frozen=True, slots=True)
class Written:
    """The answer to one prompt."""

    thought: str | None
    """Thoughts that stand in a field of their own; None if there are none."""
    text: str | None
    """The answer; None if it was cut off within such thoughts."""
    finish: str
    """`stop`, or `length` if max_tokens or the context cut it."""
    usage: Usage


class Reader:
    """Answers requests; safe to use from many threads. Raises `SeqniahError` for what cannot be."""

    def __init__(self, faults: Faults, tokenizer: str, overhead: int, top_k: int) -> None:
        if overhead < 0:
            raise SeqniahError("--overhead is a number of tokens from 0.")
        if top_k < 1:
            raise SeqniahError(f"--top-k is a whole number from 1, not {top_k}.")
        self.faults, self._overhead, self._top_k = faults, overhead, top_k
        self._count = tokens.tokenizer(tokenizer).count
        self._cache = PrefixCache()
        self._opening = f"{_OPEN}{self._think()}{_CLOSE}" if faults.think else ""

    def _think(self) -> str:
        """A passage of as many tokens as are asked for, counted between its tags."""
        repeated = _THOUGHT * (self.faults.think_tokens // 16 + 1)
        return cut_text(repeated, self.faults.think_tokens, self._count)[0]

    def answers(self, asked: Asked) -> list[Written]:
        """The answers to all prompts of a request; raises `Refused` if one does not fit."""
        return [self._answer(asked, prompt) for prompt in asked.prompts]

    def _answer(self, asked: Asked, prompt: Prompt) -> Written:
        prompt, size = self._seen_of(asked, prompt)
        limit = self._limit(asked, size)
        head = self._cache.seen("".join(prompt.texts), model=asked.model)
        cached = prompt.kept(head, 0).tokens(self._count) if head else 0
        answer = BASELINES[asked.model](prompt.asked, self._top_k)
        text, finish = _before(self._opening + answer, asked.stop), "stop"
        wrote = self._count(text)
        if limit is not None and wrote > limit:
            text, wrote = cut_text(text, limit, self._count)
            finish = "length"
        thought = self._count(text[: len(self._opening)])
        usage = Usage(size, min(cached, size), wrote, min(thought, wrote))
        if asked.api is not Api.COMPLETIONS and self.faults.think == "field":
            return _parted(text, finish, usage)
        return Written(None, text, finish, usage)

    def _seen_of(self, asked: Asked, prompt: Prompt) -> tuple[Prompt, int]:
        """What is left of a prompt, and its tokens with those of a chat template."""
        overhead = 0 if asked.api is Api.COMPLETIONS else self._overhead
        if self.faults.truncate is None:
            return prompt, prompt.tokens(self._count) + overhead
        room = max(self.faults.truncate - overhead, 0)
        prompt, left = cut_prompt(prompt, room, self.faults.truncate_side, self._count)
        return prompt, left + overhead

    def _limit(self, asked: Asked, size: int) -> int | None:
        """Tokens that may be written beside a prompt of `size` tokens; None without a limit."""
        context = self.faults.context
        if context is None:
            return asked.max_tokens
        wanted = asked.max_tokens
        if size + (wanted or 1) > context:
            given = f"{size} in the prompt and {wanted or 'at least 1'} in the answer"
            raise Refused(
                400,
                f"This model's maximum context length is {context} tokens, but the request needs "
                f"{size + (wanted or 1)}: {given}.",
                param=asked.api,
                code="context_length_exceeded",
            )
        return wanted if wanted is not None else context - size


def _before(text: str, stop: tuple[str, ...]) -> str:
    """The text before the first of the stops."""
    found = (text.find(one) for one in stop)
    return text[: min((place for place in found if place >= 0), default=len(text))]


def _parted(text: str, finish: str, usage: Usage) -> Written:
    """Thoughts and answer apart, as servers with a parser of thoughts give them."""
    thought, closed, answer = text.removeprefix(_OPEN).partition(_CLOSE)
    return Written(thought, answer if closed else None, finish, usage)
