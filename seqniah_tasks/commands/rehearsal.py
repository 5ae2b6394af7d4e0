"""The command that serves the offline readers, to rehearse a run."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks.baselines import TOP_K
from seqniah_tasks.commands.types import TokenizerName


def serve(
    host: Annotated[
        str, typer.Option(help="Address; only this machine unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any free one.")] = 8399,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    overhead: Annotated[int, typer.Option(help="Tokens a chat template adds to a prompt.")] = 0,
    top_k: Annotated[int, typer.Option(help="Sentences of an answer, at most.")] = TOP_K,
    latency: Annotated[float, typer.Option(help="Seconds before every answer.")] = 0.0,
    latency_per_1k: Annotated[
        float, typer.Option("--latency-per-1k", help="Seconds more per 1,000 prompt tokens.")
    ] = 0.0,
    rate_limited: Annotated[float, typer.Option(help="Share of first attempts given 429.")] = 0.0,
    retry_after: Annotated[int, typer.Option(help="Seconds that a 429 asks to wait.")] = 1,
    failing: Annotated[float, typer.Option(help="Share of first attempts given 500.")] = 0.0,
    dropped: Annotated[float, typer.Option(help="Share of answers that break off.")] = 0.0,
    truncate: Annotated[
        int | None, typer.Option(help="Cut prompts to so many tokens, in silence.")
    ] = None,
    truncate_side: Annotated[str, typer.Option(help="left, right or middle.")] = "left",
    context: Annotated[
        int | None, typer.Option(help="Refuse prompt and answer of more tokens than this.")
    ] = None,
    no_usage: Annotated[bool, typer.Option("--no-usage", help="Leave usage out.")] = False,
    think: Annotated[
        str, typer.Option(help="Think first: tags (<think>), or field (reasoning_content).")
    ] = "",
    think_tokens: Annotated[int, typer.Option(help="Length of the thoughts.")] = 64,
    seed: Annotated[int, typer.Option(help="Of the faults drawn.")] = 0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every request.")] = False,
) -> None:
    """Serve the baselines as an OpenAI-compatible API on this machine, to rehearse a run."""
    given = locals()
    from seqniah_tasks import serve as rehearsal

    faults = rehearsal.Faults(**{one.name: given[one.name] for one in fields(rehearsal.Faults)})
    rehearsal.serve(
        host, port, faults, tokenizer=tokenizer, overhead=overhead, top_k=top_k, verbose=verbose
    )
