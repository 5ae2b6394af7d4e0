"""What a request is answered with: a baseline reads the prompt, and its answer is counted."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from seqniah_datasets import tokens
from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.serve.asking import Asked, Refused
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


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as usage reports them."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
            self.reasoning + other.reasoning,
        )


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
    """Answers requests; safe to use from many threads."""

    def __init__(
        self, faults: Faults, tokenizer: str, overhead: int, top_k: int, counter: Counter
    ) -> None:
        self._faults, self._overhead, self._top_k = faults, overhead, top_k
        self._count = tokens.tokenizer(tokenizer).count
        self._cache = PrefixCache()
        self._counter, self._lock = counter, threading.Lock()
        self._thought = self._think() if faults.think else ""

    def _think(self) -> str:
        """A passage of as many tokens as are asked for, counted between its tags."""
        repeated = _THOUGHT * (self._faults.think_tokens // 16 + 1)
        return cut_text(repeated, self._faults.think_tokens, self._count)[0]

    def came(self) -> None:
        """Count a request."""
        with self._lock:
            self._counter.requests += 1

    def answer(self, asked: Asked) -> list[Written]:
        """The answers to all prompts of a request; raises `Refused` if one does not fit."""
        written = [self._answer(asked, prompt) for prompt in asked.prompts]
        with self._lock:
            self._counter.answered += 1
            self._counter.prompt_tokens += sum(one.usage.prompt for one in written)
        return written

    def _answer(self, asked: Asked, prompt: Prompt) -> Written:
        prompt, size = self._seen_of(asked, prompt)
        limit = self._limit(asked, size)
        head = self._cache.seen("".join(prompt.texts), model=asked.model)
        cached = prompt.kept(head, 0).tokens(self._count) if head else 0
        answer = BASELINES[asked.model](prompt.texts[prompt.read], self._top_k)
        whole = _before(self._opened() + answer, asked.stop)
        text, finish, wrote = whole, "stop", self._count(whole)
        if limit is not None and wrote > limit:
            text, wrote = cut_text(whole, limit, self._count)
            finish = "length"
        end = len(text) if len(text) < len(self._opened()) else len(self._opened())
        usage = Usage(size, min(cached, size), wrote, min(self._count(text[:end]), wrote))
        if asked.chat and self._faults.think == "field":
            return _parted(text, finish, usage)
        return Written(None, text, finish, usage)

    def _opened(self) -> str:
        """What stands before an answer."""
        return f"{_OPEN}{self._thought}{_CLOSE}" if self._faults.think else ""

    def _seen_of(self, asked: Asked, prompt: Prompt) -> tuple[Prompt, int]:
        """What is left of a prompt, and its tokens with those of a chat template."""
        overhead = self._overhead if asked.chat else 0
        if self._faults.truncate is None:
            return prompt, prompt.tokens(self._count) + overhead
        room = max(self._faults.truncate - overhead, 0)
        prompt, left = cut_prompt(prompt, room, self._faults.truncate_side, self._count)
        return prompt, left + overhead

    def _limit(self, asked: Asked, size: int) -> int | None:
        """Tokens that may be written beside a prompt of `size` tokens; None without a limit."""
        context = self._faults.context
        if context is None:
            return asked.max_tokens
        wanted = asked.max_tokens
        if size + (wanted or 1) > context:
            given = f"{size} in the prompt and {wanted or 'at least 1'} in the answer"
            raise Refused(
                400,
                f"This model's maximum context length is {context} tokens, but the request needs "
                f"{size + (wanted or 1)}: {given}.",
                param="messages" if asked.chat else "prompt",
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
