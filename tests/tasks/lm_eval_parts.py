"""What the tests of the tasks in lm-eval share: models that listen, a short run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM, TemplateLM
from lm_eval.evaluator import simple_evaluate
from lm_eval.tasks import TaskManager

import seqniah_tasks
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    Planned,
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

FOLDER = Path(seqniah_tasks.__file__).with_name("lm_eval_tasks")
TASK = "seqniah_real_logical_en"
SHORT = {"length": "8k-16k"}

Json = dict[str, Any]
Answering = Callable[[str], str]
"""What a model says to a prompt."""


def nothing(prompt: str) -> str:
    return "Not found."


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Listener(LM):  # type: ignore[misc]  # lm_eval is not typed
    """A model without a tokenizer that notes what it is asked; a chat is its last message."""

    def __init__(self, answering: Answering = nothing) -> None:
        super().__init__()
        self.answering = answering
        self.prompts: list[str] = []
        self.wishes: list[Json] = []

    @property
    def tokenizer_name(self) -> str:
        return "none"

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        assert [message["role"] for message in chat_history] == ["user"]
        assert add_generation_prompt
        return chat_history[-1]["content"]

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        for context, wishes in (request.args for request in requests):
            self.prompts.append(context)
            self.wishes.append(wishes)
        return [self.answering(request.args[0]) for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


class Windowed(Listener):
    """A listener that reads so many tokens, told as most models of the harness are told."""

    def __init__(self, max_length: int, answering: Answering = nothing) -> None:
        super().__init__(answering)
        self.max_length = max_length


class Bytes(Windowed, TemplateLM):  # type: ignore[misc]
    """The same with a tokenizer of its own, to which each byte is a token."""

    @property
    def eot_token_id(self) -> int:
        return 0

    def tok_encode(
        self, string: str, add_special_tokens: bool | None = None, **kwargs: Any
    ) -> list[int]:
        return list(string.encode())

    def _loglikelihood_tokens(self, requests: Any, **kwargs: Any) -> list[tuple[float, bool]]:
        raise NotImplementedError


def run(
    model: LM | str,
    metadata: Json | None = None,
    *,
    tasks: str = TASK,
    chat: bool = True,
    limit: int | None = 2,
    model_args: Json | None = None,
    **more: Any,
) -> Json:
    """A run as the harness's command makes it, but for the thousands of its own tasks."""
    given = {**(model_args or {}), **(SHORT if metadata is None else metadata)}
    found: Json = simple_evaluate(
        model=model,
        model_args=model_args,
        tasks=tasks.split(","),
        task_manager=TaskManager(include_path=FOLDER, include_defaults=False, metadata=given),
        limit=limit,
        apply_chat_template=chat,
        bootstrap_iters=0,
        metadata=given,
        **more,
    )
    return found


def samples(found: Json, task: str = TASK) -> list[Json]:
    """What a run logged of each sample."""
    rows: list[Json] = found["samples"][task]
    return rows


def metric(found: Json, name: str, task: str = TASK) -> Any:
    """A metric of a task or group, whoever judged it."""
    results = found["results"][task]
    (value,) = [results[key] for key in results if key.partition(",")[0] == name]
    return value


class Samples:
    """The samples of a task as the benchmark itself has them, in their order."""

    def __init__(self, task: str = TASK, **options: Any) -> None:
        split = "dev" if task.startswith("seqniah_dev_") else "test"
        words, _, lang = task.removeprefix("seqniah_").removeprefix("dev_").rpartition("_")
        pipeline = words.replace("_", "-")
        self.bench = SequentialNiah(read_options(split, **options))
        self.plan: list[Planned] = [
            one
            for one in self.bench.plan
            if (str(one.slot.pipeline), one.slot.lang) == (pipeline, lang)
        ]

    @property
    def ids(self) -> list[str]:
        return [one.id for one in self.plan]

    def prompt(self, number: int) -> str:
        return self.bench.sample(self.plan[number]).input

    def tokens(self, number: int) -> int:
        return self.bench.recipe(self.plan[number]).tokens

    def reference(self, number: int) -> str:
        return self.bench.qa(self.plan[number]).reference

    def right(self, count: int) -> Answering:
        """Says the right answer to the first so many prompts, in chat form."""
        known = {digest(self.prompt(number)): self.reference(number) for number in range(count)}
        return lambda prompt: known[digest(prompt)]
