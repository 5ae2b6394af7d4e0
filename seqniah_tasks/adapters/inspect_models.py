"""What inspect-ai, and the server itself, know of a model's limits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import httpx
from inspect_ai.model import Model, ModelInfo, get_model_info
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.model._model import active_model

from seqniah_tasks import budget
from seqniah_tasks.budget import Budget

LOCAL = ("mockllm/", "seqniah/")
"""Models that answer in this process; no table is to be asked of them."""

_SECONDS = 3.0
"""How long a server may take to say which models it has."""

_SERVERS = ("openai-api", "vllm", "sglang", "llama-cpp-python", "ollama")
"""Providers behind which stands a server that may know the window."""


def running_model() -> Model | None:
    """The model under test, or None where no run is under way yet."""
    return active_model()


def budget_of(model: Model, context: int | None) -> Budget:
    """How much the model may write; `context` is the window that the user gave.

    Raises `SeqniahError` when the user allows fewer output tokens than a run needs.
    """
    asked = active_generate_config().max_tokens or model.config.max_tokens
    return budget.budget(limits(model, context), asked)


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


@lru_cache(maxsize=32)
def served_window(base_url: str, name: str, key: str | None) -> int | None:
    """The window of a model as an OpenAI-compatible server lists it (vLLM does); None if not."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.get(f"{base_url.rstrip('/')}/models", headers=headers, timeout=_SECONDS)
        answer.raise_for_status()
        listed = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None
    return _window_in(listed, name)


def _window_in(listed: Any, name: str) -> int | None:
    models = listed.get("data") if isinstance(listed, dict) else None
    for entry in models if isinstance(models, list) else []:
        # The harness puts the name of the service before the server's own name for the model.
        if not isinstance(entry, dict) or not f"/{name}".endswith(f"/{entry.get('id')}"):
            continue
        for field in ("max_model_len", "context_length"):
            if isinstance(entry.get(field), int):
                return int(entry[field])
    return None
