"""Asking a model through inspect-ai: the prompt built just in time, and checked once it is sent."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any
from uuid import uuid4

import anyio
import anyio.to_thread
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState
from inspect_ai.util import span

from seqniah_tasks import benchmarks, budget
from seqniah_tasks.adapters.inspect import judge, models
from seqniah_tasks.adapters.inspect.sent import RUN
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.benchmarks.protocol import (
    ROUND_NOTES,
    Audio,
    Bench,
    Facts,
    Image,
    Part,
    Prompt,
    Step,
    Text,
    Turn,
)
from seqniah_tasks.truncation import Fate, Sent, fates, noted


def preparing(name: str, given: Mapping[str, Any], scorer: str) -> Solver:
    """A setup that builds a prompt of a task with options as a user wrote them, for whatever solver
    comes next. A prompt that does not fit ends the sample; all scorers but `rules` need a grader.
    """

    runs: dict[str, str] = {}  # A task may be run with several models at once.

    async def prepare(state: TaskState, generate: Generate) -> TaskState:
        if scorer != "rules":
            judge.grader(scorer)  # or stop before the first request
        bench, planned = _planned(name, given, state)
        guard = options.read(Guard, given)
        prompt = await anyio.to_thread.run_sync(bench.prompt, planned)
        state.messages = _messages(prompt)
        state.metadata[RUN] = runs.setdefault(str(state.model), uuid4().hex)
        unsent = Sent(planned.lang, prompt.tokens, 0)
        if bench.bare:  # Questions alone are too short to be cut, and too short for ratios.
            state.metadata.update(noted(unsent, Fate.WHOLE))
        else:
            state.metadata.update(
                prompt_sha256=prompt.sha256,
                needle_depths=list(prompt.depths),
                prompt_characters=sum(len(one.text) for one in state.messages),
                prompt_tokens=prompt.tokens,
            )
        allowed = models.budget_of(get_model(), guard.context, bench)
        if not allowed.fits(prompt.tokens):
            if guard.on_overflow == "refuse":
                budget.check_fit(allowed, [(planned.length, prompt.tokens)], bench.narrower)
            _skip(state, unsent)
        return state

    return prepare


def asking(name: str, given: Mapping[str, Any]) -> Solver:
    """A solver that sends the prompt, turn by turn, and what follows where a task asks in rounds,
    and checks that all was read whole.
    """
    before: dict[str, list[Sent]] = {}  # What each run has sent so far.
    alone: dict[tuple[str, str], anyio.Event] = {}  # The first of each beginning has its reply.

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        bench, planned = _planned(name, given, state)
        window = options.read(Guard, given).context
        allowed = models.budget_of(get_model(), window, bench)
        # Nothing, where the task that runs has told it already.
        decoding: Any = models.decoding_of(get_model(), bench).model_dump(exclude_none=True)
        rounds = benchmarks.task(name).spec.rounds if bench.in_rounds(planned) else None
        sent: list[Sent] = []
        notes: list[Facts] = []
        tokens, step = state.metadata["prompt_tokens"], Step(None)
        turns, state.messages = state.messages, []
        while turns:
            async with span(f"round {len(sent) + 1}") if rounds else nullcontext():
                for message in turns:
                    state.messages.append(message)
                    async with _in_turn(alone, state.metadata[RUN], bench.shared(planned)):
                        state = await generate(
                            state, **{**decoding, "max_tokens": allowed.output(tokens)}
                        )
                sent.append(Sent(planned.lang, tokens, judge.spent(state.output.usage)[0]))
                if rounds is None or state.output.stop_reason == "model_length":
                    break
                reply = state.output.completion
                step = await anyio.to_thread.run_sync(rounds, bench, planned, step.state, reply)
                notes.append(step.notes)
                state.metadata[ROUND_NOTES] = notes
                transcript().info(dict(step.notes), source="seqniah")
            match step.ask:
                case Prompt() as prompt:
                    turns, state.messages, tokens = _messages(prompt), [], prompt.tokens
                    if not allowed.fits(tokens):
                        _skip(state, Sent(planned.lang, tokens, 0))
                        return state
                case Turn() as turn:
                    turns = [ChatMessageUser(content=_content(turn))]
                    tokens += bench.tokenizer.count(reply) + bench.tokenizer.count(turn.text)
                case None:
                    break
        if not bench.bare:
            # The one of which the least was read, for its length.
            least = min(sent, key=lambda one: one.ratio)
            so_far = before.setdefault(state.metadata[RUN], [])
            so_far.append(least)
            fate = fates([one for one in so_far if one.lang == least.lang])[-1]
            state.metadata.update(noted(least, fate))
        return state

    return solve


@asynccontextmanager
async def _in_turn(
    alone: dict[tuple[str, str], anyio.Event], run: str, shared: str
) -> AsyncIterator[None]:
    """Let the first request of a beginning that others share end before the others are sent."""
    key = run, shared
    if not shared or key in alone:
        if shared:
            await alone[key].wait()
        yield
        return
    alone[key] = anyio.Event()
    try:
        yield
    finally:
        alone[key].set()


def _skip(state: TaskState, unsent: Sent) -> None:
    """End a sample whose prompt does not fit the model."""
    state.metadata.update(noted(unsent, Fate.SKIPPED))
    state.output = ModelOutput.from_content(str(state.model), "", "model_length")
    state.completed = True


def _messages(prompt: Prompt) -> list[ChatMessage]:
    """One string a message, since servers may join parts by line breaks; in parts, where they are
    marked, or where a provider keeps a beginning only if it is told where that ends."""
    shared = prompt.prefix if prompt.is_text and models.keeps_on_request(get_model()) else ""
    if shared and prompt.text.startswith(shared):
        rest = Text(prompt.text[len(shared) :])
        marked = Turn((Text(shared, cache_breakpoint=True), rest))
        return [ChatMessageUser(content=_content(marked))]
    return [ChatMessageUser(content=_content(turn)) for turn in prompt.turns]


def _planned(name: str, given: Mapping[str, Any], state: TaskState) -> tuple[Bench[Any], Any]:
    spec = benchmarks.task(name).spec
    bench = benchmarks.opened(name, options.read(spec.options, given, spec.fixed))
    return bench, bench.find(str(state.sample_id))


_ENOUGH = 0.9
"""Of a prompt's characters; a solver of the user's own may write them otherwise, e.g. trimmed."""


def note_what_was_sent(state: TaskState) -> None:
    """Note what another solver than ours has made of the prompt that it was given.

    It may send the prompt beside texts of its own, in several calls or in parts. Where all that
    it sent is shorter than the prompt, the prompt was not sent.
    """
    size = state.metadata.get("prompt_characters")
    if size is None or "reported_tokens" in state.metadata:
        return
    calls = [one for one in transcript().events if isinstance(one, ModelEvent)]
    texts = {message.text for call in calls for message in call.input}
    at_once = [one for one in calls if sum(len(m.text) for m in one.input) >= _ENOUGH * size]
    reported = max((judge.spent(one.output.usage)[0] for one in at_once), default=0)
    sent = Sent(state.metadata["lang"], state.metadata["prompt_tokens"], reported)
    is_sent = sum(map(len, texts)) >= _ENOUGH * size
    state.metadata.update(noted(sent, fates([sent])[0] if is_sent else Fate.SKIPPED))


def _content(turn: Turn) -> str | list[Content]:
    if len(turn.parts) == 1 and turn.is_text and not turn.parts[0].cache_breakpoint:  # type: ignore[union-attr]
        return turn.text
    return [_part(one) for one in turn.parts]


def _part(part: Part) -> Content:
    match part:
        case Image():
            return ContentImage(image=_as_url(part.data, part.media_type))
        case Audio():
            kind = "mpeg" if part.format == "mp3" else part.format
            return ContentAudio(audio=_as_url(part.data, f"audio/{kind}"), format=part.format)
    return ContentText(text=part.text, cache_breakpoint=part.cache_breakpoint or None)


def _as_url(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
