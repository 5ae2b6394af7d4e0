"""Asking a model through inspect-ai: the prompt built just in time, and checked once it is sent."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import anyio.to_thread
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState

from seqniah_tasks import benchmarks, budget
from seqniah_tasks.adapters.inspect import judge, models
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.benchmarks.protocol import Audio, Image, Part, Turn
from seqniah_tasks.truncation import Fate, Sent, fates, noted


def asking(name: str, given: Mapping[str, Any], scorer: str) -> Solver:
    """A solver that builds a prompt of a task with options as a user wrote them, asks, and checks
    that it was read whole. All scorers but `rules` need a grader.
    """
    before: list[Sent] = []  # What the run has sent so far.

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if scorer != "rules":
            judge.grader(scorer)  # or stop before the first request
        benchmark, spec = benchmarks.task(name)
        bench = benchmarks.opened(name, options.read(spec.options, given, spec.fixed))
        guard = options.read(Guard, given)
        planned = bench.find(str(state.sample_id))
        prompt = await anyio.to_thread.run_sync(bench.prompt, planned)
        if not bench.bare:
            state.metadata.update(prompt_sha256=prompt.sha256, needle_depths=list(prompt.depths))
        allowed = models.budget_of(get_model(), guard.context, bench.longest_answer)
        if not allowed.fits(prompt.tokens):
            if guard.on_overflow == "refuse":
                budget.check_fit(allowed, [(planned.length, prompt.tokens)], bench.narrower)
            state.messages = [ChatMessageUser(content=_content(turn)) for turn in prompt.turns]
            state.metadata.update(noted(Sent(planned.lang, prompt.tokens, 0), Fate.SKIPPED))
            state.output = ModelOutput.from_content(str(state.model), "", "model_length")
            return state
        state.messages = []
        most = allowed.output(prompt.tokens)

        async def send(turn: Turn) -> str:
            nonlocal state
            state.messages.append(ChatMessageUser(content=_content(turn)))
            state = await generate(state, max_tokens=most)
            return state.output.completion

        for turn in prompt.turns:
            await send(turn)
        if benchmark.rounds:
            state.output.completion = await benchmark.rounds(bench, planned, send)
        sent = Sent(planned.lang, prompt.tokens, judge.spent(state.output.usage)[0])
        fate = Fate.WHOLE  # Questions alone are too short to be cut, and too short for ratios.
        if not bench.bare:
            before.append(sent)
            fate = fates([one for one in before if one.lang == sent.lang])[-1]
        state.metadata.update(noted(sent, fate))
        return state

    return solve


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
