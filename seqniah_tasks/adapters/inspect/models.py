"""What inspect-ai, and the server itself, know of a model's limits."""

from __future__ import annotations

from inspect_ai.model import Model, ModelInfo, get_model_info
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model

from seqniah_tasks import budget
from seqniah_tasks.budget import Budget
from seqniah_tasks.served import served_window

LOCAL = ("mockllm/", "seqniah/")
"""Models that answer in this process; no table is to be asked of them."""

_SERVERS = ("openai-api", "vllm", "sglang", "llama-cpp-python", "ollama")
"""Providers behind which stands a server that may know the window."""


def running_model() -> Model | None:
    """The model under test, or None where no run is under way yet."""
    return active_model()


def budget_of(model: Model, context: int | None, longest: int = 0) -> Budget:
    """How much the model may write; `context` is the window that the user gave, `longest` what the
    longest right answer takes.

    Raises `SeqniahError` when the user allows fewer output tokens than a run needs.
    """
    asked = active_generate_config().max_tokens or model.config.max_tokens
    return budget.budget(limits(model, context), asked, longest=longest)


def limits(model: Model, context: int | None) -> budget.Model:
    """The model's limits: as the user says, else as its server says, else as the tables say."""
    name = str(model)
    info = None if name.startswith(LOCAL) else get_model_info(model)
    return known_limits(name, context or _served(model), info)


def known_limits(name: str, window: int | None, info: ModelInfo | None) -> budget.Model:
    """A model's limits as the tables say; `window` counts where it is given."""
    if info is None:
        return budget.Model(name, window)
    return budget.Model(
        name, window or info.context_length, info.output_tokens, bool(info.reasoning)
    )


def _served(model: Model) -> int | None:
    provider = str(model).partition("/")[0]
    base_url = getattr(model.api, "base_url", None)
    if provider not in _SERVERS or not isinstance(base_url, str):
        return None
    key = getattr(model.api, "api_key", None)
    return served_window(base_url, model.api.model_name, key if isinstance(key, str) else None)
