"""Solvers as users have them of their own, for `--solver solvers.py@NAME`."""

from __future__ import annotations

from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def forgetful() -> Solver:
    """Sends the question without the haystack."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = [ChatMessageUser(content=state.input_text)]
        return await generate(state)

    return solve


@solver
def repeating() -> Solver:
    """Sends the question without the haystack, many times, each time after all the others."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = []
        for _ in range(5):
            state.messages.append(ChatMessageUser(content=state.input_text))
            state = await generate(state)
        return state

    return solve


@solver
def in_parts() -> Solver:
    """Reads the prompt in three parts, then answers."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        text, model = state.messages[0].text, get_model()
        for start in range(0, len(text), len(text) // 3 + 1):
            await model.generate(text[start : start + len(text) // 3 + 1])
        state.output = await model.generate(state.input_text)
        return state

    return solve
