"""Servers of models: where they are, and what they say of the models behind them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Hosts that mean all addresses, and an address that a client on this machine can use."""

_SECONDS = 3.0
"""How long a server may take to say which models it has."""


def client_url(host: str, port: int) -> str:
    """Of the API of a server on this machine, for a client on it; ends in /v1."""
    host = _EVERYWHERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"


@lru_cache(maxsize=32)
def served_window(base_url: str, name: str, key: str | None) -> int | None:
    """The window of a model as an OpenAI-compatible server lists it (vLLM does); None if not."""
    import httpx

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
