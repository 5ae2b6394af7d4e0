"""The command that serves a judge on this machine's GPUs."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from seqniah_tasks import judge_serving as serving


def serve(
    model: Annotated[str, typer.Argument(help="A model on the hub (OWNER/NAME), or a folder.")],
    extra: Annotated[
        list[str] | None, typer.Argument(help="After --: further arguments of vllm serve.")
    ] = None,
    port: Annotated[int, typer.Option(help="Where it listens.")] = serving.PORT,
    host: Annotated[
        str, typer.Option(help="Address; only this machine unless told otherwise.")
    ] = serving.HOST,
    max_model_len: Annotated[
        int, typer.Option(help="Tokens of prompt and verdict together.")
    ] = serving.CONTEXT,
    tensor_parallel_size: Annotated[
        int, typer.Option(help="GPUs over which the model is divided.")
    ] = 1,
    only_print: Annotated[
        bool, typer.Option("--print", help="Start nothing; print the command.")
    ] = False,
) -> None:
    """Serve a judge with vLLM, with what suits short verdicts, and say how to judge with it."""
    server = serving.checked(
        serving.Server(model, host, port, max_model_len, tensor_parallel_size, tuple(extra or ()))
    )
    if only_print:
        typer.echo(serving.as_line(serving.command(server)))
        typer.echo(f"Then judge with: {serving.usage(server, os.environ)}", err=True)
        return
    serving.ready(server, os.environ)
    typer.echo(serving.as_line(serving.command(server)))
    typer.echo(f"Once it is up, judge with:\n{serving.usage(server, os.environ)}\nCtrl-C ends it.")
    raise typer.Exit(serving.run(server, os.environ))
