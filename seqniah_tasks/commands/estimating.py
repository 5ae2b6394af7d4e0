"""Telling what a run will take: what the `estimate` commands of the benchmarks share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.console import Console

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import estimate as estimates
from seqniah_tasks.benchmarks.asking import Q
from seqniah_tasks.budget import Model
from seqniah_tasks.commands.types import print_json
from seqniah_tasks.estimate import Subject
from seqniah_tasks.views import estimate as view

ModelName = Annotated[str, typer.Option(help="A model as inspect names it.")]
Context = Annotated[int | None, typer.Option(help="Its window in tokens, if unknown.")]
Limit = Annotated[int | None, typer.Option(help="At most so many samples.")]
Epochs = Annotated[int, typer.Option(help="How often each sample is asked.")]
InputPrice = Annotated[float | None, typer.Option(help="US dollars a million prompt tokens.")]
OutputPrice = Annotated[float | None, typer.Option(help="US dollars a million answer tokens.")]
TokensPerSecond = Annotated[
    float | None, typer.Option(help="Prompt tokens that one connection gets read in a second.")
]
OutputTokens = Annotated[int | None, typer.Option(help="Tokens of an answer.")]


def tell(subject: Subject[Q], given: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a run of a benchmark takes; `given` are the command's arguments.

    Raises `SeqniahError` for a request that is impossible.
    """
    request = estimates.request_of(given)
    model, context = given["model"], given["context"]
    limits = _limits(model, context)
    if model:
        from seqniah_tasks.adapters import inspect_prices

        request = replace(request, price=request.price or inspect_prices.price(model))
    found = estimates.estimate(subject, request, limits)
    if as_json:
        print_json(view.as_json(found))
    else:
        view.print_estimate(Console(highlight=False), found)


def _limits(model: str, context: int | None) -> Model | None:
    if context is not None and context < 1:
        raise SeqniahError(f"--context is a number of tokens from 1, not {context}.")
    if model:
        from seqniah_tasks.adapters import inspect_prices

        return inspect_prices.limits(model, context)
    return Model("a model", context) if context else None
