"""What a model costs and how much it takes, by name alone: no provider is started."""

from __future__ import annotations

import os

from inspect_ai._util.config import resolve_args
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ModelCost, ModelInfo
from inspect_ai.model._model_info import _get_model_info_direct
from pydantic import ValidationError

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.adapters.inspect.models import (
    LOCAL,
    known_limits,
)
from seqniah_tasks.estimate import Price

COST_FILE = "INSPECT_EVAL_MODEL_COST_CONFIG"
"""The variable that names inspect's file of prices, YAML or JSON."""


def limits(name: str, window: int | None = None) -> budget.Model:
    """A model's limits as inspect's tables have them; `window` is what the user says of it."""
    return known_limits(name, window, _info(name))


def price(name: str) -> Price | None:
    """A model's price from inspect's file of prices, else from its tables; None if unknown.

    Raises `SeqniahError` when there is such a file and it cannot be used.
    """
    if name.startswith(LOCAL):
        return Price(0, 0, "it answers on this machine")
    path = os.environ.get(COST_FILE)
    listed = _listed(path, name) if path else None
    if listed:
        return Price(listed.input, listed.output, f"the price in {path}")
    info = _info(name)
    if info is None or info.cost is None:
        return None
    return Price(info.cost.input, info.cost.output, f"inspect's price of {info.model or name}")


def _info(name: str) -> ModelInfo | None:
    # The public look-up may start the provider, and thereby load a local model's weights.
    return None if name.startswith(LOCAL) else _get_model_info_direct(name)


def _listed(path: str, name: str) -> ModelCost | None:
    try:
        fields = resolve_args(path)
        return ModelCost.model_validate(fields[name]) if name in fields else None
    except (PrerequisiteError, ValidationError, OSError, ValueError, TypeError) as error:
        what = str(error).split("\n", 1)[0].rstrip(".")
        raise SeqniahError(
            f"The prices of {COST_FILE} cannot be read ({what}); fix {path} or unset it."
        ) from error
