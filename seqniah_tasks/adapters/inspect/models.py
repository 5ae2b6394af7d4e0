"""What a model can read and write, and what it costs, as inspect-ai and its server know it."""

from __future__ import annotations

import os
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import anyio
from inspect_ai._util.config import resolve_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalSpec
from inspect_ai.model import GenerateConfig, Model, ModelCost, ModelInfo, get_model_info
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model
from inspect_ai.model._model_info import _get_model_info_direct
from pydantic import ValidationError

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.benchmarks.protocol import Bench
from seqniah_tasks.budget import Budget
from seqniah_tasks.prices import Price, published
from seqniah_tasks.served import served_window

_LOCAL = ("mockllm/", "seqniah/")
"""Models that answer in this process; no table is to be asked of them."""

_SERVERS = ("openai-api", "vllm", "sglang", "llama-cpp-python", "ollama")
"""Providers behind which stands a server that may know the window."""

_SELLERS = {
    **{name: name for name in ("anthropic", "deepseek", "fireworks", "google", "groq", "mistral")},
    **{name: name for name in ("openai", "openrouter", "perplexity", "together")},
    **{"azureai": "azure", "bedrock": "aws", "grok": "x-ai"},
}
"""Providers of inspect whose models have published prices, and their names in genai-prices."""

_RESELLERS = {"azure": "azure", "bedrock": "aws", "vertex": "google"}
"""The same of what may stand second in a name, e.g. openai/azure/gpt-5."""

COST_FILE = "INSPECT_EVAL_MODEL_COST_CONFIG"
"""The variable that names inspect's file of prices, YAML or JSON."""


def running() -> Model | None:
    """The model of the run that makes a task now; None outside a run, although an earlier one may
    have left its model behind."""
    try:
        anyio.get_current_task()
    except RuntimeError:
        return None
    return active_model()


def budget_of(model: Model, context: int | None, bench: Bench[Any] | None = None) -> Budget:
    """How much the model may write, in a window that the user gave, about a benchmark's samples.

    Raises `SeqniahError` when the user allows fewer tokens than a run needs.
    """
    asked, known = told(model).max_tokens, limits_of(model, context)
    if bench is None:
        return budget.budget(known, asked)
    enough = bench.decoding(str(model)).max_tokens
    return budget.budget(known, asked, longest=bench.longest_answer, enough=enough)


def decoding_of(model: Model, bench: Bench[Any]) -> GenerateConfig:
    """What the benchmark says of the model's decoding, and the user does not."""
    user = told(model)
    wanted = asdict(bench.decoding(str(model)))
    return GenerateConfig(
        **{name: value for name, value in wanted.items() if getattr(user, name) is None}
    )


def told(model: Model) -> GenerateConfig:
    """What a user, or the task that runs, says of the model's decoding."""
    return model.config.merge(active_generate_config())


def limits_of(model: Model, context: int | None) -> budget.Model:
    """The model's limits: as the user says, else as its server says, else as the tables say."""
    name = str(model)
    info = None if name.startswith(_LOCAL) else get_model_info(model)
    return _limits(name, context or _served(model), info)


def limits(name: str, window: int | None = None) -> budget.Model:
    """The same by name alone: no provider is started. `window` is what the user says of it."""
    return _limits(name, window, _info(name))


def price(name: str) -> Price | None:
    """A model's price by inspect's file, else by its tables, else as published, as of now; None if
    unknown. Raises `SeqniahError` when there is such a file and it cannot be used.
    """
    if name.startswith(_LOCAL):
        return Price(0, 0, "it answers on this machine")
    path = os.environ.get(COST_FILE)
    listed = _listed(path, name) if path else None
    if listed:
        return Price(listed.input, listed.output, f"the price in {path}")
    info = _info(name)
    if info is None or info.cost is None:
        return _published(name, datetime.now(UTC))
    return Price(info.cost.input, info.cost.output, f"inspect's price of {info.model or name}")


def price_then(ran: EvalSpec) -> Price | None:
    """The published price of a run's model when it was run, or that of nothing, which has no
    source; None if unknown.
    """
    if ran.model.startswith(_LOCAL):
        return Price(0, 0, "")
    return _published(ran.model, datetime.fromisoformat(ran.created), ran.model_base_url)


def _published(name: str, at: datetime, base_url: str | None = None) -> Price | None:
    provider, _, model = name.removeprefix("openai-api/").partition("/")
    seller = _SELLERS.get(provider)
    second, _, rest = model.partition("/")
    if rest and second in _RESELLERS:
        seller, model = _RESELLERS[second], rest
    return published(seller, model, at, base_url) if seller else None


def _limits(name: str, window: int | None, info: ModelInfo | None) -> budget.Model:
    """As the tables say; `window` counts where it is given."""
    if info is None:
        return budget.Model(name, window)
    return budget.Model(
        name, window or info.context_length, info.output_tokens, bool(info.reasoning)
    )


def _info(name: str) -> ModelInfo | None:
    # The public look-up may start the provider, and thereby load a local model's weights.
    return None if name.startswith(_LOCAL) else _get_model_info_direct(name)


def _served(model: Model) -> int | None:
    provider = str(model).partition("/")[0]
    base_url = getattr(model.api, "base_url", None)
    if provider not in _SERVERS or not isinstance(base_url, str):
        return None
    key = getattr(model.api, "api_key", None)
    return served_window(base_url, model.api.model_name, key if isinstance(key, str) else None)


def _listed(path: str, name: str) -> ModelCost | None:
    try:
        fields = resolve_args(path)
        return ModelCost.model_validate(fields[name]) if name in fields else None
    except (PrerequisiteError, ValidationError, OSError, ValueError, TypeError) as error:
        what = str(error).split("\n", 1)[0].rstrip(".")
        raise SeqniahError(
            f"The prices of {COST_FILE} cannot be read ({what}); fix {path} or unset it."
        ) from error


def keeps_on_request(model: Model) -> bool:
    """Whether its provider keeps beginnings of prompts only up to a mark; others need none."""
    return str(model).startswith("anthropic/")
